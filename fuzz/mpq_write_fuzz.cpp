// MPQ, changed: an archive is refused, or all files that are not touched are as they were, and what was added
// reads back.
#include <thaw/archive.hpp>

#include <algorithm>

#include "require.hpp"

namespace {

using namespace thaw;
using fuzz::require;

constexpr std::string_view kName = "war3mapImported\\new.mdx";

Bytes new_content(ByteView seed) {
  Bytes content(seed.begin(),
                seed.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(seed.size(), 9000)));
  content.push_back('!');
  return content;
}

bool is_list(const mpq::Entry& entry) {
  const auto is = [&](std::string_view name) { return entry.hash == mpq::entry_hash(name); };
  return is("(listfile)") || is("(attributes)") || is("(signature)") || is("war3map.imp") ||
         is("war3campaign.imp") || is(kName) || is("war3mapImported\\new.mdx.md5");
}

void compare(const mpq::Archive& before, const mpq::Archive& after, std::uint64_t removed) {
  for (const auto& entry : before.entries()) {
    if (is_list(entry) || entry.hash == removed) {
      continue;
    }
    const auto same =
        std::find_if(after.entries().begin(), after.entries().end(), [&](const mpq::Entry& other) {
          return other.hash == entry.hash && other.locale == entry.locale && other.block == entry.block;
        });
    require(same != after.entries().end(), "every file is still there");
    mpq::Entry named = *same;
    named.name = entry.name;
    const auto old = before.unpack(entry);
    const auto now = after.unpack(named);
    // An entry beyond the end of the archive may lie within it once the archive is longer.
    require(!old || now.has_value(), "what unpacked still does");
    require(!old || old->bytes == now->bytes, "no byte of it changed");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto storage = memory_storage(Bytes(data, data + size));
  const auto before = mpq::Archive::open(storage);
  const Bytes content = new_content({data, size});
  mpq::Changes changes;
  changes.add.push_back({std::string(kName), [&]() -> Result<Bytes> { return content; }});
  std::uint64_t removed = 0;
  if (before && size % 2 == 0 && !before->entries().empty()) {
    removed = before->entries()[size / 2 % before->entries().size()].hash;
    changes.remove.push_back(removed);
  }
  MemorySink out;
  const auto edited = mpq::edit(storage, changes, {}, out);
  if (!edited) {
    return 0;
  }
  require(before.has_value(), "only what opens is changed");
  const auto after = mpq::Archive::open(memory_storage(out.bytes()));
  require(after.has_value(), "what was written opens");
  const auto added = after->find(kName);
  require(added.has_value(), "the new file is found");
  const auto unpacked = after->unpack(*added);
  require(unpacked && unpacked->bytes == content, "the new file reads back");
  compare(*before, *after, removed);
  return 0;
}
