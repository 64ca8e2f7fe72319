// Terrain chunks (MCNK).
#include "formats/wow/wdt/rules/table.hpp"

#include <algorithm>
#include <cmath>

namespace thaw::wdt::rules {
namespace {

void references(const Subject& subject, Report& report) {
  for_each_chunk(subject, [&](const PlacedChunk& placed) {
    const std::size_t doodads = placed.chunk.doodad_references().size();
    for (std::size_t i = 0; i < placed.chunk.references.size(); ++i) {
      const std::size_t count = i < doodads ? placed.tile.doodads.size() : placed.tile.map_objects.size();
      if (placed.chunk.references[i] >= count) {
        report.add(at(placed.path("MCRF.references"), i),
                   say("placement ", placed.chunk.references[i], " does not exist; the count is ", count));
      }
    }
  });
}

void textures(const Subject& subject, Report& report) {
  std::size_t count = 0;
  const Tile* counted = nullptr;
  for_each_chunk(subject, [&](const PlacedChunk& placed) {
    if (counted != &placed.tile) {
      counted = &placed.tile;
      count = split_names(placed.tile.textures).size();
    }
    for (std::size_t i = 0; i < placed.chunk.layers.size(); ++i) {
      if (placed.chunk.layers[i].texture_id >= count) {
        report.add(
            at(placed.path("MCLY"), i) + ".textureId",
            say("texture ", placed.chunk.layers[i].texture_id, " does not exist; the count is ", count));
      }
    }
  });
}

void alpha(const Subject& subject, Report& report) {
  for_each_chunk(subject, [&](const PlacedChunk& placed) {
    for (std::size_t i = 0; i < placed.chunk.layers.size(); ++i) {
      const Layer& layer = placed.chunk.layers[i];
      if ((layer.flags & Layer::kUsesAlpha) != 0 &&
          std::uint64_t{layer.alpha_offset} + kAlphaSize > placed.chunk.alpha.size()) {
        report.add(at(placed.path("MCLY"), i) + ".alphaOffset",
                   say("the alpha map at ", layer.alpha_offset, " ends after the ", placed.chunk.alpha.size(),
                       " bytes of MCAL"));
      }
    }
  });
}

void alpha_size(const Subject& subject, Report& report) {
  for_each_chunk(subject, [&](const PlacedChunk& placed) {
    const Chunk& chunk = placed.chunk;
    if (chunk.alpha.size() % kAlphaSize != 0) {
      report.add(placed.path("header.alphaSize"),
                 say("the alpha maps have ", chunk.alpha.size(), " bytes, not a multiple of ", kAlphaSize));
    }
    if (!chunk.layers.empty() && (chunk.layers[0].flags & Layer::kUsesAlpha) != 0) {
      report.add(at(placed.path("MCLY"), 0) + ".flags",
                 "the lowest layer has an alpha map, but must have none");
    }
  });
}

/// Cosine between a stored normal and the one of the surface at the middle of a cell; none if there is no
/// direction.
std::optional<double> agreement(const Chunk& chunk, std::size_t row, std::size_t column) {
  const auto top_left = double{chunk.outer(row, column)};
  const auto top_right = double{chunk.outer(row, column + 1)};
  const auto bottom_left = double{chunk.outer(row + 1, column)};
  const auto bottom_right = double{chunk.outer(row + 1, column + 1)};
  const double north = (top_left + top_right - bottom_left - bottom_right) / (2 * kCellSize);
  const double west = (top_left + bottom_left - top_right - bottom_right) / (2 * kCellSize);
  const Normal& stored = chunk.normals.at(kOuterCount + row * kCellsPerSide + column);
  const double x = stored[0];
  const double y = stored[1];
  const double z = stored[2];
  const double lengths = std::sqrt((x * x + y * y + z * z) * (north * north + west * west + 1));
  const bool usable = lengths > 0 && std::isfinite(lengths);
  return usable ? std::optional((z - x * north - y * west) / lengths) : std::nullopt;
}

/// What is wrong with a liquid, or empty.
std::string_view fault_of(const Liquid& liquid) {
  constexpr float kTolerance = 1e-3F;
  if (liquid.flow_count > 2) {
    return "the liquid has more than two flows";
  }
  if (!(liquid.minimum <= liquid.maximum)) {
    return "the lowest level is above the highest, or one of them is not a number";
  }
  const auto lies_within = [&](std::size_t row, std::size_t column) {
    const float height = liquid.vertices.at(row * kOuterSide + column).height;
    return height >= liquid.minimum - kTolerance && height <= liquid.maximum + kTolerance;
  };
  for (std::size_t row = 0; row < kCellsPerSide; ++row) {
    for (std::size_t column = 0; column < kCellsPerSide; ++column) {
      const bool sound = lies_within(row, column) && lies_within(row, column + 1) &&
                         lies_within(row + 1, column) && lies_within(row + 1, column + 1);
      if (liquid.shows(row, column) && !sound) {
        return "a visible level is not between the lowest and the highest";
      }
    }
  }
  return "";
}

void liquids(const Subject& subject, Report& report) {
  for_each_chunk(subject, [&](const PlacedChunk& placed) {
    for (std::size_t i = 0; i < placed.chunk.liquids.size(); ++i) {
      if (const auto fault = fault_of(placed.chunk.liquids[i]); !fault.empty()) {
        report.add(at(placed.path("liquids"), i), std::string(fault));
      }
    }
  });
}

constexpr std::array kChunkRules = {
    MapRule("mcnk.place", always(kError), "chunk position differs from MCIN",
            "Column and row must match its position in MCIN; programs that trust them draw the chunk "
            "elsewhere. Set them.",
            each<kPlacedChunks, "header.x">([](const PlacedChunk& placed) {
              const auto& header = placed.chunk.header;
              return header.x != placed.chunk.slot % kChunksPerSide ||
                             header.y != placed.chunk.slot / kChunksPerSide
                         ? say("the header states column ", header.x, " and row ", header.y,
                               "; in MCIN the chunk is at column ", placed.chunk.slot % kChunksPerSide,
                               " and row ", placed.chunk.slot / kChunksPerSide)
                         : "";
            })),
    MapRule("mcnk.layers", always(kError),
            "number of layers differs from MCLY or exceeds 4, or truncated MCLY",
            "MCLY has a record of 16 bytes for each layer, and the client draws up to four. Correct the "
            "number, or remove layers.",
            each<kPlacedChunks, "header.layerCount">([](const PlacedChunk& placed) -> Fault {
              const std::size_t count = placed.chunk.layers.size();
              return placed.chunk.header.layer_count != count
                         ? say("the header states ", counted_noun(placed.chunk.header.layer_count, "layer"),
                               ", but MCLY has ", count)
                     : count > kMostLayers ? say("MCLY has ", count, " layers; the client draws up to 4")
                     : !placed.chunk.layers_frame.remainder.empty() ? "MCLY ends with a truncated layer"
                                                                    : Fault();
            })),
    MapRule(
        "mcnk.reference-count", always(kError), "number of references differs from MCRF, or truncated MCRF",
        "MCRF contains the doodad references, then the map object references, 4 bytes each. Correct the "
        "numbers in the header.",
        each<kPlacedChunks, "header.doodadReferenceCount">([](const PlacedChunk& placed) -> Fault {
          const auto& header = placed.chunk.header;
          const std::uint64_t stated =
              std::uint64_t{header.doodad_reference_count} + header.map_object_reference_count;
          return stated != placed.chunk.references.size()
                     ? say("the header states ", counted_noun(stated, "reference"), ", but MCRF has ",
                           placed.chunk.references.size())
                 : !placed.chunk.references_frame.remainder.empty() ? "MCRF ends with a truncated reference"
                                                                    : Fault();
        })),
    MapRule("mcnk.reference", always(kError), "placement reference out of range",
            "References are indices into the tile's MDDF and MODF, not into the map's names. Correct or "
            "remove the reference.",
            references),
    MapRule("mcnk.texture", always(kError), "layer texture out of range",
            "Ids are indices into the tile's MTEX; the layer has no texture otherwise. Correct the id, or "
            "add the texture.",
            textures),
    MapRule("mcnk.alpha", always(kError), "alpha map past the end of MCAL",
            "Each alpha map has 2048 bytes, stored consecutively. Add the map, or remove the layer.", alpha),
    MapRule("mcnk.alpha-size", always(kWarning),
            "unexpected alpha map size, or alpha map of the lowest layer",
            "Each alpha map has 2048 bytes; the lowest layer has none, because it covers the whole chunk. "
            "Write the map again.",
            alpha_size),
    MapRule("mcnk.shadow-size", always(kError), "shadow map size not 512 bytes",
            "The map has 64 × 64 bits, which is 512 bytes. Write the map again.",
            each<kPlacedChunks, "header.shadowSize">([](const PlacedChunk& placed) {
              return !placed.chunk.shadow.empty() && placed.chunk.shadow.size() != kShadowSize
                         ? say("the shadow map has ", placed.chunk.shadow.size(), " bytes instead of 512")
                         : "";
            })),
    MapRule("mcnk.shadow-flag", always(kWarning), "shadow map without its flag, or flag without a shadow map",
            "Flag 1 states that the chunk has a shadow map. Set or clear it.",
            each<kPlacedChunks, "header.flags">([](const PlacedChunk& placed) {
              const bool flag = (placed.chunk.header.flags & ChunkHeader::kHasShadow) != 0;
              const bool map = !placed.chunk.shadow.empty();
              return flag && !map   ? "the shadow flag is set without a shadow map"
                     : map && !flag ? "the shadow map has no shadow flag"
                                    : "";
            })),
    MapRule("mcnk.height", always(kError), "terrain height not finite",
            "The chunk cannot be drawn or walked on. Set a number.",
            each<kPlacedChunks, "heights">([](const PlacedChunk& placed) {
              const auto& values = placed.chunk.heights;
              return first_of(values.size(), [&](std::size_t i) {
                return !std::isfinite(values[i]) ? "the height is not finite" : "";
              });
            })),
    MapRule("mcnk.radius", always(kWarning), "chunk radius does not match its heights",
            "The client culls by the radius; a chunk may disappear while it is in view. Set it to √(23.57² + "
            "h²), where h is half the height difference.",
            each<kPlacedChunks, "header.radius">([](const PlacedChunk& placed) {
              constexpr float kShare = 0.01F;
              const float stated = placed.chunk.header.radius;
              const float expected = radius_of(placed.chunk);
              return std::isfinite(expected) && !(std::abs(stated - expected) <= expected * kShare)
                         ? say("the radius is ", stated, ", but the heights need ", expected)
                         : "";
            })),
    MapRule("mcnk.normal-length", always(kWarning), "terrain normals not of length 1",
            "The terrain is shaded too dark or too bright. A component of 127 represents 1. Normalise the "
            "normals.",
            each<kPlacedChunks, "normals">([](const PlacedChunk& placed) {
              constexpr double kFull = 127;
              constexpr double kShare = 0.1;
              const auto& normals = placed.chunk.normals;
              const auto count = std::count_if(normals.begin(), normals.end(), [](const Normal& n) {
                const double length = std::sqrt(static_cast<double>(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]));
                return std::abs(length - kFull) > kFull * kShare;
              });
              return count > 0 ? say(count, " of 145 normals not of length 1") : "";
            })),
    MapRule("mcnk.normal-direction", always(kWarning), "terrain normals do not match the heights",
            "The light comes from a wrong side. Normals are stored as world X, Y, Z (north, west, up); often "
            "two axes are swapped. Calculate them again.",
            each<kPlacedChunks, "normals">([](const PlacedChunk& placed) {
              constexpr double kLeast = 0.9;
              double sum = 0;
              unsigned count = 0;
              for (std::size_t i = 0; i < kCellsPerSide * kCellsPerSide; ++i) {
                if (const auto cosine = agreement(placed.chunk, i / kCellsPerSide, i % kCellsPerSide)) {
                  sum += *cosine;
                  ++count;
                }
              }
              return count > 0 && sum / count < kLeast
                         ? say("the normals' average cosine to the heights is ", sum / count, " instead of 1")
                         : "";
            })),
    MapRule("mcnk.liquid", always(kWarning), "invalid flows or levels of a liquid",
            "A liquid has at most two flows, its lowest level is not above its highest, and visible levels "
            "are between them. Correct the values.",
            liquids),
    MapRule("mcnk.flags", always(kWarning), "chunk flags unknown to WoW Alpha",
            "WoW Alpha flags are 1 shadow, 2 impassable, 4 river, 8 ocean, 16 magma and 32 slime. Clear the "
            "others.",
            each<kPlacedChunks, "header.flags">([](const PlacedChunk& placed) {
              constexpr std::uint32_t kKnown = 0x3F;
              return (placed.chunk.header.flags & ~kKnown) != 0
                         ? say("flags ", placed.chunk.header.flags & ~kKnown, " are unknown to WoW Alpha")
                         : "";
            })),
    MapRule("mcnk.area", always(kInfo), "chunk without an area",
            "The client shows no name and plays no music there. Set an area.",
            each<kPlacedChunks, "header.area">([](const PlacedChunk& placed) {
              return placed.chunk.header.area == 0 && placed.chunk.header.zone == 0
                         ? "the area and the zone are 0"
                         : "";
            })),
};

}  // namespace

std::span<const MapRule> chunk_rules() { return kChunkRules; }

}  // namespace thaw::wdt::rules
