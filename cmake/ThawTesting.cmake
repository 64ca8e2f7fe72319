# What tests/, fuzz/ and samples/ share.

# Where tests find things. The same names are environment variables of script tests.
if(THAW_CORPUS)
  set(THAW_CORPUS_DIR "${THAW_CORPUS}")
else()
  cmake_path(ABSOLUTE_PATH PROJECT_SOURCE_DIR NORMALIZE OUTPUT_VARIABLE THAW_CORPUS_DIR)
  cmake_path(APPEND THAW_CORPUS_DIR "../shared/corpus")
  cmake_path(NORMAL_PATH THAW_CORPUS_DIR)
endif()
# A sanitised build tests with the samples of the release, which are the same bytes.
set(THAW_SAMPLES "" CACHE PATH "Sample files of another build; none are made here")
set(THAW_SAMPLES_DIR "${THAW_SAMPLES}")
if(NOT THAW_SAMPLES_DIR)
  set(THAW_SAMPLES_DIR "${PROJECT_BINARY_DIR}/sample-files")
endif()
set(THAW_BINARY "${PROJECT_BINARY_DIR}/thaw")

# thaw_script_test(NAME <name> COMMAND <command>... [LABELS <label>...] [TIMEOUT <seconds>] [SANITIZED]
#                  [WITHOUT_COMMAND] [OF_BUILD])
#
# Registers one script (run from the source root) as one test. Exit code 77 means skipped. Its environment:
# THAW (the command), THAW_SAMPLES, THAW_CORPUS (the directory may be absent), THAW_ROOT, THAW_BUILD.
# In a sanitised build only scripts marked SANITIZED are registered, in one without the command only those marked
# WITHOUT_COMMAND. Scripts marked OF_BUILD look at the build and not only at what the command makes: its time and memory,
# the files that it opens, packages of it. They have the label build, as those WITHOUT_COMMAND have.
# What may take longest begins first, so that nothing long is left alone at the end. Scripts that look at real files have the
# label corpus.
function(thaw_script_test)
  cmake_parse_arguments(PARSE_ARGV 0 arg "SANITIZED;WITHOUT_COMMAND;OF_BUILD" "NAME;TIMEOUT" "COMMAND;LABELS")
  if((THAW_SANITIZE AND NOT arg_SANITIZED) OR NOT (TARGET thaw_cli OR arg_WITHOUT_COMMAND))
    return()
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 300)
  endif()
  if(arg_OF_BUILD OR arg_WITHOUT_COMMAND)
    list(APPEND arg_LABELS build)
  endif()
  foreach(word IN LISTS arg_COMMAND)
    if(EXISTS "${PROJECT_SOURCE_DIR}/${word}" AND NOT IS_DIRECTORY "${PROJECT_SOURCE_DIR}/${word}")
      file(STRINGS "${PROJECT_SOURCE_DIR}/${word}" mentions REGEX "CORPUS" LIMIT_COUNT 1)
      if(mentions)
        list(APPEND arg_LABELS corpus)
      endif()
    endif()
  endforeach()
  # A THAW_CORPUS in the caller's environment goes before the configured one, as in the C++ tests.
  add_test(NAME ${arg_NAME} WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}"
    COMMAND bash -c "export THAW_CORPUS=\"\${THAW_CORPUS:-${THAW_CORPUS_DIR}}\"; exec \"$@\"" script ${arg_COMMAND})
  set_tests_properties(${arg_NAME} PROPERTIES
    ENVIRONMENT "THAW=${THAW_BINARY};THAW_SAMPLES=${THAW_SAMPLES_DIR};THAW_ROOT=${PROJECT_SOURCE_DIR};THAW_BUILD=${PROJECT_BINARY_DIR}"
    LABELS "script;${arg_LABELS}" SKIP_RETURN_CODE 77 TIMEOUT ${arg_TIMEOUT} COST ${arg_TIMEOUT})
endfunction()
