// Tables of the game as text (SYLK): what events mean (mdx.md#event-objects).
#pragma once

#include <thaw/bytes.hpp>

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

}  // namespace thaw::open
