// The folders in which a batch looks for textures, each of them indexed once.
#pragma once

#include <thaw/sources.hpp>

#include "cli/settings.hpp"

#include <map>
#include <mutex>

namespace thaw::cli {

/// Safe to use from several threads.
class TextureFolders {
 public:
  explicit TextureFolders(const Settings& settings);

  [[nodiscard]] Sources for_model(const std::filesystem::path& model, bool from_stdin);

 private:
  std::shared_ptr<const Source> open(const std::filesystem::path& folder);

  bool use_defaults_;
  std::vector<std::shared_ptr<const Source>> named_;
  std::mutex mutex_;
  std::map<std::filesystem::path, std::shared_ptr<const Source>> opened_;
};

/// The first --source that is no folder.
std::optional<std::string> missing_source(const Settings& settings);

}  // namespace thaw::cli
