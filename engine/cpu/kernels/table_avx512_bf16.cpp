// SPDX-License-Identifier: MIT
#include "engine/cpu/kernels/instantiate.h"
#include "engine/cpu/kernels/tables.h"
#include "engine/cpu/simd/avx512_bf16.h"

namespace aether::engine::cpu {

extern constinit const KernelTable avx512Bf16Kernels = kernelTable<Avx512Bf16>("avx512-bf16");

}  // namespace aether::engine::cpu
