// One file as an archive stores it, and numbers as they are written.
#pragma once

#include <thaw/archive.hpp>

#include "bytes/hash.hpp"

#include <optional>

namespace thaw::mpq {

/// Numbers in little-endian order, at the end of `bytes`.
void append_u16(Bytes& bytes, std::uint16_t value);
void append_u32(Bytes& bytes, std::uint32_t value);
void append_u64(Bytes& bytes, std::uint64_t value);

/// A file's block without its place.
struct PackedFile {
  std::optional<Bytes> packed;  ///< none where the content is stored as it is
  std::uint32_t size = 0;
  std::uint32_t flags = 0;
  std::uint32_t crc32 = 0;
  Md5 md5{};
};

/// In sectors or as a single unit, in clear; stored where packing makes it no smaller (mpq.md#files). The
/// error is archive.full for what has no place in 32 bits.
Result<PackedFile> pack_file(ByteView content, const Packing& packing, std::uint32_t sector_size);

}  // namespace thaw::mpq
