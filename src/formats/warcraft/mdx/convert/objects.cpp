// Lights, cameras, and the chunks that not all versions have (mdx.md#converting-between-versions).
#include "formats/warcraft/mdx/convert/conversion_job.hpp"
#include "formats/warcraft/mdx/convert/first_version.hpp"

#include "bytes/number_text.hpp"

#include <algorithm>

namespace thaw::mdx {
namespace {

constexpr BindPose identity_at(const Vec3& point) {
  return {1, 0, 0, 0, 1, 0, 0, 0, 1, point[0], point[1], point[2]};
}

template <class Body>
void collect_nodes(const Document& document, std::vector<const Node*>& nodes) {
  for (const auto* item : document.all<Body>()) {
    nodes.push_back(&item->node);
  }
}

std::size_t count_nodes(const Document& document) {
  std::vector<const Node*> nodes;
  collect_nodes<Bones>(document, nodes);
  collect_nodes<Lights>(document, nodes);
  collect_nodes<Helpers>(document, nodes);
  collect_nodes<Attachments>(document, nodes);
  collect_nodes<ParticleEmitters>(document, nodes);
  collect_nodes<ParticleEmitters2>(document, nodes);
  collect_nodes<PopcornEmitters>(document, nodes);
  collect_nodes<RibbonEmitters>(document, nodes);
  collect_nodes<EventObjects>(document, nodes);
  collect_nodes<CollisionShapes>(document, nodes);
  collect_nodes<SoundEmitters>(document, nodes);
  return nodes.size();
}

void drop_bind_poses(ConversionJob& job) {
  const auto* poses = job.document().find<BindPoses>();
  if (poses == nullptr) {
    return;
  }
  if (!(*poses == usual_bind_poses(job.document()))) {
    job.lose(codes::kConvertBindPose, "BPOS",
             counted(poses->poses.size(), "bind pose") + " left out; the game does not need them");
  }
  remove_chunks(job.document(), FourCC{"BPOS"});
}

void add_bind_poses(ConversionJob& job) {
  auto poses = usual_bind_poses(job.document());
  if (job.document().find<BindPoses>() == nullptr && !poses.poses.empty()) {
    insert_chunk(job.document(), FourCC{"BPOS"}, std::move(poses));
  }
}

/// The effect is in a file that older games cannot play. Its place in the hierarchy stays, and with it all
/// object ids.
void replace_popcorn(ConversionJob& job) {
  std::vector<Helper> helpers;
  for_each<PopcornEmitters>(job.document(), [&](PopcornEmitter& emitter, std::size_t i) {
    job.lose(codes::kConvertEffect, place("CORN", i),
             "effect " + to_utf8(emitter.path.view()) + " replaced with a helper (it needs version 900)");
    auto& helper = helpers.emplace_back();
    helper.node = std::move(emitter.node);
    drop_raw(job, helper.node.remainder, place("CORN", i) + ".node");
    helper.node.flags &= ~(node_flag::kEmitter | node_flag::kUnshaded | node_flag::kSortPrimsFarZ |
                           node_flag::kCornUnfogged | node_flag::kCornPopcornScaling);
  });
  remove_chunks(job.document(), FourCC{"CORN"});
  if (helpers.empty()) {
    return;
  }
  if (job.document().find<Helpers>() == nullptr) {
    insert_chunk(job.document(), FourCC{"HELP"}, Helpers{});
  }
  auto& items = job.document().find<Helpers>()->items;
  items.insert(items.end(), std::make_move_iterator(helpers.begin()), std::make_move_iterator(helpers.end()));
}

void drop_face_effects(ConversionJob& job) {
  for_each<FaceEffects>(job.document(), [&](const FaceEffect& effect, std::size_t i) {
    job.lose(codes::kConvertChunk, place("FAFX", i),
             "face animation " + to_utf8(effect.path.view()) + " left out (it needs version 900)");
  });
  remove_chunks(job.document(), FourCC{"FAFX"});
}

void drop_pick_geosets(ConversionJob& job) {
  const auto* pick = job.document().find<PickGeosets>();
  if (pick != nullptr) {
    job.lose(codes::kConvertChunk, "DILG",
             "list of " + counted(pick->geoset_ids.size(), "pickable geoset") +
                 " left out; in older clients all geosets can be picked");
    remove_chunks(job.document(), FourCC{"DILG"});
  }
}

}  // namespace

BindPoses usual_bind_poses(const Document& document) {
  BindPoses result;
  const auto* pivots = document.find<Pivots>();
  const std::size_t nodes = count_nodes(document);
  for (std::size_t i = 0; i < nodes; ++i) {
    const bool known = pivots != nullptr && i < pivots->points.size();
    result.poses.push_back(identity_at(known ? pivots->points[i] : Vec3{}));
  }
  for (const auto* camera : document.all<Cameras>()) {
    result.poses.push_back(identity_at(camera->position));
  }
  return result;
}

void convert_lights(ConversionJob& job) {
  for_each<Lights>(job.document(), [&](Light& light, std::size_t i) {
    const std::string path = place("LITE", i);
    const Light usual;
    if (job.to < 1200) {
      job.reset(light.shadow_intensity, usual.shadow_intensity, path, "shadowIntensity");
    }
    if (job.to < 1300) {
      job.reset(light.shadow_casting, usual.shadow_casting, path, "shadowCasting");
      job.reset(light.shadow_casting_start, usual.shadow_casting_start, path, "shadowCastingStart");
      job.reset(light.shadow_casting_end, usual.shadow_casting_end, path, "shadowCastingEnd");
    }
    if (job.to < 1600) {
      job.reset(light.quadratic_falloff, usual.quadratic_falloff, path, "quadraticFalloff");
      job.reset(light.linear_falloff, usual.linear_falloff, path, "linearFalloff");
      job.reset(light.damping, usual.damping, path, "damping");
    }
    job.drop_newer_tracks(light.tracks, path);
  });
}

void convert_cameras(ConversionJob& job) {
  if (!job.for_older_client()) {
    return;
  }
  for_each<Cameras>(job.document(), [&](Camera& camera, std::size_t i) {
    if (camera.remainder.replaces_fields()) {
      return;  // its bytes are as they were
    }
    const std::string path = place("CAMS", i);
    if (camera.variant == 1 || camera.variant == 2) {
      job.lose(codes::kConvertField, path + ".skipped", "twelve unused bytes of the camera left out");
      camera.skipped = {};
    }
    if (camera.variant != 0) {
      job.lose(codes::kConvertUnused, path,
               "the variant byte of the camera left out, because clients before 3.0.0 read it as a size");
      camera.variant = 0;
    }
    for (const auto tag : {FourCC{"KCVS"}, FourCC{"IDUF"}, FourCC{"ELAF"}, FourCC{"PTSF"}}) {
      job.drop_track(camera.tracks, tag, path);
    }
  });
}

void convert_chunks(ConversionJob& job) {
  if (job.for_older_client()) {
    drop_pick_geosets(job);
  }
  if (const std::uint32_t first = first_version(FourCC{"BPOS"}); job.to < first) {
    drop_bind_poses(job);
  } else if (job.from < first) {
    add_bind_poses(job);
  }
  if (job.to < first_version(FourCC{"FAFX"})) {
    drop_face_effects(job);
  }
  if (job.to < first_version(FourCC{"CORN"})) {
    replace_popcorn(job);
  }
}

}  // namespace thaw::mdx
