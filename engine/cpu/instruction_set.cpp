// SPDX-License-Identifier: MIT
#include "engine/cpu/instruction_set.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif
#if defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>
#endif

#include "common/failure.h"
#include "engine/cpu/kernels/tables.h"

namespace aether::engine::cpu {
namespace {

struct Choice {
    const KernelTable* table;
    bool available;
};

#if defined(__x86_64__)
/// Linux gives the matrix registers' state only to a process that asked for it, once for all of its
/// threads (Documentation/arch/x86/xstate.rst). The processor is asked by hand, since
/// clang 14's __builtin_cpu_supports does not know AMX.
bool mayUseMatrixRegisters() {
#if defined(__linux__)
    constexpr unsigned kAmxBf16 = 1U << 22U, kAmxTile = 1U << 24U;  // leaf 7, EDX
    constexpr long kRequestPermission = 0x1023, kTileData = 18;
    unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
    if (__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) == 0) return false;
    if ((edx & kAmxBf16) == 0 || (edx & kAmxTile) == 0) return false;
    static const bool granted = syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
    return granted;
#else
    return false;
#endif
}
#endif

std::vector<Choice> choices() {
    std::vector<Choice> all{{&plainKernels, true}};
#if defined(__x86_64__)
    // __builtin_cpu_supports also asks the operating system (xgetbv) whether it saves the wide
    // registers.
    __builtin_cpu_init();
    const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    const bool avx512 = avx2 && __builtin_cpu_supports("avx512f") &&
                        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
                        __builtin_cpu_supports("avx512dq");
    all.push_back({&avx2Kernels, avx2});
    all.push_back({&avx512Kernels, avx512});
    const bool bf16 = avx512 && __builtin_cpu_supports("avx512bf16");
    all.push_back({&avx512Bf16Kernels, bf16});
    all.push_back({&avx512AmxKernels, bf16 && mayUseMatrixRegisters()});
#endif
    return all;
}

}  // namespace

std::vector<std::string> availableInstructionSets() {
    std::vector<std::string> names;
    for (const Choice& choice : choices()) {
        if (choice.available) names.emplace_back(choice.table->name);
    }
    return names;
}

const KernelTable& selectKernels(const std::optional<std::string>& instructionSet) {
    const KernelTable* best = &plainKernels;
    for (const Choice& choice : choices()) {
        if (instructionSet && *instructionSet == choice.table->name) {
            if (choice.available) return *choice.table;
            throw Failure(FailureKind::Unavailable,
                          "instruction set " + *instructionSet + ": this processor lacks it");
        }
        if (choice.available) best = choice.table;
    }
    if (instructionSet) {
        throw Failure(FailureKind::Usage,
                      "instruction set " + *instructionSet +
                          ": unknown; plain, avx2, avx512, avx512-bf16 or avx512-amx");
    }
    return *best;
}

}  // namespace aether::engine::cpu
