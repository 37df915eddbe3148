// SPDX-License-Identifier: MIT
#include "engine/cpu/kernels/instantiate.h"
#include "engine/cpu/kernels/tables.h"
#include "engine/cpu/simd/avx512.h"

namespace aether::engine::cpu {

extern constinit const KernelTable avx512Kernels = kernelTable<Avx512>("avx512");

}  // namespace aether::engine::cpu
