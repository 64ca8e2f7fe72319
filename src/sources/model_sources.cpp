// The one rule for what a model's paths may lead to: which files count, and in which folders.
#include <thaw/format.hpp>
#include <thaw/sources.hpp>

#include "bytes/text.hpp"

#include <algorithm>
#include <array>

namespace thaw {
namespace {

namespace fs = std::filesystem;

bool is_sound(std::string_view text) {
  constexpr std::array<std::string_view, 4> kBeginnings = {"RIFF", "ID3", "OggS", "fLaC"};
  const bool frame =
      text.size() > 1 && text[0] == '\xFF' && (static_cast<unsigned char>(text[1]) & 0xE0U) == 0xE0U;
  return frame || std::any_of(kBeginnings.begin(), kBeginnings.end(),
                              [&](std::string_view beginning) { return text.starts_with(beginning); });
}

/// mdx.md#popcorn-effects, mdx.md#face-effects; the last is the shape that an actor collides with.
bool is_effect(std::string_view name) {
  constexpr std::array<std::string_view, 5> kExtensions = {".pkb", ".pkfx", ".facefx", ".facefx_ingame",
                                                           ".cdt"};
  return std::any_of(kExtensions.begin(), kExtensions.end(),
                     [&](std::string_view extension) { return ascii::lowered(name).ends_with(extension); });
}

/// What lies in the topmost folder of a game, of its unpacked files, or of a map that is a folder.
constexpr std::array<std::string_view, 24> kGameFiles = {
    ".build.info", "war3mapImported", "Textures",         "ReplaceableTextures",
    "TerrainArt",  "Splats",          "Doodads",          "war3.w3mod",
    "war3.mpq",    "war3map.w3i",     "war3map.w3e",      "war3map.j",
    "war3map.lua", "XTextures",       "Tileset",          "Creature",
    "Dungeons",    "DBFilesClient",   "World/wmo",        "World/Maps",
    "texture.MPQ", "common.MPQ",      "Warcraft III.exe", "WoW.exe",
};
constexpr std::array<std::string_view, 4> kGameExtensions = {".w3x", ".w3m", ".w3n", ".w3mod"};
/// What lies in the home folder of a user.
constexpr std::array<std::string_view, 7> kHomeFiles = {".ssh",   ".config", ".profile",  ".bashrc",
                                                        ".gnupg", "AppData", "NTUSER.DAT"};

/// On a system that distinguishes case, as it stands in the list or all in one case.
bool has(const fs::path& folder, std::string_view name) {
  std::string upper(name);
  std::transform(upper.begin(), upper.end(), upper.begin(), [](char c) { return ascii::upper(c); });
  std::error_code error;
  return fs::exists(folder / name, error) || fs::exists(folder / ascii::lowered(name), error) ||
         fs::exists(folder / upper, error);
}

bool is_home(const fs::path& folder) {
  return std::any_of(kHomeFiles.begin(), kHomeFiles.end(),
                     [&](std::string_view name) { return has(folder, name); });
}

bool is_stated(const fs::path& folder, const std::vector<fs::path>& stated) {
  return std::any_of(stated.begin(), stated.end(), [&](const fs::path& one) {
    std::error_code error;
    return fs::equivalent(one, folder, error);
  });
}

/// The folders above one in which its files may lie, the nearest first.
std::vector<fs::path> parents_of(const fs::path& start, const std::vector<fs::path>& stated) {
  constexpr std::size_t kMost = 4;
  std::vector<fs::path> parents;
  std::size_t allowed = 0;
  fs::path folder = start.parent_path();
  while (parents.size() < kMost && folder != folder.root_path()) {
    const bool named = is_stated(folder, stated);
    if (!named && is_home(folder)) {
      break;  // games lie below it, and everything else, too
    }
    parents.push_back(folder);
    allowed = named || looks_like_game(folder) ? parents.size() : allowed;
    folder = folder.parent_path();
  }
  parents.resize(allowed);
  return parents;
}

}  // namespace

bool is_asset(FileKind kind, ByteView bytes, std::string_view name) {
  const auto format = identify(bytes).format;
  const bool read = format.reads() && !format.is_interchange();
  const bool pixels = format.converts_to("png");
  switch (kind) {
    case FileKind::texture:
      return read && pixels;
    case FileKind::model:
      return read && !pixels;
    case FileKind::sound:
      return is_sound(as_text(bytes));
    case FileKind::effect:
      return is_effect(name);
    case FileKind::data:
      return true;
    default:
      return read || is_sound(as_text(bytes)) || is_effect(name) || as_text(bytes).starts_with("ID;");
  }
}

bool looks_like_game(const fs::path& folder) {
  const std::string extension = ascii::lowered(folder.extension().string());
  const bool named =
      std::find(kGameExtensions.begin(), kGameExtensions.end(), extension) != kGameExtensions.end();
  return !is_home(folder) && (named || std::any_of(kGameFiles.begin(), kGameFiles.end(),
                                                   [&](std::string_view name) { return has(folder, name); }));
}

Sources model_sources(const fs::path& model, const std::vector<std::shared_ptr<const Source>>& layers,
                      const OpenFolder& open, const ModelLocation& place) {
  std::error_code error;
  const fs::path absolute = fs::absolute(model, error).lexically_normal();
  const fs::path model_folder = absolute.parent_path();
  const bool loose = place.archives.empty();
  Sources sources;
  if (loose && !model_folder.empty()) {
    sources.add(flatten_folder(open(model_folder)));
  }
  const auto parents = parents_of(loose ? model_folder : absolute, place.stated);
  for (auto parent = parents.rbegin(); parent != parents.rend(); ++parent) {
    sources.add_outside(open(*parent));
  }
  if (loose && model_folder != model_folder.root_path()) {
    sources.add(open(model_folder));
  }
  for (const auto& archive : place.archives) {
    sources.add(archive);
  }
  for (const auto& layer : layers) {
    sources.add_outside(layer);
  }
  return sources;
}

}  // namespace thaw
