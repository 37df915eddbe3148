// SPDX-License-Identifier: MIT
#include "engine/cpu/kernels/instantiate.h"
#include "engine/cpu/kernels/tables.h"
#include "engine/cpu/simd/emulated16.h"

namespace aether::engine::cpu {

extern constinit const KernelTable emulated16Kernels = kernelTable<Emulated16>("emulated16");

}  // namespace aether::engine::cpu
