// TEXS: paths, replaceable ids, use.
#include "bytes/text.hpp"
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
      report.add(texture.path + ".path", say("\"", path, "\" does not end in .blp, .tga, .tif or .dds"));
    }
  });
}

void replaceable_unknown(const Model& model, Report& report) {
  for (const auto& texture : model.textures) {
    if (!is_replaceable(texture->replaceable_id)) {
      report.add(texture.path + ".replaceableId", say("unknown replaceable id ", texture->replaceable_id));
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
      report.add(model.textures[i].path, "no used object refers to the texture");
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
      report.add(own.path, say("identical to texture ", other->second));
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
      report.add(texture.path + ".path", "bytes that are not ASCII");
    }
  });
}

void flags(const Model& model, Report& report) {
  for (const auto& texture : model.textures) {
    if (texture->flags > (Texture::kWrapWidth | Texture::kWrapHeight)) {
      report.add(texture.path + ".flags", say("flags ", texture->flags, " have undefined bits"));
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
               "unexpected extension of a texture path",
               "The game loads only .blp, .tga, .tif and .dds; the path is probably damaged."},
              extension},
    ModelRule{{"mdx.texture-replaceable-unknown",
               {kError, kSevere, kError},
               "unknown replaceable id",
               "Known ids are 1 team colour, 2 team glow, 11 cliff, 21 cursor and 31 to 37 trees."},
              replaceable_unknown},
    ModelRule{{"mdx.texture-path-and-replaceable",
               {kWarning, kWarning, kWarning},
               "texture with both a path and a replaceable id",
               "The path is not used. Remove one of them."},
              path_and_replaceable},
    ModelRule{{"mdx.texture-empty",
               {kWarning, kWarning, kWarning},
               "texture without path and replaceable id",
               "It is drawn white or not at all."},
              texture_empty},
    ModelRule{{"mdx.texture-unused",
               {kUnused, kUnused, kUnused},
               "unused texture",
               "It wastes memory. A texture of an unused material counts as unused, too.",
               true},
              unused},
    ModelRule{{"mdx.texture-duplicate",
               {kUnused, kUnused, kUnused},
               "duplicate texture",
               "Use one of them in all layers."},
              texture_duplicate},
    ModelRule{{"mdx.texture-path-absolute",
               {kWarning, kWarning, kError},
               "texture path outside the game's root",
               "Paths on the author's disk do not exist on other machines."},
              path_absolute},
    ModelRule{{"mdx.texture-path-blanks",
               {kWarning, kWarning, kWarning},
               "texture path begins or ends with a blank",
               "The game searches for the name including the blank."},
              path_blanks},
    ModelRule{{"mdx.texture-path-bytes",
               {kInfo, kInfo, kWarning},
               "texture path not ASCII",
               "Whether the game finds such files depends on the system's language."},
              path_bytes},
    ModelRule{{"mdx.texture-flags",
               {kOff, kOff, kInfo},
               "unknown texture flags",
               "Known flags are 1 (wrap width) and 2 (wrap height)."},
              flags},
};

}  // namespace

std::span<const ModelRule> texture_rules() { return kTextureRules; }

}  // namespace thaw::mdx::rules
