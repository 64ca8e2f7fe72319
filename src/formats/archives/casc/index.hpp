// Positions of encoded files in the archives: sixteen files of sorted keys, looked at where they are
// (casc.md#indices).
#pragma once

#include <thaw/casc.hpp>

#include "formats/archives/casc/numbers.hpp"

#include <map>

namespace thaw::casc {

/// A place in `data.NNN`, with the header before the content.
struct DataLocation {
  std::uint32_t archive = 0;
  std::uint32_t offset = 0;
  std::uint32_t size = 0;
};

/// One bucket's file, as far as it can be used.
class Bucket {
 public:
  /// `number` is that of the bucket. The finding about the file is in `fault`, empty if there is none; false
  /// for a file that gives nothing at all.
  bool read(MappedFile file, unsigned number, std::string& fault);

  [[nodiscard]] std::optional<DataLocation> find(const ShortKey& key) const;
  [[nodiscard]] std::size_t size() const { return count_; }

 private:
  void read_updates(std::size_t at);
  void sort_entries();
  [[nodiscard]] bool is_sorted() const;
  [[nodiscard]] const std::uint8_t* entry(std::size_t i) const;

  MappedFile file_;
  const std::uint8_t* entries_ = nullptr;
  std::size_t count_ = 0;
  std::vector<std::uint32_t> order_;  ///< of entries that are not sorted
  std::map<ShortKey, std::optional<DataLocation>> updates_;
};

class Index {
 public:
  /// The newest file of each bucket that can be used.
  void read(const Files& files, const std::string& folder, Diagnostics& diagnostics);

  /// None for what is not on this disk.
  [[nodiscard]] std::optional<DataLocation> find(const ShortKey& key) const;
  /// Keys in all buckets.
  [[nodiscard]] std::size_t size() const;
  /// Whether any file could be used.
  [[nodiscard]] bool is_there() const { return there_; }

 private:
  static constexpr std::size_t kBuckets = 16;
  std::array<Bucket, kBuckets> buckets_;
  bool there_ = false;
};

}  // namespace thaw::casc
