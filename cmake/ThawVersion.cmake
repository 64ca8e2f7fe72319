# thaw/version.hpp and its source. The revision stands in a source, so that a commit recompiles one file.

set(THAW_REVISION "")
find_package(Git QUIET)
if(Git_FOUND AND EXISTS "${PROJECT_SOURCE_DIR}/.git")
  execute_process(
    COMMAND "${GIT_EXECUTABLE}" rev-parse --short=12 HEAD
    WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}"
    OUTPUT_VARIABLE THAW_REVISION OUTPUT_STRIP_TRAILING_WHITESPACE
    RESULT_VARIABLE _thaw_git_result ERROR_QUIET)
  if(NOT _thaw_git_result EQUAL 0) # a repository without a commit
    set(THAW_REVISION "")
  endif()
  # The log of HEAD grows with every commit and checkout.
  if(EXISTS "${PROJECT_SOURCE_DIR}/.git/logs/HEAD")
    set_property(DIRECTORY "${PROJECT_SOURCE_DIR}" APPEND PROPERTY
      CMAKE_CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/.git/logs/HEAD")
  endif()
endif()

set(THAW_GENERATED_DIR "${PROJECT_BINARY_DIR}/generated")
configure_file(cmake/version.hpp.in "${THAW_GENERATED_DIR}/thaw/version.hpp" @ONLY)
configure_file(cmake/version.cpp.in "${THAW_GENERATED_DIR}/version.cpp" @ONLY)

# The constants of thaw/codes.hpp, of which src/describe/diagnostics.cpp makes its list.
set(THAW_CODES_HEADER "${PROJECT_SOURCE_DIR}/include/thaw/codes.hpp")
set_property(DIRECTORY "${PROJECT_SOURCE_DIR}" APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${THAW_CODES_HEADER}")
file(READ "${THAW_CODES_HEADER}" THAW_CODES)
string(REGEX MATCHALL "\ninline constexpr Code k[A-Za-z0-9]+" THAW_CODES "${THAW_CODES}")
list(TRANSFORM THAW_CODES REPLACE ".* " "")
list(JOIN THAW_CODES ",\n" THAW_CODES)
file(CONFIGURE OUTPUT "${THAW_GENERATED_DIR}/codes.inc" CONTENT "${THAW_CODES}\n")
