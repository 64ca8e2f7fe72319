// Trees of names (TVFS): manifests of Warcraft III, one within another (casc.md#tvfs).
#pragma once

#include <thaw/diagnostics.hpp>

#include "formats/archives/casc/numbers.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace thaw::casc {

/// A part of a file, encoded for itself.
struct Span {
  ShortKey key{};
  std::uint32_t offset = 0;  ///< in the file
  std::uint32_t size = 0;
};

/// One manifest, kept as the bytes that it is.
class Manifest {
 public:
  /// casc.table for bytes that are none.
  static Result<Manifest> read(Bytes bytes);

  /// Calls `each` with the path of every file and the place of its spans, in the order of the tree. What does
  /// not make sense is reported once, and the rest gone on with.
  void walk(const std::function<void(std::string_view path, std::uint32_t place)>& each,
            Diagnostics& diagnostics) const;
  /// The spans of a file; empty for one that is deleted or makes no sense.
  [[nodiscard]] std::vector<Span> spans(std::uint32_t place) const;
  /// The key of a file of one span; none for others. As `spans`, without a list.
  [[nodiscard]] std::optional<ShortKey> single(std::uint32_t place) const;

 private:
  struct Table {
    std::size_t offset = 0;
    std::size_t size = 0;
  };
  class Walk;

  [[nodiscard]] std::optional<Span> span(std::uint32_t place, std::size_t number) const;
  [[nodiscard]] std::size_t count(std::uint32_t place) const;

  Bytes bytes_;
  Table paths_;
  Table files_;
  Table containers_;
  std::size_t width_ = 1;  ///< of a place in the table of containers
};

}  // namespace thaw::casc
