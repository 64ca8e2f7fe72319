// Tables of the game as text (SYLK): what events mean (mdx.md#event-objects).
#pragma once

#include <thaw/bytes.hpp>
#include <thaw/sources.hpp>

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace thaw::open {

/// Cells by the first column of their row and by the head of their column. Letters' case does not matter.
class Slk {
 public:
  explicit Slk(ByteView text);

  /// None if there is no such row or column.
  [[nodiscard]] std::optional<std::string> cell(std::string_view row, std::string_view column) const;

 private:
  std::map<std::string, std::map<std::string, std::string>> rows_;
};

/// The tables of the game, each read once.
class GameTables {
 public:
  /// The sources must outlive it.
  explicit GameTables(const Sources& sources) : sources_(sources) {}

  /// Null if no source has it.
  const Slk* find(const std::string& path) {
    const auto [entry, fresh] = tables_.try_emplace(path);
    if (fresh) {
      if (const auto found = sources_.find(path)) {
        entry->second.emplace(found->bytes);
      }
    }
    return entry->second ? &*entry->second : nullptr;
  }

 private:
  const Sources& sources_;
  std::map<std::string, std::optional<Slk>> tables_;
};

/// Of a picture that events lay on the ground, by its name in the tables.
inline std::string splat_path(std::string_view file) {
  return std::string("ReplaceableTextures\\Splats\\").append(file).append(".blp");
}

}  // namespace thaw::open
