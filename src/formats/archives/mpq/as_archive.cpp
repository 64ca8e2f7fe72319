// MPQ with the interface of all archives.

#include <thaw/archive.hpp>

#include "bytes/code_page.hpp"
#include "bytes/text_encoding.hpp"
#include "describe/scalars.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace thaw {
namespace {

constexpr std::array kFlags = {
    std::pair(mpq::kEncrypted, ArchiveEntry::kEncrypted),
    std::pair(mpq::kKeyAdjusted, ArchiveEntry::kKeyAdjusted),
    std::pair(mpq::kImploded, ArchiveEntry::kImploded),
    std::pair(mpq::kSingleUnit, ArchiveEntry::kSingleUnit),
    std::pair(mpq::kSectorChecksums, ArchiveEntry::kSectorChecksums),
    std::pair(mpq::kPatch, ArchiveEntry::kPatch),
};

ArchiveEntry general(const mpq::Entry& entry, std::size_t index, CodePage page) {
  ArchiveEntry result;
  result.name = to_utf8(entry.name, page);
  result.hash = entry.hash;
  result.offset = entry.offset;
  result.packed_size = entry.packed_size;
  result.size = entry.size;
  result.index = static_cast<std::uint32_t>(index);
  result.crc32 = entry.crc32;
  result.locale = entry.locale;
  for (const auto& [theirs, ours] : kFlags) {
    result.flags = static_cast<std::uint8_t>(result.flags | (entry.has(theirs) ? ours : 0U));
  }
  return result;
}

Value number(std::uint64_t value) { return static_cast<std::int64_t>(value); }

class MpqArchive : public Archive {
 public:
  explicit MpqArchive(std::shared_ptr<const mpq::Archive> archive) : archive_(std::move(archive)) {
    const auto entries = archive_->entries();
    entries_.reserve(entries.size());
    by_place_.reserve(entries.size());
    for (std::size_t i = 0; i < entries.size(); ++i) {
      entries_.push_back(general(entries[i], i, archive_->code_page()));
      by_place_.emplace_back(entries[i].slot, entries_.back().index);
    }
    std::sort(by_place_.begin(), by_place_.end());
  }

  [[nodiscard]] ArchiveKind kind() const override { return ArchiveKind::mpq; }
  [[nodiscard]] std::uint64_t file_size() const override { return archive_->file_size(); }
  [[nodiscard]] std::span<const ArchiveEntry> entries() const override { return entries_; }

  [[nodiscard]] std::optional<ArchiveEntry> find(std::string_view name) const override {
    const auto found = archive_->find(name);
    if (!found) {
      return std::nullopt;
    }
    const auto place = std::lower_bound(by_place_.begin(), by_place_.end(), std::pair(found->slot, 0U));
    ArchiveEntry entry = general(*found, place->second, archive_->code_page());
    if (entries_[place->second].name.empty() && !found->name.empty() && is_utf8(name)) {
      entry.name = name;  // the caller knows how it is spelled
    }
    return entry;
  }

  [[nodiscard]] Result<UnpackedFile> unpack(const ArchiveEntry& entry, Diagnostics& diagnostics,
                                            std::uint64_t most) const override {
    if (entry.index >= entries_.size()) {
      return fail(codes::kMpqNoEntry, "the entry belongs to another archive");
    }
    mpq::Entry requested = archive_->entries()[entry.index];
    if (requested.name.empty()) {  // the key is made from it, and no list may have it
      const auto found = archive_->find(entry.name);
      requested.name = found ? found->name : entry.name;
    }
    return archive_->unpack(requested, diagnostics, most).map([](mpq::Unpacked unpacked) {
      return UnpackedFile{std::move(unpacked.bytes), mpq::methods_text(unpacked.methods)};
    });
  }

  [[nodiscard]] CodePage code_page() const override { return archive_->code_page(); }
  [[nodiscard]] std::string title() const override { return archive_->map_name(); }

  [[nodiscard]] std::string summary() const override {
    const auto& header = archive_->header();
    const auto& counts = archive_->counts();
    std::string text = "version " + std::to_string(header.version) + " at " + offset_text(header.offset) +
                       ", sectors of " + std::to_string(header.sector_size) + " bytes, " +
                       std::to_string(counts.hashes) +
                       (counts.hashes == 1 ? " hash table entry, " : " hash table entries, ") +
                       (archive_->has_listfile() ? "with a list of names" : "no list of names");
    const auto add = [&text](std::size_t count, std::string_view what) {
      text += count > 0 ? ", " + std::to_string(count) + std::string(what) : std::string();
    };
    add(nameless(), " without a known name");
    add(encrypted(), " encrypted");
    add(counts.deleted, " deleted");
    return text;
  }

  [[nodiscard]] Value details() const override {
    const auto& header = archive_->header();
    const auto& counts = archive_->counts();
    return Value()
        .set("version", std::int64_t{header.version})
        .set("offset", number(header.offset))
        .set("map_name", title().empty() ? Value() : Value(title()))
        .set("sector_size", std::int64_t{header.sector_size})
        .set("hashes", number(counts.hashes))
        .set("blocks", number(counts.blocks))
        .set("encrypted", number(encrypted()))
        .set("deleted", number(counts.deleted))
        .set("unreachable", number(counts.unreachable))
        .set("code_page", std::string(code_page_word(code_page())))
        .set("listfile", archive_->has_listfile());
  }

 private:
  [[nodiscard]] std::size_t nameless() const {
    return static_cast<std::size_t>(std::count_if(
        entries_.begin(), entries_.end(), [](const ArchiveEntry& entry) { return entry.name.empty(); }));
  }
  [[nodiscard]] std::size_t encrypted() const {
    return static_cast<std::size_t>(
        std::count_if(entries_.begin(), entries_.end(),
                      [](const ArchiveEntry& entry) { return entry.has(ArchiveEntry::kEncrypted); }));
  }

  std::shared_ptr<const mpq::Archive> archive_;
  std::vector<ArchiveEntry> entries_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> by_place_;  ///< place in the hash table, index
};

}  // namespace

std::shared_ptr<const Archive> as_archive(std::shared_ptr<const mpq::Archive> archive) {
  return std::make_shared<MpqArchive>(std::move(archive));
}

}  // namespace thaw
