#include "knight.hpp"

#include "build.hpp"
#include "mesh.hpp"

#include <cmath>

namespace thaw::samples {
namespace {

using mdx::Interpolation;
namespace flag = mdx::node_flag;

/// Object ids: bones first, as the game wants it.
enum Id : std::int32_t {
  kRoot,
  kHips,
  kChest,
  kHead,
  kShieldArm,
  kShieldHand,
  kSwordArm,
  kSwordHand,
  kLeftLeg,
  kLeftFoot,
  kRightLeg,
  kRightFoot,
  kCapeTop,
  kCapeMiddle,
  kCapeEnd,
  kPlume,
  kRune,
  kBoneCount,
  kLamp = kBoneCount,
  kSwordTip,
  kOrigin,
  kOverhead,
  kHandRight,
  kHandLeft,
  kChestMount,
  kSparks,
  kSwing,
  kStepSound,
  kDeathMark,
  kBody,
  kNodeCount
};

/// The joints, which are the pivots of the bones. The knight looks along +X, its left is +Y.
constexpr Point kHipJoint{0, 0, 30};
constexpr Point kWaist{0, 0, 36};
constexpr Point kNeck{0, 0, 62};
constexpr Point kLeftShoulder{-1, 15, 56};
constexpr Point kLeftElbow{3, 20, 42};
constexpr Point kRightShoulder{-1, -15, 56};
constexpr Point kRightElbow{2, -20, 43};
constexpr Point kRightHand{12, -21, 38};
constexpr Point kTip{42, -22, 72};

// Sequences on the common time line, in milliseconds.
struct Span {
  std::int32_t start, end;
};
constexpr Span kStand{0, 2400};
constexpr Span kWalk{3000, 3800};
constexpr Span kAttack{4000, 5000};
constexpr Span kDeath{5500, 7000};
constexpr Span kPortrait{7500, 9500};

UvRect uv_of(const Region& region, double width, double height) {
  constexpr double kInset = 1.5;  // keeps filtering inside the region
  return {(region.left + kInset) / width, (region.top + kInset) / height,
          (region.left + region.width - kInset) / width, (region.top + region.height - kInset) / height};
}
UvRect armor(const Region& region) { return uv_of(region, 256, 128); }
UvRect cloth(const Region& region) { return uv_of(region, 128, 128); }

// --- body
// ------------------------------------------------------------------------------------------------------

void add_leg(Mesh& mesh, double side, Id thigh, Id foot) {
  const double y = 7 * side;
  mesh.add(tube({{0, y * 0.9, 33}, {0.5, y, 24}, {0.5, y, 17}}, {5.6, 5.2, 4.4}), 10, 3, armor(kMail),
           rigid(thigh));
  mesh.add(moved(scaled(rounded_box({4.6, 4.8, 4.4}, 0.8), {1, 1, 1}), {1.6, y, 18}), 10, 5, armor(kSteel),
           rigid(foot));
  mesh.add(tube({{0, y, 17}, {-0.4, y, 11}, {0, y, 4}}, {4.4, 5.2, 4.6}), 10, 3, armor(kSteel), rigid(foot));
  mesh.add(moved(rounded_box({8.4, 5.2, 3.6}, 0.55), {3.2, y, 3.4}), 12, 6, armor(kSteel), rigid(foot));
}

void add_torso(Mesh& mesh) {
  const auto flat = [](Shape shape) { return scaled(std::move(shape), {0.82, 1.08, 1}); };
  mesh.add(flat(lathe({{6, 63.5}, {9.5, 62}, {13.2, 57}, {14, 51}, {12.4, 45}, {10.6, 40}, {10.8, 37}})), 20,
           8, armor(kSteel), rigid(kChest));
  mesh.add(flat(lathe({{10.9, 39.6}, {11.8, 38.8}, {11.8, 36.2}, {10.9, 35.4}})), 20, 3, armor(kLeather),
           rigid(kHips));
  mesh.add(moved(rounded_box({1.2, 3.2, 2.6}, 0.5), {9.6, 0, 37.4}), 10, 5, armor(kGold), rigid(kHips));
  mesh.add(flat(lathe({{10.4, 36}, {11.2, 32}, {9.5, 28}, {5, 26.5}})), 16, 3, armor(kMail), rigid(kHips));
  mesh.add(flat(lathe({{8.2, 62.6}, {9.6, 63.6}, {9.4, 64.6}, {7.2, 65.2}})), 16, 3, armor(kGold),
           rigid(kChest));
}

void add_helm(Mesh& mesh) {
  const Shape bucket =
      lathe({{0.1, 87.5}, {4.5, 87.2}, {8.0, 85.6}, {9.3, 82.5}, {9.7, 76}, {9.6, 70}, {8.4, 63.6}});
  mesh.add(scaled(bucket, {1.06, 0.96, 1}), 28, 12, armor(kHelm), rigid(kHead));
  mesh.add(tube({{1, 0, 86}, {0, 0, 90.5}}, {2.2, 1.5}), 8, 2, armor(kGold), rigid(kHead));
}

void add_pauldron(Mesh& mesh, double side, Id arm) {
  const Shape dome = lathe({{0.1, 8}, {4, 7.2}, {6.8, 4.6}, {8, 1}, {7.9, -1.5}});
  const Shape rim = lathe({{7.6, -0.6}, {8.7, -1.0}, {8.7, -2.4}, {7.4, -2.8}});
  const auto place = [&](const Shape& shape) {
    return moved(turned(scaled(shape, {1, 1, 0.95}), {1, 0, 0}, -0.5 * side), {-0.5, 16.5 * side, 57.5});
  };
  mesh.add(place(dome), 14, 5, armor(kSteel), rigid(arm));
  mesh.add(place(rim), 14, 3, armor(kGold), rigid(arm));
}

void add_arm(Mesh& mesh, const Point& shoulder, const Point& elbow, const Point& hand, Id upper, Id lower) {
  mesh.add(tube({shoulder, (shoulder + elbow) * 0.5, elbow}, {4.6, 4.5, 4.0}), 10, 3, armor(kMail),
           rigid(upper));
  mesh.add(moved(rounded_box({4.6, 4.6, 4.6}, 0.9), elbow), 10, 5, armor(kSteel), rigid(lower));
  mesh.add(tube({elbow, elbow + (hand - elbow) * 0.45, elbow + (hand - elbow) * 0.8}, {3.8, 4.6, 4.9}), 10, 3,
           armor(kSteel), rigid(lower));
  mesh.add(moved(rounded_box({4.2, 3.8, 3.8}, 0.75), hand), 10, 6, armor(kLeather), rigid(lower));
}

/// Along +X from the hand, then turned to where the tip is.
Shape at_sword(Shape shape) {
  const double upgrade = std::atan2(kTip[2] - kRightHand[2], kTip[0] - kRightHand[0]);
  return moved(turned(std::move(shape), {0, 1, 0}, -upgrade), kRightHand);
}

void add_sword(Mesh& mesh) {
  const Shape blade = [](double u, double v) -> Point {
    const double along = 6 + 39 * v;
    const double width = v < 0.82 ? 2.7 - 0.7 * v : 2.13 * (1 - v) / 0.18;
    const double angle = kPi + 2 * kPi * u;
    const auto edge = [](double x) { return std::copysign(std::pow(std::abs(x), 1.6), x); };
    return {along, 0.75 * edge(std::cos(angle)) * (v < 0.98 ? 1 : 0.2), -width * edge(std::sin(angle))};
  };
  mesh.add(at_sword(blade), 8, 6, armor(kSteel), rigid(kSwordHand));
  mesh.add(at_sword(moved(rounded_box({1.3, 1.5, 7.2}, 0.5), {5, 0, 0})), 10, 6, armor(kGold),
           rigid(kSwordHand));
  mesh.add(at_sword(tube({{-6, 0, 0}, {5, 0, 0}}, {1.3, 1.3})), 8, 1, armor(kLeather), rigid(kSwordHand));
  mesh.add(at_sword(moved(rounded_box({2.1, 2.1, 2.1}, 1), {-7, 0, 0})), 8, 5, armor(kGold),
           rigid(kSwordHand));
}

Mesh armor_mesh() {
  Mesh mesh;
  add_torso(mesh);
  add_helm(mesh);
  add_leg(mesh, 1, kLeftLeg, kLeftFoot);
  add_leg(mesh, -1, kRightLeg, kRightFoot);
  add_pauldron(mesh, 1, kShieldArm);
  add_pauldron(mesh, -1, kSwordArm);
  add_arm(mesh, kLeftShoulder, kLeftElbow, {12, 19, 40}, kShieldArm, kShieldHand);
  add_arm(mesh, kRightShoulder, kRightElbow, kRightHand, kSwordArm, kSwordHand);
  add_sword(mesh);
  return mesh;
}

// --- cloth
// -----------------------------------------------------------------------------------------------------

/// A heater shield, bent around the arm; its outline narrows to a point.
Shape shield_shape(double offset) {
  return [offset](double u, double v) -> Point {
    const double narrow = v < 0.4 ? 1 : std::sqrt(std::max(0.0, 1 - std::pow((v - 0.4) / 0.6, 2.2)));
    const double across = (u - 0.5) * 2 * narrow;
    const Point flat{17.5 + offset - 3.2 * across * across, -12.5 * across, 57 - 36 * v};
    return flat + Point{0, 19, 0};
  };
}

Bind cape_bind(double /*u*/, double v) {
  if (v < 0.2) {
    return {{{kChest, 0.5}, {kCapeTop, 0.5}}};
  }
  if (v < 0.4) {
    return {{{kCapeTop, 1.0}}};
  }
  if (v < 0.6) {
    return {{{kCapeTop, 0.5}, {kCapeMiddle, 0.5}}};
  }
  return v < 0.8 ? Bind{{{kCapeMiddle, 1.0}}} : Bind{{{kCapeMiddle, 0.5}, {kCapeEnd, 0.5}}};
}

Mesh cloth_mesh() {
  Mesh mesh;
  const Shape cape = [](double u, double v) -> Point {
    const double side = (u - 0.5) * 2;
    const double width = 12.5 + 7.5 * v;
    const double fold = 1.3 * std::sin(side * 9) * (0.25 + v);
    return {-12.2 - 9 * std::pow(v, 1.3) + 3.2 * side * side - fold, width * side, 61 - 54 * v};
  };
  mesh.add(cape, 14, 10, cloth(kCape), cape_bind);
  // The tabard hangs in front; its lower end swings with the legs.
  const Shape tabard = [](double u, double v) -> Point {
    const double side = (u - 0.5) * 2;
    return {9.6 + 1.6 * v - 1.4 * side * side, -(5.2 + 1.8 * v) * side, 36.5 - 17 * v};
  };
  const UvRect lower{cloth(kCape).left, 0.45, cloth(kCape).right, cloth(kCape).bottom};
  mesh.add([=](double u, double v) { return tabard(u, v); }, 6, 4, lower,
           [](double, double v) {
             return v < 0.5 ? Bind{{{kHips, 1.0}}}
                            : Bind{{{kHips, 1 / 3.0}, {kLeftLeg, 1 / 3.0}, {kRightLeg, 1 / 3.0}}};
           });
  mesh.add(shield_shape(0), 10, 10, cloth(kShield), rigid(kShieldHand));
  const Shape plume =
      tube({{0.5, 0, 89}, {-1, 0, 95}, {-6, 0, 98.5}, {-12, 0, 97}, {-16.5, 0, 91}, {-18, 0, 84}},
           {1.2, 3.0, 3.9, 3.7, 2.9, 0.4});
  const UvRect middle{0.10, 0.06, 0.40, 0.80};
  mesh.add(plume, 10, 10, middle, [](double, double v) {
    return v < 0.3 ? Bind{{{kHead, 0.5}, {kPlume, 0.5}}} : Bind{{{kPlume, 1.0}}};
  });
  return mesh;
}

/// The shield's back and rim, in leather.
void add_shield_back(Mesh& mesh) {
  const Shape front = shield_shape(-0.9);
  mesh.add([=](double u, double v) { return front(1 - u, v); }, 10, 8, armor(kLeather), rigid(kShieldHand));
}

Mesh glow_mesh() {
  Mesh mesh;
  for (const double angle : {0.0, kPi / 2}) {
    const Shape sheet = [angle](double u, double v) -> Point {
      const double side = (u - 0.5) * 2;
      const double width = 6.5 * std::sqrt(std::max(0.02, 1 - v * v * 0.9));
      return {4 + 46 * v, width * side * std::sin(angle), width * side * std::cos(angle)};
    };
    mesh.add(at_sword(sheet), 2, 5, {0, 0, 1, 1}, rigid(kSwordHand));
  }
  return mesh;
}

Mesh rune_mesh() {
  Mesh mesh;
  const Shape disc = [](double u, double v) -> Point { return {30 - 60 * v, 30 - 60 * u, 0.6}; };
  mesh.add(disc, 2, 2, {0, 0, 1, 1}, rigid(kRune));
  return mesh;
}

// --- animation
// -------------------------------------------------------------------------------------------------

struct Swing {
  std::int32_t frame;
  double degrees;
};

constexpr Vec3 kPitch{0, 1, 0};  ///< positive leans forward
constexpr Vec3 kYaw{0, 0, 1};    ///< positive turns left
constexpr Vec3 kRoll{1, 0, 0};   ///< positive leans right

double radians(double degrees) { return degrees * kPi / 180; }

/// Rotations about one axis.
mdx::Track rotation(Vec3 axis, Interpolation interpolation, const std::vector<Swing>& swings,
                    std::int32_t global_sequence = -1) {
  std::vector<Key> keys;
  for (const Swing& swing : swings) {
    keys.push_back({swing.frame, turn(axis, radians(swing.degrees)), {}, {}});
  }
  return track(FourCC{"KGRT"}, interpolation, keys, global_sequence);
}

struct Pose {
  std::int32_t frame;
  double pitch, yaw, roll;
};

/// Rotations about all axes; pitch is the innermost.
mdx::Track rotation(Interpolation interpolation, const std::vector<Pose>& poses) {
  std::vector<Key> keys;
  for (const Pose& pose : poses) {
    const auto side = combine(turn(kYaw, radians(pose.yaw)), turn(kRoll, radians(pose.roll)));
    keys.push_back({pose.frame, combine(side, turn(kPitch, radians(pose.pitch))), {}, {}});
  }
  return track(FourCC{"KGRT"}, interpolation, keys);
}

mdx::Track movement(Interpolation interpolation, const std::vector<std::pair<std::int32_t, Vec3>>& places) {
  std::vector<Key> keys;
  for (const auto& [frame, place] : places) {
    keys.push_back({frame, {place[0], place[1], place[2]}, {}, {}});
  }
  return track(FourCC{"KGTR"}, interpolation, keys);
}

constexpr auto kHermite = Interpolation::hermite;
constexpr auto kBezier = Interpolation::bezier;
constexpr auto kLinear = Interpolation::linear;

mdx::Tracks hips_tracks() {
  return {movement(kHermite, {{0, {0, 0, 0}},
                              {1200, {0, 0, -0.7F}},
                              {2400, {0, 0, 0}},
                              {3000, {0, 0, -0.5F}},
                              {3200, {0, 0, 1.6F}},
                              {3400, {0, 0, -0.5F}},
                              {3600, {0, 0, 1.6F}},
                              {3800, {0, 0, -0.5F}},
                              {4000, {0, 0, 0}},
                              {4350, {-3, 0, -1}},
                              {4600, {7, 0, -2.5F}},
                              {5000, {0, 0, 0}},
                              {5500, {0, 0, 0}},
                              {5900, {-3, 0, -4}},
                              {6500, {-14, 0, -22}},
                              {7000, {-14, 0, -22}},
                              {7500, {0, 0, 0}},
                              {9500, {0, 0, 0}}}),
          rotation(kHermite, {{0, 0, 0, 0},
                              {2400, 0, 0, 0},
                              {3000, 4, 6, 0},
                              {3400, 4, -6, 0},
                              {3800, 4, 6, 0},
                              {4000, 0, 0, 0},
                              {4350, -6, -22, 0},
                              {4600, 14, 26, 0},
                              {5000, 0, 0, 0},
                              {5500, 0, 0, 0},
                              {5900, -16, 4, 0},
                              {6500, -82, 8, 4},
                              {6650, -78, 8, 4},
                              {7000, -82, 8, 4},
                              {7500, 0, 0, 0},
                              {9500, 0, 0, 0}})};
}

mdx::Tracks chest_tracks() {
  return {rotation(kHermite, {{0, 0, 0, 0},
                              {1200, 2.5, 0, 0},
                              {2400, 0, 0, 0},
                              {3000, 3, -9, 0},
                              {3400, 3, 9, 0},
                              {3800, 3, -9, 0},
                              {4000, 0, 0, 0},
                              {4350, -8, -24, 0},
                              {4600, 14, 22, 0},
                              {5000, 0, 0, 0},
                              {5500, 0, 0, 0},
                              {5800, 16, 0, 6},
                              {6500, -6, 0, 0},
                              {7000, -6, 0, 0},
                              {7500, 0, 0, 0},
                              {8500, 3, 0, 0},
                              {9500, 0, 0, 0}}),
          track(FourCC{"KGSC"}, kBezier,
                {{0, {1, 1, 1}, {}, {}}, {1200, {1.02F, 1.015F, 1.01F}, {}, {}}, {2400, {1, 1, 1}, {}, {}}})};
}

mdx::Tracks head_tracks() {
  return {rotation(kBezier, {{0, 0, 0, 0},
                             {700, 0, 14, 0},
                             {1500, 2, -12, 0},
                             {2400, 0, 0, 0},
                             {3000, -3, 0, 0},
                             {3800, -3, 0, 0},
                             {4000, 0, 0, 0},
                             {4350, 4, 30, 0},
                             {4600, 6, -12, 0},
                             {5000, 0, 0, 0},
                             {5500, 0, 0, 0},
                             {5900, 24, 0, 0},
                             {6500, -14, 16, 0},
                             {7000, -10, 20, 0},
                             {7500, 0, 0, 0},
                             {8000, 4, -18, 2},
                             {8600, -6, 12, -2},
                             {9100, 3, 4, 0},
                             {9500, 0, 0, 0}})};
}

mdx::Tracks sword_arm_tracks() {
  return {rotation(kHermite, {{0, 0, 0, 0},
                              {1200, -4, 0, 0},
                              {2400, 0, 0, 0},
                              {3000, 18, 0, 0},
                              {3400, -16, 0, 0},
                              {3800, 18, 0, 0},
                              {4000, 0, 0, 0},
                              {4350, -118, -18, 12},
                              {4600, -12, 24, 6},
                              {4720, 6, 34, 4},
                              {5000, 0, 0, 0},
                              {5500, 0, 0, 0},
                              {5900, -58, 0, 22},
                              {6500, -20, -30, 64},
                              {7000, -20, -30, 64},
                              {7500, 0, 0, 0},
                              {9500, 0, 0, 0}})};
}

mdx::Tracks shield_arm_tracks() {
  return {rotation(kHermite, {{0, 0, 0, 0},
                              {1200, -5, 0, 0},
                              {2400, 0, 0, 0},
                              {3000, -12, 0, 0},
                              {3400, 8, 0, 0},
                              {3800, -12, 0, 0},
                              {4000, 0, 0, 0},
                              {4350, -14, -26, 0},
                              {4600, 18, 16, 0},
                              {5000, 0, 0, 0},
                              {5500, 0, 0, 0},
                              {5900, -30, 0, -30},
                              {6500, -10, 40, -70},
                              {7000, -10, 40, -70},
                              {7500, 0, 0, 0},
                              {9500, 0, 0, 0}})};
}

mdx::Tracks leg_tracks(double side) {
  const double step = 30 * side;
  return {rotation(kPitch, kHermite,
                   {{0, 0},
                    {2400, 0},
                    {3000, -step},
                    {3400, step},
                    {3800, -step},
                    {4000, 0},
                    {4350, 6 * side},
                    {4600, -16 * side},
                    {5000, 0},
                    {5500, 0},
                    {5900, -20},
                    {6500, 14 + 10 * side},
                    {7000, 14 + 10 * side},
                    {7500, 0},
                    {9500, 0}})};
}

mdx::Tracks foot_tracks(double side) {
  const double back = side > 0 ? 8 : 34;
  const double front = side > 0 ? 34 : 8;
  return {rotation(kPitch, kLinear,
                   {{0, 0},
                    {2400, 0},
                    {3000, back},
                    {3200, side > 0 ? 6.0 : 52.0},
                    {3400, front},
                    {3600, side > 0 ? 52.0 : 6.0},
                    {3800, back},
                    {4000, 0},
                    {5500, 0},
                    {5900, 38},
                    {6500, 6},
                    {7000, 6},
                    {7500, 0}})};
}

mdx::Tracks cape_tracks(double strength) {
  return {
      rotation(kPitch, kHermite,
               {{0, 2 * strength},     {800, 6 * strength},   {1600, -1 * strength}, {2400, 2 * strength},
                {3000, 12 * strength}, {3200, 18 * strength}, {3400, 12 * strength}, {3600, 18 * strength},
                {3800, 12 * strength}, {4000, 2 * strength},  {4350, -4 * strength}, {4600, 26 * strength},
                {5000, 2 * strength},  {5500, 2 * strength},  {5900, 34 * strength}, {6500, 4 * strength},
                {7000, 2 * strength},  {7500, 2 * strength},  {8500, 6 * strength},  {9500, 2 * strength}})};
}

// --- the model
// -------------------------------------------------------------------------------------------------

class Knight {
 public:
  mdx::Document make() {
    build_geosets();
    add_header();
    add_materials();
    add_chunk<mdx::Geosets>(document_, FourCC{"GEOS"}).items = geosets_;
    add_geoset_animations();
    add_bones();
    add_light();
    add_attachments();
    add_pivots();
    // Nearly a quarter of real files have this chunk without content.
    add_chunk<mdx::ParticleEmitters>(document_, FourCC{"PREM"});
    add_sparks();
    add_ribbon();
    add_camera();
    add_events();
    add_collision();
    return std::move(document_);
  }

 private:
  void build_geosets() {
    Mesh body = armor_mesh();
    add_shield_back(body);
    geosets_ = {body.matrix_group_geoset(0), cloth_mesh().matrix_group_geoset(1),
                glow_mesh().matrix_group_geoset(2), rune_mesh().matrix_group_geoset(3)};
    extent_ = {110, {-40, -40, 0}, {60, 40, 102}};
    for (auto& geoset : geosets_) {
      geoset.sequence_extents.assign(5, extent_);
    }
  }

  void add_header() {
    add_chunk<mdx::Version>(document_, FourCC{"VERS"}).value = 800;
    auto& model = add_chunk<mdx::Model>(document_, FourCC{"MODL"});
    model.name.assign("Knight");
    model.extent = extent_;
    model.blend_time = 150;
    const auto add = [&](const char* name, const Span& span, bool looping) {
      return sequence(name, static_cast<std::uint32_t>(span.start), static_cast<std::uint32_t>(span.end),
                      looping, extent_);
    };
    auto& sequences = add_chunk<mdx::Sequences>(document_, FourCC{"SEQS"}).items;
    sequences = {add("Stand", kStand, true), add("Walk", kWalk, true), add("Attack", kAttack, false),
                 add("Death", kDeath, false), add("Portrait", kPortrait, true)};
    sequences[1].move_speed = 180;
    // The rune's turn and the flow of the sword's fire go on whatever the knight does.
    add_chunk<mdx::GlobalSequences>(document_, FourCC{"GLBS"}).durations = {6000, 1200};
  }

  static mdx::Layer layer(mdx::FilterMode filter, std::int32_t texture_id, std::uint32_t shading) {
    mdx::Layer layer;
    layer.filter_mode = filter;
    layer.texture_id = texture_id;
    layer.shading_flags = shading;
    return layer;
  }

  void add_materials() {
    using mdx::FilterMode;
    using mdx::Layer;
    constexpr std::uint32_t kFire = Layer::kUnshaded | Layer::kTwoSided | Layer::kUnfogged;
    auto& materials = add_chunk<mdx::Materials>(document_, FourCC{"MTLS"}).items;
    materials.resize(4);
    materials[0].layers = {layer(FilterMode::none, 0, 0)};
    // Team colour below, cloth over it.
    materials[1].layers = {layer(FilterMode::none, 1, Layer::kTwoSided),
                           layer(FilterMode::blend, 2, Layer::kTwoSided)};
    materials[2].layers = {layer(FilterMode::additive, 3, kFire)};
    materials[2].layers[0].texture_animation_id = 0;
    materials[3].layers = {layer(FilterMode::additive, 4, kFire)};
    materials[3].layers[0].tracks = {
        track(FourCC{"KMTA"}, kLinear,
              {{0, {0.55F}, {}, {}}, {3000, {0.95F}, {}, {}}, {6000, {0.55F}, {}, {}}}, 0)};
    add_chunk<mdx::Textures>(document_, FourCC{"TEXS"}).items = {
        texture("Textures\\knight.blp"), texture("", 1), texture("Textures\\knight_cloth.blp"),
        texture("Textures\\knight_glow.blp", 0, mdx::Texture::kWrapHeight),
        texture("Textures\\knight_rune.blp")};
    auto& flow = add_chunk<mdx::TextureAnimations>(document_, FourCC{"TXAN"}).items;
    flow.resize(1);
    flow[0].tracks = {
        track(FourCC{"KTAT"}, kLinear, {{0, {0, 0, 0}, {}, {}}, {1200, {0, -1, 0}, {}, {}}}, 1)};
  }

  void add_geoset_animations() {
    auto& animations = add_chunk<mdx::GeosetAnimations>(document_, FourCC{"GEOA"}).items;
    animations.resize(2);
    animations[0].geoset_id = 2;
    animations[0].flags = mdx::GeosetAnimation::kUseColor;
    animations[0].color = {0.75F, 0.9F, 1};
    // The sword burns while it strikes, and a little before and after.
    animations[0].tracks = {track(FourCC{"KGAO"}, kLinear,
                                  {{0, {0.35F}, {}, {}},
                                   {2400, {0.35F}, {}, {}},
                                   {3000, {0.35F}, {}, {}},
                                   {3800, {0.35F}, {}, {}},
                                   {4000, {0.35F}, {}, {}},
                                   {4350, {1}, {}, {}},
                                   {4700, {1}, {}, {}},
                                   {5000, {0.35F}, {}, {}},
                                   {5500, {0.35F}, {}, {}},
                                   {6400, {0}, {}, {}},
                                   {7000, {0}, {}, {}},
                                   {7500, {0.35F}, {}, {}},
                                   {9500, {0.35F}, {}, {}}})};
    animations[1].geoset_id = 3;
    animations[1].tracks = {track(FourCC{"KGAO"}, Interpolation::none,
                                  {{0, {1}, {}, {}}, {6500, {0}, {}, {}}, {7500, {0}, {}, {}}})};
  }

  void add_bone(std::string_view name, Id id, std::int32_t parent, const Point& pivot,
                mdx::Tracks tracks = {}) {
    mdx::Bone bone;
    bone.node = node(name, id, parent, flag::kBone);
    bone.node.tracks = std::move(tracks);
    bones_.push_back(std::move(bone));
    pivots_.at(static_cast<std::size_t>(id)) = snap(pivot[0], pivot[1], pivot[2]);
  }

  void add_bones() {
    add_bone("Root", kRoot, -1, {0, 0, 0});
    add_bone("Hips", kHips, kRoot, kHipJoint, hips_tracks());
    add_bone("Chest", kChest, kHips, kWaist, chest_tracks());
    add_bone("Head", kHead, kChest, kNeck, head_tracks());
    add_bone("Shield Arm", kShieldArm, kChest, kLeftShoulder, shield_arm_tracks());
    add_bone("Shield Hand", kShieldHand, kShieldArm, kLeftElbow,
             {rotation(kPitch, kHermite, {{0, 0}, {1200, -4}, {2400, 0}, {4000, 0}, {4600, 14}, {5000, 0}})});
    add_bone("Sword Arm", kSwordArm, kChest, kRightShoulder, sword_arm_tracks());
    add_bone("Sword Hand", kSwordHand, kSwordArm, kRightElbow,
             {rotation(kPitch, kHermite,
                       {{0, 0},
                        {1200, 4},
                        {2400, 0},
                        {3000, -14},
                        {3400, 6},
                        {3800, -14},
                        {4000, 0},
                        {4350, -36},
                        {4600, 22},
                        {5000, 0},
                        {5500, 0},
                        {6500, 24},
                        {7000, 24},
                        {7500, 0},
                        {9500, 0}})});
    add_bone("Leg Left", kLeftLeg, kHips, {0, 7, 31}, leg_tracks(1));
    add_bone("Foot Left", kLeftFoot, kLeftLeg, {0.5, 7, 18}, foot_tracks(1));
    add_bone("Leg Right", kRightLeg, kHips, {0, -7, 31}, leg_tracks(-1));
    add_bone("Foot Right", kRightFoot, kRightLeg, {0.5, -7, 18}, foot_tracks(-1));
    add_bone("Cape Top", kCapeTop, kChest, {-10.5, 0, 60}, cape_tracks(0.7));
    add_bone("Cape Middle", kCapeMiddle, kCapeTop, {-13, 0, 40}, cape_tracks(0.9));
    add_bone("Cape End", kCapeEnd, kCapeMiddle, {-17, 0, 22}, cape_tracks(1.1));
    add_bone("Plume", kPlume, kHead, {0, 0, 90}, cape_tracks(0.5));
    add_bone("Rune", kRune, kRoot, {0, 0, 0.6},
             {rotation(kYaw, kLinear, {{0, 0}, {1500, 90}, {3000, 180}, {4500, 270}, {6000, 360}}, 0)});
    add_chunk<mdx::Bones>(document_, FourCC{"BONE"}).items = bones_;
  }

  void add_light() {
    auto& lights = add_chunk<mdx::Lights>(document_, FourCC{"LITE"}).items;
    lights.resize(1);
    lights[0].node = node("Sword Light", kLamp, kSwordHand, flag::kLight);
    lights[0].attenuation_start = 40;
    lights[0].attenuation_end = 140;
    lights[0].color = {0.4F, 0.7F, 1};
    lights[0].intensity = 4;
    lights[0].tracks = {
        track(FourCC{"KLAV"}, Interpolation::none,
              {{0, {0}, {}, {}}, {4250, {1}, {}, {}}, {4900, {0}, {}, {}}}),
        track(FourCC{"KLAI"}, kLinear, {{4000, {1}, {}, {}}, {4500, {5}, {}, {}}, {5000, {1}, {}, {}}})};
    const Point middle = kRightHand + (kTip - kRightHand) * 0.5;
    pivots_.at(kLamp) = snap(middle[0], middle[1], middle[2]);
    mdx::Helper tip;
    tip.node = node("Sword Tip", kSwordTip, kSwordHand, 0);
    pivots_.at(kSwordTip) = snap(kTip[0], kTip[1], kTip[2]);
    add_chunk<mdx::Helpers>(document_, FourCC{"HELP"}).items = {tip};
  }

  void add_attachments() {
    auto& attachments = add_chunk<mdx::Attachments>(document_, FourCC{"ATCH"}).items;
    const auto add = [&](const char* name, Id id, Id parent, const Point& at) {
      mdx::Attachment attachment;
      attachment.node = node(name, id, parent, flag::kAttachment);
      attachment.attachment_id = static_cast<std::int32_t>(attachments.size());
      pivots_.at(static_cast<std::size_t>(id)) = snap(at[0], at[1], at[2]);
      attachments.push_back(std::move(attachment));
    };
    add("Origin Ref ", kOrigin, kRoot, {0, 0, 0});
    add("Overhead Ref ", kOverhead, kRoot, {0, 0, 115});
    add("Hand Right Ref ", kHandRight, kSwordHand, kRightHand);
    add("Hand Left Ref ", kHandLeft, kShieldHand, {12, 19, 40});
    add("Chest Ref ", kChestMount, kChest, {10, 0, 52});
  }

  void add_pivots() {
    add_chunk<mdx::Pivots>(document_, FourCC{"PIVT"}).points.assign(pivots_.begin(), pivots_.end());
  }

  void add_sparks() {
    auto& emitters = add_chunk<mdx::ParticleEmitters2>(document_, FourCC{"PRE2"}).items;
    emitters.resize(1);
    auto& sparks = emitters[0];
    sparks.node = node("Sparks", kSparks, kSwordTip, flag::kEmitter | flag::kUnshaded | flag::kPre2Unfogged);
    document_.find<mdx::Pivots>()->points[kSparks] = snap(kTip[0], kTip[1], kTip[2]);
    sparks.speed = 24;
    sparks.variation = 0.5F;
    sparks.latitude = 60;
    sparks.gravity = 30;
    sparks.life_span = 0.8F;
    sparks.emission_rate = 30;
    sparks.length = 3;
    sparks.width = 3;
    sparks.filter = mdx::ParticleEmitter2::Filter::additive;
    sparks.segment_colors = {Vec3{0.9F, 0.97F, 1}, Vec3{0.4F, 0.7F, 1}, Vec3{0.1F, 0.2F, 0.6F}};
    sparks.segment_alphas = {255, 180, 0};
    sparks.segment_scales = {2, 3, 1};
    sparks.texture_id = 3;
    sparks.tracks = {track(FourCC{"KP2V"}, Interpolation::none,
                           {{0, {0}, {}, {}}, {4300, {1}, {}, {}}, {4800, {0}, {}, {}}})};
  }

  void add_ribbon() {
    auto& ribbons = add_chunk<mdx::RibbonEmitters>(document_, FourCC{"RIBB"}).items;
    ribbons.resize(1);
    auto& swing = ribbons[0];
    swing.node = node("Swing", kSwing, kSwordTip, flag::kRibbon);
    document_.find<mdx::Pivots>()->points[kSwing] = snap(kTip[0], kTip[1], kTip[2]);
    swing.height_above = 4;
    swing.height_below = 26;
    swing.color = {0.5F, 0.8F, 1};
    swing.life_span = 0.3F;
    swing.emission_rate = 40;
    swing.material_id = 2;
    swing.tracks = {track(FourCC{"KRVS"}, Interpolation::none,
                          {{0, {0}, {}, {}}, {4380, {1}, {}, {}}, {4700, {0}, {}, {}}})};
  }

  void add_camera() {
    auto& cameras = add_chunk<mdx::Cameras>(document_, FourCC{"CAMS"}).items;
    cameras = {camera<mdx::Camera>("Portrait", {95, 30, 86}, {0, 0, 74}, 0.7853981F, 8, 1000)};
  }

  void add_events() {
    auto& events = add_chunk<mdx::EventObjects>(document_, FourCC{"EVTS"}).items;
    events.resize(2);
    events[0].node = node("FPTxFTL0", kStepSound, kRoot, flag::kEvent);
    events[0].track = {true, -1, {3050, 3450}};
    events[1].node = node("SPLxHBS0", kDeathMark, kRoot, flag::kEvent);
    events[1].track = {true, -1, {6500}};
  }

  void add_collision() {
    add_chunk<mdx::CollisionShapes>(document_, FourCC{"CLID"}).items = {
        {node("Body", kBody, kRoot, flag::kCollision), mdx::CollisionShape::Type::sphere, {0, 0, 44, 46}}};
  }

  mdx::Document document_;
  std::vector<mdx::Geoset> geosets_;
  std::vector<mdx::Bone> bones_;
  std::array<Vec3, kNodeCount> pivots_{};
  mdx::Extent extent_;
};

}  // namespace

mdx::Document knight() { return Knight().make(); }

}  // namespace thaw::samples
