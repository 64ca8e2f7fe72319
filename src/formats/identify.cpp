#include <thaw/adr.hpp>
#include <thaw/format.hpp>
#include <thaw/materials.hpp>
#include <thaw/pack.hpp>

#include "bytes/text.hpp"
#include "document/description.hpp"
#include "formats/format_table.hpp"

namespace thaw {
namespace {

constexpr std::size_t kTextWindow = 65536;

std::string_view beginning_of(ByteView bytes) { return as_text(bytes).substr(0, kTextWindow); }

// --- signatures
// -------------------------------------------------------------------------------------------------

struct Signature {
  std::string_view bytes;
  Format format;
};

using namespace std::string_view_literals;
constexpr std::array kSignatures = {
    Signature{"MDLX"sv, Format::mdx},
    Signature{"BLP1"sv, Format::blp1},
    Signature{"BLP2"sv, Format::blp2},
    Signature{"DDS "sv, Format::dds},
    Signature{"\x89PNG\r\n\x1A\n"sv, Format::png},
    Signature{"Morf"sv, Format::mrf},
    Signature{"MD20"sv, Format::m2},
    Signature{"MD21"sv, Format::m2},
    Signature{"M3DT"sv, Format::m3_wow},
    Signature{"M3SI"sv, Format::m3_wow},
    Signature{"M3ST"sv, Format::m3_wow},
    Signature{"MES3"sv, Format::m3_wow},
    Signature{"M3CL"sv, Format::m3_wow},
    Signature{"M3SV"sv, Format::m3_wow},
    Signature{"M3VS"sv, Format::m3_wow},
    Signature{"M3XF"sv, Format::m3_wow},
    Signature{"33DM"sv, Format::m3_starcraft},
    Signature{"43DM"sv, Format::m3_starcraft},
    Signature{"MPQ\x1A"sv, Format::mpq},
    Signature{"MPQ\x1B"sv, Format::mpq},
    Signature{"HM3W"sv, Format::mpq},
    Signature{"PAK\x01"sv, Format::pack2},
    Signature{"DMOD"sv, Format::dme},
    Signature{"DMAT"sv, Format::dma},
    Signature{"REVM"sv, Format::wow_chunked},
    Signature{"IDPO"sv, Format::quake_mdl},
    Signature{"IDP2"sv, Format::quake_mdl},
    Signature{"IDST"sv, Format::source_mdl},
    Signature{"IDSQ"sv, Format::source_mdl},
    Signature{"glTF"sv, Format::glb},
    Signature{"\xFF\xD8\xFF"sv, Format::jpeg},
};

Format by_signature(std::string_view text) {
  for (const auto& signature : kSignatures) {
    if (text.starts_with(signature.bytes)) {
      return signature.format;
    }
  }
  return Format::unknown;
}

// --- text formats
// -----------------------------------------------------------------------------------------------

std::string_view without_blanks(std::string_view text) {
  const std::size_t start = text.find_first_not_of(" \t\r\n");
  return start == std::string_view::npos ? std::string_view{} : text.substr(start);
}

bool is_gltf_text(std::string_view text) {
  return without_blanks(text).starts_with("{") && text.find("\"asset\"") != std::string_view::npos;
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

Format by_text(std::string_view text) {
  text = without_byte_order_mark(text);
  if (mdl::is_mdl(as_bytes(text))) {
    return Format::mdl;
  }
  if (adr::is_actor(text)) {
    return Format::adr;
  }
  if (materials::is_materials(text)) {
    return Format::forgelight_materials;
  }
  if (is_gltf_text(text)) {
    return Format::gltf;
  }
  return is_markdown(text) ? Format::markdown : Format::unknown;
}

// --- formats without a signature
// --------------------------------------------------------------------------------

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

bool has_tga_footer(ByteView bytes) {
  constexpr std::string_view kFooter("TRUEVISION-XFILE.\0", 18);
  constexpr std::size_t kLeast = 18 + 26;  // header and footer
  return bytes.size() >= kLeast &&
         std::memcmp(bytes.data() + bytes.size() - kFooter.size(), kFooter.data(), kFooter.size()) == 0;
}

/// TGA has no magic number: every field of the header has to make sense (format page warcraft3, §7.4).
bool is_tga_header(ByteView bytes) {
  constexpr std::size_t kHeader = 18;
  if (bytes.size() <= kHeader) {
    return false;
  }
  const unsigned map_type = bytes[1];
  const unsigned kind = bytes[2] & ~8U;  // bit 3: run-length coded
  const unsigned map_first = bytes[3] | static_cast<unsigned>(bytes[4]) << 8U;
  const unsigned map_length = bytes[5] | static_cast<unsigned>(bytes[6]) << 8U;
  const unsigned map_depth = bytes[7];
  const unsigned width = bytes[12] | static_cast<unsigned>(bytes[13]) << 8U;
  const unsigned height = bytes[14] | static_cast<unsigned>(bytes[15]) << 8U;
  const unsigned depth = bytes[16];
  const auto color_depth = [](unsigned bits) { return bits == 15 || bits == 16 || bits == 24 || bits == 32; };
  const bool map = kind == 1 ? map_type == 1 && map_length > 0 && (map_length <= 256 || depth > 8) &&
                                   color_depth(map_depth)
                             : map_type == 0 && map_first == 0 && map_length == 0;
  const bool pixels = kind == 2 ? color_depth(depth) : depth == 8 || depth == 16;
  return bytes[2] <= 11 && kind >= 1 && kind <= 3 && map && pixels && width > 0 && height > 0 &&
         (bytes[17] & 0xC0U) == 0;
}

/// What is left of a file whose first part could not be decrypted (format page wow-m3, §1).
bool begins_with_zeros(ByteView bytes) {
  constexpr std::size_t kZeros = 8;
  return bytes.size() >= kZeros &&
         std::all_of(bytes.begin(), bytes.begin() + kZeros, [](std::uint8_t byte) { return byte == 0; });
}

/// Files of World of Warcraft that begin with MVER, by the chunk behind it.
Format world_format(ByteView bytes) {
  return wdt::is_wdt(bytes)   ? Format::wdt
         : wdl::is_wdl(bytes) ? Format::wdl
         : adt::is_map(bytes) ? Format::wdt_later
         : adt::is_adt(bytes) ? Format::adt
                              : Format::wow_chunked;
}

Format detect(ByteView bytes) {
  if (std::all_of(bytes.begin(), bytes.end(), [](std::uint8_t byte) { return byte == 0; })) {
    return Format::empty;
  }
  const std::string_view text = beginning_of(bytes);
  if (wmo::part_of(bytes) != wmo::Part::none) {
    return Format::wmo;
  }
  if (const Format format = by_signature(text); format != Format::unknown) {
    return format == Format::wow_chunked ? world_format(bytes) : format;
  }
  if (mrn::layout_of(bytes)) {
    return Format::mrn;
  }
  if (lit::is_lit(bytes)) {
    return Format::lit;
  }
  if (m3::is_library(bytes)) {
    return Format::m3_library;
  }
  if (has_tga_footer(bytes)) {
    return Format::tga;
  }
  if (const Format format = by_text(text); format != Format::unknown) {
    return format;
  }
  if (nsa::is_nsa(bytes)) {
    return Format::nsa;
  }
  if (pack::is_pack1(bytes.first(std::min(bytes.size(), kTextWindow)))) {
    return Format::pack1;
  }
  if (is_x68000_music(text)) {
    return Format::x68000_music;
  }
  return is_tga_header(bytes) ? Format::tga : Format::unknown;
}

// --- details
// ----------------------------------------------------------------------------------------------------

void tell_mdx(ByteView bytes, Identity& identity) {
  identity.version = mdx::stated_version(bytes);
  identity.dialect = "wc3";
  if (mdx::is_wow_alpha(bytes)) {
    identity.name = "World of Warcraft alpha model (MDX)";
    identity.dialect = "wow-alpha";
    identity.explanation =
        "this is a model of World of Warcraft's alpha (MDX, dialect wow-alpha), not one of Warcraft III";
  }
}

void tell_wmo(ByteView bytes, Identity& identity) {
  constexpr std::size_t kVersionAt = 8;
  identity.version = load_plain<std::uint32_t>(bytes.data() + kVersionAt);
  switch (wmo::part_of(bytes)) {
    case wmo::Part::whole:
      identity.dialect = "wow-alpha";
      break;
    case wmo::Part::group:
      identity.dialect = "group";
      identity.name = "World of Warcraft building part (WMO group)";
      identity.explanation =
          "this is a part of a building of World of Warcraft (WMO group); its root has the name without "
          "the "
          "number";
      break;
    default:
      identity.dialect = "root";
      break;
  }
}
constexpr std::size_t kTagAndSize = 8;

void tell_wow_chunked(ByteView bytes, Identity& identity) {
  constexpr std::size_t kVersionChunk = 12;
  if (bytes.size() < kVersionChunk + 4) {
    return;
  }
  identity.version = load_plain<std::uint32_t>(bytes.data() + kTagAndSize);
  const std::string_view next = as_text(bytes).substr(kVersionChunk, 4);
  const auto is = [&](std::string_view name, std::string_view explanation) {
    identity.name = name;
    identity.explanation = explanation;
  };
  // The tags stand backwards in these files.
  if (next == "DHPM" || next == "NIAM") {
    is("World of Warcraft map (WDT)", "this is a map of World of Warcraft (WDT), not a model");
  } else if (next == "RDHM") {
    is("World of Warcraft map tile (ADT)", "this is a tile of a World of Warcraft map (ADT), not a model");
  }
}

void tell_mrn(ByteView bytes, Identity& identity) {
  const mrn::Layout layout = *mrn::layout_of(bytes);
  // The words are those of the platform that the file is for.
  identity.version = layout == mrn::Layout::big_endian ? bytes[3] : bytes[0];
  switch (layout) {
    case mrn::Layout::big_endian:
      identity.dialect = "big-endian";
      identity.explanation =
          "this is a Forgelight or Morpheme animation network for a big-endian console (MRN), whose layout "
          "is "
          "not known: its bytes are kept as they are";
      break;
    case mrn::Layout::le32:
      identity.dialect = "le32";
      identity.explanation =
          "this is a Forgelight or Morpheme animation network for 32-bit machines (MRN), of which only the "
          "packets are known: their content is kept as it is";
      break;
    default:
      identity.dialect = "le64";
      break;
  }
}

}  // namespace

std::string_view format_id(Format format) { return format_entry(format).id; }

Identity identify(ByteView bytes) {
  const FormatEntry& row = format_entry(detect(bytes));
  Identity identity;
  identity.format = row.format;
  identity.name = row.name;
  identity.readable = row.reads;
  identity.explanation = row.explanation;
  if (row.format == Format::mdx) {
    tell_mdx(bytes, identity);
  } else if (row.format == Format::mdl) {
    identity.version = mdl::stated_version(bytes.first(std::min(bytes.size(), kTextWindow)));
  } else if (row.format == Format::lit) {
    // The highest bit is a mark of its own.
    identity.version = load_plain<std::uint32_t>(bytes.data()) & 0x7FFFFFFFU;
  } else if (row.format == Format::wmo) {
    tell_wmo(bytes, identity);
  } else if (row.format == Format::dme) {
    identity.version = dme::stated_version(bytes);
  } else if (row.format == Format::wow_chunked) {
    tell_wow_chunked(bytes, identity);
  } else if (row.format == Format::mrn) {
    tell_mrn(bytes, identity);
  } else if (row.format == Format::wdt || row.format == Format::wdl || row.format == Format::wdt_later ||
             row.format == Format::adt) {
    identity.version = load_plain<std::uint32_t>(bytes.data() + kTagAndSize);
  } else if (row.format == Format::mpq && bytes[0] == 'H') {
    identity.name = "Warcraft III map (MPQ archive)";
  } else if (row.format == Format::m2 && bytes.size() >= 8 && bytes[3] == '0') {
    identity.version = load_plain<std::uint32_t>(bytes.data() + 4);
  } else if (row.format == Format::m3_wow) {
    identity.version = m3::stated_version(bytes);
  } else if (row.format == Format::empty && bytes.empty()) {
    identity.explanation = "the file is empty";
  } else if (row.format == Format::unknown && begins_with_zeros(bytes)) {
    identity.explanation = "it begins with zeros, as a file that is encrypted and whose key is missing";
  }
  return identity;
}

std::span<const FormatEntry> known_formats() {
  return std::span(kFormatEntries).subspan(1);  // without `unknown`
}

}  // namespace thaw
