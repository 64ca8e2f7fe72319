#include "formats/archives/casc/blte.hpp"

#include <thaw/codes.hpp>

#include "bytes/deflate.hpp"
#include "bytes/hash.hpp"
#include "bytes/number_text.hpp"
#include "bytes/text_encoding.hpp"
#include "describe/limits.hpp"

namespace thaw::casc {
namespace {

constexpr std::size_t kStart = 8;
constexpr std::size_t kTableStart = 12;
constexpr std::size_t kRow = 24;
constexpr std::uint64_t kLargestChunk = std::uint64_t{256} << 20U;
constexpr unsigned kDeepestChunk = 4;

struct Chunk {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  std::optional<std::uint64_t> plain_size;
  std::optional<Key> md5;
};

class Decoder {
 public:
  Decoder(const Encoded& encoded, const Limits& limits, std::uint64_t most, Diagnostics& diagnostics,
          unsigned depth)
      : encoded_(encoded), limits_(limits), most_(most), diagnostics_(diagnostics), depth_(depth) {}

  Result<Decoded> run() {
    auto chunks = read_table();
    if (!chunks) {
      return tl::unexpected<Error>(std::move(chunks.error()));
    }
    for (std::size_t i = 0; i < chunks->size(); ++i) {
      if (out_.bytes.size() >= most_) {
        out_.whole = false;
        break;
      }
      if (auto added = add((*chunks)[i], i); !added) {
        return tl::unexpected<Error>(std::move(added.error()));
      }
    }
    if (out_.bytes.size() > most_) {
      out_.bytes.resize(static_cast<std::size_t>(most_));
      out_.whole = false;
    }
    return std::move(out_);
  }

 private:
  [[nodiscard]] tl::unexpected<Error> broken(std::string what, std::uint64_t at) const {
    return fail(codes::kCascData, std::move(what), encoded_.offset + at);
  }

  Result<Bytes> read(std::uint64_t at, std::uint64_t size) const {
    const std::uint64_t end = encoded_.storage->size();
    if (!fits(at, size, encoded_.size)) {
      return broken(
          "the file's content extends beyond its stated " + std::to_string(encoded_.size) + " bytes", at);
    }
    if (!fits(encoded_.offset + at, size, end)) {
      return broken(
          "the file's content extends beyond the archive, which has " + std::to_string(end) + " bytes", at);
    }
    Bytes bytes(static_cast<std::size_t>(size));
    if (!encoded_.storage->read(encoded_.offset + at, bytes)) {
      return broken("the archive cannot be read", at);
    }
    return bytes;
  }

  Result<std::vector<Chunk>> read_table() {
    if (encoded_.size < kStart) {
      return broken("the file's content is too short for a BLTE header", 0);
    }
    auto start = read(0, kStart);
    if (!start) {
      return tl::unexpected<Error>(std::move(start.error()));
    }
    constexpr std::string_view kMagic = "BLTE";
    if (!std::equal(kMagic.begin(), kMagic.end(), start->begin())) {
      const bool zeros = std::all_of(start->begin(), start->end(), [](std::uint8_t b) { return b == 0; });
      return zeros ? fail(codes::kCascAbsent,
                          "zeros in place of the file's content: it was never downloaded; repair the game "
                          "with its launcher",
                          encoded_.offset)
                   : broken("the file's content has no BLTE header", 0);
    }
    const std::uint32_t header = big32(start->data() + 4);
    if (header == 0) {
      check_key(0, encoded_.size);
      return std::vector<Chunk>{{kStart, encoded_.size - kStart, encoded_.plain_size, std::nullopt}};
    }
    check_key(0, header);
    return read_rows(header);
  }

  Result<std::vector<Chunk>> read_rows(std::uint32_t header) {
    constexpr std::uint8_t kFormat = 0x0F;
    constexpr std::uint8_t kLongFormat = 0x10;
    if (header < kTableStart || header > encoded_.size) {
      return broken("the BLTE header states a size of " + std::to_string(header) +
                        " bytes; the file's content has " + std::to_string(encoded_.size),
                    4);
    }
    auto table = read(0, header);
    if (!table) {
      return tl::unexpected<Error>(std::move(table.error()));
    }
    const std::uint8_t* const bytes = table->data();
    if (bytes[kStart] == kLongFormat) {
      return fail(codes::kCascUnsupported, "chunks with two checksums (format 16) are not supported",
                  encoded_.offset + kStart);
    }
    if (bytes[kStart] != kFormat) {
      return broken("unknown format " + std::to_string(bytes[kStart]) + " of the chunk table", kStart);
    }
    const std::uint64_t count = big(bytes + kStart + 1, 3);
    if (count == 0 || header != kTableStart + kRow * count) {
      return broken(count == 0 ? "the chunk table of the BLTE header is empty"
                               : "the BLTE header states a size of " + std::to_string(header) +
                                     " bytes instead of " + std::to_string(kTableStart + kRow * count) +
                                     ", the size for " + counted(count, "chunk"),
                    kStart);
    }
    std::vector<Chunk> chunks;
    chunks.reserve(static_cast<std::size_t>(count));
    std::uint64_t at = header;
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint8_t* row = bytes + kTableStart + kRow * i;
      chunks.push_back({at, big32(row), big32(row + 4), key_at<std::tuple_size_v<Key>>(row + 8)});
      at += chunks.back().size;
    }
    if (at > encoded_.size) {
      diagnostics_.add(codes::kCascData.as(Severity::severe),
                       "the chunk table states " + std::to_string(at - header) +
                           " bytes of chunks; the file has only " + std::to_string(encoded_.size - header),
                       encoded_.offset);
    }
    return chunks;
  }

  void check_key(std::uint64_t at, std::uint64_t size) {
    const auto bytes = encoded_.key ? read(at, size) : fail(codes::kCascData, "");
    if (bytes && md5(*bytes) != *encoded_.key) {
      diagnostics_.add(codes::kCascChecksum,
                       "the encoded key does not match the content, which is returned anyway",
                       encoded_.offset);
    }
  }

  Result<void> add(const Chunk& chunk, std::size_t number) {
    if (chunk.size == 0) {
      return broken("chunk " + std::to_string(number) + " is empty and states no compression", chunk.offset);
    }
    auto bytes = read(chunk.offset, chunk.size);
    if (!bytes) {
      return tl::unexpected<Error>(std::move(bytes.error()));
    }
    if (chunk.md5 && md5(*bytes) != *chunk.md5) {
      diagnostics_.add(
          codes::kCascChecksum,
          "the checksum of chunk " + std::to_string(number) + " does not match; its content is used anyway",
          encoded_.offset + chunk.offset);
    }
    const ByteView content = ByteView(*bytes).subspan(1);
    switch ((*bytes)[0]) {
      case 'N':
        return store(chunk, content);
      case 'Z':
        return inflate(chunk, content);
      case 'E':
        return leave_out(chunk, content);
      case 'F':
        return nest(chunk, content);
      case '4':
        return fail(codes::kCascUnsupported, "LZ4 compression is not supported",
                    encoded_.offset + chunk.offset);
      default:
        return broken("a chunk has the unknown compression mode " + hex_text((*bytes)[0], 2), chunk.offset);
    }
  }

  void name_method(std::string_view method) {
    if (out_.method.find(method) == std::string::npos) {
      out_.method += out_.method.empty() ? "" : "+";
      out_.method += method;
    }
  }

  /// Names the limit where it is the option's. The hint of the command looks for it.
  [[nodiscard]] std::string limit_text(std::uint64_t limit) const {
    const std::string bytes = std::to_string(limit) + " bytes";
    return limit == limits_.max_input_bytes ? "input limit of " + bytes
           : limit == kLargestChunk         ? "limit of " + bytes + " for a chunk"
                                            : "limit of " + bytes + " for an archive of " +
                                          std::to_string(encoded_.storage->size()) + " bytes";
  }

  /// What all chunks together may have: few bytes are not many files' worth.
  Result<void> reserve(const Chunk& chunk, std::uint64_t size) {
    constexpr std::uint64_t kRatio = 16;
    constexpr std::uint64_t kBase = std::uint64_t{48} << 20U;
    const std::uint64_t most = std::min(limits_.max_input_bytes, kBase + kRatio * encoded_.storage->size());
    const std::uint64_t largest = std::min(kLargestChunk, most);
    if (size > largest) {
      return fail(codes::kInputTooLarge,
                  "a chunk of " + std::to_string(size) + " bytes exceeds the " + limit_text(largest),
                  encoded_.offset + chunk.offset);
    }
    if (out_.bytes.size() > most - size) {
      return fail(codes::kInputTooLarge, "the file's chunks would exceed the " + limit_text(most),
                  encoded_.offset + chunk.offset);
    }
    return {};
  }

  Result<void> append(const Chunk& chunk, ByteView plain) {
    if (auto fits_in = reserve(chunk, plain.size()); !fits_in) {
      return fits_in;
    }
    out_.bytes.insert(out_.bytes.end(), plain.begin(), plain.end());
    return {};
  }

  Result<void> store(const Chunk& chunk, ByteView content) {
    name_method("stored");
    if (chunk.plain_size && *chunk.plain_size != content.size()) {
      report_size(chunk, content.size(), false);
    }
    return append(chunk, content);
  }

  void report_size(const Chunk& chunk, std::uint64_t size, bool fitted) {
    // Without a table the size is only what other tables say of the whole file, perhaps of several parts.
    diagnostics_.add(
        codes::kCascData.as(Severity::severe),
        "a chunk states " + std::to_string(*chunk.plain_size) + " decompressed bytes, but has " +
            std::to_string(size) +
            (fitted ? "; it is " + std::string(size > *chunk.plain_size ? "truncated" : "padded with zeros")
                    : "; all are returned"),
        encoded_.offset + chunk.offset);
  }

  Result<void> inflate(const Chunk& chunk, ByteView content) {
    constexpr std::uint64_t kFirstRoom = 4096;
    name_method("zlib");
    const std::uint64_t bound = kHighestDeflateRatio * content.size();
    const std::uint64_t stated = chunk.plain_size.value_or(0);
    if (stated > bound) {
      return broken("a chunk states " + std::to_string(stated) + " bytes, which " +
                        std::to_string(content.size()) + " compressed bytes cannot contain",
                    chunk.offset);
    }
    std::uint64_t room = stated > 0 ? stated : std::min(bound, kFirstRoom);
    const auto decompressor = make_decompressor();
    Bytes plain;
    while (true) {
      if (auto fits_in = reserve(chunk, room); !fits_in) {
        return fits_in;
      }
      plain.resize(static_cast<std::size_t>(room));
      const auto [result, consumed, given, sum_fits] = inflate_zlib(decompressor.get(), content, plain);
      if (result == LIBDEFLATE_SUCCESS) {
        plain.resize(given);
        if (!sum_fits) {
          diagnostics_.add(codes::kCascChecksum, "Adler-32 mismatch in zlib data; the data is used anyway",
                           encoded_.offset + chunk.offset);
        }
        break;
      }
      if (result != LIBDEFLATE_INSUFFICIENT_SPACE || room >= bound) {
        return broken("damaged zlib data", chunk.offset);
      }
      if (chunk.md5) {
        return broken("zlib data of a chunk is longer than its stated " + std::to_string(stated) + " bytes",
                      chunk.offset);
      }
      room = std::min(bound, 2 * room);
    }
    if (chunk.plain_size && plain.size() != stated) {
      report_size(chunk, plain.size(), chunk.md5.has_value());
      if (chunk.md5) {
        plain.resize(static_cast<std::size_t>(stated), 0);  // what follows keeps its place
      }
    }
    return append(chunk, plain);
  }

  /// Nothing is guessed: zeros keep the place of what cannot be read.
  Result<void> leave_out(const Chunk& chunk, ByteView content) {
    constexpr std::size_t kKeyName = 8;
    name_method("encrypted");
    if (content.size() < 1 + kKeyName || content[0] != kKeyName) {
      return broken("the key name of an encrypted chunk does not have 8 bytes", chunk.offset);
    }
    std::uint64_t name = 0;
    for (std::size_t i = 0; i < kKeyName; ++i) {
      name |= std::uint64_t{content[1 + i]} << (8 * i);
    }
    // A plain size that a few bytes state is bounded by what they could have been unpacked to.
    const std::uint64_t size = chunk.plain_size.value_or(0);
    if (size > kHighestDeflateRatio * content.size()) {
      return broken("a chunk states " + std::to_string(size) + " bytes, which " +
                        std::to_string(content.size()) + " encrypted bytes cannot contain",
                    chunk.offset);
    }
    if (auto fits_in = reserve(chunk, size); !fits_in) {
      return fits_in;
    }
    diagnostics_.add(codes::kCascEncrypted,
                     counted(size, "byte") + " from byte " + std::to_string(out_.bytes.size()) +
                         " on are encrypted with the unknown key " + hex_text(name) + "; read as zeros",
                     encoded_.offset + chunk.offset);
    out_.whole = false;
    out_.bytes.resize(out_.bytes.size() + static_cast<std::size_t>(size), 0);
    return {};
  }

  Result<void> nest(const Chunk& chunk, ByteView content) {
    if (depth_ >= kDeepestChunk) {
      return broken("chunks are nested more than " + std::to_string(kDeepestChunk) + " deep", chunk.offset);
    }
    const auto inner = memory_storage(Bytes(content.begin(), content.end()));
    const Encoded within{inner.get(), 0, content.size(), chunk.plain_size, std::nullopt};
    auto decoded = Decoder(within, limits_, ~std::uint64_t{0}, diagnostics_, depth_ + 1).run();
    if (!decoded) {
      decoded.error().offset = encoded_.offset + chunk.offset;
      return tl::unexpected<Error>(std::move(decoded.error()));
    }
    name_method("nested");
    out_.whole = out_.whole && decoded->whole;
    return append(chunk, decoded->bytes);
  }

  const Encoded& encoded_;
  const Limits& limits_;
  std::uint64_t most_;
  Diagnostics& diagnostics_;
  unsigned depth_;
  Decoded out_;
};

}  // namespace

Result<Decoded> decode(const Encoded& encoded, const Limits& limits, std::uint64_t most,
                       Diagnostics& diagnostics) {
  return Decoder(encoded, limits, most, diagnostics, 0).run();
}

}  // namespace thaw::casc
