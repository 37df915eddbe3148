# Compile settings of every room. Fast-math is never among them: numbers are compared.
include(CTest)

option(AETHER_WERROR "Treat warnings as errors (CI does)" OFF)
option(AETHER_SANITIZE "Build with address and undefined-behaviour sanitizers" OFF)

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")

if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

add_library(aether_options INTERFACE)
target_include_directories(aether_options INTERFACE "${CMAKE_SOURCE_DIR}" "${CMAKE_BINARY_DIR}/generated")
# -ffp-contract=off: a fused multiply-add appears only where the source asks for one, so results do not depend on the
# optimiser's mood.
target_compile_options(aether_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -ffp-contract=off)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # GCC 12 sees overlaps and overflows inside std::string that are not there (GCC bugs 105329, 105651).
    target_compile_options(aether_options INTERFACE -Wno-array-bounds -Wno-restrict -Wno-stringop-overflow)
endif()
if(AETHER_WERROR)
    target_compile_options(aether_options INTERFACE -Werror)
endif()
if(AETHER_SANITIZE)
    target_compile_options(aether_options INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=all
                                                    -fno-omit-frame-pointer)
    target_link_options(aether_options INTERFACE -fsanitize=address,undefined)
    # Sanitized JSON code takes GCC half a minute a file when it optimises; only kernels need speed to be tested.
    set(aether_kernel_optimisation -O1)
endif()
