// Targets by words and by extensions of outputs, from the formats' own lists.
#include <thaw/convert.hpp>

#include "bytes/text.hpp"
#include "formats/list.hpp"

#include <algorithm>
#include <array>

namespace thaw {
namespace {

TargetInfo target_of(const Conversion& conversion) {
  return {conversion.target,         conversion.label, conversion.extension, conversion.adjacent, false,
          conversion.make == nullptr};
}
TargetInfo target_of_writer(const FormatDescriptor& format) {
  const SceneWriter& writer = *format.from_scene;
  return {scene_target(format),
          writer.label,
          first_word(format.extensions),
          writer.adjacent,
          true,
          false,
          writer.network && !writer.new_network};
}
constexpr std::array kGltf = {TargetInfo{"glb", {}, ".glb"}, TargetInfo{"gltf", {}, ".gltf", true}};

/// A target may be that of a writer and of conversions.
void add_target(std::vector<TargetInfo>& all, const TargetInfo& target) {
  const bool known =
      std::any_of(all.begin(), all.end(), [&](const TargetInfo& one) { return one.word == target.word; });
  if (!known && !target.extension.empty()) {
    all.push_back(target);
  }
}

std::vector<TargetInfo> list_targets() {
  std::vector<TargetInfo> all(kGltf.begin(), kGltf.end());
  for (const FormatDescriptor* format : formats_of_scenes()) {
    add_target(all, target_of_writer(*format));
  }
  for (const Format known : known_formats()) {
    for (const Conversion& conversion : known.descriptor().conversions) {
      add_target(all, target_of(conversion));
    }
  }
  return all;
}

}  // namespace

std::span<const TargetInfo> convert_targets() {
  static const std::vector<TargetInfo> kAll = list_targets();
  return kAll;
}

const TargetInfo* find_target(std::string_view word) {
  const auto all = convert_targets();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const TargetInfo& target) { return target.word == word; });
  return found == all.end() ? nullptr : &*found;
}

std::optional<TargetInfo> find_target(Format from, std::string_view word) {
  const FormatDescriptor& format = from.descriptor();
  if (const Conversion* conversion = find_conversion(format, word)) {
    return target_of(*conversion);
  }
  if (from.is_interchange()) {
    for (const FormatDescriptor* game : formats_of_scenes()) {
      if (scene_target(*game) == word) {
        return target_of_writer(*game);
      }
    }
    return std::nullopt;
  }
  const auto gltf =
      std::find_if(kGltf.begin(), kGltf.end(), [&](const TargetInfo& one) { return one.word == word; });
  return format.models.empty() || gltf == kGltf.end() ? std::nullopt : std::optional(*gltf);
}

}  // namespace thaw
