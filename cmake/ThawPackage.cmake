# What belongs to the command beside it: manual page, completions, what desktops want to know; and packages of all of it.

if(TARGET thaw_cli AND NOT CMAKE_CROSSCOMPILING)
  set(manual "${PROJECT_BINARY_DIR}/manual")
  set(pages)
  # thaw_print_page(<file> <argument>...): what the command prints.
  function(thaw_print_page file)
    add_custom_command(OUTPUT "${manual}/${file}"
      COMMAND "${CMAKE_COMMAND}" -E make_directory "${manual}"
      COMMAND thaw_cli ${ARGN} > "${manual}/${file}"
      DEPENDS thaw_cli VERBATIM)
    list(APPEND pages "${manual}/${file}")
    set(pages "${pages}" PARENT_SCOPE)
  endfunction()
  thaw_print_page(thaw.1 help manual)
  thaw_print_page(thaw completion bash)
  thaw_print_page(_thaw completion zsh)
  thaw_print_page(thaw.fish completion fish)
  add_custom_target(thaw_manual ALL DEPENDS ${pages})
  install(FILES "${manual}/thaw.1" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")
  install(FILES "${manual}/thaw" DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions")
  install(FILES "${manual}/_thaw" DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions")
  install(FILES "${manual}/thaw.fish" DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d")
  install(FILES "${PROJECT_SOURCE_DIR}/packaging/thaw.xml" DESTINATION "${CMAKE_INSTALL_DATADIR}/mime/packages")
  # --isolate is refused where src/cli/platform/posix/sandbox.cpp knows no system calls.
  file(READ "${PROJECT_SOURCE_DIR}/packaging/thaw.thumbnailer" thumbnailer)
  if(NOT CMAKE_SYSTEM_NAME STREQUAL Linux OR NOT CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|aarch64|riscv64)$")
    string(REPLACE " --isolate" "" thumbnailer "${thumbnailer}")
  endif()
  file(WRITE "${PROJECT_BINARY_DIR}/thaw.thumbnailer" "${thumbnailer}")
  install(FILES "${PROJECT_BINARY_DIR}/thaw.thumbnailer"
    DESTINATION "${CMAKE_INSTALL_DATADIR}/thumbnailers")
  install(FILES "${PROJECT_SOURCE_DIR}/packaging/thaw.magic"
    DESTINATION "${CMAKE_INSTALL_DATADIR}/thaw" RENAME magic)
  # What scripts/generate has made, if it has.
  install(DIRECTORY "${PROJECT_BINARY_DIR}/reference/patterns" DESTINATION "${CMAKE_INSTALL_DATADIR}/thaw" OPTIONAL)
  install(DIRECTORY "${PROJECT_BINARY_DIR}/reference/" DESTINATION "${CMAKE_INSTALL_DOCDIR}/reference" OPTIONAL
    PATTERN "patterns" EXCLUDE)
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME thaw)
set(CPACK_PACKAGE_VENDOR thaw)
set(CPACK_PACKAGE_CONTACT "The thaw authors <authors@thaw.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGE_DESCRIPTION "thaw reads models, animations, textures, maps and archives of Warcraft III, World of Warcraft
(Alpha 0.5.3 and M3) and Forgelight whole, keeps every byte, says what is wrong with
them, turns them into glTF, PNG and pictures, and writes them back.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION graphics)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# What a program needs that is built against the library.
set(CPACK_DEBIAN_PACKAGE_SUGGESTS
  "libexpected-dev, libjpeg62-turbo-dev, libdeflate-dev, libspng-dev, libwebp-dev, libdraco-dev, libbz2-dev, liblzma-dev, pkg-config, xdg-utils")
include(CPack)
