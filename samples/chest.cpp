#include "chest.hpp"

#include "build.hpp"
#include "mesh.hpp"

#include <cmath>

namespace thaw::samples {
namespace {

using mdx::Interpolation;
namespace flag = mdx::node_flag;

enum Id : std::int32_t {
  kRoot,
  kLid,
  kLock,
  kGold,
  kBoneCount,
  kOrigin = kBoneCount,
  kOverhead,
  kBody,
  kNodeCount
};

constexpr double kHalfLength = 26;  // along Y; the chest looks along +X
constexpr double kHalfDepth = 17;
constexpr double kHeight = 22;
constexpr Point kHinge{-kHalfDepth, 0, kHeight};

// --- textures: one square of 128 × 128 for all, in quarters
// ---------------------------------------------------

constexpr UvRect kWood{0.01, 0.01, 0.99, 0.49};
constexpr UvRect kIron{0.01, 0.51, 0.49, 0.74};
constexpr UvRect kCloth{0.01, 0.76, 0.49, 0.99};
constexpr UvRect kTreasure{0.51, 0.51, 0.99, 0.74};
constexpr UvRect kGem{0.51, 0.76, 0.99, 0.99};

enum class Stuff : std::uint8_t { wood, iron, cloth, treasure, gem };

/// What a place of the texture shows, and where in its part it lies.
struct Place {
  Stuff stuff;
  double u, v;
};
Place place_of(double u, double v) {
  if (v < 0.5) {
    return {Stuff::wood, u, v * 2};
  }
  const bool left = u < 0.5;
  const double part_u = left ? u * 2 : u * 2 - 1;
  const double part_v = v < 0.75 ? v * 4 - 2 : v * 4 - 3;
  if (v < 0.75) {
    return {left ? Stuff::iron : Stuff::treasure, part_u, part_v};
  }
  return {left ? Stuff::cloth : Stuff::gem, part_u, part_v};
}

/// Height of the surface, for normals and hollows: 0 deep, 1 high.
double relief(double u, double v) {
  const Place at = place_of(u, v);
  switch (at.stuff) {
    case Stuff::wood: {
      const double plank = std::fmod(at.v * 4, 1.0);
      const double groove = ramp(0.0, 0.07, std::min(plank, 1 - plank));
      const double row = std::floor(at.v * 4);
      const double grain = noise(at.u * 6 + row * 7, at.v * 60, 71);
      return groove * (0.75 + 0.25 * grain);
    }
    case Stuff::iron: {
      const double x = std::fmod(at.u * 8, 1.0) - 0.5;
      const double rivet = ramp(0.34, 0.20, std::sqrt(x * x + std::pow((at.v - 0.5) * 2.2, 2)));
      return 0.45 + 0.5 * rivet + 0.08 * noise(at.u * 24, at.v * 12, 72) -
             0.3 * ramp(0.1, 0.0, std::min(at.v, 1 - at.v));
    }
    case Stuff::cloth:
      return 0.5 + 0.3 * std::sin(2 * kPi * at.u * 6) * std::cos(2 * kPi * at.v * 2) +
             0.1 * noise(at.u * 40, at.v * 40, 73);
    case Stuff::treasure: {
      const double x = std::fmod(at.u * 5 + 0.5 * std::fmod(std::floor(at.v * 5), 2.0), 1.0) - 0.5;
      const double y = std::fmod(at.v * 5, 1.0) - 0.5;
      return ramp(0.55, 0.35, std::sqrt(x * x + y * y)) *
             (0.6 + 0.4 * noise(std::floor(at.u * 5), std::floor(at.v * 5), 74));
    }
    case Stuff::gem:
      break;
  }
  return 0.5 + 0.5 * std::abs(std::sin(kPi * 3 * at.u)) * std::abs(std::sin(kPi * 2 * at.v));
}

Color diffuse_at(double u, double v) {
  const Place at = place_of(u, v);
  const double height = relief(u, v);
  switch (at.stuff) {
    case Stuff::wood: {
      const double row = std::floor(at.v * 4);
      const double tone = noise(row * 3.3, 1, 75) * 0.3 + noise(at.u * 4 + row * 5, at.v * 50, 76) * 0.35;
      return shaded({0.52, 0.31, 0.16}, (0.55 + tone) * (0.35 + 0.65 * height));
    }
    case Stuff::iron:
      return mix(shaded({0.40, 0.40, 0.43}, 0.6 + 0.6 * height), {0.42, 0.24, 0.12},
                 0.35 * ramp(0.55, 0.8, noise(at.u * 9, at.v * 5, 77)));
    case Stuff::cloth:
      return shaded({0.85, 0.85, 0.85}, 0.6 + 0.5 * height);
    case Stuff::treasure:
      return shaded({1.0, 0.76, 0.28}, 0.35 + 0.75 * height);
    case Stuff::gem:
      break;
  }
  return shaded({0.25, 0.85, 0.95}, 0.5 + 0.5 * height);
}

// --- mesh
// --------------------------------------------------------------------------------------------------------

/// A straight bar with rounded edges, wrapped by its texture along its length.
Shape bar(const Point& from, const Point& to, double half_width, double half_height) {
  const Point along = normalized(to - from);
  const Point side = normalized(cross(along, std::abs(along[2]) > 0.9 ? Point{1, 0, 0} : Point{0, 0, 1}));
  const Point up = cross(side, along);
  return [=](double u, double v) {
    const double angle = 2 * kPi * v;
    const auto corner = [](double x) { return std::copysign(std::pow(std::abs(x), 0.3), x); };
    return from + (to - from) * u + side * (half_width * corner(std::cos(angle))) +
           up * (half_height * corner(std::sin(angle)));
  };
}

/// Four walls around Z: U runs all around.
Shape walls() {
  return [](double u, double v) -> Point {
    const double angle = kPi + 2 * kPi * u;
    const auto flat = [](double x) { return std::copysign(std::pow(std::abs(x), 0.12), x); };
    const double taper = 0.92 + 0.08 * (1 - v);
    return {kHalfDepth * taper * flat(std::cos(angle)), kHalfLength * taper * flat(std::sin(angle)),
            kHeight * (1 - v)};
  };
}

/// The lid is half a barrel along Y; `grow` is how far it stands off.
Shape vault(double grow, double from_y, double to_y) {
  return [=](double u, double v) -> Point {
    const double angle = kPi * v;
    return {(kHalfDepth + grow) * -std::cos(angle), to_y + (from_y - to_y) * u,
            kHeight + (13 + grow) * std::sin(angle)};
  };
}

Shape lid_end(double side) {
  return [=](double u, double v) -> Point {
    const double angle = kPi * u;
    return {side * -kHalfDepth * std::cos(angle) * (1 - v), side * kHalfLength,
            kHeight + 13 * std::sin(angle) * (1 - v)};
  };
}

void add_body(Mesh& mesh) {
  mesh.add(walls(), 40, 4, kWood, rigid(kRoot));
  for (const double x : {-1.0, 1.0}) {
    for (const double y : {-1.0, 1.0}) {
      const Point foot{x * kHalfDepth * 0.93, y * kHalfLength * 0.93, -1};
      const Point top{x * kHalfDepth, y * kHalfLength, kHeight};
      mesh.add(bar(foot, top, 2.6, 2.6), 4, 12, kIron, rigid(kRoot));
      mesh.add(moved(rounded_box({3.6, 3.6, 2.4}, 0.5), {foot[0], foot[1], 0.6}), 10, 5, kIron, rigid(kRoot));
    }
    mesh.add(bar({x * kHalfDepth, -kHalfLength, kHeight - 1.5}, {x * kHalfDepth, kHalfLength, kHeight - 1.5},
                 1.4, 1.8),
             6, 12, kIron, rigid(kRoot));
  }
  for (const double y : {-1.0, 1.0}) {
    mesh.add(bar({-kHalfDepth, y * kHalfLength, kHeight - 1.5}, {kHalfDepth, y * kHalfLength, kHeight - 1.5},
                 1.4, 1.8),
             4, 12, kIron, rigid(kRoot));
  }
  const Shape heap = [](double u, double v) -> Point {
    const double x = (0.5 - v) * 2;
    const double y = (0.5 - u) * 2;
    const double bumps = noise(u * 9, v * 6, 81) * 2.6;
    return {x * (kHalfDepth - 1.5), y * (kHalfLength - 1.5),
            kHeight - 4 + 5.5 * (1 - x * x) * (1 - y * y) + bumps};
  };
  mesh.add(heap, 12, 8, kTreasure, rigid(kGold));
  // A cloth in team colour hangs over the front.
  const Shape banner = [](double u, double v) -> Point {
    const double y = (u - 0.5) * 13;
    const double end = v - 0.2 * std::abs(u - 0.5) * v;
    return {kHalfDepth + 1.9 + 0.4 * std::sin(u * 12), y, kHeight - 1.5 - 14 * end};
  };
  mesh.add(banner, 6, 4, kCloth, rigid(kRoot));
}

void add_lid(Mesh& mesh) {
  mesh.add(vault(0, -kHalfLength, kHalfLength), 6, 14, kWood, rigid(kLid));
  for (const double side : {-1.0, 1.0}) {
    mesh.add(lid_end(side), 12, 2, kWood, rigid(kLid));
    const double y = side * (kHalfLength - 1);
    mesh.add(vault(1.3, y - 2.4, y + 2.4), 2, 14, {kIron.left, kIron.top, kIron.right, kIron.bottom},
             rigid(kLid));
  }
  mesh.add(vault(1.0, -2.6, 2.6), 2, 14, kIron, rigid(kLid));
  const Shape front = bar({kHalfDepth + 0.2, -kHalfLength, kHeight + 1},
                          {kHalfDepth + 0.2, kHalfLength, kHeight + 1}, 1.5, 1.6);
  // The rim belongs to the lid and a little to the body: a seam with two weights.
  mesh.add(front, 6, 12, kIron, [](double u, double) {
    const double share = 0.9 + 0.1 * std::abs(u - 0.5);
    return Bind{{{kLid, share}, {kLock, 1 - share}}};
  });
  mesh.add(moved(rounded_box({2.0, 4.2, 4.6}, 0.45), {kHalfDepth + 1.6, 0, kHeight - 0.5}), 12, 8, kIron,
           rigid(kLock));
  mesh.add(moved(rounded_box({1.8, 2.2, 2.6}, 0.9), {kHalfDepth + 3.0, 0, kHeight - 0.5}), 10, 8, kGem,
           rigid(kLock));
}

// --- animation
// -----------------------------------------------------------------------------------------------------

constexpr std::uint32_t kStandEnd = 3000;
constexpr std::uint32_t kOpenStart = 3500;
constexpr std::uint32_t kOpenEnd = 6500;
constexpr std::uint32_t kDeathStart = 7000;
constexpr std::uint32_t kDeathEnd = 8500;

mdx::Track lid_track() {
  std::vector<Key> keys;
  const auto add = [&](std::int32_t frame, double degrees) {
    keys.push_back({frame, turn({0, 1, 0}, -degrees * kPi / 180), {}, {}});
  };
  add(0, 0);
  add(1400, 0);
  add(1500, 5);
  add(1620, 0);
  add(1740, 3);
  add(1840, 0);
  add(3000, 0);
  add(3500, 0);
  add(4100, 74);
  add(4300, 66);
  add(5600, 68);
  add(6300, 2);
  add(6500, 0);
  add(7000, 0);
  add(7400, 110);
  add(7700, 96);
  add(8500, 100);
  return track(FourCC{"KGRT"}, Interpolation::hermite, keys);
}

class Chest {
 public:
  mdx::Document make() {
    Mesh mesh;
    add_body(mesh);
    add_lid(mesh);
    geoset_ = mesh.skin_geoset(0, kBoneCount);
    geoset_.lod_name.assign("Chest");
    extent_ = {60, {-30, -30, -2}, {30, 30, 60}};
    geoset_.sequence_extents.assign(3, extent_);
    add_header();
    add_material();
    add_chunk<mdx::Geosets>(document_, FourCC{"GEOS"}).items = {geoset_};
    auto& shadow = add_chunk<mdx::GeosetAnimations>(document_, FourCC{"GEOA"}).items;
    shadow.resize(1);
    shadow[0].flags = mdx::GeosetAnimation::kDropShadow;
    shadow[0].geoset_id = 0;
    shadow[0].tracks = {track(FourCC{"KGAO"}, Interpolation::linear,
                              {{7000, {1}, {}, {}}, {8000, {1}, {}, {}}, {8500, {0}, {}, {}}})};
    add_nodes();
    add_camera();
    add_poses();
    return std::move(document_);
  }

 private:
  void add_header() {
    add_chunk<mdx::Version>(document_, FourCC{"VERS"}).value = 1100;
    auto& model = add_chunk<mdx::Model>(document_, FourCC{"MODL"});
    model.name.assign("Chest");
    model.extent = extent_;
    model.blend_time = 150;
    add_chunk<mdx::Sequences>(document_, FourCC{"SEQS"}).items = {
        sequence("Stand", 0, kStandEnd, true, extent_),
        sequence("Stand Work", kOpenStart, kOpenEnd, true, extent_),
        sequence("Death", kDeathStart, kDeathEnd, false, extent_)};
  }

  void add_material() {
    mdx::Layer layer;
    layer.filter_mode = mdx::FilterMode::none;
    layer.shading_flags = mdx::Layer::kTwoSided;
    layer.shader_id = 1;
    layer.has_fresnel = true;
    for (std::uint32_t slot = 0; slot < 6; ++slot) {
      layer.slots.push_back({static_cast<std::int32_t>(slot), slot, {}});
    }
    std::vector<Key> pulse;
    for (const auto& [frame, gain] : {std::pair{0, 1.0F},
                                      {1500, 2.5F},
                                      {3000, 1.0F},
                                      {3500, 1.0F},
                                      {4100, 4.0F},
                                      {6500, 1.0F},
                                      {7000, 1.0F},
                                      {8500, 0.0F}}) {
      pulse.push_back({frame, {gain}, {}, {}});
    }
    layer.tracks = {track(FourCC{"KMTE"}, Interpolation::linear, pulse)};
    auto& materials = add_chunk<mdx::Materials>(document_, FourCC{"MTLS"}).items;
    materials.resize(1);
    materials[0].layers = {layer};
    add_chunk<mdx::Textures>(document_, FourCC{"TEXS"}).items = {
        texture("Textures\\chest_diffuse.dds"),
        texture("Textures\\chest_normal.dds"),
        texture("Textures\\chest_orm.dds"),
        texture("Textures\\chest_emissive.dds"),
        texture("", 1),
        texture("ReplaceableTextures\\EnvironmentMap.dds")};
  }

  void add_nodes() {
    auto& bones = add_chunk<mdx::Bones>(document_, FourCC{"BONE"}).items;
    bones = {{node("Root", kRoot, -1, flag::kBone), 0, 0},
             {node("Lid", kLid, kRoot, flag::kBone), 0, 0},
             {node("Lock", kLock, kLid, flag::kBone), 0, 0},
             {node("Gold", kGold, kRoot, flag::kBone), 0, 0}};
    bones[kLid].node.tracks = {lid_track()};
    bones[kGold].node.tracks = {
        track(FourCC{"KGSC"}, Interpolation::bezier,
              {{3500, {1, 1, 1}, {}, {}}, {4400, {1, 1, 1.08F}, {}, {}}, {6500, {1, 1, 1}, {}, {}}})};
    auto& attachments = add_chunk<mdx::Attachments>(document_, FourCC{"ATCH"}).items;
    attachments.resize(2);
    attachments[0].node = node("Origin Ref ", kOrigin, kRoot, flag::kAttachment);
    attachments[1].node = node("Overhead Ref ", kOverhead, kRoot, flag::kAttachment);
    attachments[1].attachment_id = 1;
    auto& pivots = add_chunk<mdx::Pivots>(document_, FourCC{"PIVT"}).points;
    pivots.resize(kNodeCount, Vec3{});
    pivots[kLid] = snap(kHinge[0], kHinge[1], kHinge[2]);
    pivots[kLock] = snap(kHalfDepth, 0, kHeight);
    pivots[kGold] = snap(0, 0, kHeight - 4);
    pivots[kOverhead] = snap(0, 0, 55);
  }

  void add_camera() {
    auto& cameras = add_chunk<mdx::Cameras>(document_, FourCC{"CAMS"}).items;
    cameras = {camera<mdx::Camera>("Camera01", {120, 60, 70}, {0, 0, 18}, 0.7853981F, 8, 1000)};
    add_chunk<mdx::CollisionShapes>(document_, FourCC{"CLID"}).items = {
        {node("Body", kBody, kRoot, flag::kCollision),
         mdx::CollisionShape::Type::box,
         {-18, -27, 0, 18, 27, 36}}};
    add_chunk<mdx::FaceEffects>(document_, FourCC{"FAFX"});
  }

  void add_poses() {
    auto& poses = add_chunk<mdx::BindPoses>(document_, FourCC{"BPOS"}).poses;
    const auto add = [&](const Vec3& at) {
      poses.push_back({1, 0, 0, 0, 1, 0, 0, 0, 1, at[0], at[1], at[2]});
    };
    for (const Vec3& pivot : document_.find<mdx::Pivots>()->points) {
      add(pivot);
    }
    add(document_.all<mdx::Cameras>()[0]->position);
  }

  mdx::Document document_;
  mdx::Geoset geoset_;
  mdx::Extent extent_;
};

constexpr unsigned kSize = 128;

}  // namespace

mdx::Document chest() { return Chest().make(); }

Canvas chest_diffuse() {
  Canvas canvas(kSize, kSize);
  canvas.paint(diffuse_at);
  return canvas;
}

Canvas chest_normal() {
  Canvas canvas(kSize, kSize);
  canvas.paint([](double u, double v) -> Color {
    constexpr double kStep = 1.0 / kSize;
    const double strength = place_of(u, v).stuff == Stuff::wood ? 1.6 : 1.1;
    const Point normal = normalized({(relief(u - kStep, v) - relief(u + kStep, v)) * strength,
                                     (relief(u, v + kStep) - relief(u, v - kStep)) * strength, 1});
    return {0.5 + 0.5 * normal[0], 0.5 + 0.5 * normal[1], 0.5 + 0.5 * normal[2]};
  });
  return canvas;
}

Canvas chest_orm() {
  Canvas canvas(kSize, kSize);
  canvas.paint([](double u, double v) -> Color {
    const double occlusion = 0.45 + 0.55 * relief(u, v);
    switch (place_of(u, v).stuff) {
      case Stuff::wood:
        return {occlusion, 0.78, 0, 0};
      case Stuff::iron:
        return {occlusion, 0.48, 0.9, 0};
      case Stuff::cloth:
        return {occlusion, 0.9, 0, 1};
      case Stuff::treasure:
        return {occlusion, 0.3, 1, 0};
      case Stuff::gem:
        break;
    }
    return {1, 0.12, 0, 0};
  });
  return canvas;
}

Canvas chest_emissive() {
  Canvas canvas(kSize, kSize);
  canvas.paint([](double u, double v) -> Color {
    const bool shines = place_of(u, v).stuff == Stuff::gem;
    return shines ? shaded({0.10, 0.75, 0.95}, 0.4 + 0.6 * relief(u, v)) : Color{0, 0, 0};
  });
  return canvas;
}

Canvas environment() {
  Canvas canvas(32, 32);
  canvas.paint([](double u, double v) -> Color {
    const Color sky = mix({0.35, 0.52, 0.80}, {0.86, 0.90, 0.95}, ramp(0.0, 0.5, v));
    const Color ground = mix({0.42, 0.38, 0.30}, {0.20, 0.17, 0.13}, ramp(0.5, 1.0, v));
    return shaded(v < 0.5 ? sky : ground, 0.9 + 0.2 * noise(u * 8, v * 8, 91, 8));
  });
  return canvas;
}

}  // namespace thaw::samples
