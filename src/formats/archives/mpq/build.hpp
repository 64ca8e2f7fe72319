// Steps shared by new archives and changed ones: files come in one after another, then the lists, then
// the tables.
#pragma once

#include "formats/archives/mpq/tables.hpp"

namespace thaw::mpq {

/// The bytes of an archive's header, version 1 or 2.
struct HeaderFields {
  unsigned version = 1;
  std::uint16_t sector_shift = 3;
  std::uint64_t archive_size = 0;
  std::uint64_t hash_offset = 0;
  std::uint64_t block_offset = 0;
  std::uint64_t high_offset = 0;
  std::uint32_t hash_count = 0;
  std::uint32_t block_count = 0;

  [[nodiscard]] Bytes write() const;
};

inline constexpr std::size_t kHeaderSize1 = 32;
inline constexpr std::size_t kHeaderSize2 = 44;

/// Puts files after what the sink has, and the tables after them.
class Builder {
 public:
  /// `begin` is where the archive's header stands.
  Builder(Sink& out, std::uint64_t begin, unsigned version, std::uint32_t sector_size)
      : out_(out), begin_(begin), version_(version), sector_size_(sector_size) {}

  /// Stores a file; its record of the block table.
  Result<Block> store(ByteView content, const Packing& packing);
  /// Writes the tables; says where they are.
  Result<HeaderFields> finish(const Tables& tables, std::uint16_t sector_shift);

 private:
  /// Where the next byte comes, from the header on.
  [[nodiscard]] std::uint64_t here() const { return out_.size() - begin_; }
  [[nodiscard]] bool fits(std::uint64_t size) const;

  Sink& out_;
  std::uint64_t begin_;
  unsigned version_;
  std::uint32_t sector_size_;
};

/// write.failed; who owns the sink knows why.
tl::unexpected<Error> sink_failed();

/// With `\`; archive.name for what no archive can hold.
Result<std::string> archive_name(std::string_view name, CodePage page);

}  // namespace thaw::mpq
