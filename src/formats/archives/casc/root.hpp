// The other two kinds of roots: Warcraft III's list as text, and World of Warcraft's blocks of numbered files
// (casc.md#text-root, casc.md#world-of-warcraft).
#pragma once

#include <thaw/diagnostics.hpp>

#include "formats/archives/casc/numbers.hpp"

#include <functional>
#include <string_view>
#include <vector>

namespace thaw::casc {

/// Whether the bytes are lines of `path|key|…`.
bool is_text_root(ByteView bytes);

/// Calls `each` with the path and the content key of every line that has both.
void walk_text_root(ByteView bytes, const std::function<void(std::string_view path, const Key& key)>& each);

/// World of Warcraft's root, kept as the bytes that it is, with the place of each file's content key.
class NumberedRoot {
 public:
  struct Row {
    std::uint32_t id = 0;
    std::uint32_t place = 0;  ///< of the content key in the bytes
  };

  /// Of files that share a number the first is taken that has a requested locale, then one that has one of
  /// `instead`. casc.table for bytes that are no root.
  static Result<NumberedRoot> read(Bytes bytes, std::uint32_t requested, std::uint32_t instead,
                                   Diagnostics& diagnostics);

  /// Sorted by number.
  [[nodiscard]] const std::vector<Row>& rows() const { return rows_; }
  /// The place in `rows` of a number, or of a name's hash.
  [[nodiscard]] std::optional<std::uint32_t> row_of(std::uint32_t id) const;
  [[nodiscard]] std::optional<std::uint32_t> row_of_hash(std::uint64_t hash) const;
  /// The hash of the name of a number, by a table that `hashes_by_id` makes once; none if it has none.
  [[nodiscard]] std::vector<std::pair<std::uint32_t, std::uint64_t>> hashes_by_id() const;
  [[nodiscard]] Key key(const Row& row) const;
  /// Numbers that files of other locales alone have.
  [[nodiscard]] std::size_t others() const { return others_; }
  /// "3", "1": the generation, for people.
  [[nodiscard]] std::string_view generation() const { return generation_; }

 private:
  class Reader;
  struct Named {
    std::uint64_t hash = 0;
    std::uint32_t id = 0;
  };

  Bytes bytes_;
  std::vector<Row> rows_;
  std::vector<Named> names_;  ///< sorted by hash
  std::size_t others_ = 0;
  std::string_view generation_;
};

}  // namespace thaw::casc
