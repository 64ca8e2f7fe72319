// Maps and far terrain of World of Warcraft's alpha: many outputs of one input.
#pragma once

#include <thaw/convert.hpp>

#include "cli/inputs/textures.hpp"
#include "cli/jobs/engine.hpp"

#include <string>
#include <vector>

namespace thaw::cli {

/// Whether tiles of maps become this target. Empty: the default, glTF.
bool is_tile_target(const std::string& target);

/// Into a folder: one output per tile, in memory that does not grow with the map. Into a file: all tiles
/// together. Must outlive its jobs.
class WorldPlan {
 public:
  WorldPlan(const Settings& settings, const std::string& target, MapOptions map);

  /// What becomes of a map or far terrain.
  [[nodiscard]] std::vector<Job> jobs_of(const Input& input) const;

 private:
  [[nodiscard]] std::filesystem::path output_of(const Input& input, const std::string& name) const;

  const Settings& settings_;
  std::string target_;
  ConvertOptions options_;
  mutable TextureFolders folders_;
};

/// The job for an output of a plan, without a place for it.
Job planned_job(const Input& input, const Identity& identity, const std::shared_ptr<const ConvertPlan>& plan,
                std::size_t number);

}  // namespace thaw::cli
