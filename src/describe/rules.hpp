// Rules over a subject, and the report that they write.
#pragma once

#include <thaw/control.hpp>
#include <thaw/validate.hpp>

#include "bytes/number_text.hpp"
#include "describe/offsets.hpp"

#include <cmath>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace thaw {

inline constexpr auto kError = Severity::error;
inline constexpr auto kSevere = Severity::severe;
inline constexpr auto kWarning = Severity::warning;
inline constexpr auto kUnused = Severity::unused;
inline constexpr auto kInfo = Severity::info;
inline constexpr std::nullopt_t kOff = std::nullopt;

/// Severity for targets hive, game, strict.
using Severities = std::array<std::optional<Severity>, kValidateTargets>;

/// A sentence from texts, names as the file has them (views), and numbers.
inline void append_part(std::string& text, const char* part) { text += part; }
inline void append_part(std::string& text, const std::string& part) { text += part; }
inline void append_part(std::string& text, std::string_view name) { text += to_utf8(name); }
template <class T>
  requires std::is_arithmetic_v<T>
void append_part(std::string& text, T number) {
  if constexpr (std::is_floating_point_v<T>) {
    if (std::isfinite(number)) {
      append_number(text, number);
    } else {
      text += std::isnan(number) ? "NaN" : number < 0 ? "-infinity" : "infinity";
    }
  } else {
    append_number(text, static_cast<std::int64_t>(number));
  }
}
template <class... Parts>
std::string say(const Parts&... parts) {
  std::string text;
  (append_part(text, parts), ...);
  return text;
}
/// "1 key", "2 keys".
inline std::string counted_noun(std::size_t count, std::string_view noun) {
  return say(count, " ", noun, count == 1 ? "" : "s");
}
/// A path with an index after it.
inline std::string at(std::string_view path, std::size_t index) { return say(path, "[", index, "]"); }

/// Takes the findings of one rule after the other.
class Report {
 public:
  /// Nothing is reported inside objects of `ignored_paths`.
  explicit Report(const ValidateOptions& options, std::set<std::string, std::less<>> ignored_paths = {})
      : limit_(options.limit_per_rule), control_(options.read.control), ignored_(std::move(ignored_paths)) {}

  void start(const RuleInfo& rule, Severity severity) {
    code_ = Code{rule.code, severity, rule.title};
    count_ = 0;
  }
  /// A finding at a field path; "" for the whole file.
  void add(std::string path, std::string message) {
    if (is_ignored(path)) {
      return;
    }
    if (++count_ > limit_) {
      ++suppressed_;
      return;
    }
    findings_.push_back({code_, std::nullopt, std::move(path), std::move(message)});
  }

  [[nodiscard]] const Control* control() const { return control_; }
  [[nodiscard]] std::vector<Diagnostic>& findings() { return findings_; }
  [[nodiscard]] std::size_t suppressed() const { return suppressed_; }

 private:
  [[nodiscard]] bool is_ignored(std::string_view path) const {
    for (; !path.empty() && !ignored_.empty(); path = parent_path(path)) {
      if (ignored_.find(path) != ignored_.end()) {
        return true;
      }
    }
    return false;
  }

  std::size_t limit_;
  const Control* control_;
  std::set<std::string, std::less<>> ignored_;
  Code code_{};
  std::size_t count_ = 0;
  std::size_t suppressed_ = 0;
  std::vector<Diagnostic> findings_;
};

/// What rules of a format look at that needs no preparation.
template <class Document>
struct DocumentSubject {
  const Document& document;
  const ValidateOptions& options;
};

/// A rule as it runs.
template <class Subject>
struct Rule {
  RuleInfo info;
  void (*check)(const Subject& subject, Report& report) = nullptr;
};

template <class Subject>
void run_rules(std::span<const Rule<Subject>> rules, const Subject& subject, ValidateTarget target,
               Report& report) {
  for (const auto& rule : rules) {
    if (!proceed(report.control(), "rules", static_cast<std::uint64_t>(&rule - rules.data()), rules.size())) {
      return;
    }
    if (const auto severity = rule.info.severity_for(target)) {
      report.start(rule.info, *severity);
      rule.check(subject, report);
    }
  }
}

/// Gives the findings their offsets and their order.
Diagnostics finish_report(Report& report, const Inspection& inspection);

}  // namespace thaw
