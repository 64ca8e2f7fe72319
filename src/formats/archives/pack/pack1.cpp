#include <thaw/codes.hpp>

#include "bytes/number_text.hpp"
#include "describe/limits.hpp"
#include "formats/archives/pack/common.hpp"

#include <libdeflate.h>
#include <algorithm>

namespace thaw::pack {
namespace {

constexpr std::size_t kTableHeader = 8;
/// Of an entry without its name.
constexpr std::size_t kEntry = 16;
constexpr std::size_t kLongestName = 1024;

class Pack1 : public PackArchive {
 public:
  using PackArchive::PackArchive;

  void read(Diagnostics& diagnostics) {
    std::uint64_t at = 0;
    do {
      at = read_table(at, diagnostics);
    } while (at != 0);
    index_entries();
  }

  [[nodiscard]] ArchiveKind kind() const override { return ArchiveKind::pack1; }

  [[nodiscard]] Result<UnpackedFile> unpack(const ArchiveEntry& entry, Diagnostics& diagnostics,
                                            std::uint64_t most) const override {
    return stored(entry, most).map([&](Bytes&& bytes) {
      if (bytes.size() == entry.size && !bytes.empty() &&
          libdeflate_crc32(0, bytes.data(), bytes.size()) != entry.crc32) {
        diagnostics.add(codes::kPackChecksum,
                        "the content does not match the CRC-32 in the table; it is used anyway",
                        entry.offset);
      }
      return UnpackedFile{std::move(bytes), "stored"};
    });
  }

  [[nodiscard]] std::string summary() const override {
    return "PACK1, " + std::to_string(tables_) + (tables_ == 1 ? " table" : " tables");
  }
  [[nodiscard]] Value details() const override {
    return Value().set("version", 1).set("tables", static_cast<std::int64_t>(tables_));
  }

 private:
  /// Returns where the next table is, 0 for none.
  std::uint64_t read_table(std::uint64_t at, Diagnostics& diagnostics) {
    Cursor cursor(storage(), at);
    const std::uint64_t next = cursor.big_u32();
    const std::uint32_t count = cursor.big_u32();
    std::uint32_t outside = 0;
    for (std::uint32_t i = 0; i < count && cursor.ok(); ++i) {
      outside += read_entry(cursor) ? 0U : 1U;
    }
    ++tables_;
    if (!cursor.ok()) {
      diagnostics.add(
          kTableCut,
          "a table ends after the end of the file; its further files and later tables are left out", at);
      return 0;
    }
    if (outside > 0) {
      diagnostics.add(kTableCut, counted(outside, "file") + " outside the pack left out", at);
    }
    // Tables follow each other, so that no byte is read twice.
    if (next != 0 && (next < cursor.here() || next > storage().size() - kTableHeader)) {
      diagnostics.add(
          kTableCut,
          "the offset of the next table (" + std::to_string(next) +
              (next < cursor.here() ? ") is before the end of this table" : ") is outside the file") +
              "; later tables were not read",
          at);
      return 0;
    }
    return next;
  }

  bool read_entry(Cursor& cursor) {
    ArchiveEntry entry;
    const std::uint32_t length = cursor.big_u32();
    entry.name = cursor.text(length);
    entry.offset = cursor.big_u32();
    entry.size = cursor.big_u32();
    entry.packed_size = entry.size;
    entry.crc32 = cursor.big_u32();
    entry.hash = name_hash(entry.name);
    return !cursor.ok() || add(std::move(entry));
  }

  std::size_t tables_ = 0;
};

}  // namespace

bool is_pack1(ByteView start) {
  const auto word = [&](std::size_t at) {
    return std::uint32_t{start[at]} << 24U | std::uint32_t{start[at + 1]} << 16U |
           std::uint32_t{start[at + 2]} << 8U | std::uint32_t{start[at + 3]};
  };
  if (start.size() < kTableHeader + kEntry) {
    return false;
  }
  const std::uint32_t next = word(0);
  const std::uint32_t count = word(4);
  std::size_t at = kTableHeader;
  bool good = count > 0 && count <= 0xFFFFFF && (next == 0 || next > kTableHeader + kEntry);
  constexpr std::uint32_t kLook = 4;
  for (std::uint32_t i = 0; good && i < std::min(count, kLook) && start.size() - at >= kEntry; ++i) {
    const std::uint32_t length = word(at);
    if (length == 0 || length > kLongestName || length > start.size() - at - kEntry) {
      return false;
    }
    const auto name = start.subspan(at + 4, length);
    good = std::all_of(name.begin(), name.end(), [](std::uint8_t c) { return c >= 0x20 && c != 0x7F; });
    at += 4 + length;
    good = good && (word(at) >= kTableHeader + kEntry || word(at + 4) == 0);
    at += kEntry - 4;
  }
  return good;
}

Result<std::shared_ptr<const Archive>> open_pack1(std::shared_ptr<const Storage> storage,
                                                  const ArchiveOptions& options, Diagnostics& diagnostics) {
  if (storage->size() > options.limits.max_input_bytes) {
    return input_too_large(storage->size(), options.limits);
  }
  if (storage->size() < kTableHeader) {
    return fail(codes::kPackHeader, "the pack is too short for a table");
  }
  auto archive = std::make_shared<Pack1>(std::move(storage));
  archive->read(diagnostics);
  return archive;
}

}  // namespace thaw::pack
