#include "cli/inputs/textures.hpp"

#include <thaw/casc.hpp>

namespace thaw::cli {

TextureFolders::TextureFolders(const Settings& settings)
    : use_defaults_(!settings.no_default_sources), file_ids_(settings) {
  Archives archives(settings);
  for (const auto& name : settings.sources) {
    std::error_code error;
    if (names_installation(name)) {
      if (const auto installation = archives.open(name)) {
        named_.push_back(casc::source((*installation)->archive, (*installation)->name));
      }
      // Loose files beside it count for more, as in the game.
      named_.push_back(open((std::filesystem::path(name) / ".build.info").parent_path()));
    } else if (std::filesystem::is_directory(name, error)) {
      named_.push_back(open(name));
    } else if (const auto archive = archives.open(name)) {
      named_.push_back(archive_source((*archive)->archive, (*archive)->name));
    }
  }
}

Sources TextureFolders::for_model(const Input& model) {
  if (use_defaults_ && model.name != "-") {
    auto layers = archives_around(model);
    layers.insert(layers.end(), named_.begin(), named_.end());
    return model_sources(model.path, layers,
                         [this](const std::filesystem::path& folder) { return open(folder); });
  }
  Sources sources;
  for (const auto& layer : named_) {
    sources.add(layer);
  }
  return sources;
}

std::vector<std::string> TextureFolders::beside(const Input& model) {
  if (!use_defaults_ || model.name == "-") {
    return {};
  }
  if (model.member == nullptr) {
    return open(std::filesystem::absolute(model.path).lexically_normal().parent_path())->files_in("");
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

std::shared_ptr<const Source> TextureFolders::open(const std::filesystem::path& folder) {
  const std::lock_guard lock(mutex_);
  auto& source = opened_[folder];
  if (source == nullptr) {
    source = open_folder(folder);
  }
  return source;
}

std::string objection_to_sources(const Settings& settings) {
  Archives archives(settings);
  for (const auto& name : settings.sources) {
    std::error_code error;
    if (names_installation(name)) {
      if (const auto opened = archives.open(name); !opened) {
        return "--source " + name + ": " + opened.error().message;
      }
    } else if (!std::filesystem::is_directory(name, error) && !archives.open(name)) {
      return "--source " + name + " is neither a folder nor an archive";
    }
  }
  return "";
}

}  // namespace thaw::cli
