#include <thaw/archive.hpp>

#include "formats/list.hpp"

namespace thaw::mpq {
namespace {

Evidence recognise(ByteView bytes) {
  using namespace std::string_view_literals;
  for (const std::string_view magic : {"MPQ\x1A"sv, "MPQ\x1B"sv, "HM3W"sv}) {
    if (begins_with(bytes, magic)) {
      return Evidence::magic;
    }
  }
  return Evidence::none;
}

void report(ByteView bytes, Identity& identity) {
  if (bytes[0] == 'H') {
    identity.name = "Warcraft III map (MPQ archive)";
  }
}

Result<std::shared_ptr<const thaw::Archive>> open_any(std::shared_ptr<const Storage> storage,
                                                      const ArchiveOptions& options,
                                                      Diagnostics& diagnostics) {
  return Archive::open(std::move(storage), options, diagnostics).map([](Archive&& archive) {
    return as_archive(std::make_shared<const Archive>(std::move(archive)));
  });
}

}  // namespace

const FormatDescriptor kFormat = {
    .id = "mpq",
    .name = "MPQ archive or Warcraft III map",
    .extensions = ".mpq .w3x .w3m .w3n",
    .explanation =
        "this is an archive (MPQ). List its files with `thaw ls`, process them with -r, or name one as "
        "ARCHIVE//NAME",
    .strongest = Evidence::magic,
    .recognise = recognise,
    .report = report,
    .open_archive = open_any,
};

}  // namespace thaw::mpq
