// TEXS: paths, replaceable ids, use.
#include "bytes/ascii.hpp"
#include "formats/warcraft/mdx/rules/table.hpp"
#include "formats/warcraft/mdx/rules/usage.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace thaw::mdx::rules {
namespace {

/// Calls `use(item, path)` for textures with a path.
template <class F>
void for_each_path(const Model& model, F&& use) {
  for (const auto& texture : model.textures) {
    if (const auto path = texture->path.view(); !path.empty()) {
      use(texture, path);
    }
  }
}

void texture_none(const Model& model, Report& report) {
  if (model.textures.empty()) {
    report.add("", "the model has no textures");
  }
}

void extension(const Model& model, Report& report) {
  for_each_path(model, [&](const Item<Texture>& texture, std::string_view path) {
    if (!is_texture_path(path)) {
      report.add(texture.path + ".path", say("\"", path, "\" ends in none of .blp .tga .tif .dds"));
    }
  });
}

void replaceable_unknown(const Model& model, Report& report) {
  for (const auto& texture : model.textures) {
    if (!is_replaceable(texture->replaceable_id)) {
      report.add(texture.path + ".replaceableId",
                 say("no game defines the replaceable id ", texture->replaceable_id));
    }
  }
}

void path_and_replaceable(const Model& model, Report& report) {
  for_each_path(model, [&](const Item<Texture>& texture, std::string_view path) {
    if (texture->replaceable_id != 0) {
      report.add(texture.path, say("\"", path, "\" and replaceable id ", texture->replaceable_id));
    }
  });
}

void texture_empty(const Model& model, Report& report) {
  for (const auto& texture : model.textures) {
    if (texture->path.view().empty() && texture->replaceable_id == 0) {
      report.add(texture.path, "neither a path nor a replaceable id");
    }
  }
}

void unused(const Model& model, Report& report) {
  const auto used = used_textures(model);
  for (std::size_t i = 0; i < used.size(); ++i) {
    if (!used[i]) {
      report.add(model.textures[i].path, "nothing that is used refers to the texture");
    }
  }
}

void texture_duplicate(const Model& model, Report& report) {
  std::map<std::tuple<std::string, std::uint32_t, std::uint32_t>, std::size_t> seen;
  for (std::size_t i = 0; i < model.textures.size(); ++i) {
    const auto& own = model.textures[i];
    const auto [other, is_new] =
        seen.emplace(std::tuple(ascii::lowered(own->path.view()), own->replaceable_id, own->flags), i);
    if (!is_new) {
      report.add(own.path, say("the same as texture ", other->second));
    }
  }
}

void path_absolute(const Model& model, Report& report) {
  for_each_path(model, [&](const Item<Texture>& texture, std::string_view path) {
    const bool drive = path.size() > 1 && path[1] == ':';
    if (drive || path.front() == '\\' || path.front() == '/' || path.find("..") != std::string_view::npos) {
      report.add(texture.path + ".path", say("\"", path, "\" is not a path below the game's root"));
    }
  });
}

void path_blanks(const Model& model, Report& report) {
  for_each_path(model, [&](const Item<Texture>& texture, std::string_view path) {
    if (trimmed(path) != path) {
      report.add(texture.path + ".path", say("\"", path, "\" begins or ends with a blank"));
    }
  });
}

void path_bytes(const Model& model, Report& report) {
  for_each_path(model, [&](const Item<Texture>& texture, std::string_view path) {
    if (std::any_of(path.begin(), path.end(), [](char c) { return c < ' ' || c > '~'; })) {
      report.add(texture.path + ".path", "bytes that are no plain ASCII");
    }
  });
}

void flags(const Model& model, Report& report) {
  for (const auto& texture : model.textures) {
    if (texture->flags > (Texture::kWrapWidth | Texture::kWrapHeight)) {
      report.add(texture.path + ".flags", say("flags ", texture->flags, " have bits without a meaning"));
    }
  }
}

constexpr std::array kTextureRules = {
    ModelRule{{"mdx.texture-none",
               {kWarning, kInfo, kInfo},
               "no textures",
               "Geosets and emitters without a texture are not drawn."},
              texture_none},
    ModelRule{{"mdx.texture-extension",
               {kError, kError, kError},
               "a texture path with another extension",
               "The game loads .blp, .tga, .tif and .dds only; the path is probably damaged."},
              extension},
    ModelRule{{"mdx.texture-replaceable-unknown",
               {kError, kSevere, kError},
               "a replaceable id that no game defines",
               "Known ids are 1 team colour, 2 team glow, 11 cliff, 21 cursor and 31 to 37 trees."},
              replaceable_unknown},
    ModelRule{{"mdx.texture-path-and-replaceable",
               {kWarning, kWarning, kWarning},
               "a path together with a replaceable id",
               "The path is not used. Remove one of them."},
              path_and_replaceable},
    ModelRule{{"mdx.texture-empty",
               {kWarning, kWarning, kWarning},
               "a texture without path and replaceable id",
               "It is drawn white or not at all."},
              texture_empty},
    ModelRule{{"mdx.texture-unused",
               {kUnused, kUnused, kUnused},
               "a texture that nothing uses",
               "It is loaded for nothing. Counted is what can be reached: a texture of an unused material is "
               "unused, "
               "too.",
               true},
              unused},
    ModelRule{{"mdx.texture-duplicate",
               {kUnused, kUnused, kUnused},
               "the same texture twice",
               "Let all layers refer to one of them."},
              texture_duplicate},
    ModelRule{{"mdx.texture-path-absolute",
               {kWarning, kWarning, kError},
               "a texture path that is not below the game's root",
               "Paths of the author's own disk are found on no other machine."},
              path_absolute},
    ModelRule{{"mdx.texture-path-blanks",
               {kWarning, kWarning, kWarning},
               "a texture path with a blank at an end",
               "The blank is part of the name that the game looks for."},
              path_blanks},
    ModelRule{{"mdx.texture-path-bytes",
               {kInfo, kInfo, kWarning},
               "a texture path with other bytes than ASCII",
               "Such files are found or not, depending on the system's language."},
              path_bytes},
    ModelRule{{"mdx.texture-flags",
               {kOff, kOff, kInfo},
               "unknown texture flags",
               "Known are 1 and 2, wrap width and height."},
              flags},
};

}  // namespace

std::span<const ModelRule> texture_rules() { return kTextureRules; }

}  // namespace thaw::mdx::rules
