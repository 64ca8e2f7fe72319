// bundle: a model with all that it needs, which lies together then and knows itself by its new paths.

#include <thaw/archive.hpp>
#include <thaw/codes.hpp>
#include <thaw/load.hpp>

#include "bytes/escape.hpp"
#include "cli/arguments/commands.hpp"
#include "cli/inputs/archives.hpp"
#include "cli/inputs/distinct.hpp"
#include "cli/inputs/textures.hpp"
#include "cli/jobs/save.hpp"
#include "cli/jobs/save_archive.hpp"
#include "cli/jobs/zip.hpp"
#include "cli/report/console.hpp"
#include "cli/report/report.hpp"
#include "cli/report/text.hpp"

#include <algorithm>
#include <map>

namespace thaw::cli {
namespace {

namespace fs = std::filesystem;

enum class BundleKind : std::uint8_t { folder, zip, map };

BundleKind bundle_kind_of(const Settings& settings) {
  const std::string extension = extension_of(settings.output);
  return extension == ".zip"                          ? BundleKind::zip
         : extension == ".w3x" || extension == ".w3m" ? BundleKind::map
                                                      : BundleKind::folder;
}

/// One that is a folder already, that ends in `/`, or whose name has no extension.
bool may_be_folder(const std::string& output) {
  std::error_code error;
  return fs::is_directory(output, error) || output.back() == '/' || extension_of(output).empty();
}

struct BundledFile {
  std::string name;  ///< in the bundle, with `/`
  Bytes bytes;
};

bool leads_to_model(std::string_view kind) { return kind.ends_with("model") || kind == "portrait"; }

/// Paths that mean one file have one key.
std::string path_key(std::string_view kind, std::string_view path) {
  return leads_to_model(kind) ? "model:" + game_path_without_extension(path) : normalize_game_path(path);
}

class Bundle {
 public:
  Bundle(const Settings& settings, Input input, BundleKind kind)
      : settings_(settings),
        input_(std::move(input)),
        folders_(settings),
        prefix_(kind == BundleKind::map ? "war3mapImported/" : "") {}

  Result<std::vector<BundledFile>> collect(Diagnostics& findings) {
    auto content = load(input_, settings_);
    if (!content) {
      return tl::unexpected<Error>(std::move(content.error()));
    }
    const auto document = read_content(*content, settings_, findings);
    if (!document) {
      return tl::unexpected<Error>(document.error());
    }
    if (document->get_if<mdx::Document>() == nullptr) {
      return fail(codes::kFormatUnsupported, "only Warcraft III models can be bundled");
    }
    const Sources sources = folders_.for_model(input_);
    OpenSceneOptions request;
    request.path = input_.member != nullptr ? input_.member->entry.name : input_.relative.generic_string();
    request.read = read_options(settings_);
    all_ = dependencies(*document, sources, request);
    name_files(request.path);
    std::vector<BundledFile> files = {{model_name_, rewritten(*document)}};
    for (const auto& one : all_) {
      if (one.state == Dependency::State::missing) {
        findings.add(one.kind == "texture" ? codes::kTextureMissing : codes::kSceneReference,
                     concat({"the ", one.kind, " ", one.path,
                             " is left out, because no source contains it; add one with --source"}),
                     {}, one.by);
      }
      const auto found =
          one.state == Dependency::State::found ? sources.find(one.name, one.asset) : std::nullopt;
      if (found) {
        files.push_back({place_of(one), changed(one, found->bytes)});
      }
    }
    report_outside(input_, sources, findings);
    return files;
  }

  [[nodiscard]] std::string facts() const {
    std::size_t missing = 0;
    for (const auto& one : all_) {
      missing += one.state == Dependency::State::missing ? 1U : 0U;
    }
    return missing > 0 ? concat({", ", std::to_string(missing), " missing"}) : std::string();
  }

 private:
  /// What the game's tables name keeps its place; everything else lies next to the model.
  void name_files(const std::string& path) {
    const std::string file(fs::path(std::string(last_part_of(path))).filename().string());
    model_name_ = prefix_ + safe_path(file).generic_string();
    (void)names_.take(model_name_);
    const fs::path portrait = fs::path(model_name_).replace_extension().generic_string() + "_portrait.mdx";
    for (const auto& one : all_) {
      if (one.state != Dependency::State::found || one.kind == "morph" || one.by_table) {
        continue;
      }
      fs::path name = fs::path(prefix_) / safe_path(one.name).filename();
      if (one.kind == "portrait") {
        name = portrait;
      }
      paths_[path_key(one.kind, one.path)] = names_.take(name).generic_string();
    }
  }

  static std::string_view last_part_of(std::string_view path) {
    return path.substr(path.find_last_of("/\\") + 1);
  }

  [[nodiscard]] std::string place_of(const Dependency& one) const {
    const auto renamed = paths_.find(path_key(one.kind, one.path));
    return renamed != paths_.end() ? renamed->second : safe_path(one.name).generic_string();
  }

  /// Models within the model have paths of their own.
  [[nodiscard]] Bytes changed(const Dependency& one, const Bytes& bytes) const {
    if (leads_to_model(one.kind)) {
      const auto document = read_any(bytes, read_options(settings_));
      if (document && document->get_if<mdx::Document>() != nullptr) {
        return rewritten(*document);
      }
    }
    return bytes;
  }

  [[nodiscard]] Bytes rewritten(const AnyDocument& document) const {
    mdx::Document copy = *document.get_if<mdx::Document>();
    mdx::for_each_path(copy, [this](std::string_view kind, FixedText<260>& path) {
      const auto renamed = paths_.find(path_key(kind, path.view()));
      if (renamed != paths_.end()) {
        std::string name = renamed->second;
        std::replace(name.begin(), name.end(), '/', '\\');
        path.assign(name);
      }
    });
    return write_any(AnyDocument(document.identity(), std::move(copy)));
  }

  const Settings& settings_;
  Input input_;
  TextureFolders folders_;
  std::string prefix_;
  std::string model_name_;
  std::vector<Dependency> all_;
  std::map<std::string, std::string> paths_;
  DistinctNames names_;
};

Value names_of(const std::vector<BundledFile>& files) {
  Value list = Value::List();
  for (const auto& file : files) {
    list.push(to_utf8(file.name));
  }
  return list;
}

/// A folder is complete or says what is missing: nothing is begun where a file is in the way.
Result<void> save_folder(const Settings& settings, const std::vector<BundledFile>& files) {
  std::error_code error;
  const fs::path folder = settings.output;
  for (const auto& file : files) {
    if (!settings.force && fs::exists(fs::symlink_status(folder / file.name, error))) {
      return fail(codes::kWriteExists, concat({to_utf8((folder / file.name).string()), ": already exists"}));
    }
  }
  for (auto at = files.rbegin(); at != files.rend() && !settings.dry_run; ++at) {
    if (auto saved = save_file(folder / at->name, at->bytes, settings.force); !saved) {
      return saved;
    }
  }
  return {};
}

int report_folder(const Settings& settings, const std::vector<BundledFile>& files,
                  const ArchiveReport& report, const Result<void>& done) {
  const std::string& input = settings.inputs.front();
  std::uint64_t size = 0;
  Value outputs = Value::List();
  for (const auto& file : files) {
    size += file.bytes.size();
    outputs.push(Value()
                     .set("path", to_utf8((fs::path(settings.output) / file.name).string()))
                     .set("size", done && !settings.dry_run ? count_value(file.bytes.size()) : Value()));
  }
  const bool color = use_color(settings, stderr_is_terminal());
  std::string text;
  for (const auto& finding : report.findings.items()) {
    const bool always = finding.code.severity >= Severity::warning || finding.code == codes::kSourceOutside ||
                        finding.code == codes::kNamesCodePage;
    text += !settings.quiet && (settings.verbose || always) ? finding_line(input, finding, color) : "";
  }
  if (!done) {
    text += finding_line(input, done.error(), color) + hint_line(done.error(), settings);
  } else if (!settings.quiet && !settings.json) {
    text += concat({shown(input), " → ", shown(settings.output), " (", human_size(size), ") · ", report.facts,
                    settings.dry_run ? " (not written)\n" : "\n"});
  }
  write_stderr(text);
  if (settings.json) {
    Value value = envelope("bundle", input, nullptr, report.findings, done ? nullptr : &done.error());
    value.set("outputs", std::move(outputs));
    value.set("status", !done ? "failed" : settings.dry_run ? "planned" : report.done);
    for (const auto& [name, member] : report.json) {
      value.set(name, member);
    }
    write_stdout(json_line(value));
  }
  return done ? kOk : exit_of(done.error());
}

std::vector<mpq::NewFile> as_new_files(const std::vector<BundledFile>& files) {
  std::vector<mpq::NewFile> result;
  for (const auto& file : files) {
    result.push_back({file.name, [&file]() -> Result<Bytes> { return file.bytes; }});
  }
  return result;
}

/// A map that is there keeps everything that it has.
Result<void> write_map(const Settings& settings, const std::vector<BundledFile>& files, Sink& out,
                       ArchiveReport& report) {
  std::error_code error;
  if (settings.force && fs::exists(settings.output, error)) {
    auto storage = open_storage(settings.output);
    if (!storage) {
      return tl::unexpected<Error>(std::move(storage.error()));
    }
    mpq::EditOptions options;
    options.open.limits = archive_limits(settings);
    return mpq::edit(*storage, {as_new_files(files), {}}, options, out, report.findings)
        .map([](const mpq::Edited&) {});
  }
  mpq::CreateOptions options;
  options.imports = true;
  options.prefix = mpq::map_header(fs::path(settings.output).stem().string(), {}, {}, report.findings);
  return mpq::create(as_new_files(files), options, out, report.findings);
}

Result<void> write_bundle_zip(const std::vector<BundledFile>& files, Sink& out) {
  std::vector<std::pair<std::string, Bytes>> named;
  for (const auto& file : files) {
    named.emplace_back(file.name, file.bytes);
  }
  return write_zip(named, out);
}

}  // namespace

int run_bundle(const Settings& settings) {
  if (settings.output.empty() || settings.output == "-") {
    return usage_error("bundle", "bundle needs -o with a folder, a .zip or a .w3x");
  }
  if (const std::string why = check_sources(settings); !why.empty()) {
    return usage_error("bundle", why);
  }
  const BundleKind kind = bundle_kind_of(settings);
  if (kind == BundleKind::folder && !may_be_folder(settings.output)) {
    return usage_error("bundle", concat({"-o ", settings.output,
                                         ": the name must end in .zip, .w3x or .w3m, or in / for a folder"}));
  }
  const auto before = kind == BundleKind::map ? stamp_of(settings.output) : std::nullopt;
  Input input = named_input(settings.inputs.front(), settings);
  if (input.relative.empty()) {
    input.relative = fs::path(input.name).filename();
  }
  Bundle bundle(settings, std::move(input), kind);
  ArchiveReport report{"bundle", "bundled", ""};
  const auto files = bundle.collect(report.findings);
  if (!files) {
    return fail_with("bundle", settings, files.error());
  }
  report.facts = counted(files->size(), "file") + bundle.facts();
  report.json = {{"files", names_of(*files)}};
  if (kind == BundleKind::folder) {
    return report_folder(settings, *files, report, save_folder(settings, *files));
  }
  return save_archive(
      settings, settings.output,
      [&](Sink& out, ArchiveReport& reported) {
        return kind == BundleKind::zip ? write_bundle_zip(*files, out)
                                       : write_map(settings, *files, out, reported);
      },
      std::move(report), nullptr, before);
}

}  // namespace thaw::cli
