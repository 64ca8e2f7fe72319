#include "formats/archives/mpq/tables.hpp"

#include "describe/description.hpp"
#include "formats/archives/mpq/crypt.hpp"

#include <algorithm>

namespace thaw::mpq {
namespace {

constexpr std::size_t kRecordSize = 16;
constexpr std::uint32_t kAttributesVersion = 100;

/// Reads numbers one after another, from bytes that are known to be there.
class Numbers {
 public:
  explicit Numbers(ByteView bytes) : bytes_(bytes) {}

  template <class T>
  T next() {
    const T value = load_plain<T>(&bytes_[at_]);
    at_ += sizeof(T);
    return value;
  }
  Md5 next_md5() {
    Md5 digest{};
    std::copy_n(bytes_.begin() + static_cast<std::ptrdiff_t>(at_), digest.size(), digest.begin());
    at_ += digest.size();
    return digest;
  }
  [[nodiscard]] std::uint8_t byte(std::size_t index) const { return bytes_[at_ + index]; }

 private:
  ByteView bytes_;
  std::size_t at_ = 0;
};

std::size_t attributes_size(std::uint32_t kinds, std::size_t blocks) {
  const auto has = [&](std::uint32_t kind) { return (kinds & kind) != 0; };
  return 8 +
         blocks * ((has(AttributeKinds::kCrc32) ? 4U : 0U) + (has(AttributeKinds::kTimes) ? 8U : 0U) +
                   (has(AttributeKinds::kMd5) ? 16U : 0U)) +
         (has(AttributeKinds::kPatchBits) ? (blocks + 7) / 8 : 0);
}

}  // namespace

std::vector<HashSlot> Tables::read_places(ByteView bytes) {
  std::vector<HashSlot> places(bytes.size() / kRecordSize);
  Numbers numbers(bytes);
  for (auto& place : places) {
    place.first = numbers.next<std::uint32_t>();
    place.second = numbers.next<std::uint32_t>();
    place.locale = numbers.next<std::uint16_t>();
    place.platform = numbers.next<std::uint16_t>();
    place.block = numbers.next<std::uint32_t>();
    if (place.used()) {
      place.unread_bits = place.block & ~kIndexMask;
      place.block &= kIndexMask;
    }
  }
  return places;
}

std::vector<Block> Tables::read_blocks(ByteView bytes, ByteView high) {
  std::vector<Block> blocks(bytes.size() / kRecordSize);
  Numbers numbers(bytes);
  Numbers upper(high);
  for (auto& block : blocks) {
    block.offset = numbers.next<std::uint32_t>();
    block.packed_size = numbers.next<std::uint32_t>();
    block.size = numbers.next<std::uint32_t>();
    block.flags = numbers.next<std::uint32_t>();
    block.offset |= high.empty() ? 0 : std::uint64_t{upper.next<std::uint16_t>()} << 32U;
  }
  return blocks;
}

std::optional<std::size_t> Tables::find(std::string_view name) const {
  const std::uint64_t hash = entry_hash(name);
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const std::size_t at = (hash_name(name, 0) + i) & (places.size() - 1);
    if (places[at].block == kFreePlace) {
      break;
    }
    if (places[at].used() && places[at].hash() == hash && (!found || places[at].locale == 0)) {
      found = at;
      if (places[at].locale == 0) {
        break;
      }
    }
  }
  return found;
}

bool Tables::insert(std::string_view name, std::uint32_t block) {
  for (std::size_t i = 0; i < places.size(); ++i) {
    auto& place = places[(hash_name(name, 0) + i) & (places.size() - 1)];
    if (!place.used()) {
      place = {hash_name(name, 1), hash_name(name, 2), 0, 0, block};
      return true;
    }
  }
  return false;
}

std::uint32_t Tables::free_block() {
  std::vector<bool> in_use(blocks.size());
  for (const auto& place : places) {
    if (place.used() && place.block < in_use.size()) {
      in_use[place.block] = true;
    }
  }
  for (std::uint32_t i = 0; i < blocks.size(); ++i) {
    if (!in_use[i] && blocks[i].flags == 0) {
      return i;
    }
  }
  blocks.emplace_back();
  return static_cast<std::uint32_t>(blocks.size() - 1);
}

Bytes Tables::hash_bytes() const {
  Bytes bytes;
  bytes.reserve(places.size() * kRecordSize);
  for (const auto& place : places) {
    append_u32(bytes, place.first);
    append_u32(bytes, place.second);
    append_u16(bytes, place.locale);
    append_u16(bytes, place.platform);
    append_u32(bytes, place.block | place.unread_bits);
  }
  encipher(bytes, hash_name("(hash table)", 3));
  return bytes;
}

Bytes Tables::block_bytes() const {
  Bytes bytes;
  bytes.reserve(blocks.size() * kRecordSize);
  for (const auto& block : blocks) {
    append_u32(bytes, static_cast<std::uint32_t>(block.offset));
    append_u32(bytes, block.packed_size);
    append_u32(bytes, block.size);
    append_u32(bytes, block.flags);
  }
  encipher(bytes, hash_name("(block table)", 3));
  return bytes;
}

Bytes Tables::high_bytes() const {
  Bytes bytes;
  for (const auto& block : blocks) {
    append_u16(bytes, static_cast<std::uint16_t>(block.offset >> 32U));
  }
  return bytes;
}

Bytes Tables::attributes(std::uint32_t kinds) const {
  Bytes bytes;
  append_u32(bytes, kAttributesVersion);
  append_u32(bytes, kinds);
  const auto each = [&](std::uint32_t kind, const auto& put) {
    if ((kinds & kind) != 0) {
      std::for_each(blocks.begin(), blocks.end(), put);
    }
  };
  each(AttributeKinds::kCrc32, [&](const Block& block) { append_u32(bytes, block.crc32); });
  each(AttributeKinds::kTimes, [&](const Block& block) { append_u64(bytes, block.file_time); });
  each(AttributeKinds::kMd5,
       [&](const Block& block) { bytes.insert(bytes.end(), block.md5.begin(), block.md5.end()); });
  const std::size_t bits = bytes.size();
  bytes.resize(attributes_size(kinds, blocks.size()), 0);
  for (std::size_t i = 0; i < blocks.size() && (kinds & AttributeKinds::kPatchBits) != 0; ++i) {
    bytes[bits + i / 8] =
        static_cast<std::uint8_t>(bytes[bits + i / 8] | (blocks[i].patch ? 0x80U >> i % 8 : 0));
  }
  return bytes;
}

bool Tables::take_attributes(ByteView bytes, std::uint32_t& kinds) {
  constexpr std::uint32_t kKnownKinds = 15;
  if (bytes.size() < 8 || load_plain<std::uint32_t>(bytes.data()) != kAttributesVersion) {
    return false;
  }
  kinds = load_plain<std::uint32_t>(&bytes[4]);
  // Some writers leave out the last block, which is that of the file itself.
  std::size_t count = blocks.size();
  if (count > 0 && attributes_size(kinds, count) != bytes.size()) {
    --count;
  }
  if ((kinds & ~kKnownKinds) != 0 || attributes_size(kinds, count) != bytes.size()) {
    return false;
  }
  Numbers numbers(bytes.subspan(8));
  const auto each = [&](std::uint32_t kind, const auto& take) {
    for (std::size_t i = 0; i < count && (kinds & kind) != 0; ++i) {
      take(blocks[i]);
    }
  };
  each(AttributeKinds::kCrc32, [&](Block& block) { block.crc32 = numbers.next<std::uint32_t>(); });
  each(AttributeKinds::kTimes, [&](Block& block) { block.file_time = numbers.next<std::uint64_t>(); });
  each(AttributeKinds::kMd5, [&](Block& block) { block.md5 = numbers.next_md5(); });
  for (std::size_t i = 0; i < count && (kinds & AttributeKinds::kPatchBits) != 0; ++i) {
    blocks[i].patch = (numbers.byte(i / 8) & (0x80U >> i % 8)) != 0;
  }
  return true;
}

}  // namespace thaw::mpq
