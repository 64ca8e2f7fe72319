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
# g++ 12 warns of paths that cannot be taken, once it has inlined standard containers: those are off.
set(_thaw_warnings_gnu
  -Wlogical-op -Wduplicated-cond -Wdouble-promotion -Wno-restrict -Wno-stringop-overflow)
if(THAW_BATCHES)
  # The more it inlines, the more; and it takes included sources for headers.
  list(APPEND _thaw_warnings_gnu -Wno-array-bounds -Wno-maybe-uninitialized -Wno-subobject-linkage)
endif()
set(_thaw_warnings_clang
  -Wcomma -Wheader-hygiene -Wloop-analysis -Wnewline-eof -Wunreachable-code -Wshadow-all -Wno-shadow-uncaptured-local)

# What fuzzers are made of is compiled with every such build, but counts edges only where THAW_COVERAGE_GUIDED asks for it.
set(THAW_FUZZERS OFF)
if(THAW_SANITIZE MATCHES "address" AND CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  set(THAW_FUZZERS ON)
endif()

# Of releases; tests/scripts/hardened.py reads what has become of it. A program at any address, its tables fixed before it
# runs, a watched stack, bounds where the compiler knows them, and jumps only to where something may be jumped to.
set(_thaw_hardening)
set(_thaw_hardening_link)
if(THAW_HARDENED AND WIN32)
  set(_thaw_hardening -fstack-protector-strong -D_FORTIFY_SOURCE=2)
  set(_thaw_hardening_link -fstack-protector-strong)
elseif(THAW_HARDENED)
  set(_thaw_hardening -fstack-protector-strong -fstack-clash-protection -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3
    -D_GLIBCXX_ASSERTIONS "-ffile-prefix-map=${PROJECT_SOURCE_DIR}=.")
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    list(APPEND _thaw_hardening -fcf-protection=full)
  endif()
  set(_thaw_hardening_library_link -Wl,-z,relro,-z,now,-z,noexecstack)
  set(_thaw_hardening_link -pie ${_thaw_hardening_library_link})
endif()

# thaw_compile(<target>): language level, warnings and sanitizers of one of our own targets.
function(thaw_compile target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
  if(CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang")
    # Contracted multiply-adds round differently; the same input must give the same bytes everywhere.
    target_compile_options(${target} PRIVATE -ffp-contract=off)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      # Its garbage collector takes a tenth of the time, and saves a fifth of the memory; from 1 GB on it collects.
      target_compile_options(${target} PRIVATE "SHELL:--param ggc-min-heapsize=1048576")
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
      # null and object-size: what AddressSanitizer finds as well. vptr: nothing here casts down a class hierarchy.
      # Together they take a fifth of the time to compile. So do alignment, which -Wcast-align finds, and pointer-overflow,
      # after which AddressSanitizer finds the access: they stay where fuzzers look for inputs.
      $<$<BOOL:${THAW_FUZZERS}>:-fno-sanitize=null,vptr,object-size>
      $<$<AND:$<BOOL:${THAW_FUZZERS}>,$<NOT:$<BOOL:${THAW_COVERAGE_GUIDED}>>>:-fno-sanitize=alignment,pointer-overflow>
      $<$<CXX_COMPILER_ID:Clang>:-fsanitize-ignorelist=${PROJECT_SOURCE_DIR}/cmake/sanitize-ignore.txt>)
    thaw_sanitize_link(${target})
  endif()
endfunction()

# thaw_harden(<target>): what is released, which is compiled with optimisation.
function(thaw_harden target)
  if(THAW_HARDENED)
    target_compile_options(${target} PRIVATE ${_thaw_hardening})
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
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

# thaw_batch(<target>): sources of one folder are compiled eight at a time, which takes half as long: most of the time
# is spent on what they include, and on what they make of it. Names that a file keeps to itself are therefore unlike
# those of its neighbours. Sources with options of their own stay alone; so does what takes long by itself.
function(thaw_batch target)
  if(NOT THAW_BATCHES)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" OUTPUT_VARIABLE name)
    cmake_path(GET name PARENT_PATH folder)
    string(MAKE_C_IDENTIFIER "${folder}" folder)
    math(EXPR batch "${count_${folder}} + 0")
    math(EXPR count_${folder} "${batch} + 1")
    math(EXPR batch "${batch} / 8 + 1")
    set_source_files_properties("${source}" PROPERTIES UNITY_GROUP "${folder}_${batch}")
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()
