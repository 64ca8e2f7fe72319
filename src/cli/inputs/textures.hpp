// The folders and archives in which a batch looks for textures, each of them indexed once.
#pragma once

#include <thaw/sources.hpp>

#include "cli/arguments/settings.hpp"
#include "cli/inputs/file_ids.hpp"
#include "cli/inputs/inputs.hpp"

#include <map>
#include <mutex>

namespace thaw::cli {

/// Safe to use from several threads.
class TextureFolders {
 public:
  explicit TextureFolders(const Settings& settings);

  /// A model from an archive finds its textures there, below every --source.
  [[nodiscard]] Sources for_model(const Input& model);
  /// What the listfiles call files that models know by number.
  [[nodiscard]] const FileIds& file_ids() const { return file_ids_; }
  /// The files in the model's own folder, by names that those sources know.
  [[nodiscard]] std::vector<std::string> files_next_to(const Input& model);

 private:
  std::vector<std::shared_ptr<const Source>> archives_around(const Input& model);
  std::shared_ptr<const Source> open(const std::filesystem::path& folder);

  bool use_defaults_;
  FileIds file_ids_;
  std::vector<std::shared_ptr<const Source>> named_;
  std::vector<std::filesystem::path> stated_;  ///< those of --source that are folders
  std::mutex mutex_;
  std::map<std::filesystem::path, std::shared_ptr<const Source>> opened_;
  std::map<std::string, std::shared_ptr<const Source>> opened_archives_;
};

/// Lists what a model used from outside its own folder, if anything (source.outside): files by their paths,
/// those of archives by their number.
void report_outside(const Input& model, const Sources& sources, Diagnostics& findings);

/// Says which --source is neither a folder nor an archive; empty if all is well.
std::string check_sources(const Settings& settings);

}  // namespace thaw::cli
