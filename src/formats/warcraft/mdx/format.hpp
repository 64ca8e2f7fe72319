// What both forms of a model have in common, MDX and MDL.
#pragma once

#include <thaw/mdx.hpp>

#include "formats/descriptor.hpp"

namespace thaw::mdx {

inline constexpr std::string_view kSceneOptions =
    "profile bake-global scale clip team-color replaceable every max-error";

extern const RuleBook kRules;
Result<scene::Scene> open_scene(const open::SceneContext& context, const AnyDocument& any);
/// A model of a scene, with its pictures encoded for its version.
struct WrittenModel {
  Document document;
  std::vector<std::pair<std::string, Bytes>> pictures;  ///< names and content
};
Result<WrittenModel> model_of_scene(const SceneToWrite& order);
/// The same as a file, whose content `bytes` gives.
Result<SceneFile> write_model(const SceneToWrite& order,
                              Bytes (*bytes)(const Document&, const SceneToWrite&));
inline constexpr std::string_view kWriterOptions =
    "scale format-version sd hd tolerance bare texture-path onto";
Fixed fix(const AnyDocument& any, const ValidateOptions& options, const std::vector<std::string_view>& codes);

}  // namespace thaw::mdx
