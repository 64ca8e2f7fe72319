#include "describe/code_page_finding.hpp"

#include <thaw/bytes.hpp>

namespace thaw {

void report_code_page(const std::vector<std::string>& names, CodePage page, Diagnostics& diagnostics) {
  if (page == CodePage::automatic || names.empty()) {
    return;
  }
  // cp1252 is what `to_utf8` assumes of all that is not UTF-8.
  const Code code = codes::kNamesCodePage.as(page == CodePage::cp1252 ? Severity::info : Severity::warning);
  diagnostics.add(code, "the encoding " + std::string(code_page_word(page)) + " is guessed for " +
                            std::to_string(names.size()) +
                            (names.size() == 1 ? " name (" : " names (the first is ") +
                            to_utf8(names.front(), page) + "); set another with --encoding-of-names");
}

}  // namespace thaw
