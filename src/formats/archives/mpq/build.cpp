#include "formats/archives/mpq/build.hpp"

#include <thaw/codes.hpp>

#include "bytes/code_page.hpp"
#include "bytes/escape.hpp"

#include <algorithm>

namespace thaw::mpq {

Bytes HeaderFields::write() const {
  constexpr unsigned kHigh = 32;
  const bool second = version >= 2;
  Bytes bytes;
  append_u32(bytes, 0x1A51504D);
  append_u32(bytes, static_cast<std::uint32_t>(second ? kHeaderSize2 : kHeaderSize1));
  append_u32(bytes, static_cast<std::uint32_t>(archive_size));
  append_u16(bytes, second ? 1 : 0);
  append_u16(bytes, sector_shift);
  append_u32(bytes, static_cast<std::uint32_t>(hash_offset));
  append_u32(bytes, static_cast<std::uint32_t>(block_offset));
  append_u32(bytes, hash_count);
  append_u32(bytes, block_count);
  if (second) {
    append_u64(bytes, high_offset);
    append_u16(bytes, static_cast<std::uint16_t>(hash_offset >> kHigh));
    append_u16(bytes, static_cast<std::uint16_t>(block_offset >> kHigh));
  }
  return bytes;
}

bool Builder::fits(std::uint64_t size) const {
  constexpr std::uint64_t kFirst = 0xFFFFFFFF;
  constexpr std::uint64_t kSecond = 0xFFFFFFFFFFFF;
  return here() + size <= (version_ >= 2 ? kSecond : kFirst);
}

Result<Block> Builder::store(ByteView content, const Packing& packing) {
  auto packed = pack_file(content, packing, sector_size_);
  if (!packed) {
    return tl::unexpected<Error>(std::move(packed.error()));
  }
  const ByteView stored = packed->packed ? ByteView(*packed->packed) : content;
  if (!fits(stored.size())) {
    return fail(codes::kArchiveFull,
                "the archive would exceed 4 GiB, the limit of version 1; --archive-version 2 allows more");
  }
  Block block;
  block.offset = here();
  block.packed_size = static_cast<std::uint32_t>(stored.size());
  block.size = packed->size;
  block.flags = packed->flags;
  block.crc32 = packed->crc32;
  block.md5 = packed->md5;
  if (!out_.append(stored)) {
    return sink_failed();
  }
  return block;
}

Result<HeaderFields> Builder::finish(const Tables& tables, std::uint16_t sector_shift) {
  const Bytes hashes = tables.hash_bytes();
  const Bytes blocks = tables.block_bytes();
  const Bytes high = tables.high_bytes();
  const bool needs_high = std::any_of(high.begin(), high.end(), [](std::uint8_t byte) { return byte != 0; });
  if (!fits(hashes.size() + blocks.size() + (needs_high ? high.size() : 0))) {
    return fail(codes::kArchiveFull,
                "the archive would exceed 4 GiB, the limit of version 1; --archive-version 2 allows more");
  }
  HeaderFields fields;
  fields.version = version_;
  fields.sector_shift = sector_shift;
  fields.hash_count = static_cast<std::uint32_t>(tables.places.size());
  fields.block_count = static_cast<std::uint32_t>(tables.blocks.size());
  fields.hash_offset = here();
  fields.block_offset = fields.hash_offset + hashes.size();
  bool good = out_.append(hashes) && out_.append(blocks);
  if (needs_high) {
    fields.high_offset = here();
    good = good && out_.append(high);
  }
  if (!good) {
    return sink_failed();
  }
  fields.archive_size = here();
  return fields;
}

tl::unexpected<Error> sink_failed() { return fail(codes::kWriteFailed, "cannot write the output"); }

Result<std::string> archive_name(std::string_view name, CodePage page) {
  constexpr std::size_t kLongest = 259;  // what the games and other tools have room for
  auto encoded = from_utf8(name, page);
  if (!encoded && page > CodePage::utf8 && is_utf8(name)) {
    return fail(codes::kArchiveName, shown(name) + " has characters that " +
                                         std::string(code_page_word(page)) +
                                         " lacks; set another encoding with --encoding-of-names");
  }
  std::string result = encoded ? std::move(*encoded) : std::string(name);
  std::replace(result.begin(), result.end(), '/', '\\');
  const bool control =
      std::any_of(result.begin(), result.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; });
  const bool listable = result.find(';') == std::string::npos;
  if (result.empty() || result.size() > kLongest || control || !listable || result.front() == '\\' ||
      result.back() == '\\') {
    return fail(codes::kArchiveName,
                result.empty()
                    ? "an empty name is not valid in an archive"
                    : shown(name) + (result.size() > kLongest ? ": names are limited to 259 bytes"
                                     : !listable              ? ": names must not contain ;"
                                     : control                ? ": names must not contain control characters"
                                               : ": names must not begin or end with a separator"));
  }
  return result;
}

}  // namespace thaw::mpq
