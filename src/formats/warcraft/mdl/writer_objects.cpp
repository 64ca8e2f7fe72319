// Tracks and blocks with rules of their own (mdl.md#blocks, mdl.md#dialects).

#include "formats/warcraft/mdl/writer.hpp"

#include "formats/warcraft/mdx/shaders.hpp"

namespace thaw::mdl {

// --- tracks
// -------------------------------------------------------------------------------------------------------

void TextWriter::track(const Keyword& name, FourCC tag, const mdx::Tracks& tracks) {
  if (const mdx::Track* track = mdx::find_track(tracks, tag)) {
    put_track(name, *track);
  }
}

void TextWriter::visibility(FourCC tag, const mdx::Tracks& tracks) { track("Visibility", tag, tracks); }

void TextWriter::put_track(const Keyword& name, const mdx::Track& track) {
  emitted_.push_back(track.tag);
  open_block(name, track.size());
  const auto interpolation = static_cast<std::uint32_t>(track.interpolation);
  const NamedValue* word = find_value(kInterpolations, interpolation);
  line([&] {
    out_ += word != nullptr ? word->word.text : kInterpolations[0].word.text;
    out_ += ',';
  });
  if (word == nullptr) {
    embedded_line("Interpolation", [&] { put_pair("Interpolation", interpolation); });
  }
  if (track.global_sequence != -1) {
    number("GlobalSeqId", track.global_sequence);
  }
  const unsigned components = track.components();
  for (std::size_t key = 0; key < track.size(); ++key) {
    const std::uint32_t* words = track.words.data() + key * track.stride();
    begin_line();
    put(track.frame(key));
    out_ += ": ";
    put_key_value(track, words + 1);
    if (track.has_tangents()) {
      begin_line();
      out_ += indent_ + "InTan ";
      put_key_value(track, words + 1 + components);
      begin_line();
      out_ += indent_ + "OutTan ";
      put_key_value(track, words + 1 + std::size_t{2} * components);
    }
  }
  close_block();
}

void TextWriter::put_key_value(const mdx::Track& track, const std::uint32_t* words) {
  const mdx::TrackType type = mdx::track_type(track.tag);
  out_ += type.components > 1 ? "{ " : "";
  for (unsigned i = 0; i < type.components; ++i) {
    out_ += i > 0 ? ", " : "";
    if (type.integer) {
      put(static_cast<std::int32_t>(words[i]));
    } else {
      float value = 0;
      std::memcpy(&value, &words[i], sizeof value);
      put(value);
    }
  }
  out_ += type.components > 1 ? " }," : ",";
  end_line();
}

/// Adds the tags of one list of tracks. True if they were not written in their order.
bool TextWriter::add_order(const mdx::Tracks& tracks, std::string& order) const {
  std::vector<FourCC> written;
  for (const FourCC tag : emitted_) {
    if (mdx::find_track(tracks, tag) != nullptr) {
      written.push_back(tag);
    }
  }
  bool differs = written.size() != tracks.size();
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    differs = differs || written[i] != tracks[i].tag;
    order += '"' + tag_text(tracks[i].tag) + "\" ";
  }
  return differs;
}

void TextWriter::event_track(const Keyword& name, const std::optional<mdx::EventTrack>& track) {
  if (!track) {
    return;
  }
  open_block(name, track->frames.size());
  if (track->global_sequence != -1 && engine()) {
    embedded_line("GlobalSeqId", [&] { put_pair("GlobalSeqId", track->global_sequence); });
  } else if (track->global_sequence != -1) {
    number("GlobalSeqId", track->global_sequence);
  }
  for (const auto frame : track->frames) {
    line([&] {
      put(frame);
      out_ += ',';
    });
  }
  close_block();
  if (!track->has_global_sequence) {
    embedded_line("WithoutGlobalSequence", [&] { put_pair("WithoutGlobalSequence", 1U); });
  }
}

// --- nodes, materials
// ---------------------------------------------------------------------------------------------

void TextWriter::inheritance(std::uint32_t flags) {
  using namespace mdx::node_flag;
  constexpr std::uint32_t kAny = kDontInheritTranslation | kDontInheritRotation | kDontInheritScaling;
  if (engine()) {
    flag("DontInheritTranslation", flags, kDontInheritTranslation);
    flag("DontInheritRotation", flags, kDontInheritRotation);
    flag("DontInheritScaling", flags, kDontInheritScaling);
  } else if ((flags & kAny) != 0) {
    line([&] {
      out_ += "DontInherit { ";
      std::string_view separator;
      const auto one = [&](std::string_view word, std::uint32_t bit) {
        if ((flags & bit) != 0) {
          out_ += separator;
          out_ += word;
          separator = ", ";
        }
      };
      one("Translation", kDontInheritTranslation);
      one("Rotation", kDontInheritRotation);
      one("Scaling", kDontInheritScaling);
      out_ += " },";
    });
  }
}

void TextWriter::shader(const mdx::Layer& layer) {
  if (version_ < 1100) {
    return;
  }
  const mdx::Shader* known = mdx::find_shader(layer.shader_id);
  if (!engine()) {
    optional("ShaderTypeId", layer.shader_id, std::uint32_t{0});
  } else if (known != nullptr) {
    line([&] { put_text("Shader", known->name); });
  } else {
    embedded("ShaderTypeId", layer.shader_id, std::uint32_t{0});
  }
}

void TextWriter::material_shader(const mdx::Material& material) {
  since(900, [&] {
    if (version_ < 1100) {
      text("Shader", material.shader);
    }
  });
}

void TextWriter::textures(const mdx::Layer& layer) {
  if (version_ < 1100) {
    animated("TextureID", FourCC{"KMTF"}, layer.tracks, layer.texture_id, 0, Show::always);
    return;
  }
  std::uint32_t usual_slot = 0;
  for (const auto& slot : layer.slots) {
    put_slot(slot, usual_slot);
    usual_slot = slot.slot + 1;
  }
  embedded("LegacyTextureID", layer.texture_id, 0);
}

/// `usual_slot` is what a texture without a slot of its own has.
void TextWriter::put_slot(const mdx::TextureSlot& slot, std::uint32_t usual_slot) {
  const NamedValue* named = engine() ? nullptr : find_value(kTextureSlots, slot.slot);
  const Keyword name = named != nullptr ? named->word : kTextureSlots[0].word;
  const bool designated = !slot.flipbook && (engine() || named == nullptr);
  if (slot.flipbook) {
    const std::vector<FourCC> outer = emitted_;
    put_track(name, *slot.flipbook);
    emitted_ = outer;
  } else {
    line([&] {
      out_ += "static ";
      out_ += name.text;
      out_ += ' ';
      put(slot.texture_id);
      out_ += designated ? " <= " + std::to_string(slot.slot) : "";
      out_ += ',';
    });
  }
  const std::uint32_t plain_slot = designated                           ? slot.slot
                                   : named != nullptr && slot.slot != 0 ? slot.slot
                                                                        : usual_slot;
  if (plain_slot != slot.slot || (slot.flipbook && slot.texture_id != 0)) {
    embedded_line("Slot", [&] {
      out_ += "Slot " + std::to_string(slot.slot) + ' ';
      put(slot.texture_id);
      out_ += ',';
    });
  }
}

// --- geosets
// ------------------------------------------------------------------------------------------------------

void TextWriter::uv_sets(const Keyword& name, const std::vector<mdx::UvSet>& sets) {
  for (const auto& set : sets) {
    rows(name, set.coordinates);
  }
}

void TextWriter::skin(const Keyword& name, const mdx::Geoset& geoset) {
  const auto put_rows = [&](const auto& skin) {
    open_block(name, skin.size());
    for (const auto& row : skin) {
      line([&] {
        // The World Editor does without the braces, and insists.
        out_ += engine() ? "" : "{ ";
        for (std::size_t i = 0; i < row.size(); ++i) {
          out_ += i > 0 ? ", " : "";
          put(row[i]);
        }
        out_ += engine() ? "," : " },";
      });
    }
    close_block();
  };
  if (version_ < 1400 && geoset.skin) {
    put_rows(*geoset.skin);
  } else if (version_ >= 1400 && geoset.wide_skin) {
    put_rows(*geoset.wide_skin);
  }
}

void TextWriter::faces(const Keyword& name, const mdx::Geoset& geoset) {
  const std::size_t groups = std::min(geoset.primitive_types.size(), geoset.primitive_counts.size());
  if (groups == 0) {
    return;
  }
  begin_line();
  out_ += std::string(name.text) + ' ' + std::to_string(groups) + ' ' + std::to_string(geoset.indices.size());
  open();
  std::size_t at = 0;
  for (std::size_t group = 0; group < groups; ++group) {
    const auto type = static_cast<std::uint32_t>(geoset.primitive_types[group]);
    const bool first = group == 0 || geoset.primitive_types[group - 1] != geoset.primitive_types[group];
    const bool last =
        group + 1 == groups || geoset.primitive_types[group + 1] != geoset.primitive_types[group];
    const NamedValue* word = find_value(kPrimitives, type);
    if (first) {
      open_block(word != nullptr ? word->word : Keyword{"Triangles"});
    }
    const std::size_t count =
        std::min<std::size_t>(geoset.primitive_counts[group], geoset.indices.size() - at);
    line([&] {
      out_ += '{';
      for (std::size_t i = 0; i < count; ++i) {
        out_ += i > 0 ? ", " : " ";
        put(geoset.indices[at + i]);
      }
      out_ += " },";
    });
    at += count;
    if (last) {
      close_block();
    }
  }
  close_block();
}

void TextWriter::groups(const Keyword& name, const mdx::Geoset& geoset) {
  if (geoset.matrix_groups.empty()) {
    return;
  }
  begin_line();
  out_ += std::string(name.text) + ' ' + std::to_string(geoset.matrix_groups.size()) + ' ' +
          std::to_string(geoset.matrix_indices.size());
  open();
  std::size_t at = 0;
  for (const auto size : geoset.matrix_groups) {
    const std::size_t count = std::min<std::size_t>(size, geoset.matrix_indices.size() - at);
    line([&] {
      out_ += "Matrices {";
      for (std::size_t i = 0; i < count; ++i) {
        out_ += i > 0 ? ", " : " ";
        put(static_cast<std::int32_t>(geoset.matrix_indices[at + i]));
      }
      out_ += " },";
    });
    at += count;
  }
  close_block();
}

void TextWriter::selection(const mdx::Geoset& geoset) {
  const std::uint32_t flags = geoset.selection_flags;
  if (flags == mdx::Geoset::kUnselectable) {
    flag("Unselectable", flags, mdx::Geoset::kUnselectable);
  } else if (!engine()) {
    optional("SelectionFlags", flags, std::uint32_t{0});
  } else {
    flag("Unselectable", flags, mdx::Geoset::kUnselectable);
    embedded("SelectionFlags", flags, std::uint32_t{0});
  }
}

void TextWriter::geoset_color(const mdx::GeosetAnimation& animation) {
  constexpr FourCC kTrack{"KGAC"};
  constexpr std::uint32_t kDropShadow = mdx::GeosetAnimation::kDropShadow;
  constexpr std::uint32_t kUseColor = mdx::GeosetAnimation::kUseColor;
  const bool uses = (animation.flags & kUseColor) != 0;
  const Vec3 bgr{animation.color[2], animation.color[1], animation.color[0]};
  std::uint32_t plain_flags = animation.flags & kDropShadow;
  if (uses || mdx::find_track(animation.tracks, kTrack) != nullptr) {
    animated("Color", kTrack, animation.tracks, bgr, kWhite, Show::always);
    plain_flags |= kUseColor;
  } else if (!same_bits(bgr, kWhite)) {
    embedded_line("Color", [&] {
      out_ += "static ";
      put_pair("Color", bgr);
    });
    plain_flags |= kUseColor;
  }
  bits("Flags", animation.flags, plain_flags);
}

// --- other objects
// ------------------------------------------------------------------------------------------------

void TextWriter::segment_colors(const Keyword& name, const std::array<Vec3, 3>& colors) {
  open_block(name);
  for (const auto& color : colors) {
    number("Color", Vec3{color[2], color[1], color[0]});
  }
  close_block();
}

void TextWriter::shape(const mdx::CollisionShape& shape) {
  using Type = mdx::CollisionShape::Type;
  const bool round = shape.type == Type::sphere || shape.type == Type::cylinder;
  const std::size_t size = shape.payload.size();
  const std::size_t floats = size - (round && size > 0 ? 1 : 0);
  const std::size_t vertices = floats / 3;
  const bool usual = floats % 3 == 0 && (shape.type == Type::box      ? vertices == 2
                                         : shape.type == Type::sphere ? vertices == 1
                                                                      : vertices == 1 || vertices == 2);
  if (!usual) {
    // The engine's own layout of planes and cylinders has no form in MDL.
    embedded_line("Payload", [&] {
      out_ += "Payload " + std::to_string(size) + " { ";
      for (const float value : shape.payload) {
        put(value);
        out_ += ", ";
      }
      out_ += "},";
    });
    return;
  }
  open_block("Vertices", vertices);
  for (std::size_t i = 0; i < vertices; ++i) {
    line([&] {
      put(Vec3{shape.payload[i * 3], shape.payload[i * 3 + 1], shape.payload[i * 3 + 2]});
      out_ += ',';
    });
  }
  close_block();
  if (round) {
    number("BoundsRadius", shape.payload.back());
  }
}

}  // namespace thaw::mdl
