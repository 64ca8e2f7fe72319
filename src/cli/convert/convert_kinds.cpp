#include "cli/convert/convert_kinds.hpp"

#include "cli/report/text.hpp"
#include "formats/list.hpp"

#include <algorithm>
#include <array>
#include <list>
#include <string>

namespace thaw::cli {
namespace {

bool has(std::string_view words, std::string_view word) {
  const auto list = split(words, ' ');
  return std::find(list.begin(), list.end(), word) != list.end();
}

struct ConvertKind {
  JobKind kind;
  std::string_view formats;  ///< ids, separated by blanks
  std::string_view targets;  ///< words of --to
};

constexpr std::string_view kSources = "source no-default-sources";
constexpr std::string_view kGltf = "png-level";
constexpr std::string_view kTextures = "blp1 blp2 dds tga png jpeg";

/// What is not made by way of a scene.
constexpr std::array kKinds = {
    ConvertKind{{"models to .mdx", {"format-version weights"}}, "mdx mdl", "mdx"},
    ConvertKind{{"models to .mdl", {"format-version weights precision indent line-ending mdl-dialect plain"}},
                "mdx mdl",
                "mdl"},
    ConvertKind{{"buildings to other versions", {kSources}}, "wmo", "wmo-v14 wmo-v17"},
    ConvertKind{{"textures to .png", {"png-level max-size"}}, kTextures, "png"},
    ConvertKind{{"textures to .blp", {"encoding quality no-mipmaps max-size"}}, kTextures, "blp"},
    ConvertKind{
        {"textures to .dds and .blp of version 2", {"encoding no-mipmaps max-size"}}, kTextures, "blp2 dds"},
    ConvertKind{{"networks to graphs", {}}, "mrn", "dot graph-json"},
    ConvertKind{{"maps to heightmaps", {"tiles grid height-range scale png-level"}}, "wdt wdl", "heightmap"},
    ConvertKind{{"maps to pictures of their parts", {"tiles png-level"}}, "wdt wdl", "maps"},
    ConvertKind{
        {"maps to minimaps", {kSources, "tiles bake-size lights hour time png-level"}}, "wdt wdl", "minimap"},
    ConvertKind{{"maps to later tiles", {"tiles"}}, "wdt", "adt-lk"},
    ConvertKind{{"later tiles to maps", {"tiles"}}, "wdt-lk adt", "wdt"},
};

/// What formats say of themselves, once for all that say the same.
class SceneKinds {
 public:
  SceneKinds() {
    for (const Format format : known_formats()) {
      const FormatDescriptor& descriptor = format.descriptor();
      if (!descriptor.models.empty()) {
        add(descriptor, concat({descriptor.models, " to .glb and .gltf"}), kModels, descriptor.scene_options);
      }
      if (const SceneWriter* writer = descriptor.from_scene) {
        add(descriptor,
            writer->made.empty() ? concat({"glTF to .", descriptor.id}) : concat({"glTF to ", writer->made}),
            kFiles, writer->options);
      }
    }
  }

  static constexpr bool kModels = true;
  static constexpr bool kFiles = false;

  /// Of the scenes of a format, or of its files that were scenes; null if there are none.
  [[nodiscard]] const JobKind* find(std::string_view id, bool models) const {
    const auto found = std::find_if(kinds_.begin(), kinds_.end(), [&](const Named& named) {
      return named.models == models && has(named.formats, id);
    });
    return found == kinds_.end() ? nullptr : &found->kind;
  }
  void add_to(std::vector<const JobKind*>& kinds) const {
    for (const Named& named : kinds_) {
      kinds.push_back(&named.kind);
    }
  }

 private:
  struct Named {
    std::string what;
    std::string formats;
    bool models;
    JobKind kind;
  };

  void add(const FormatDescriptor& format, std::string what, bool models, std::string_view options) {
    const auto known =
        std::find_if(kinds_.begin(), kinds_.end(), [&](const Named& named) { return named.what == what; });
    if (known != kinds_.end()) {
      known->formats += concat({" ", format.id});
      return;
    }
    Named& named = kinds_.emplace_back(Named{std::move(what), std::string(format.id), models, {}});
    named.kind = {named.what, {options}};
    if (models && format.textured) {
      named.kind.options = {kSources, kGltf, options};
    }
  }

  std::list<Named> kinds_;  // whose texts stay where they are
};

const SceneKinds& scene_kinds() {
  static const SceneKinds kMade;
  return kMade;
}

}  // namespace

const JobKind* convert_kind(Format format, std::string_view target) {
  if (format.is_interchange()) {
    return scene_kinds().find(target, SceneKinds::kFiles);
  }
  if (target == "glb" || target == "gltf") {
    return scene_kinds().find(format.id(), SceneKinds::kModels);
  }
  const auto* found = std::find_if(kKinds.begin(), kKinds.end(), [&](const ConvertKind& entry) {
    return has(entry.formats, format.id()) && has(entry.targets, target);
  });
  return found == kKinds.end() ? nullptr : &found->kind;
}

std::vector<const JobKind*> convert_kinds() {
  std::vector<const JobKind*> kinds;
  scene_kinds().add_to(kinds);
  for (const auto& entry : kKinds) {
    kinds.push_back(&entry.kind);
  }
  return kinds;
}

}  // namespace thaw::cli
