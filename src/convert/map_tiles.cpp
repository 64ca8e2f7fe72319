#include "convert/map_tiles.hpp"

#include <thaw/codes.hpp>
#include <thaw/control.hpp>
#include <thaw/gltf.hpp>
#include <thaw/image.hpp>
#include <thaw/world.hpp>

#include "bytes/number_text.hpp"
#include "bytes/text.hpp"
#include "describe/limits.hpp"
#include "open/scene_weight.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <span>

namespace thaw::conversion {
namespace {

/// Of a tile's meshes, on their way into a file.
constexpr std::uint64_t kTileBytes = std::uint64_t{8} << 20U;
constexpr std::uint64_t kBytesPerPixel = 8;

Error too_large(std::size_t tiles) {
  return Error{codes::kWorldTooLarge,
               {},
               {},
               std::to_string(tiles) +
                   " tiles are too large for one file; choose fewer with --tiles, write a folder with one "
                   "file per tile, or "
                   "raise --max-scene and --max-pixels"};
}

std::uint64_t max_pixel_bytes(const TileJob& work) { return work.read.limits.max_pixel_bytes; }

int png_level(const TileJob& work) { return work.options.texture.png_level; }

std::string stem(const TileJob& work) { return std::string(without_extension(work.file_name)); }

Value count_value(std::uint64_t count) { return static_cast<std::int64_t>(count); }

Value tile_list(const std::vector<wdt::TilePosition>& tiles) {
  Value list = Value::List();
  for (const auto& tile : tiles) {
    list.push(Value::List{std::uint32_t{tile.x}, std::uint32_t{tile.y}});
  }
  return list;
}

/// Calls `use` with each tile, one after the other.
template <class F>
Result<void> for_each_tile(const TileJob& work, F&& use) {
  std::size_t done = 0;
  for (const auto& place : work.tiles) {
    if (!proceed(work.read.control, "tiles", done++, work.tiles.size())) {
      return fail(codes::kStopped, "");
    }
    const auto tile = work.file.map->tile(place.x, place.y, work.findings);
    if (!tile) {
      return tl::unexpected<Error>(tile.error());
    }
    use(*tile);
  }
  if (is_stopped(work.read.control)) {
    return fail(codes::kStopped, "");
  }
  return {};
}

// --- scenes

Result<scene::Scene> make_scene_of(const TileJob& work) {
  if (work.file.far) {
    return world::to_scene(*work.file.far, work.name, work.options.map.scene.scale);
  }
  world::SceneOptions options = work.options.map.scene;
  options.control = work.read.control;
  MapSceneParts parts(work.read, work.findings);
  work.models.open_for(options, parts);
  world::SceneBuilder builder(work.file.map->map(), work.name, options, work.findings);
  if (work.map_object) {
    builder.add_map_object();
  }
  const auto done = for_each_tile(work, [&](const wdt::Tile& tile) {
    builder.add_tile(tile, work.far != nullptr ? work.far->area(tile.x(), tile.y()) : nullptr);
  });
  if (!done || parts.failure()) {
    return tl::unexpected<Error>(done ? *parts.failure() : done.error());
  }
  scene::Scene scene = builder.take();
  return open::hold_to_bound(scene, work.options.scene.max_scene_bytes).map([&] { return std::move(scene); });
}

/// The name, or the first of name-2, name-3, … that no output has; cases do not matter.
std::string free_name(const std::vector<OutputFile>& files, const std::string& stem,
                      const std::string& extension) {
  std::string name = stem + extension;
  const auto is_used = [&](const OutputFile& file) {
    return normalize_game_path(file.name) == normalize_game_path(name);
  };
  for (unsigned number = 2; std::any_of(files.begin(), files.end(), is_used); ++number) {
    name = stem + "-" + std::to_string(number) + extension;
  }
  return name;
}

/// Alpha and shadow of a tile next to its scene, one of whose textures may have the same name.
Result<void> add_splat_maps(const TileJob& work, Outputs& outputs) {
  const auto add = [&](const std::string& stem, Bytes bytes) {
    outputs.files.push_back({free_name(outputs.files, stem, ".png"), std::move(bytes)});
  };
  return for_each_tile(work, [&](const wdt::Tile& tile) {
    const std::string place = work.tiles.size() > 1
                                  ? "_" + std::to_string(tile.x()) + "_" + std::to_string(tile.y())
                                  : std::string();
    add(stem(work) + place + "_alpha", encode_png(world::alpha_map(tile), png_level(work)));
    add(stem(work) + place + "_shadow", encode_png(world::shadow_map(tile), png_level(work)));
  });
}

Result<Outputs> make_scene_file(const TileJob& work) {
  const world::SceneOptions& scene_options = work.options.map.scene;
  const std::uint64_t side = scene_options.look == world::GroundStyle::baked ? scene_options.bake_size : 0;
  if (work.tiles.size() > 1 && (work.tiles.size() * kTileBytes > work.options.scene.max_scene_bytes ||
                                work.tiles.size() * side * side * kBytesPerPixel > max_pixel_bytes(work))) {
    return tl::unexpected<Error>(too_large(work.tiles.size()));
  }
  auto scene = make_scene_of(work);
  if (!scene) {
    return tl::unexpected<Error>(std::move(scene.error()));
  }
  if (scene_options.look == world::GroundStyle::splat) {
    scene::ImageOptions images;
    images.read = work.read;
    images.keep_files = work.options.scene.keep_files;
    if (auto loaded = scene::load_images(*scene, work.models.sources(), images, work.findings); !loaded) {
      return tl::unexpected<Error>(std::move(loaded.error()));
    }
  }
  GltfOptions options = work.options.gltf;
  options.binary = work.target == "glb";
  options.embed_images = options.binary;
  options.name = stem(work);
  options.png_level = png_level(work);
  options.jpeg_quality = work.options.texture.encode.quality;
  options.control = work.read.control;
  auto files = write_gltf(std::move(*scene), options, work.findings);
  if (!files) {
    return tl::unexpected<Error>(std::move(files.error()));
  }
  Outputs outputs;
  outputs.files = std::move(*files);
  std::uint64_t triangles = 0;
  for (const auto& mesh : scene->meshes) {
    triangles += mesh.indices.size() / 3;
  }
  const std::size_t models = scene->placements.size();
  outputs.note = counted(triangles, "triangle");
  outputs.note += models > 0 ? " · " + counted(models, "model") : "";
  outputs.json = {{"triangles", static_cast<std::int64_t>(triangles)}, {"models", count_value(models)}};
  if (scene_options.look == world::GroundStyle::splat && work.file.map) {
    if (const auto done = add_splat_maps(work, outputs); !done) {
      return tl::unexpected<Error>(done.error());
    }
  }
  return outputs;
}

/// The output and the files next to it.
std::vector<OutputFile> named_files(const TileJob& work, std::vector<Bytes> contents) {
  const auto sidecars = sidecar_names(work.target, work.file_name);
  std::vector<OutputFile> files;
  for (std::size_t i = 0; i < contents.size(); ++i) {
    files.push_back({i == 0 ? work.file_name : sidecars[i - 1], std::move(contents[i])});
  }
  return files;
}

// --- heights

/// A picture that the tiles share edges in.
struct Heights {
  std::size_t width = 0;
  std::size_t height = 0;
  Array<float> values;
  std::size_t missing = 0;
};

void put(Heights& heights, const world::HeightGrid& grid, std::size_t column, std::size_t row) {
  for (std::size_t y = 0; y < grid.side; ++y) {
    for (std::size_t x = 0; x < grid.side; ++x) {
      heights.values[(row + y) * heights.width + column + x] = grid.heights[y * grid.side + x];
    }
  }
  heights.missing -= std::size_t{grid.side - 1} * (grid.side - 1) -
                     std::min<std::size_t>(grid.missing, std::size_t{grid.side - 1} * (grid.side - 1));
}

Heights blank(std::size_t columns, std::size_t rows, std::size_t step) {
  Heights heights;
  heights.width = columns * step + 1;
  heights.height = rows * step + 1;
  heights.values.assign(heights.width * heights.height, 0.0F);
  heights.missing = columns * rows * step * step;
  return heights;
}

Value orientation() {
  return Value().set("first_row", "north").set("first_column", "west").set("up", "higher values");
}

std::pair<float, float> range_of(const Array<float>& values) {
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  return values.empty() ? std::pair(0.0F, 0.0F) : std::pair(*least, *most);
}

Outputs heights_outputs(const TileJob& work, const std::vector<wdt::TilePosition>& tiles,
                        const Heights& heights, double yards_per_pixel) {
  const auto range = work.height_range.value_or(range_of(heights.values));
  const world::TileFrame frame(tiles);
  GreyImage image{
      static_cast<std::uint32_t>(heights.width), static_cast<std::uint32_t>(heights.height), 16, {}};
  const double span = static_cast<double>(range.second) - static_cast<double>(range.first);
  image.values.reserve(heights.values.size());
  for (const float height : heights.values) {
    const double share = span > 0 ? (double{height} - static_cast<double>(range.first)) / span : 0;
    image.values.push_back(static_cast<std::uint16_t>(std::lround(std::clamp(share, 0.0, 1.0) * 65535)));
  }
  const double metres = work.options.map.metres;
  const Vec3 origin =
      world::corner_of({static_cast<std::uint8_t>(frame.left), static_cast<std::uint8_t>(frame.top)});
  Value sidecar;
  sidecar.set("map", work.name).set("tiles", tile_list(tiles));
  sidecar.set("width", count_value(heights.width)).set("height", count_value(heights.height)).set("bits", 16);
  sidecar.set("raw_byte_order", "little").set("metres_per_yard", metres);
  sidecar.set("minimum_metres", static_cast<double>(range.first) * metres)
      .set("maximum_metres", static_cast<double>(range.second) * metres);
  sidecar.set("metres_per_step", span * metres / 65535);
  sidecar.set("metres_per_pixel", yards_per_pixel * metres);
  sidecar.set("north_edge_metres", double{origin[0]} * metres)
      .set("west_edge_metres", double{origin[1]} * metres);
  sidecar.set("orientation", orientation()).set("missing_samples", count_value(heights.missing));
  Outputs outputs;
  outputs.files = named_files(
      work, {encode_png(image, png_level(work)), encode_raw(image), to_bytes(to_json(sidecar) + "\n")});
  outputs.note = std::to_string(heights.width) + " × " + std::to_string(heights.height) +
                 " heights, black to white " + short_number(std::max(0.0, span) * metres) + " m";
  outputs.json = {{"width", count_value(heights.width)},
                  {"height", count_value(heights.height)},
                  {"minimum_metres", static_cast<double>(range.first) * metres},
                  {"maximum_metres", static_cast<double>(range.second) * metres}};
  return outputs;
}

Result<Outputs> make_far_heights(const TileJob& work) {
  std::vector<wdt::TilePosition> tiles;
  for (const auto& area : work.file.far->areas) {
    if (work.options.map.tiles.holds(static_cast<std::uint32_t>(area.x()),
                                     static_cast<std::uint32_t>(area.y()))) {
      tiles.push_back({static_cast<std::uint8_t>(area.x()), static_cast<std::uint8_t>(area.y())});
    }
  }
  if (tiles.empty()) {
    return fail(codes::kWorldNoTile, "");
  }
  const world::TileFrame frame(tiles);
  const std::uint32_t side = work.options.map.grid == world::kGrids.back() ? 17 : 33;
  Heights heights = blank(frame.columns(), frame.rows(), side - 1);
  for (const auto& tile : tiles) {
    put(heights, world::heights_of(*work.file.far->area(tile.x, tile.y), side),
        (tile.x - frame.left) * (side - 1), (tile.y - frame.top) * (side - 1));
  }
  return heights_outputs(work, tiles, heights, world::kTileSize / (side - 1));
}

Result<Outputs> make_heights(const TileJob& work) {
  if (work.file.far) {
    return make_far_heights(work);
  }
  const world::TileFrame frame(work.tiles);
  const std::size_t step = work.options.map.grid - 1;
  if (frame.columns() * frame.rows() * step * step * kBytesPerPixel > max_pixel_bytes(work) / 4) {
    return tl::unexpected<Error>(too_large(work.tiles.size()));
  }
  Heights heights = blank(frame.columns(), frame.rows(), step);
  const auto done = for_each_tile(work, [&](const wdt::Tile& tile) {
    put(heights, world::heights_of(tile, work.options.map.grid), (tile.x() - frame.left) * step,
        (tile.y() - frame.top) * step);
  });
  if (!done) {
    return tl::unexpected<Error>(done.error());
  }
  return heights_outputs(work, work.tiles, heights, world::kTileSize / static_cast<double>(step));
}

// --- maps

Value maps_sidecar(const TileJob& work, const wdt::Tile& tile) {
  Value textures = Value::List();
  for (const auto name : wdt::split_names(tile.textures)) {
    textures.push(to_utf8(name));
  }
  Value chunks = Value::List();
  for (const auto& chunk : tile.chunks) {
    Value layers = Value::List();
    for (const auto& layer : chunk.layers) {
      layers.push(layer.texture_id);
    }
    chunks.push(Value()
                    .set("x", std::uint32_t{chunk.slot} % world::kChunksPerSide)
                    .set("y", std::uint32_t{chunk.slot} / world::kChunksPerSide)
                    .set("zone", std::uint32_t{chunk.header.zone})
                    .set("area", std::uint32_t{chunk.header.area})
                    .set("layers", std::move(layers)));
  }
  Value sidecar;
  sidecar.set("map", work.name).set("tiles", tile_list(work.tiles)).set("orientation", orientation());
  sidecar.set("alpha", "R, G and B are the alpha of a chunk's second, third and fourth layer");
  sidecar.set("shadow", "255 is in shadow").set("holes", "255 is a hole, one pixel per cell");
  sidecar.set("textures", std::move(textures)).set("chunks", std::move(chunks));
  return sidecar;
}

Result<Outputs> make_maps(const TileJob& work) {
  if (work.file.far || work.tiles.size() != 1) {
    return fail(codes::kFormatUnsupported,
                work.file.far
                    ? "layers cannot be read from far terrain (WDL), which has none; use the map's WDT"
                    : "this output is written per tile; name a folder with -o");
  }
  Outputs outputs;
  const int level = png_level(work);
  const auto done = for_each_tile(work, [&](const wdt::Tile& tile) {
    std::vector<Bytes> files = {
        encode_png(world::alpha_map(tile), level), encode_png(world::shadow_map(tile), level),
        encode_png(world::area_map(tile), level),  encode_png(world::zone_map(tile), level),
        encode_png(world::hole_map(tile), level),  to_bytes(to_json(maps_sidecar(work, tile)) + "\n")};
    outputs.files = named_files(work, std::move(files));
  });
  if (!done) {
    return tl::unexpected<Error>(done.error());
  }
  outputs.note = "alpha, shadow, areas, zones and holes";
  return outputs;
}

Result<Outputs> make_minimap(const TileJob& work) {
  if (work.file.far || work.tiles.empty()) {
    return fail(codes::kFormatUnsupported,
                work.file.far ? "a minimap cannot be made from far terrain (WDL), which has no textures; use "
                                "the map's WDT"
                              : "a minimap cannot be made from a map without tiles");
  }
  const world::TileFrame frame(work.tiles);
  const std::uint64_t size = work.options.map.picture_size;
  if (frame.columns() * frame.rows() * size * size * kBytesPerPixel > max_pixel_bytes(work) / 2) {
    return tl::unexpected<Error>(too_large(work.tiles.size()));
  }
  world::TilePicture picture(frame, work.options.map.picture_size, {});
  MapSceneParts parts(work.read, work.findings);
  const auto textures = work.models.textures(parts);
  const auto done = for_each_tile(work, [&](const wdt::Tile& tile) {
    picture.put(world::minimap(tile, textures, work.options.map.picture_size, work.options.map.light),
                tile.x(), tile.y());
  });
  if (!done) {
    return tl::unexpected<Error>(done.error());
  }
  const Image& image = picture.image();
  Outputs outputs;
  outputs.files.push_back({work.file_name, encode_png(image, png_level(work), work.read.control)});
  outputs.note = std::to_string(image.width) + " × " + std::to_string(image.height);
  outputs.json = {{"width", image.width}, {"height", image.height}};
  return outputs;
}

}  // namespace

std::pair<float, float> height_range(const wdt::World& map, const std::vector<wdt::TilePosition>& tiles,
                                     std::uint32_t grid, const Control* control) {
  std::optional<std::pair<float, float>> range;
  std::size_t done = 0;
  for (const auto& place : tiles) {
    if (!proceed(control, "tiles", done++, tiles.size())) {
      break;
    }
    const auto tile = map.tile(place.x, place.y);
    if (!tile) {
      continue;  // reported when it is converted
    }
    const auto part = range_of(world::heights_of(*tile, grid).heights);
    range =
        range ? std::pair(std::min(range->first, part.first), std::max(range->second, part.second)) : part;
  }
  return range.value_or(std::pair(0.0F, 0.0F));
}

std::vector<std::string> sidecar_names(std::string_view target, std::string_view file_name) {
  static constexpr std::array<std::string_view, 2> kOfHeights = {".raw", ".json"};
  static constexpr std::array<std::string_view, 5> kOfMaps = {"_shadow.png", "_area.png", "_zone.png",
                                                              "_holes.png", ".json"};
  std::span<const std::string_view> ends;
  if (target == "heightmap") {
    ends = kOfHeights;
  } else if (target == "maps") {
    ends = kOfMaps;
  }
  std::vector<std::string> names;
  for (const auto end : ends) {
    names.push_back(std::string(without_extension(file_name)).append(end));
  }
  return names;
}

Result<MapFile> open_map_file(const std::shared_ptr<const Storage>& storage, const ReadOptions& options,
                              Diagnostics& findings) {
  constexpr std::uint64_t kHead = 256;  // enough to distinguish one from the other
  MapFile file;
  Bytes start(static_cast<std::size_t>(std::min(storage->size(), kHead)));
  if (!storage->read(0, start) || !wdl::is_wdl(start)) {
    return wdt::open(storage, options, findings).map([&](wdt::World&& map) {
      file.map = std::move(map);
      return std::move(file);
    });
  }
  if (storage->size() > options.limits.max_input_bytes) {
    return input_too_large(storage->size(), options.limits);
  }
  Bytes bytes(static_cast<std::size_t>(storage->size()));
  if (!storage->read(0, bytes)) {
    return fail(codes::kInputUnreadable, "the file cannot be read");
  }
  return wdl::read(bytes, options, findings).map([&](wdl::Document&& far) {
    file.far = std::move(far);
    return std::move(file);
  });
}

Result<Outputs> make_tiles(const TileJob& work) {
  if (work.target == "heightmap") {
    return make_heights(work);
  }
  if (work.target == "maps") {
    return make_maps(work);
  }
  return work.target == "minimap" ? make_minimap(work) : make_scene_file(work);
}

}  // namespace thaw::conversion
