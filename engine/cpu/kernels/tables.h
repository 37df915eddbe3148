// SPDX-License-Identifier: MIT
// The tables, one per instruction set. Only plainKernels may be used without asking the processor
// first (engine/cpu/instruction_set.h).
#pragma once

#include "engine/cpu/kernels/table.h"

namespace aether::engine::cpu {

extern const KernelTable plainKernels;
#if defined(__x86_64__)
extern const KernelTable avx2Kernels;
extern const KernelTable avx512Kernels;
extern const KernelTable avx512Bf16Kernels;
extern const KernelTable avx512AmxKernels;
/// The AVX-512 shape emulated with AVX2; in the library aether_engine_cpu_emulated, for tests only.
extern const KernelTable emulated16Kernels;
#endif

}  // namespace aether::engine::cpu
