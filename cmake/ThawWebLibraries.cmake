# The libraries of the page, as scripts/web-libraries made them, under the names that the packages of a system have.

set(THAW_WEB_PREFIX "${PROJECT_BINARY_DIR}/prefix" CACHE PATH "Where scripts/web-libraries put its libraries")
if(NOT EXISTS "${THAW_WEB_PREFIX}/complete")
  message(FATAL_ERROR "no libraries in ${THAW_WEB_PREFIX}; scripts/web makes them and builds the page")
endif()

function(thaw_web_library target)
  add_library(${target} INTERFACE IMPORTED)
  target_include_directories(${target} SYSTEM INTERFACE "${THAW_WEB_PREFIX}/include")
  list(TRANSFORM ARGN REPLACE "(.+)" "${THAW_WEB_PREFIX}/lib/lib\\1.a" OUTPUT_VARIABLE archives)
  target_link_libraries(${target} INTERFACE ${archives})
endfunction()

thaw_web_library(tl::expected)
thaw_web_library(JPEG::JPEG jpeg)
thaw_web_library(BZip2::BZip2 bz2)
thaw_web_library(LibLZMA::LibLZMA lzma)
thaw_web_library(PkgConfig::thaw_libdeflate deflate)
thaw_web_library(PkgConfig::thaw_spng spng z)
thaw_web_library(Threads::Threads) # a page has one
set(THAW_RAPIDJSON_INCLUDE "${THAW_WEB_PREFIX}/include")
set(THAW_STB_INCLUDE "${THAW_WEB_PREFIX}/include")
