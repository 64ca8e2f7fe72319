#include <thaw/casc.hpp>

#include <thaw/codes.hpp>

#include "bytes/text.hpp"
#include "formats/list.hpp"

namespace thaw::casc {

/// The file by which an installation is known; the archive is the folder around it.
const FormatDescriptor kFormat = {
    .id = "casc",
    .name = "installation of a game (CASC)",
    .extensions = ".build.info",
    .explanation =
        "this file lists the products of a game's installation (CASC). List its files with `thaw ls FOLDER`; "
        "name one as FOLDER//NAME",
    .strongest = Evidence::magic,
    .recognise =
        [](ByteView bytes) {
          const std::string_view text = as_text(bytes);
          const std::string_view line = text.substr(0, text.find('\n'));
          return if_found(line.substr(0, line.find('!')) == "Branch" &&
                              line.find("|Build Key!") != std::string_view::npos,
                          Evidence::magic);
        },
    // NOLINTNEXTLINE(performance-unnecessary-value-param): as all formats have it
    .open_archive = [](std::shared_ptr<const thaw::Storage> /*storage*/, const ArchiveOptions& /*options*/,
                       Diagnostics& /*diagnostics*/) -> Result<std::shared_ptr<const Archive>> {
      return fail(codes::kCascInstallation,
                  "this file contains no data; name its folder, which is the installation");
    },
};

}  // namespace thaw::casc
