// Parts shared by both forms of a model, MDX and MDL.
#pragma once

#include <thaw/mdx.hpp>

#include "convert/written_pictures.hpp"
#include "formats/descriptor.hpp"

namespace thaw::mdx {

/// Of models whose textures Warcraft III has where they say it.
inline constexpr std::string_view kGame = "mdx";

extern const RuleBook kRules;
Result<scene::Scene> open_scene(const open::SceneContext& context, const AnyDocument& any);
/// What an order says of a model. A unit of the game is `unit` metres where neither the order nor a scene of
/// this dialect says otherwise.
FromSceneOptions options_of(const WriteContext& context, std::string_view dialect, float unit);
/// What the scene contains, for files next to the model; no side longer than `longest` (0: any).
std::vector<OutputFile> encoded_pictures(const WriteContext& context,
                                         const std::vector<ModelPicture>& pictures,
                                         conversion::TextureKind kind, std::uint32_t longest = 0);
/// Counts of a model, for reports to people.
std::vector<Facts::Count> counts_of(const Document& document);
/// A model of a scene, with its pictures encoded for its version.
struct WrittenModel {
  Document document;
  std::vector<OutputFile> pictures;  ///< names and content
  std::optional<double> deviation;   ///< ModelOfScene::deviation; none for what was merged with an original
};
Result<WrittenModel> model_of_scene(const WriteContext& context);
/// The same as a file, whose content `bytes` gives.
Result<Outputs> write_model(const WriteContext& context,
                            Bytes (*bytes)(const Document&, const WriteContext&));
Fixed fix(const AnyDocument& any, const ValidateOptions& options, const std::vector<std::string_view>& codes,
          Diagnostics& findings);

}  // namespace thaw::mdx
