// Skeletons and animations of Forgelight, to glTF and back.
#pragma once

#include "cli/makers.hpp"

#include <optional>

namespace thaw::cli {

/// What --clip says that cannot be; empty if nothing does.
std::string objection_to_clips(const Settings& settings);

/// Which clips --clip means; empty for all. Names of more than 1000 bytes match nothing.
std::function<bool(std::string_view)> wanted_clips(const Settings& settings);

/// A network, or an animation on the skeleton that --skeleton names; none for other documents.
std::optional<Result<scene::Scene>> make_animated_scene(const Work& work, const AnyDocument& document);

/// An animation of a glTF file for the skeleton that --skeleton names, as `target`: nsa, or mrn for the
/// network with that animation in the place of the one with its name.
Result<Product> make_animation(const Input& input, const Content& content, Target target,
                               const std::string& name, const Settings& settings, Diagnostics& findings);

}  // namespace thaw::cli
