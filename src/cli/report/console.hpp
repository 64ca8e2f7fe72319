// The two streams: data on stdout, messages on stderr.
#pragma once

#include "bytes/number_text.hpp"
#include "cli/arguments/settings.hpp"
#include "cli/platform/terminal.hpp"

#include <string>
#include <string_view>

namespace thaw::cli {

/// Whole or not at all: false if stdout could not take everything (disk full). On a terminal both streams
/// show control characters as signs (␛), but for the ends of lines, tabs and what `paint` makes:
/// names come from files of strangers, and must not move the cursor.
bool write_stdout(std::string_view text);
/// Flushes stdout; false if anything could not be written.
bool flush_stdout();
void write_stderr(std::string_view text);
/// One line on stderr that says how far the run is, until the next one or until anything else is written.
void show_status(std::string_view text);
void clear_status();
/// Says what is wrong with the command line, and where its help is; for the command to return.
Exit usage_error(std::string_view command, std::string_view message);

/// Colours on the stream of this kind, from --color, NO_COLOR, FORCE_COLOR and TERM.
bool use_color(const RunSettings& settings, bool stream_is_terminal);

/// Goes to the beginning of the line and clears it; at the beginning of a text only.
inline constexpr std::string_view kClearLine = "\r\x1b[K";

enum class Style : std::uint8_t { plain, bold, dim, red, yellow, green, cyan };
std::string paint(Style style, std::string_view text, bool color);

/// "212 KB", "1.4 MB": powers of 1000 and at least two digits, as people read sizes.
std::string human_size(std::uint64_t bytes);

}  // namespace thaw::cli
