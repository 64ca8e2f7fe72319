#include <thaw/codes.hpp>

#include "bytes/deflate.hpp"
#include "bytes/number_text.hpp"
#include "bytes/text_encoding.hpp"
#include "describe/limits.hpp"
#include "describe/scalars.hpp"
#include "formats/archives/archive/names.hpp"
#include "formats/archives/pack/common.hpp"

#include <algorithm>

namespace thaw::pack {
namespace {

constexpr std::array<std::uint8_t, 4> kMagic = {'P', 'A', 'K', 1};
constexpr std::array<std::uint8_t, 4> kBlobMagic = {0xA1, 0xB2, 0xC3, 0xD4};
constexpr std::size_t kHeader = 0x20;
constexpr std::size_t kRecord = 32;
constexpr std::size_t kBlobHeader = 8;
constexpr std::string_view kNameList = "{NAMELIST}";

/// No file is larger than this, whatever it states.
std::uint64_t largest(std::uint64_t archive) {
  constexpr std::uint64_t kRatio = 16;
  constexpr std::uint64_t kBase = std::uint64_t{48} << 20U;
  return kRatio * archive + kBase;
}

/// The first `size` bytes of a zlib stream.
Result<Bytes> inflate(ByteView packed, std::uint64_t size, std::uint64_t most, bool& sum_fits) {
  const auto decompressor = make_decompressor();
  // Output comes in order, and of what does not fit at most one match or one stored block is missing at the
  // end of the room.
  constexpr std::uint64_t kLongestStep = 65536;
  const std::uint64_t room = most < size ? std::min(size, most + kLongestStep) : size;
  Bytes out(static_cast<std::size_t>(room), 0);
  const auto [result, consumed, given, fits] = inflate_zlib(decompressor.get(), packed, out);
  sum_fits = fits;
  if (result == LIBDEFLATE_INSUFFICIENT_SPACE && room < size) {
    out.resize(static_cast<std::size_t>(most));
    return out;
  }
  if (result != LIBDEFLATE_SUCCESS || given != size) {
    return fail(codes::kPackData, result == LIBDEFLATE_INSUFFICIENT_SPACE ? "zlib data is longer than stated"
                                  : result == LIBDEFLATE_SUCCESS          ? "zlib data is shorter than stated"
                                                                          : "damaged zlib data");
  }
  return out;
}

class Pack2 : public PackArchive {
 public:
  using PackArchive::PackArchive;

  void read(const ArchiveOptions& options, Diagnostics& diagnostics) {
    read_header(diagnostics);
    read_map(diagnostics);
    index_entries();
    name_entries(options);
    const auto nameless = static_cast<std::size_t>(std::count_if(
        entries().begin(), entries().end(), [](const ArchiveEntry& entry) { return entry.name.empty(); }));
    if (nameless > 0) {
      diagnostics.add(codes::kPackNames, std::to_string(nameless) + " of " +
                                             std::to_string(entries().size()) +
                                             " files have no known name; --listfile adds names");
    }
  }

  [[nodiscard]] ArchiveKind kind() const override { return ArchiveKind::pack2; }

  [[nodiscard]] Result<UnpackedFile> unpack(const ArchiveEntry& entry, Diagnostics& diagnostics,
                                            std::uint64_t most) const override {
    if (entry.index >= zipped_.size() || zipped_[entry.index] == 0) {
      return stored(entry, most).map([](Bytes&& bytes) { return UnpackedFile{std::move(bytes), "stored"}; });
    }
    if (const std::uint64_t limit = largest(file_size()); entry.size > limit) {
      return fail(codes::kInputTooLarge,
                  "the pack states " + std::to_string(entry.size) + " bytes for the file; from a pack of " +
                      std::to_string(file_size()) + " bytes, thaw unpacks files of at most " +
                      std::to_string(limit) + " bytes",
                  entry.offset);
    }
    if (entry.size > kHighestDeflateRatio * entry.packed_size) {
      return fail(codes::kInputTooLarge,
                  "the file states " + std::to_string(entry.size) + " bytes, which " +
                      std::to_string(entry.packed_size) + " compressed bytes cannot contain",
                  entry.offset);
    }
    auto packed = stored(entry, ~std::uint64_t{0});
    if (!packed) {
      return tl::unexpected<Error>(std::move(packed.error()));
    }
    bool sum_fits = true;
    auto bytes = inflate(ByteView(*packed).subspan(kBlobHeader), entry.size, most, sum_fits);
    if (!bytes) {
      bytes.error().offset = entry.offset;
      return tl::unexpected<Error>(std::move(bytes.error()));
    }
    if (!sum_fits) {
      diagnostics.add(codes::kPackChecksum, "Adler-32 mismatch in zlib data; the data is used anyway",
                      entry.offset);
    }
    return UnpackedFile{std::move(*bytes), "zlib"};
  }

  [[nodiscard]] std::string summary() const override {
    return "PACK2, map at " + offset_text(map_offset_) + ", " +
           counted(static_cast<std::uint64_t>(std::count(zipped_.begin(), zipped_.end(), 1)), "file") +
           " compressed";
  }
  [[nodiscard]] Value details() const override {
    return Value().set("version", 2).set("map_offset", static_cast<std::int64_t>(map_offset_));
  }

 private:
  void read_header(Diagnostics& diagnostics) {
    Cursor cursor(storage(), kMagic.size());
    count_ = cursor.little_u32();
    const std::uint64_t length = cursor.little_u64();
    map_offset_ = cursor.little_u64();
    if (length != storage().size()) {
      diagnostics.add(
          length > storage().size() ? codes::kPackHeader.as(Severity::severe) : codes::kPackHeader,
          "the header states a pack of " + std::to_string(length) + " bytes; the file has " +
              std::to_string(storage().size()),
          8);
    }
  }

  void read_map(Diagnostics& diagnostics) {
    const std::uint64_t size = storage().size();
    const std::uint64_t room = map_offset_ <= size ? (size - map_offset_) / kRecord : 0;
    if (room < count_) {
      diagnostics.add(kTableCut,
                      "the pack states " + std::to_string(count_) + " files, but its map has " +
                          std::to_string(room) + "; the others are left out",
                      map_offset_);
    }
    Cursor cursor(storage(), map_offset_);
    std::size_t outside = 0;
    for (std::uint64_t i = 0; i < std::min<std::uint64_t>(room, count_) && cursor.ok(); ++i) {
      outside += read_record(cursor) ? 0U : 1U;
    }
    if (outside > 0) {
      diagnostics.add(kTableCut, counted(outside, "file") + " outside the pack left out", map_offset_);
    }
  }

  bool read_record(Cursor& cursor) {
    constexpr std::uint32_t kPackingBits = 0xF;
    ArchiveEntry entry;
    entry.hash = cursor.little_u64();
    entry.offset = cursor.little_u64();
    entry.packed_size = cursor.little_u64();
    entry.size = entry.packed_size;
    const bool zipped = (cursor.little_u32() & kPackingBits) == 1;
    cursor.little_u32();  // a hash of unknown rule over unknown bytes
    const auto unpacked = zipped ? unpacked_size(entry) : std::nullopt;
    entry.size = unpacked.value_or(entry.size);
    if (!cursor.ok() || !add(std::move(entry))) {
      return !cursor.ok();
    }
    zipped_.push_back(unpacked ? 1 : 0);
    return true;
  }

  /// What stands before a zlib stream; none if it is no such thing, whatever the map says.
  [[nodiscard]] std::optional<std::uint64_t> unpacked_size(const ArchiveEntry& entry) const {
    std::array<std::uint8_t, kBlobHeader> header{};
    if (entry.packed_size < header.size() || !storage().read(entry.offset, header) ||
        !std::equal(kBlobMagic.begin(), kBlobMagic.end(), header.begin())) {
      return std::nullopt;
    }
    return std::uint64_t{header[4]} << 24U | std::uint64_t{header[5]} << 16U |
           std::uint64_t{header[6]} << 8U | header[7];
  }

  void name_entries(const ArchiveOptions& options) {
    give_name(kNameList);
    for (const auto& name : options.names) {
      give_name(name);
    }
    const auto list = find(kNameList);
    // A list that is larger than its pack names files of others.
    constexpr std::uint64_t kListBase = std::uint64_t{16} << 20U;
    if (!list || list->size > file_size() + kListBase) {
      return;
    }
    Diagnostics ignored;
    if (const auto text = unpack(*list, ignored, ~std::uint64_t{0})) {
      for_each_name(text->bytes, [this](std::string_view name) { give_name(name); });
    }
  }

  void give_name(std::string_view name) {
    constexpr std::size_t kLongest = 1024;
    if (name.empty() || name.size() > kLongest) {
      return;
    }
    // Of entries that share a hash, which no honest pack has, the first is the one that is found.
    const auto found = with_hash(name_hash(name));
    if (!found.empty() && entry_at(found.front()).name.empty()) {
      entry_at(found.front()).name = name;
    }
  }

  std::uint32_t count_ = 0;
  std::uint64_t map_offset_ = 0;
  std::vector<std::uint8_t> zipped_;  ///< by index of the entry
};

}  // namespace

Result<std::shared_ptr<const Archive>> open_pack2(std::shared_ptr<const Storage> storage,
                                                  const ArchiveOptions& options, Diagnostics& diagnostics) {
  if (storage->size() > options.limits.max_input_bytes) {
    return input_too_large(storage->size(), options.limits);
  }
  if (storage->size() < kHeader) {
    return fail(codes::kPackHeader, "the pack is too short for its header");
  }
  auto archive = std::make_shared<Pack2>(std::move(storage));
  archive->read(options, diagnostics);
  return archive;
}

}  // namespace thaw::pack
