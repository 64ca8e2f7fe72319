#include "gltf/clip_matching.hpp"

#include <gtest/gtest.h>

namespace thaw::gltf {
namespace {

Value clip(int number, const char* name, double moves) {
  Value kept;
  kept.set("clip", number).set("animation", name).set("moves", moves);
  return kept;
}

AnimationFacts animation(const char* name, double moves, std::optional<int> number = std::nullopt) {
  AnimationFacts facts{name, {}, [moves] { return moves; }};
  if (number) {
    facts.stated.set("clip", *number);
  }
  return facts;
}

std::string claims(const std::vector<AnimationFacts>& animations) {
  const Value::List clips = {clip(0, "Stand", 10), clip(1, "Walk", 20), clip(2, "Attack", 30)};
  std::string text;
  for (const ClipClaim& claim : recognise_clips(clips, animations)) {
    text += claim.clip == ClipClaim::kNew ? "new" : std::to_string(claim.clip);
    text += claim.copy ? "c " : " ";
  }
  return text;
}

TEST(KeptClips, NumbersComeBeforeNamesAndNamesBeforeMovement) {
  EXPECT_EQ(claims({animation("Stand", 10), animation("Walk", 99)}), "0 1 ");
  EXPECT_EQ(claims({animation("Walk", 10, 0), animation("Other", 20)}), "0 1 ");
  EXPECT_EQ(claims({animation("Stroll", 20.001)}), "1 ");
  EXPECT_EQ(claims({animation("Stroll", 20.1)}), "new ");
}

TEST(KeptClips, CopiesAreKnownByNumberAndMovement) {
  EXPECT_EQ(claims({animation("Stand.001", 10, 0), animation("Stand", 10, 0)}), "0c 0 ");
  EXPECT_EQ(claims({animation("Stand", 10), animation("Stand.001", 10)}), "0 0c ");
  EXPECT_EQ(claims({animation("Stand.001", 10, 0)}), "0 ");  // the other was deleted
}

}  // namespace
}  // namespace thaw::gltf
