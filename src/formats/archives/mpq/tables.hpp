// The two tables of an archive, as they are written.
#pragma once

#include "formats/archives/mpq/pack_file.hpp"

namespace thaw::mpq {

inline constexpr std::uint32_t kFreePlace = 0xFFFFFFFF;    ///< was never used
inline constexpr std::uint32_t kDeletedSlot = 0xFFFFFFFE;  ///< its file is gone
inline constexpr std::uint32_t kIndexMask = 0x0FFFFFFF;    ///< what the games use of block indices and counts

/// A place of the hash table.
struct HashSlot {
  std::uint32_t first = kFreePlace;
  std::uint32_t second = kFreePlace;
  std::uint16_t locale = 0xFFFF;
  std::uint16_t platform = 0xFFFF;
  std::uint32_t block = kFreePlace;
  std::uint32_t unread_bits = 0;  ///< of the index, above kIndexMask: they stay

  [[nodiscard]] bool used() const { return block < kDeletedSlot; }
  [[nodiscard]] std::uint64_t hash() const { return std::uint64_t{first} << 32U | second; }
};

/// A record of the block table. `offset` counts from the archive's header.
struct Block {
  std::uint64_t offset = 0;
  std::uint32_t packed_size = 0;
  std::uint32_t size = 0;
  std::uint32_t flags = 0;
  // Of (attributes).
  std::uint32_t crc32 = 0;
  std::uint64_t file_time = 0;
  Md5 md5{};
  bool patch = false;
};

/// What (attributes) holds for every block.
struct AttributeKinds {
  static constexpr std::uint32_t kCrc32 = 1;
  static constexpr std::uint32_t kTimes = 2;
  static constexpr std::uint32_t kMd5 = 4;
  static constexpr std::uint32_t kPatchBits = 8;
};

struct Tables {
  std::vector<HashSlot> places;  ///< a power of two
  std::vector<Block> blocks;

  /// Reads both from their bytes in clear.
  static std::vector<HashSlot> read_places(ByteView bytes);
  static std::vector<Block> read_blocks(ByteView bytes, ByteView high);

  /// The place of the neutral file of a name, or that of any language; none if it is not there.
  [[nodiscard]] std::optional<std::size_t> find(std::string_view name) const;
  /// Gives a name that is not there a place, or says that the table is full.
  [[nodiscard]] bool insert(std::string_view name, std::uint32_t block);
  /// A block that no place refers to and that holds nothing, else a new one.
  std::uint32_t free_block();

  /// As they stand in the file.
  [[nodiscard]] Bytes hash_bytes() const;
  [[nodiscard]] Bytes block_bytes() const;
  /// The upper halves of the blocks' offsets.
  [[nodiscard]] Bytes high_bytes() const;
  /// (attributes) with the kinds of values that `kinds` says.
  [[nodiscard]] Bytes attributes(std::uint32_t kinds) const;
  /// Takes the values in; false if the bytes do not fit the blocks.
  [[nodiscard]] bool take_attributes(ByteView bytes, std::uint32_t& kinds);
};

}  // namespace thaw::mpq
