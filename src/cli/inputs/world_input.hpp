// Maps (WDT) and far terrain (WDL) as inputs: opened where they lie, so that one tile costs one tile.
#pragma once

#include <thaw/wdl.hpp>
#include <thaw/wdt.hpp>
#include <thaw/world.hpp>

#include "cli/inputs/inputs.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace thaw::cli {

/// The bytes of an input without reading them; those of an archive's file are unpacked.
Result<std::shared_ptr<const Storage>> input_storage(const Input& input, const Settings& settings);

/// Is the input a map or far terrain? From its first bytes, an archive's file is not unpacked for it; false
/// if it cannot be read.
bool is_world_input(const Input& input);

/// Is it a map in a file of its own, which can be read tile by tile?
bool is_streamed(const Input& input);

/// The map; none if it is far terrain alone.
Result<std::optional<wdt::World>> open_map(const Input& input, const Settings& settings,
                                           Diagnostics& findings);

/// "30-34,41-44", "30,41" or "" for all; none for anything else.
std::optional<wdt::TileRange> parse_tiles(std::string_view text);
/// How far tiles go east and south.
struct TileShift {
  int x = 0;
  int y = 0;
};
/// "2,-1", or "" for nowhere; none for anything else.
std::optional<TileShift> parse_shift(std::string_view text);
/// "31,48" or "31,48:4-7,0-3", the chunks of a tile, and how far they go as `shift` says it, such as "16,-1";
/// none for anything else.
std::optional<wdt::ChunkMove> parse_chunks(std::string_view text, std::string_view shift);
/// Why --tiles is no range; empty if it is one.
std::string check_tiles(const Settings& settings);
/// The same, and why there is nothing that it could choose from: no input is a map that is read by tiles.
std::string check_tiles(const Settings& settings, const std::vector<Input>& inputs);
/// A map's file tile by tile, of the tiles that --tiles names; its findings and errors go where they belong.
/// Errors: those of wdt::Stream, world.no-tile.
Result<wdt::Stream> open_stream(const Input& input, const Settings& settings, Diagnostics& findings);

/// "X,Y,Z" as three finite numbers; none for anything else.
std::optional<Vec3> parse_place(std::string_view text);
/// "13:30" as half-minutes; none for anything else.
std::optional<float> parse_time(std::string_view text);
/// A finite number; none for anything else.
std::optional<float> parse_number(std::string_view text);

}  // namespace thaw::cli
