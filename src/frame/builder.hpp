// Puts a frame together: every part of evaluation appends to it.
#pragma once

#include "frame/lighting.hpp"
#include "frame/model.hpp"

#include <vector>

namespace thaw::frame {

/// A model that is being shown somewhere.
struct Instance {
  const ModelData& model;
  const Player& player;
  const Pose& pose;
  PlayTime moment;
  Times now;
  std::vector<WorldTransform> places;
  std::uint64_t seed = 0;
  unsigned depth = 0;  ///< models within models
};

/// Where a draw goes: opaque ones first, then by priority plane, filter mode and turn.
struct Order {
  bool blended = false;
  int priority = 0;
  unsigned mode = 0;
};
/// Behind all filter modes of meshes on the same plane.
inline constexpr unsigned kModeOfEmitters = 100;
inline constexpr unsigned kModeOfRibbons = 101;
/// Over everything.
inline constexpr int kOverlayPriority = 0x7FFFFFFF;

class Builder {
 public:
  Builder(Frame& into, const Options& requested, const Viewer& from)
      : frame(into), options(requested), viewer(from), lights(requested.lighting, from) {}

  /// Counts the draw's triangles; false, and nothing is added, if they are too many.
  bool add(Draw draw, const Order& order);
  /// Takes from what evaluating nodes may cost; false, and the frame is not complete, if too little is left.
  bool take_nodes(std::size_t count);
  /// Sorts the draws into the frame.
  void finish();

  // The parts share the builder's state openly: it is the frame in the making.
  // NOLINTBEGIN(misc-non-private-member-variables-in-classes)
  Frame& frame;
  const Options& options;
  const Viewer& viewer;
  LightRig lights;
  std::uint32_t ticks_left = 1U << 19U;  ///< of emitters' clocks
  std::uint32_t instances_left = 1U << 16U;
  std::size_t nodes_left = std::size_t{1} << 23U;
  // NOLINTEND(misc-non-private-member-variables-in-classes)

 private:
  struct Entry {
    Draw draw;
    Order order;
    std::size_t turn = 0;
  };
  std::vector<Entry> entries_;
  std::uint32_t spent_ = 0;
};

/// Blend state of a layer's filter mode (warcraft3-rendering.md#layers).
void set_blend(Draw& draw, scene::BlendMode mode);
Sampler sampler_of(const ModelData& model, Index texture);
/// The file of a picture was not found. Opaque things show it in grey; what glows would be a grey box
/// (stand_in.hpp).
bool is_missing(const ModelData& model, Index texture);

void add_meshes(Builder& builder, const Instance& instance);
/// Empty of a mesh that is not sound.
RestMesh rest_mesh(const scene::Mesh& mesh, const MeshData& data);
void add_ribbons(Builder& builder, const Instance& instance);
void add_overlays(Builder& builder, const Instance& instance);
/// What events have laid on the ground: of the scene itself, not of models within it.
void add_splats(Builder& builder, const Instance& instance);

/// A model that an emitter has thrown out, or an event spawned.
struct Thrown {
  Index model = kNone;
  WorldTransform place;
  double age = 0;
  std::uint64_t seed = 0;
};
/// Appends sprites; models that are in the air go to `thrown`.
void add_particles(Builder& builder, const Instance& instance, std::vector<Thrown>& thrown);
/// Appends what events have spawned and still plays.
void add_spawned(Builder& builder, const Instance& instance, std::vector<Thrown>& thrown);

inline std::uint8_t to_byte(float share) {
  return static_cast<std::uint8_t>(share > 0 ? (share < 1 ? share * 255 + 0.5F : 255.0F) : 0.0F);
}

}  // namespace thaw::frame
