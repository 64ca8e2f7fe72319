#include <thaw/archive.hpp>

#include "describe/limits.hpp"
#include "formats/forgelight/mrn/archive.hpp"
#include "formats/list.hpp"

namespace thaw {
namespace {

Result<std::shared_ptr<const Archive>> open_any(std::shared_ptr<const Storage> storage,
                                                const ArchiveOptions& options, Diagnostics& diagnostics) {
  constexpr std::uint64_t kLook = 65536;
  Bytes start(static_cast<std::size_t>(std::min(kLook, storage->size())), 0);
  if (storage->read(0, start)) {
    if (const FormatDescriptor* format = most_like(kArchiveFormats, start)) {
      return format->open_archive(std::move(storage), options, diagnostics);
    }
  }
  if (mrn::holds_clips(start)) {
    return mrn::open_clips(*storage, options, diagnostics);
  }
  // Of these the header may lie anywhere.
  return mpq::kFormat.open_archive(std::move(storage), options, diagnostics);
}

}  // namespace

Result<std::shared_ptr<const Archive>> open_archive(std::shared_ptr<const Storage> storage,
                                                    const ArchiveOptions& options, Diagnostics& diagnostics) {
  Diagnostics found;
  auto archive = open_any(std::move(storage), options, found);
  return archive ? judged(std::move(*archive), found, {options.strict, options.limits}, diagnostics)
                 : archive;
}

}  // namespace thaw
