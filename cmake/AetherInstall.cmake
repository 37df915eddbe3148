# What 'cmake --install' puts where, and the packages made of it: build the target 'programs', then run cpack in the build
# folder. Programs find their resources in <prefix>/share/aether-bench (app/paths.h).
include(GNUInstallDirs)

# Packing must not build the tests.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)

set(aether_share "${CMAKE_INSTALL_DATADIR}/aether-bench")
set(aether_doc "${CMAKE_INSTALL_DATAROOTDIR}/doc/aether-bench")

# aether-reference is left out on purpose: it carries an rpath into the PyTorch wheel of the machine it was built on.
# Installed, the C++ reference is listed as unavailable; the Python one measures the same PyTorch.
foreach(program aether-bench aether-engine)
    if(TARGET ${program})
        install(TARGETS ${program} RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
    endif()
endforeach()

install(DIRECTORY resources DESTINATION "${aether_share}")
install(DIRECTORY reference/python/ DESTINATION "${aether_share}/reference/python" PATTERN "__pycache__" EXCLUDE
        PATTERN "*.pyc" EXCLUDE)
install(FILES README.md CHANGELOG.md requirements.txt packaging/copyright DESTINATION "${aether_doc}")
install(DIRECTORY docs LICENSES DESTINATION "${aether_doc}")

install(FILES packaging/org.aetherbench.AetherBench.desktop DESTINATION "${CMAKE_INSTALL_DATADIR}/applications")
install(FILES packaging/org.aetherbench.AetherBench.metainfo.xml DESTINATION "${CMAKE_INSTALL_DATADIR}/metainfo")
install(FILES resources/icons/org.aetherbench.AetherBench.svg
        DESTINATION "${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps")

set(CPACK_GENERATOR "DEB;TGZ")
set(CPACK_PACKAGE_NAME "aether-bench")
set(CPACK_PACKAGE_VENDOR "Aether Bench developers")
set(CPACK_PACKAGE_CONTACT "Aether Bench developers <aether-bench@example.org>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "compare one training step of a neural network with PyTorch")
set(CPACK_PACKAGE_DESCRIPTION
    "Aether Bench measures one whole training step in a from-scratch engine and in
PyTorch, side by side on this machine, as separate interleaved processes, and
only after both have proved against float64 that they did the same work.
.
The package holds the program, the CPU engine and the Python runner. PyTorch is
not a part of it: name a Python that has it with --python or AETHER_PYTHON. The
C++ runner is left out, since it belongs to the PyTorch it was built with.")
set(CPACK_RESOURCE_FILE_LICENSE "${CMAKE_SOURCE_DIR}/LICENSES/GPL-3.0-only.txt")
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION "science")
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Without the platform plugins there is neither window nor plot.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "python3, qt6-qpa-plugins")
include(CPack)
