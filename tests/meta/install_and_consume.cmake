# Installs the build into an empty folder, builds the project in consumer/ against it and runs it.
# cmake -D SOURCE=.. -D BUILD=.. -D Kokkos_DIR=.. -D CXX=.. -P install_and_consume.cmake
set(work "${BUILD}/tests/install")
file(REMOVE_RECURSE "${work}")

function(must_run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${ARGN}\n${output}")
  endif()
endfunction()

must_run(${CMAKE_COMMAND} --install "${BUILD}" --prefix "${work}/prefix")
must_run(${CMAKE_COMMAND} -S "${SOURCE}" -B "${work}/build" -G Ninja -D CMAKE_CXX_COMPILER=${CXX}
  -D CMAKE_PREFIX_PATH=${work}/prefix -D Kokkos_DIR=${Kokkos_DIR})
must_run(${CMAKE_COMMAND} --build "${work}/build")
must_run("${work}/build/consumer")
must_run("${work}/prefix/bin/craton" --version)
