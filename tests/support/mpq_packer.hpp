// Archives put together file by file, sound ones and others.
#pragma once

#include <thaw/archive.hpp>

#include <string>
#include <vector>

namespace thaw::test {

enum class MpqPacking : std::uint8_t {
  stored,
  zlib,
  bzip2,
  lzma,
  pkware,
  implode,
  sparse,
  sparse_zlib,
  zlib_wrong_sum,
  zlib_no_sum
};

struct PackedFile {
  std::string name;
  std::string content;
  MpqPacking packing = MpqPacking::zlib;
  std::uint32_t flags = 0;  ///< of mpq::kEncrypted, kKeyAdjusted, kSingleUnit, kSectorChecksums
  std::uint16_t locale = 0;
  bool listed = true;
  bool deleted = false;  ///< its place in the hash table only
};

struct PackOptions {
  std::string before;  ///< stands in the file before the archive
  bool listfile = true;
  unsigned sector_shift = 3;
  std::uint16_t version = 0;  ///< as the header states it
  std::uint32_t hash_count = 64;
  bool high_blocks = false;  ///< a table of upper offsets, for version 1 and above
};

/// The whole file.
Bytes pack_mpq(std::vector<PackedFile> files, const PackOptions& options = {});

void put_u16(Bytes& bytes, std::size_t at, std::uint16_t value);
void put_u32(Bytes& bytes, std::size_t at, std::uint32_t value);
std::uint32_t get_u32(const Bytes& bytes, std::size_t at);

/// An HM3W header of 512 bytes.
std::string map_prefix(const std::string& name);

/// Words of a table, ciphered.
void encrypt(std::uint8_t* bytes, std::size_t size, std::uint32_t key);

}  // namespace thaw::test
