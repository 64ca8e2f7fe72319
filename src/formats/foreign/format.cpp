// Formats that share an extension with those that are read, or lie among them: recognised, so that an error
// can say what a file is.
#include "bytes/text.hpp"
#include "describe/description.hpp"
#include "formats/list.hpp"

#include <algorithm>

namespace thaw {
namespace {

std::string_view without_blanks(std::string_view text) {
  const std::size_t start = text.find_first_not_of(" \t\r\n");
  return start == std::string_view::npos ? std::string_view{} : text.substr(start);
}

bool is_markdown(std::string_view text) {
  if (text.find('\0') != std::string_view::npos) {
    return false;
  }
  text = without_blanks(text);
  const std::string_view line = text.substr(0, text.find('\n'));
  const bool import = line.starts_with("import ") && (line.find(" from ") != std::string_view::npos ||
                                                      line.find_first_of("'\"") != std::string_view::npos);
  const bool front_matter = text.starts_with("---\n") || text.starts_with("---\r\n");
  const bool heading = text.substr(std::min(text.find_first_not_of('#'), text.size())).starts_with(" ") &&
                       text.starts_with("#");
  return import || front_matter || heading;
}

/// A title line, then the name of the sample file: `title 0D 0A 1A name 00`.
bool is_x68000_music(std::string_view text) {
  constexpr std::size_t kLongestTitle = 512;
  const std::size_t end = text.find("\r\n\x1A");
  if (end > kLongestTitle) {  // npos, too
    return false;
  }
  const auto holds_zero = [](std::string_view part) { return part.find('\0') != std::string_view::npos; };
  return !holds_zero(text.substr(0, end)) && holds_zero(text.substr(end, kLongestTitle));
}

/// Of letters of ASCII in units of two bytes, in either order, with or without a byte order mark.
bool is_utf16(ByteView bytes) {
  constexpr std::size_t kUnits = 8;
  const bool marked = begins_with(bytes, "\xFF\xFE") || begins_with(bytes, "\xFE\xFF");
  const ByteView text = bytes.subspan(marked ? 2 : 0);
  const std::size_t most = std::min(text.size(), 2 * kUnits);
  const auto all_in = [&](std::size_t low) {
    for (std::size_t at = 0; at + 1 < most; at += 2) {
      const std::uint8_t letter = text[at + low];
      const bool printed =
          (letter >= ' ' && letter < 0x7F) || letter == '\t' || letter == '\r' || letter == '\n';
      if (!printed || text[at + 1 - low] != 0) {
        return false;
      }
    }
    return true;
  };
  return (marked ? most >= 2 : most == 2 * kUnits) && (all_in(0) || all_in(1));
}

Evidence by_magics(ByteView bytes, std::initializer_list<std::string_view> magics) {
  for (const std::string_view magic : magics) {
    if (begins_with(bytes, magic)) {
      return Evidence::magic;
    }
  }
  return Evidence::none;
}

bool is_nothing(ByteView bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](std::uint8_t byte) { return byte == 0; });
}

void report_empty(ByteView bytes, Identity& identity) {
  if (bytes.empty()) {
    identity.explanation = "the file is empty";
  }
}

void report_m2(ByteView bytes, Identity& identity) {
  constexpr std::size_t kVersionAt = 4;
  if (begins_with(bytes, "MD20")) {
    identity.version = version_at(bytes, kVersionAt);
  }
}

/// A file of a world that is of none of the kinds that are read.
void report_world(ByteView bytes, Identity& identity) {
  constexpr std::size_t kVersionAt = 8;
  constexpr std::size_t kVersionChunk = 12;
  if (bytes.size() < kVersionChunk + 4) {
    return;
  }
  identity.version = version_at(bytes, kVersionAt);
  const std::string_view next = as_text(bytes).substr(kVersionChunk, 4);
  const auto is = [&](std::string_view name, std::string_view explanation) {
    identity.name = name;
    identity.explanation = explanation;
  };
  // The tags stand backwards in these files.
  if (next == "DHPM" || next == "NIAM") {
    is("World of Warcraft map (WDT)", "this is a World of Warcraft map (WDT), not a model");
  } else if (next == "RDHM") {
    is("World of Warcraft map tile (ADT)", "this is a World of Warcraft map tile (ADT), not a model");
  }
}

constexpr std::array kForeign = {
    FormatDescriptor{
        .id = "empty",
        .name = "empty file",
        .extensions = "",
        .explanation =
            "it contains only zeros: it was never filled, or it is encrypted and its key is missing",
        .strongest = Evidence::nothing_else,
        .recognise = [](ByteView bytes) { return if_found(is_nothing(bytes), Evidence::nothing_else); },
        .report = report_empty},
    FormatDescriptor{
        .id = "m2",
        .name = "World of Warcraft model (M2)",
        .extensions = ".m2 .mdx",
        .explanation = "this is a World of Warcraft M2 model, not an MDX, even with an .mdx name",
        .strongest = Evidence::magic,
        .recognise = [](ByteView bytes) { return by_magics(bytes, {"MD20", "MD21"}); },
        .report = report_m2},
    FormatDescriptor{
        .id = "m3-starcraft",
        .name = "StarCraft II model (M3)",
        .extensions = ".m3",
        .explanation = "this is a StarCraft II or Heroes of the Storm M3 model, not a World of Warcraft one",
        .strongest = Evidence::magic,
        .recognise = [](ByteView bytes) { return by_magics(bytes, {"33DM", "43DM"}); }},
    FormatDescriptor{
        .id = "wow-world",
        .name = "World of Warcraft world file (WDT, WDL, ADT or WMO)",
        .extensions = ".wdt .wdl .adt .wmo",
        .explanation = "this is a part of a World of Warcraft world (WDT, WDL, ADT or WMO), not a model",
        .strongest = Evidence::container,
        .recognise = [](ByteView bytes) { return if_found(begins_with(bytes, "REVM"), Evidence::container); },
        .report = report_world},
    FormatDescriptor{.id = "mdl-quake",
                     .name = "Quake model (MDL, MD2)",
                     .extensions = ".mdl .md2",
                     .explanation = "this is a Quake model, not a Warcraft III one",
                     .strongest = Evidence::magic,
                     .recognise = [](ByteView bytes) { return by_magics(bytes, {"IDPO", "IDP2"}); }},
    FormatDescriptor{.id = "mdl-source",
                     .name = "Half-Life or Source model (MDL)",
                     .extensions = ".mdl",
                     .explanation = "this is a Half-Life or Source model, not a Warcraft III one",
                     .strongest = Evidence::magic,
                     .recognise = [](ByteView bytes) { return by_magics(bytes, {"IDST", "IDSQ"}); }},
    FormatDescriptor{.id = "mdx-music",
                     .name = "X68000 music (MDX)",
                     .extensions = ".mdx",
                     .explanation = "this is X68000 music, which shares the extension .mdx, not a model",
                     .strongest = Evidence::words,
                     .recognise =
                         [](ByteView bytes) {
                           return if_found(is_x68000_music(as_text(bytes).substr(0, kTextWindow)),
                                           Evidence::words);
                         }},
    FormatDescriptor{.id = "text-utf16",
                     .name = "UTF-16 text",
                     .extensions = "",
                     .explanation = "this is text in UTF-16; save it as UTF-8 (iconv -f UTF-16 -t UTF-8)",
                     .strongest = Evidence::text,
                     .recognise = [](ByteView bytes) { return if_found(is_utf16(bytes), Evidence::text); }},
    // Known by name alone: what they hold is described nowhere (nsa.md#other-formats-of-animations).
    FormatDescriptor{.id = "qsa",
                     .name = "Morpheme animation (QSA)",
                     .extensions = ".qsa",
                     .explanation = "by its name this is a Morpheme animation (QSA), whose layout is "
                                    "unknown; thaw reads NSA, which Forgelight networks use"},
    FormatDescriptor{.id = "dwa",
                     .name = "Morpheme animation (DWA)",
                     .extensions = ".dwa",
                     .explanation = "by its name this is a Morpheme animation (DWA), whose layout is "
                                    "unknown; thaw reads NSA, which Forgelight networks use"},
    FormatDescriptor{.id = "mba",
                     .name = "Morpheme animation (MBA)",
                     .extensions = ".mba",
                     .explanation = "by its name this is a Morpheme animation (MBA), whose layout is "
                                    "unknown; thaw reads NSA, which Forgelight networks use"},
    FormatDescriptor{
        .id = "mdx-markdown",
        .name = "Markdown text (MD, MDX)",
        .extensions = ".md .mdx",
        .explanation = "this is Markdown text, which shares the extension .mdx, not a model",
        .strongest = Evidence::text,
        .recognise =
            [](ByteView bytes) { return if_found(is_markdown(text_window(bytes)), Evidence::text); }},
};

}  // namespace

std::span<const FormatDescriptor> foreign_formats() { return kForeign; }

}  // namespace thaw
