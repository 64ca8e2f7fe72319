// What both forms of a model have in common, MDX and MDL.
#pragma once

#include <thaw/mdx.hpp>

#include "formats/descriptor.hpp"

namespace thaw::mdx {

inline constexpr std::string_view kSceneOptions =
    "profile bake-global scale clip team-color replaceable every max-error";

extern const RuleBook kRules;
Result<scene::Scene> open_scene(const open::SceneContext& context, const AnyDocument& any);
Fixed fix(const AnyDocument& any, const ValidateOptions& options, const std::vector<std::string_view>& codes);

}  // namespace thaw::mdx
