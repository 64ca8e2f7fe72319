// Skeletons and animations as scenes and glTF, and back.
#include <thaw/codes.hpp>
#include <thaw/gltf.hpp>
#include <thaw/mrn.hpp>
#include <thaw/nsa.hpp>

#include "mrn/human.hpp"
#include "support/files.hpp"
#include "support/findings.hpp"
#include "support/heap.hpp"
#include "support/paths.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>

namespace thaw::mrn {
namespace {

using scene::Property;

scene::Scene make(const Document& document, const SceneOptions& options = {}) {
  Diagnostics diagnostics;
  auto result = to_scene(document, "human", options, diagnostics);
  EXPECT_TRUE(result) << (result ? "" : result.error().message);
  EXPECT_EQ(diagnostics.count(Severity::warning), 0U);
  return result ? std::move(*result) : scene::Scene{};
}

scene::Index node_named(const scene::Scene& scene, std::string_view name) {
  for (scene::Index i = 0; i < scene.nodes.size(); ++i) {
    if (scene.nodes[i].name == name) {
      return i;
    }
  }
  ADD_FAILURE() << "no node " << name;
  return 0;
}

const scene::Clip& clip_named(const scene::Scene& scene, std::string_view name) {
  const auto found = std::find_if(scene.clips.begin(), scene.clips.end(),
                                  [&](const scene::Clip& clip) { return clip.name == name; });
  EXPECT_NE(found, scene.clips.end()) << name;
  return found == scene.clips.end() ? scene.clips.front() : *found;
}

const scene::Curve* curve(const scene::Scene& scene, std::string_view clip, std::string_view node,
                          Property property) {
  const scene::Index index = node_named(scene, node);
  for (const auto& channel : clip_named(scene, clip).channels) {
    if (channel.target.index == index && channel.property == property) {
      return &channel.curve;
    }
  }
  return nullptr;
}

/// With THAW_GLTF_OUT set, what is written is left in that folder for other validators.
Bytes glb(const scene::Scene& scene, const std::string& name) {
  Diagnostics diagnostics;
  GltfOptions options;
  options.name = name;
  auto files = write_gltf(scene, options, diagnostics);
  EXPECT_TRUE(files);
  if (!files) {
    return {};
  }
  Bytes bytes = std::move(files->front().bytes);
  const char* folder = std::getenv("THAW_GLTF_OUT");  // NOLINT(concurrency-mt-unsafe): tests have one thread
  if (folder != nullptr) {
    std::ofstream stream(std::filesystem::path(folder) / (name + ".glb"), std::ios::binary);
    stream.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  }
  return bytes;
}

TEST(MrnScene, TheHierarchyStandsInBindPose) {
  const scene::Scene scene = make(human());
  ASSERT_EQ(scene.nodes.size(), 23U) << "a root and 22 bones";
  const scene::Node& elbow = scene.nodes[node_named(scene, "L_elbow")];
  EXPECT_EQ(scene.nodes[elbow.parent].name, "L_shoulder");
  EXPECT_NEAR(elbow.rest.translation[1], -0.2905, 1e-3) << "down the arm, in the shoulder's own axes";
  EXPECT_EQ(elbow.rest.rotation, (Vec4{0, 0, 0, 1}));
  EXPECT_NEAR(scene.nodes[node_named(scene, "L_shoulder")].rest.rotation[2], std::sin(0.3054), 1e-4);
  EXPECT_NEAR(scene.bounds.maximum[1], 1.625, 1e-3) << "the head";
  for (scene::Index i = 0; i < scene.nodes.size(); ++i) {
    EXPECT_TRUE(scene.nodes[i].parent == scene::kNone || scene.nodes[i].parent < i);
  }
}

TEST(MrnScene, ClipsMoveTheBonesOfTheirMaps) {
  const scene::Scene scene = make(human());
  ASSERT_EQ(scene.clips.size(), 5U);
  const auto* hip = curve(scene, "Human_Walk", "L_hip", Property::rotation);
  ASSERT_NE(hip, nullptr);
  ASSERT_EQ(hip->times.size(), 37U);
  EXPECT_NEAR(hip->times.back(), 1.2, 1e-6);
  EXPECT_NEAR(hip->values[9 * 4], -std::sin(0.24435), 2e-3)
      << "a quarter into the walk the hip is at 28 degrees";
  const auto* head = curve(scene, "Human_Nod", "head", Property::rotation);
  ASSERT_NE(head, nullptr) << "a clip of the upper body drives the head";
  EXPECT_EQ(head->times.size(), 25U);
  EXPECT_EQ(curve(scene, "Human_Nod", "L_hip", Property::rotation), nullptr);
  const auto* grown = curve(scene, "Human_Grow", "head", Property::scale);
  ASSERT_NE(grown, nullptr);
  EXPECT_NEAR(grown->values.back(), 1.5, 1e-3);
}

TEST(MrnScene, PosesKeepTheirDuration) {
  const scene::Scene scene = make(human());
  const auto& sit = clip_named(scene, "Human_Sit");
  EXPECT_EQ(sit.duration, 2.0F);
  for (const auto& channel : sit.channels) {
    EXPECT_EQ(channel.curve.times, (Array<float>{0.0F, 2.0F}));
  }
}

TEST(MrnScene, RootMotionIsAnOption) {
  SceneOptions options;
  options.clips.requested = [](std::string_view name) { return name != "Human_Grow"; };
  const scene::Scene moving = make(human(), options);
  EXPECT_EQ(moving.clips.size(), 4U);
  const auto* root_motion = curve(moving, "Human_Walk", "CharacterWorldSpaceTM", Property::translation);
  ASSERT_NE(root_motion, nullptr);
  EXPECT_NEAR(root_motion->values.back(), 1.5, 1e-3);
  const auto* turned = curve(moving, "Human_Sidestep", "CharacterWorldSpaceTM", Property::rotation);
  ASSERT_NE(turned, nullptr) << "a constant rotation of the root is applied";
  EXPECT_NEAR(turned->values[1], std::sqrt(0.5), 1e-5);
  const auto* steps = curve(moving, "Human_Sidestep", "CharacterWorldSpaceTM", Property::translation);
  EXPECT_EQ(steps->times.size(), 16U) << "with times of its own";
  EXPECT_NEAR(steps->times.back(), 1, 1e-6);
  options.clips.root_motion = false;
  const scene::Scene standing = make(human(), options);
  EXPECT_EQ(curve(standing, "Human_Walk", "CharacterWorldSpaceTM", Property::translation), nullptr);
}

TEST(MrnScene, ARootThatTakesLongerMakesTheClipLonger) {
  Diagnostics diagnostics;
  auto animation =
      nsa::read(test::load(test::samples_dir() / "forgelight" / "Human_Walk.nsa"), {}, diagnostics);
  ASSERT_TRUE(animation && animation->root);
  const auto clip_of = [&](bool root_motion) {
    SceneOptions options;
    options.clips.root_motion = root_motion;
    const auto scene = to_scene(*animation, human(), "walk", options, diagnostics);
    EXPECT_TRUE(scene);
    return scene ? scene->clips.at(0) : scene::Clip();
  };
  const float usual = clip_of(true).duration;
  EXPECT_NEAR(usual, 1.2, 1e-6);
  animation->root->rate /= 2;
  const scene::Clip longer = clip_of(true);
  EXPECT_NEAR(longer.duration, 2 * usual, 1e-5);
  float last = 0;
  for (const auto& channel : longer.channels) {
    last = std::max(last, channel.curve.times.back());
  }
  EXPECT_EQ(last, longer.duration);
  EXPECT_EQ(clip_of(false).duration, usual);
  for (const float rate : {1e-4F, 1e-38F, -1.0F, 1e30F}) {
    animation->root->rate = rate;
    EXPECT_NEAR(clip_of(true).duration, usual, 1e-5) << "no rate: " << rate;
  }
}

TEST(MrnScene, RotationsDoNotJump) {
  for (const auto& clip : make(human()).clips) {
    for (const auto& channel : clip.channels) {
      if (channel.property != Property::rotation) {
        continue;
      }
      const auto& values = channel.curve.values;
      for (std::size_t i = 4; i < values.size(); i += 4) {
        double dot = 0;
        for (std::size_t k = 0; k < 4; ++k) {
          dot += double{values[i + k]} * double{values[i + k - 4]};
        }
        ASSERT_GT(dot, 0.9) << clip.name << ' ' << i / 4;
      }
    }
  }
}

TEST(MrnScene, SkeletonsAreChosenByName) {
  Document document = human();
  Diagnostics diagnostics;
  EXPECT_EQ(find_skeleton(document, "HUMAN", diagnostics), 0U);
  EXPECT_EQ(find_skeleton(document, "0", diagnostics), 0U);
  const auto missing = find_skeleton(document, "Vehicle", diagnostics);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, codes::kMrnSkeleton);
  EXPECT_NE(missing.error().message.find("Human"), std::string::npos);

  // A second skeleton without maps: every clip is for the first.
  Packet& packet = document.packets.emplace_back();
  packet.type = 1;
  packet.body = Boxed<Skeleton>(make_skeleton(std::vector<Bone>{{"a", -1}, {"b", 0}}, 0, 0));
  lay_out(document);
  SceneOptions options;
  options.skeleton = "1";
  EXPECT_TRUE(make(document, options).clips.empty());
}

TEST(MrnScene, EventsOfTheOnlyAnimationAreItsOwn) {
  Document document = human();
  EXPECT_TRUE(events_of(document, 0).empty())
      << "of several animations version 26 does not say whose they are";
  document.packets.erase(document.packets.begin() + 1, document.packets.begin() + 5);
  const scene::Scene scene = make(document);
  ASSERT_EQ(scene.clips.size(), 1U);
  const Value* events = scene.clips[0].extras.find("events");
  ASSERT_NE(events, nullptr);
  const auto& list = std::get<Value::List>(events->storage());
  ASSERT_EQ(list.size(), 4U);
  EXPECT_EQ(to_json(*list[1].find("time")), "0.90000004");
}

TEST(MrnScene, AnimationsOfTheirOwnTakeASkeleton) {
  const Bytes bytes = test::load(test::samples_dir() / "forgelight" / "Human_Walk.nsa");
  Diagnostics diagnostics;
  const auto animation = nsa::read(bytes, {}, diagnostics);
  ASSERT_TRUE(animation);
  const auto scene = to_scene(*animation, human(), "walk", {}, diagnostics);
  ASSERT_TRUE(scene);
  ASSERT_EQ(scene->clips.size(), 1U);
  EXPECT_EQ(scene->clips[0].channels.size(), make(human()).clips[0].channels.size());
  EXPECT_EQ(diagnostics.count(Severity::warning), 0U);
}

TEST(MrnScene, BoneShapesAreSkinned) {
  SceneOptions options;
  options.bones = true;
  const scene::Scene scene = make(human(), options);
  ASSERT_EQ(scene.meshes.size(), 1U);
  const auto& mesh = scene.meshes[0];
  EXPECT_EQ(mesh.positions.size() % 24, 0U) << "eight faces per bone";
  EXPECT_GE(mesh.positions.size(), std::size_t{24 * 17});
  EXPECT_EQ(scene.skins[0].joints.size(), 22U);
  EXPECT_FALSE(glb(scene, "bones").empty());
}

// --- back again
// ------------------------------------------------------------------------------------------------

double off(const Vec4& a, const Vec4& b) {
  const auto w = [](const Vec4& q) {
    return std::array<double, 4>{double{q[0]}, double{q[1]}, double{q[2]}, double{q[3]}};
  };
  const auto x = w(a);
  const auto y = w(b);
  // conj(x) · y
  const std::array<double, 4> difference = {x[3] * y[0] - x[0] * y[3] - x[1] * y[2] + x[2] * y[1],
                                            x[3] * y[1] + x[0] * y[2] - x[1] * y[3] - x[2] * y[0],
                                            x[3] * y[2] - x[0] * y[1] + x[1] * y[0] - x[2] * y[3],
                                            x[3] * y[3] + x[0] * y[0] + x[1] * y[1] + x[2] * y[2]};
  const auto v = nsa::to_rotation_vector(difference);
  return std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

double off(const Vec3& a, const Vec3& b) {
  return std::max({std::abs(a[0] - b[0]), std::abs(a[1] - b[1]), std::abs(a[2] - b[2])});
}

/// The length of a whole step: twice the half step that one quantisation may cost.
double whole_step(const nsa::Quantised& quantised, nsa::Kind kind, std::uint16_t channel, bool root) {
  for (const auto& error : quantised.errors) {
    if (error.kind == kind && error.channel == channel && error.root == root) {
      const auto square = [](float x) { return double{x} * double{x}; };
      return std::sqrt(square(error.step[0]) + square(error.step[1]) + square(error.step[2]));
    }
  }
  ADD_FAILURE() << "no error of channel " << channel;
  return 0;
}

template <class Values>
void expect_near(const Values& requested, const Values& got, double bound) {
  ASSERT_FALSE(requested.empty());
  ASSERT_FALSE(got.empty());
  for (std::size_t i = 0; i < std::max(requested.size(), got.size()); ++i) {
    ASSERT_LE(off(requested[requested.size() == 1 ? 0 : i], got[got.size() == 1 ? 0 : i]), bound + 3e-7) << i;
  }
}

template <class Track>
const Track* find_track(const std::vector<Track>& tracks, std::uint16_t channel) {
  for (const Track& track : tracks) {
    if (track.channel == channel) {
      return &track;
    }
  }
  return nullptr;
}

void expect_same(const nsa::Clip& requested, const nsa::Clip& got, const nsa::Quantised& quantised) {
  EXPECT_EQ(got.samples, requested.samples);
  EXPECT_EQ(got.channels, requested.channels);
  EXPECT_FLOAT_EQ(got.duration, requested.duration);
  for (const auto& track : requested.translations) {
    const auto* other = find_track(got.translations, track.channel);
    ASSERT_NE(other, nullptr);
    expect_near(track.values, other->values, whole_step(quantised, nsa::kTranslation, track.channel, false));
  }
  for (const auto& track : requested.rotations) {
    const auto* other = find_track(got.rotations, track.channel);
    ASSERT_NE(other, nullptr);
    expect_near(track.values, other->values, whole_step(quantised, nsa::kRotation, track.channel, false));
  }
  for (const auto& track : requested.scales) {
    const auto* other = find_track(got.scales, track.channel);
    ASSERT_NE(other, nullptr);
    expect_near(track.values, other->values, whole_step(quantised, nsa::kScale, track.channel, false));
  }
}

TEST(MrnScene, AnimationsComeBackFromGlbWithinAStep) {
  const Document network = human();
  const auto all = animations(network);
  for (std::size_t i = 0; i < all.size(); ++i) {
    SCOPED_TRACE(all[i].name);
    SceneOptions options;
    options.clips.requested = [&](std::string_view name) { return name == all[i].name; };
    Diagnostics diagnostics;
    const auto scene = read_gltf(glb(make(network, options), all[i].name), {}, diagnostics);
    ASSERT_TRUE(scene);
    const auto clip = clip_from_scene(*scene, network, {}, diagnostics);
    ASSERT_TRUE(clip) << clip.error().message;
    EXPECT_EQ(diagnostics.count(Severity::warning), 0U);
    const auto quantised = nsa::from_curves(*clip, {});
    ASSERT_TRUE(quantised) << quantised.error().message;
    const nsa::Clip requested = nsa::decode(*all[i].document, diagnostics);
    const nsa::Clip got = nsa::decode(quantised->document, diagnostics);
    expect_same(requested, got, *quantised);
    ASSERT_EQ(requested.root.has_value(), got.root.has_value());
    if (requested.root) {
      EXPECT_EQ(requested.root->rate, got.root->rate);
      expect_near(requested.root->translations, got.root->translations,
                  whole_step(*quantised, nsa::kTranslation, 0, true));
      expect_near(requested.root->rotations, got.root->rotations,
                  requested.root->rotations.size() > 1 ? whole_step(*quantised, nsa::kRotation, 0, true) : 0);
    }
  }
}

TEST(MrnScene, WhatIsNotASkeletonsAnimationIsRefused) {
  const Document network = human();
  Diagnostics diagnostics;
  scene::Scene scene = make(network);
  scene.clips.clear();
  auto clip = clip_from_scene(scene, network, {}, diagnostics);
  ASSERT_FALSE(clip);
  EXPECT_EQ(clip.error().code, codes::kSceneNoClip);
  scene = make(network);
  for (auto& node : scene.nodes) {
    node.name = "x" + node.name;
  }
  EXPECT_FALSE(clip_from_scene(scene, network, {}, diagnostics));
  scene = make(network);
  scene.nodes[node_named(scene, "head")].name = "skull";
  clip = clip_from_scene(scene, network, {}, diagnostics);
  ASSERT_TRUE(clip);
  for (const Code& code : {codes::kMrnJoin, codes::kSceneLost}) {
    EXPECT_TRUE(test::has(diagnostics, code)) << code.id;
  }
}

TEST(MrnScene, AnimationsOfAnotherSkeletonAreCounted) {
  Document network = human();
  const auto skeleton_packet =
      std::find_if(network.packets.begin(), network.packets.end(),
                   [](const Packet& packet) { return std::holds_alternative<Boxed<Skeleton>>(packet.body); });
  ASSERT_NE(skeleton_packet, network.packets.end());
  Packet other = *skeleton_packet;
  std::get<Boxed<Skeleton>>(skeleton_packet->body)
      ->hierarchy.parents.pop_back();  // now their map fits the other one
  network.packets.push_back(std::move(other));
  Diagnostics findings;
  SceneOptions options;
  options.skeleton = "0";
  const auto chosen = to_scene(network, "human", options, findings);
  ASSERT_TRUE(chosen);
  EXPECT_TRUE(chosen->clips.empty());
  EXPECT_TRUE(test::has(findings, codes::kMrnOtherSkeleton));
  Diagnostics of_all;
  const auto all = to_scene(network, "human", {}, of_all);
  ASSERT_TRUE(all);
  EXPECT_EQ(all->clips.size(), animations(network).size());
  EXPECT_FALSE(test::has(of_all, codes::kMrnOtherSkeleton));
  EXPECT_EQ(find_skeleton(network, "", of_all), 0U) << "of an actor, which has one";
  EXPECT_TRUE(test::has(of_all, codes::kMrnSkeletonChoice));
}

TEST(MrnScene, ADurationThatIsNoMultipleOfSamplesIsKept) {
  const Document network = human();
  scene::Scene scene = make(network);
  for (auto& clip : scene.clips) {
    clip.duration += 0.001F;
  }
  Diagnostics findings;
  const auto clip = clip_from_scene(scene, network, {}, findings);
  ASSERT_TRUE(clip);
  EXPECT_EQ(clip->duration, scene.clips[0].duration);
  EXPECT_EQ(clip->samples, 37U);
  EXPECT_FALSE(test::has(findings, codes::kSceneChanged));
}

TEST(MrnScene, BonesMayHangBelowOtherNodes) {
  const Document network = human();
  scene::Scene scene = make(network);
  Diagnostics diagnostics;
  scene.clips.resize(1);
  const auto plain = clip_from_scene(scene, network, {}, diagnostics);
  // As exporters do: a node between a bone and its parent that goes half of the way. It takes the bone's
  // place in the list, because parents stand before their children.
  const scene::Index neck = node_named(scene, "neck");
  const auto moved = [&](scene::Index node) {
    return node != scene::kNone && node >= neck ? node + 1 : node;
  };
  for (auto& node : scene.nodes) {
    node.parent = moved(node.parent);
  }
  scene::Node between;
  between.name = "between";
  between.parent = scene.nodes[neck].parent;
  between.rest.translation = {0, 0.125F, 0};
  scene.nodes[neck].parent = neck;
  scene.nodes[neck].rest.translation[1] -= 0.125F;
  scene.nodes.insert(scene.nodes.begin() + static_cast<std::ptrdiff_t>(neck), between);
  for (auto& channel : scene.clips[0].channels) {
    channel.target.index = moved(channel.target.index);
    for (std::size_t i = 1; channel.target.index == neck + 1 && channel.property == Property::translation &&
                            i < channel.curve.values.size();
         i += 3) {
      channel.curve.values[i] -= 0.125F;
    }
  }
  const auto other = clip_from_scene(scene, network, {}, diagnostics);
  ASSERT_TRUE(plain && other);
  for (std::size_t i = 0; i < plain->translations.size(); ++i) {
    expect_near(plain->translations[i].values, other->translations[i].values, 1e-5);
    expect_near(plain->rotations[i].values, other->rotations[i].values, 1e-5);
  }
}

TEST(MrnScene, StatedChannelsCostNothing) {
  Document document = human();
  for (Packet& packet : document.packets) {
    if (auto* animation = packet.get_if<nsa::Document>()) {
      animation->header.channels = 0xFFFFFFFFU;
    }
  }
  const test::HeapMeter meter;
  Diagnostics diagnostics;
  (void)to_scene(document, "", {}, diagnostics);
  EXPECT_LT(meter.peak(), std::size_t{64} << 20U);
}

}  // namespace
}  // namespace thaw::mrn
