#include <thaw/version.hpp>

#include "bytes/percent.hpp"
#include "cli/console.hpp"
#include "cli/text.hpp"
#include "cli/validate.hpp"

#include <map>

namespace thaw::cli {
namespace {

Value finding_with_help(const Diagnostic& finding) {
  const auto rule = find_rule(finding.code.id);
  Value value = finding_json(finding);
  value.set("help", rule ? rule->help : finding.code.summary);
  value.set("mendable", rule && rule->mendable);
  return value;
}

std::string_view sarif_level(Severity severity) {
  return severity >= Severity::severe ? "error" : severity == Severity::warning ? "warning" : "note";
}

Value sarif_location(const Examined& file, const Diagnostic& finding) {
  Value physical;
  physical.set("artifactLocation", Value().set("uri", percent_encoded(to_utf8(file.name), "/")));
  if (finding.offset) {
    physical.set("region",
                 Value().set("byteOffset", static_cast<std::int64_t>(*finding.offset)).set("byteLength", 0));
  }
  Value location;
  location.set("physicalLocation", std::move(physical));
  if (!finding.path.empty()) {
    Value logical = Value::List();
    logical.push(Value().set("fullyQualifiedName", to_utf8(finding.path)));
    location.set("logicalLocations", std::move(logical));
  }
  return Value::List{std::move(location)};
}

Value sarif_result(const Examined& file, const Diagnostic& finding) {
  Value result;
  result.set("ruleId", finding.code.id);
  result.set("level", sarif_level(finding.code.severity));
  result.set("message",
             Value().set("text", to_utf8(finding.message.empty() ? finding.code.summary : finding.message)));
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

std::string xml(std::string_view text) {
  std::string out;
  for (const char c : to_utf8(text)) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        // Control characters have no form in XML 1.0.
        out += static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t' ? '?' : c;
    }
  }
  return out;
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
  for (const auto& mended : file.mended) {
    text += concat({to_utf8(file.name), ": mended ", mended.code, ": ", to_utf8(mended.message), " [",
                    to_utf8(mended.path), "]\n"});
  }
  std::size_t hidden = 0;
  for (const auto& finding : file.findings.items()) {
    const bool told = !settings.quiet && (settings.verbose || finding.code.severity > Severity::info);
    text += told ? finding_line(file.name, finding, color) : "";
    hidden += told ? 0 : 1;
  }
  if (!settings.quiet && file.originals && !file.originals->empty()) {
    const std::size_t more = file.originals->size() - 1;
    text += concat({to_utf8(file.name), ": original ", to_utf8(file.originals->front()),
                    more > 0 ? concat({" and ", counted(more, "other file")}) : "", "\n"});
  }
  if (!settings.quiet) {
    const std::size_t total = file.findings.items().size() + file.findings.suppressed();
    text +=
        to_utf8(file.name) + ": " + (file.passed ? "passed" : "failed") + ", " + counted(total, "finding");
    text += hidden > 0 ? concat({" (", std::to_string(hidden), " of severity info, -v shows them)"}) : "";
    text += file.written.empty() ? "\n" : concat({"; written to ", to_utf8(file.written), "\n"});
  }
  return text;
}

Value validate_json(const Examined& file) {
  Value value = envelope("validate", file.name, file.identified ? &file.identity : nullptr, Diagnostics(),
                         file.error ? &*file.error : nullptr);
  value.set("passed", file.passed);
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
  Value mended = Value::List();
  for (const auto& one : file.mended) {
    mended.push(
        Value().set("code", one.code).set("path", to_utf8(one.path)).set("message", to_utf8(one.message)));
  }
  value.set("mended", std::move(mended));
  value.set("written", file.written.empty() ? Value() : Value(to_utf8(file.written)));
  return value;
}

std::string validate_sarif(const std::vector<Examined>& files) {
  std::map<std::string, Value> rules;
  Value results = Value::List();
  for (const auto& file : files) {
    for_each_finding(file, [&](const Diagnostic& finding) {
      results.push(sarif_result(file, finding));
      const auto rule = find_rule(finding.code.id);
      rules.emplace(finding.code.id,
                    Value()
                        .set("id", finding.code.id)
                        .set("shortDescription", Value().set("text", finding.code.summary))
                        .set("help", Value().set("text", rule ? rule->help : finding.code.summary)));
    });
  }
  Value list = Value::List();
  for (auto& [code, rule] : rules) {
    list.push(std::move(rule));
  }
  Value driver;
  driver.set("name", "thaw").set("version", version()).set("rules", std::move(list));
  Value run;
  run.set("tool", Value().set("driver", std::move(driver))).set("results", std::move(results));
  Value log;
  log.set("$schema", "https://json.schemastore.org/sarif-2.1.0.json").set("version", "2.1.0");
  log.set("runs", Value::List{std::move(run)});
  return to_json(log) + '\n';
}

std::string validate_junit(const std::vector<Examined>& files) {
  std::string cases;
  std::size_t failures = 0;
  std::size_t errors = 0;
  for (const auto& file : files) {
    cases += concat({R"(  <testcase classname="thaw.validate" name=")", xml(file.name), "\">"});
    std::string lines;
    for_each_finding(file,
                     [&](const Diagnostic& finding) { lines += finding_line(file.name, finding, false); });
    if (file.error) {
      ++errors;
      cases += concat({"<error type=\"", file.error->code.id, "\" message=\"", xml(file.error->message),
                       "\">", xml(lines), "</error>"});
    } else if (!file.passed) {
      ++failures;
      cases += concat({"<failure message=\"", counted(file.findings.items().size(), "finding"), "\">",
                       xml(lines), "</failure>"});
    } else if (!lines.empty()) {
      cases += concat({"<system-out>", xml(lines), "</system-out>"});
    }
    cases += "</testcase>\n";
  }
  const std::string counts = concat({"tests=\"", std::to_string(files.size()), "\" failures=\"",
                                     std::to_string(failures), "\" errors=\"", std::to_string(errors), "\""});
  return concat({"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites ", counts,
                 ">\n <testsuite name=\"thaw\" ", counts, ">\n", cases, " </testsuite>\n</testsuites>\n"});
}

std::string rules_text() {
  std::string text;
  for (const auto& rule : validation_rules()) {
    text += concat({rule.code, "  ", rule.title, rule.mendable ? "  (--fix)" : "", "\n"});
  }
  return text;
}

namespace {

/// Its severity for each target, as `severity_for` says.
template <class F>
Value rule_json(std::string_view code, std::string_view title, std::string_view help, bool mendable,
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
      .set("mendable", mendable);
}

}  // namespace

Value rules_json(std::string_view code) {
  Value list = Value::List();
  for (const auto& rule : validation_rules()) {
    if (code.empty() || rule.code == code) {
      list.push(rule_json(rule.code, rule.title, rule.help, rule.mendable,
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
  value.set("schema", "thaw.validate.rules/1").set("tool", "thaw").set("version", version());
  value.set("rules", std::move(list));
  return value;
}

std::string rules_page() {
  std::string page =
      "# Rules of `thaw validate`\n\nWritten by `thaw validate --list-rules --format markdown`; a test "
      "compares. "
      "Severities are for the targets hive, game and strict; – where the rule does not apply. *mendable*: "
      "`--fix` "
      "does it.\n";
  std::string_view group;
  for (const auto& rule : validation_rules()) {
    if (group_of(rule.code) != group) {
      group = group_of(rule.code);
      page += concat({"\n## ", group, "\n"});
    }
    page += concat({"\n### ", rule.code, "\n\n", rule.title, rule.mendable ? " · *mendable*" : "", "\n\n`",
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
         rule->mendable ? "\n--fix mends it.\n" : "\n"});
  }
  for (const auto& known : codes::all()) {
    if (known.id == code) {
      return concat({known.id, ": ", known.summary, "\n\n", severity_name(known.severity), "\n"});
    }
  }
  return "";
}

}  // namespace thaw::cli
