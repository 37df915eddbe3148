// SPDX-License-Identifier: MIT
#include "engine/cpu/kernels/instantiate.h"
#include "engine/cpu/kernels/tables.h"
#include "engine/cpu/simd/avx2.h"

namespace aether::engine::cpu {

extern constinit const KernelTable avx2Kernels = kernelTable<Avx2>("avx2");

}  // namespace aether::engine::cpu
