#include "cli/jobs/targets.hpp"

#include <thaw/sources.hpp>

#include "cli/inputs/distinct.hpp"
#include "cli/jobs/save.hpp"

#include <algorithm>
#include <array>

namespace thaw::cli {
namespace {

namespace fs = std::filesystem;

std::string extension_word(const fs::path& path) {
  const std::string extension = extension_of(path);
  return extension.empty() ? extension : extension.substr(1);
}

bool names_folder(const Settings& settings) { return cli::names_folder(settings, is_batch(settings)); }

struct TargetEntry {
  Target target;
  std::string_view word;  ///< as --to has it
  std::string_view extension;
};
constexpr std::array kTargets = {
    TargetEntry{Target::glb, "glb", ".glb"},
    TargetEntry{Target::gltf, "gltf", ".gltf"},
    TargetEntry{Target::mdx, "mdx", ".mdx"},
    TargetEntry{Target::mdl, "mdl", ".mdl"},
    TargetEntry{Target::m3, "m3", ".m3"},
    TargetEntry{Target::png, "png", ".png"},
    TargetEntry{Target::blp1, "blp", ".blp"},
    TargetEntry{Target::blp2, "blp2", ".blp"},
    TargetEntry{Target::dds, "dds", ".dds"},
    TargetEntry{Target::mrf, "mrf", ".mrf"},
    TargetEntry{Target::wmo_v14, "wmo-v14", ".wmo"},
    TargetEntry{Target::wmo_v17, "wmo-v17", ".wmo"},
    TargetEntry{Target::nsa, "nsa", ".nsa"},
    TargetEntry{Target::mrn, "mrn", ".mrn"},
    TargetEntry{Target::none, "wdt", ".wdt"},  // of several tiles, not of one input
};

/// --to and the extension of OUT name different formats.
std::string unlike_output(const Settings& settings) {
  if (settings.to.empty() || settings.output == "-" || names_folder(settings)) {
    return "";
  }
  const std::string extension = std::string(".").append(extension_word(settings.output));
  const auto* wanted = std::find_if(kTargets.begin(), kTargets.end(),
                                    [&](const TargetEntry& entry) { return entry.word == settings.to; });
  return wanted != kTargets.end() && has_target_extension(settings.output) && wanted->extension != extension
             ? "--to " + settings.to + " makes " + std::string(wanted->extension) +
                   ", and the output is called " + settings.output
             : "";
}

}  // namespace

bool names_folder(const Settings& settings, bool several) {
  const std::string& output = settings.output;
  std::error_code error;
  return output.empty() || several || output.back() == '/' ||
         output.back() == fs::path::preferred_separator || fs::is_directory(output, error);
}

bool goes_to_stdout(const Settings& settings) {
  const bool from_stdin = !settings.inputs.empty() && settings.inputs.front() == "-";
  return settings.output == "-" || (settings.output.empty() && !is_batch(settings) && from_stdin);
}

bool has_target_extension(const fs::path& path) {
  const std::string extension = std::string(".").append(extension_word(path));
  return std::any_of(kTargets.begin(), kTargets.end(),
                     [&](const TargetEntry& entry) { return entry.extension == extension; });
}

std::string_view target_extension(Target target) {
  const auto* found = std::find_if(kTargets.begin(), kTargets.end(),
                                   [&](const TargetEntry& entry) { return entry.target == target; });
  return found == kTargets.end() ? std::string_view() : found->extension;
}

std::string_view target_word(Target target) {
  const auto* found = std::find_if(kTargets.begin(), kTargets.end(),
                                   [&](const TargetEntry& entry) { return entry.target == target; });
  return found == kTargets.end() ? std::string_view() : found->word;
}

Target choose_target(const Identity& identity, const std::string& wish) {
  if (wish.empty() && identity.format.is_interchange()) {
    return Target::none;  // a scene of someone else's becomes what is asked for
  }
  const std::string_view words = identity.format.converts_to();
  const std::string_view word = wish.empty() ? words.substr(0, words.find(' ')) : std::string_view(wish);
  const auto* found = std::find_if(kTargets.begin(), kTargets.end(),
                                   [&](const TargetEntry& entry) { return entry.word == word; });
  return found != kTargets.end() && identity.format.converts_to(word) ? found->target : Target::none;
}

tl::expected<std::string, std::string> wished_target(const Settings& settings) {
  if (const std::string why = unlike_output(settings); !why.empty()) {
    return tl::unexpected<std::string>(why);
  }
  if (!settings.to.empty() || settings.output == "-" || names_folder(settings) ||
      is_device(settings.output)) {
    return settings.to.empty() && settings.format_version ? "mdx" : settings.to;
  }
  const std::string extension = std::string(".").append(extension_word(settings.output));
  const auto* found = std::find_if(kTargets.begin(), kTargets.end(),
                                   [&](const TargetEntry& entry) { return entry.extension == extension; });
  if (found != kTargets.end()) {
    return std::string(found->word);
  }
  std::string known;
  for (const auto& entry : kTargets) {
    if (known.find(entry.extension) == std::string::npos) {
      known += known.empty() ? "" : ", ";
      known += entry.extension;
    }
  }
  return tl::unexpected<std::string>("the output " + settings.output + " ends in none of " + known +
                                     ", nor, as a folder, in /");
}

}  // namespace thaw::cli
