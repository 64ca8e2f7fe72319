#include "cli/targets.hpp"

#include <thaw/sources.hpp>

#include "cli/distinct.hpp"
#include "cli/save.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>

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

/// What a format becomes, the usual target first.
std::string_view targets_of(Format format) {
  for (const auto& entry : known_formats()) {
    if (entry.format == format) {
      return entry.converts_to;
    }
  }
  return {};
}

bool has_word(std::string_view words, std::string_view word) {
  for (std::size_t at = 0; at < words.size();) {
    const std::size_t end = std::min(words.find(' ', at), words.size());
    if (words.substr(at, end - at) == word) {
      return true;
    }
    at = end + 1;
  }
  return false;
}

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

Target choose_target(const Identity& identity, const std::string& wish) {
  const std::string_view words = targets_of(identity.format);
  if (wish.empty() && !identity.readable) {
    return Target::none;  // a scene of someone else's becomes what is asked for
  }
  const std::string_view word = wish.empty() ? words.substr(0, words.find(' ')) : std::string_view(wish);
  const auto* found = std::find_if(kTargets.begin(), kTargets.end(),
                                   [&](const TargetEntry& entry) { return entry.word == word; });
  return found != kTargets.end() && has_word(words, word) ? found->target : Target::none;
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

Targets::Targets(const Settings& settings, std::span<const Input> inputs)
    : to_stdout_(goes_to_stdout(settings)) {
  if (to_stdout_) {
    stems_.assign(inputs.size(), fs::path("stdin"));
    return;
  }
  if (!names_folder(settings)) {
    file_ = settings.output;
    return;
  }
  const fs::path folder = settings.output;
  for (const auto& input : inputs) {
    fs::path relative = settings.flat ? input.relative.filename() : input.relative;
    stems_.push_back(folder / relative.replace_extension());
  }
  separate_equal_names(inputs, wished_target(settings).value_or(""));
}

fs::path Targets::path(std::size_t index, Target target) const {
  if (!file_.empty()) {
    return file_;
  }
  fs::path path = stems_[index];
  path += target_extension(target);
  return path;
}

void Targets::separate_equal_names(std::span<const Input> inputs, const std::string& wish) {
  // Files beside a .gltf may meet where the stems differ.
  const std::string_view extension = wish == "gltf" ? ".gltf" : "";
  const auto key = [&](const fs::path& stem) { return output_key(fs::path(stem).concat(extension)); };
  std::map<std::string, std::vector<std::size_t>> equal;
  for (std::size_t i = 0; i < stems_.size(); ++i) {
    equal[key(stems_[i])].push_back(i);
  }
  // Only where stems meet the content matters: a model and a texture of one name do not.
  const auto target_of = [&](std::size_t index) { return choose_target(identify_file(inputs[index]), wish); };
  const std::vector<fs::path> plain = stems_;
  /// Is the name with a number an output of its own without one?
  const auto belongs_to_another = [&](const fs::path& stem, Target target) {
    const auto found = equal.find(key(stem));
    return found != equal.end() &&
           std::any_of(found->second.begin(), found->second.end(), [&](std::size_t other) {
             return target_extension(target_of(other)) == target_extension(target);
           });
  };
  std::set<std::string> taken;
  for (std::size_t i = 0; i < stems_.size(); ++i) {
    const Target target = equal[key(plain[i])].size() < 2 ? Target::none : target_of(i);
    for (unsigned number = 2; target != Target::none && !taken.insert(output_key(path(i, target))).second;) {
      do {
        stems_[i] = fs::path(plain[i]).concat('-' + std::to_string(number++));
      } while (belongs_to_another(stems_[i], target));
    }
  }
}

}  // namespace thaw::cli
