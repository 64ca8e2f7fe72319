#include "downloads.hpp"

#include "bytes/text.hpp"

#include <algorithm>

namespace thaw::page {
namespace {

/// As `validate --fix` writes it: what needs no mending stays as it is.
Outputs fixed_file(const ConvertInput& input, bool all, const Sources& sources, DownloadReport& report) {
  ValidateOptions options;
  options.sources = &sources;
  ValidateOptions how = options;
  how.add_missing = all;
  Fixed fixed = fix(*input.document, how);
  report.fixed = std::move(fixed.changes);
  Outputs made;
  made.files.push_back({input.name, report.fixed.empty() ? Bytes(input.bytes.begin(), input.bytes.end())
                                                         : write_any(fixed.document)});
  if (const auto again = read_any(made.files.front().bytes, {}, report.findings)) {
    const Diagnostics found = validate(*again, options);
    for (const Diagnostic& finding : found.items()) {
      report.findings.add(finding);
    }
  }
  return made;
}

}  // namespace

Value downloads_of(const AnyDocument& document) {
  const Format format = format_of(document);
  Value all = Value::List();
  for (std::string_view words = format.converts_to(); !words.empty();) {
    const std::string_view word = first_word(words);
    words.remove_prefix(std::min(words.size(), word.size() + 1));
    const auto target = find_target(format, word);
    if (!target || target->of_maps || target->needs_skeleton || target->extension.empty()) {
      continue;
    }
    Value versions = Value::List();
    for (const std::uint32_t version : find_format(word).written_versions()) {
      versions.push(version);
    }
    all.push(
        Value().set("to", word).set("extension", target->extension).set("versions", std::move(versions)));
  }
  for (const std::string_view how : {"safe", "all"}) {
    if (has_fixes(format)) {
      all.push(Value().set("fix", how));
    }
  }
  return all;
}

Result<Outputs> make_download(const ConvertInput& input, const Value& how, const OpenSceneOptions& request,
                              const Sources& sources, DownloadReport& report) {
  if (const std::string_view fix = how["fix"].text(); !fix.empty()) {
    return fixed_file(input, fix == "all", sources, report);
  }
  ConvertOptions options;
  options.scene = request;
  if (const auto version = how["version"].integer()) {
    options.model.version = static_cast<std::uint32_t>(*version);
  }
  return convert(input, {how["to"].text(), {}}, options, sources, report.findings);
}

}  // namespace thaw::page
