// SPDX-License-Identifier: MIT
#include "engine/cpu/kernels/instantiate.h"
#include "engine/cpu/kernels/tables.h"
#include "engine/cpu/simd/plain.h"

namespace aether::engine::cpu {

extern constinit const KernelTable plainKernels = kernelTable<Plain4>("plain");

}  // namespace aether::engine::cpu
