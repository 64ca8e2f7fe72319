// thaw world: what a map shows from a place.
#include <thaw/codes.hpp>
#include <thaw/load.hpp>
#include <thaw/sources.hpp>
#include <thaw/world.hpp>

#include "bytes/escape.hpp"
#include "bytes/number_text.hpp"
#include "bytes/text_encoding.hpp"
#include "cli/arguments/commands.hpp"
#include "cli/inputs/textures.hpp"
#include "cli/inputs/world_input.hpp"
#include "cli/picture/view_options.hpp"
#include "cli/platform/job_control.hpp"
#include "cli/report/console.hpp"
#include "cli/report/report.hpp"
#include "cli/report/text.hpp"

#include <algorithm>
#include <cmath>

namespace thaw::cli {
namespace {

using world::View;

/// Where from, and with what.
struct Question {
  Eye eye;
  world::ViewOptions options;
  Companions companions;
};

/// Empty if all is well, else a usage error in words.
std::string take_options(const Settings& settings, Question& question) {
  const auto eye = parse_eye(settings.eye);
  if (!eye) {
    return settings.eye.empty() ? "world needs a camera position: --eye X,Y,Z"
                                : concat({"--eye ", settings.eye,
                                          ": expected a position such as 100,-250.5,40 or 100,-250.5,+2"});
  }
  question.eye = *eye;
  return take_view_options(settings, question.options);
}

// --- for machines

Value tile_json(world::TileIndex tile) { return Value::List{std::uint32_t{tile.x}, std::uint32_t{tile.y}}; }
Value place_json(const Vec3& place) { return Value::List{place[0], place[1], place[2]}; }
Value count_json(std::size_t count) { return static_cast<std::int64_t>(count); }

Value tiles_json(const View& view) {
  Value list = Value::List();
  for (const auto& tile : view.tiles) {
    list.push(Value()
                  .set("tile", tile_json(tile.tile))
                  .set("distance", tile.distance)
                  .set("exists", tile.exists)
                  .set("chunks", count_json(tile.chunks))
                  .set("triangles", static_cast<std::int64_t>(tile.triangles)));
  }
  return list;
}

Value chunks_json(const View& view) {
  Value list = Value::List();
  for (const auto& chunk : view.chunks) {
    list.push(Value()
                  .set("tile", tile_json(chunk.tile))
                  .set("chunk", Value::List{std::uint32_t{chunk.x}, std::uint32_t{chunk.y}})
                  .set("distance", chunk.seen.distance)
                  .set("visibility", chunk.seen.visibility)
                  .set("layers", chunk.layers)
                  .set("upper_layers", chunk.upper_layers)
                  .set("triangles", chunk.triangles)
                  .set("liquid_triangles", chunk.liquid_triangles));
  }
  return list;
}

Value placements_json(const View& view) {
  Value list = Value::List();
  for (const auto& placement : view.placements) {
    list.push(Value()
                  .set("kind", placement.building ? "building" : "doodad")
                  .set("tile", placement.tile ? tile_json(*placement.tile) : Value())
                  .set("name", placement.name)
                  .set("unique_id", placement.unique_id)
                  .set("position", place_json(placement.position))
                  .set("distance", placement.seen.distance)
                  .set("visibility", placement.seen.visibility));
  }
  return list;
}

Value fog_json(const View& view) {
  if (!view.fog) {
    return {};
  }
  return Value()
      .set("start", view.fog->start)
      .set("end", view.fog->end)
      .set("color", place_json(view.fog->color))
      .set("building", view.indoors.empty() ? Value() : Value(view.indoors));
}

Value light_json(const View& view) {
  if (!view.light) {
    return {};
  }
  Value colors = Value::Object();
  for (std::size_t track = 0; track < view.light->tracks; ++track) {
    std::string name(lit::track_name(track));
    std::replace(name.begin(), name.end(), ' ', '_');
    colors.set(name, place_json(view.light->colors.at(track)));
  }
  Value shares = Value::List();
  for (const auto& share : view.light->shares) {
    shares.push(Value().set("light", count_json(share.light)).set("weight", share.weight));
  }
  return Value().set("colors", std::move(colors)).set("lights", std::move(shares));
}

Value view_json(const Input& input, const Question& question, const View& view, const Diagnostics& findings) {
  const Identity identity = identify_file(input);
  Value value = envelope("world", input.name, &identity, findings, nullptr);
  value.set("camera", place_json(question.options.camera));
  value.set("far_clip", question.options.far_clip);
  value.set("time", question.options.light.time);
  value.set("standing_on", view.standing_on ? tile_json(*view.standing_on) : Value());
  value.set("tiles", tiles_json(view));
  value.set("chunks", chunks_json(view));
  value.set("placements", placements_json(view));
  Value far = Value::List();
  for (const auto tile : view.far_tiles) {
    far.push(tile_json(tile));
  }
  value.set("far_tiles", question.companions.far ? std::move(far) : Value());
  value.set("triangles", static_cast<std::int64_t>(view.triangles));
  value.set("far_triangles", static_cast<std::int64_t>(view.far_triangles));
  value.set("fog", fog_json(view));
  value.set("light", light_json(view));
  return value;
}

// --- for people

std::string rounded(double value) {
  std::string text;
  append_number(text, std::round(value * 10) / 10);
  return text;
}

std::string color_text(const Vec3& color) {
  std::string text = "#";
  for (const float channel : color) {
    text += hex_text(static_cast<std::uint64_t>(std::lround(std::clamp(channel, 0.0F, 1.0F) * 255)), 2);
  }
  return text;
}

std::string time_text(float time) {
  const auto minutes = static_cast<unsigned>(time) / 2;
  const auto two = [](unsigned value) { return (value < 10 ? "0" : "") + std::to_string(value); };
  return two(minutes / 60) + ":" + two(minutes % 60);
}

std::string view_text(const Input& input, const Question& question, const View& view) {
  const Vec3& camera = question.options.camera;
  std::string text = concat({shown(input.name), ": from ", rounded(double{camera[0]}), " north, ",
                             rounded(double{camera[1]}), " west, ", rounded(double{camera[2]}),
                             " up, far clip ", rounded(double{question.options.far_clip}), " yards\n"});
  const auto line = [&](std::string_view name, const std::string& content) {
    text += concat(
        {"  ", name, std::string(12 - std::min<std::size_t>(name.size(), 11), ' '), shown(content), "\n"});
  };
  const bool is_building = !view.placements.empty() && !view.placements.front().tile;
  line("stands on", is_building        ? "a map that consists of one WMO"
                    : view.standing_on ? concat({"tile ", std::to_string(view.standing_on->x), "_",
                                                 std::to_string(view.standing_on->y)})
                                       : "no tile (outside the map)");
  for (const auto& tile : view.tiles) {
    if (is_building && !tile.exists) {
      continue;
    }
    line("tile", concat({std::to_string(tile.tile.x), "_", std::to_string(tile.tile.y), "  ",
                         rounded(double{tile.distance}), " yards  ",
                         tile.exists ? concat({counted(tile.chunks, "chunk"), ", ",
                                               counted(tile.triangles, "triangle")})
                                     : "not in the map"}));
  }
  line("seen",
       concat({counted(view.chunks.size(), "chunk"), ", ", counted(view.placements.size(), "placement"), ", ",
               counted(view.triangles, "triangle")}));
  if (question.companions.far) {
    line("far terrain",
         concat({counted(view.far_tiles.size(), "tile"), ", ", counted(view.far_triangles, "triangle")}));
  }
  if (view.light) {
    line("light",
         concat({"at ", time_text(question.options.light.time), ": direct ",
                 color_text(view.light->colors[0]), ", ambient ", color_text(view.light->colors[1])}));
  } else {
    line("light", "unknown (no lights.lit; name one with --lights)");
  }
  if (view.fog) {
    line("fog", concat({"from ", rounded(double{view.fog->start}), " to ", rounded(double{view.fog->end}),
                        " yards, ", color_text(view.fog->color),
                        view.indoors.empty() ? std::string() : concat({", in ", view.indoors})}));
  } else if (view.light) {
    line("fog", "none stated");
  }
  for (const auto& placement : view.placements) {
    line(placement.building ? "building" : "doodad",
         concat({placement.name, "  ", rounded(double{placement.seen.distance}), " yards"}));
  }
  return text;
}

Exit refuse(std::string_view message) { return usage_error("world", message); }

Exit failed(const Input& input, const Error& error, const Diagnostics& findings, const Settings& settings) {
  const bool color = use_color(settings, stderr_is_terminal());
  write_stderr(concat({finding_lines(input.name, findings, settings, color),
                       finding_line(input.name, error, color), hint_line(error, settings)}));
  if (settings.json) {
    write_stdout(json_line(envelope("world", input.name, nullptr, findings, &error)));
  }
  return exit_of(error);
}

}  // namespace

int run_world(const Settings& settings) {
  Question question;
  if (const std::string why = take_options(settings, question); !why.empty()) {
    return refuse(why);
  }
  const Input input = named_input(settings.inputs.front(), settings);
  Diagnostics findings;
  const auto opened = open_map(input, settings, findings);
  if (!opened) {
    return failed(input, opened.error(), findings, settings);
  }
  if (!*opened) {
    return failed(
        input,
        Error{codes::kFormatUnsupported, {}, {}, "far terrain (WDL) is not a map by itself; name the WDT"},
        findings, settings);
  }
  const wdt::World& map = **opened;
  if (const auto error = read_companions(settings, input, question.companions, findings)) {
    return failed(input, *error, findings, settings);
  }
  const auto eye = place_of(question.eye, map, findings);
  if (!eye) {
    return failed(input, eye.error(), findings, settings);
  }
  question.options.camera = *eye;
  TextureFolders folders(settings);
  const MapModels models(folders.for_model(input), {});
  MapSceneParts parts(read_options(settings), findings);
  question.options.open_fogs = models.fogs(question.options.light.under_water, parts);
  const View view = world::view_from(map, question.companions.far ? &*question.companions.far : nullptr,
                                     question.companions.lights ? &*question.companions.lights : nullptr,
                                     question.options, findings);
  stop_when_requested();
  const bool color = use_color(settings, stderr_is_terminal());
  write_stderr(finding_lines(input.name, findings, settings, color));
  for (const auto& finding : findings.items()) {
    // Without its file the answer lacks the fog, which nobody would see.
    if (finding.code == codes::kWorldModelMissing && !settings.verbose && !settings.quiet) {
      write_stderr(finding_line(input.name, finding, color));
    }
  }
  const bool written = write_stdout(settings.json ? json_line(view_json(input, question, view, findings))
                                                  : view_text(input, question, view));
  return written && flush_stdout() ? kOk : kUnwritable;
}

}  // namespace thaw::cli
