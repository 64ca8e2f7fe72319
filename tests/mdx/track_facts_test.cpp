// What stands beside each track: the value that shows without it, in the terms of its keys
// (mdx.md#colour-order).

#include <gtest/gtest.h>

#include "formats/warcraft/mdx/track_visit.hpp"
#include "support/mdx_objects.hpp"

#include <map>

namespace thaw::mdx {
namespace {

using test::make_document;
using test::make_node;

Tracks tracks_of(std::initializer_list<std::string_view> tags) {
  Tracks tracks;
  for (const auto tag : tags) {
    tracks.push_back(test::make_track(tag, Interpolation::none, {}));
  }
  return tracks;
}

using Rests = std::map<std::string, std::optional<Double4>>;

Rests rests_of(const Document& document) {
  Rests rests;
  visit_tracks(document, [&](const Track& track, const TrackFacts& facts) {
    EXPECT_TRUE(rests.emplace(track.tag.text(), facts.rest).second) << track.tag.text();
    EXPECT_FALSE(facts.fixed);
    EXPECT_EQ(facts.node != nullptr, track.tag.text().substr(0, 2) == "KG") << "only these move a node";
  });
  return rests;
}

template <class Item>
Rests rests_of(Item item, std::initializer_list<std::string_view> tags) {
  item.tracks = tracks_of(tags);
  if constexpr (requires { item.node; }) {
    item.node = make_node("", 0, -1, tracks_of({"KGTR", "KGRT", "KGSC"}));
  }
  Rests rests = rests_of(make_document(test::list_of<Item>({item})));
  if constexpr (requires { item.node; }) {
    EXPECT_EQ(rests["KGTR"], (Double4{0, 0, 0, 0}));
    EXPECT_EQ(rests["KGRT"], (Double4{0, 0, 0, 1}));
    EXPECT_EQ(rests["KGSC"], (Double4{1, 1, 1, 0}));
    rests.erase("KGTR");
    rests.erase("KGRT");
    rests.erase("KGSC");
  }
  return rests;
}

Double4 one(double value) { return {value, 0, 0, 0}; }

TEST(TrackFacts, EveryTrackOfAnObjectRestsAtItsField) {
  const Vec3 color = {0.25F, 0.5F, 0.75F};
  const Double4 rgb = {0.25, 0.5, 0.75, 0};
  const Double4 bgr = {0.75, 0.5, 0.25, 0};
  Light light;
  light.attenuation_start = 2;
  light.attenuation_end = 3;
  light.color = color;
  light.intensity = 4;
  light.ambient_color = {1, 2, 3};
  light.ambient_intensity = 5;
  light.shadow_casting_start = 6;
  light.shadow_casting_end = 7;
  light.quadratic_falloff = 8;
  light.linear_falloff = 9;
  light.damping = 10;
  EXPECT_EQ(rests_of(light, {"KLAS", "KLAE", "KLAC", "KLAI", "KLBC", "KLBI", "KLAV", "KLSS", "KLSE", "KLQF",
                             "KLLF", "KLDA", "KLXX"}),
            (Rests{{"KLAS", one(2)},
                   {"KLAE", one(3)},
                   {"KLAC", bgr},
                   {"KLAI", one(4)},
                   {"KLBC", Double4{3, 2, 1, 0}},
                   {"KLBI", one(5)},
                   {"KLAV", one(1)},
                   {"KLSS", one(6)},
                   {"KLSE", one(7)},
                   {"KLQF", one(8)},
                   {"KLLF", one(9)},
                   {"KLDA", one(10)},
                   {"KLXX", std::nullopt}}));

  ParticleEmitter models;
  models.emission_rate = 2;
  models.gravity = 3;
  models.longitude = 4;
  models.latitude = 5;
  models.life_span = 6;
  models.speed = 7;
  EXPECT_EQ(rests_of(models, {"KPEE", "KPEG", "KPLN", "KPLT", "KPEL", "KPES", "KPEV"}),
            (Rests{{"KPEE", one(2)},
                   {"KPEG", one(3)},
                   {"KPLN", one(4)},
                   {"KPLT", one(5)},
                   {"KPEL", one(6)},
                   {"KPES", one(7)},
                   {"KPEV", one(1)}}));

  ParticleEmitter2 sprites;
  sprites.speed = 2;
  sprites.variation = 3;
  sprites.latitude = 4;
  sprites.gravity = 5;
  sprites.emission_rate = 6;
  sprites.length = 7;
  sprites.width = 8;
  EXPECT_EQ(rests_of(sprites, {"KP2S", "KP2R", "KP2L", "KP2G", "KP2E", "KP2N", "KP2W", "KP2V"}),
            (Rests{{"KP2S", one(2)},
                   {"KP2R", one(3)},
                   {"KP2L", one(4)},
                   {"KP2G", one(5)},
                   {"KP2E", one(6)},
                   {"KP2N", one(7)},
                   {"KP2W", one(8)},
                   {"KP2V", one(1)}}));

  RibbonEmitter ribbon;
  ribbon.height_above = 2;
  ribbon.height_below = 3;
  ribbon.alpha = 0.5F;
  ribbon.color = color;
  ribbon.texture_slot = 6;
  EXPECT_EQ(rests_of(ribbon, {"KRHA", "KRHB", "KRAL", "KRCO", "KRTX", "KRVS"}), (Rests{{"KRHA", one(2)},
                                                                                       {"KRHB", one(3)},
                                                                                       {"KRAL", one(0.5)},
                                                                                       {"KRCO", bgr},
                                                                                       {"KRTX", one(6)},
                                                                                       {"KRVS", one(1)}}));

  PopcornEmitter effect;
  effect.alpha = 2;
  effect.color = color;
  effect.emission_rate = 3;
  effect.life_span = 4;
  effect.speed = 5;
  EXPECT_EQ(rests_of(effect, {"KPPA", "KPPC", "KPPE", "KPPL", "KPPS", "KPPV"}), (Rests{{"KPPA", one(2)},
                                                                                       {"KPPC", rgb},
                                                                                       {"KPPE", one(3)},
                                                                                       {"KPPL", one(4)},
                                                                                       {"KPPS", one(5)},
                                                                                       {"KPPV", one(1)}}));

  EXPECT_EQ(rests_of(Camera{}, {"KCTR", "KTTR", "KCRL", "KCVS"}),
            (Rests{{"KCTR", Double4{}}, {"KTTR", Double4{}}, {"KCRL", Double4{}}, {"KCVS", std::nullopt}}));
  EXPECT_EQ(rests_of(TextureAnimation{}, {"KTAT", "KTAR", "KTAS"}),
            (Rests{{"KTAT", Double4{}}, {"KTAR", Double4{0, 0, 0, 1}}, {"KTAS", Double4{1, 1, 1, 0}}}));
  EXPECT_EQ(rests_of(Attachment{}, {"KATV"}), (Rests{{"KATV", one(1)}}));
  EXPECT_EQ(rests_of(SoundEmitter{}, {"KSEK"}), (Rests{{"KSEK", std::nullopt}}));

  Layer layer;
  layer.texture_id = 3;
  layer.alpha = 0.5F;
  layer.emissive_gain = 4;
  layer.fresnel_color = color;
  layer.fresnel_opacity = 5;
  layer.fresnel_team_color = 6;
  layer.tracks = tracks_of({"KMTF", "KMTA", "KMTE", "KFC3", "KFCA", "KFTC"});
  Material material;
  material.layers = {layer};
  EXPECT_EQ(rests_of(make_document(test::list_of<Material>({material}))), (Rests{{"KMTF", one(3)},
                                                                                 {"KMTA", one(0.5)},
                                                                                 {"KMTE", one(4)},
                                                                                 {"KFC3", rgb},
                                                                                 {"KFCA", one(5)},
                                                                                 {"KFTC", one(6)}}));
}

TEST(TrackFacts, OfTwoTracksForOneThingNeitherIsTouched) {
  Helper helper;
  helper.node = make_node("", 0, -1, tracks_of({"KGTR", "KGRT", "KGTR"}));
  std::vector<bool> fixed;
  auto document = make_document(test::list_of<Helper>({helper}));
  visit_tracks(document, [&](const Track&, const TrackFacts& facts) { fixed.push_back(facts.fixed); });
  EXPECT_EQ(fixed, (std::vector<bool>{true, false, true}));

  ParticleEmitter2 sprites;
  sprites.tracks = tracks_of({"KP2E", "KP2S"});
  for (const std::uint32_t squirt : {0U, 2U}) {
    sprites.squirt = squirt;
    fixed.clear();
    visit_tracks(make_document(test::list_of<ParticleEmitter2>({sprites})),
                 [&](const Track&, const TrackFacts& facts) { fixed.push_back(facts.fixed); });
    EXPECT_EQ(fixed, (std::vector<bool>{squirt != 0, false})) << "every key of the rate fires";
  }
}

TEST(TrackFacts, TracksThatGoLeaveTheOthersInTheirOrder) {
  Helper helper;
  helper.node = make_node("", 0, -1, tracks_of({"KGTR", "KGRT", "KGSC"}));
  TextureSlot shown{3, 0, test::make_integer_track("KMTF", {{0, 1}})};
  TextureSlot still{4, 1, std::nullopt};
  Layer layer;
  layer.slots = {shown, still, shown};
  layer.tracks = tracks_of({"KMTA"});
  Material material;
  material.layers = {layer};
  auto document = make_document(test::list_of<Helper>({helper}), test::list_of<Material>({material}),
                                test::list_of<Helper>({helper}));
  std::vector<std::size_t> owners;
  std::size_t flipbooks = 0;
  edit_tracks(document, [&](Track& track, const TrackFacts& facts) {
    owners.push_back(facts.place.owner);
    EXPECT_EQ(facts.place.tag, track.tag);
    flipbooks += track.tag == FourCC{"KMTF"} ? 1U : 0U;
    return track.tag == FourCC{"KGRT"} || flipbooks == 2;
  });
  EXPECT_EQ(owners, (std::vector<std::size_t>{0, 0, 0, 1, 3, 4, 5, 5, 5}))
      << "slots are objects of their own";
  const auto& left = document.all<Helpers>()[0]->node.tracks;
  ASSERT_EQ(left.size(), 2U);
  EXPECT_EQ(left[0].tag, FourCC{"KGTR"});
  EXPECT_EQ(left[1].tag, FourCC{"KGSC"});
  const auto& changed = document.all<Materials>()[0]->layers[0];
  EXPECT_TRUE(changed.slots[0].flipbook);
  EXPECT_FALSE(changed.slots[2].flipbook);
  EXPECT_TRUE(changed.tracks.empty()) << "it came behind the second flipbook";
}

}  // namespace
}  // namespace thaw::mdx
