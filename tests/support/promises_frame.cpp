#include "support/promises_report.hpp"

#include <algorithm>

namespace thaw::test {
namespace {

using frame::Draw;
using frame::Frame;
using frame::kNone;
using promises::FieldPath;
using promises::Report;

class FrameCheck {
 public:
  FrameCheck(const Frame& frame, std::span<const Image* const> images) : frame_(frame), images_(images) {}

  Problems run() {
    const FieldPath top;
    report_.expect_finite(frame_.view, {top, "view"});
    report_.expect_finite(frame_.projection, {top, "projection"});
    report_.expect_all_finite(frame_.positions, top, "positions");
    report_.expect_all_finite(frame_.uvs, top, "uvs");
    std::uint64_t triangles = 0;
    for (std::size_t i = 0; i < frame_.draws.size(); ++i) {
      check_draw(frame_.draws[i], {top, "draws", i});
      const bool solid = frame_.draws[i].topology == frame::Topology::triangles;
      triangles += solid ? frame_.draws[i].index_count / 3 : 0;
    }
    report_.expect(triangles == frame_.triangles, {top, "triangles"}, "another number than the draws have");
    return report_.take();
  }

 private:
  void check_draw(const Draw& draw, const FieldPath& at) {
    const auto within = [](std::uint64_t first, std::uint64_t count, std::size_t size) {
      return first + count <= size;
    };
    const auto vertices = [&](std::uint32_t base, std::size_t size) {
      return base == kNone || within(base, draw.vertex_count, size);
    };
    report_.expect(draw.base_position != kNone && vertices(draw.base_position, frame_.positions.size()),
                   {at, "base_position"}, "vertices that are not there");
    report_.expect(vertices(draw.base_uv, frame_.uvs.size()), {at, "base_uv"},
                   "coordinates that are not there");
    report_.expect(vertices(draw.base_color, frame_.colors.size()), {at, "base_color"},
                   "colours that are not there");
    report_.expect(vertices(draw.base_normal, frame_.normals.size()), {at, "base_normal"},
                   "normals that are not there");
    report_.expect(vertices(draw.base_tangent, frame_.tangents.size()), {at, "base_tangent"},
                   "tangents that are not there");
    report_.expect(draw.index_count % corners_of(draw.topology) == 0, {at, "index_count"},
                   "half a triangle or line");
    if (report_.expect(within(draw.first_index, draw.index_count, frame_.indices.size()), {at, "first_index"},
                       "indices that are not there")) {
      const auto* first = frame_.indices.data() + draw.first_index;
      report_.expect(std::all_of(first, first + draw.index_count,
                                 [&](std::uint32_t index) { return index < draw.vertex_count; }),
                     {at, "indices"}, "an index beyond the draw's vertices");
    }
    check_look(draw, at);
  }

  void check_look(const Draw& draw, const FieldPath& at) {
    report_.expect_finite(draw.uv_matrix, {at, "uv_matrix"});
    report_.expect_finite(draw.color, {at, "color"});
    report_.expect_finite(draw.alpha_cutoff, {at, "alpha_cutoff"});
    report_.expect_finite(draw.emissive_gain, {at, "emissive_gain"});
    report_.expect_finite(draw.rim, {at, "rim"});
    report_.expect_finite(draw.rim_opacity, {at, "rim_opacity"});
    report_.expect_finite(draw.rim_team, {at, "rim_team"});
    for (const auto& sampler : {draw.texture, draw.orm, draw.emissive, draw.team_color}) {
      report_.expect(
          sampler.image == kNone || (sampler.image < images_.size() && images_[sampler.image] != nullptr),
          {at, "texture"}, "a picture that is not there");
    }
  }

  const Frame& frame_;
  std::span<const Image* const> images_;
  Report report_;
};

/// The resting pose, then of the first clips one moment within, one before and one far behind.
std::vector<frame::PlayTime> moments_of(const scene::Scene& scene) {
  constexpr std::size_t kClips = 3;
  std::vector<frame::PlayTime> moments(1);
  for (std::size_t i = 0; i < std::min(scene.clips.size(), kClips); ++i) {
    const auto clip = static_cast<scene::Index>(i);
    const double duration = double{scene.clips[i].duration};
    moments.push_back({clip, duration * 0.4, 0.7});
    moments.push_back({clip, i == 0 ? -0.1 : 1e9 + duration, -3});
  }
  return moments;
}

}  // namespace

Problems problems_of(const Frame& frame, std::span<const Image* const> images) {
  return FrameCheck(frame, images).run();
}

Problems problems_of_frames(const scene::Scene& scene, const frame::Options& options) {
  const frame::Evaluator evaluator(scene);
  frame::Frame frame;
  for (const auto& moment : moments_of(scene)) {
    const auto camera = frame::auto_camera(evaluator, scene, moment.clip, {}, 1, options);
    evaluator.evaluate(moment, camera, options, frame);
    if (auto problems = problems_of(frame, evaluator.images()); !problems.empty()) {
      return problems;
    }
  }
  return {};
}

}  // namespace thaw::test
