# Commit and dirty flag, written to generated/common/version.h at configure time.
find_package(Git QUIET)
set(AETHER_COMMIT "")
set(AETHER_DIRTY false)
if(Git_FOUND)
    execute_process(COMMAND "${GIT_EXECUTABLE}" rev-parse --short=12 HEAD
                    WORKING_DIRECTORY "${CMAKE_SOURCE_DIR}" OUTPUT_VARIABLE AETHER_COMMIT
                    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    execute_process(COMMAND "${GIT_EXECUTABLE}" status --porcelain --untracked-files=no
                    WORKING_DIRECTORY "${CMAKE_SOURCE_DIR}" OUTPUT_VARIABLE aether_changes ERROR_QUIET)
    if(aether_changes)
        set(AETHER_DIRTY true)
    endif()
endif()
configure_file("${CMAKE_SOURCE_DIR}/common/version.h.in" "${CMAKE_BINARY_DIR}/generated/common/version.h" @ONLY)
