# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# sluice_add_model(NAME GRAPH [FEEDS t…] [FETCHES t…] [RUN n…] [SIGNATURES file]
#                  [CONFIG file] [LIBRARY [CLASS name] | DEVICES n | CLUSTER file] [FLAGS f…])
#
# Compiles a graph when the project is built, and again when the graph, a file in the folder of a
# SavedModel, the file of signatures, the file of the cluster or Sluice itself has changed.
#
# For one device NAME is an executable: $<TARGET_FILE:NAME>, add_test(COMMAND NAME …) and
# install(PROGRAMS …) know it as any other. With DEVICES or CLUSTER NAME is a target whose property
# SLUICE_MANIFEST is the file to start with Sluice::sluice-run.
#
# With LIBRARY NAME is a shared library and NAME-static a static one, for target_link_libraries: they
# bring the folder of NAME.h and NAME.hpp along. CLASS is what the class of NAME.hpp is called.
function(sluice_add_model name graph)
  cmake_parse_arguments(PARSE_ARGV 2 ARG "LIBRARY" "SIGNATURES;CONFIG;CLASS;DEVICES;CLUSTER"
    "FEEDS;FETCHES;RUN;FLAGS")
  if(ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "sluice_add_model(${name}): unknown arguments '${ARG_UNPARSED_ARGUMENTS}'")
  endif()
  if(ARG_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR
      "sluice_add_model(${name}): expected a value after ${ARG_KEYWORDS_MISSING_VALUES}")
  endif()
  if(DEFINED ARG_DEVICES AND DEFINED ARG_CLUSTER)
    message(FATAL_ERROR "sluice_add_model(${name}): DEVICES excludes CLUSTER")
  endif()
  if(ARG_LIBRARY AND (DEFINED ARG_DEVICES OR DEFINED ARG_CLUSTER))
    message(FATAL_ERROR "sluice_add_model(${name}): LIBRARY excludes DEVICES and CLUSTER")
  endif()
  if(DEFINED ARG_CLASS AND NOT ARG_LIBRARY)
    message(FATAL_ERROR "sluice_add_model(${name}): CLASS needs LIBRARY")
  endif()
  get_filename_component(graph "${graph}" ABSOLUTE)
  set(inputs "${graph}")
  if(IS_DIRECTORY "${graph}") # a SavedModel; whose own time tells nothing of the files in it
    file(GLOB_RECURSE inputs LIST_DIRECTORIES false CONFIGURE_DEPENDS "${graph}/*")
  endif()
  set(flags "")
  foreach(tensor IN LISTS ARG_FEEDS)
    list(APPEND flags --feed "${tensor}")
  endforeach()
  foreach(tensor IN LISTS ARG_FETCHES)
    list(APPEND flags --fetch "${tensor}")
  endforeach()
  foreach(node IN LISTS ARG_RUN)
    list(APPEND flags --run "${node}")
  endforeach()
  foreach(kind SIGNATURES CONFIG CLUSTER)
    if(DEFINED ARG_${kind})
      string(TOLOWER ${kind} flag)
      get_filename_component(file "${ARG_${kind}}" ABSOLUTE)
      list(APPEND flags --${flag} "${file}")
      list(APPEND inputs "${file}")
    endif()
  endforeach()
  if(DEFINED ARG_DEVICES)
    list(APPEND flags --devices "${ARG_DEVICES}")
  endif()
  if(ARG_LIBRARY)
    list(APPEND flags --emit=lib)
  endif()
  if(DEFINED ARG_CLASS)
    list(APPEND flags --cpp-class "${ARG_CLASS}")
  endif()
  list(APPEND flags ${ARG_FLAGS})

  set(output "${CMAKE_CURRENT_BINARY_DIR}/${name}")
  set(made "${output}")
  if(DEFINED ARG_DEVICES OR DEFINED ARG_CLUSTER)
    set(output "${CMAKE_CURRENT_BINARY_DIR}/${name}.ranks")
    set(made "${output}/manifest.json") # written last
  elseif(ARG_LIBRARY)
    set(folder "${CMAKE_CURRENT_BINARY_DIR}/${name}.library")
    file(MAKE_DIRECTORY "${folder}")
    set(output "${folder}/${name}")
    set(made "${folder}/lib${name}.so" "${folder}/lib${name}.a" "${output}.h" "${output}.hpp")
  endif()
  # CMake would take a file that is called like a target for that target, hence the stamp.
  set(stamp "${CMAKE_CURRENT_BINARY_DIR}/${name}.stamp")
  add_custom_command(OUTPUT "${stamp}" BYPRODUCTS ${made}
    COMMAND Sluice::sluicec "${graph}" ${flags} -o "${output}"
    COMMAND "${CMAKE_COMMAND}" -E touch "${stamp}"
    DEPENDS ${inputs} Sluice::sluicec ${SLUICE_LINKED_FILES}
    COMMENT "Compiling model ${name}" VERBATIM)
  if(ARG_LIBRARY)
    add_custom_target(${name}-model ALL DEPENDS "${stamp}")
    add_library(${name} SHARED IMPORTED GLOBAL)
    set_target_properties(${name} PROPERTIES IMPORTED_LOCATION "${folder}/lib${name}.so"
      IMPORTED_SONAME "lib${name}.so" INTERFACE_INCLUDE_DIRECTORIES "${folder}")
    add_library(${name}-static STATIC IMPORTED GLOBAL)
    set_target_properties(${name}-static PROPERTIES IMPORTED_LOCATION "${folder}/lib${name}.a"
      INTERFACE_INCLUDE_DIRECTORIES "${folder}" INTERFACE_LINK_LIBRARIES "m;pthread;dl")
    add_dependencies(${name} ${name}-model)
    add_dependencies(${name}-static ${name}-model)
    return()
  endif()
  if(NOT made STREQUAL output)
    add_custom_target(${name} ALL DEPENDS "${stamp}")
    set_target_properties(${name} PROPERTIES SLUICE_MANIFEST "${made}")
    return()
  endif()
  add_custom_target(${name}-model ALL DEPENDS "${stamp}")
  add_executable(${name} IMPORTED GLOBAL)
  set_target_properties(${name} PROPERTIES IMPORTED_LOCATION "${made}")
  add_dependencies(${name} ${name}-model)
endfunction()
