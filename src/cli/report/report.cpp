#include "cli/report/report.hpp"

#include <thaw/codes.hpp>
#include <thaw/version.hpp>

#include "bytes/escape.hpp"
#include "bytes/text_encoding.hpp"
#include "cli/report/console.hpp"
#include "cli/report/text.hpp"

#include <algorithm>
#include <array>

namespace thaw::cli {
namespace {

Style style_of(Severity severity) {
  switch (severity) {
    case Severity::error:
    case Severity::severe:
      return Style::red;
    case Severity::warning:
      return Style::yellow;
    default:
      return Style::cyan;
  }
}

Value schema_head(std::string_view command, std::string_view kind) {
  Value value;
  value.set("schema", "thaw." + std::string(command) + std::string(kind) + "/2");
  value.set("tool", "thaw");
  value.set("version", version());
  return value;
}

}  // namespace

std::string finding_line(std::string_view input, const Diagnostic& finding, bool color) {
  std::string line = shown(input) + ':';
  if (finding.offset) {
    line += offset_text(*finding.offset) + ':';
  }
  line += ' ';
  line += paint(style_of(finding.code.severity), severity_name(finding.code.severity), color);
  line += ' ';
  line += finding.code.id;
  line += ": ";
  line += shown(finding.message.empty() ? finding.code.summary : finding.message);
  if (!finding.path.empty()) {
    line += " [" + shown(finding.path) + ']';
  }
  return line + '\n';
}

namespace {

/// Whether a list of the formats helps: not with empty or encrypted files or manifests, nor where the message
/// itself says what to do.
bool is_of_another_format(const Diagnostic& error) {
  const std::string& text = error.message;
  if (error.code == codes::kFormatUnknown) {
    return !text.ends_with("is empty") && !text.ends_with("key is missing") &&
           text.find("not a manifest") == std::string::npos;
  }
  return error.code == codes::kFormatForeign && text.find("this is ") != std::string::npos &&
         text.find_first_of("`;") == std::string::npos;
}

bool is_of_no_conversion(std::string_view text) {
  return text.find("be converted to") != std::string_view::npos || text.ends_with("does not convert it");
}

/// Whether a repair helps and the message does not say so itself.
bool is_of_damaged_installation(const Diagnostic& error) {
  const bool damaged = error.code == codes::kCascData || error.code == codes::kCascTable ||
                       error.code == codes::kCascInstallation;
  return damaged && error.message.find("launcher") == std::string::npos &&
         error.message.find("supported") == std::string::npos;
}

}  // namespace

std::string hint_line(const Diagnostic& error, const Settings& settings) {
  const auto is = [&](const Code& code) { return error.code == code; };
  std::string_view hint;
  if (is_of_another_format(error)) {
    hint = "`thaw formats` lists the supported formats";
  } else if (is(codes::kFormatUnsupported) && is_of_no_conversion(error.message)) {
    hint = "`thaw formats` lists the possible conversions";
  } else if (is_of_damaged_installation(error)) {
    hint = "repair the game with its launcher";
  } else if (is(codes::kWorldNoTile) && error.message.find("no ground") == std::string::npos) {
    hint = "`thaw info` lists the map's tiles";
  } else if (is(codes::kInputTooLarge) && error.message.ends_with(" pixels")) {
    hint = "--max-pixels sets the limit (15 bytes per pixel)";
  } else if (is(codes::kInputTooLarge) && error.message.find("input limit") != std::string::npos) {
    hint = "--max-input sets the limit";  // other limits are fixed, or follow from the size of an archive
  } else if (is(codes::kOutOfTime)) {
    hint = "--timeout sets the limit";
  } else if (is(codes::kTooManyPixels)) {
    hint = "--max-pixels sets the limit";
  } else if (is(codes::kSceneTooLarge)) {
    hint = "--max-scene sets the limit";
  } else if (is(codes::kOutputTooLarge)) {
    hint = "--max-output sets the limit";
  } else if (is(codes::kOutOfMemory)) {
    hint = settings.max_memory ? "--max-memory sets the limit; -j 1 needs the least memory"
                               : "-j 1 needs the least memory";
  } else if (is(codes::kWriteExists)) {
    hint = "overwrite it with -f";
  } else if (is(codes::kInputUnreadable) && error.message == "is a folder") {
    hint = "-r searches folders";
  } else if (settings.strict && error.code.id.starts_with("read.")) {
    hint = "--strict stops at the first damaged part; without it, thaw reads the rest of the file";
  }
  return hint.empty() ? "" : "  hint: " + std::string(hint) + '\n';
}

bool is_answer(const Diagnostic& finding) { return finding.code == codes::kMergeConflict; }

bool is_not_understood(const Diagnostic& finding) { return finding.code == codes::kMdlUnknown; }

void add_not_understood(const Diagnostics& found, Diagnostics& findings) {
  for (const auto& finding : found.items()) {
    if (is_not_understood(finding)) {
      findings.add(finding.code, finding.message, {}, finding.path);
    }
  }
}

namespace {

/// What is shown without -v although it is no fault.
bool is_always_shown(const Diagnostic& finding) {
  return is_not_understood(finding) || finding.code == codes::kSourceOutside ||
         finding.code == codes::kNamesCodePage || finding.code == codes::kOptimizeTracks;
}

}  // namespace

Exit exit_of(const Diagnostics& findings) {
  return std::any_of(findings.items().begin(), findings.items().end(), is_not_understood) ? kDifferent : kOk;
}

std::string finding_lines(std::string_view input, const Diagnostics& findings, const Settings& settings,
                          bool color) {
  std::string lines;
  for (const auto& finding : findings.items()) {
    if (settings.quiet && !is_answer(finding)) {
      continue;
    }
    if (settings.verbose || finding.code.severity >= Severity::error || is_always_shown(finding)) {
      lines += finding_line(input, finding, color);
    }
  }
  if (settings.verbose && !settings.quiet && findings.suppressed() > 0) {
    lines += shown(input) + ": " + counted(findings.suppressed(), "more finding") + '\n';
  }
  return lines;
}

Exit exit_of(const Error& error) {
  constexpr std::array kLimits = {codes::kInputTooLarge, codes::kOutOfTime,     codes::kOutOfMemory,
                                  codes::kTooManyPixels, codes::kSceneTooLarge, codes::kOutputTooLarge,
                                  codes::kWorldTooLarge};
  if (std::find(kLimits.begin(), kLimits.end(), error.code) != kLimits.end()) {
    return kRefused;
  }
  if (error.code == codes::kDied) {
    return kBug;
  }
  return error.code.id.substr(0, 6) == "write." ? kUnwritable : kUnreadable;
}

Value finding_json(const Diagnostic& finding) {
  Value value;
  value.set("code", finding.code.id);
  value.set("severity", severity_name(finding.code.severity));
  value.set("offset", finding.offset ? Value(static_cast<std::int64_t>(*finding.offset)) : Value());
  value.set("path", finding.path);
  value.set("message", finding.message.empty() ? finding.code.summary : std::string_view(finding.message));
  return value;
}

std::string failure_lines(std::string_view input, const Diagnostics& findings, const Error& error,
                          const Settings& settings) {
  const bool color = use_color(settings, stderr_is_terminal());
  return finding_lines(input, findings, settings, color) + finding_line(input, error, color) +
         hint_line(error, settings);
}

Exit fail_with(const std::string& input, const Error& error) {
  write_stderr(finding_line(input, error, false));
  return exit_of(error);
}

Exit fail_with(std::string_view command, const Settings& settings, const Error& error) {
  const std::string& name = settings.inputs.front();
  write_stderr(failure_lines(name, Diagnostics(), error, settings));
  if (settings.json) {
    write_stdout(json_line(envelope(command, name, nullptr, Diagnostics(), &error)));
  }
  return exit_of(error);
}

Error error_in(std::string_view other, Error error) {
  const std::string_view text = error.message.empty() ? error.code.summary : std::string_view(error.message);
  const std::string place = error.offset ? concat({":", offset_text(*error.offset)}) : "";
  error.message = concat({other, place, ": ", text});
  error.offset.reset();
  return error;
}

Value envelope(std::string_view command, std::string_view input, const Identity* identity,
               const Diagnostics& findings, const Error* error) {
  Value value = schema_head(command, "");
  value.set("input", to_utf8(input));
  value.set("ok", error == nullptr);
  const bool known = identity != nullptr;
  value.set("format", known ? Value(identity->format.id()) : Value());
  value.set("dialect", known && !identity->dialect.empty() ? Value(identity->dialect) : Value());
  value.set("format_version", known && identity->version ? Value(*identity->version) : Value());
  Value list = Value::List();
  for (const auto& finding : findings.items()) {
    list.push(finding_json(finding));
  }
  if (error != nullptr) {
    list.push(finding_json(*error));
  }
  value.set("diagnostics", std::move(list));
  if (findings.suppressed() > 0) {
    value.set("suppressed", static_cast<std::int64_t>(findings.suppressed()));
  }
  return value;
}

Value summary_envelope(std::string_view command, bool ok) {
  Value value = schema_head(command, ".summary");
  value.set("ok", ok);
  return value;
}

std::string json_line(const Value& value) { return to_json(value) + '\n'; }

}  // namespace thaw::cli
