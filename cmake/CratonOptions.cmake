# Build options shared by every target, carried by the interface target craton_options.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

option(CRATON_WARNINGS_AS_ERRORS "Treat warnings as errors (the ci preset sets it)" OFF)
option(CRATON_TRAP_FPE "Trap invalid operations, divisions by zero and overflows at run time" OFF)
set(CRATON_SANITIZE "" CACHE STRING "Sanitizers for -fsanitize=, for example address,undefined")

add_library(craton_options INTERFACE)
target_compile_options(craton_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
  # A fused multiply-add that the compiler may or may not form would make the same expression give other bits in
  # a vector body and in its scalar rest, and so on another partition.
  -ffp-contract=off)
if(CRATON_WARNINGS_AS_ERRORS)
  target_compile_options(craton_options INTERFACE -Werror)
endif()
if(CRATON_SANITIZE)
  target_compile_options(craton_options INTERFACE -fsanitize=${CRATON_SANITIZE} -fno-omit-frame-pointer)
  target_link_options(craton_options INTERFACE -fsanitize=${CRATON_SANITIZE})
endif()
if(CRATON_TRAP_FPE)
  target_compile_definitions(craton_options INTERFACE CRATON_TRAP_FPE)
endif()

find_program(CRATON_CCACHE ccache)
if(CRATON_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CRATON_CCACHE}")
endif()
