#pragma once

#include <thaw/diagnostics.hpp>

#include <algorithm>
#include <string_view>

namespace thaw::test {

inline bool has(const Diagnostics& findings, std::string_view code) {
  const auto& items = findings.items();
  return std::any_of(items.begin(), items.end(),
                     [&](const Diagnostic& finding) { return finding.code.id == code; });
}
inline bool has(const Diagnostics& findings, const Code& code) { return has(findings, code.id); }

}  // namespace thaw::test
