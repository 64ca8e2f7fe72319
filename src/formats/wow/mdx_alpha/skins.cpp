// Replaceable textures (mdx_alpha.md#skins).
#include <thaw/mdx_alpha.hpp>

#include "bytes/text.hpp"

#include <algorithm>
#include <optional>
#include <set>

namespace thaw::mdx_alpha {
namespace {

constexpr std::uint32_t kSkinBody = 1;
constexpr std::uint32_t kObjectSkin = 2;
constexpr std::uint32_t kMonster1 = 11;
constexpr std::uint32_t kMonster2 = 12;
constexpr std::uint32_t kMonster3 = 13;
constexpr std::string_view kExtension = ".blp";

/// The last part of a path, in lower case.
std::string file_name(std::string_view path) { return ascii::lowered(last_part(path)); }

/// How well a file's name without extension fits; smaller is better.
std::optional<int> rank_of(std::string_view name, const std::string& model, std::uint32_t id) {
  if (id == kMonster2 || id == kMonster3) {
    const std::string numbered = model + (id == kMonster2 ? "skin2" : "skin3");
    return name.starts_with(numbered) ? std::optional(0) : std::nullopt;
  }
  if (name == model) {
    return 0;
  }
  if (name == model + "skin") {
    return 1;
  }
  if (name.starts_with(model + "skin")) {
    return 2;
  }
  if (name.starts_with(model)) {
    return 3;
  }
  return name.find("skin") != std::string_view::npos ? std::optional(4) : std::nullopt;
}

bool is_skin(std::uint32_t id) {
  return id == kSkinBody || id == kObjectSkin || id == kMonster1 || id == kMonster2 || id == kMonster3;
}

struct Candidate {
  int rank = 0;
  std::string name;
  const std::string* file = nullptr;

  friend bool operator<(const Candidate& a, const Candidate& b) {
    return a.rank != b.rank ? a.rank < b.rank : a.name < b.name;
  }
};

}  // namespace

std::vector<std::pair<std::uint32_t, std::string>> adjacent_skins(const Document& document,
                                                                  std::string_view model,
                                                                  const std::vector<std::string>& files) {
  std::set<std::uint32_t> requested;
  std::set<std::string> named;
  for (const auto* texture : document.all<Textures>()) {
    if (!texture->path.view().empty()) {
      named.insert(file_name(texture->path.view()));
    } else if (is_skin(texture->replaceable_id)) {
      requested.insert(texture->replaceable_id);
    }
  }
  const std::string stem = ascii::lowered(model);
  std::vector<std::pair<std::uint32_t, std::string>> skins;
  for (const std::uint32_t id : requested) {
    std::optional<Candidate> best;
    for (const auto& file : files) {
      const std::string name = file_name(file);
      const std::size_t length = name.size() - std::min(name.size(), kExtension.size());
      if (name.substr(length) != kExtension || named.contains(name)) {
        continue;
      }
      if (const auto rank = rank_of(std::string_view(name).substr(0, length), stem, id)) {
        const Candidate candidate = {*rank, name, &file};
        best = best && !(candidate < *best) ? best : std::optional(candidate);
      }
    }
    if (best) {
      skins.emplace_back(id, *best->file);
    }
  }
  return skins;
}

std::string_view replaceable_name(std::uint32_t replaceable_id) {
  constexpr std::array<std::string_view, 15> kNames = {"",
                                                       "skin",
                                                       "object skin",
                                                       "weapon blade",
                                                       "weapon handle",
                                                       "environment",
                                                       "hair",
                                                       "facial hair",
                                                       "extra skin",
                                                       "interface skin",
                                                       "tauren mane",
                                                       "monster skin 1",
                                                       "monster skin 2",
                                                       "monster skin 3",
                                                       "item icon"};
  return replaceable_id < kNames.size() ? kNames.at(replaceable_id) : std::string_view();
}

}  // namespace thaw::mdx_alpha
