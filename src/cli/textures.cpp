#include "cli/textures.hpp"

namespace thaw::cli {

TextureFolders::TextureFolders(const Settings& settings) : use_defaults_(!settings.no_default_sources) {
  for (const auto& folder : settings.sources) {
    named_.push_back(open(folder));
  }
}

Sources TextureFolders::for_model(const std::filesystem::path& model, bool from_stdin) {
  if (use_defaults_ && !from_stdin) {
    return model_sources(model, named_, [this](const std::filesystem::path& folder) { return open(folder); });
  }
  Sources sources;
  for (const auto& layer : named_) {
    sources.add(layer);
  }
  return sources;
}

std::shared_ptr<const Source> TextureFolders::open(const std::filesystem::path& folder) {
  const std::lock_guard lock(mutex_);
  auto& source = opened_[folder];
  if (source == nullptr) {
    source = open_folder(folder);
  }
  return source;
}

std::optional<std::string> missing_source(const Settings& settings) {
  for (const auto& folder : settings.sources) {
    std::error_code error;
    if (!std::filesystem::is_directory(folder, error)) {
      return folder;
    }
  }
  return std::nullopt;
}

}  // namespace thaw::cli
