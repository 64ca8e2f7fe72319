// Networks made of scenes, and animations put into those that are there.
#include <thaw/codes.hpp>
#include <thaw/format.hpp>
#include <thaw/gltf.hpp>
#include <thaw/mrn.hpp>
#include <thaw/validate.hpp>

#include "mrn/human.hpp"
#include "support/findings.hpp"

#include <cmath>
#include <iterator>
#include <random>

namespace thaw::mrn {
namespace {

scene::Scene through_glb(const Document& network) {
  Diagnostics diagnostics;
  const auto converted = to_scene(network, "human", {}, diagnostics);
  EXPECT_TRUE(converted);
  const auto files = write_gltf(*converted, {}, diagnostics);
  EXPECT_TRUE(files);
  auto read = read_gltf(files->front().bytes, {}, diagnostics);
  EXPECT_TRUE(read);
  return read ? std::move(*read) : scene::Scene{};
}

Document rebuild(const Document& network, Diagnostics& findings) {
  auto rebuilt = network_from_scene(through_glb(network), {}, findings);
  EXPECT_TRUE(rebuilt);
  return rebuilt ? std::move(*rebuilt) : Document{};
}

/// By the sine of half the angle between them, which is exact for small angles.
double degrees(const Vec4& a, const Vec4& b) {
  const auto at = [](const Vec4& q, std::size_t i) { return double{q[i]}; };
  const std::array<double, 3> axis_part = {
      at(a, 3) * at(b, 0) - at(a, 0) * at(b, 3) - at(a, 1) * at(b, 2) + at(a, 2) * at(b, 1),
      at(a, 3) * at(b, 1) + at(a, 0) * at(b, 2) - at(a, 1) * at(b, 3) - at(a, 2) * at(b, 0),
      at(a, 3) * at(b, 2) - at(a, 0) * at(b, 1) + at(a, 1) * at(b, 0) - at(a, 2) * at(b, 3)};
  return 2 * std::asin(std::min(1.0, std::hypot(axis_part[0], axis_part[1], axis_part[2]))) * 180 /
         3.14159265358979;
}

/// The largest step of a channel's integers, as a length.
double translation_bound(const nsa::Clip& clip) {
  double least = 0;
  for (const auto& track : clip.translations) {
    std::array<double, 3> extent{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      float low = track.values[0][axis];
      float high = low;
      for (const Vec3& value : track.values) {
        low = std::min(low, value[axis]);
        high = std::max(high, value[axis]);
      }
      extent[axis] = double{high} - double{low};
    }
    least = std::max(least, std::max({extent[0] / 2047, extent[1] / 2047, extent[2] / 1023}));
  }
  return least;
}

/// Bone by bone, whatever the channels are called.
void expect_alike(const Document& requested, const Document& got, double turn) {
  Diagnostics ignored;
  const auto before = animations(requested);
  const auto after = animations(got);
  ASSERT_EQ(before.size(), after.size());
  for (std::size_t i = 0; i < before.size(); ++i) {
    SCOPED_TRACE(before[i].name);
    EXPECT_EQ(after[i].name, before[i].name);
    const nsa::Clip a = nsa::decode(*before[i].document, ignored);
    const nsa::Clip b = nsa::decode(*after[i].document, ignored);
    EXPECT_EQ(a.duration, b.duration);
    EXPECT_EQ(a.rate, b.rate);
    EXPECT_EQ(a.samples, b.samples);
    EXPECT_EQ(a.channels, b.channels);
    ASSERT_EQ(a.translations.size(), b.translations.size());
    ASSERT_EQ(a.rotations.size(), b.rotations.size());
    EXPECT_EQ(a.scales.size(), b.scales.size());
    const double tolerance = translation_bound(a) + 2e-5;
    for (std::size_t t = 0; t < a.translations.size(); ++t) {
      ASSERT_EQ(a.translations[t].values.size(), b.translations[t].values.size());
      for (std::size_t k = 0; k < a.translations[t].values.size(); ++k) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
          ASSERT_NEAR(a.translations[t].values[k][axis], b.translations[t].values[k][axis], tolerance);
        }
      }
    }
    for (std::size_t t = 0; t < a.rotations.size(); ++t) {
      for (std::size_t k = 0; k < a.rotations[t].values.size(); ++k) {
        ASSERT_LE(degrees(a.rotations[t].values[k], b.rotations[t].values[k]), turn);
      }
    }
    ASSERT_EQ(a.root.has_value(), b.root.has_value());
    if (a.root) {
      EXPECT_EQ(a.root->rate, b.root->rate);
      EXPECT_EQ(a.root->translations.size(), b.root->translations.size());
      EXPECT_EQ(a.root->rotations.size(), b.root->rotations.size());
    }
  }
}

TEST(NewNetwork, HasWhatTheSceneCameFrom) {
  const Document network = human();
  Diagnostics findings;
  const Document rebuilt = rebuild(network, findings);
  EXPECT_TRUE(test::has(findings, codes::kMrnNoDefinition));
  expect_alike(network, rebuilt, 0.003);
  const auto bones = skeletons(rebuilt);
  ASSERT_EQ(bones.size(), 1U);
  EXPECT_EQ(bones[0].name, "Human");
  const Skeleton& before = *skeletons(network)[0].skeleton;
  EXPECT_EQ(bones[0].skeleton->names, before.names);
  EXPECT_EQ(bones[0].skeleton->hierarchy, before.hierarchy);
  EXPECT_EQ(bones[0].skeleton->trajectory_bone, before.trajectory_bone);
  EXPECT_EQ(bones[0].skeleton->root_bone, before.root_bone);
  const auto maps = rebuilt.all<RigMap>();
  ASSERT_EQ(maps.size(), network.all<RigMap>().size());
  for (std::size_t i = 0; i < maps.size(); ++i) {
    EXPECT_EQ(*maps[i], *network.all<RigMap>()[i]);
  }
  const auto tracks = rebuilt.all<EventTrack>();
  ASSERT_EQ(tracks.size(), 2U);
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    EXPECT_EQ(*tracks[i], *network.all<EventTrack>()[i]);
  }
  EXPECT_EQ(*rebuilt.find<Plugins>(), *network.find<Plugins>());
}

TEST(NewNetwork, ReadsBackAndHasNothingWrong) {
  Diagnostics findings;
  const Document rebuilt = rebuild(human(), findings);
  const Bytes bytes = write(rebuilt);
  Diagnostics reading;
  const auto again = read(bytes, {}, reading);
  ASSERT_TRUE(again);
  EXPECT_EQ(write(*again), bytes);
  EXPECT_EQ(reading.count(Severity::warning), 0U);
  const auto any = read_any(bytes, {}, reading);
  ASSERT_TRUE(any);
  const auto wrong = validate(*any, {});
  for (const auto& finding : wrong.items()) {
    EXPECT_LE(finding.code.severity, Severity::warning) << finding.code.id << " " << finding.message;
  }
}

TEST(NewNetwork, TenTimesThroughGlbDriftNowhere) {
  const Document network = human();
  Document rebuilt = network;
  for (int turn = 0; turn < 10; ++turn) {
    Diagnostics findings;
    rebuilt = rebuild(rebuilt, findings);
  }
  expect_alike(network, rebuilt, 0.003);
}

TEST(NewNetwork, BonesOfScaledArmaturesStandWhereTheyStood) {
  scene::Scene scene;
  scene.axes = scene::Axes::x_front;
  const auto add = [&](std::string name, scene::Index parent, const scene::Transform& rest) {
    scene::Node node;
    node.name = std::move(name);
    node.parent = parent;
    node.rest = rest;
    scene.nodes.push_back(std::move(node));
  };
  const float half = std::sqrt(0.5F);
  add("Armature", scene::kNone, {{1, 0, 0}, {-half, 0, 0, half}, {0.01F, 0.01F, 0.01F}});
  add("hips", 0, {{0, 0, 100}, {0, 0, 0, 1}, {1, 1, 1}});
  add("spine", 1, {{0, 0, 50}, {0, 0, 0, 1}, {1, 1, 1}});
  scene.skins.push_back({"skin", {1, 2}, {scene::Mat4{}, scene::Mat4{}}});
  scene::Clip& clip = scene.clips.emplace_back();
  clip.name = "Lift";
  clip.duration = 1;
  clip.channels.push_back({{scene::Target::Kind::node, 1, 0},
                           scene::Property::translation,
                           {scene::CurveMode::linear, 3, {0, 1}, {0, 0, 100, 0, 0, 200}}});
  Diagnostics findings;
  const auto result = network_from_scene(scene, {}, findings);
  ASSERT_TRUE(result) << result.error().message;
  const Skeleton& skeleton = *result->find<Skeleton>();
  ASSERT_EQ(skeleton.bones(), 3U);
  EXPECT_EQ(skeleton.names.text(0), "CharacterWorldSpaceTM");
  const auto near = [](const Vec4& place, const Vec3& requested) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      EXPECT_NEAR(place[axis], requested[axis], 1e-5);
    }
  };
  near(skeleton.bind_pose.positions[1], {1, 1, 0});
  near(skeleton.bind_pose.positions[2], {0, 0, 0.5F});
  const nsa::Clip curves = nsa::decode(*animations(*result)[0].document, findings);
  ASSERT_EQ(curves.translations.size(), 1U);
  EXPECT_NEAR(curves.translations[0].values.back()[1], 2, 1e-3);
  EXPECT_TRUE(curves.scales.empty());
}

TEST(NewNetwork, BonesWithoutNamesOfTheirOwnGetSome) {
  scene::Scene scene = through_glb(human());
  scene.nodes.back().name = scene.nodes[scene.nodes.size() - 2].name;
  Diagnostics findings;
  const auto result = network_from_scene(scene, {}, findings);
  ASSERT_TRUE(result);
  EXPECT_TRUE(test::has(findings, codes::kSceneChanged));
}

TEST(NewNetwork, ASceneWithoutBonesIsNone) {
  Diagnostics findings;
  const auto result = network_from_scene({}, {}, findings);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, codes::kWriteUnsupported);
}

/// A network of two to four skeletons, whose bones share names, with animations for each of them.
Document several_skeletons(unsigned seed) {
  std::mt19937 random(seed);
  const auto upto = [&](unsigned most) { return static_cast<unsigned>(random() % (most + 1)); };
  const auto place = [&] { return static_cast<float>(upto(2000)) / 1000 - 1; };
  Document network;
  const auto add = [&](std::uint32_t type, std::uint32_t id, auto body) {
    Packet& packet = network.packets.emplace_back();
    packet.type = type;
    packet.asset_id = id;
    packet.body = Boxed<decltype(body)>(std::move(body));
  };
  const unsigned bodies = 2 + upto(2);
  std::vector<AnimationName> files;
  std::vector<std::string> names;
  std::vector<Packet> others;
  for (unsigned body = 0; body < bodies; ++body) {
    const unsigned bones = 3 + (7 * body) + upto(5);
    for (unsigned clip = 0, count = upto(3); clip < count; ++clip) {
      nsa::Clip curves;
      curves.rate = 30;
      curves.channels = bones - 1;
      curves.samples = 2 + upto(5);
      curves.duration = static_cast<float>(curves.samples - 1) / 30;
      for (std::uint16_t channel = 0; channel < curves.channels; ++channel) {
        curves.rotations.push_back({channel, {{0, 0, 0, 1}}});
        auto& track = curves.translations.emplace_back();
        track.channel = channel;
        for (unsigned sample = 0; sample < curves.samples; ++sample) {
          track.values.push_back({place(), place(), place()});
        }
      }
      auto quantised = nsa::from_curves(curves);
      EXPECT_TRUE(quantised);
      const std::string take = "Move_" + std::to_string(files.size());
      add(0x10, static_cast<std::uint32_t>(files.size()), std::move(quantised->document));
      files.push_back({take + ".nsa", "nsa", "", take});
    }
    std::vector<Bone> list;
    std::vector<std::uint16_t> map;
    for (unsigned bone = 0; bone < bones; ++bone) {
      list.push_back({bone == 0 ? "CharacterWorldSpaceTM" : "bone" + std::to_string(bone),
                      bone == 0 ? -1 : static_cast<std::int32_t>(upto(bone - 1)),
                      {bone == 0 ? 0 : place(), 0, bone == 0 ? 0 : place()}});
      map.push_back(static_cast<std::uint16_t>(bone));
    }
    map.erase(map.begin());
    names.push_back("Body" + std::to_string(body));
    network.packets.swap(others);
    add(0x01, 0x1001 + body, make_skeleton(list, 0, 1));
    add(0x02, 0x2001 + body, make_rig_map(map, bones));
    network.packets.swap(others);
  }
  std::move(others.begin(), others.end(), std::back_inserter(network.packets));
  add(0x0E, 0, make_file_names(files));
  add(0x0F, 0, make_skeleton_names(names));
  lay_out(network);
  return network;
}

TEST(NewNetwork, SeveralSkeletonsComeBackEachWithItsAnimations) {
  std::size_t moved = 0;
  for (unsigned seed = 0; seed < 24; ++seed) {
    SCOPED_TRACE(seed);
    const Document network = several_skeletons(seed);
    const auto before = skeletons(network);
    Diagnostics ignored;
    const scene::Scene scene = through_glb(network);
    ASSERT_EQ(scene.clips.size(), animations(network).size());
    Diagnostics findings;
    const auto rebuilt = network_from_scene(scene, {}, findings);
    ASSERT_TRUE(rebuilt) << rebuilt.error().message;
    EXPECT_FALSE(test::has(findings, codes::kSceneChanged)) << "bones of other skeletons share no names";
    const auto after = skeletons(*rebuilt);
    ASSERT_EQ(after.size(), before.size());
    for (std::size_t i = 0; i < before.size(); ++i) {
      EXPECT_EQ(after[i].name, before[i].name);
      EXPECT_EQ(after[i].skeleton->names, before[i].skeleton->names);
      EXPECT_EQ(parents(*after[i].skeleton), parents(*before[i].skeleton));
      // By itself each skeleton has the clips that it has in the scene of all.
      SceneOptions alone;
      alone.skeleton = before[i].name;
      EXPECT_EQ(to_scene(*rebuilt, "", alone)->clips.size(), to_scene(network, "", alone)->clips.size());
    }
    expect_alike(network, *rebuilt, 0.003);
    for (const auto& clip : scene.clips) {
      moved += clip.channels.size();
    }
  }
  EXPECT_GT(moved, 100U);
}

TEST(BoneMap, PatternsStandForNames) {
  const auto names =
      read_bone_map("# hands\n\n mixamorig:* = *\r\nDEF-*.L=L_*\nroot = CharacterWorldSpaceTM\n");
  ASSERT_TRUE(names);
  ASSERT_EQ(names->size(), 3U);
  EXPECT_EQ((*names)[1], (std::pair<std::string, std::string>{"DEF-*.L", "L_*"}));
  for (const std::string_view wrong : {"a", "a*b* = c", "a = *", "= b", "a ="}) {
    const auto refused = read_bone_map(wrong);
    ASSERT_FALSE(refused) << wrong;
    EXPECT_NE(refused.error().message.find("line 1"), std::string::npos);
  }
  EXPECT_TRUE(known_bone_map("Mixamo"));
  EXPECT_FALSE(known_bone_map("maya"));
}

TEST(BoneMap, JoinsBonesOfOtherNames) {
  const Document network = human();
  scene::Scene scene = through_glb(network);
  for (auto& node : scene.nodes) {
    node.name = node.name == "head"              ? "mixamorig:Head"
                : node.name.substr(0, 2) == "L_" ? "DEF-" + node.name.substr(2) + ".L"
                                                 : node.name;
  }
  FromSceneOptions options;
  options.bone_names = *read_bone_map("mixamorig:Head = head\nDEF-*.L = L_*");
  Diagnostics findings;
  ASSERT_TRUE(clip_from_scene(scene, network, options, findings));
  EXPECT_EQ(findings.count(Severity::warning), 0U);
  ASSERT_TRUE(clip_from_scene(scene, network, {}, findings));
  EXPECT_TRUE(test::has(findings, codes::kMrnJoin));
}

TEST(MadeClips, RatesFollowKeysOrTheOption) {
  const Document network = human();
  scene::Scene scene = through_glb(network);
  scene.clips.resize(1);
  scene.clips[0].extras = {};
  scene.clips[0].sample_rate = std::nullopt;
  FromSceneOptions options;
  Diagnostics findings;
  EXPECT_EQ(clip_from_scene(scene, network, options, findings)->rate, 30);
  for (auto& channel : scene.clips[0].channels) {
    for (float& time : channel.curve.times) {
      time *= 1.25F;  // 24 Hz
    }
  }
  scene.clips[0].duration *= 1.25F;
  const auto slower = clip_from_scene(scene, network, options, findings);
  EXPECT_EQ(slower->rate, 24);
  EXPECT_EQ(slower->samples, 37U);
  options.rate = 60;
  const auto faster = clip_from_scene(scene, network, options, findings);
  EXPECT_EQ(faster->rate, 60);
  EXPECT_EQ(faster->samples, 91U);
}

TEST(MadeClips, TheWayThatIsLeftOutIsReported) {
  const Document network = human();
  const scene::Scene scene = through_glb(network);
  FromSceneOptions options;
  options.clip = "Human_Walk";
  options.root_motion = false;
  Diagnostics findings;
  const auto clip = clip_from_scene(scene, network, options, findings);
  ASSERT_TRUE(clip);
  EXPECT_FALSE(clip->root);
  EXPECT_TRUE(test::has(findings, codes::kSceneLost));
}

}  // namespace
}  // namespace thaw::mrn
