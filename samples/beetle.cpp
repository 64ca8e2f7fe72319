#include "beetle.hpp"

#include "alpha_build.hpp"
#include "mesh.hpp"

#include <cmath>

namespace thaw::samples {
namespace {

using mdx::Interpolation;
namespace flag = mdx_alpha::node_flag;

constexpr std::int32_t kLegs = 6;
enum Id : std::int32_t {
  kRoot,
  kBody,
  kHead,
  kFirstLeg,
  kBoneCount = kFirstLeg + kLegs,
  kBase = kBoneCount,
  kOverhead,
  kSparks,
  kTrail,
  kFootstep,
  kHit,
  kNodeCount
};

constexpr std::uint32_t kStandEnd = 1600;
constexpr std::uint32_t kWalkStart = 1700;
constexpr std::uint32_t kWalkEnd = 2500;

// Yards; the beetle looks along +X.
constexpr Point kBodyAt{0, 0, 0.62};
constexpr Point kHeadAt{0.78, 0, 0.58};
constexpr Point kTip{1.62, 0, 1.22};  // of the horn

// --- skin: shell above, horn and legs below
// ---------------------------------------------------------------------

constexpr UvRect kShell{0.01, 0.01, 0.99, 0.60};
constexpr UvRect kHorn{0.01, 0.64, 0.49, 0.98};
constexpr UvRect kLimb{0.51, 0.64, 0.86, 0.98};

Color shell_at(double u, double v) {
  // U runs around the long axis from below, V from the tail to the head.
  const double side = std::abs(u - 0.5) * 2;
  const double seam = ramp(0.0, 0.03, std::abs(u - 0.5));
  const double dot_x = std::fmod(v * 5, 1.0) - 0.5;
  const double dot_y = std::fmod(side * 4 + 0.5 * std::fmod(std::floor(v * 5), 2.0), 1.0) - 0.5;
  const double dot = ramp(0.36, 0.26, std::sqrt(dot_x * dot_x + dot_y * dot_y)) * ramp(0.75, 0.6, side);
  const Color jade = mix({0.05, 0.34, 0.30}, {0.16, 0.62, 0.42}, noise(u * 14, v * 10, 31));
  const Color lit = mix(jade, {0.95, 0.72, 0.22}, dot * 0.9);
  const Color belly = shaded({0.36, 0.24, 0.14}, 0.7 + 0.4 * noise(u * 20, v * 20, 32));
  return shaded(mix(lit, belly, ramp(0.66, 0.8, side)), 0.35 + 0.65 * seam);
}

Color horn_at(double u, double v) {
  const double ring = 0.75 + 0.25 * std::sin(v * 40);
  return shaded(mix({0.20, 0.13, 0.09}, {0.93, 0.84, 0.62}, ramp(0.2, 1.0, v)),
                ring * (0.85 + 0.3 * noise(u * 12, v * 30, 33)));
}

Color limb_at(double u, double v) {
  return shaded({0.24, 0.16, 0.12}, 0.6 + 0.7 * noise(u * 10, v * 24, 34));
}

// --- mesh
// --------------------------------------------------------------------------------------------------------

struct Leg {
  Point hip{};
  Point knee{};
  Point foot{};
};
Leg leg(std::int32_t index) {
  const double side = index < kLegs / 2 ? 1 : -1;
  const double x = 0.5 - 0.5 * (index % 3);
  return {{x, side * 0.36, 0.48}, {x * 1.25, side * 0.86, 0.86}, {x * 1.5, side * 1.08, 0}};
}

/// An ellipsoid along X, wrapped from below.
Shape ellipsoid(const Point& center, const Point& half) {
  return [=](double u, double v) -> Point {
    const double around = 2 * kPi * u - kPi / 2;
    const double along = kPi * v;
    return {center[0] - half[0] * std::cos(along), center[1] + half[1] * std::sin(along) * -std::cos(around),
            center[2] + half[2] * std::sin(along) * std::sin(around)};
  };
}

Mesh body_mesh() {
  Mesh mesh;
  const auto around = [](Shape shape) { return [shape](double u, double v) { return shape(u, 1 - v); }; };
  mesh.add(around(ellipsoid(kBodyAt, {0.82, 0.55, 0.42})), 18, 12, kShell, rigid(kBody));
  mesh.add(around(ellipsoid(kHeadAt, {0.34, 0.34, 0.28})), 12, 8, kLimb, rigid(kHead));
  mesh.add(tube({{0.98, 0, 0.66}, {1.34, 0, 0.74}, {1.54, 0, 0.94}, kTip}, {0.13, 0.09, 0.06, 0.01}), 8, 6,
           kHorn, rigid(kHead));
  for (const double side : {1.0, -1.0}) {
    mesh.add(around(ellipsoid({1.0, side * 0.2, 0.68}, {0.07, 0.07, 0.07})), 6, 4, {0.9, 0.9, 0.98, 0.97},
             rigid(kHead));
  }
  for (std::int32_t i = 0; i < kLegs; ++i) {
    const Leg at = leg(i);
    const auto bend = [i](double /*u*/, double v) {
      return v < 0.1 ? Bind{{{kBody, 0.5}, {kFirstLeg + i, 0.5}}} : Bind{{{kFirstLeg + i, 1.0}}};
    };
    mesh.add(tube({at.hip, at.knee, at.foot}, {0.09, 0.07, 0.03}), 6, 5, kLimb, bend);
  }
  return mesh;
}

// --- motion
// ------------------------------------------------------------------------------------------------------

mdx_alpha::Track sway(FourCC tag, const Vec3& axis, double angle, std::uint32_t start, std::uint32_t end,
                      double phase) {
  std::vector<Key> keys;
  constexpr unsigned kSteps = 8;
  for (unsigned i = 0; i <= kSteps; ++i) {
    const auto frame = static_cast<std::int32_t>(start + (end - start) * i / kSteps);
    keys.push_back(
        {frame, turn(axis, angle * std::sin(2 * kPi * (static_cast<double>(i) / kSteps + phase))), {}, {}});
  }
  return alpha_track(tag, Interpolation::linear, keys);
}

void append_keys(mdx_alpha::Track& track, const mdx_alpha::Track& more) {
  track.words.insert(track.words.end(), more.words.begin(), more.words.end());
}

mdx_alpha::Node swaying(std::string_view name, std::int32_t id, std::int32_t parent, const Vec3& axis,
                        double stand, double walk, double phase) {
  auto node = alpha_node(name, id, parent);
  node.tracks = {sway(FourCC{"KGRT"}, axis, stand, 0, kStandEnd, phase)};
  append_keys(node.tracks.front(), sway(FourCC{"KGRT"}, axis, walk, kWalkStart, kWalkEnd, phase));
  return node;
}

mdx_alpha::Node body_node() {
  auto node = swaying("Body", kBody, kRoot, {1, 0, 0}, 0.03, 0.06, 0);
  std::vector<Key> keys;
  const auto rest = [](double height) { return std::vector<float>{0, 0, snap(height)}; };
  for (const std::int32_t frame : {0, 400, 800, 1200, 1600}) {
    keys.push_back({frame, rest(frame % 800 == 0 ? 0 : 0.05), {}, {}});
  }
  for (const std::int32_t frame : {1700, 1900, 2100, 2300, 2500}) {
    keys.push_back({frame, rest(frame % 400 == 100 ? 0 : 0.08), {}, {}});
  }
  node.tracks.push_back(alpha_track(FourCC{"KGTR"}, Interpolation::hermite, keys));
  return node;
}

mdx_alpha::ParticleEmitter2 sparks() {
  mdx_alpha::ParticleEmitter2 emitter;
  emitter.node = alpha_node("Sparks", kSparks, kHead, flag::kEmitter | flag::kUnshaded);
  emitter.emitter_size = 0x31B;
  emitter.type = mdx_alpha::ParticleEmitter2::Type::sphere;
  emitter.speed = 0.6F;
  emitter.variation = 0.5F;
  emitter.latitude = 3.1415927F;
  emitter.longitude = 6.2831855F;
  emitter.life_span = 0.8F;
  emitter.emission_rate = 14;
  emitter.length = 0.1F;
  emitter.segment_colors = {{{0.6F, 0.9F, 1}, {0.2F, 0.6F, 1}, {0.1F, 0.2F, 0.8F}}};
  emitter.segment_alphas = {255, 180, 0};
  emitter.segment_scales = {0.04F, 0.09F, 0.02F};
  emitter.filter = mdx::ParticleEmitter2::Filter::additive;
  emitter.texture_id = 1;
  emitter.twinkle_scale = {0.8F, 1.2F};
  return emitter;
}

mdx_alpha::RibbonEmitter trail() {
  mdx_alpha::RibbonEmitter ribbon;
  ribbon.node = alpha_node("Trail", kTrail, kHead, flag::kRibbon);
  ribbon.emitter_size = 0x38;
  ribbon.height_above = 0.05F;
  ribbon.height_below = 0.05F;
  ribbon.alpha = 0.5F;
  ribbon.color = {0.3F, 0.8F, 1};
  ribbon.life_span = 0.4F;
  ribbon.emission_rate = 30;
  ribbon.material_id = 1;
  ribbon.tracks = {alpha_track(FourCC{"KVIS"}, Interpolation::none,
                               {{0, {0}, {}, {}}, {static_cast<std::int32_t>(kWalkStart), {1}, {}, {}}})};
  return ribbon;
}

class Beetle {
 public:
  mdx_alpha::Document make() {
    add_header();
    add_materials();
    add_skeleton();
    add_effects();
    return std::move(document_);
  }

 private:
  void add_header();
  void add_materials();
  void add_skeleton();
  void add_effects();
  template <class Body>
  Body& chunk(FourCC tag) {
    return add_chunk<Body>(document_, tag);
  }

  mdx::Geoset mesh_ = body_mesh().matrix_group_geoset(0);
  mdx::Extent extent_ = extent_of(mesh_.positions);
  mdx_alpha::Document document_;
};

void Beetle::add_header() {
  chunk<mdx_alpha::Version>(FourCC{"VERS"}).value = 1300;
  auto& model = chunk<mdx_alpha::Model>(FourCC{"MODL"});
  model.name.assign("Beetle");
  model.extent = extent_;
  model.flags = 1;
  model.object_count = kNodeCount;
  auto& sequences = chunk<mdx_alpha::Sequences>(FourCC{"SEQS"}).items;
  sequences = {alpha_sequence("Stand", 0, kStandEnd, true, extent_),
               alpha_sequence("Walk", kWalkStart, kWalkEnd, true, extent_)};
  sequences[1].move_speed = 2.5F;
}

void Beetle::add_materials() {
  auto& materials = chunk<mdx_alpha::Materials>(FourCC{"MTLS"}).items;
  mdx_alpha::Layer skin;
  skin.texture_id = 0;
  mdx_alpha::Layer glow;
  glow.blend = mdx::FilterMode::additive;
  glow.flags = mdx_alpha::Layer::kUnshaded | mdx_alpha::Layer::kTwoSided | mdx_alpha::Layer::kNoDepthSet;
  glow.texture_id = 1;
  materials = {{0, {skin}, {}}, {1, {glow}, {}}};
  chunk<mdx_alpha::Textures>(FourCC{"TEXS"}).items = {texture("", 11),
                                                      texture("Creature\\Beetle\\BeetleGlow.blp")};
  chunk<mdx_alpha::Geosets>(FourCC{"GEOS"}).items = {alpha_geoset(mesh_, 2)};
}

void Beetle::add_skeleton() {
  auto& bones = chunk<mdx_alpha::Bones>(FourCC{"BONE"}).items;
  bones = {{alpha_node("Root", kRoot, -1), -1, -1},
           {body_node(), 0, -1},
           {swaying("Head", kHead, kBody, {0, 0, 1}, 0.18, 0.08, 0.1), 0, -1}};
  for (std::int32_t i = 0; i < kLegs; ++i) {
    // Three legs swing forward while three push.
    const double phase = i % 2 == 0 ? 0 : 0.5;
    bones.push_back(
        {swaying("Leg" + std::to_string(i + 1), kFirstLeg + i, kBody, {0, 0, 1}, 0.03, 0.35, phase), 0, -1});
  }
  auto& attachments = chunk<mdx_alpha::Attachments>(FourCC{"ATCH"});
  attachments.items.resize(2);
  attachments.items[0].node = alpha_node("_Base", kBase, kRoot, flag::kAttachment);
  attachments.items[0].attachment_id = 19;
  attachments.items[1].node = alpha_node("_Name", kOverhead, kRoot, flag::kAttachment);
  attachments.items[1].attachment_id = 18;
  attachments.reserved = 19;
  auto& pivots = chunk<mdx_alpha::Pivots>(FourCC{"PIVT"}).points;
  pivots = {{0, 0, 0}, snap(kBodyAt[0], kBodyAt[1], kBodyAt[2]), snap(kHeadAt[0], kHeadAt[1], kHeadAt[2])};
  for (std::int32_t i = 0; i < kLegs; ++i) {
    const Point hip = leg(i).hip;
    pivots.push_back(snap(hip[0], hip[1], hip[2]));
  }
  const Vec3 tip = snap(kTip[0], kTip[1], kTip[2]);
  for (const Vec3& place : {Vec3{}, Vec3{0, 0, 1.5F}, tip, tip, Vec3{}, snap(0, 0, 0.6)}) {
    pivots.push_back(place);
  }
}

void Beetle::add_effects() {
  chunk<mdx_alpha::ParticleEmitters2>(FourCC{"PRE2"}).items = {sparks()};
  chunk<mdx_alpha::RibbonEmitters>(FourCC{"RIBB"}).items = {trail()};
  auto& cameras = chunk<mdx_alpha::Cameras>(FourCC{"CAMS"}).items;
  cameras = {camera<mdx_alpha::Camera>("Portrait", {4, 0.8F, 1.4F}, {0.8F, 0, 0.7F}, 0.95F, 0.25F, 27.75F)};
  auto& events = chunk<mdx_alpha::EventObjects>(FourCC{"EVTS"}).items;
  events.resize(1);
  events[0].node = alpha_node("$FSD", kFootstep, kRoot, flag::kEvent);
  events[0].track = {-1, {1900, 2300}};
  auto& hits = chunk<mdx_alpha::HitTests>(FourCC{"HTST"}).items;
  hits.resize(1);
  hits[0].node = alpha_node("HIT01", kHit, kBody, flag::kHitTest);
  hits[0].shape = mdx_alpha::HitTest::Shape::box;
  hits[0].payload = {-0.9F, -0.7F, 0, 1.2F, 0.7F, 1.1F};
  add_chunk(document_, FourCC{"CLID"}, box_mesh({-0.9F, -0.6F, 0}, {1.1F, 0.6F, 1}));
}

}  // namespace

mdx_alpha::Document beetle() { return Beetle().make(); }

Canvas beetle_skin() {
  Canvas canvas(128, 128);
  canvas.paint([](double u, double v) {
    if (v < 0.62) {
      return shell_at(u, v / 0.62);
    }
    if (u > 0.88 && v > 0.88) {
      return Color{0.9, 0.25, 0.1, 1};  // eyes
    }
    const double part = (v - 0.62) / 0.38;
    return u < 0.5 ? horn_at(u * 2, part) : limb_at(u * 2 - 1, part);
  });
  return canvas;
}

Canvas beetle_glow() {
  Canvas canvas(32, 32);
  canvas.paint([](double u, double v) {
    const double x = u * 2 - 1;
    const double y = v * 2 - 1;
    const double light = ramp(1.0, 0.0, std::sqrt(x * x + y * y));
    return Color{light, light, light, light};
  });
  return canvas;
}

}  // namespace thaw::samples
