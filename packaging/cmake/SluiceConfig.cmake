# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# find_package(Sluice): the tools as Sluice::sluicec and Sluice::sluice-run, and sluice_add_model().
# All paths are relative to this file, so that an installation can be moved.
get_filename_component(_sluice_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
foreach(_sluice_tool sluicec sluice-run)
  if(NOT EXISTS "${_sluice_prefix}/bin/${_sluice_tool}")
    set(Sluice_FOUND FALSE)
    set(Sluice_NOT_FOUND_MESSAGE "expected ${_sluice_prefix}/bin/${_sluice_tool} but there is none")
    return()
  endif()
  if(NOT TARGET Sluice::${_sluice_tool})
    add_executable(Sluice::${_sluice_tool} IMPORTED GLOBAL)
    set_target_properties(Sluice::${_sluice_tool} PROPERTIES
      IMPORTED_LOCATION "${_sluice_prefix}/bin/${_sluice_tool}")
  endif()
endforeach()
# A program is made again when one of these has changed.
file(GLOB SLUICE_LINKED_FILES "${_sluice_prefix}/lib/sluice/*")
include("${CMAKE_CURRENT_LIST_DIR}/SluiceAddModel.cmake")
