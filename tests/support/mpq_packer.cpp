#include "support/mpq_packer.hpp"
#include "bytes/text.hpp"

#include "formats/archives/mpq/crypt.hpp"

#include <bzlib.h>
#include <libdeflate.h>
#include <lzma.h>
#include <algorithm>

namespace thaw::test {
namespace {

Bytes deflated(const Bytes& bytes) {
  libdeflate_compressor* compressor = libdeflate_alloc_compressor(6);
  Bytes out(libdeflate_zlib_compress_bound(compressor, bytes.size()));
  out.resize(libdeflate_zlib_compress(compressor, bytes.data(), bytes.size(), out.data(), out.size()));
  libdeflate_free_compressor(compressor);
  return out;
}

Bytes bzipped(Bytes bytes) {
  Bytes out(bytes.size() + bytes.size() / 10 + 700);
  auto size = static_cast<unsigned>(out.size());
  BZ2_bzBuffToBuffCompress(reinterpret_cast<char*>(out.data()), &size, reinterpret_cast<char*>(bytes.data()),
                           static_cast<unsigned>(bytes.size()), 9, 0, 0);
  out.resize(size);
  return out;
}

/// A filter byte, then an .lzma file.
Bytes lzma_packed(const Bytes& bytes) {
  lzma_options_lzma options{};
  lzma_lzma_preset(&options, 6);
  lzma_stream stream = LZMA_STREAM_INIT;
  if (lzma_alone_encoder(&stream, &options) != LZMA_OK) {
    return {};
  }
  Bytes out(bytes.size() * 2 + 1000);
  stream.next_in = bytes.data();
  stream.avail_in = bytes.size();
  stream.next_out = out.data() + 1;
  stream.avail_out = out.size() - 1;
  out[0] = 0;
  const bool complete = lzma_code(&stream, LZMA_FINISH) == LZMA_STREAM_END;
  out.resize(complete ? 1 + stream.total_out : 0);
  lzma_end(&stream);
  return out;
}

/// Bits from the lowest on.
class BitWriter {
 public:
  explicit BitWriter(Bytes& out) : out_(out) {}
  void put(std::uint32_t value, unsigned count) {
    for (unsigned i = 0; i < count; ++i) {
      if (at_ % 8 == 0) {
        out_.push_back(0);
      }
      out_.back() = static_cast<std::uint8_t>(out_.back() | ((value >> i) & 1U) << (at_ % 8));
      ++at_;
    }
  }

 private:
  Bytes& out_;
  unsigned at_ = 0;
};

/// Literals, and of runs of one byte a copy of the byte before, where they are of some length.
Bytes imploded(const Bytes& bytes) {
  Bytes out = {0, 4};
  BitWriter bits(out);
  std::size_t at = 0;
  while (at < bytes.size()) {
    std::size_t run = 0;
    while (at > 0 && at + run < bytes.size() && bytes[at + run] == bytes[at - 1] && run < 263) {
      ++run;
    }
    if (run >= 136) {
      // Length symbol 14, 136 and 7 bits more: code 0000001 inverted, as all codes come.
      bits.put(1, 1);
      bits.put(0x40, 7);
      bits.put(static_cast<std::uint32_t>(run - 136), 7);
      bits.put(3, 2);  // distance symbol 0
      bits.put(0, 4);
      at += run;
    } else {
      bits.put(0, 1);
      bits.put(bytes[at++], 8);
    }
  }
  bits.put(1, 1);
  bits.put(0, 7);  // length symbol 15
  bits.put(0xFF, 8);
  return out;
}

Bytes sparse(const Bytes& bytes) {
  Bytes out;
  for (unsigned shift = 32; shift > 0; shift -= 8) {
    out.push_back(static_cast<std::uint8_t>(bytes.size() >> (shift - 8)));
  }
  std::size_t at = 0;
  while (at < bytes.size()) {
    std::size_t zeros = 0;
    while (at + zeros < bytes.size() && bytes[at + zeros] == 0 && zeros < 130) {
      ++zeros;
    }
    if (zeros >= 3) {
      out.push_back(static_cast<std::uint8_t>(zeros - 3));
      at += zeros;
      continue;
    }
    const std::size_t count = std::min<std::size_t>(bytes.size() - at, 10);
    out.push_back(static_cast<std::uint8_t>(0x80U | (count - 1)));
    out.insert(out.end(), bytes.begin() + static_cast<std::ptrdiff_t>(at),
               bytes.begin() + static_cast<std::ptrdiff_t>(at + count));
    at += count;
  }
  return out;
}

Bytes with_mask(std::uint8_t mask, Bytes bytes) {
  bytes.insert(bytes.begin(), mask);
  return bytes;
}

Bytes packed_run(const Bytes& bytes, MpqPacking packing) {
  switch (packing) {
    case MpqPacking::zlib:
      return with_mask(0x02, deflated(bytes));
    case MpqPacking::zlib_wrong_sum:
    case MpqPacking::zlib_no_sum: {
      Bytes packed = with_mask(0x02, deflated(bytes));
      packed.back() ^= 1U;
      packed.resize(packed.size() - (packing == MpqPacking::zlib_no_sum ? 4 : 0));
      return packed;
    }
    case MpqPacking::bzip2:
      return with_mask(0x10, bzipped(bytes));
    case MpqPacking::lzma:
      return with_mask(0x12, lzma_packed(bytes));
    case MpqPacking::pkware:
      return with_mask(0x08, imploded(bytes));
    case MpqPacking::sparse:
      return with_mask(0x20, sparse(bytes));
    case MpqPacking::sparse_zlib:
      return with_mask(0x22, deflated(sparse(bytes)));
    case MpqPacking::implode:
      return imploded(bytes);
    default:
      return bytes;
  }
}

std::vector<Bytes> sectors_of(const PackedFile& file, std::size_t sector) {
  const Bytes content = to_bytes(file.content);
  const std::size_t size = (file.flags & mpq::kSingleUnit) != 0 ? content.size() : sector;
  std::vector<Bytes> sectors;
  for (std::size_t at = 0; at < content.size(); at += size) {
    const std::size_t end = std::min(content.size(), at + size);
    const Bytes run(content.begin() + static_cast<std::ptrdiff_t>(at),
                    content.begin() + static_cast<std::ptrdiff_t>(end));
    Bytes packed = packed_run(run, file.packing);
    sectors.push_back(packed.size() < run.size() ? packed : run);
  }
  return sectors;
}

/// The Adler-32 that begins with 0.
Bytes checksums(const std::vector<Bytes>& sectors) {
  Bytes sums(sectors.size() * 4);
  for (std::size_t i = 0; i < sectors.size(); ++i) {
    put_u32(sums, i * 4, libdeflate_adler32(0, sectors[i].data(), sectors[i].size()));
  }
  return sums;
}

Bytes stored_file(const PackedFile& file, std::uint32_t flags, std::size_t sector, std::uint32_t key) {
  auto sectors = sectors_of(file, sector);
  const std::size_t count = sectors.size();
  if ((flags & mpq::kSectorChecksums) != 0) {
    sectors.push_back(checksums(sectors));
  }
  const bool table = (flags & (mpq::kCompressed | mpq::kImploded)) != 0 && (flags & mpq::kSingleUnit) == 0;
  Bytes bytes(table ? (sectors.size() + 1) * 4 : 0);
  auto at = static_cast<std::uint32_t>(bytes.size());
  for (std::size_t i = 0; table && i <= sectors.size(); ++i) {
    put_u32(bytes, i * 4, at);
    at += i < sectors.size() ? static_cast<std::uint32_t>(sectors[i].size()) : 0;
  }
  const bool encrypted = (flags & mpq::kEncrypted) != 0;
  if (encrypted) {
    encrypt(bytes.data(), bytes.size(), key - 1);
  }
  for (std::size_t i = 0; i < sectors.size(); ++i) {
    if (encrypted && i < count) {
      encrypt(sectors[i].data(), sectors[i].size(), key + static_cast<std::uint32_t>(i));
    }
    bytes.insert(bytes.end(), sectors[i].begin(), sectors[i].end());
  }
  return bytes;
}

std::uint32_t flags_of(const PackedFile& file) {
  std::uint32_t flags = file.flags | mpq::kExists;
  if (file.packing == MpqPacking::implode) {
    flags |= mpq::kImploded;
  } else if (file.packing != MpqPacking::stored) {
    flags |= mpq::kCompressed;
  }
  return flags;
}

class Packer {
 public:
  explicit Packer(const PackOptions& options)
      : options_(options),
        start_(options.before.size()),
        hashes_(options.hash_count * 16, std::uint8_t{0xFF}) {
    bytes_ = to_bytes(options.before);
    bytes_.resize(start_ + header_size(), std::uint8_t{0});
  }

  void add(const PackedFile& file) {
    const auto offset = static_cast<std::uint32_t>(bytes_.size() - start_);
    const std::uint32_t flags = flags_of(file);
    const std::uint32_t key =
        mpq::file_key(file.name, offset, file.content.size(), (flags & mpq::kKeyAdjusted) != 0);
    const Bytes stored = stored_file(file, flags, std::size_t{512} << options_.sector_shift, key);
    bytes_.insert(bytes_.end(), stored.begin(), stored.end());
    const std::size_t block = blocks_.size() / 16;
    blocks_.resize(blocks_.size() + 16);
    put_u32(blocks_, block * 16, offset);
    put_u32(blocks_, block * 16 + 4, static_cast<std::uint32_t>(stored.size()));
    put_u32(blocks_, block * 16 + 8, static_cast<std::uint32_t>(file.content.size()));
    put_u32(blocks_, block * 16 + 12, flags);
    std::size_t slot = mpq::hash_name(file.name, 0) % options_.hash_count;
    while (get_u32(hashes_, slot * 16 + 12) != 0xFFFFFFFF) {
      slot = (slot + 1) % options_.hash_count;
    }
    put_u32(hashes_, slot * 16, mpq::hash_name(file.name, 1));
    put_u32(hashes_, slot * 16 + 4, mpq::hash_name(file.name, 2));
    put_u16(hashes_, slot * 16 + 8, file.locale);
    put_u16(hashes_, slot * 16 + 10, 0);
    put_u32(hashes_, slot * 16 + 12, file.deleted ? 0xFFFFFFFE : static_cast<std::uint32_t>(block));
  }

  Bytes finish() {
    const std::size_t blocks = blocks_.size() / 16;
    const std::size_t hash_at = bytes_.size() - start_;
    append(hashes_, mpq::hash_name("(hash table)", 3));
    const std::size_t block_at = bytes_.size() - start_;
    append(blocks_, mpq::hash_name("(block table)", 3));
    std::copy_n("MPQ\x1A", 4, bytes_.begin() + static_cast<std::ptrdiff_t>(start_));
    put_u32(bytes_, start_ + 4, static_cast<std::uint32_t>(header_size()));
    put_u16(bytes_, start_ + 12, options_.version);
    put_u16(bytes_, start_ + 14, static_cast<std::uint16_t>(options_.sector_shift));
    put_u32(bytes_, start_ + 16, static_cast<std::uint32_t>(hash_at));
    put_u32(bytes_, start_ + 20, static_cast<std::uint32_t>(block_at));
    put_u32(bytes_, start_ + 24, options_.hash_count);
    put_u32(bytes_, start_ + 28, static_cast<std::uint32_t>(blocks));
    if (options_.high_blocks) {
      put_u32(bytes_, start_ + 32, static_cast<std::uint32_t>(bytes_.size() - start_));
      bytes_.resize(bytes_.size() + blocks * 2, std::uint8_t{0});
    }
    put_u32(bytes_, start_ + 8, static_cast<std::uint32_t>(bytes_.size() - start_));
    return std::move(bytes_);
  }

 private:
  [[nodiscard]] std::size_t header_size() const {
    constexpr std::array<std::size_t, 4> kSizes = {32, 44, 68, 208};
    return kSizes.at(options_.version);
  }

  void append(Bytes table, std::uint32_t key) {
    encrypt(table.data(), table.size(), key);
    bytes_.insert(bytes_.end(), table.begin(), table.end());
  }

  const PackOptions& options_;
  std::size_t start_;
  Bytes bytes_;
  Bytes hashes_;
  Bytes blocks_;
};

}  // namespace

Bytes pack_mpq(std::vector<PackedFile> files, const PackOptions& options) {
  if (options.listfile) {
    std::string names;
    for (const auto& file : files) {
      names += file.listed ? file.name + "\r\n" : "";
    }
    files.push_back({"(listfile)", names, MpqPacking::zlib, mpq::kEncrypted | mpq::kKeyAdjusted});
  }
  Packer packer(options);
  for (const auto& file : files) {
    packer.add(file);
  }
  return packer.finish();
}

void put_u16(Bytes& bytes, std::size_t at, std::uint16_t value) {
  bytes.at(at) = static_cast<std::uint8_t>(value);
  bytes.at(at + 1) = static_cast<std::uint8_t>(value >> 8U);
}

void put_u32(Bytes& bytes, std::size_t at, std::uint32_t value) {
  put_u16(bytes, at, static_cast<std::uint16_t>(value));
  put_u16(bytes, at + 2, static_cast<std::uint16_t>(value >> 16U));
}

std::uint32_t get_u32(const Bytes& bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 4; i-- > 0;) {
    value = value << 8U | bytes.at(at + i);
  }
  return value;
}

std::string map_prefix(const std::string& name) {
  std::string prefix = "HM3W";
  prefix.append(4, '\0');
  prefix += name;
  prefix.resize(512, '\0');
  return prefix;
}

void encrypt(std::uint8_t* bytes, std::size_t size, std::uint32_t key) {
  std::uint32_t sum = mpq::kCipherSeed;
  for (std::size_t at = 0; at + 4 <= size; at += 4) {
    std::uint32_t clear = 0;
    for (std::size_t i = 4; i-- > 0;) {
      clear = clear << 8U | bytes[at + i];
    }
    sum += mpq::cipher_word(key);
    const std::uint32_t word = clear ^ (key + sum);
    key = ((~key << 21U) + 0x11111111U) | (key >> 11U);
    sum = clear + sum + (sum << 5U) + 3;
    for (unsigned i = 0; i < 4; ++i) {
      bytes[at + i] = static_cast<std::uint8_t>(word >> (8 * i));
    }
  }
}

}  // namespace thaw::test
