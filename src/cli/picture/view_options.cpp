#include "cli/picture/view_options.hpp"

#include <thaw/codes.hpp>

#include "cli/inputs/inputs.hpp"
#include "cli/inputs/world_input.hpp"
#include "cli/report/report.hpp"
#include "cli/report/text.hpp"

#include <algorithm>

namespace thaw::cli {
namespace {

constexpr float kNoon = 1440;

template <class Document>
Result<Document> read_companion(const std::string& path, const Settings& settings,
                                Result<Document> (*read)(ByteView, const ReadOptions&, Diagnostics&),
                                Diagnostics& findings) {
  const ReadOptions options = read_options(settings);
  const auto bytes = read_file(path, options.limits);
  if (!bytes) {
    return tl::unexpected<Error>(bytes.error());
  }
  return read(*bytes, options, findings);
}

template <class Document>
std::optional<Error> take(const std::string& path, const Settings& settings,
                          Result<Document> (*read)(ByteView, const ReadOptions&, Diagnostics&),
                          Diagnostics& findings, std::optional<Document>& target) {
  auto document = read_companion<Document>(path, settings, read, findings);
  if (!document) {
    document.error().message = concat({path, ": ", document.error().message});
    return document.error();
  }
  target = std::move(*document);
  return std::nullopt;
}

}  // namespace

std::string take_view_options(const MapSettings& settings, world::ViewOptions& view) {
  if (settings.far_clip) {
    const auto far_clip = static_cast<float>(*settings.far_clip);
    if (!world::accepts_far_clip(far_clip)) {
      return "--far-clip must be in the range 177 to 777 yards, as in the WoW Alpha client";
    }
    view.far_clip = far_clip;
  }
  view.light.time = kNoon;
  if (!settings.time.empty()) {
    const auto time = parse_time(settings.time);
    if (!time) {
      return concat({"--hour ", settings.time, ": expected a time such as 13:30"});
    }
    view.light.time = *time;
  }
  if (settings.storm) {
    view.light.storm = static_cast<float>(*settings.storm);
  }
  view.light.under_water = settings.under_water;
  if (settings.texture_detail) {
    view.texture_detail = static_cast<float>(*settings.texture_detail);
  }
  return "";
}

std::optional<Eye> parse_eye(std::string_view text) {
  std::string plain(text);
  const std::size_t comma = plain.rfind(',');
  Eye eye;
  eye.above_ground = comma != std::string::npos && comma + 1 < plain.size() && plain[comma + 1] == '+';
  if (eye.above_ground) {
    plain.erase(comma + 1, 1);
  }
  const auto place = parse_place(plain);
  eye.place = place.value_or(Vec3{});
  return place ? std::optional(eye) : std::nullopt;
}

Result<Vec3> place_of(const Eye& eye, const wdt::World& map, Diagnostics& findings) {
  Vec3 place = eye.place;
  if (eye.above_ground) {
    const auto ground = world::ground_at(map, place, findings);
    if (!ground) {
      return fail(codes::kWorldNoTile,
                  "the map has no ground at the camera's position; give an absolute height, without +");
    }
    place[2] += *ground;
  }
  return place;
}

std::optional<Error> read_companions(const Settings& settings, const Input& input, Companions& companions,
                                     Diagnostics& findings) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path folder = input.path.parent_path();
  const auto choose = [&](const std::string& named, const fs::path& usual) {
    return !named.empty()                      ? named
           : fs::is_regular_file(usual, error) ? usual.generic_string()
                                               : std::string();
  };
  const bool on_disk = input.member == nullptr;
  const std::string lights = choose(settings.lights, on_disk ? folder / "lights.lit" : fs::path());
  if (!lights.empty()) {
    if (auto failure = take<lit::Document>(lights, settings, lit::read, findings, companions.lights)) {
      return failure;
    }
  }
  fs::path usual = input.path;
  const std::string far = choose(settings.wdl, on_disk ? usual.replace_extension(".wdl") : fs::path());
  return far.empty() ? std::nullopt : take<wdl::Document>(far, settings, wdl::read, findings, companions.far);
}

}  // namespace thaw::cli
