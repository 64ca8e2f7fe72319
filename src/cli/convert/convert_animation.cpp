#include "cli/convert/convert_animation.hpp"

#include <thaw/gltf_read.hpp>
#include <thaw/mrn_scene.hpp>
#include <thaw/nsa.hpp>
#include <thaw/sources.hpp>

#include "bytes/number_text.hpp"
#include "bytes/shown.hpp"
#include "bytes/text.hpp"
#include "cli/convert/convert_gltf.hpp"
#include "cli/report/console.hpp"
#include "cli/report/report.hpp"
#include "cli/report/text.hpp"

#include <algorithm>
#include <regex>

namespace thaw::cli {
namespace {

namespace fs = std::filesystem;

/// Of clips, as everywhere case does not matter.
constexpr auto kClipSyntax = std::regex::ECMAScript | std::regex::icase;
/// Longer names would take the stack of the matcher.
constexpr std::size_t kLongestName = 1000;

}  // namespace

std::string objection_to_clips(const SceneSettings& settings) {
  if (settings.clip.empty() || settings.clip == "all") {
    return "";
  }
  try {
    static_cast<void>(std::regex(settings.clip, kClipSyntax));
  } catch (const std::regex_error&) {
    return concat({"--clip ", settings.clip, " is no regular expression"});
  }
  return "";
}

std::function<bool(std::string_view)> wanted_clips(const SceneSettings& settings) {
  if (settings.clip.empty() || settings.clip == "all") {
    return {};
  }
  return [pattern = std::regex(settings.clip, kClipSyntax)](std::string_view name) {
    if (name.size() > kLongestName) {
      return false;
    }
    // As it stands in the file, or as people see it.
    const std::string seen = shown(name);
    return std::regex_search(name.begin(), name.end(), pattern) || std::regex_search(seen, pattern);
  };
}

SkeletonChoice parse_skeleton(const std::string& text) {
  std::error_code error;
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos || fs::is_regular_file(text, error)) {
    return {text, ""};
  }
  return {text.substr(0, colon), text.substr(colon + 1)};
}

Result<mrn::BoneNames> read_bone_names(const Settings& settings) {
  const std::string& named = settings.scene_bone_map;
  std::error_code error;
  if (named.empty()) {
    return mrn::BoneNames{};
  }
  if (!fs::exists(named, error)) {
    if (auto known = mrn::known_bone_map(named)) {
      return std::move(*known);
    }
  }
  auto bytes = read_file(named, read_options(settings).limits);
  auto names = bytes ? mrn::read_bone_map(as_text(*bytes)) : tl::unexpected<Error>(std::move(bytes.error()));
  if (!names) {
    return tl::unexpected<Error>(error_in(concat({"--bone-map ", named}), std::move(names.error())));
  }
  return names;
}

Result<mrn::Document> read_network(const SkeletonChoice& choice, const Settings& settings,
                                   Diagnostics& findings) {
  if (choice.file.empty()) {
    return fail(codes::kMrnSkeleton,
                "an animation has no skeleton of its own: --skeleton FILE.mrn or FILE.mrn:NAME names one");
  }
  const auto content = load(named_input(choice.file, settings), settings);
  if (!content) {
    return tl::unexpected<Error>(error_in(choice.file, content.error()));
  }
  if (!mrn::layout_of(content->bytes)) {
    return fail(codes::kFormatForeign,
                concat({choice.file, ": ", content->identity.explanation, ", not an animation network"}));
  }
  return mrn::read(content->bytes, read_options(settings), findings).map_error([&](Error error) {
    return error_in(choice.file, std::move(error));
  });
}

}  // namespace thaw::cli
