#include "formats/archives/mpq/pack_file.hpp"

#include <thaw/codes.hpp>

#include "bytes/deflate.hpp"

namespace thaw::mpq {
namespace {

constexpr int kLevel = 9;
constexpr std::uint8_t kZlibByte = 0x02;

class Deflater {
 public:
  /// The byte that states the method, then zlib's stream; the content itself if that is no larger.
  Bytes operator()(ByteView content) {
    Bytes packed(content.size());
    const std::size_t room = content.empty() ? 0 : content.size() - 1;
    const std::size_t got = room < 2 ? 0
                                     : libdeflate_zlib_compress(compressor_.get(), content.data(),
                                                                content.size(), packed.data() + 1, room - 1);
    if (got == 0) {
      std::copy(content.begin(), content.end(), packed.begin());
      return packed;
    }
    packed[0] = kZlibByte;
    packed.resize(got + 1);
    return packed;
  }

 private:
  decltype(make_compressor(kLevel)) compressor_ = make_compressor(kLevel);
};

template <class T>
void append_number(Bytes& bytes, T value) {
  for (unsigned byte = 0; byte < sizeof(T); ++byte) {
    bytes.push_back(static_cast<std::uint8_t>(value >> (8 * byte)));
  }
}

void put_u32(Bytes& bytes, std::size_t at, std::uint64_t value) {
  for (unsigned byte = 0; byte < 4; ++byte) {
    bytes[at + byte] = static_cast<std::uint8_t>(value >> (8 * byte));
  }
}

/// The table of places, the sectors, and perhaps their checksums as a sector of their own.
Bytes packed_sectors(ByteView content, const Packing& packing, std::uint32_t sector_size) {
  const std::size_t count = (content.size() + sector_size - 1) / sector_size;
  const std::size_t places = count + 1 + (packing.checksums ? 1 : 0);
  Bytes bytes(places * 4, 0);
  Bytes sums;
  Deflater deflate;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t at = i * sector_size;
    const Bytes sector =
        deflate(content.subspan(at, std::min<std::size_t>(sector_size, content.size() - at)));
    put_u32(bytes, i * 4, bytes.size());
    append_u32(sums, libdeflate_adler32(0, sector.data(), sector.size()));
    bytes.insert(bytes.end(), sector.begin(), sector.end());
  }
  put_u32(bytes, count * 4, bytes.size());
  if (packing.checksums) {
    const Bytes packed = deflate(sums);
    bytes.insert(bytes.end(), packed.begin(), packed.end());
    put_u32(bytes, (count + 1) * 4, bytes.size());
  }
  return bytes;
}

}  // namespace

void append_u16(Bytes& bytes, std::uint16_t value) { append_number(bytes, value); }
void append_u32(Bytes& bytes, std::uint32_t value) { append_number(bytes, value); }
void append_u64(Bytes& bytes, std::uint64_t value) { append_number(bytes, value); }

Result<PackedFile> pack_file(ByteView content, const Packing& packing, std::uint32_t sector_size) {
  constexpr std::uint64_t kMost = 0xFFFF0000;  // sectors that do not become smaller need their table, too
  if (content.size() > kMost) {
    return fail(codes::kArchiveFull, "the file has " + std::to_string(content.size()) +
                                         " bytes; the limit in MPQ archives is " + std::to_string(kMost));
  }
  PackedFile file;
  file.size = static_cast<std::uint32_t>(content.size());
  file.flags = kExists;
  file.crc32 = libdeflate_crc32(0, content.data(), content.size());
  file.md5 = md5(content);
  if (content.empty()) {
    return file;
  }
  const std::uint32_t unit = packing.single_unit ? kSingleUnit : 0;
  if (packing.compress) {
    Bytes packed = packing.single_unit ? Deflater()(content) : packed_sectors(content, packing, sector_size);
    const bool sums = packing.checksums && !packing.single_unit;
    if (packed.size() < content.size() || (sums && packed.size() <= kMost)) {
      file.packed = std::move(packed);
      file.flags |= kCompressed | unit | (sums ? kSectorChecksums : 0);
      return file;
    }
  }
  file.flags |= unit;
  return file;
}

}  // namespace thaw::mpq
