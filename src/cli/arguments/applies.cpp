#include "cli/arguments/applies.hpp"

#include "bytes/text.hpp"

#include <algorithm>
#include <array>

namespace thaw::cli {
namespace {

/// Formats and targets are words with blanks between them. Of formats `picture` is every one that holds
/// pixels, `gltf` what other programs exchange, and `any` all; an option may have several rows.
struct Row {
  std::string_view options;
  std::string_view from;
  std::string_view to;
};

constexpr std::string_view kGltf = "glb gltf";
constexpr std::string_view kModels = "mdx mdl";
constexpr std::string_view kAnimations = "mrn nsa";

constexpr std::array kRows = {
    // How glTF is written.
    Row{"profile extras quantize compress", "any", kGltf},
    Row{"instances", "wmo wdt", kGltf},
    Row{"animations", "mdx mdl mrf m3 mrn nsa dme adr", kGltf},
    Row{"png-level quality texture-format source no-default-sources", "mdx mdl mrf m3 wmo wdt dme adr",
        kGltf},
    // What of a file becomes its scene.
    Row{"bake-global team-color replaceable", kModels, kGltf},
    Row{"swap-inheritance", kModels, kGltf},
    Row{"swap-inheritance", "gltf", kModels},
    Row{"every max-error", "mdx mdl mrf", kGltf},
    Row{"scale", "mdx mdl mrf m3 wmo wdt wdl", kGltf},
    Row{"lod", "m3 adr", kGltf},
    Row{"collision", "m3 wmo wdt", kGltf},
    Row{"listfile", "m3", kGltf},
    Row{"doodad-set portals", "wmo wdt", kGltf},
    Row{"clip", "mdx mdl dme adr mrn nsa", kGltf},
    Row{"skeleton animation root-motion", "dme adr mrn nsa", kGltf},
    Row{"bones", kAnimations, kGltf},
    Row{"materials", "dme adr", kGltf},
    Row{"tiles layers terrain bake-size", "wdt", kGltf},
    // Models of games, of glTF and of other versions.
    Row{"scale", "gltf", "mdx mdl mdx-alpha mrf m3 wmo"},
    Row{"format-version", "gltf", "mdx mdl m3 wmo"},
    Row{"onto", "gltf", "mdx mdl mdx-alpha mrf m3 wmo mrn nsa dme"},
    Row{"front", "gltf", "mdx mdl mdx-alpha mrf m3 wmo dme"},
    Row{"texture-path", "gltf", "mdx mdl mdx-alpha wmo"},
    Row{"tolerance bare", "gltf", "mdx mdl mdx-alpha"},
    Row{"sd hd", "gltf", "mdx mdl"},
    Row{"lods", "gltf", "m3 dme"},
    Row{"clip skeleton root-motion rate bone-map", "gltf", kAnimations},
    Row{"format-version weights with-textures", kModels, kModels},
    Row{"precision indent line-ending mdl-dialect plain", "mdx mdl gltf", "mdl"},
    Row{"source no-default-sources", "wmo", "wmo wmo-v14 wmo-v17"},
    Row{"format-version", "wmo", "wmo"},
    Row{"clip", "mrn", "nsa"},
    Row{"skeleton", "nsa", "mrn"},
    // Textures.
    Row{"png-level", "picture", "png"},
    Row{"encoding no-mipmaps", "picture", "blp blp2 dds"},
    Row{"quality", "picture", "blp jpg"},
    Row{"max-size disabled", "picture", "png blp blp2 dds tga jpg webp"},
    // Maps.
    Row{"tiles grid height-range scale png-level", "wdt wdl", "heightmap"},
    Row{"tiles png-level", "wdt", "maps minimap"},
    Row{"source no-default-sources bake-size lights hour", "wdt", "minimap"},
    Row{"tiles", "wdt", "adt-lk wdt"},
    Row{"move-tiles chunks move-chunks", "wdt", "wdt"},
    Row{"tiles", "wdt-lk adt", "wdt"},
};

constexpr std::array kEdits = {
    Row{"remove rename-sequence repath copy-clips bone-map add-attachment attach team-color-layer scale "
        "rotate move "
        "optimize",
        kModels,
        {}},
    Row{"repath scale move", "wmo", {}},
    Row{"repath scale rotate move", "m3", {}},
    Row{"rename-sequence", "mrn", {}},
    Row{"repath", "adr", {}},
};

bool names_format(std::string_view words, Format format) {
  return words == "any" || contains_word(words, format.id()) ||
         (contains_word(words, "picture") && format.converts_to("png")) ||
         (contains_word(words, "gltf") && format.is_interchange());
}

}  // namespace

std::string options_for(Format from, std::string_view target) {
  std::string options;
  for (const Row& row : kRows) {
    if (contains_word(row.to, target) && names_format(row.from, from)) {
      options += options.empty() ? "" : " ";
      options += row.options;
    }
  }
  return options;
}

std::string options_for_edits(Format format) {
  const auto row = std::find_if(kEdits.begin(), kEdits.end(),
                                [&](const Row& one) { return names_format(one.from, format); });
  return row == kEdits.end() ? std::string() : std::string(row->options);
}

}  // namespace thaw::cli
