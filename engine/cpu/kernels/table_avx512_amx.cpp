// SPDX-License-Identifier: MIT
#include "engine/cpu/kernels/instantiate.h"
#include "engine/cpu/kernels/tables.h"
#include "engine/cpu/simd/avx512_amx.h"

namespace aether::engine::cpu {

extern constinit const KernelTable avx512AmxKernels = kernelTable<Avx512Amx>("avx512-amx");

}  // namespace aether::engine::cpu
