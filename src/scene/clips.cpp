#include "scene/clips.hpp"

#include "bytes/ascii.hpp"

namespace thaw::scene {
namespace {

/// The words of a clip's name that count, in lower case; numbers and signs between them do not.
std::vector<std::string> words_of(std::string_view name) {
  std::vector<std::string> words(1);
  for (const char c : ascii::lowered(name)) {
    if (c >= 'a' && c <= 'z') {
      words.back().push_back(c);
    } else if (!words.back().empty()) {
      words.emplace_back();
    }
  }
  if (words.back().empty()) {
    words.pop_back();
  }
  return words;
}

}  // namespace

Index default_clip(std::span<const Clip> clips) {
  Index stand = kNone;
  std::size_t fewest = 0;
  Index looping = kNone;
  Index first = kNone;
  for (Index i = 0; i < clips.size(); ++i) {
    if (clips[i].global) {
      continue;
    }
    // "Stand - 2" is a stand like any other, "Stand Portrait" is for something else.
    const auto words = words_of(clips[i].name);
    if (!words.empty() && words.front() == "stand" && (stand == kNone || words.size() < fewest)) {
      stand = i;
      fewest = words.size();
    }
    first = first == kNone ? i : first;
    looping = looping == kNone && clips[i].looping ? i : looping;
  }
  return stand != kNone ? stand : looping != kNone ? looping : first;
}

}  // namespace thaw::scene
