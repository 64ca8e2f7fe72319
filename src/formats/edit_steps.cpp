#include "formats/edit_steps.hpp"

#include "bytes/escape.hpp"

namespace thaw {

void report_nothing(EditLog& log, std::string_view what) {
  log.findings.add(codes::kEditNothing, std::string(what) + ": no match");
}

std::optional<std::string> changed_text(std::string_view text, std::string_view pattern,
                                        std::string_view replacement, std::string path, EditLog& log) {
  auto now = renamed(text, pattern, replacement);
  if (!now || text.empty()) {
    return std::nullopt;
  }
  log.changes.push_back({std::move(path), shown(text) + " → " + shown(*now)});
  return now;
}

}  // namespace thaw
