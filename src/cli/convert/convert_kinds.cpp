#include "cli/convert/convert_kinds.hpp"

#include "cli/report/text.hpp"

#include <algorithm>
#include <array>

namespace thaw::cli {
namespace {

struct ConvertKind {
  JobKind kind;
  std::string_view formats;  ///< ids, separated by blanks
  std::string_view targets;  ///< words of --to
};

constexpr std::string_view kSources = "source no-default-sources";
constexpr std::string_view kGltf = "png-level";
constexpr std::string_view kTextures = "blp1 blp2 dds tga png jpeg";
constexpr std::string_view kScenes = "glb gltf";

constexpr std::array kKinds = {
    ConvertKind{{"models to .glb and .gltf",
                 {kSources, kGltf, "profile scale clip team-color replaceable every max-error"}},
                "mdx mdl",
                kScenes},
    ConvertKind{{"models to .mdx", {"format-version weights"}}, "mdx mdl", "mdx"},
    ConvertKind{{"models to .mdl", {"format-version weights precision indent line-ending mdl-dialect plain"}},
                "mdx mdl",
                "mdl"},
    ConvertKind{
        {"morph models to .glb and .gltf", {kSources, kGltf, "scale every max-error"}}, "mrf", kScenes},
    ConvertKind{
        {"M3 models to .glb and .gltf", {kSources, kGltf, "scale lod collision listfile"}}, "m3", kScenes},
    ConvertKind{
        {"buildings to .glb and .gltf", {kSources, kGltf, "profile scale doodad-set collision portals"}},
        "wmo",
        kScenes},
    ConvertKind{{"buildings to other versions", {kSources}}, "wmo", "wmo-v14 wmo-v17"},
    ConvertKind{{"animations to .glb and .gltf", {"skeleton clip root-motion bones"}}, "mrn nsa", kScenes},
    ConvertKind{{"models of Forgelight to .glb and .gltf", {kSources, kGltf, "materials"}}, "dme", kScenes},
    ConvertKind{{"actors of Forgelight to .glb and .gltf",
                 {kSources, kGltf, "materials skeleton clip root-motion lod"}},
                "adr",
                kScenes},
    ConvertKind{{"textures to .png", {"png-level max-size"}}, kTextures, "png"},
    ConvertKind{{"textures to .blp", {"encoding quality no-mipmaps max-size"}}, kTextures, "blp"},
    ConvertKind{
        {"textures to .dds and .blp of version 2", {"encoding no-mipmaps max-size"}}, kTextures, "blp2 dds"},
    ConvertKind{{"glTF to .mrf", {"scale"}}, kScenes, "mrf"},
    ConvertKind{{"glTF to .m3", {"scale format-version"}}, kScenes, "m3"},
    ConvertKind{{"glTF to animations", {"clip skeleton root-motion"}}, kScenes, "nsa mrn"},
    ConvertKind{
        {"maps to .glb and .gltf",
         {kSources, kGltf, "tiles layers terrain bake-size profile scale doodad-set collision portals"}},
        "wdt",
        kScenes},
    ConvertKind{{"far terrain to .glb and .gltf", {"scale"}}, "wdl", kScenes},
    ConvertKind{{"maps to heightmaps", {"tiles grid height-range scale png-level"}}, "wdt wdl", "heightmap"},
    ConvertKind{{"maps to pictures of their parts", {"tiles png-level"}}, "wdt wdl", "maps"},
    ConvertKind{
        {"maps to minimaps", {kSources, "tiles bake-size lights hour time png-level"}}, "wdt wdl", "minimap"},
    ConvertKind{{"maps to later tiles", {"tiles"}}, "wdt", "adt-lk"},
    ConvertKind{{"later tiles to maps", {"tiles"}}, "wdt-lk adt", "wdt"},
};

bool has(std::string_view words, std::string_view word) {
  const auto list = split(words, ' ');
  return std::find(list.begin(), list.end(), word) != list.end();
}

}  // namespace

const JobKind* convert_kind(Format format, std::string_view target) {
  const auto* found = std::find_if(kKinds.begin(), kKinds.end(), [&](const ConvertKind& entry) {
    return has(entry.formats, format.id()) && has(entry.targets, target);
  });
  return found == kKinds.end() ? nullptr : &found->kind;
}

std::vector<const JobKind*> convert_kinds() {
  std::vector<const JobKind*> kinds;
  kinds.reserve(kKinds.size());
  for (const auto& entry : kKinds) {
    kinds.push_back(&entry.kind);
  }
  return kinds;
}

}  // namespace thaw::cli
