#include "scene/clip_changes.hpp"

#include "bytes/number_text.hpp"

#include <cmath>
#include <map>

namespace thaw::scene {
namespace {

class Partners {
 public:
  Partners(const Scene& before, const Scene& after)
      : after_(after), partners_(after.clips.size()), matched_(before.clips.size()) {
    for (Index i = 0; i < before.clips.size(); ++i) {
      by_name_.emplace(before.clips[i].name, i);
      if (before.clips[i].source.number != kNone) {
        by_number_.emplace(before.clips[i].source.number, i);
      }
    }
  }

  std::vector<ClipPartner> all() {
    // What says that it is a copy comes after what does not.
    for (const bool copies : {false, true}) {
      for (Index i = 0; i < after_.clips.size(); ++i) {
        const Clip& clip = after_.clips[i];
        const auto found = by_number_.find(clip.source.number);
        if (clip.source.copy == copies && found != by_number_.end()) {
          take(i, found->second);
        }
      }
    }
    for (Index i = 0; i < after_.clips.size(); ++i) {
      const auto found = by_name_.find(after_.clips[i].name);
      if (partners_[i].was == kNone && found != by_name_.end() && !matched_[found->second]) {
        take(i, found->second);
      }
    }
    return std::move(partners_);
  }

 private:
  void take(Index clip, Index was) {
    partners_[clip] = {was, matched_[was]};
    matched_[was] = true;
  }

  const Scene& after_;
  std::vector<ClipPartner> partners_;
  std::vector<bool> matched_;
  std::map<std::string, Index> by_name_;
  std::map<Index, Index> by_number_;
};

std::string quoted(const Clip& clip) { return "'" + clip.name + "'"; }

std::string length_of(const Clip& clip) { return short_number(double{clip.duration}) + " s"; }

}  // namespace

std::vector<ClipPartner> clip_partners(const Scene& before, const Scene& after) {
  return Partners(before, after).all();
}

std::vector<std::string> clip_changes(const Scene& before, const Scene& after) {
  constexpr float kTick = 1.5e-3F;  // seconds: games count whole milliseconds
  std::vector<std::string> lines;
  std::vector<bool> left(before.clips.size(), true);
  const auto partners = clip_partners(before, after);
  for (Index i = 0; i < after.clips.size(); ++i) {
    const Clip& clip = after.clips[i];
    if (partners[i].was == kNone) {
      lines.push_back("new clip " + quoted(clip));
      continue;
    }
    const Clip& was = before.clips[partners[i].was];
    left[partners[i].was] = false;
    if (partners[i].copy) {
      lines.push_back("clip " + quoted(clip) + " is a copy of " + quoted(was));
    } else if (clip.name != was.name) {
      lines.push_back("clip " + quoted(was) + " renamed to " + quoted(clip));
    }
    if (std::abs(clip.duration - was.duration) > kTick) {
      lines.push_back("clip " + quoted(clip) + " lasts " + length_of(clip) + " instead of " + length_of(was));
    }
  }
  for (Index i = 0; i < before.clips.size(); ++i) {
    if (left[i]) {
      lines.push_back("clip " + quoted(before.clips[i]) + " deleted");
    }
  }
  return lines;
}

}  // namespace thaw::scene
