#include "cli/inputs/textures.hpp"

#include <thaw/casc.hpp>
#include <thaw/codes.hpp>

#include "bytes/number_text.hpp"
#include "cli/report/text.hpp"

#include <algorithm>

namespace thaw::cli {

namespace fs = std::filesystem;

TextureFolders::TextureFolders(const Settings& settings)
    : use_defaults_(!settings.no_default_sources), file_ids_(settings) {
  Archives archives(settings);
  for (const auto& name : settings.sources) {
    std::error_code error;
    if (names_installation(name)) {
      if (const auto installation = archives.open(name)) {
        named_.push_back(casc::source((*installation)->archive, (*installation)->name));
      }
      // Loose files next to it count for more, as in the game.
      stated_.push_back((fs::path(name) / ".build.info").parent_path());
      named_.push_back(open(stated_.back()));
    } else if (fs::is_directory(name, error)) {
      stated_.emplace_back(name);
      named_.push_back(open(name));
    } else if (const auto archive = archives.open(name)) {
      named_.push_back(archive_source((*archive)->archive, (*archive)->name));
    }
  }
}

Sources TextureFolders::for_model(const Input& model) {
  if (use_defaults_ && model.name != "-") {
    return model_sources(model.path, named_, [this](const fs::path& folder) { return open(folder); },
                         {archives_around(model), stated_});
  }
  Sources sources;
  for (const auto& layer : named_) {
    sources.add_outside(layer);
  }
  return sources;
}

std::vector<std::string> TextureFolders::files_next_to(const Input& model) {
  if (!use_defaults_ || model.name == "-") {
    return {};
  }
  if (model.member == nullptr) {
    return open(fs::absolute(model.path).lexically_normal().parent_path())->files_in("");
  }
  const auto layers = archives_around(model);
  const std::string name = normalize_game_path(model.member->entry.name);
  const auto slash = name.find_last_of('/');
  return layers.back()->files_in(slash == std::string::npos ? "" : name.substr(0, slash));
}

/// The archives that a model lies in, the innermost last.
std::vector<std::shared_ptr<const Source>> TextureFolders::archives_around(const Input& model) {
  std::vector<std::shared_ptr<const Source>> layers;
  const std::lock_guard lock(mutex_);
  for (auto archive = model.member == nullptr ? nullptr : model.member->archive; archive != nullptr;
       archive = archive->parent) {
    // A model of one art looks for textures of the same.
    const bool installed = archive->archive->kind() == ArchiveKind::casc;
    const std::string near =
        installed ? model.member->entry.name.substr(0, model.member->entry.name.find('/') + 1) : "";
    auto& source = opened_archives_[archive->name + "//" + near];
    if (source == nullptr) {
      source = installed ? casc::source(archive->archive, archive->name, near + "x")
                         : archive_source(archive->archive, archive->name);
    }
    layers.insert(layers.begin(), source);
  }
  return layers;
}

std::shared_ptr<const Source> TextureFolders::open(const fs::path& folder) {
  const std::lock_guard lock(mutex_);
  auto& source = opened_[folder];
  if (source == nullptr) {
    source = open_folder(folder);
  }
  return source;
}

void report_outside(const Input& model, const Sources& sources, Diagnostics& findings) {
  const fs::path model_folder = fs::absolute(model.path).lexically_normal().parent_path();
  std::vector<std::string> files;
  std::map<std::string, std::size_t> archives;
  for (const auto& where : sources.used_outside()) {
    if (const auto inside = split_archive_path(where)) {
      ++archives[inside->file];
      continue;
    }
    const fs::path place = fs::absolute(where).lexically_normal();
    const bool near =
        model.member == nullptr &&
        std::mismatch(model_folder.begin(), model_folder.end(), place.begin(), place.end()).first ==
            model_folder.end();
    if (!near) {
      files.push_back(where);
    }
  }
  for (const auto& [archive, count] : archives) {
    files.push_back(concat({counted(count, "file"), " of ", archive}));
  }
  std::string list;
  for (const auto& file : files) {
    list += concat({list.empty() ? "" : ", ", to_utf8(file)});
  }
  if (!files.empty()) {
    findings.add(codes::kSourceOutside, concat({"textures used from outside the model's folder: ", list}));
  }
}

std::string check_sources(const Settings& settings) {
  Archives archives(settings);
  for (const auto& name : settings.sources) {
    std::error_code error;
    if (names_installation(name)) {
      if (const auto opened = archives.open(name); !opened) {
        return "--source " + name + ": " + opened.error().message;
      }
    } else if (!fs::is_directory(name, error) && !archives.open(name)) {
      return "--source " + name +
             (fs::exists(name, error) ? " is neither a folder nor an archive" : ": no such file or folder");
    }
  }
  return "";
}

}  // namespace thaw::cli
