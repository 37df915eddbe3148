# Finds LibTorch inside an installed PyTorch wheel, without asking for a CUDA toolkit as the wheel's own TorchConfig does.
#
#   AETHER_PYTHON          the Python whose PyTorch is used: option, environment, .venv, PATH
#   TorchWheel_FOUND, TorchWheel_VERSION, TorchWheel::CPU
set(aether_python_candidates "${CMAKE_SOURCE_DIR}/.venv/bin/python" python3)
if(DEFINED ENV{AETHER_PYTHON})
    list(PREPEND aether_python_candidates "$ENV{AETHER_PYTHON}")
endif()
find_program(AETHER_PYTHON NAMES ${aether_python_candidates} DOC "Python with PyTorch")

set(TorchWheel_REASON "no Python found (AETHER_PYTHON names one)")
if(AETHER_PYTHON)
    # find_spec locates the package without importing it (an import takes seconds).
    execute_process(
        COMMAND "${AETHER_PYTHON}" -c
                "import importlib.util as u, importlib.metadata as m; print(list(u.find_spec('torch').submodule_search_locations)[0], m.version('torch'), sep=';')"
        OUTPUT_VARIABLE torch_wheel_info OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE torch_wheel_result)
    if(torch_wheel_result EQUAL 0)
        list(GET torch_wheel_info 0 TorchWheel_ROOT)
        list(GET torch_wheel_info 1 TorchWheel_VERSION)
        find_library(TorchWheel_CPU_LIBRARY torch_cpu PATHS "${TorchWheel_ROOT}/lib" NO_DEFAULT_PATH NO_CACHE)
        find_library(TorchWheel_C10_LIBRARY c10 PATHS "${TorchWheel_ROOT}/lib" NO_DEFAULT_PATH NO_CACHE)
    else()
        set(TorchWheel_REASON "${AETHER_PYTHON} has no PyTorch")
    endif()
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(TorchWheel
    REQUIRED_VARS TorchWheel_CPU_LIBRARY TorchWheel_C10_LIBRARY
    VERSION_VAR TorchWheel_VERSION
    REASON_FAILURE_MESSAGE "${TorchWheel_REASON}")

if(TorchWheel_FOUND AND NOT TARGET TorchWheel::CPU)
    add_library(TorchWheel::CPU INTERFACE IMPORTED)
    target_include_directories(TorchWheel::CPU SYSTEM INTERFACE "${TorchWheel_ROOT}/include")
    target_link_libraries(TorchWheel::CPU INTERFACE "${TorchWheel_CPU_LIBRARY}" "${TorchWheel_C10_LIBRARY}")
    # The wheel's libraries name siblings (OpenMP, …) that are resolved at run time through their own paths.
    target_link_options(TorchWheel::CPU INTERFACE -Wl,--no-as-needed -Wl,--allow-shlib-undefined
                                                  "-Wl,-rpath,${TorchWheel_ROOT}/lib")
endif()
