#include "waystone.hpp"

#include "build.hpp"
#include "mesh.hpp"

#include <algorithm>
#include <cmath>

namespace thaw::samples {
namespace {

enum Bone : std::int32_t { kStone, kCrystal, kBoneCount };
constexpr double kCrystalHeight = 3.05;

// Parts of the stone's texture: a band of runes above, plain blocks below.
constexpr UvRect kRunes{0, 0.02, 2, 0.48};
constexpr UvRect kBlocks{0, 0.52, 2, 0.98};
constexpr UvRect kTop{0, 0.52, 1, 0.98};

/// Four-sided with rounded edges, wider where the profile says so.
Shape pillar(std::vector<Ring> profile) {
  const Shape round = lathe(std::move(profile));
  return [round](double u, double v) {
    const Point at = round(u, v);
    const double reach = std::max(1e-9, std::sqrt(at[0] * at[0] + at[1] * at[1]));
    const double x = std::pow(std::abs(at[0]) / reach, 4);
    const double y = std::pow(std::abs(at[1]) / reach, 4);
    const double grow = 1 / std::pow(x + y, 0.25);
    return Point{at[0] * grow, at[1] * grow, at[2]};
  };
}

/// `detail` 1 is the finest; 2 has half of the columns and rows.
Mesh stone(unsigned detail) {
  Mesh mesh;
  const unsigned around = 32 / detail;
  const auto add = [&](const std::vector<Ring>& profile, unsigned rows, const UvRect& rect) {
    mesh.add(pillar(profile), around, std::max(2U, rows / detail), rect, rigid(kStone));
  };
  add({{0.02, 0.42}, {0.80, 0.42}, {0.86, 0.36}, {0.88, 0.06}, {0.92, 0}}, 8, kBlocks);
  add({{0.02, 0.66}, {0.58, 0.66}, {0.62, 0.62}, {0.64, 0.42}}, 6, kBlocks);
  add({{0.40, 2.10}, {0.41, 2.04}, {0.45, 1.30}, {0.52, 0.66}}, 10, kRunes);
  add({{0.02, 2.40}, {0.46, 2.40}, {0.54, 2.34}, {0.54, 2.18}, {0.46, 2.10}, {0.02, 2.10}}, 10, kTop);
  // Four claws hold the crystal; they bend with it a little.
  for (unsigned i = 0; i < 4; ++i) {
    const double angle = kPi / 4 + kPi / 2 * i;
    const Point out{std::cos(angle), std::sin(angle), 0};
    const auto at = [&](double reach, double height) { return out * reach + Point{0, 0, height}; };
    mesh.add(
        tube({at(0.40, 2.34), at(0.52, 2.62), at(0.46, 2.92), at(0.33, 3.10)}, {0.10, 0.085, 0.06, 0.012}),
        12 / detail, 16 / detail, kBlocks, [](double, double v) {
          const double share = 0.35 * ramp(0.4, 1.0, v);
          return Bind{{{kStone, 1 - share}, {kCrystal, share}}};
        });
  }
  return mesh;
}

Mesh crystal(unsigned detail) {
  Mesh mesh;
  const Shape facets = [](double u, double v) {
    // Six flat sides: a hexagon drawn out to two points.
    const double angle = 2 * kPi * u;
    const double side = kPi / 3;
    const double within = std::fmod(angle, side) - side / 2;
    const double reach = 0.26 * std::cos(side / 2) / std::cos(within);
    const double height = 1 - 2 * v;
    const double width = ramp(0, 0.55, 1 - std::abs(height));
    return Point{reach * width * std::cos(angle), reach * width * std::sin(angle),
                 kCrystalHeight + 0.62 * height};
  };
  mesh.add(facets, detail == 1 ? 24 : 6, 12 / detail, {0, 0, 1, 1}, rigid(kCrystal));
  return mesh;
}

/// Streams of all geosets, one behind the other.
class Builder {
 public:
  explicit Builder(std::uint32_t mesh_version) : version_(mesh_version) {}

  m3::Document make() {
    for (const unsigned detail : {1U, 2U}) {
      m3::Lod lod;
      const std::string suffix = detail == 1 ? "" : "_lod1";
      add_geoset("stone" + suffix, stone(detail), 0, lod);
      add_geoset("crystal" + suffix, crystal(detail), 1, lod);
      lods_.items.push_back(lod);
    }
    lods_.properties = {1, 2};
    m3::Document document;
    const auto add = [&](FourCC tag, m3::Body body) {
      document.chunks.push_back({tag, std::move(body), {}, {}});
    };
    add(FourCC{"M3DT"}, header());
    add(FourCC{"M3SI"}, materials());
    add(FourCC{"MES3"}, mesh());
    add(FourCC{"M3CL"}, collision());
    add(FourCC{"M3XF"}, m3::ModelTransform());
    return document;
  }

 private:
  void add_geoset(const std::string& name, const Mesh& shape, std::uint16_t material, m3::Lod& lod) {
    const mdx::Geoset source = shape.skin_geoset(0, kBoneCount);
    m3::Geoset geoset;
    geoset.unknown = geosets_.items.empty() ? 4 : 0;
    geoset.name_start = static_cast<std::uint32_t>(names_.text.size());
    geoset.name_size = static_cast<std::uint32_t>(name.size());
    names_.text.insert(names_.text.end(), name.begin(), name.end());
    geoset.index_start = static_cast<std::uint32_t>(indices_.size());
    geoset.index_count = static_cast<std::uint32_t>(source.indices.size());
    geoset.vertex_start = static_cast<std::uint32_t>(positions_.size());
    geoset.vertex_count = static_cast<std::uint32_t>(source.positions.size());
    for (const std::uint16_t index : source.indices) {
      indices_.push_back(static_cast<std::uint16_t>(index + geoset.vertex_start));
    }
    positions_.insert(positions_.end(), source.positions.begin(), source.positions.end());
    normals_.insert(normals_.end(), source.normals.begin(), source.normals.end());
    for (const Vec2& uv : source.uv_sets[0].coordinates) {
      uvs_.push_back(uv);
      second_uvs_.push_back({uv[0] * 0.5F, uv[1] * 0.5F});
    }
    tangents_.insert(tangents_.end(), source.tangents->begin(), source.tangents->end());
    for (std::size_t i = 0; i < source.positions.size(); ++i) {
      weights_.data.insert(weights_.data.end(), (*source.skin)[i].begin(), (*source.skin)[i].end());
      // Darker towards the ground, as if light could not reach there.
      const double light = material == 0 ? 0.62 + 0.38 * ramp(0, 1.6, double{source.positions[i][2]}) : 1.0;
      const auto level = static_cast<std::uint8_t>(std::lround(light * 255));
      colors_.push_back({level, level, level, 255});
    }
    lod.vertex_count += geoset.vertex_count;
    lod.index_count += geoset.index_count;
    batches_.items.push_back({{}, static_cast<std::uint16_t>(geosets_.items.size()), material});
    geosets_.items.push_back(geoset);
  }

  [[nodiscard]] m3::ModelHeader header() const {
    m3::ModelHeader result;
    const mdx::Extent extent = extent_of(positions_);
    result.box = result.box2 = {extent.minimum, extent.maximum};
    double square = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double side = double{extent.maximum.at(axis)} - double{extent.minimum.at(axis)};
      square += side * side;
    }
    result.radius = result.radius2 = snap(std::sqrt(square) / 2);
    return result;
  }

  [[nodiscard]] m3::Materials materials() const {
    m3::Materials result;
    result.version = version_ >= 4 ? 4 : 2;
    for (const std::int32_t texture : {kWaystoneStone, kWaystoneCrystal}) {
      m3::Instance& instance = result.instances.emplace_back();
      const bool glows = texture == kWaystoneCrystal;
      instance.library = 5614494U + (glows ? 1U : 0U);
      for (std::size_t i = 0; i < instance.guid.size(); ++i) {
        instance.guid.at(i) = static_cast<std::uint8_t>(i + (glows ? 16 : 0));
      }
      instance.blend_mode = glows ? 2 : 0;
      instance.uniform_hashes = {0x1111111111111111, 0x2222222222222222, 0x3333333333333333};
      instance.uniform_types = {14, 17, 0};
      instance.uniform_locations = {0, 4, 20};
      instance.uniform_data = {glows ? 2.0F : 0.5F, 1, 0.5F, 0.25F, 1, 0};
      instance.sampler_hashes = {0xAAAAAAAA00000001};
      instance.sampler_textures = {texture};
    }
    m3::lay_out(result);
    return result;
  }

  m3::Mesh mesh() {
    m3::Mesh result;
    const auto add = [&](FourCC tag, m3::MeshBody body) {
      result.chunks.push_back({tag, std::move(body), {}, {}});
    };
    const auto buffer = [&](FourCC tag, m3::ElementFormat format, m3::Elements elements) {
      add(tag, m3::Buffer{{m3::element_tag(format), 0}, std::move(elements)});
    };
    add(FourCC{"M3VR"}, m3::MeshVersion{{version_, 0}});
    buffer(FourCC{"VPOS"}, m3::ElementFormat::f32x3, positions_);
    buffer(FourCC{"VNML"}, m3::ElementFormat::f32x3, normals_);
    buffer(FourCC{"VUV0"}, m3::ElementFormat::f32x2, uvs_);
    buffer(FourCC{"VUV1"}, m3::ElementFormat::f32x2, second_uvs_);
    buffer(FourCC{"VTAN"}, m3::ElementFormat::f32x4, tangents_);
    weights_.layout = m3::WeightLayout::interleaved;
    add(FourCC{"VWTS"}, std::move(weights_));
    Array<Vec4> poses;
    for (const double height : {0.0, kCrystalHeight}) {
      poses.insert(poses.end(), {Vec4{1, 0, 0, 0}, Vec4{0, 1, 0, 0}, Vec4{0, 0, 1, 0},
                                 Vec4{0, 0, static_cast<float>(-height), 1}});
    }
    buffer(FourCC{"VIBP"}, m3::ElementFormat::f32x4, std::move(poses));
    buffer(FourCC{"VCL0"}, m3::ElementFormat::u8n_x4, std::move(colors_));
    add(FourCC{"VSTR"}, std::move(names_));
    buffer(FourCC{"VINX"}, m3::ElementFormat::u16x1, std::move(indices_));
    geosets_.long_records = version_ >= 4;
    geosets_.properties.count = static_cast<std::uint32_t>(geosets_.items.size());
    add(FourCC{"VGEO"}, std::move(geosets_));
    add(FourCC{"LODS"}, std::move(lods_));
    batches_.properties.count = static_cast<std::uint32_t>(batches_.items.size());
    add(FourCC{"RBAT"}, std::move(batches_));
    return result;
  }

  static m3::Collision collision() {
    Mesh box;
    box.add(pillar({{0.02, 2.4}, {0.52, 2.4}, {0.60, 0.5}, {0.92, 0.4}, {0.92, 0}}), 8, 6, {0, 0, 1, 1},
            rigid(kStone));
    const mdx::Geoset source = box.skin_geoset(0, kBoneCount);
    m3::Collision result;
    result.chunks.push_back({FourCC{"CPOS"}, {}, m3::Points{source.positions}, {}});
    result.chunks.push_back({FourCC{"CNML"}, {}, m3::Points{source.normals}, {}});
    result.chunks.push_back({FourCC{"CINX"}, {}, m3::Corners{source.indices}, {}});
    return result;
  }

  std::uint32_t version_;
  m3::Names names_;
  m3::Geosets geosets_;
  m3::Lods lods_;
  m3::Batches batches_;
  m3::Weights weights_;
  Array<Vec3> positions_;
  Array<Vec3> normals_;
  Array<Vec2> uvs_;
  Array<Vec2> second_uvs_;
  Array<Vec4> tangents_;
  Array<std::array<std::uint8_t, 4>> colors_;
  Array<std::uint16_t> indices_;
};

/// How far a place is from the strokes of one of four runes; 0 is on them.
double rune(double x, double y, unsigned which) {
  const auto stroke = [&](double ax, double ay, double bx, double by) {
    const double dx = bx - ax;
    const double dy = by - ay;
    const double along = std::clamp(((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy), 0.0, 1.0);
    return std::hypot(x - ax - dx * along, y - ay - dy * along);
  };
  double away = stroke(0, -0.8, 0, 0.8);
  switch (which % 4) {
    case 0:
      return std::min({away, stroke(0, -0.8, 0.5, -0.3), stroke(0, -0.1, 0.5, 0.4)});
    case 1:
      return std::min({away, stroke(0, -0.8, 0.5, -0.4), stroke(0.5, -0.4, 0, 0)});
    case 2:
      return std::min({away, stroke(-0.5, -0.4, 0, -0.8), stroke(0.5, -0.4, 0, -0.8)});
    default:
      return std::min({away, stroke(-0.5, -0.5, 0.5, 0.5), stroke(0.5, -0.5, -0.5, 0.5)});
  }
}

}  // namespace

m3::Document waystone(std::uint32_t mesh_version) { return Builder(mesh_version).make(); }

Canvas waystone_stone() {
  Canvas canvas(256, 256);
  canvas.paint([](double u, double v) {
    const double grain = noise(u * 24, v * 24, 5, 24) * 0.30 + noise(u * 64, v * 64, 6, 64) * 0.22;
    Color color = shaded({0.50, 0.49, 0.53}, 0.62 + grain);
    color = mix(color, {0.30, 0.38, 0.22}, 0.45 * ramp(0.55, 0.85, noise(u * 8, v * 8, 7, 8)));
    if (v < 0.5) {
      const double cell = u * 8;
      const double x = (std::fmod(cell, 1.0) - 0.5) * 2.6;
      const double away = rune(x, (v / 0.5 - 0.5) * 2.3, static_cast<unsigned>(cell));
      color = mix(color, shaded(color, 0.35), ramp(0.22, 0.10, away));
      return mix(color, {0.35, 0.95, 1.0}, ramp(0.13, 0.05, away));
    }
    const double row = std::floor((v - 0.5) * 8);
    const double x = std::fmod(u * 4 + (static_cast<int>(row) % 2 == 0 ? 0.0 : 0.5), 1.0);
    const double y = std::fmod((v - 0.5) * 8, 1.0);
    const double seam = std::min(std::min(x, 1 - x) * 2, std::min(y, 1 - y));
    return mix(shaded(color, 0.4), color, ramp(0.02, 0.10, seam));
  });
  return canvas;
}

Canvas waystone_crystal() {
  Canvas canvas(128, 128);
  canvas.paint([](double u, double v) {
    const double side = std::abs(std::fmod(u * 6, 1.0) - 0.5) * 2;
    const double veins = noise(u * 12, v * 20, 9, 12);
    Color color = mix({0.08, 0.42, 0.78}, {0.45, 0.95, 1.0}, 0.25 + 0.5 * veins);
    color =
        mix(color, {0.92, 1.0, 1.0}, 0.8 * ramp(0.86, 1.0, side) + 0.35 * ramp(0.3, 0.0, std::abs(v - 0.5)));
    color.a = 0.82 + 0.18 * ramp(0.6, 1.0, side);
    return color;
  });
  return canvas;
}

}  // namespace thaw::samples
