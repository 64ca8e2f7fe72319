# What thaw needs of others: the system's libraries, or those that scripts/libraries compiled for another machine
# (THAW_LIBRARIES), under the same names.

if(NOT THAW_LIBRARIES)
  find_package(tl-expected REQUIRED)
  find_package(Threads REQUIRED)
  find_package(JPEG REQUIRED)
  find_package(BZip2 REQUIRED)
  find_package(LibLZMA REQUIRED)
  find_package(PkgConfig REQUIRED)
  # The names of these targets stand in thawConfig.cmake too.
  pkg_check_modules(thaw_libdeflate REQUIRED IMPORTED_TARGET libdeflate)
  pkg_check_modules(thaw_spng REQUIRED IMPORTED_TARGET spng)
  pkg_check_modules(thaw_libwebp REQUIRED IMPORTED_TARGET libwebp)
  # Optional, and the archive: with the shared library every start of the command takes half as long again.
  find_library(THAW_DRACO libdraco.a)
  if(THAW_DRACO)
    add_library(thaw_draco INTERFACE IMPORTED GLOBAL)
    target_link_libraries(thaw_draco INTERFACE "${THAW_DRACO}")
  endif()
  find_path(THAW_RAPIDJSON_INCLUDE rapidjson/reader.h REQUIRED)
  find_path(THAW_STB_INCLUDE stb/stb_dxt.h REQUIRED)
  if(THAW_CLI)
    find_package(CLI11 REQUIRED)
  endif()
  return()
endif()

if(NOT EXISTS "${THAW_LIBRARIES}/complete")
  message(FATAL_ERROR "no libraries in ${THAW_LIBRARIES}; scripts/libraries makes them")
endif()

function(thaw_library target)
  add_library(${target} INTERFACE IMPORTED GLOBAL)
  target_include_directories(${target} SYSTEM INTERFACE "${THAW_LIBRARIES}/include")
  list(TRANSFORM ARGN REPLACE "(.+)" "${THAW_LIBRARIES}/lib/lib\\1.a" OUTPUT_VARIABLE archives)
  target_link_libraries(${target} INTERFACE ${archives})
endfunction()

thaw_library(tl::expected)
thaw_library(JPEG::JPEG jpeg)
thaw_library(BZip2::BZip2 bz2)
thaw_library(LibLZMA::LibLZMA lzma)
thaw_library(PkgConfig::thaw_libdeflate deflate)
thaw_library(PkgConfig::thaw_spng spng z)
thaw_library(CLI11::CLI11)
if(WIN32) # else their headers ask for a DLL
  set_target_properties(PkgConfig::thaw_spng PROPERTIES INTERFACE_COMPILE_DEFINITIONS SPNG_STATIC)
  set_target_properties(LibLZMA::LibLZMA PROPERTIES INTERFACE_COMPILE_DEFINITIONS LZMA_API_STATIC)
endif()
if(EMSCRIPTEN)
  thaw_library(Threads::Threads) # a page has one
  thaw_library(PkgConfig::thaw_libwebp) # and none of this
else()
  thaw_library(PkgConfig::thaw_libwebp webp)
  find_package(Threads REQUIRED)
endif()
set(THAW_RAPIDJSON_INCLUDE "${THAW_LIBRARIES}/include")
set(THAW_STB_INCLUDE "${THAW_LIBRARIES}/include")
