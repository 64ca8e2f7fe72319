#include "formats/forgelight/shared/facts.hpp"

#include <thaw/adr.hpp>
#include <thaw/materials.hpp>

#include <cmath>

namespace thaw::forgelight {
namespace {

void list_textures(const dma::Document& palette, Facts& facts) {
  for (const auto name : palette.texture_names()) {
    facts.textures.push_back({to_utf8(name), 0});
  }
}

Facts::Box box_of(const dme::Box& bounds) {
  double square = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double half = (double{bounds[1][axis]} - double{bounds[0][axis]}) / 2;
    square += half * half;
  }
  return {bounds[0], bounds[1], static_cast<float>(std::sqrt(square))};
}

void add(Facts& facts, std::string_view kind, std::size_t count) {
  if (count > 0) {
    facts.counts.push_back({kind, count});
  }
}

Facts facts_of(const adr::Actor& actor) {
  Facts facts;
  facts.name = to_utf8(actor.base.model);
  add(facts, "detail level", actor.lods.size() + 1);
  add(facts, "texture override", actor.aliases.size());
  if (!actor.network.empty()) {
    facts.in_game =
        "uses the animation set " + to_utf8(actor.animation_set) + " of " + to_utf8(actor.network);
  }
  for (const auto& alias : actor.aliases) {
    if (alias.is_default) {
      facts.textures.push_back({to_utf8(alias.texture), 0});
    }
  }
  return facts;
}

}  // namespace

Facts facts_of(const dme::Document& document) {
  Facts facts;
  std::size_t vertices = 0;
  std::size_t indices = 0;
  for (const auto& mesh : document.meshes) {
    vertices += mesh.vertex_count;
    indices += mesh.index_count();
  }
  add(facts, "mesh", document.meshes.size());
  add(facts, "vertex", vertices);
  add(facts, "triangle", indices / 3);
  add(facts, "draw call", document.draw_calls.size());
  add(facts, "bone", document.bone_hashes.size());
  add(facts, "material", document.palette.materials.size());
  facts.bounds = box_of(document.bounds);
  list_textures(document.palette, facts);
  return facts;
}

Facts facts_of(const dma::Document& document) {
  Facts facts;
  add(facts, "material", document.materials.size());
  list_textures(document, facts);
  return facts;
}

Facts facts_of(const xml::Document& document) {
  if (const auto actor = adr::read_actor(document)) {
    return facts_of(*actor);
  }
  Facts facts;
  if (const auto library = materials::read_library(document)) {
    add(facts, "vertex layout", library->layouts.size());
    add(facts, "material definition", library->definitions.size());
  }
  return facts;
}

}  // namespace thaw::forgelight
