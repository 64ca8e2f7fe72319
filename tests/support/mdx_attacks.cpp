#include "support/mdx_attacks.hpp"

#include "support/mdx_raw.hpp"

namespace thaw::test {
namespace {

RawBytes one_chunk(std::uint32_t version, std::string_view tag, const RawBytes& object, std::size_t size) {
  return mdx_file(version).chunk(tag, RawBytes().repeat(object, size / object.size()));
}

RawBytes distinct_chunks(std::size_t size) {
  RawBytes file = mdx_file(800);
  for (std::uint32_t i = 0; file.size() < size; ++i) {
    file.u32(i | 0x80808080U).u32(0);
  }
  return file;
}

RawBytes layer_800() { return RawBytes().sized(RawBytes().zeros(24)); }

RawBytes material(const RawBytes& content, std::uint32_t layers) {
  return RawBytes().sized(RawBytes().zeros(8).tag("LAYS").u32(layers).append(content));
}

RawBytes many_layers(std::size_t size) {
  const auto count = size / layer_800().size();
  return mdx_file(800).chunk(
      "MTLS", material(RawBytes().repeat(layer_800(), count), static_cast<std::uint32_t>(count)));
}

RawBytes many_slots(std::size_t size) {
  const auto count = static_cast<std::uint32_t>(size / 8);
  RawBytes layer;
  layer.zeros(24 + 4 + 20 + 4).u32(count).zeros(count * std::size_t{8});
  return mdx_file(1100).chunk("MTLS", material(RawBytes().sized(layer), 1));
}

/// Each list claims all the bytes that are left, and the innermost one fails.
RawBytes nested_claims(std::size_t size) {
  const auto left = static_cast<std::uint32_t>(size);
  RawBytes layer;
  layer.zeros(24 + 4 + 20 + 4).u32(left / 8 - 256);
  layer.u32(0).u32(0).append(mdx_track("KMTF", left / 8 - 512, 0)).zeros(left - 1024);
  return mdx_file(1100).chunk("MTLS", material(RawBytes().sized(layer), left / 28 - 64));
}

RawBytes many_tracks(std::size_t size) {
  const auto tracks = RawBytes().repeat(mdx_track("KGTR", 0, 0), size / 16);
  return mdx_file(800).chunk("HELP", mdx_node("", 0, tracks));
}

RawBytes many_uv_sets(std::size_t size) {
  const auto count = static_cast<std::uint32_t>(size / 8);
  RawBytes content;
  for (const auto* tag : {"VRTX", "NRMS", "PTYP", "PCNT", "PVTX", "GNDX", "MTGC", "MATS"}) {
    content.tag(tag).u32(0);
  }
  content.zeros(12 + 28 + 4).tag("UVAS").u32(count);
  content.repeat(RawBytes().tag("UVBS").u32(0), count);
  return mdx_file(800).chunk("GEOS", RawBytes().sized(content));
}

/// Shapes that fit several layouts until the very last one fits none.
RawBytes ambiguous_shapes(std::size_t size) {
  const auto shape = RawBytes().append(mdx_node("", 0)).u32(1).zeros(24);
  const auto shapes = RawBytes().repeat(shape, size / shape.size()).append(mdx_node("", 0)).u32(7).zeros(3);
  return mdx_file(800).chunk("CLID", shapes);
}

RawBytes many_events(std::size_t size) {
  const auto event = RawBytes().append(mdx_node("", 0)).tag("KEVT").u32(0);
  return one_chunk(800, "EVTS", event, size);
}

RawBytes unterminated_names(std::size_t size) {
  RawBytes node;
  node.u32(96).text(std::string(80, 'x'), 80).zeros(12);
  return one_chunk(800, "HELP", node, size);
}

/// A whole file of objects of which each is damaged: the copies of the bytes come on top of the objects.
RawBytes damaged_objects(std::size_t size) {
  return one_chunk(800, "GEOA", RawBytes().sized(RawBytes().zeros(24).zeros(3)), size);
}

}  // namespace

const std::vector<MdxAttack>& mdx_attacks() {
  static const std::vector<MdxAttack> attacks = {
      MdxAttack{"EmptyUnknownChunks",
                [](std::size_t n) { return mdx_file(800).repeat(RawBytes().tag("xxxx").u32(0), n / 8); }},
      MdxAttack{"EmptyKnownChunks",
                [](std::size_t n) { return mdx_file(800).repeat(RawBytes().tag("PREM").u32(0), n / 8); }},
      MdxAttack{"DistinctUnknownChunks", distinct_chunks},
      MdxAttack{"TextureAnimations",
                [](std::size_t n) { return one_chunk(800, "TXAN", RawBytes().u32(4), n); }},
      MdxAttack{
          "GeosetAnimations",
          [](std::size_t n) { return one_chunk(800, "GEOA", RawBytes().sized(RawBytes().zeros(24)), n); }},
      MdxAttack{"Helpers", [](std::size_t n) { return one_chunk(800, "HELP", mdx_node("", 0), n); }},
      MdxAttack{"Bones", [](std::size_t n) { return one_chunk(800, "BONE", mdx_node("", 0).zeros(8), n); }},
      MdxAttack{"SoundEmitters",
                [](std::size_t n) { return one_chunk(800, "SNEM", RawBytes().sized(mdx_node("", 0)), n); }},
      MdxAttack{"Materials", [](std::size_t n) { return one_chunk(800, "MTLS", material({}, 0), n); }},
      MdxAttack{"Geosets", [](std::size_t n) { return one_chunk(800, "GEOS", mdx_geoset(0), n); }},
      MdxAttack{
          "Cameras",
          [](std::size_t n) { return one_chunk(800, "CAMS", RawBytes().sized(RawBytes().zeros(116)), n); }},
      MdxAttack{"Sequences", [](std::size_t n) { return one_chunk(800, "SEQS", RawBytes().zeros(132), n); }},
      MdxAttack{"Layers", many_layers},
      MdxAttack{"Slots", many_slots},
      MdxAttack{"NestedClaims", nested_claims},
      MdxAttack{"Tracks", many_tracks},
      MdxAttack{"UvSets", many_uv_sets},
      MdxAttack{"AmbiguousShapes", ambiguous_shapes},
      MdxAttack{"Events", many_events},
      MdxAttack{"UnterminatedNames", unterminated_names},
      MdxAttack{"DamagedObjects", damaged_objects},
  };
  return attacks;
}

}  // namespace thaw::test
