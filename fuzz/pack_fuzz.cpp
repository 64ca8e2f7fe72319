// Packs: whatever opens is listed and unpacked, in sizes as stated, or says why not.
#include <thaw/archive.hpp>

#include "require.hpp"

namespace {

using namespace thaw;

void unpack_all(const Archive& archive) {
  constexpr std::size_t kMost = 64;
  std::size_t count = 0;
  for (const auto& entry : archive.entries()) {
    if (++count > kMost) {
      return;
    }
    Diagnostics findings;
    if (const auto file = archive.unpack(entry, findings)) {
      fuzz::require(file->bytes.size() == entry.size);
    }
    if (const auto part = archive.unpack(entry, findings, 1)) {
      fuzz::require(part->bytes.size() <= entry.size);
    }
    fuzz::require(!display_name(entry, ".bin").empty());
    fuzz::require(entry.name.empty() || archive.find(entry.name).has_value());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto storage = memory_storage(Bytes(data, data + size));
  Diagnostics findings;
  if (const auto archive = pack::open_pack1(storage, {}, findings)) {
    unpack_all(**archive);
  }
  if (const auto archive = pack::open_pack2(storage, {}, findings)) {
    unpack_all(**archive);
  }
  (void)pack::is_pack1({data, size});
  return 0;
}
