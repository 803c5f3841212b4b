# SPDX-FileCopyrightText: 2026 The sinew authors
# SPDX-License-Identifier: MIT
# SuiteSparse 5, as Debian 12 has it, brings no CMake package of its own. Makes SuiteSparse::AMD.
find_path(AMD_INCLUDE_DIR amd.h PATH_SUFFIXES suitesparse)
find_library(AMD_LIBRARY amd)
find_library(AMD_CONFIG_LIBRARY suitesparseconfig)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(AMD REQUIRED_VARS AMD_LIBRARY AMD_CONFIG_LIBRARY AMD_INCLUDE_DIR)
mark_as_advanced(AMD_INCLUDE_DIR AMD_LIBRARY AMD_CONFIG_LIBRARY)
if(AMD_FOUND AND NOT TARGET SuiteSparse::AMD)
  add_library(SuiteSparse::AMD UNKNOWN IMPORTED)
  set_target_properties(SuiteSparse::AMD PROPERTIES
    IMPORTED_LOCATION ${AMD_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${AMD_INCLUDE_DIR}
    INTERFACE_LINK_LIBRARIES ${AMD_CONFIG_LIBRARY})
endif()
