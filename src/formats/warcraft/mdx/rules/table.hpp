// The groups of rules, one function per subject.
#pragma once

#include "describe/rules.hpp"
#include "formats/warcraft/mdx/rules/model.hpp"

#include <span>

namespace thaw::mdx::rules {

using ModelRule = Rule<Model>;

std::span<const ModelRule> model_rules();
std::span<const ModelRule> sequence_rules();
std::span<const ModelRule> texture_rules();
std::span<const ModelRule> texture_file_rules();
std::span<const ModelRule> material_rules();
std::span<const ModelRule> geoset_rules();
std::span<const ModelRule> face_rules();
std::span<const ModelRule> skin_rules();
std::span<const ModelRule> geoset_animation_rules();
std::span<const ModelRule> node_rules();
std::span<const ModelRule> object_rules();
std::span<const ModelRule> emitter_rules();
std::span<const ModelRule> camera_rules();
std::span<const ModelRule> track_rules();
std::span<const ModelRule> track_timing_rules();

/// All groups in the order in which they run.
std::vector<std::span<const ModelRule>> all_rules();

}  // namespace thaw::mdx::rules
