// MPQ: whatever opens is listed and unpacked, in sizes as stated, or says why not.
#include <thaw/archive.hpp>

#include <cstdlib>

namespace {

using namespace thaw;

void require(bool holds) {
  if (!holds) {
    std::abort();
  }
}

void unpack_all(const mpq::Archive& archive) {
  constexpr std::size_t kMost = 64;
  std::size_t count = 0;
  for (const auto& entry : archive.entries()) {
    if (++count > kMost) {
      break;
    }
    Diagnostics findings;
    if (const auto unpacked = archive.unpack(entry, findings)) {
      require(unpacked->bytes.size() == entry.size);
    }
    if (const auto part = archive.unpack(entry, findings, 1)) {
      require(part->bytes.size() <= entry.size);
    }
    require(!mpq::display_name(entry, ".bin").empty());
    require(entry.name.empty() || archive.find(entry.name).has_value());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Diagnostics findings;
  const auto archive = mpq::Archive::open(mpq::memory_storage(Bytes(data, data + size)), {}, findings);
  if (archive) {
    unpack_all(*archive);
    static_cast<void>(archive->find_single("World/wmo/a.wmo"));
  }
  return 0;
}
