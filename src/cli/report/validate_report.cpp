#include <thaw/version.hpp>
#include <thaw/xml.hpp>

#include "bytes/escape.hpp"
#include "bytes/text_encoding.hpp"
#include "cli/commands/validate.hpp"
#include "cli/report/console.hpp"
#include "cli/report/text.hpp"

#include <map>

namespace thaw::cli {
namespace {

Value finding_with_help(const Diagnostic& finding) {
  const auto rule = find_rule(finding.code.id);
  Value value = finding_json(finding);
  value.set("help", rule ? rule->help : finding.code.summary);
  value.set("fixable", rule && rule->fixable);
  return value;
}

const std::string& subject_of(const Examined& file) {
  return file.subject.empty() ? file.name : file.subject;
}

std::string_view sarif_level(Severity severity) {
  return severity >= Severity::severe ? "error" : severity == Severity::warning ? "warning" : "note";
}

Value sarif_location(const Examined& file, const Diagnostic& finding) {
  Value physical;
  physical.set("artifactLocation", Value().set("uri", percent_encoded(to_utf8(subject_of(file)), "/")));
  if (finding.offset) {
    physical.set("region",
                 Value().set("byteOffset", static_cast<std::int64_t>(*finding.offset)).set("byteLength", 0));
  }
  Value location;
  location.set("physicalLocation", std::move(physical));
  if (!finding.path.empty()) {
    Value logical = Value::List();
    logical.push(Value().set("fullyQualifiedName", shown(finding.path)));
    location.set("logicalLocations", std::move(logical));
  }
  return Value::List{std::move(location)};
}

Value sarif_result(const Examined& file, const Diagnostic& finding) {
  Value result;
  result.set("ruleId", finding.code.id);
  result.set("level", sarif_level(finding.code.severity));
  result.set("message",
             Value().set("text", shown(finding.message.empty() ? finding.code.summary : finding.message)));
  result.set("locations", sarif_location(file, finding));
  result.set("properties", Value().set("severity", severity_name(finding.code.severity)));
  return result;
}

/// Calls `use(finding)` for every finding of a file and for what made it fail.
template <class F>
void for_each_finding(const Examined& file, F&& use) {
  for (const auto& finding : file.findings.items()) {
    use(finding);
  }
  if (file.error) {
    use(*file.error);
  }
}

std::string severity_word(const std::optional<Severity>& severity) {
  return severity ? std::string(severity_name(*severity)) : "–";
}

std::string_view group_of(std::string_view code) {
  const std::size_t dot = code.find('.');
  const std::size_t end = code.find('-', dot + 1);
  return code.substr(0, end);
}

}  // namespace

std::string validate_text(const Examined& file, const Settings& settings, bool color) {
  std::string text;
  for (const auto& fixed : file.fixed) {
    text += concat({shown(file.name), ": fixed ", fixed.code, ": ", shown(fixed.message), " [",
                    shown(fixed.path), "]\n"});
  }
  std::size_t hidden = 0;
  // What is found often is reported once: each code where it was first found, with its count.
  std::map<std::pair<Severity, std::string_view>, std::size_t> times;
  for (const auto& finding : file.findings.items()) {
    ++times[{finding.code.severity, finding.code.id}];
  }
  std::size_t repeated = 0;
  for (const auto& finding : file.findings.items()) {
    if (settings.quiet || (!settings.verbose && finding.code.severity <= Severity::info)) {
      ++hidden;
      continue;
    }
    std::size_t& left = times[{finding.code.severity, finding.code.id}];
    if (settings.verbose) {
      text += finding_line(subject_of(file), finding, color);
    } else if (left > 0) {
      const std::size_t others = left - 1;
      repeated += others;
      std::string line = finding_line(subject_of(file), finding, color);
      if (others > 0) {
        line.insert(line.size() - 1, concat({" – ", std::to_string(left), " times"}));
      }
      text += line;
      left = 0;
    }
  }
  if (!settings.quiet && file.originals && !file.originals->empty()) {
    const std::size_t more = file.originals->size() - 1;
    text += concat({shown(file.name), ": original ", shown(file.originals->front()),
                    more > 0 ? concat({" and ", counted(more, "other file")}) : "", "\n"});
  }
  if (!settings.quiet) {
    const std::size_t total = file.findings.items().size() + file.findings.suppressed();
    text += shown(file.name) + ": " + (file.passed ? "passed" : "failed") + ", " + counted(total, "finding");
    if (hidden > 0 || repeated > 0) {
      text += concat(
          {" (", hidden > 0 ? concat({std::to_string(hidden), " of severity info, "}) : std::string(),
           repeated > 0 ? concat({std::to_string(repeated), " more of the codes above, "}) : std::string(),
           "show all with -v)"});
    }
    text += file.written.empty() ? "\n" : concat({"; written to ", shown(file.written), "\n"});
  }
  return text;
}

Value validate_json(const Examined& file) {
  Value value = envelope("validate", file.name, file.identified ? &file.identity : nullptr, Diagnostics(),
                         file.error ? &*file.error : nullptr);
  value.set("read", file.read);
  value.set("passed", file.passed && !file.error);
  Value findings = Value::List();
  Value counts = Value::Object();
  std::map<Severity, std::int64_t> by_severity;
  for (const auto& finding : file.findings.items()) {
    findings.push(finding_with_help(finding));
    ++by_severity[finding.code.severity];
  }
  for (const auto severity :
       {Severity::error, Severity::severe, Severity::warning, Severity::unused, Severity::info}) {
    counts.set(severity_name(severity), by_severity[severity]);
  }
  value.set("counts", std::move(counts));
  if (file.originals) {
    Value originals = Value::List();
    for (const auto& path : *file.originals) {
      originals.push(to_utf8(path));
    }
    value.set("originals", std::move(originals));
  }
  value.set("more", static_cast<std::int64_t>(file.findings.suppressed()));
  value.set("findings", std::move(findings));
  Value fixed = Value::List();
  for (const auto& one : file.fixed) {
    fixed.push(
        Value().set("code", one.code).set("path", to_utf8(one.path)).set("message", to_utf8(one.message)));
  }
  value.set("fixed", std::move(fixed));
  value.set("written", file.written.empty() ? Value() : Value(to_utf8(file.written)));
  if (file.output) {
    Value output;
    output.set("path", to_utf8(file.output->path.generic_string()))
        .set("size", count_value(file.output->size.value_or(0)));
    value.set("outputs", Value::List{std::move(output)});
    value.set("status", file.written.empty() ? "planned" : "written");
  }
  return value;
}

namespace {

Value sarif_rule(std::string_view code, std::string_view title, std::string_view help) {
  return Value()
      .set("id", code)
      .set("shortDescription", Value().set("text", title))
      .set("help", Value().set("text", help));
}

}  // namespace

std::string sarif_begin() {
  Value rules = Value::List();
  for (const auto& rule : validation_rules()) {
    rules.push(sarif_rule(rule.code, rule.title, rule.help));
  }
  for (const auto& code : codes::all()) {
    if (!find_rule(code.id)) {
      rules.push(sarif_rule(code.id, code.summary, code.summary));
    }
  }
  Value driver;
  driver.set("name", "thaw").set("version", version()).set("rules", std::move(rules));
  const Value tool = Value().set("driver", std::move(driver));
  return concat(
      {R"({"$schema":"https://json.schemastore.org/sarif-2.1.0.json","version":"2.1.0","runs":[{"tool":)",
       to_json(tool), ",\"results\":[\n"});
}

std::string sarif_results(const Examined& file) {
  std::string text;
  for_each_finding(file, [&](const Diagnostic& finding) {
    text += concat({text.empty() ? "" : kSarifBetween, to_json(sarif_result(file, finding))});
  });
  return text;
}

std::string sarif_end(bool complete) {
  return concat({"\n],\"invocations\":[{\"executionSuccessful\":", complete ? "true" : "false", "}]}]}\n"});
}

std::string junit_suite(const Examined& file) {
  std::string lines;
  for_each_finding(
      file, [&](const Diagnostic& finding) { lines += finding_line(subject_of(file), finding, false); });
  std::string result;
  if (file.error) {
    result = concat({"<error type=\"", file.error->code.id, "\" message=\"",
                     xml::escape(shown(file.error->message)), "\">", xml::escape(lines), "</error>"});
  } else if (!file.passed) {
    result = concat({"<failure message=\"", counted(file.findings.items().size(), "finding"), "\">",
                     xml::escape(lines), "</failure>"});
  } else if (!lines.empty()) {
    result = concat({"<system-out>", xml::escape(lines), "</system-out>"});
  }
  const std::string name = xml::escape(shown(file.name));
  const bool failed = !file.error && !file.passed;
  return concat({" <testsuite name=\"", name, R"(" tests="1" failures=")", failed ? "1" : "0", "\" errors=\"",
                 file.error ? "1" : "0", "\">\n  <testcase classname=\"thaw.validate\" name=\"", name, "\">",
                 result, "</testcase>\n </testsuite>\n"});
}

std::string rules_text() {
  std::string text;
  for (const auto& rule : validation_rules()) {
    text += concat({rule.code, "  ", rule.title, rule.fixable ? "  (--fix)" : "", "\n"});
  }
  return text;
}

namespace {

/// Its severity for each target, as `severity_for` says.
template <class F>
Value rule_json(std::string_view code, std::string_view title, std::string_view help, bool fixable,
                F&& severity_for) {
  Value severities;
  for (const auto target : {ValidateTarget::hive, ValidateTarget::game, ValidateTarget::strict}) {
    const std::optional<Severity> severity = severity_for(target);
    severities.set(target_name(target), severity ? Value(severity_name(*severity)) : Value());
  }
  return Value()
      .set("code", code)
      .set("title", title)
      .set("help", help)
      .set("severity", std::move(severities))
      .set("fixable", fixable);
}

}  // namespace

Value rules_json(std::string_view code) {
  Value list = Value::List();
  for (const auto& rule : validation_rules()) {
    if (code.empty() || rule.code == code) {
      list.push(rule_json(rule.code, rule.title, rule.help, rule.fixable,
                          [&](ValidateTarget target) { return rule.severity_for(target); }));
    }
  }
  for (const auto& known : codes::all()) {
    if (known.id == code && !find_rule(code)) {
      list.push(rule_json(known.id, known.summary, "", false,
                          [&](ValidateTarget) { return std::optional(known.severity); }));
    }
  }
  Value value;
  value.set("schema", "thaw.validate.rules/2").set("tool", "thaw").set("version", version());
  value.set("rules", std::move(list));
  return value;
}

std::string rules_page() {
  std::string page =
      "# Rules of `thaw validate`\n\nWritten by `thaw validate --list-rules --format markdown`. "
      "Severities are for the targets hive, game and strict; – where the rule does not apply. *fixable*: "
      "`--fix` "
      "does it.\n";
  std::string_view group;
  for (const auto& rule : validation_rules()) {
    if (group_of(rule.code) != group) {
      group = group_of(rule.code);
      page += concat({"\n## ", group, "\n"});
    }
    page += concat({"\n### ", rule.code, "\n\n", rule.title, rule.fixable ? " · *fixable*" : "", "\n\n`",
                    severity_word(rule.severity[0]), "` · `", severity_word(rule.severity[1]), "` · `",
                    severity_word(rule.severity[2]), "`\n\n", rule.help, "\n"});
  }
  return page;
}

std::string explain_code(std::string_view code) {
  if (const auto rule = find_rule(code)) {
    return concat(
        {rule->code, ": ", rule->title, "\n\n", rule->help, "\n\nhive: ", severity_word(rule->severity[0]),
         ", game: ", severity_word(rule->severity[1]), ", strict: ", severity_word(rule->severity[2]),
         rule->fixable ? "\n--fix fixes it.\n" : "\n"});
  }
  for (const auto& known : codes::all()) {
    if (known.id == code) {
      return concat({known.id, ": ", known.summary, "\n\n", severity_name(known.severity), "\n"});
    }
  }
  return "";
}

}  // namespace thaw::cli
