#include "formats/archives/mpq/decompress.hpp"

#include <thaw/archive.hpp>

#include "bytes/deflate.hpp"
#include "formats/archives/mpq/explode.hpp"
#include "formats/archives/mpq/unpack_sound.hpp"

#include <bzlib.h>
#include <lzma.h>
#include <new>

namespace thaw::mpq {
namespace {

tl::unexpected<Error> broken(std::string why) { return fail(codes::kMpqData, std::move(why)); }

/// Room for output that grows as it is filled, so that it is never larger than twice what has come.
class Growing {
 public:
  explicit Growing(std::size_t most) : most_(most) {}

  /// Free room, at least one byte unless the limit is reached.
  std::span<std::uint8_t> room() {
    constexpr std::size_t kFirst = 65536;
    if (used_ == bytes_.size()) {
      bytes_.resize(std::min(most_, std::max(kFirst, bytes_.size() * 2)));
    }
    return std::span(bytes_).subspan(used_);
  }
  void filled(std::size_t count) { used_ += count; }
  [[nodiscard]] bool full() const { return used_ == most_; }
  Bytes take() {
    bytes_.resize(used_);
    return std::move(bytes_);
  }

 private:
  std::size_t most_;
  std::size_t used_ = 0;
  Bytes bytes_;
};

/// `partly`: the first `most` bytes are enough.
Result<Bytes> inflate(ByteView packed, std::size_t most, bool partly, bool& sum_wrong) {
  const auto decompressor = make_decompressor();
  // Output comes in order: when the room is full, at most one match or one stored block is missing at its
  // end.
  const std::size_t room = partly ? most + 65536 : most;
  Bytes out(
      static_cast<std::size_t>(std::min<std::uint64_t>(room, packed.size() * kHighestDeflateRatio + 1)));
  const Inflated inflated = inflate_zlib(decompressor.get(), packed, out);
  if (partly && inflated.result == LIBDEFLATE_INSUFFICIENT_SPACE) {
    out.resize(std::min(most, out.size()));
    return out;
  }
  if (inflated.result != LIBDEFLATE_SUCCESS) {
    return broken(inflated.result == LIBDEFLATE_INSUFFICIENT_SPACE ? "zlib data is longer than stated"
                                                                   : "damaged zlib data");
  }
  sum_wrong = sum_wrong || !inflated.sum_fits;
  out.resize(inflated.given);
  return out;
}

Result<Bytes> unpack_bzip2(ByteView packed, std::size_t most) {
  struct Stream : bz_stream {
    Stream() : bz_stream{} {}
    Stream(const Stream&) = delete;
    Stream(Stream&&) = delete;
    Stream& operator=(const Stream&) = delete;
    Stream& operator=(Stream&&) = delete;
    ~Stream() { BZ2_bzDecompressEnd(this); }
  } stream;
  if (BZ2_bzDecompressInit(&stream, 0, 0) != BZ_OK) {
    throw std::bad_alloc();
  }
  // bzlib takes input without const and does not write to it.
  auto* input = const_cast<std::uint8_t*>(packed.data());  // NOLINT(cppcoreguidelines-pro-type-const-cast)
  stream.next_in = reinterpret_cast<char*>(input);
  stream.avail_in = static_cast<unsigned>(packed.size());
  Growing out(most);
  while (!out.full()) {
    const auto room = out.room();
    stream.next_out = reinterpret_cast<char*>(room.data());
    stream.avail_out = static_cast<unsigned>(room.size());
    const int result = BZ2_bzDecompress(&stream);
    const std::size_t given = room.size() - stream.avail_out;
    out.filled(given);
    if (result == BZ_STREAM_END) {
      break;
    }
    if (result == BZ_MEM_ERROR) {
      throw std::bad_alloc();
    }
    if (result != BZ_OK || (given == 0 && stream.avail_in == 0)) {
      return broken("damaged bzip2 data");
    }
  }
  return out.take();
}

/// What an .lzma file would be: properties (5 bytes), size (8 bytes), data. In archives a filter byte, which
/// is always 0, stands before them; StormLib 9.22 left a byte of any value after the properties instead,
/// and could not read that.
Bytes as_lzma_file(ByteView packed, std::size_t most) {
  constexpr std::size_t kHeader = 14;
  constexpr std::ptrdiff_t kProperties = 5;
  constexpr std::size_t kHighestRatio = 16384;  // above what a chain of longest matches reaches
  constexpr std::uint8_t kUsualProperties = 0x5D;
  if (packed.size() < kHeader) {
    return {};
  }
  const bool misplaced = packed[0] == kUsualProperties;
  if (packed[0] != 0 && !misplaced) {
    return {};
  }
  Bytes file(packed.begin(), packed.end());
  file.erase(file.begin() + (misplaced ? kProperties : 0));
  // A dictionary larger than the output is never used, but it would be allocated.
  const std::size_t useful = std::min(most, packed.size() * kHighestRatio);
  std::uint32_t dictionary = 4096;
  while (dictionary < useful && dictionary < (std::uint32_t{1} << 28U)) {
    dictionary *= 2;
  }
  for (unsigned i = 0; i < 4; ++i) {
    file[1 + i] = static_cast<std::uint8_t>(dictionary >> (8 * i));
  }
  return file;
}

Result<Bytes> unpack_lzma(ByteView packed, std::size_t most) {
  constexpr std::uint64_t kMemory = std::uint64_t{1} << 30U;
  const Bytes file = as_lzma_file(packed, most);
  if (file.empty()) {
    return broken("invalid LZMA header");
  }
  struct Stream : lzma_stream {
    Stream() : lzma_stream(LZMA_STREAM_INIT) {}
    Stream(const Stream&) = delete;
    Stream(Stream&&) = delete;
    Stream& operator=(const Stream&) = delete;
    Stream& operator=(Stream&&) = delete;
    ~Stream() { lzma_end(this); }
  } stream;
  if (lzma_alone_decoder(&stream, kMemory) != LZMA_OK) {
    throw std::bad_alloc();
  }
  stream.next_in = file.data();
  stream.avail_in = file.size();
  Growing out(most);
  while (!out.full()) {
    const auto room = out.room();
    stream.next_out = room.data();
    stream.avail_out = room.size();
    const lzma_ret result = lzma_code(&stream, LZMA_RUN);
    out.filled(room.size() - stream.avail_out);
    if (result == LZMA_STREAM_END) {
      break;
    }
    if (result == LZMA_MEM_ERROR) {
      throw std::bad_alloc();
    }
    if (result != LZMA_OK) {
      return broken("damaged LZMA data");
    }
  }
  return out.take();
}

struct Method {
  std::uint16_t bit;
  Result<Bytes> (*unpack)(ByteView packed, std::size_t most);  ///< none for zlib, which has more to report
};

/// In the order of unpacking, where several were applied.
constexpr std::array kMethods = {Method{kBzip2, unpack_bzip2},
                                 Method{kPkware, explode},
                                 Method{kZlib, nullptr},
                                 Method{kHuffman, unpack_huffman},
                                 Method{kAdpcmStereo, unpack_adpcm_stereo},
                                 Method{kAdpcmMono, unpack_adpcm_mono},
                                 Method{kSparse, unpack_sparse}};
constexpr std::uint8_t kLzmaByte = 0x12;  // not a combination of bits
constexpr std::uint16_t kKnown = kHuffman | kAdpcmMono | kAdpcmStereo | kBzip2 | kPkware | kZlib | kSparse;

Result<Bytes> unpack_all(ByteView packed, std::uint16_t mask, std::size_t size, bool partly,
                         bool& sum_wrong) {
  // Packed once, data may be a little longer than it was.
  const std::size_t room = size + size / 4 + 64;
  Bytes bytes;
  ByteView input = packed;
  for (const auto& method : kMethods) {
    if ((mask & method.bit) == 0) {
      continue;
    }
    mask = static_cast<std::uint16_t>(mask & ~method.bit);
    const std::size_t most = mask == 0 ? size : room;
    auto unpacked =
        method.unpack != nullptr ? method.unpack(input, most) : inflate(input, most, partly, sum_wrong);
    if (!unpacked) {
      return unpacked;
    }
    bytes = std::move(*unpacked);
    input = bytes;
  }
  return bytes;
}

}  // namespace

Result<Bytes> unpack_sparse(ByteView packed, std::size_t most) {
  if (packed.size() < 4) {
    return broken("sparse data ends within its size field");
  }
  std::size_t stated = 0;
  for (unsigned i = 0; i < 4; ++i) {
    stated = stated << 8U | packed[i];
  }
  const std::size_t end = std::min(stated, most);
  Bytes out;
  std::size_t at = 4;
  while (at < packed.size() && out.size() < end) {
    const std::size_t head = packed[at++];
    const bool literal = (head & 0x80U) != 0;
    const std::size_t requested = (head & 0x7FU) + (literal ? 1 : 3);
    const std::size_t length = std::min(requested, end - out.size());
    if (literal && length > packed.size() - at) {
      return broken("sparse data ends within a run");
    }
    if (literal) {
      const auto from = packed.begin() + static_cast<std::ptrdiff_t>(at);
      out.insert(out.end(), from, from + static_cast<std::ptrdiff_t>(length));
      at += length;
    } else {
      out.resize(out.size() + length, std::uint8_t{0});
    }
  }
  return out;
}

Result<Bytes> decompress(ByteView packed, std::size_t size, Unpacking& done, std::size_t most) {
  if (packed.empty()) {
    return broken("the compressed data is empty");
  }
  const bool lzma = packed[0] == kLzmaByte;
  const std::uint16_t mask = lzma ? std::uint16_t{kLzma} : packed[0];
  done.methods = static_cast<std::uint16_t>(done.methods | mask);
  if (!lzma && (mask & ~kKnown) != 0) {
    return fail(codes::kMpqCompression, "unknown compression method " + std::to_string(mask));
  }
  if (mask == 0) {
    return broken("the compressed data states no compression method");
  }
  const ByteView content = packed.subspan(1);
  const bool partly = most < size;  // no more is unpacked than was requested
  const std::size_t needed = std::min(size, most);
  auto bytes =
      lzma ? unpack_lzma(content, needed) : unpack_all(content, mask, needed, partly, done.sum_wrong);
  const auto fits = [&](std::size_t given) {
    return partly ? given >= needed && given <= size : given == size;
  };
  if (bytes && !fits(bytes->size())) {
    return broken("the data has a decompressed size of " + std::to_string(bytes->size()) +
                  " bytes instead of " + std::to_string(size));
  }
  return bytes;
}

std::string methods_text(std::uint16_t methods) {
  constexpr std::array<std::pair<std::uint16_t, std::string_view>, 8> kNames = {{
      {kSparse, "sparse"},
      {kAdpcmMono, "ADPCM mono"},
      {kAdpcmStereo, "ADPCM stereo"},
      {kHuffman, "Huffman"},
      {kZlib, "zlib"},
      {kPkware, "PKWARE"},
      {kBzip2, "bzip2"},
      {kLzma, "LZMA"},
  }};
  std::string text;
  for (const auto& [bit, name] : kNames) {
    if ((methods & bit) != 0) {
      text += text.empty() ? "" : "+";
      text += name;
    }
  }
  return text.empty() ? "stored" : text;
}

}  // namespace thaw::mpq
