#include "bytes/escape.hpp"
#include "convert/named_values.hpp"

#include <functional>

#ifdef __EMSCRIPTEN__
/// 1 if JavaScript finds the expression in a text, whatever the case, and -1 if it is none. std::regex would
/// bring all locales into what pages load.
extern "C" __attribute__((import_module("thaw"), import_name("match"))) int thaw_js_match(const char* pattern,
                                                                                          const char* text);
#else
#include <regex>
#endif

namespace thaw {
namespace {

/// A regular expression (ECMAScript) that is searched for whatever the case.
class Pattern {
 public:
#ifdef __EMSCRIPTEN__
  explicit Pattern(std::string_view text) : text_(text) {}
  [[nodiscard]] bool is_valid() const { return thaw_js_match(text_.c_str(), "") >= 0; }
  [[nodiscard]] bool finds(const std::string& name) const {
    return thaw_js_match(text_.c_str(), name.c_str()) > 0;
  }

 private:
  std::string text_;
#else
  explicit Pattern(std::string_view text) {
    try {
      regex_.emplace(std::string(text), std::regex::ECMAScript | std::regex::icase);
    } catch (const std::regex_error&) {  // NOLINT(bugprone-empty-catch): it is none
    }
  }
  [[nodiscard]] bool is_valid() const { return regex_.has_value(); }
  [[nodiscard]] bool finds(const std::string& name) const { return std::regex_search(name, *regex_); }

 private:
  std::optional<std::regex> regex_;
#endif
};

template <class Number>
bool read_positive(Number& target, std::string_view value) {
  constexpr double kLeast = 0.000001;
  constexpr double kMostPositive = 1000000;
  double number = 0;
  if (!parse_double(value, number) || number < kLeast || number > kMostPositive) {
    return false;
  }
  target = static_cast<float>(number);
  return true;
}

constexpr std::array<std::pair<std::string_view, GltfProfile>, 3> kProfiles = {
    {{"compat", GltfProfile::compat}, {"rich", GltfProfile::rich}, {"blender", GltfProfile::blender}}};
constexpr std::array<std::pair<std::string_view, GltfExtras>, 3> kExtras = {
    {{"full", GltfExtras::full}, {"minimal", GltfExtras::minimal}, {"none", GltfExtras::none}}};
constexpr std::array<std::pair<std::string_view, GltfCompression>, 2> kCompressions = {
    {{"none", GltfCompression::none}, {"meshopt", GltfCompression::meshopt}}};
constexpr std::array<std::pair<std::string_view, GltfTextureFormat>, 4> kTextureFormats = {
    {{"png", GltfTextureFormat::png},
     {"jpeg", GltfTextureFormat::jpeg},
     {"webp", GltfTextureFormat::webp},
     {"keep", GltfTextureFormat::keep}}};
constexpr std::array<std::pair<std::string_view, bool>, 2> kAnimationFiles = {
    {{"together", false}, {"separate", true}}};
constexpr std::array<std::pair<std::string_view, GltfAxis>, 6> kAxes = {{{"x", GltfAxis::x},
                                                                         {"y", GltfAxis::y},
                                                                         {"z", GltfAxis::z},
                                                                         {"-x", GltfAxis::minus_x},
                                                                         {"-y", GltfAxis::minus_y},
                                                                         {"-z", GltfAxis::minus_z}}};
constexpr std::array<std::pair<std::string_view, PixelEncoding>, 7> kEncodings = {
    {{"auto", PixelEncoding::automatic},
     {"jpeg", PixelEncoding::jpeg},
     {"palette", PixelEncoding::palette},
     {"bc1", PixelEncoding::bc1},
     {"bc3", PixelEncoding::bc3},
     {"bc5", PixelEncoding::bc5},
     {"bgra", PixelEncoding::bgra}}};
constexpr std::array<std::pair<std::string_view, unsigned>, 6> kIndents = {
    {{"tab", 0U}, {"1", 1U}, {"2", 2U}, {"3", 3U}, {"4", 4U}, {"8", 8U}}};
constexpr std::array<std::pair<std::string_view, mdl::LineEnding>, 2> kLineEndings = {
    {{"lf", mdl::LineEnding::lf}, {"crlf", mdl::LineEnding::crlf}}};
constexpr std::array<std::pair<std::string_view, mdl::Dialect>, 2> kDialects = {
    {{"community", mdl::Dialect::community}, {"world-editor", mdl::Dialect::world_editor}}};

/// One tile of a map.
bool read_tile(ConvertOptions& options, std::string_view value) {
  const std::size_t comma = std::min(value.find(','), value.size());
  const auto x = parse_whole(value.substr(0, comma));
  const auto y = parse_whole(value.substr(std::min(comma + 1, value.size())));
  if (!x || !y || std::max(*x, *y) >= world::kTilesPerSide) {
    return false;
  }
  options.map.tiles = {*x, *x, *y, *y};
  options.scene.tiles = {{static_cast<std::uint8_t>(*x), static_cast<std::uint8_t>(*y)}};
  return true;
}

/// Case does not matter, as in all names of clips. Longer names would take the stack of the matcher.
bool read_clips(std::function<bool(std::string_view)>& requested, std::string_view value) {
  constexpr std::size_t kLongestName = 1000;
  requested = {};
  if (value.empty() || value == "all") {
    return true;
  }
  const Pattern pattern(value);
  if (!pattern.is_valid()) {
    return false;
  }
  requested = [pattern](std::string_view name) {
    // As it stands in the file, or as people see it.
    return name.size() <= kLongestName && (pattern.finds(std::string(name)) || pattern.finds(shown(name)));
  };
  return true;
}

bool read_level(std::optional<std::uint32_t>& level, std::string_view value) {
  level = parse_whole(value);
  return level || value == "all";
}

bool read_replaceable(OpenSceneOptions& scene, std::string_view value) {
  const std::size_t at = value.find('=');
  const auto id = parse_whole(value.substr(0, at));
  if (at == std::string_view::npos || !id || at + 1 == value.size()) {
    return false;
  }
  scene.replaceables.emplace_back(*id, value.substr(at + 1));
  return true;
}

bool read_texture_format(ConvertOptions& options, std::string_view value) {
  const bool known = named::read_choice(options.gltf.texture_format, value, kTextureFormats);
  options.scene.keep_files = options.gltf.texture_format == GltfTextureFormat::keep;
  return known;
}

bool read_team_color(OpenSceneOptions& scene, std::string_view value) {
  scene.all_team_colors = value == "all";
  const auto color = scene.all_team_colors ? scene::TeamColor{} : scene::parse_team_color(value);
  scene.team_color = color.value_or(scene.team_color);
  return color.has_value();
}

bool read_bone_map(mrn::BoneNames& names, std::string_view value) {
  auto known = mrn::known_bone_map(value);
  if (known) {
    names = std::move(*known);
  }
  return known.has_value();
}

/// A requested quality implies an encoding that has one.
bool read_quality(EncodeOptions& encode, std::string_view value) {
  encode.encoding = encode.encoding == PixelEncoding::automatic ? PixelEncoding::jpeg : encode.encoding;
  return named::read_whole(encode.quality, value, 1, 100);
}

bool read_materials(std::optional<bool>& hd, std::string_view value, bool meaning) {
  bool on = false;
  const bool known = named::read_switch(on, value);
  hd = on ? std::optional(meaning) : std::nullopt;
  return known;
}

using Given = std::string_view;
using Options = ConvertOptions;

// Sorted by name.
constexpr auto kConvertEntries = std::to_array<named::Entry<ConvertOptions>>({
    {{"animations", "together|separate"},
     [](Options& o, Given v) { return named::read_choice(o.gltf.separate_animations, v, kAnimationFiles); }},
    {{"bake-global", "on|off"}, [](Options& o, Given v) { return named::read_switch(o.bake_loops, v); }},
    {{"bare", "on|off"}, [](Options& o, Given v) { return named::read_switch(o.model.bare, v); }},
    {{"bone-map", "mixamo|rigify"}, [](Options& o, Given v) { return read_bone_map(o.model.bone_names, v); }},
    {{"bones", "on|off"}, [](Options& o, Given v) { return named::read_switch(o.scene.bones, v); }},
    {{"clip", "all or a regular expression"},
     [](Options& o, Given v) { return read_clips(o.scene.clips.requested, v); }},
    {{"collision", "on|off"}, [](Options& o, Given v) { return named::read_switch(o.scene.collision, v); }},
    {{"compress", "none|meshopt"},
     [](Options& o, Given v) { return named::read_choice(o.gltf.compression, v, kCompressions); }},
    {{"disabled", "on|off"}, [](Options& o, Given v) { return named::read_switch(o.texture.disabled, v); }},
    {{"doodad-set", "text"}, [](Options& o, Given v) { return named::read_text(o.scene.doodad_set, v); }},
    {{"encoding", "auto|jpeg|palette|bc1|bc3|bc5|bgra"},
     [](Options& o, Given v) { return named::read_choice(o.texture.encode.encoding, v, kEncodings); }},
    {{"encoding-of-names", kCodePageWords},
     [](Options& o, Given v) {
       const auto page = parse_code_page(v);
       o.scene.read.code_page = page.value_or(CodePage::automatic);
       return page.has_value();
     }},
    {{"every", "1 to 65536"},
     [](Options& o, Given v) { return named::read_whole(o.scene.every, v, 1, 1U << 16U); }},
    {{"extras", "full|minimal|none"},
     [](Options& o, Given v) { return named::read_choice(o.gltf.extras, v, kExtras); }},
    {{"format-version", "a whole number"},
     [](Options& o, Given v) { return named::read_whole(o.model.version.emplace(), v); }},
    {{"front", "x|y|z|-x|-y|-z"},
     [](Options& o, Given v) { return named::read_choice(o.model.front.emplace(), v, kAxes); }},
    {{"hd", "on|off"}, [](Options& o, Given v) { return read_materials(o.model.hd, v, true); }},
    {{"indent", "tab|1|2|3|4|8"},
     [](Options& o, Given v) { return named::read_choice(o.text.indent, v, kIndents); }},
    {{"instances", "on|off"}, [](Options& o, Given v) { return named::read_switch(o.gltf.instances, v); }},
    {{"line-ending", "lf|crlf"},
     [](Options& o, Given v) { return named::read_choice(o.text.line_ending, v, kLineEndings); }},
    {{"lod", "a whole number or all"}, [](Options& o, Given v) { return read_level(o.scene.lod, v); }},
    {{"lods", "1 to 9"}, [](Options& o, Given v) { return named::read_whole(o.model.levels, v, 1, 9); }},
    {{"max-error", "0.000001 to 1000000"},
     [](Options& o, Given v) { return read_positive(o.scene.max_error, v); }},
    {{"max-size", "1 to 4294967295"},
     [](Options& o, Given v) { return named::read_whole(o.texture.longest_side, v, 1); }},
    {{"mdl-dialect", "community|world-editor"},
     [](Options& o, Given v) { return named::read_choice(o.text.dialect, v, kDialects); }},
    {{"no-mipmaps", "on|off"},
     [](Options& o, Given v) { return named::read_negated(o.texture.encode.mipmaps, v); }},
    {{"plain", "on|off"}, [](Options& o, Given v) { return named::read_switch(o.text.plain, v); }},
    {{"png-level", "1 to 12"},
     [](Options& o, Given v) { return named::read_whole(o.texture.png_level, v, 1, 12); }},
    {{"portals", "on|off"}, [](Options& o, Given v) { return named::read_switch(o.scene.portals, v); }},
    {{"precision", "1 to 9"},
     [](Options& o, Given v) { return named::read_whole(o.text.precision, v, 1, 9); }},
    {{"profile", "compat|rich|blender"},
     [](Options& o, Given v) { return named::read_choice(o.gltf.profile, v, kProfiles); }},
    {{"quality", "1 to 100"}, [](Options& o, Given v) { return read_quality(o.texture.encode, v); }},
    {{"quantize", "on|off"}, [](Options& o, Given v) { return named::read_switch(o.gltf.quantize, v); }},
    {{"rate", "0.000001 to 1000000"}, [](Options& o, Given v) { return read_positive(o.model.rate, v); }},
    {{"replaceable", "ID=PATH"}, [](Options& o, Given v) { return read_replaceable(o.scene, v); }},
    {{"root-motion", "on|off"},
     [](Options& o, Given v) { return named::read_switch(o.scene.clips.root_motion, v); }},
    {{"scale", "0.000001 to 1000000"}, [](Options& o, Given v) { return read_positive(o.scene.scale, v); }},
    {{"sd", "on|off"}, [](Options& o, Given v) { return read_materials(o.model.hd, v, false); }},
    {{"skeleton", "text"}, [](Options& o, Given v) { return named::read_text(o.scene.skeleton, v); }},
    {{"strict", "on|off"}, [](Options& o, Given v) { return named::read_switch(o.scene.read.strict, v); }},
    {{"swap-inheritance", "on|off"},
     [](Options& o, Given v) { return named::read_switch(o.scene.swap_inheritance, v); }},
    {{"team-color", "0 to 23, a name, #RRGGBB or all"},
     [](Options& o, Given v) { return read_team_color(o.scene, v); }},
    {{"texture-format", "png|jpeg|webp|keep"}, [](Options& o, Given v) { return read_texture_format(o, v); }},
    {{"texture-path", "text"}, [](Options& o, Given v) { return named::read_text(o.model.texture_path, v); }},
    {{"tiles", "X,Y"}, [](Options& o, Given v) { return read_tile(o, v); }},
    {{"tolerance", "0.000001 to 1000000"},
     [](Options& o, Given v) { return read_positive(o.model.tolerance, v); }},
    {{"weights", "on|off"}, [](Options& o, Given v) { return named::read_switch(o.model.weights, v); }},
    {{"with-textures", "on|off"}, [](Options& o, Given v) { return named::read_switch(o.model.classic, v); }},
});
static_assert(named::is_sorted(kConvertEntries));
constexpr auto kConvertNames = named::names_of(kConvertEntries);

}  // namespace

std::span<const NamedOption> convert_option_names() { return kConvertNames; }

Result<void> set_option(ConvertOptions& options, std::string_view name, std::string_view value) {
  return named::set(kConvertEntries, "conversions", options, name, value);
}

}  // namespace thaw
