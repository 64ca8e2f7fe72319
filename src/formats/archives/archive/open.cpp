#include <thaw/archive.hpp>
#include <thaw/mpq.hpp>
#include <thaw/pack.hpp>

#include "document/limits.hpp"

namespace thaw {
namespace {

Result<std::shared_ptr<const Archive>> open_any(std::shared_ptr<const Storage> storage,
                                                const ArchiveOptions& options, Diagnostics& diagnostics) {
  constexpr std::uint64_t kLook = 65536;
  Bytes start(static_cast<std::size_t>(std::min(kLook, storage->size())), 0);
  if (storage->read(0, start)) {
    if (pack::is_pack2(start)) {
      return pack::open_pack2(std::move(storage), options, diagnostics);
    }
    if (pack::is_pack1(start)) {
      return pack::open_pack1(std::move(storage), options, diagnostics);
    }
  }
  return mpq::Archive::open(std::move(storage), options, diagnostics).map([](mpq::Archive&& archive) {
    return as_archive(std::make_shared<const mpq::Archive>(std::move(archive)));
  });
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
