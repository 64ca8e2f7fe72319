// Textures become pictures: found, decoded, or made (warcraft3-rendering.md#replaceable-textures).
#include <thaw/codes.hpp>
#include <thaw/control.hpp>
#include <thaw/image.hpp>
#include <thaw/scene.hpp>
#include <thaw/sources.hpp>

#include "bytes/text.hpp"
#include "bytes/text_encoding.hpp"
#include "image/plain_file.hpp"
#include "scene/game_rules.hpp"
#include "scene/unique_names.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace thaw::scene {
namespace {

struct PlayerColor {
  std::string_view name;
  Color color;
};

constexpr std::array<PlayerColor, 24> kPlayers = {{
    {"red", {255, 3, 3}},           {"blue", {0, 66, 255}},        {"teal", {28, 230, 185}},
    {"purple", {84, 0, 129}},       {"yellow", {255, 252, 1}},     {"orange", {254, 138, 14}},
    {"green", {32, 192, 0}},        {"pink", {229, 91, 176}},      {"gray", {149, 150, 151}},
    {"lightblue", {126, 191, 241}}, {"darkgreen", {16, 98, 70}},   {"brown", {78, 42, 4}},
    {"maroon", {155, 0, 0}},        {"navy", {0, 0, 195}},         {"turquoise", {0, 234, 255}},
    {"violet", {190, 0, 254}},      {"wheat", {235, 205, 135}},    {"peach", {248, 164, 139}},
    {"mint", {191, 255, 128}},      {"lavender", {220, 185, 235}}, {"coal", {40, 40, 40}},
    {"snow", {235, 240, 255}},      {"emerald", {0, 120, 30}},     {"peanut", {164, 111, 51}},
}};

struct Replaceable {
  std::uint32_t id;
  std::string_view path;
};

constexpr std::uint64_t kPixelBytes = 4;
constexpr std::array<Replaceable, 8> kReplaceables = {{
    {11, "ReplaceableTextures\\Cliff\\Cliff0.blp"},
    {31, "ReplaceableTextures\\LordaeronTree\\LordaeronSummerTree.blp"},
    {32, "ReplaceableTextures\\AshenvaleTree\\AshenTree.blp"},
    {33, "ReplaceableTextures\\BarrensTree\\BarrensTree.blp"},
    {34, "ReplaceableTextures\\NorthrendTree\\NorthTree.blp"},
    {35, "ReplaceableTextures\\Mushroom\\MushroomTree.blp"},
    {36, "ReplaceableTextures\\RuinsTree\\RuinsTree.blp"},
    {37, "ReplaceableTextures\\OutlandMushroomTree\\MushroomTree.blp"},
}};

/// A name in lower case without blanks, `-` and `_`; `grey` as `gray`.
std::string plain_name(std::string_view text) {
  std::string name;
  for (const char c : text) {
    if (c != ' ' && c != '-' && c != '_') {
      name.push_back(ascii::lower(c));
    }
  }
  return name == "grey" ? "gray" : name;
}

std::optional<TeamColor> parse_value(std::string_view digits) {
  const auto channels = bytes_of_hex(digits);
  Color color{};
  if (!channels || channels->size() != color.size()) {
    return std::nullopt;
  }
  std::copy(channels->begin(), channels->end(), color.begin());
  return TeamColor{color, std::nullopt};
}

TeamColor player_color(std::size_t player) {
  return {kPlayers.at(player).color, static_cast<unsigned>(player)};
}

Image solid(const Color& color, std::uint32_t size) {
  Image image{size, size, {}};
  for (std::uint64_t i = 0; i < image.pixels(); ++i) {
    image.rgba.insert(image.rgba.end(), {color[0], color[1], color[2], 255});
  }
  return image;
}

/// The player's colour, fading from the middle to the rim.
Image glow(const Color& color) {
  constexpr std::uint32_t kSize = 64;
  constexpr int kRadius = 31;
  constexpr int kStrength = 150;  // of 255: it is added to whatever lies behind
  Image image{kSize, kSize, {}};
  for (int y = 0; y < static_cast<int>(kSize); ++y) {
    for (int x = 0; x < static_cast<int>(kSize); ++x) {
      // Doubled coordinates, because the middle lies between pixels.
      const int dx = 2 * x - static_cast<int>(kSize) + 1;
      const int dy = 2 * y - static_cast<int>(kSize) + 1;
      const int rest = std::max(0, 4 * kRadius * kRadius - dx * dx - dy * dy);
      const int share = rest * 255 / (4 * kRadius * kRadius);
      const auto alpha = static_cast<std::uint8_t>(share * share / 255 * kStrength / 255);
      image.rgba.insert(image.rgba.end(), {color[0], color[1], color[2], alpha});
    }
  }
  return image;
}

std::string two_digits(unsigned number) {
  return {static_cast<char>('0' + number / 10 % 10), static_cast<char>('0' + number % 10)};
}

/// What pictures of the game that have one colour show; their names say it.
std::optional<Color> plain_picture(std::string_view path) {
  const std::string key = normalize_game_path(path);
  const std::string_view stem = std::string_view(key).substr(0, key.rfind('.'));
  return stem == "textures/white"     ? std::optional(Color{255, 255, 255})
         : stem == "textures/black32" ? std::optional(Color{0, 0, 0})
                                      : std::nullopt;
}

class Loader {
 public:
  Loader(Scene& scene, const Sources& sources, const ImageOptions& options, Diagnostics& diagnostics)
      : scene_(scene),
        sources_(sources),
        options_(options),
        diagnostics_(diagnostics),
        warcraft_(scene.source_format != kAlphaModel) {}

  Result<void> load() {
    keep_made();
    decoded_bytes_ = pixel_bytes(scene_);
    for (std::size_t i = 0; i < scene_.textures.size() && !failure_; ++i) {
      if (!proceed(options_.read.control, "pictures", i, scene_.textures.size())) {
        return fail(codes::kStopped, "");
      }
      place_ = "textures[" + std::to_string(i) + "]";
      Texture& texture = scene_.textures[i];
      if (texture.image == kNone) {
        texture.image = load(texture);
      }
    }
    for (std::size_t i = 0; options_.all_team_colors && has_team_color(scene_) && i < kPlayers.size(); ++i) {
      add_variant(i);
    }
    return failure_ ? Result<void>(tl::unexpected<Error>(std::move(*failure_))) : Result<void>();
  }

 private:
  /// Of the pictures that are there those that no file can give; the others are loaded again.
  void keep_made() {
    std::vector<NamedImage> images = std::move(scene_.images);
    std::map<Index, Index> places;
    scene_.images.clear();
    scene_.variants.clear();
    for (Texture& texture : scene_.textures) {
      const bool generated =
          texture.path.empty() && texture.replaceable_id == 0 && texture.image < images.size();
      const Index old = std::exchange(texture.image, kNone);
      if (generated) {
        const auto [place, fresh] = places.emplace(old, static_cast<Index>(scene_.images.size()));
        if (fresh) {
          names_.add(images[old].name, "texture");
          scene_.images.push_back(std::move(images[old]));
        }
        texture.image = place->second;
      }
    }
  }

  Index load(const Texture& texture) {
    if (texture.content != nullptr) {
      const auto [embedded, unknown] = embedded_.emplace(texture.content.get(), kNone);
      if (unknown) {
        embedded->second = decode(*texture.content, texture.path);
      }
      return embedded->second;
    }
    const std::string path = path_of(texture);
    const std::string key = path.empty() ? std::string("#").append(std::to_string(texture.replaceable_id))
                                         : normalize_game_path(path);
    const auto [entry, fresh] = loaded_.emplace(key, kNone);
    if (fresh) {
      entry->second = texture.path.empty() && is_generated(texture.replaceable_id)
                          ? load_team(path, texture.replaceable_id)
                          : load_file(path, texture.replaceable_id);
    }
    return entry->second;
  }

  void add_variant(std::size_t player) {
    ImageVariant variant{std::string(kPlayers.at(player).name), {}};
    team_ = player_color(player);
    for (Index i = 0; i < scene_.textures.size() && !failure_; ++i) {
      const Texture& texture = scene_.textures[i];
      if (texture.path.empty() && texture.content == nullptr && is_generated(texture.replaceable_id)) {
        variant.images.emplace_back(i, load(texture));
      }
    }
    if (!failure_) {
      scene_.variants.push_back(std::move(variant));
    }
  }

  [[nodiscard]] bool is_generated(std::uint32_t id) const {
    return warcraft_ && (id == kTeamColorId || id == kTeamGlowId);
  }

  /// What was requested; null if nothing was.
  [[nodiscard]] const std::string* chosen_for(std::uint32_t id) const {
    const auto& all = options_.replaceables;
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const auto& choice) { return choice.first == id; });
    return found == all.end() ? nullptr : &found->second;
  }

  /// The file of a texture; empty if there can be none.
  [[nodiscard]] std::string path_of(const Texture& texture) const {
    if (!texture.path.empty()) {
      return texture.path;
    }
    const std::uint32_t id = texture.replaceable_id;
    if (const std::string* path = chosen_for(id)) {
      return *path;
    }
    if (is_generated(id)) {
      if (!team_.player) {
        return {};
      }
      const std::string name = id == kTeamColorId ? "TeamColor" : "TeamGlow";
      return "ReplaceableTextures\\" + name + "\\" + name + two_digits(*team_.player) + ".blp";
    }
    if (!warcraft_) {
      return {};
    }
    const auto* known = std::find_if(kReplaceables.begin(), kReplaceables.end(),
                                     [&](const Replaceable& entry) { return entry.id == id; });
    return known == kReplaceables.end() ? std::string() : std::string(known->path);
  }

  Index load_team(const std::string& path, std::uint32_t id) {
    if (!path.empty()) {
      if (auto found = sources_.find_texture(path)) {
        return decode(*found);
      }
    }
    if (chosen_for(id) != nullptr) {
      diagnostics_.add(
          codes::kTextureMissing,
          "texture " + to_utf8(path) + " not found in any source; generated in the team's colour", {},
          place_);
    }
    return id == kTeamColorId ? add("team color", {}, solid(team_.color, 8))
                              : add("team glow", {}, glow(team_.color));
  }

  Index load_file(const std::string& path, std::uint32_t id) {
    if (path.empty()) {
      diagnostics_.add(codes::kTextureMissing,
                       "no known file for replaceable id " + std::to_string(id) + "; a placeholder is used",
                       {}, place_);
      return add_placeholder("replaceable " + std::to_string(id));
    }
    auto found = sources_.find_texture(path);
    if (!found) {
      const auto known = warcraft_ ? plain_picture(path) : std::nullopt;
      diagnostics_.add(
          codes::kTextureMissing,
          "texture " + to_utf8(path) + " not found in any source" +
              (known ? "; generated, because it has a single colour" : "; a placeholder is used"),
          {}, place_);
      return known ? add(path_stem(path), {}, solid(*known, 8)) : add_placeholder(path_stem(path));
    }
    return decode(*found);
  }

  /// One file may be found under many names.
  Index decode(const FoundFile& found) {
    const auto [entry, fresh] = decoded_.emplace(std::pair(found.where, found.name), kNone);
    if (fresh) {
      entry->second = decode(found.bytes, found.name);
    }
    return entry->second;
  }

  Index decode(ByteView bytes, const std::string& name) {
    const std::uint64_t room =
        options_.read.limits.max_pixel_bytes - std::min(decoded_bytes_, options_.read.limits.max_pixel_bytes);
    ReadOptions read = options_.read;
    read.limits.max_image_pixels = std::min(read.limits.max_image_pixels, room / kPixelBytes);
    const std::size_t findings = diagnostics_.items().size() + diagnostics_.suppressed();
    auto image = decode_fitted(bytes, options_.longest_side, read, diagnostics_);
    const bool is_sound = findings == diagnostics_.items().size() + diagnostics_.suppressed();
    const bool crowded = read.limits.max_image_pixels < options_.read.limits.max_image_pixels;
    if (!image &&
        (image.error().code == codes::kStopped || (crowded && image.error().code == codes::kInputTooLarge))) {
      failure_ = image.error().code == codes::kStopped ? image.error() : no_room_for(name);
      return kNone;
    }
    if (!image || image->pixels() == 0) {
      const std::string why = image ? "the image has no pixels" : image.error().message;
      diagnostics_.add(codes::kTextureUndecodable, to_utf8(name) + ": " + why + "; a placeholder is used", {},
                       place_);
      return add_placeholder(path_stem(name));
    }
    const Index index = add(path_stem(name), to_utf8(name), std::move(*image));
    if (options_.keep_files && options_.longest_side == 0 && is_sound && is_plain_file(bytes)) {
      scene_.images[index].file = std::make_shared<const Bytes>(bytes.begin(), bytes.end());
    }
    return index;
  }

  [[nodiscard]] Error no_room_for(const std::string& name) const {
    return {codes::kTooManyPixels,
            {},
            place_,
            to_utf8(name) + ": with it, the decoded images would exceed the limit of " +
                std::to_string(options_.read.limits.max_pixel_bytes) + " bytes (" +
                std::to_string(decoded_bytes_) + " before it)"};
  }

  Index add_placeholder(const std::string& name) {
    const Index index = add(name, {}, solid({128, 128, 128}, 4));
    scene_.images[index].placeholder = true;
    return index;
  }

  Index add(const std::string& name, std::string source, Image image) {
    decoded_bytes_ += image.rgba.size();
    scene_.images.push_back({names_.add(name, "texture"), std::move(source), std::move(image), false});
    return static_cast<Index>(scene_.images.size() - 1);
  }

  Scene& scene_;
  const Sources& sources_;
  const ImageOptions& options_;
  Diagnostics& diagnostics_;
  bool warcraft_;
  TeamColor team_ = options_.team_color;
  std::string place_;
  std::uint64_t decoded_bytes_ = 0;  ///< bytes of decoded pictures
  std::optional<Error> failure_;
  std::map<std::string, Index> loaded_;                           ///< by the requested name
  std::map<std::pair<std::string, std::string>, Index> decoded_;  ///< by the place and name of the file
  std::map<const Bytes*, Index> embedded_;                        ///< by the models themselves
  UniqueNames names_;
};

}  // namespace

std::optional<TeamColor> parse_team_color(std::string_view text) {
  const std::string name = plain_name(text);
  if (!name.empty() && name.front() == '#') {
    return parse_value(std::string_view(name).substr(1));
  }
  for (std::size_t i = 0; i < kPlayers.size(); ++i) {
    if (name == kPlayers.at(i).name || text == std::to_string(i)) {
      return player_color(i);
    }
  }
  return std::nullopt;
}

Result<void> load_images(Scene& scene, const Sources& sources, const ImageOptions& options,
                         Diagnostics& diagnostics) {
  return Loader(scene, sources, options, diagnostics).load();
}

namespace {

void add_pixel_bytes(const Scene& scene, std::set<const Scene*>& seen, std::uint64_t& sum) {
  for (const auto& image : scene.images) {
    sum += image.image.rgba.size();
  }
  for (const auto& model : scene.models) {
    if (model != nullptr && seen.insert(model.get()).second) {
      add_pixel_bytes(*model, seen, sum);
    }
  }
}

}  // namespace

std::uint64_t pixel_bytes(const Scene& scene) {
  std::set<const Scene*> seen;
  std::uint64_t sum = 0;
  add_pixel_bytes(scene, seen, sum);
  return sum;
}

}  // namespace thaw::scene
