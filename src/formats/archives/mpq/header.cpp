#include "formats/archives/mpq/header.hpp"

#include "bytes/text.hpp"
#include "describe/description.hpp"

namespace thaw::mpq {
namespace {

constexpr std::uint64_t kStep = 512;
constexpr std::size_t kSmallest = 32;
constexpr std::array<std::uint32_t, 4> kSizes = {32, 44, 68, 208};  ///< of the header, by version
constexpr std::uint32_t kHashRecord = 16;

/// As many bytes as there are, at most N; the rest is zero.
template <std::size_t N>
std::array<std::uint8_t, N> read_start(const Storage& storage, std::uint64_t offset) {
  std::array<std::uint8_t, N> bytes{};
  const std::uint64_t size = storage.size();
  const std::uint64_t left = offset < size ? size - offset : 0;
  const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(N, left));
  if (!storage.read(offset, std::span(bytes).first(count))) {
    bytes.fill(0);
  }
  return bytes;
}

template <std::size_t N>
class Fields {
 public:
  explicit Fields(const std::array<std::uint8_t, N>& bytes) : bytes_(bytes) {}
  [[nodiscard]] std::uint16_t u16(std::size_t at) const { return load_plain<std::uint16_t>(&bytes_.at(at)); }
  [[nodiscard]] std::uint32_t u32(std::size_t at) const { return load_plain<std::uint32_t>(&bytes_.at(at)); }
  [[nodiscard]] std::uint64_t u64(std::size_t at) const { return load_plain<std::uint64_t>(&bytes_.at(at)); }

 private:
  const std::array<std::uint8_t, N>& bytes_;
};

/// The version that the fields can be believed to have: maps are always of the first.
unsigned believed_version(unsigned stated, std::uint32_t header_size, bool map) {
  const bool sound = !map && stated >= 1 && stated <= kSizes.size() && header_size >= kSizes.at(stated - 1);
  return sound ? stated : 1;
}

void read_later_fields(const Fields<208>& fields, Header& header) {
  if (header.version >= 2) {
    constexpr unsigned kHigh = 32;
    header.high_block_offset = fields.u64(0x20);
    header.hash_offset |= std::uint64_t{fields.u16(0x28)} << kHigh;
    header.block_offset |= std::uint64_t{fields.u16(0x2A)} << kHigh;
  }
  if (header.version >= 3) {
    header.archive_size = fields.u64(0x2C);
    header.bet_offset = fields.u64(0x34);
    header.het_offset = fields.u64(0x3C);
  }
  if (header.version >= 4) {
    header.hash_packed = fields.u64(0x44);
    header.block_packed = fields.u64(0x4C);
  }
}

/// Shifts count modulo 32 as they do in the game.
std::uint32_t sector_size_of(std::uint16_t shift) {
  constexpr unsigned kLargest = 15;  // 16 MiB
  const unsigned bits = shift & 31U;
  return bits > kLargest ? 0 : std::uint32_t{512} << bits;
}

Header parse(const Storage& storage, std::uint64_t offset, bool map, Diagnostics& diagnostics) {
  const auto bytes = read_start<208>(storage, offset);
  const Fields<208> fields(bytes);
  Header header;
  header.offset = offset;
  header.map_prefix = map;
  header.header_size = fields.u32(0x04);
  header.archive_size = fields.u32(0x08);
  const unsigned stated = fields.u16(0x0C) + 1U;
  header.version = believed_version(stated, header.header_size, map);
  header.sector_size = sector_size_of(fields.u16(0x0E));
  header.hash_offset = fields.u32(0x10);
  header.block_offset = fields.u32(0x14);
  header.hash_count = fields.u32(0x18);
  header.block_count = fields.u32(0x1C);
  read_later_fields(fields, header);
  if (stated != header.version) {
    diagnostics.add(codes::kMpqHeader,
                    "the header states version " + std::to_string(stated) +
                        "; the archive is read as version " + std::to_string(header.version),
                    offset + 0x0C, "header.version");
  }
  if (header.header_size != kSizes.at(header.version - 1)) {
    diagnostics.add(codes::kMpqHeader,
                    "the header states a size of " + std::to_string(header.header_size) +
                        " bytes instead of " + std::to_string(kSizes.at(header.version - 1)) +
                        ", the size of version " + std::to_string(header.version),
                    offset + 0x04, "header.header_size");
  }
  return header;
}

bool plausible(const Header& header, const Storage& storage) {
  const auto hash_table = absolute_offset(header, storage, header.hash_offset);
  const bool classic = header.hash_count > 0 && hash_table && storage.size() - *hash_table >= kHashRecord;
  const bool empty = header.hash_count == 0 && header.block_count == 0 && header.archive_size > 0;
  return header.sector_size != 0 && (classic || empty || header.het_offset != 0);
}

/// Looks at the places where a header may be; the first plausible one wins, else the first at all.
class Search {
 public:
  Search(const Storage& storage, Diagnostics& diagnostics) : storage_(storage), diagnostics_(diagnostics) {}

  std::optional<Header> run() {
    for (std::uint64_t from = 0; from < storage_.size() && !found_; from += kWindow) {
      look_into(from);
    }
    if (!found_ && first_) {
      // Of several bad headers, the first one's faults are reported.
      take(*first_, true);
    }
    return found_;
  }

 private:
  static constexpr std::uint64_t kWindow = 1U << 20U;

  /// One window of the file at a time, so that a large file without an archive is read through quickly.
  void look_into(std::uint64_t from) {
    const auto size = static_cast<std::size_t>(std::min(kWindow, storage_.size() - from));
    window_.resize(size);
    if (!storage_.read(from, window_)) {
      return;
    }
    for (std::size_t at = 0; at + 4 <= size && !found_; at += kStep) {
      const std::string_view tag(reinterpret_cast<const char*>(&window_[at]), 4);
      if (from + at == 0 && tag == "HM3W") {
        map_ = true;
      } else if (tag == "MPQ\x1A") {
        take(from + at, false);
      } else if (tag == "MPQ\x1B") {
        follow(from + at);
      }
    }
  }

  void follow(std::uint64_t block) {
    const auto bytes = read_start<16>(storage_, block);
    const std::uint64_t offset = block + Fields<16>(bytes).u32(8);
    if (const auto tag = read_start<4>(storage_, offset); FourCC{"MPQ\x1A"}.bytes == as_chars(tag)) {
      take(offset, false);
      if (found_) {
        found_->user_data = true;
      }
    }
  }

  static std::array<char, 4> as_chars(const std::array<std::uint8_t, 4>& bytes) {
    std::array<char, 4> chars{};
    std::copy(bytes.begin(), bytes.end(), chars.begin());
    return chars;
  }

  void take(std::uint64_t offset, bool even_if_bad) {
    if (storage_.size() - offset < kSmallest) {
      return;
    }
    Diagnostics findings;
    const Header header = parse(storage_, offset, map_, findings);
    if (!even_if_bad && !plausible(header, storage_)) {
      first_ = first_ ? first_ : offset;
      return;
    }
    for (const auto& finding : findings.items()) {
      diagnostics_.add(finding);
    }
    found_ = header;
  }

  const Storage& storage_;
  Diagnostics& diagnostics_;
  Bytes window_;
  bool map_ = false;
  std::optional<std::uint64_t> first_;
  std::optional<Header> found_;
};

}  // namespace

Result<Header> find_header(const Storage& storage, Diagnostics& diagnostics) {
  const auto header = Search(storage, diagnostics).run();
  if (!header) {
    return fail(codes::kMpqNoHeader, "the file contains no archive (MPQ)");
  }
  if (header->sector_size == 0) {
    return fail(codes::kMpqNoHeader, "the archive's only header states a sector shift above 15",
                header->offset + 0x0E, "header.sector_shift");
  }
  return *header;
}

std::optional<std::uint64_t> absolute_offset(const Header& header, const Storage& storage,
                                             std::uint64_t relative) {
  const std::uint64_t size = storage.size();
  const std::uint64_t offset = header.offset + relative;
  if (relative < size && offset < size) {
    return offset;
  }
  const std::uint64_t wrapped = offset & 0xFFFFFFFFU;
  return header.version == 1 && wrapped < size ? std::optional(wrapped) : std::nullopt;
}

std::string read_map_name(const Storage& storage) {
  constexpr std::size_t kText = 8;
  const auto bytes = read_start<kStep>(storage, 0);
  const std::string_view text = as_text(bytes);
  if (text.substr(0, 4) != "HM3W") {
    return {};
  }
  const std::string_view name = text.substr(kText);
  return std::string(name.substr(0, name.find('\0')));
}

}  // namespace thaw::mpq
