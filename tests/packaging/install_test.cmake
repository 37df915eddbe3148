# Installs into PREFIX, then the installed program must use what was installed and not the source tree.
file(REMOVE_RECURSE "${PREFIX}")
execute_process(COMMAND "${CMAKE_COMMAND}" --install "${BINARY_DIR}" --prefix "${PREFIX}" OUTPUT_QUIET
                COMMAND_ERROR_IS_FATAL ANY)
foreach(file
        bin/aether-bench bin/aether-engine
        share/aether-bench/resources/workloads/cifar10-v1.json share/aether-bench/reference/python/aether_reference/__main__.py
        share/applications/org.aetherbench.AetherBench.desktop share/metainfo/org.aetherbench.AetherBench.metainfo.xml
        share/icons/hicolor/scalable/apps/org.aetherbench.AetherBench.svg
        share/doc/aether-bench/README.md share/doc/aether-bench/copyright share/doc/aether-bench/LICENSES/MIT.txt)
    if(NOT EXISTS "${PREFIX}/${file}")
        message(FATAL_ERROR "${file} was not installed")
    endif()
endforeach()
if(EXISTS "${PREFIX}/bin/aether-reference")
    message(FATAL_ERROR "aether-reference carries an rpath into a wheel and must not be installed")
endif()

execute_process(COMMAND "${CMAKE_COMMAND}" -E env --unset=AETHER_ROOT "XDG_CONFIG_HOME=${PREFIX}/config"
                        "${PREFIX}/bin/aether-bench" runners -q
                OUTPUT_VARIABLE runners COMMAND_ERROR_IS_FATAL ANY)
foreach(part "${PREFIX}/bin/aether-engine" "${PREFIX}/share/aether-bench/resources/runners/aether-engine.json")
    string(FIND "${runners}" "${part}" at)
    if(at EQUAL -1)
        message(FATAL_ERROR "the installed program does not use ${part}:\n${runners}")
    endif()
endforeach()
