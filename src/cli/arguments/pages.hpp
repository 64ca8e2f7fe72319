// The pages of docs, which the build puts into the command: thaw help PAGE, thaw help format NAME.
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

/// Of docs/user, then of docs/library, each sorted by name.
std::span<const Page> pages();
/// Of docs/formats, sorted by name.
std::span<const Page> format_pages();
/// Which pages are for which job and word: docs/user/README.md.
std::string_view page_index();
/// Null if there is none.
const Page* find_page(std::string_view name, std::span<const Page> among = pages());

/// A page in lines of the terminal's width: links and pictures become their text, rows of tables two columns.
std::string page_text(const Page& page);

}  // namespace thaw::cli
