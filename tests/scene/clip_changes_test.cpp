#include "scene/clip_changes.hpp"

#include <gmock/gmock.h>

namespace thaw::scene {
namespace {

Clip clip(std::string name, float duration, int number = -1, bool copy = false) {
  Clip result;
  result.name = std::move(name);
  result.duration = duration;
  result.source.number = number < 0 ? kNone : static_cast<Index>(number);
  result.source.copy = copy;
  return result;
}

Scene scene(std::vector<Clip> clips) {
  Scene result;
  result.clips = std::move(clips);
  return result;
}

TEST(ClipChanges, EachIsThatAndNothingElse) {
  const Scene before = scene({clip("Stand", 1, 0), clip("Walk", 2, 1), clip("Death", 3, 2)});
  EXPECT_THAT(clip_changes(before, before), testing::IsEmpty());
  const Scene after =
      scene({clip("Stroll", 2, 1), clip("Copy", 2, 1, true), clip("Death", 3.5F, 2), clip("Spell", 1)});
  EXPECT_THAT(clip_changes(before, after),
              testing::ElementsAre("clip 'Walk' renamed to 'Stroll'", "clip 'Copy' is a copy of 'Walk'",
                                   "clip 'Death' lasts 3.5 s instead of 3 s", "new clip 'Spell'",
                                   "clip 'Stand' deleted"));
}

TEST(ClipChanges, WithoutNumbersNamesCount) {
  const Scene before = scene({clip("Stand", 1, 0), clip("Walk", 2, 1)});
  const auto partners = clip_partners(before, scene({clip("Walk", 2), clip("Run", 1)}));
  ASSERT_EQ(partners.size(), 2U);
  EXPECT_EQ(partners[0].was, 1U);
  EXPECT_EQ(partners[1].was, kNone);
}

}  // namespace
}  // namespace thaw::scene
