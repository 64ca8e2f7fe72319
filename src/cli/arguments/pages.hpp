// The pages of docs/user, which the build puts into the command: thaw help PAGE.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace thaw::cli {

struct Page {
  std::string_view name;  ///< of its file, without the extension
  std::string_view text;  ///< Markdown

  /// Its first heading.
  [[nodiscard]] std::string_view title() const;
};

/// Sorted by name.
std::span<const Page> pages();
/// Null if there is none.
const Page* find_page(std::string_view name);

/// A page in lines of the terminal's width: links and pictures become their text, rows of tables two columns.
std::string page_text(const Page& page);

}  // namespace thaw::cli
