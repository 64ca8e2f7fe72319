#include "cli/convert/make_tiles.hpp"

#include <thaw/gltf.hpp>
#include <thaw/grey.hpp>
#include <thaw/wow_codes.hpp>

#include "bytes/text.hpp"
#include "cli/convert/options.hpp"
#include "cli/inputs/distinct.hpp"
#include "cli/picture/tile_picture.hpp"
#include "cli/platform/job_control.hpp"
#include "cli/report/console.hpp"
#include "cli/report/report.hpp"
#include "cli/report/text.hpp"
#include "open/scene_weight.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace thaw::cli {
namespace {

/// Of a tile's meshes, on their way into a file.
constexpr std::uint64_t kTileBytes = std::uint64_t{8} << 20U;
constexpr std::uint64_t kBytesPerPixel = 8;

Error too_large(std::size_t tiles) {
  return Error{codes::kWorldTooLarge,
               {},
               {},
               concat({std::to_string(tiles),
                       " tiles in one file; --tiles takes fewer, a folder as output has a "
                       "file of each, --max-scene and --max-pixels set the limits"})};
}

std::uint64_t max_pixel_bytes(const TileJob& job) {
  return read_options(job.settings).limits.max_pixel_bytes;
}

std::string stem(const TileJob& job) { return job.output.stem().string(); }

Value tile_list(const TileJob& job) {
  Value list = Value::List();
  for (const auto& tile : job.tiles) {
    list.push(Value::List{std::uint32_t{tile.x}, std::uint32_t{tile.y}});
  }
  return list;
}

/// Calls `use` with each tile, one after the other.
template <class F>
Result<void> for_each_tile(const TileJob& job, Diagnostics& findings, F&& use) {
  std::size_t done = 0;
  for (const auto& place : job.tiles) {
    if (!proceed(current_control(), "tiles", done++, job.tiles.size())) {
      stop_when_asked();
    }
    const auto tile = job.file.map->tile(place.x, place.y, findings);
    if (!tile) {
      return tl::unexpected<Error>(tile.error());
    }
    use(*tile);
  }
  return {};
}

// --- scenes

Result<scene::Scene> make_scene_of(const TileJob& job, Diagnostics& findings) {
  if (job.file.far) {
    return world::to_scene(*job.file.far, job.name, job.world.scene.scale);
  }
  world::SceneOptions options = job.world.scene;
  options.control = current_control();
  Taken taken(job.settings, findings);
  options.open_texture = job.models.textures(taken);
  options.liquid_texture = job.models.liquid_textures();
  options.open_model = job.models.models(options.scale, taken);
  world::SceneBuilder builder(job.file.map->map(), job.name, options, findings);
  if (job.map_object) {
    builder.add_map_object();
  }
  const auto done = for_each_tile(job, findings, [&](const wdt::Tile& tile) {
    builder.add_tile(tile, job.far != nullptr ? job.far->area(tile.x(), tile.y()) : nullptr);
  });
  if (!done || taken.failure()) {
    return tl::unexpected<Error>(done ? *taken.failure() : done.error());
  }
  scene::Scene scene = builder.take();
  return open::hold_to_bound(scene, max_scene_bytes(job.settings)).map([&] { return std::move(scene); });
}

/// Alpha and shadow of a tile beside its scene.
Result<void> add_splat_maps(const TileJob& job, Product& product, Diagnostics& findings) {
  DistinctNames names;  // a ground texture may be called alpha
  for (const auto& file : product.files) {
    names.take(file.name);
  }
  const auto add = [&](const std::string& name, Bytes bytes) {
    product.files.push_back({names.take(name).string(), std::move(bytes)});
  };
  return for_each_tile(job, findings, [&](const wdt::Tile& tile) {
    const std::string place =
        job.tiles.size() > 1 ? concat({"_", std::to_string(tile.x()), "_", std::to_string(tile.y())}) : "";
    const int level = png_level(job.settings);
    add(stem(job) + place + "_alpha.png", encode_png(world::alpha_map(tile), level));
    add(stem(job) + place + "_shadow.png", encode_png(world::shadow_map(tile), level));
  });
}

Result<Product> make_scene_file(const TileJob& job, Diagnostics& findings) {
  const std::uint64_t side = job.world.scene.look == world::GroundLook::baked ? job.world.scene.bake_size : 0;
  if (job.tiles.size() > 1 && (job.tiles.size() * kTileBytes > max_scene_bytes(job.settings) ||
                               job.tiles.size() * side * side * kBytesPerPixel > max_pixel_bytes(job))) {
    return tl::unexpected<Error>(too_large(job.tiles.size()));
  }
  auto scene = make_scene_of(job, findings);
  if (!scene) {
    return tl::unexpected<Error>(std::move(scene.error()));
  }
  if (job.world.scene.look == world::GroundLook::splat) {
    scene::ImageOptions images;
    images.read = read_options(job.settings);
    if (auto loaded = scene::load_images(*scene, job.models.sources(), images, findings); !loaded) {
      return tl::unexpected<Error>(std::move(loaded.error()));
    }
  }
  GltfOptions options;
  options.profile = gltf_profile(job.settings);
  options.binary = job.target == WorldTarget::glb;
  options.embed_images = options.binary;
  options.name = stem(job);
  options.png_level = png_level(job.settings);
  options.control = current_control();
  auto files = write_gltf(*scene, options, findings);
  if (!files) {
    return tl::unexpected<Error>(std::move(files.error()));
  }
  Product product;
  product.files = std::move(*files);
  std::uint64_t triangles = 0;
  for (const auto& mesh : scene->meshes) {
    triangles += mesh.indices.size() / 3;
  }
  const std::size_t models = scene->placements.size();
  product.note =
      concat({counted(triangles, "triangle"), models > 0 ? concat({" · ", counted(models, "model")}) : ""});
  product.json = {{"triangles", static_cast<std::int64_t>(triangles)}, {"models", count_value(models)}};
  if (job.world.scene.look == world::GroundLook::splat && job.file.map) {
    if (const auto done = add_splat_maps(job, product, findings); !done) {
      return tl::unexpected<Error>(done.error());
    }
  }
  return product;
}

/// The output and the files beside it.
std::vector<OutputFile> named_files(const TileJob& job, std::vector<Bytes> contents) {
  const auto beside = files_beside(job.target, job.output);
  std::vector<OutputFile> files;
  for (std::size_t i = 0; i < contents.size(); ++i) {
    const auto& path = i == 0 ? job.output : beside[i - 1];
    files.push_back({path.filename().string(), std::move(contents[i])});
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

Product heights_product(const TileJob& job, const Heights& heights, std::pair<float, float> range,
                        world::TileIndex corner, double yards_per_pixel) {
  GreyImage image{
      static_cast<std::uint32_t>(heights.width), static_cast<std::uint32_t>(heights.height), 16, {}};
  const double span = static_cast<double>(range.second) - static_cast<double>(range.first);
  image.values.reserve(heights.values.size());
  for (const float height : heights.values) {
    const double share = span > 0 ? (double{height} - static_cast<double>(range.first)) / span : 0;
    image.values.push_back(static_cast<std::uint16_t>(std::lround(std::clamp(share, 0.0, 1.0) * 65535)));
  }
  const double metres = job.world.metres;
  const Vec3 origin = world::corner_of(corner);
  Value sidecar;
  sidecar.set("map", job.name).set("tiles", tile_list(job));
  sidecar.set("width", count_value(heights.width)).set("height", count_value(heights.height)).set("bits", 16);
  sidecar.set("raw_byte_order", "little").set("metres_per_yard", metres);
  sidecar.set("minimum_metres", static_cast<double>(range.first) * metres)
      .set("maximum_metres", static_cast<double>(range.second) * metres);
  sidecar.set("metres_per_step", span * metres / 65535);
  sidecar.set("metres_per_pixel", yards_per_pixel * metres);
  sidecar.set("north_edge_metres", double{origin[0]} * metres)
      .set("west_edge_metres", double{origin[1]} * metres);
  sidecar.set("orientation", orientation()).set("missing_samples", count_value(heights.missing));
  Product product;
  product.files = named_files(job, {encode_png(image, png_level(job.settings)), encode_raw(image),
                                    to_bytes(to_json(sidecar) + "\n")});
  product.note = concat({std::to_string(heights.width), " × ", std::to_string(heights.height), " heights, ",
                         short_number(std::max(0.0, span) * metres), " m from lowest to highest"});
  product.json = {{"width", count_value(heights.width)},
                  {"height", count_value(heights.height)},
                  {"minimum_metres", static_cast<double>(range.first) * metres},
                  {"maximum_metres", static_cast<double>(range.second) * metres}};
  return product;
}

std::pair<float, float> range_of(const Array<float>& values) {
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  return values.empty() ? std::pair(0.0F, 0.0F) : std::pair(*least, *most);
}

Result<Product> make_far_heights(const TileJob& job) {
  std::vector<wdt::TilePosition> tiles;
  for (const auto& area : job.file.far->areas) {
    if (job.world.tiles.holds(static_cast<std::uint32_t>(area.x()), static_cast<std::uint32_t>(area.y()))) {
      tiles.push_back({static_cast<std::uint8_t>(area.x()), static_cast<std::uint8_t>(area.y())});
    }
  }
  if (tiles.empty()) {
    return fail(codes::kWorldNoTile, "");
  }
  const TileFrame frame(tiles);
  const std::uint32_t side = job.world.grid == world::kGrids.back() ? 17 : 33;
  Heights heights = blank(frame.columns(), frame.rows(), side - 1);
  for (const auto& tile : tiles) {
    put(heights, world::heights_of(*job.file.far->area(tile.x, tile.y), side),
        (tile.x - frame.left) * (side - 1), (tile.y - frame.top) * (side - 1));
  }
  TileJob all = job;
  all.tiles = tiles;
  return heights_product(all, heights, job.world.height_range.value_or(range_of(heights.values)),
                         {static_cast<std::uint8_t>(frame.left), static_cast<std::uint8_t>(frame.top)},
                         world::kTileSize / (side - 1));
}

Result<Product> make_heights(const TileJob& job, Diagnostics& findings) {
  if (job.file.far) {
    return make_far_heights(job);
  }
  const TileFrame frame(job.tiles);
  const std::size_t step = job.world.grid - 1;
  if (frame.columns() * frame.rows() * step * step * kBytesPerPixel > max_pixel_bytes(job) / 4) {
    return tl::unexpected<Error>(too_large(job.tiles.size()));
  }
  Heights heights = blank(frame.columns(), frame.rows(), step);
  const auto done = for_each_tile(job, findings, [&](const wdt::Tile& tile) {
    put(heights, world::heights_of(tile, job.world.grid), (tile.x() - frame.left) * step,
        (tile.y() - frame.top) * step);
  });
  if (!done) {
    return tl::unexpected<Error>(done.error());
  }
  return heights_product(job, heights, job.world.height_range.value_or(range_of(heights.values)),
                         {static_cast<std::uint8_t>(frame.left), static_cast<std::uint8_t>(frame.top)},
                         world::kTileSize / static_cast<double>(step));
}

// --- maps

Value maps_sidecar(const TileJob& job, const wdt::Tile& tile) {
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
  sidecar.set("map", job.name).set("tiles", tile_list(job)).set("orientation", orientation());
  sidecar.set("alpha", "R, G and B are the alpha of a chunk's second, third and fourth layer");
  sidecar.set("shadow", "255 is in shadow").set("holes", "255 is a hole, one pixel per cell");
  sidecar.set("textures", std::move(textures)).set("chunks", std::move(chunks));
  return sidecar;
}

Result<Product> make_maps(const TileJob& job, Diagnostics& findings) {
  if (job.file.far || job.tiles.size() != 1) {
    return fail(codes::kFormatUnsupported, "maps are made of single tiles: name a folder with -o");
  }
  Product product;
  const int level = png_level(job.settings);
  const auto done = for_each_tile(job, findings, [&](const wdt::Tile& tile) {
    std::vector<Bytes> files = {
        encode_png(world::alpha_map(tile), level), encode_png(world::shadow_map(tile), level),
        encode_png(world::area_map(tile), level),  encode_png(world::zone_map(tile), level),
        encode_png(world::hole_map(tile), level),  to_bytes(to_json(maps_sidecar(job, tile)) + "\n")};
    product.files = named_files(job, std::move(files));
  });
  if (!done) {
    return tl::unexpected<Error>(done.error());
  }
  product.note = "alpha, shadow, areas, zones and holes";
  return product;
}

Result<Product> make_minimap(const TileJob& job, Diagnostics& findings) {
  if (job.file.far || job.tiles.empty()) {
    return fail(codes::kFormatUnsupported, "far terrain has no textures to show");
  }
  const TileFrame frame(job.tiles);
  const std::uint64_t size = job.world.picture_size;
  if (frame.columns() * frame.rows() * size * size * kBytesPerPixel > max_pixel_bytes(job) / 2) {
    return tl::unexpected<Error>(too_large(job.tiles.size()));
  }
  TilePicture picture(frame, job.world.picture_size, {});
  Taken taken(job.settings, findings);
  const auto textures = job.models.textures(taken);
  const auto done = for_each_tile(job, findings, [&](const wdt::Tile& tile) {
    picture.put(world::minimap(tile, textures, job.world.picture_size, job.world.light), tile.x(), tile.y());
  });
  if (!done) {
    return tl::unexpected<Error>(done.error());
  }
  const Image& image = picture.image();
  Product product;
  product.files.push_back(
      {job.output.filename().string(), encode_png(image, png_level(job.settings), current_control())});
  product.note = concat({std::to_string(image.width), " × ", std::to_string(image.height)});
  product.json = {{"width", image.width}, {"height", image.height}};
  return product;
}

}  // namespace

WorldTarget world_target(const std::string& target) {
  if (target.empty() || target == "glb") {
    return WorldTarget::glb;
  }
  return target == "gltf"        ? WorldTarget::gltf
         : target == "heightmap" ? WorldTarget::heightmap
         : target == "maps"      ? WorldTarget::maps
         : target == "minimap"   ? WorldTarget::minimap
                                 : WorldTarget::none;
}

Result<std::pair<float, float>> height_range(const wdt::World& map,
                                             const std::vector<wdt::TilePosition>& tiles, std::uint32_t grid,
                                             Diagnostics& findings) {
  std::optional<std::pair<float, float>> range;
  std::size_t done = 0;
  for (const auto& place : tiles) {
    if (!proceed(current_control(), "tiles", done++, tiles.size())) {
      stop_when_asked();
    }
    const auto tile = map.tile(place.x, place.y, findings);
    if (!tile) {
      continue;  // told when it is converted
    }
    const auto part = range_of(world::heights_of(*tile, grid).heights);
    range =
        range ? std::pair(std::min(range->first, part.first), std::max(range->second, part.second)) : part;
  }
  return range.value_or(std::pair(0.0F, 0.0F));
}

std::vector<std::filesystem::path> files_beside(WorldTarget target, const std::filesystem::path& output) {
  static constexpr std::array<std::string_view, 2> kOfHeights = {".raw", ".json"};
  static constexpr std::array<std::string_view, 5> kOfMaps = {"_shadow.png", "_area.png", "_zone.png",
                                                              "_holes.png", ".json"};
  const auto ends = target == WorldTarget::maps ? std::span<const std::string_view>(kOfMaps)
                                                : std::span<const std::string_view>(kOfHeights);
  std::vector<std::filesystem::path> paths;
  for (const auto end : ends) {
    paths.push_back(output.parent_path() / concat({output.stem().string(), end}));
  }
  return paths;
}

Result<Product> make_tiles(const TileJob& job, Diagnostics& findings) {
  switch (job.target) {
    case WorldTarget::heightmap:
      return make_heights(job, findings);
    case WorldTarget::maps:
      return make_maps(job, findings);
    case WorldTarget::minimap:
      return make_minimap(job, findings);
    default:
      return make_scene_file(job, findings);
  }
}

}  // namespace thaw::cli
