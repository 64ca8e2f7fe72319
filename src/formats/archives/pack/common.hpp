// Parts shared by both kinds of packs.
#pragma once

#include <thaw/archive.hpp>
#include <thaw/codes.hpp>

#include <utility>
#include <vector>

namespace thaw::pack {

/// All that can be wrong with a table is that it, or what it leads to, is not all there.
inline constexpr Code kTableCut = codes::kPackTable.as(Severity::severe);

/// Reads numbers and texts from a storage, forward, a window at a time. What lies after the end is not read:
/// `ok` becomes false.
class Cursor {
 public:
  Cursor(const Storage& storage, std::uint64_t at) : storage_(storage), at_(at) {}

  [[nodiscard]] bool ok() const { return ok_; }
  [[nodiscard]] std::uint64_t here() const { return at_; }
  std::uint32_t big_u32();
  std::uint32_t little_u32();
  std::uint64_t little_u64();
  /// At most a window of 64 KiB.
  std::string text(std::size_t length);

 private:
  /// `size` bytes, at most a window.
  const std::uint8_t* take(std::size_t size);

  const Storage& storage_;
  std::uint64_t at_;
  bool ok_ = true;
  Bytes window_;
  std::uint64_t window_at_ = 0;
};

/// Entries with an index of their names' hashes.
class PackArchive : public Archive {
 public:
  explicit PackArchive(std::shared_ptr<const Storage> storage) : storage_(std::move(storage)) {}

  [[nodiscard]] std::uint64_t file_size() const override { return storage_->size(); }
  [[nodiscard]] std::span<const ArchiveEntry> entries() const override { return entries_; }
  [[nodiscard]] std::optional<ArchiveEntry> find(std::string_view name) const override;

 protected:
  /// Takes an entry if it lies in the file.
  bool add(ArchiveEntry entry);
  void index_entries();
  /// The indices of all entries with this hash.
  [[nodiscard]] std::span<const std::uint32_t> with_hash(std::uint64_t hash) const;
  [[nodiscard]] ArchiveEntry& entry_at(std::size_t index) { return entries_[index]; }
  [[nodiscard]] const Storage& storage() const { return *storage_; }
  /// The stored bytes of an entry.
  [[nodiscard]] Result<Bytes> stored(const ArchiveEntry& entry, std::uint64_t most) const;

 private:
  std::shared_ptr<const Storage> storage_;
  std::vector<ArchiveEntry> entries_;
  std::vector<std::uint32_t> by_hash_;
};

}  // namespace thaw::pack
