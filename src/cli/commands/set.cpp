#include <thaw/edit.hpp>

#include "bytes/escape.hpp"
#include "cli/arguments/commands.hpp"
#include "cli/inputs/open.hpp"
#include "cli/jobs/single_output.hpp"
#include "cli/report/console.hpp"
#include "cli/report/report.hpp"
#include "cli/report/text.hpp"

#include <algorithm>

namespace thaw::cli {
namespace {

constexpr JobKind kEditedFiles{"edited files", {"patch strict"}};

Value paths_json(const Opened& opened, const std::vector<SettableField>& fields) {
  Value value = opened_envelope("set.paths", opened);
  Value list = Value::List();
  for (const auto& field : fields) {
    list.push(Value()
                  .set("path", field.path)
                  .set("type", field.type)
                  .set("range", field.range.empty() ? Value() : Value(field.range))
                  .set("value", field.value));
  }
  value.set("paths", std::move(list));
  return value;
}

int report_paths(const Settings& settings) {
  if (settings.inputs.size() != 1 || !settings.output.empty() || !settings.patch_file.empty()) {
    return usage_error("set", "--paths takes one file and no edits, -o or --patch");
  }
  const Opened opened = open_document(settings.inputs.front(), settings);
  const Exit exit = report_findings(opened, settings);
  std::vector<SettableField> fields;
  if (opened.document) {
    fields = settable_fields(*opened.document);
  }
  if (settings.json) {
    write_stdout(json_line(paths_json(opened, fields)));
    return exit;
  }
  std::string text;
  for (const auto& field : fields) {
    text += concat({shown(field.path), "  ", field.type, field.range.empty() ? "" : "  ", field.range, "  = ",
                    shown(field.value), "\n"});
  }
  write_stdout(text);
  return exit;
}

/// `like FILE` is an edit, too: what lists hold that are empty here.
Result<void> carry_out(Editor& editor, const std::string& edit, const Settings& settings) {
  constexpr std::string_view kLike = "like ";
  if (edit.substr(0, kLike.size()) != kLike) {
    return editor.edit(edit);
  }
  auto other = open_document(edit.substr(kLike.size()), settings);
  return other.document ? editor.learn(*other.document)
                        : Result<void>(tl::unexpected<Error>(error_in(edit, std::move(*other.failure))));
}

Result<Bytes> edited(const Settings& settings, OutputReport& file) {
  auto opened = open_document(settings.inputs.front(), settings);
  if (!opened.document) {
    return tl::unexpected<Error>(std::move(*opened.failure));
  }
  add_not_understood(opened.findings, file.findings);
  Editor editor(*opened.document);
  if (!settings.patch_file.empty()) {
    const auto patch = load_text(settings.patch_file, settings);
    auto done = patch.and_then([&](const std::string& json) { return editor.patch(json); });
    if (!done) {
      return tl::unexpected<Error>(
          error_in(concat({"--patch ", settings.patch_file}), std::move(done.error())));
    }
  }
  for (std::size_t i = 1; i < settings.inputs.size(); ++i) {
    if (auto done = carry_out(editor, settings.inputs[i], settings); !done) {
      return tl::unexpected<Error>(std::move(done.error()));
    }
  }
  return editor.document(read_options(settings), file.result)
      .and_then([&](const AnyDocument& document) { return write_as_named(document, settings); })
      .map_error([&](Error error) {
        const bool of_version = std::any_of(settings.inputs.begin() + 1, settings.inputs.end(),
                                            [](const auto& edit) { return edit.substr(0, 5) == "VERS."; });
        error.message += error.code == codes::kBuildDiffers && of_version
                             ? "; use `thaw convert --format-version` to change the version"
                             : "";
        return error;
      });
}

}  // namespace

int run_set(const Settings& settings) {
  if (settings.paths) {
    return report_paths(settings);
  }
  if (settings.inputs.size() < 2 && settings.patch_file.empty()) {
    return usage_error("set", "set needs an edit such as PATH=VALUE, or --patch FILE");
  }
  return make_file(settings, "set", "changed", kEditedFiles, {settings.inputs.front()}, true,
                   [&](OutputReport& file) { return edited(settings, file); });
}

}  // namespace thaw::cli
