#include "cli/targets.hpp"

#include <thaw/sources.hpp>

#include <algorithm>
#include <array>
#include <map>

namespace thaw::cli {
namespace {

namespace fs = std::filesystem;

std::string extension_word(const fs::path& path) {
  const std::string extension = normalize_game_path(path.extension().string());
  return extension.empty() ? extension : extension.substr(1);
}

/// --output names a folder, not a file.
bool names_folder(const Settings& settings) {
  std::error_code error;
  const char last = settings.output.back();
  return is_batch(settings) || last == '/' || last == fs::path::preferred_separator ||
         fs::is_directory(settings.output, error);
}

bool is_device(const fs::path& path) {
  std::error_code error;
  return fs::is_other(path, error);
}

}  // namespace

std::string_view target_extension(Target target) {
  switch (target) {
    case Target::glb:
      return ".glb";
    case Target::gltf:
      return ".gltf";
    case Target::png:
      return ".png";
    case Target::blp1:
    case Target::blp2:
      return ".blp";
    case Target::dds:
      return ".dds";
    case Target::mrf:
      return ".mrf";
    case Target::mdx:
      return ".mdx";
    case Target::mdl:
      return ".mdl";
    case Target::m3:
      return ".m3";
    case Target::wmo_v14:
    case Target::wmo_v17:
      return ".wmo";
    case Target::nsa:
      return ".nsa";
    case Target::mrn:
      return ".mrn";
    default:
      return "";
  }
}

Target choose_target(const Identity& identity, const std::string& wish) {
  if (identity.format == Format::gltf || identity.format == Format::glb) {
    return wish == "mrf"   ? Target::mrf
           : wish == "m3"  ? Target::m3
           : wish == "nsa" ? Target::nsa
           : wish == "mrn" ? Target::mrn
                           : Target::none;
  }
  // Maps become many files, or many files a map: see convert_adt.hpp.
  const bool world = identity.format == Format::wdt || identity.format == Format::wdl ||
                     identity.format == Format::wdt_later || identity.format == Format::adt;
  if (!identity.readable || world || identity.format == Format::m3_library) {
    return Target::none;
  }
  if (identity.format == Format::wmo && wish.substr(0, 4) == "wmo-") {
    return wish == "wmo-v14" ? Target::wmo_v14 : Target::wmo_v17;
  }
  const bool model = identity.format == Format::mdx || identity.format == Format::mdl;
  if (wish == "mdx" || wish == "mdl") {
    return !model ? Target::none : wish == "mdx" ? Target::mdx : Target::mdl;
  }
  const bool moves = identity.format == Format::mrn || identity.format == Format::nsa;
  const bool still = identity.format == Format::m3_wow;
  if (model || moves || still || identity.format == Format::mrf || identity.format == Format::wmo) {
    return wish == "gltf" ? Target::gltf : wish.empty() || wish == "glb" ? Target::glb : Target::none;
  }
  static const std::map<std::string_view, Target> kTextures = {{"", Target::png},
                                                               {"png", Target::png},
                                                               {"blp", Target::blp1},
                                                               {"blp2", Target::blp2},
                                                               {"dds", Target::dds}};
  const auto found = kTextures.find(wish);
  return found != kTextures.end() ? found->second : Target::none;
}

tl::expected<std::string, std::string> wished_target(const Settings& settings) {
  if (!settings.to.empty() || settings.output.empty() || settings.output == "-" || names_folder(settings) ||
      is_device(settings.output)) {
    return settings.to.empty() && settings.format_version ? "mdx" : settings.to;
  }
  std::string word = extension_word(settings.output);
  static constexpr std::array kExtensions = {"glb", "gltf", "png", "blp", "dds", "mrf",
                                             "mdx", "mdl",  "m3",  "nsa", "mrn", "wdt"};
  if (std::find(kExtensions.begin(), kExtensions.end(), word) != kExtensions.end()) {
    return word;
  }
  return tl::unexpected<std::string>(
      "the output " + settings.output +
      " ends neither in .glb, .gltf, .mdx, .mdl, .m3, .png, .blp, .dds, .mrf, .nsa, "
      ".mrn or .wdt nor, as a folder, in /");
}

Targets::Targets(const Settings& settings, std::span<const Input> inputs) {
  to_stdout_ = settings.output == "-" ||
               (settings.output.empty() && !is_batch(settings) && settings.inputs.front() == "-");
  if (to_stdout_) {
    stems_.assign(inputs.size(), fs::path("stdin"));
    return;
  }
  if (!settings.output.empty() && !names_folder(settings)) {
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
  const auto key = [](const fs::path& path) { return normalize_game_path(path.generic_string()); };
  std::map<std::string, std::size_t> uses;
  for (const auto& stem : stems_) {
    ++uses[key(stem)];
  }
  std::map<std::string, unsigned> taken;  // outputs, without regard to case
  for (std::size_t i = 0; i < stems_.size(); ++i) {
    if (uses[key(stems_[i])] < 2) {
      continue;
    }
    // Only now the content matters: a model and a texture of one name do not meet.
    const Target target = choose_target(identify_file(inputs[i]), wish);
    const fs::path plain = stems_[i];
    for (unsigned number = 2; target != Target::none && taken[key(path(i, target))]++ > 0; ++number) {
      stems_[i] = plain;
      stems_[i] += '-' + std::to_string(number);
    }
  }
}

}  // namespace thaw::cli
