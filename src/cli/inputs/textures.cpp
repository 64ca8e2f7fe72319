#include "cli/inputs/textures.hpp"

namespace thaw::cli {

TextureFolders::TextureFolders(const Settings& settings)
    : use_defaults_(!settings.no_default_sources), file_ids_(settings) {
  Archives archives(settings);
  for (const auto& name : settings.sources) {
    std::error_code error;
    if (std::filesystem::is_directory(name, error)) {
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
    auto& source = opened_archives_[archive->name];
    if (source == nullptr) {
      source = archive_source(archive->archive, archive->name);
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
    if (!std::filesystem::is_directory(name, error) && !archives.open(name)) {
      return "--source " + name + " is neither a folder nor an archive";
    }
  }
  return "";
}

}  // namespace thaw::cli
