// The table from content keys to encoded keys, searched as it is (casc.md#encoding).
#pragma once

#include <thaw/diagnostics.hpp>

#include "formats/archives/casc/numbers.hpp"

#include <vector>

namespace thaw::casc {

/// What the table says of a content key.
struct Content {
  std::uint64_t size = 0;
  std::vector<Key> encoded;  ///< the usual one first
};

class Encoding {
 public:
  /// As much of the table as is there; damage is reported. With `check`, checksums of pages are looked at.
  static Result<Encoding> read(Bytes bytes, bool check, Diagnostics& diagnostics);

  [[nodiscard]] std::optional<Content> find(const Key& content) const;

 private:
  void look_at_pages(bool check, Diagnostics& diagnostics);
  [[nodiscard]] const std::uint8_t* first_key(std::size_t page) const;

  Bytes bytes_;
  std::size_t index_ = 0;  ///< where the list of pages begins
  std::size_t pages_ = 0;  ///< where the pages begin
  std::size_t page_size_ = 0;
  std::size_t count_ = 0;
  std::vector<std::uint32_t> order_;  ///< of pages that are not sorted
};

}  // namespace thaw::casc
