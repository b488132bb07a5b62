# Installation: the program, the libraries with their headers, and a package so that find_package(craton) gives
# craton::<folder> for each folder of src/.
include(CMakePackageConfigHelpers)

# Libraries and programs that are defined in a folder or below it.
function(craton_targets_below folder result)
  get_property(targets DIRECTORY "${folder}" PROPERTY BUILDSYSTEM_TARGETS)
  get_property(subfolders DIRECTORY "${folder}" PROPERTY SUBDIRECTORIES)
  foreach(subfolder IN LISTS subfolders)
    craton_targets_below("${subfolder}" below)
    list(APPEND targets ${below})
  endforeach()
  set(${result} ${targets} PARENT_SCOPE)
endfunction()

craton_targets_below("${PROJECT_SOURCE_DIR}/src" craton_targets)
set(craton_installed craton_options craton_hdf5)
foreach(target IN LISTS craton_targets)
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "EXECUTABLE")
    install(TARGETS ${target} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  elseif(type MATCHES "_LIBRARY$")
    list(APPEND craton_installed ${target})
    target_compile_features(${target} INTERFACE cxx_std_20)  # the headers need it in another project too
  endif()
endforeach()
foreach(target IN LISTS craton_installed)
  string(REGEX REPLACE "^craton_" "" short ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${short})
endforeach()

set(craton_package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/craton)
install(TARGETS ${craton_installed} EXPORT craton_targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT craton_targets NAMESPACE craton:: DESTINATION ${craton_package_folder} FILE cratonTargets.cmake)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/src/" DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/craton
  FILES_MATCHING PATTERN "*.hpp" PATTERN "*.def")
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/cratonConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/cmake/cratonConfig.cmake" INSTALL_DESTINATION ${craton_package_folder})
write_basic_package_version_file("${PROJECT_BINARY_DIR}/cmake/cratonConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/cmake/cratonConfig.cmake" "${PROJECT_BINARY_DIR}/cmake/cratonConfigVersion.cmake"
  DESTINATION ${craton_package_folder})

install(DIRECTORY "${PROJECT_SOURCE_DIR}/input" "${PROJECT_SOURCE_DIR}/slurm" DESTINATION ${CMAKE_INSTALL_DATADIR}/craton
  USE_SOURCE_PERMISSIONS PATTERN invalid EXCLUDE)
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION ${CMAKE_INSTALL_DATADIR}/craton)
