# Commit and dirty flag, written to generated/common/version.h before every build, so that a result never names an old
# commit. Runs as an include (declares the target) and as a script (writes the file).
if(NOT CMAKE_SCRIPT_MODE_FILE)
    add_custom_target(aether_version
        COMMAND "${CMAKE_COMMAND}" "-DSOURCE_DIR=${CMAKE_SOURCE_DIR}" "-DBINARY_DIR=${CMAKE_BINARY_DIR}"
                "-DPROJECT_VERSION=${PROJECT_VERSION}" -P "${CMAKE_CURRENT_LIST_FILE}"
        BYPRODUCTS "${CMAKE_BINARY_DIR}/generated/common/version.h"
        COMMENT "")
    return()
endif()

set(AETHER_COMMIT "")
set(AETHER_DIRTY false)
find_program(GIT git)
if(GIT)
    execute_process(COMMAND "${GIT}" rev-parse --short=12 HEAD WORKING_DIRECTORY "${SOURCE_DIR}"
                    OUTPUT_VARIABLE AETHER_COMMIT OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    execute_process(COMMAND "${GIT}" status --porcelain --untracked-files=no WORKING_DIRECTORY "${SOURCE_DIR}"
                    OUTPUT_VARIABLE aether_changes ERROR_QUIET)
    if(aether_changes)
        set(AETHER_DIRTY true)
    endif()
endif()
configure_file("${SOURCE_DIR}/common/version.h.in" "${BINARY_DIR}/generated/common/version.h" @ONLY)
