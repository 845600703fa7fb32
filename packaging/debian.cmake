# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# `cpack -G DEB` in the build folder makes the Debian package; docs/how-to/package.md.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME sluice)
set(CPACK_PACKAGE_VENDOR "Sluice")
set(CPACK_PACKAGE_CONTACT "The Sluice authors <sluice@localhost>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "ahead-of-time compiler for dataflow graphs")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
"Sluice compiles TensorFlow dataflow graphs with loops, conditionals and state
ahead of time into native executables, one for each device. What it makes
needs no Python, no framework and no model file.

This package has the compiler sluicec, the launcher sluice-run, the tools
sluice-opt and sluice-translate, a CMake package, and what calls models that
were compiled into libraries: headers for C and C++ and a Python package.")
install(FILES debian/lintian-overrides DESTINATION share/lintian/overrides RENAME sluice)
# Libraries that the tools load: found by dpkg-shlibdeps, all but libLLVM, which it finds as a link of
# the development package that promises nothing. Then the linker, and what the recipe of
# compiler/emit/CMakeLists.txt links: C library, start files and libstdc++ of the compiler that
# Sluice was built with, zlib, and libsodium for clusters.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS
  "libllvm22 (>= 1:${LLVM_PACKAGE_VERSION}), lld-22, libc6-dev, libgcc-12-dev, libstdc++-12-dev, \
libsodium-dev, zlib1g-dev")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "cmake, pkg-config, python3-numpy")
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
include(CPack)
