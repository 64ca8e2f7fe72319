#include "gltf/clip_matching.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>

namespace thaw::gltf {
namespace {

/// What floats lose in an editor.
constexpr double kEditorNoise = 1e-4;

class Recogniser {
 public:
  Recogniser(const Value::List& clips, const std::vector<AnimationFacts>& animations)
      : clips_(clips), animations_(animations), claims_(animations.size()), claimed_(clips.size()) {
    for (std::size_t i = 0; i < clips.size(); ++i) {
      by_name_.emplace(clips[i]["animation"].text(), i);
      if (const auto number = clips[i]["clip"].integer()) {
        by_number_.emplace(*number, i);
      }
    }
  }

  std::vector<ClipClaim> all() {
    by_number();
    by_name();
    by_movement();
    return std::move(claims_);
  }

 private:
  [[nodiscard]] bool has_name_of(std::size_t animation, std::size_t clip) const {
    return animations_[animation].name == clips_[clip]["animation"].text();
  }

  void claim(std::size_t animation, std::size_t clip) {
    claims_[animation] = {clip, claimed_[clip]};
    claimed_[clip] = true;
  }

  /// Of several animations of one number, that of the clip's own name is it, else the first.
  void by_number() {
    std::vector<std::size_t> stated(animations_.size(), ClipClaim::kNew);
    for (std::size_t i = 0; i < animations_.size(); ++i) {
      const auto number = animations_[i].stated["clip"].integer();
      const auto found = number ? by_number_.find(*number) : by_number_.end();
      stated[i] = found == by_number_.end() ? ClipClaim::kNew : found->second;
      if (stated[i] != ClipClaim::kNew && !claimed_[stated[i]] && has_name_of(i, stated[i])) {
        claim(i, stated[i]);
      }
    }
    for (std::size_t i = 0; i < animations_.size(); ++i) {
      if (stated[i] != ClipClaim::kNew && claims_[i].clip == ClipClaim::kNew) {
        claim(i, stated[i]);
      }
    }
  }

  void by_name() {
    for (std::size_t i = 0; i < animations_.size(); ++i) {
      const auto found = by_name_.find(animations_[i].name);
      if (claims_[i].clip == ClipClaim::kNew && found != by_name_.end() && !claimed_[found->second]) {
        claim(i, found->second);
      }
    }
  }

  /// Of clips that move alike, the first that is missing.
  void by_movement() {
    for (std::size_t i = 0; i < animations_.size(); ++i) {
      if (claims_[i].clip != ClipClaim::kNew || !animations_[i].moves) {
        continue;
      }
      const double moves = animations_[i].moves();
      std::optional<std::size_t> found;
      for (std::size_t k = 0; k < clips_.size(); ++k) {
        const auto stated = clips_[k]["moves"].number();
        const bool same = stated && std::abs(*stated - moves) <= kEditorNoise * (1 + std::abs(*stated));
        if (same && (!found || (claimed_[*found] && !claimed_[k]))) {
          found = k;
        }
      }
      if (found) {
        claim(i, *found);
      }
    }
  }

  const Value::List& clips_;
  const std::vector<AnimationFacts>& animations_;
  std::vector<ClipClaim> claims_;
  std::vector<bool> claimed_;
  std::map<std::string, std::size_t> by_name_;
  std::map<std::int64_t, std::size_t> by_number_;
};

}  // namespace

std::vector<ClipClaim> recognise_clips(const Value::List& clips,
                                       const std::vector<AnimationFacts>& animations) {
  return Recogniser(clips, animations).all();
}

Value stated_clip(const Value& written, const Value& stated, bool copy) {
  Value clip = written;
  if (copy) {
    clip.set("copy", true);
  }
  Value now;
  for (const auto& [name, value] : stated.object()) {
    constexpr std::array<std::string_view, 3> kCompared = {"duration", "shown", "events"};
    if (std::find(kCompared.begin(), kCompared.end(), name) != kCompared.end()) {
      now.set(name, value);
    } else if (!value.object().empty()) {
      Value group = clip[name];
      for (const auto& [field, item] : value.object()) {
        group.set(field, item);
      }
      clip.set(name, std::move(group));
    } else {
      clip.set(name, value);
    }
  }
  return now.is_null() ? clip : clip.set("now", std::move(now));
}

}  // namespace thaw::gltf
