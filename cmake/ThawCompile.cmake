# How the project's own targets are compiled.

if(PROJECT_IS_TOP_LEVEL)
  if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
  endif()
  set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

  find_program(THAW_CCACHE ccache)
  if(THAW_CCACHE AND NOT EMSCRIPTEN AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    set(CMAKE_CXX_COMPILER_LAUNCHER "${THAW_CCACHE}")
    if(THAW_PRECOMPILE) # without these, nothing that uses a precompiled header is found again
      set(CMAKE_CXX_COMPILER_LAUNCHER
        "${CMAKE_COMMAND}" -E env CCACHE_SLOPPINESS=pch_defines,time_macros "${THAW_CCACHE}")
    endif()
  endif()

  find_program(THAW_MOLD mold)
  if(THAW_MOLD AND NOT CMAKE_CROSSCOMPILING AND CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang")
    add_link_options(-fuse-ld=mold)
  endif()
endif()

set(_thaw_warnings
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wold-style-cast -Wcast-align
  -Wnon-virtual-dtor -Woverloaded-virtual -Wimplicit-fallthrough -Wextra-semi)
# clang's -Wdouble-promotion objects to `double{a_float}`, which is how this code says that it is meant.
set(_thaw_warnings_gnu -Wlogical-op -Wduplicated-cond -Wdouble-promotion)
set(_thaw_warnings_clang
  -Wcomma -Wheader-hygiene -Wloop-analysis -Wnewline-eof -Wunreachable-code -Wshadow-all -Wno-shadow-uncaptured-local)

# The build with AddressSanitizer serves tests and fuzzers: the library counts its edges for libFuzzer.
set(THAW_COVERAGE_GUIDED OFF)
if(THAW_SANITIZE MATCHES "address" AND CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  set(THAW_COVERAGE_GUIDED ON)
endif()

# thaw_compile(<target>): language level, warnings and sanitizers of one of our own targets.
function(thaw_compile target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
  if(CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang")
    # Contracted multiply-adds round differently; the same input must give the same bytes everywhere.
    target_compile_options(${target} PRIVATE -ffp-contract=off)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      # From -O2 on g++ 12 makes `return {double(float(x)), double(float(y))};` of two doubles a plain return: its
      # vectoriser of straight code loses the rounding, on which the slopes of curves depend.
      target_compile_options(${target} PRIVATE -fno-tree-slp-vectorize)
    endif()
    if(THAW_WARNINGS)
      target_compile_options(${target} PRIVATE ${_thaw_warnings} -Werror
        $<$<CXX_COMPILER_ID:GNU>:${_thaw_warnings_gnu}> $<$<CXX_COMPILER_ID:Clang>:${_thaw_warnings_clang}>)
    endif()
  endif()
  if(THAW_SANITIZE)
    target_compile_options(${target} PRIVATE
      -fsanitize=${THAW_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer
      $<$<CXX_COMPILER_ID:Clang>:-fsanitize-ignorelist=${PROJECT_SOURCE_DIR}/cmake/sanitize-ignore.txt>)
    thaw_sanitize_link(${target})
  endif()
endfunction()

function(thaw_sanitize_link target)
  if(THAW_SANITIZE)
    target_link_options(${target} PRIVATE -fsanitize=${THAW_SANITIZE})
  endif()
endfunction()

# thaw_precompile(<target> <header>...): the headers of others that most of the target's sources include. The
# preset debug goes without, and so finds an include that is missing.
function(thaw_precompile target)
  if(NOT THAW_PRECOMPILE)
    return()
  endif()
  list(TRANSFORM ARGN REPLACE "(.+)" "<\\1>" OUTPUT_VARIABLE headers)
  target_precompile_headers(${target} PRIVATE "${PROJECT_SOURCE_DIR}/cmake/common_headers.hpp" ${headers})
  if(CMAKE_CXX_COMPILER_ID MATCHES "GNU")
    target_compile_options(${target} PRIVATE -fpch-preprocess)
  else()
    target_compile_options(${target} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
  endif()
endfunction()
