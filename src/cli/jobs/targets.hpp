// What `convert` makes of a file, and where it goes.
#pragma once

#include "cli/arguments/settings.hpp"
#include "cli/inputs/inputs.hpp"

#include <filesystem>
#include <string>

namespace thaw::cli {

/// What a converted file is written as.
enum class Target : std::uint8_t {
  none,
  glb,
  gltf,
  png,
  blp1,
  blp2,
  dds,
  mrf,
  mdx,
  mdl,
  m3,
  nsa,
  mrn,
  wmo_v14,
  wmo_v17,
};

std::string_view target_extension(Target target);
/// As --to has it; empty for none.
std::string_view target_word(Target target);
constexpr bool is_texture(Target target) {
  return target == Target::png || target == Target::blp1 || target == Target::blp2 || target == Target::dds;
}

/// What content becomes with --to or the extension of OUT in mind; none if it cannot become that.
Target choose_target(const Identity& identity, const std::string& wish);

/// The target that --to or the extension of OUT asks for: "glb", "gltf", "png", "blp", "blp2", "dds", "mrf",
/// "mdx", "mdl", "m3", "nsa", "mrn", or "" if neither does. The error is a usage error in words.
tl::expected<std::string, std::string> wished_target(const Settings& settings);

/// Has the path an extension of something that `convert` makes?
bool has_target_extension(const std::filesystem::path& path);

/// --output is missing, or is or shall be a folder: it ends in /, is one already, or `several` outputs go
/// there.
bool names_folder(const Settings& settings, bool several);

/// The one output is what is written to stdout.
bool goes_to_stdout(const Settings& settings);

}  // namespace thaw::cli
