// add and remove: archives that change and keep everything else as it is.

#include <thaw/archive.hpp>
#include <thaw/codes.hpp>

#include <thaw/sources.hpp>

#include "cli/arguments/commands.hpp"
#include "cli/inputs/archives.hpp"
#include "cli/inputs/files_below.hpp"
#include "cli/inputs/inputs.hpp"
#include "cli/jobs/save_archive.hpp"
#include "cli/report/archive_report.hpp"
#include "cli/report/console.hpp"
#include "cli/report/report.hpp"
#include "cli/report/text.hpp"

#include <algorithm>

namespace thaw::cli {
namespace {

namespace fs = std::filesystem;

/// Empty if the command line can be carried out.
std::string check_change(const Settings& settings) {
  if (settings.output == "-") {
    return "An archive cannot be written to stdout. Name a file with -o.";
  }
  if (settings.output.empty() && !settings.force && !settings.dry_run) {
    return concat({settings.command, " needs -o OUT, or -f to overwrite the archive"});
  }
  if (const auto path = split_archive_path(settings.inputs.front()); path && !path->inner.empty()) {
    return "An archive inside another archive cannot be changed. Extract it first.";
  }
  return settings.checksums && (settings.store || settings.single_unit)
             ? "--checksums needs compressed sectors and cannot be combined with --store or --single-unit"
             : "";
}

/// What FILE=NAME says. A file may have = in its own name.
struct NamedFile {
  std::string file;
  std::string name;  ///< empty if none is given
};

bool is_there(const std::string& file) {
  std::error_code error;
  return fs::exists(file, error) || split_archive_path(file).has_value();
}

NamedFile named_file(const std::string& argument) {
  const std::size_t at = argument.rfind('=');
  return at == std::string::npos || at == 0 || is_there(argument)
             ? NamedFile{argument, ""}
             : NamedFile{argument.substr(0, at), argument.substr(at + 1)};
}

/// Its own path, if it leads downwards; else only its name.
std::string name_by_path(const fs::path& file) {
  const fs::path path = file.lexically_normal();
  return path.is_relative() && path.begin() != path.end() && *path.begin() != ".."
             ? path.generic_string()
             : path.filename().generic_string();
}

class Additions {
 public:
  explicit Additions(const Settings& settings)
      : settings_(settings), limits_(read_options(settings).limits) {}

  Result<std::vector<mpq::NewFile>> collect() {
    for (auto at = settings_.inputs.begin() + 1; at != settings_.inputs.end(); ++at) {
      if (auto added = take(named_file(*at)); !added) {
        return tl::unexpected<Error>(std::move(added.error()));
      }
    }
    return std::move(files_);
  }

 private:
  Result<void> take(const NamedFile& requested) {
    std::error_code error;
    if (fs::is_directory(requested.file, error)) {
      return take_folder(requested);
    }
    const auto inside = split_archive_path(requested.file);
    if (!inside && !fs::exists(requested.file, error)) {
      return fail(codes::kInputUnreadable, concat({to_utf8(requested.file), ": no such file"}));
    }
    const std::string name =
        !requested.name.empty() ? requested.name : name_by_path(inside ? inside->inner : requested.file);
    if (inside) {
      files_.push_back({name, [this, file = requested.file] { return read_inside(file); }});
    } else {
      files_.push_back({name, [this, file = requested.file] { return read_named(file, limits_); }});
    }
    return {};
  }

  Result<Bytes> read_inside(const std::string& file) const {
    auto bytes = read_input(named_input(file, settings_), limits_);
    if (!bytes) {
      bytes.error().message = concat({to_utf8(file), ": ", bytes.error().message});
    }
    return bytes;
  }

  Result<void> take_folder(const NamedFile& requested) {
    auto below = files_below(requested.file, {});
    if (!below) {
      return tl::unexpected<Error>(std::move(below.error()));
    }
    std::string folder = requested.name;
    while (!folder.empty() && (folder.back() == '/' || folder.back() == '\\')) {
      folder.pop_back();
    }
    for (const auto& file : *below) {
      const std::string name = folder.empty() ? file.name : concat({folder, "/", file.name});
      files_.push_back({name, [this, path = file.path] { return read_named(path, limits_); }});
    }
    return {};
  }

  const Settings& settings_;
  Limits limits_;
  std::vector<mpq::NewFile> files_;
};

Value names_json(const std::vector<std::string>& names) {
  Value list = Value::List();
  for (const auto& name : names) {
    std::string shown_name = to_utf8(name);
    std::replace(shown_name.begin(), shown_name.end(), '\\', '/');
    list.push(std::move(shown_name));
  }
  return list;
}

void report_changes(const mpq::Edited& edited, ArchiveReport& report) {
  std::string& text = report.facts;
  const auto add = [&](const std::vector<std::string>& names, std::string_view what) {
    if (!names.empty()) {
      text += concat({text.empty() ? "" : ", ", std::to_string(names.size()), " ", what});
    }
  };
  add(edited.added, "added");
  add(edited.replaced, "replaced");
  add(edited.removed, "removed");
  if (!edited.updated.empty()) {
    text += "; ";
    for (std::size_t i = 0; i < edited.updated.size(); ++i) {
      text += concat({i == 0 ? "" : ", ", to_utf8(edited.updated[i])});
    }
    text += " updated";
  }
  report.json = {{"added", names_json(edited.added)},
                 {"replaced", names_json(edited.replaced)},
                 {"removed", names_json(edited.removed)},
                 {"updated", names_json(edited.updated)}};
}

/// Why archives of this kind cannot be changed, and what to do instead.
std::string why_fixed(ArchiveKind kind) {
  switch (kind) {
    case ArchiveKind::network:
      return "Animation networks cannot be changed as archives. Add animations with `thaw convert walk.glb "
             "--skeleton X.mrn -o Y.mrn`.";
    case ArchiveKind::pack1:
      return "Packs cannot be changed in place. Use `thaw extract`, then `thaw pack`.";
    case ArchiveKind::pack2:
      return "Packs (PACK2) can only be read. Use `thaw extract`, then `thaw pack` to write a PACK1.";
    default:
      return "CASC installations can only be read. Use `thaw extract` to copy files out of one.";
  }
}

/// `names` are names of its files that no list may have; `before` is of the archive, before it was read.
int change_archive(const Settings& settings, const OpenedArchive& archive, const mpq::Changes& changes,
                   std::vector<std::string> names, const std::optional<FileStamp>& before,
                   ArchiveReport report) {
  if (archive.archive->kind() != ArchiveKind::mpq) {
    return fail_with(settings.command, settings,
                     {codes::kArchiveKind, {}, {}, why_fixed(archive.archive->kind())});
  }
  auto storage = open_storage(archive.path);
  if (!storage) {
    return fail_with(settings.command, settings, storage.error());
  }
  mpq::EditOptions options;
  options.packing = {!settings.store, settings.single_unit, settings.checksums};
  options.open.names = std::move(names);
  options.open.limits = archive_limits(settings);
  options.open.code_page = archive.archive->code_page();
  for (const auto& finding : archive.findings.items()) {
    if (finding.code == codes::kNamesCodePage) {
      report.findings.add(finding);
    }
  }
  const CodePageScope scope(archive.archive->code_page());  // names are reported as it has them
  for (const auto& entry : archive.archive->entries()) {
    options.open.names.push_back(entry.name);  // of --listfile, too
  }
  const std::string output = settings.output.empty() ? archive.path.string() : settings.output;
  std::error_code error;
  const bool in_place = fs::equivalent(archive.path, output, error);
  Settings saving = settings;
  saving.force = settings.force || (settings.output.empty() && settings.dry_run);
  return save_archive(
      saving, output,
      [&](Sink& out, ArchiveReport& reported) {
        return mpq::edit(*storage, changes, options, out, reported.findings)
            .map([&](const mpq::Edited& edited) { report_changes(edited, reported); });
      },
      std::move(report), nullptr, in_place ? before : std::nullopt);
}

}  // namespace

int run_add(const Settings& settings) {
  if (const std::string why = check_change(settings); !why.empty()) {
    return usage_error("add", why);
  }
  const auto before = stamp_of(settings.inputs.front());
  Archives archives(settings);
  const auto archive = archives.open(settings.inputs.front());
  if (!archive) {
    return fail_with("add", settings, archive.error());
  }
  Additions additions(settings);
  mpq::Changes changes;
  auto files = additions.collect();
  if (!files) {
    return fail_with("add", settings, files.error());
  }
  changes.add = std::move(*files);
  return change_archive(settings, **archive, changes, {}, before, {"add", "changed", ""});
}

int run_remove(const Settings& settings) {
  if (const std::string why = check_change(settings); !why.empty()) {
    return usage_error("remove", why);
  }
  const auto before = stamp_of(settings.inputs.front());
  Archives archives(settings);
  const auto archive = archives.open(settings.inputs.front());
  if (!archive) {
    return fail_with("remove", settings, archive.error());
  }
  const auto chosen = choose_entries(**archive, {settings.inputs.begin() + 1, settings.inputs.end()});
  if (!chosen) {
    return fail_with("remove", settings, chosen.error());
  }
  mpq::Changes changes;
  std::vector<std::string> names;
  for (const auto& entry : *chosen) {
    names.push_back(entry.name);
    if (std::find(changes.remove.begin(), changes.remove.end(), entry.hash) == changes.remove.end()) {
      changes.remove.push_back(entry.hash);
    }
  }
  return change_archive(settings, **archive, changes, std::move(names), before, {"remove", "changed", ""});
}

}  // namespace thaw::cli
