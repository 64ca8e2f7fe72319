#include "bytes/text_encoding.hpp"
#include "convert/named_values.hpp"

namespace thaw {
namespace {

using Color = std::array<std::uint8_t, 4>;

std::optional<double> number_of(std::string_view text) {
  constexpr double kLargest = 1e9;
  double value = 0;
  return parse_double(text, value) && value > -kLargest && value < kLargest ? std::optional(value)
                                                                            : std::nullopt;
}

std::string_view take_part(std::string_view& text, char separator) {
  const std::size_t end = std::min(text.find(separator), text.size());
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return part;
}

bool read_side(std::uint32_t& side, std::string_view text) {
  constexpr std::uint32_t kLargestSide = 8192;
  side = parse_whole(text).value_or(0);
  return side >= 1 && side <= kLargestSide;
}

bool read_size(Shot& shot, std::string_view text) {
  const std::size_t between = text.find('x');
  return read_side(shot.width, text.substr(0, between)) &&
         read_side(shot.height, between == std::string_view::npos ? text : text.substr(between + 1));
}

bool read_color(Color& target, std::string_view text) {
  struct Name {
    std::string_view name;
    Color color;
  };
  static constexpr std::array<Name, 6> kColors = {{{"", {0x3C, 0x42, 0x48, 255}},
                                                   {"transparent", {0, 0, 0, 0}},
                                                   {"black", {0, 0, 0, 255}},
                                                   {"white", {255, 255, 255, 255}},
                                                   {"gray", {128, 128, 128, 255}},
                                                   {"grey", {128, 128, 128, 255}}}};
  const auto known =
      std::find_if(kColors.begin(), kColors.end(), [&](const Name& entry) { return entry.name == text; });
  if (known != kColors.end()) {
    target = known->color;
    return true;
  }
  const auto channels = text.front() == '#' ? bytes_of_hex(text.substr(1)) : std::nullopt;
  if (!channels || (channels->size() != 3 && channels->size() != 4)) {
    return false;
  }
  target = {0, 0, 0, 255};
  std::copy(channels->begin(), channels->end(), target.begin());
  return true;
}

/// "none" or "START,END[,COLOR]".
bool read_fog(Shot& shot, std::string_view text) {
  frame::Fog& fog = shot.frame.fog;
  fog.enabled = text != "none";
  if (!fog.enabled) {
    return true;
  }
  const auto parts = std::count(text.begin(), text.end(), ',') + 1;
  const auto start = number_of(take_part(text, ','));
  const auto end = number_of(take_part(text, ','));
  Color color = shot.raster.background;
  if (parts > 3 || !start || !end || *start < 0 || *end < *start ||
      (parts == 3 && !read_color(color, text))) {
    return false;
  }
  fog.start = static_cast<float>(*start);
  fog.end = static_cast<float>(*end);
  for (std::size_t i = 0; i < 3; ++i) {
    fog.color.at(i) = static_cast<float>(color.at(i)) / 255;
  }
  return true;
}

/// Nothing is before the start of a clip, and no share after its end.
bool read_moment(Shot& shot, std::string_view text) {
  const bool share = !text.empty() && text.back() == '%';
  const auto number = number_of(text.substr(0, text.size() - (share ? 1 : 0)));
  if (!number || *number < 0 || (share && *number > 100)) {
    return false;
  }
  shot.moment = ClipTime{*number, share};
  return true;
}

constexpr std::array<std::pair<std::string_view, frame::Lighting>, 4> kLights = {
    {{"studio", frame::Lighting::renderer},
     {"overhead", frame::Lighting::overhead},
     {"scene", frame::Lighting::scene},
     {"none", frame::Lighting::none}}};
constexpr std::array<std::pair<std::string_view, unsigned>, 4> kSamples = {
    {{"1", 1U}, {"4", 4U}, {"8", 8U}, {"16", 16U}}};

using Given = std::string_view;

// Sorted by name.
constexpr auto kShotEntries = std::to_array<named::Entry<Shot>>({
    {{"background", "transparent, black, white, gray, #RRGGBB or #RRGGBBAA"},
     [](Shot& s, Given v) { return read_color(s.raster.background, v); }},
    {{"bones", "on|off"}, [](Shot& s, Given v) { return named::read_switch(s.frame.bones, v); }},
    {{"camera", "text"}, [](Shot& s, Given v) { return named::read_text(s.camera, v); }},
    {{"clip", "text"}, [](Shot& s, Given v) { return named::read_text(s.clip, v); }},
    {{"collision", "on|off"}, [](Shot& s, Given v) { return named::read_switch(s.frame.collision, v); }},
    {{"extents", "on|off"}, [](Shot& s, Given v) { return named::read_switch(s.frame.extents, v); }},
    {{"fog", "none, or start, end and colour: 100,500,#8090a0"}, read_fog},
    {{"grid", "on|off"}, [](Shot& s, Given v) { return named::read_switch(s.frame.grid, v); }},
    {{"jobs", "1 to 64"}, [](Shot& s, Given v) { return named::read_whole(s.raster.threads, v, 1, 64); }},
    {{"light", "studio|overhead|scene|none"},
     [](Shot& s, Given v) { return named::read_choice(s.frame.lighting, v, kLights); }},
    {{"no-emitters", "on|off"}, [](Shot& s, Given v) { return named::read_negated(s.frame.emitters, v); }},
    {{"samples", "1, 4, 8 or 16"},
     [](Shot& s, Given v) { return named::read_choice(s.raster.samples, v, kSamples); }},
    {{"seed", "a whole number"}, [](Shot& s, Given v) { return named::read_whole(s.frame.seed, v); }},
    {{"size", "a number from 1 to 8192, or WIDTHxHEIGHT"}, read_size},
    {{"time", "seconds, or a percentage of the clip such as 50%"}, read_moment},
    {{"wireframe", "on|off"}, [](Shot& s, Given v) { return named::read_switch(s.frame.wireframe, v); }},
});
static_assert(named::is_sorted(kShotEntries));
constexpr auto kShotNames = named::names_of(kShotEntries);

}  // namespace

std::span<const NamedOption> shot_option_names() { return kShotNames; }

Result<void> set_option(Shot& shot, std::string_view name, std::string_view value) {
  return named::set(kShotEntries, "pictures", shot, name, value);
}

}  // namespace thaw
