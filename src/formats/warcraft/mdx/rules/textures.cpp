// TEXS: paths, replaceable ids, use.
#include "bytes/text.hpp"
#include "formats/warcraft/mdx/rules/table.hpp"
#include "formats/warcraft/mdx/rules/usage.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace thaw::mdx::rules {
namespace {

void texture_duplicate(const Model& model, Report& report) {
  std::map<std::tuple<std::string, std::uint32_t, std::uint32_t>, std::size_t> seen;
  for (std::size_t i = 0; i < model.textures.size(); ++i) {
    const auto& texture = model.textures[i];
    const auto [other, is_new] = seen.emplace(
        std::tuple(ascii::lowered(texture->path.view()), texture->replaceable_id, texture->flags), i);
    if (!is_new) {
      report.add(texture.path, say("the texture is identical to texture ", other->second));
    }
  }
}

/// Whether a component of the path is "..".
bool leaves_folder(std::string_view path) {
  std::size_t end = 0;
  do {
    end = std::min(path.find_first_of("/\\"), path.size());
    if (path.substr(0, end) == "..") {
      return true;
    }
    path.remove_prefix(std::min(end + 1, path.size()));
  } while (!path.empty());
  return false;
}

constexpr std::array kTextureRules = {
    ModelRule(
        "mdx.texture-none", {kWarning, kInfo, kInfo}, "no textures",
        "Geosets and emitters without a texture are not drawn. Add a texture.",
        once([](const Model& model) { return model.textures.empty() ? "the model has no textures" : ""; })),
    ModelRule("mdx.texture-extension", always(kError), "unexpected extension of a texture path",
              "The game loads only .blp, .tga, .tif and .dds; the path is probably damaged. Correct it.",
              each<&Model::textures, "path">([](const Texture& texture) {
                const auto path = texture.path.view();
                return !path.empty() && !is_texture_path(path)
                           ? say("\"", path, "\" does not end in .blp, .tga, .tif or .dds")
                           : "";
              })),
    ModelRule(
        "mdx.texture-replaceable-unknown", {kError, kSevere, kError}, "unknown replaceable id",
        "Known ids are 1 team colour, 2 team glow, 11 cliff, 21 cursor and 31 to 37 trees. Use 0 for none.",
        each<&Model::textures, "replaceableId">([](const Texture& texture) {
          return !is_replaceable(texture.replaceable_id)
                     ? say("unknown replaceable id ", texture.replaceable_id)
                     : "";
        })),
    ModelRule(
        "mdx.texture-path-and-replaceable", always(kWarning), "texture with both a path and a replaceable id",
        "The path is not used. Remove one of them.", each<&Model::textures>([](const Texture& texture) {
          const auto path = texture.path.view();
          return !path.empty() && texture.replaceable_id != 0
                     ? say("the path \"", path, "\" is not used, because the texture has the replaceable id ",
                           texture.replaceable_id)
                     : "";
        })),
    ModelRule("mdx.texture-empty", always(kWarning), "texture without path and replaceable id",
              "It is drawn white or not at all. Set one of them.",
              each<&Model::textures>([](const Texture& texture) {
                return texture.path.view().empty() && texture.replaceable_id == 0
                           ? "the texture has neither a path nor a replaceable id"
                           : "";
              })),
    ModelRule("mdx.texture-unused", always(kUnused), "unused texture",
              "It wastes memory. A texture of an unused material counts as unused, too.", kFixable,
              [](const Model& model, Report& report) {
                report_unused(model.textures, used_textures(model),
                              "no used material or emitter refers to the texture", report);
              }),
    ModelRule("mdx.texture-duplicate", always(kUnused), "duplicate texture", "Use one of them in all layers.",
              texture_duplicate),
    ModelRule(
        "mdx.texture-path-absolute", {kWarning, kWarning, kError}, "texture path outside the game's root",
        "Paths on the author's disk do not exist on other machines. Use the path inside the map or the game.",
        each<&Model::textures, "path">([](const Texture& texture) {
          const auto path = texture.path.view();
          const bool drive = path.size() > 1 && path[1] == ':';
          return !path.empty() &&
                         (drive || path.front() == '\\' || path.front() == '/' || leaves_folder(path))
                     ? say("\"", path, "\" is not a path below the game's root")
                     : "";
        })),
    ModelRule("mdx.texture-path-blanks", always(kWarning), "texture path begins or ends with a blank",
              "The game searches for the name including the blank. Remove it.",
              each<&Model::textures, "path">([](const Texture& texture) {
                const auto path = texture.path.view();
                return !path.empty() && trimmed(path) != path
                           ? say("\"", path, "\" begins or ends with a blank")
                           : "";
              })),
    ModelRule("mdx.texture-path-bytes", {kInfo, kInfo, kWarning}, "texture path not printable ASCII",
              "Whether the game finds such files depends on the system's language. Use ASCII names.",
              each<&Model::textures, "path">([](const Texture& texture) {
                const auto path = texture.path.view();
                return std::any_of(path.begin(), path.end(), [](char c) { return c < ' ' || c > '~'; })
                           ? "the path contains bytes that are not printable ASCII"
                           : "";
              })),
    ModelRule("mdx.texture-flags", {kOff, kOff, kInfo}, "unknown texture flags",
              "Known flags are 1 (wrap width) and 2 (wrap height). Clear the others.",
              each<&Model::textures, "flags">([](const Texture& texture) {
                return texture.flags > (Texture::kWrapWidth | Texture::kWrapHeight)
                           ? say("flags ", texture.flags, " have undefined bits")
                           : "";
              })),
};

}  // namespace

std::span<const ModelRule> texture_rules() { return kTextureRules; }

}  // namespace thaw::mdx::rules
