// Rules over a subject, and the report that they write.
#pragma once

#include <thaw/control.hpp>
#include <thaw/validate.hpp>

#include "bytes/number_text.hpp"
#include "describe/offsets.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
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

/// Everybody agrees on how bad it is.
constexpr Severities always(Severity severity) { return {severity, severity, severity}; }
struct Fixable {};
inline constexpr Fixable kFixable;

/// A rule as it runs: a row of a table. What it looks at is a function, or one of the forms below.
template <class Subject>
struct Rule {
  using Check = void (*)(const Subject& subject, Report& report);

  constexpr Rule() = default;
  constexpr Rule(std::string_view code, Severities severity, std::string_view title, std::string_view help,
                 Check the_check)
      : info{code, severity, title, help}, check(the_check) {}
  constexpr Rule(std::string_view code, Severities severity, std::string_view title, std::string_view help,
                 Fixable /*fixable*/, Check the_check)
      : info{code, severity, title, help, true}, check(the_check) {}

  RuleInfo info;
  Check check = nullptr;
};

// --- Rules that ask one question
//
//   once<"lightCount">([](const Document& document) { return document.light_count < 0 ? "no lights" : ""; })
//   each<&Model::lights, "type">([](const Light& light) {
//     return light.type > 2 ? say("type ", light.type) : "";
//   })
//
// The first asks about the document, the second about every light. The answer is what is wrong with the field
// of that name, or empty. A question may also take the subject, or the document in it, as its last parameter.

/// The answer to a question.
struct Fault {
  Fault() = default;
  Fault(const char* the_text) : text(the_text) {}
  Fault(std::string_view the_text) : text(the_text) {}
  Fault(std::string the_text) : text(std::move(the_text)) {}

  /// The finding is at an element of the field.
  [[nodiscard]] Fault at(std::size_t the_index) && {
    index = the_index;
    return std::move(*this);
  }

  std::string text;
  std::optional<std::size_t> index;
};

/// The answer about the first element with which something is wrong.
template <class Question>
Fault first_of(std::size_t count, const Question& question) {
  for (std::size_t i = 0; i < count; ++i) {
    if (Fault fault = question(i); !fault.text.empty()) {
      return std::move(fault).at(i);
    }
  }
  return {};
}

/// How many are wrong, and which is the first of them.
struct FaultCount {
  std::size_t count = 0;
  std::size_t first = 0;

  void add(std::size_t index) { first = count++ == 0 ? index : first; }
};
/// Of the indices below `count`.
template <class F>
FaultCount count_faults(std::size_t count, const F& is_wrong) {
  FaultCount found;
  for (std::size_t i = 0; i < count; ++i) {
    if (is_wrong(i)) {
      found.add(i);
    }
  }
  return found;
}

/// The name of a field below what a rule looks at.
template <std::size_t kSize>
struct FieldName {
  constexpr FieldName(const char (&text)[kSize]) { std::copy_n(text, kSize, characters.begin()); }
  [[nodiscard]] constexpr std::string_view view() const { return {characters.data(), kSize - 1}; }

  std::array<char, kSize> characters{};
};

template <class Question, class Subject, class... Value>
Fault ask(const Subject& subject, const Value&... value) {
  if constexpr (std::is_invocable_v<Question, const Value&...>) {
    return Question{}(value...);
  } else if constexpr (std::is_invocable_v<Question, const Value&..., const Subject&>) {
    return Question{}(value..., subject);
  } else {
    return Question{}(value..., subject.document);
  }
}

/// Reports what is wrong with a field of what lies at a path; both may be empty.
void report_fault(Report& report, std::string path, std::string_view field, Fault fault);

/// A rule with a question about the document.
template <FieldName kField = "", class Question>
constexpr auto once(Question /*question*/) {
  return [](const auto& subject, Report& report) -> void {
    if (Fault fault = ask<Question>(subject); !fault.text.empty()) {
      report_fault(report, "", kField.view(), std::move(fault));
    }
  };
}

/// A path, or what makes it where that takes time.
template <class Path>
std::string path_text(const Path& path) {
  if constexpr (std::is_invocable_v<Path>) {
    return path();
  } else {
    return path;
  }
}

/// A rule with a question about each item of a list of the subject, or about each value for which
/// `kItems(subject, use)` calls `use(value, path)`.
template <auto kItems, FieldName kField = "", class Question>
constexpr auto each(Question /*question*/) {
  return [](const auto& subject, Report& report) -> void {
    const auto look = [&](const auto& value, const auto& path) {
      if (Fault fault = ask<Question>(subject, value); !fault.text.empty()) {
        report_fault(report, path_text(path), kField.view(), std::move(fault));
      }
    };
    if constexpr (!std::is_member_object_pointer_v<decltype(kItems)>) {
      kItems(subject, look);
    } else {
      for (const auto& item : subject.*kItems) {
        if constexpr (requires { *item; }) {
          look(*item, item.path);
        } else {
          look(item, item.path);
        }
      }
    }
  };
}

/// For `each`: the items of a list at a path.
template <class List, class F>
void walk(const List& list, std::string_view path, const F& use) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    use(list[i], [&] { return at(path, i); });
  }
}

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
