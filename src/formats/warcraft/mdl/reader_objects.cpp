// Blocks with rules of their own (mdl.md#blocks, mdl.md#dialects).

#include "formats/warcraft/mdl/reader_impl.hpp"

#include "formats/warcraft/mdx/shaders.hpp"

#include <optional>

namespace thaw::mdl {

// --- nodes
// --------------------------------------------------------------------------------------------------------

/// `DontInherit { Rotation, Scaling }` or `DontInheritRotation`.
void TextReader::inheritance(std::uint32_t& flags) {
  using namespace mdx::node_flag;
  // The names of two of the bits are disputed, and this program gives them the other way round
  // (mdx.md#node-flags).
  const std::uint32_t rotation = exchanges_ ? kDontInheritScaling : kDontInheritRotation;
  const std::uint32_t scaling = exchanges_ ? kDontInheritRotation : kDontInheritScaling;
  flag("DontInheritTranslation", flags, kDontInheritTranslation);
  flag("DontInheritRotation", flags, kDontInheritRotation);
  flag("DontInheritScaling", flags, kDontInheritScaling);
  static constexpr Keyword kDontInherit{"DontInherit"};
  again(kDontInherit, [&] {
    const auto one = [&] {
      again("Translation", [&] { flags |= kDontInheritTranslation; });
      again("Rotation", [&] { flags |= rotation; });
      again("Scaling", [&] { flags |= scaling; });
    };
    if (lexer_.take('{')) {
      members(one);
      return;
    }
    key_ = lexer_.word();
    const Word word = key_;
    matched_ = false;
    one();
    if (!matched_) {
      report(codes::kMdlValue, property_,
             '"' + std::string(word.text) + "\" cannot be inherited and was ignored");
    }
  });
}

// --- materials
// ----------------------------------------------------------------------------------------------------

void TextReader::shader(mdx::Layer& layer) {
  static constexpr Keyword kName{"Shader"};
  on(kName, [&] {
    const std::string_view name = read_string();
    const mdx::Shader* found = mdx::find_shader(name);
    if (found == nullptr) {
      report(codes::kMdlValue, property_,
             "unknown shader \"" + std::string(name) + "\"; Shader_SD_Legacy (0) is used, as in the game");
    }
    layer.shader_id = found == nullptr ? mdx::kShaderLegacy : found->id;
  });
  number("ShaderTypeId", layer.shader_id);
}

/// One texture below version 1100, slots from there on.
void TextReader::textures(mdx::Layer& layer) {
  static constexpr Keyword kSlot{"Slot"};
  for (const auto& slot : kTextureSlots) {
    again(slot.word, [&] { read_texture(layer, slot.value, slot.value != 0); });
  }
  number("LegacyTextureID", layer.texture_id);
  // Embedded: what the last texture is, where the text next to it cannot say so.
  again(kSlot, [&] {
    mdx::TextureSlot unused;
    mdx::TextureSlot& slot = layer.slots.empty() ? unused : layer.slots.back();
    read_value(slot.slot);
    read_value(slot.texture_id);
  });
}

void TextReader::read_texture(mdx::Layer& layer, std::uint32_t slot, bool named) {
  constexpr FourCC kFlipbook{"KMTF"};
  mdx::TextureSlot read;
  read.slot = named || layer.slots.empty() ? slot : layer.slots.back().slot + 1;
  if (track_follows()) {
    mdx::Tracks flipbook;
    read_track(kFlipbook, flipbook);
    if (version_ < 1100) {
      if (!flipbook.empty()) {
        put_track(std::move(flipbook.front()), layer.tracks);
      }
      return;
    }
    if (!flipbook.empty()) {
      read.flipbook = std::move(flipbook.front());
    }
  } else {
    read_value(read.texture_id);
  }
  if (lexer_.take('<')) {
    lexer_.take('=');
    read_value(read.slot);
    named = true;
  }
  if (charge(sizeof read)) {
    // Below version 1100 all but the first wait for the end of the material.
    if (version_ < 1100 && read.slot == 0) {
      layer.texture_id = read.texture_id;
    }
    if (version_ >= 1100 || named) {
      layer.slots.push_back(std::move(read));
    }
  }
}

void TextReader::finish(mdx::Layer& layer) const {
  const mdx::Layer usual;
  if (version_ < 900) {
    layer.emissive_gain = usual.emissive_gain;
  }
  if (!layer.has_fresnel || version_ < 900) {
    layer.has_fresnel = false;
    layer.fresnel_color = usual.fresnel_color;
    layer.fresnel_opacity = usual.fresnel_opacity;
    layer.fresnel_team_color = usual.fresnel_team_color;
  }
}

void TextReader::material_shader(mdx::Material& material) { text("Shader", material.shader); }

/// From 900 to 1099 a material with six textures is six layers; newer programs write one layer with slots
/// (mdx.md#texture-slots, mdl.md#dialects).
void TextReader::unfold_layers(mdx::Material& material) {
  if (material.layers.size() != 1 || material.layers[0].slots.size() < 2) {
    return;
  }
  const std::vector<mdx::TextureSlot> slots = std::move(material.layers[0].slots);
  material.layers[0].slots.clear();
  constexpr std::size_t kSlots = 6;
  if (!charge(kSlots * sizeof(mdx::Layer))) {
    return;
  }
  for (const auto& slot : slots) {
    if (slot.slot >= kSlots) {
      report(codes::kMdlValue, property_,
             "texture slot " + std::to_string(slot.slot) + " left out; slots go from 0 to 5");
      continue;
    }
    while (material.layers.size() <= slot.slot) {
      prepare(material.layers.emplace_back());
    }
    material.layers[slot.slot].texture_id = slot.texture_id;
  }
}

void TextReader::finish(mdx::Material& material) {
  if (version_ < 900 || version_ >= 1100) {
    const std::uint32_t named = mdx::shader_of(material.shader.view());
    for (auto& layer : material.layers) {
      layer.shader_id = layer.shader_id == mdx::kShaderLegacy ? named : layer.shader_id;
    }
    material.shader = {};
  } else {
    unfold_layers(material);
  }
  for (auto& layer : material.layers) {
    if (version_ < 1100) {
      layer.slots.clear();
      layer.shader_id = 0;
    }
  }
}

// --- geosets
// ------------------------------------------------------------------------------------------------------

void TextReader::uv_sets(const Keyword& name, std::vector<mdx::UvSet>& sets) {
  again(name, [&] {
    if (!charge(sizeof(mdx::UvSet))) {
      return;
    }
    const Header header = open(name);
    read_rows(sets.emplace_back().coordinates, header.count, header.opened);
  });
}

void TextReader::skin(const Keyword& name, mdx::Geoset& geoset) {
  if (version_ >= 1400) {
    optional_rows(name, geoset.wide_skin);
  } else {
    optional_rows(name, geoset.skin);
  }
}

void TextReader::faces(const Keyword& name, mdx::Geoset& geoset) {
  on(name, [&] {
    geoset.primitive_types.clear();
    geoset.primitive_counts.clear();
    geoset.indices.clear();
    if (!open(name).opened) {
      return;
    }
    members([&] {
      for (const auto& primitive : kPrimitives) {
        again(primitive.word, [&] { read_primitives(geoset, primitive.value); });
      }
    });
  });
}

/// `Triangles { { 0, 1, 2 }, … }`: each pair of inner braces is a group. Without any, all numbers are one.
void TextReader::read_primitives(mdx::Geoset& geoset, std::uint32_t type) {
  static constexpr Keyword kFaces{"faces"};
  if (!open(kFaces).opened) {
    return;
  }
  const auto finish_group = [&](std::size_t before) {
    geoset.primitive_types.push_back(static_cast<mdx::PrimitiveType>(type));
    geoset.primitive_counts.push_back(static_cast<std::uint32_t>(geoset.indices.size() - before));
  };
  const std::size_t start = geoset.indices.size();
  bool grouped = false;
  while (!closing("list of faces")) {
    if (lexer_.take('{')) {
      grouped = true;
      const std::size_t before = geoset.indices.size();
      while (!closing("list of faces")) {
        std::uint16_t vertex = 0;
        if (!read_value(vertex)) {
          lexer_.skip_braces(1);
          break;
        }
        geoset.indices.push_back(vertex);
      }
      finish_group(before);
      continue;
    }
    std::uint16_t vertex = 0;
    if (!read_value(vertex)) {
      lexer_.skip_braces(1);
      break;
    }
    geoset.indices.push_back(vertex);
  }
  if (!grouped && geoset.indices.size() > start) {
    finish_group(start);
  }
}

void TextReader::groups(const Keyword& name, mdx::Geoset& geoset) {
  static constexpr Keyword kMatrices{"Matrices"};
  on(name, [&] {
    geoset.matrix_groups.clear();
    geoset.matrix_indices.clear();
    if (!open(name).opened) {
      return;
    }
    members([&] {
      again(kMatrices, [&] {
        if (!open(kMatrices).opened) {
          return;
        }
        std::uint32_t size = 0;
        while (!closing("matrix group")) {
          std::uint32_t id = 0;
          if (!read_value(id)) {
            lexer_.skip_braces(1);
            break;
          }
          geoset.matrix_indices.push_back(id);
          ++size;
        }
        geoset.matrix_groups.push_back(size);
      });
    });
  });
}

void TextReader::selection(mdx::Geoset& geoset) {
  flag("Unselectable", geoset.selection_flags, mdx::Geoset::kUnselectable);
  number("SelectionFlags", geoset.selection_flags);
}

void TextReader::finish(mdx::Geoset& geoset) const {
  if (version_ < 900) {
    geoset.lod = 0;
    geoset.lod_name = {};
    geoset.tangents.reset();
    geoset.skin.reset();
    geoset.wide_skin.reset();
  }
}

/// A colour says that it is to be used.
void TextReader::geoset_color(mdx::GeosetAnimation& animation) {
  static constexpr Keyword kColor{"Color"};
  if (key_.is(kColor)) {
    animation.flags |= mdx::GeosetAnimation::kUseColor;
  }
  animated_bgr(kColor, FourCC{"KGAC"}, animation.tracks, animation.color, kWhite, Show::always);
  flag("UseColor", animation.flags, mdx::GeosetAnimation::kUseColor);
  number("Flags", animation.flags);
}

// --- other objects
// ------------------------------------------------------------------------------------------------

void TextReader::finish(mdx::Light& light) const {
  const mdx::Light usual;
  if (version_ < 700) {
    light.ambient_color = usual.ambient_color;
    light.ambient_intensity = usual.ambient_intensity;
  }
  if (version_ < 1200) {
    light.shadow_intensity = usual.shadow_intensity;
  }
  if (version_ < 1300) {
    light.shadow_casting = usual.shadow_casting;
    light.shadow_casting_start = usual.shadow_casting_start;
    light.shadow_casting_end = usual.shadow_casting_end;
  }
  if (version_ < 1600) {
    light.quadratic_falloff = usual.quadratic_falloff;
    light.linear_falloff = usual.linear_falloff;
    light.damping = usual.damping;
  }
}

void TextReader::segment_colors(const Keyword& name, std::array<Vec3, 3>& colors) {
  static constexpr Keyword kColor{"Color"};
  on(name, [&] {
    if (!open(name).opened) {
      return;
    }
    std::size_t count = 0;
    members([&] {
      again(kColor, [&] {
        Vec3 bgr{};
        read_value(bgr);
        if (count < colors.size()) {
          colors.at(count) = {bgr[2], bgr[1], bgr[0]};
        }
        ++count;
      });
    });
    if (count != colors.size()) {
      report(codes::kMdlCount, lexer_.at(),
             "expected three colours, not " + std::to_string(count) +
                 (count < colors.size() ? "; the missing ones have their defaults"
                                        : "; only the first three are used"));
    }
  });
}

void TextReader::shape(mdx::CollisionShape& shape) {
  static constexpr Keyword kVertices{"Vertices"};
  static constexpr Keyword kRadius{"BoundsRadius"};
  on(kVertices, [&] {
    const Header header = open(kVertices);
    read_rows(vertices_.emplace(), header.count, header.opened);
  });
  on(kRadius, [&] { read_value(radius_.emplace()); });
  rows("Payload", shape.payload);
}

/// Vertices and radius in the order of the file. What is missing is zero, so that the shape can be stored.
void TextReader::finish(mdx::CollisionShape& shape) {
  using Type = mdx::CollisionShape::Type;
  if (shape.payload.empty()) {
    const bool round = shape.type == Type::sphere || shape.type == Type::cylinder;
    const std::size_t count = vertices_ ? vertices_->size() : 0;
    // Some programs give planes and cylinders one vertex.
    const bool one = shape.type == Type::sphere || (shape.type != Type::box && count == 1);
    const std::size_t required = one ? 1 : 2;
    for (std::size_t i = 0; i < required; ++i) {
      const Vec3 vertex = i < count ? (*vertices_)[i] : Vec3{};
      shape.payload.insert(shape.payload.end(), vertex.begin(), vertex.end());
    }
    if (round) {
      shape.payload.push_back(radius_.value_or(0.0F));
    }
    if (count != required) {
      report(codes::kMdlCount, lexer_.at(),
             "a shape of this kind needs " + thaw::counted(required, "vertex") + ", not " +
                 std::to_string(count) +
                 (count < required ? "; missing ones are set to 0" : "; the others are ignored"));
    }
  }
  vertices_.reset();
  radius_.reset();
}

}  // namespace thaw::mdl
