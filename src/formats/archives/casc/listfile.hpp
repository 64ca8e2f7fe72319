// Paths by number and numbers by path, from the list files of the community: `id;path` in each line, or a
// path alone (casc.md#list-files).
#pragma once

#include <thaw/casc.hpp>

namespace thaw::casc {

class ListFile {
 public:
  explicit ListFile(std::vector<std::shared_ptr<const Bytes>> texts);

  /// The path of a number; empty if no line has it. Of several the last counts.
  [[nodiscard]] std::string_view path(std::uint32_t id) const;
  /// The number of a path, by the hash of the path; none if no line has it.
  [[nodiscard]] std::optional<std::uint32_t> id(std::uint64_t hash) const;
  /// Paths that stand without a number, by their hashes.
  [[nodiscard]] std::string_view path_of_hash(std::uint64_t hash) const;
  /// Numbers that have a path.
  [[nodiscard]] std::size_t size() const { return numbered_.size(); }

 private:
  struct Line {
    std::uint32_t id = 0;
    std::uint32_t text = 0;
    std::uint32_t offset = 0;
    std::uint32_t size = 0;
  };
  struct Hashed {
    std::uint64_t hash = 0;
    std::uint32_t line = 0;
  };
  void read(std::uint32_t text);
  [[nodiscard]] std::string_view path_at(const Line& line) const;

  std::vector<std::shared_ptr<const Bytes>> texts_;
  std::vector<Line> numbered_;  ///< sorted by number
  std::vector<Line> bare_;
  std::vector<Hashed> by_hash_;       ///< of `numbered_`, sorted
  std::vector<Hashed> bare_by_hash_;  ///< of `bare_`, sorted
};

}  // namespace thaw::casc
