// Skeletons and animations of Forgelight.
#pragma once

#include <thaw/mrn_scene.hpp>

#include "cli/convert/exporters.hpp"

#include <functional>

namespace thaw::cli {

/// What --clip says that cannot be; empty if nothing does.
std::string objection_to_clips(const SceneSettings& settings);

/// Which clips --clip means; empty for all. Names of more than 1000 bytes match nothing.
std::function<bool(std::string_view)> wanted_clips(const SceneSettings& settings);

/// --skeleton FILE[:NAME].
struct SkeletonChoice {
  std::string file;
  std::string name;
};
SkeletonChoice parse_skeleton(const std::string& text);

/// --bone-map: a file, or a program whose names are known.
Result<mrn::BoneNames> read_bone_names(const Settings& settings);

/// The file of a choice.
Result<mrn::Document> read_network(const SkeletonChoice& choice, const Settings& settings,
                                   Diagnostics& findings);

}  // namespace thaw::cli
