#include "cli/convert/convert_animation.hpp"

#include <thaw/gltf_read.hpp>
#include <thaw/mrn_scene.hpp>
#include <thaw/nsa.hpp>

#include "bytes/number_text.hpp"
#include "bytes/shown.hpp"
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

/// The clip that --clip means; the first without it.
std::string chosen_clip(const scene::Scene& scene, const Settings& settings) {
  const auto wanted = wanted_clips(settings);
  for (const auto& clip : scene.clips) {
    if (!wanted || wanted(clip.name)) {
      return clip.name;
    }
  }
  return settings.clip;
}

/// The largest errors of what was quantised, in words.
std::string error_text(const nsa::Quantised& made) {
  float way = 0;
  float turn = 0;
  for (const auto& error : made.errors) {
    float& worst = error.kind == nsa::kRotation ? turn : way;
    worst = std::max({worst, error.worst[0], error.worst[1], error.worst[2]});
  }
  std::string text = "  largest error ";
  append_number(text, way);
  text += " m, ";
  append_number(text, turn * 4);  // of a small rotation the vector is a quarter of the angle
  return text + " radians\n";
}

}  // namespace

std::string objection_to_clips(const Settings& settings) {
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

std::function<bool(std::string_view)> wanted_clips(const Settings& settings) {
  if (settings.clip.empty() || settings.clip == "all") {
    return {};
  }
  return [pattern = std::regex(settings.clip, kClipSyntax)](std::string_view name) {
    return name.size() <= kLongestName && std::regex_search(name.begin(), name.end(), pattern);
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

Result<mrn::Document> read_network(const SkeletonChoice& choice, const Settings& settings,
                                   Diagnostics& findings) {
  if (choice.file.empty()) {
    return fail(codes::kMrnSkeleton,
                "an animation has no skeleton of its own: --skeleton FILE.mrn or FILE.mrn:NAME names one");
  }
  const auto content = load(named_input(choice.file, settings), settings);
  if (!content) {
    return fail(content.error().code, concat({choice.file, ": ", content.error().message}));
  }
  if (!mrn::layout_of(content->bytes)) {
    return fail(codes::kFormatForeign,
                concat({choice.file, ": ", content->identity.explanation, ", not an animation network"}));
  }
  return mrn::read(content->bytes, read_options(settings), findings);
}

Result<Product> make_animation(const Work& work) {
  const Settings& settings = work.settings;
  Diagnostics& findings = work.findings;
  const std::string name = work.output.filename().string();
  const SkeletonChoice choice = parse_skeleton(settings.skeleton);
  auto network = read_network(choice, settings, findings);
  if (!network) {
    return tl::unexpected<Error>(network.error());
  }
  const auto scene = read_gltf(work.content.bytes, gltf_options(work.input, settings), findings);
  if (!scene) {
    return tl::unexpected<Error>(scene.error());
  }
  mrn::FromSceneOptions options;
  options.clip = chosen_clip(*scene, settings);
  options.skeleton = choice.name;
  options.root_motion = settings.root_motion != "off";
  auto made = mrn::clip_from_scene(*scene, *network, options, findings).and_then([](const nsa::Clip& clip) {
    return nsa::from_curves(clip, {});
  });
  if (!made) {
    return tl::unexpected<Error>(made.error());
  }
  Product product;
  const nsa::Document& animation = made->document;
  product.facts =
      concat({counted(animation.channels(), "channel"), " · ", counted(animation.samples(), "sample")});
  product.details = error_text(*made);
  for (const auto& finding : findings.items()) {
    product.details += finding.code == codes::kMrnJoin ? concat({"  ", shown(finding.message), "\n"}) : "";
  }
  product.json = {{"channels", static_cast<std::int64_t>(animation.channels())},
                  {"samples", static_cast<std::int64_t>(animation.samples())}};
  if (work.target == Target::nsa) {
    product.files.push_back({name, nsa::write(animation)});
    return product;
  }
  const auto all = mrn::animations(*network);
  const auto same = std::find_if(all.begin(), all.end(),
                                 [&](const mrn::Animation& other) { return other.name == options.clip; });
  if (same == all.end()) {
    return fail(codes::kWriteUnsupported,
                concat({choice.file, " has no animation ", options.clip, " that this one could replace"}));
  }
  mrn::replace_animation(*network, static_cast<std::size_t>(same - all.begin()), animation);
  product.files.push_back({name, mrn::write(*network)});
  return product;
}

}  // namespace thaw::cli
