// What both forms of a model have in common, MDX and MDL.
#pragma once

#include <thaw/mdx.hpp>
#include <thaw/mdx_from_scene.hpp>

#include "formats/descriptor.hpp"
#include "open/written_pictures.hpp"

namespace thaw::mdx {

inline constexpr std::string_view kSceneOptions =
    "bake-global scale clip team-color replaceable every max-error";

/// Of models whose textures Warcraft III has where they say it.
inline constexpr std::string_view kGame = "mdx";

extern const RuleBook kRules;
Result<scene::Scene> open_scene(const open::SceneContext& context, const AnyDocument& any);
/// What an order says of a model. A unit of the game is `unit` metres where neither the order nor a scene of
/// this dialect says otherwise.
FromSceneOptions options_of(const SceneToWrite& order, std::string_view dialect, float unit);
/// What the scene carries, for files beside the model; no side longer than `longest` (0: any).
std::vector<std::pair<std::string, Bytes>> encoded_pictures(const SceneToWrite& order,
                                                            const std::vector<ModelPicture>& pictures,
                                                            open::TextureKind kind,
                                                            std::uint32_t longest = 0);
/// What people are told of a model.
std::vector<Facts::Count> counts_of(const Document& document);
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
