// SPDX-License-Identifier: MIT
// Kernel sources are compiled once per instruction set. A function that the compiler leaves out of
// line in two of those objects would be merged by the linker, and the narrow machine could meet the
// wide body. Therefore every function a kernel source defines is either forced inline or a template
// over the vector type, and kernel sources call nothing from the standard library.
#pragma once

#define AETHER_INLINE inline __attribute__((always_inline))
