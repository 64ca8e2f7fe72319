// Maps and far terrain of World of Warcraft's alpha: many outputs of one input.
#pragma once

#include <thaw/wdt.hpp>

#include "cli/convert/make_tiles.hpp"
#include "cli/jobs/engine.hpp"

#include <memory>
#include <string>
#include <vector>

namespace thaw::cli {

/// A map that is open, with what its outputs share.
struct OpenMap;

/// Into a folder: one output per tile, in memory that does not grow with the map. Into a file: all tiles
/// together. Must outlive its jobs.
class WorldPlan {
 public:
  /// `world` is complete.
  WorldPlan(const Settings& settings, const std::string& target, WorldSettings world);

  /// What becomes of a map or far terrain.
  [[nodiscard]] std::vector<Job> jobs_of(const Input& input) const;

 private:
  Job job_of(const std::shared_ptr<OpenMap>& map, std::vector<wdt::TilePosition> tiles, bool building) const;
  Result<Product> make(OpenMap& map, const Job& job, const std::vector<wdt::TilePosition>& tiles,
                       bool building, Diagnostics& findings) const;
  void open_far(OpenMap& map) const;
  [[nodiscard]] bool makes_scenes() const;
  [[nodiscard]] bool makes_one() const;
  [[nodiscard]] std::filesystem::path output_of(const OpenMap& map,
                                                const std::vector<wdt::TilePosition>& tiles) const;

  const Settings& settings_;
  WorldTarget target_;
  std::string word_;
  WorldSettings world_;
  mutable TextureFolders folders_;
};

}  // namespace thaw::cli
