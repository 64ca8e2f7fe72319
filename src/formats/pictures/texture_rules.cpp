#include "formats/pictures/texture_rules.hpp"

#include "image/pixels.hpp"

#include <algorithm>

namespace thaw {
namespace {

using Blp = DocumentSubject<blp::Document>;
using Dds = DocumentSubject<dds::Document>;

bool is_power_of_two(std::uint32_t value) { return value != 0 && (value & (value - 1)) == 0; }
std::string size_text(std::uint32_t width, std::uint32_t height) {
  return say(width, " × ", height, " pixels");
}
/// Which sides fail a test; empty if none does.
template <class Test>
std::string odd_sides(std::uint32_t width, std::uint32_t height, std::string_view what, const Test& test) {
  if (test(width) && test(height)) {
    return {};
  }
  return say(size_text(width, height), ": ",
             test(width)    ? "the height is not "
             : test(height) ? "the width is not "
                            : "neither side is ",
             what);
}
bool is_blp1(const Blp& subject) { return subject.document.variant == blp::Variant::blp1; }

// --- BLP

/// Calls `use(level)` for every level that states a size.
template <class F>
void for_each_level(const Blp& subject, F&& use) {
  for (std::size_t level = 0; level < blp::Document::kLevels; ++level) {
    if (subject.document.sizes.at(level) > 0) {
      use(level);
    }
  }
}

void blp_mip_beyond(const Blp& subject, Report& report) {
  for_each_level(subject, [&](std::size_t level) {
    if (level >= chain_length(subject.document.width, subject.document.height)) {
      report.add(at("sizes", level), say("level ", level, " is smaller than one pixel"));
    }
  });
}

void blp_mip_shared(const Blp& subject, Report& report) {
  const auto& offsets = subject.document.offsets;
  for_each_level(subject, [&](std::size_t level) {
    const auto end = offsets.begin() + static_cast<std::ptrdiff_t>(level);
    if (const auto other = std::find(offsets.begin(), end, offsets.at(level)); other != end) {
      report.add(at("offsets", level),
                 say("level ", level, " shares its data with level ", other - offsets.begin()));
    }
  });
}

void blp_mip_decode(const Blp& subject, Report& report) {
  for (std::size_t level = 0; level < blp::level_count(subject.document); ++level) {
    Diagnostics findings;
    const auto image = blp::decode(subject.document, level, subject.options.read, findings);
    if (!image || findings.count(Severity::severe) > 0) {
      const std::string& why = image ? findings.items().front().message : image.error().message;
      report.add(at("offsets", level), say("level ", level, ": ", why));
    }
  }
}

/// Width and height in the first frame header of a JPEG stream; none if it has no frame.
std::optional<std::pair<std::uint32_t, std::uint32_t>> jpeg_size(ByteView bytes) {
  for (std::size_t i = 2; i + 9 < bytes.size();) {
    if (bytes[i] != 0xFF) {
      return std::nullopt;
    }
    const std::uint8_t marker = bytes[i + 1];
    const bool frame = marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 && marker != 0xCC;
    if (frame) {
      return std::pair<std::uint32_t, std::uint32_t>(bytes[i + 7] * 256U + bytes[i + 8],
                                                     bytes[i + 5] * 256U + bytes[i + 6]);
    }
    i += 2 + (bytes[i + 2] * 256U + bytes[i + 3]);
  }
  return std::nullopt;
}

void blp_jpeg_size(const Blp& subject, Report& report) {
  const auto& document = subject.document;
  for (std::size_t level = 0; level < blp::level_count(document) && document.content() == blp::Content::jpeg;
       ++level) {
    Bytes stream = document.jpeg_header;
    const ByteView data = document.level_data(level);
    stream.insert(stream.end(), data.begin(), data.end());
    const auto size = jpeg_size(stream);
    const std::pair expected(level_side(document.width, level), level_side(document.height, level));
    if (size && *size != expected) {
      report.add(at("offsets", level),
                 say("the JPEG of level ", level, " has ", size_text(size->first, size->second),
                     " instead of ", size_text(expected.first, expected.second)));
    }
  }
}

void blp_palette_size(const Blp& subject, Report& report) {
  const auto& document = subject.document;
  if (document.content() != blp::Content::palette || !is_blp1(subject)) {
    return;
  }
  for_each_level(subject, [&](std::size_t level) {
    const std::uint64_t pixels =
        std::uint64_t{level_side(document.width, level)} * level_side(document.height, level);
    const std::uint64_t expected = pixels + (pixels * document.alpha_bits + 7) / 8;
    if (document.sizes.at(level) != expected) {
      report.add(at("sizes", level),
                 say("level ", level, " states ", document.sizes.at(level), " bytes instead of ", expected));
    }
  });
}

// --- BLP2 as World of Warcraft's alpha has it (wow-alpha-world.md#textures)

bool is_blp2(const Blp& subject) { return subject.document.variant == blp::Variant::blp2; }

void blp2_encoding(const Blp& subject, Report& report) {
  const auto& document = subject.document;
  if (!is_blp2(subject)) {
    return;
  }
  if (document.compression != 1) {
    report.add("compression", say("unknown BLP2 version ", document.compression, "; the game's files use 1"));
  }
  const unsigned encoding = document.encoding;
  const unsigned depth = document.alpha_depth;
  const unsigned type = document.alpha_type;
  const bool palette = encoding == 1 && (depth == 0 || depth == 1 || depth == 4 || depth == 8);
  const bool blocks = encoding == 2 && (depth <= 1 || depth == 4 || depth == 8) &&
                      (type == 0 || type == 1 || type == 7 || (type == 8 && depth <= 1));
  if (!palette && !blocks && encoding != 3) {
    report.add("encoding", say("unknown pixel encoding ", encoding, " with ", counted_noun(depth, "bit"),
                               " of alpha of type ", type));
  }
}

/// Bytes of a level; none for content that has no fixed size.
std::optional<std::uint64_t> blp2_level_size(const blp::Document& document, std::size_t level) {
  const std::uint64_t width = level_side(document.width, level);
  const std::uint64_t height = level_side(document.height, level);
  const std::uint64_t blocks = ((width + 3) / 4) * ((height + 3) / 4);
  switch (document.content()) {
    case blp::Content::palette:
      return width * height + (width * height * document.alpha_depth + 7) / 8;
    case blp::Content::dxt1:
      return blocks * 8;
    case blp::Content::dxt3:
    case blp::Content::dxt5:
      return blocks * 16;
    case blp::Content::bgra:
      return width * height * 4;
    default:
      return std::nullopt;
  }
}

void blp2_mip_size(const Blp& subject, Report& report) {
  const auto& document = subject.document;
  if (!is_blp2(subject)) {
    return;
  }
  for (std::size_t level = 0; level < blp::level_count(document); ++level) {
    const auto expected = blp2_level_size(document, level);
    // Levels below one block may state more than they need.
    const bool tiny = std::max(level_side(document.width, level), level_side(document.height, level)) < 4;
    const std::uint64_t stated = document.sizes.at(level);
    if (expected && (stated < *expected || (stated > *expected && !tiny))) {
      report.add(at("sizes", level),
                 say("level ", level, " states ", stated, " bytes instead of ", *expected));
    }
  }
}

constexpr std::array kBlpRules = {
    BlpRule("blp.content", {kWarning, kWarning, kError}, "unknown content type",
            "Known types are 0 JPEG and 1 palette. Export the texture again.",
            once<"compression">([](const Blp& subject) {
              return is_blp1(subject) && subject.document.compression > 1
                         ? say("unknown content type ", subject.document.compression)
                         : "";
            })),
    BlpRule("blp.alpha-bits", {kWarning, kWarning, kError}, "invalid number of alpha bits",
            "Valid are 0, 1, 4 and 8. Export the texture again.", once<"alphaBits">([](const Blp& subject) {
              const auto bits = subject.document.alpha_bits;
              return is_blp1(subject) && bits != 0 && bits != 1 && bits != 4 && bits != 8
                         ? say(bits, " bits of alpha are invalid; valid are 0, 1, 4 and 8")
                         : "";
            })),
    BlpRule("blp.size-large", {kWarning, kInfo, kInfo}, "texture larger than 512 × 512 pixels",
            "The classic game scales such textures down. To reduce the file, run `thaw convert FILE --to blp "
            "--max-size 512`.",
            once<"width">([](const blp::Document& document) {
              constexpr std::uint32_t kMost = 512;
              return document.variant == blp::Variant::blp1 &&
                             std::max(document.width, document.height) > kMost
                         ? size_text(document.width, document.height) +
                               ", which the classic game scales down to 512"
                         : "";
            })),
    BlpRule("blp.size-power-of-two", always(kWarning), "width or height not a power of two",
            "The game may draw it white or shifted. Resize the texture.",
            once<"width">([](const blp::Document& document) {
              return odd_sides(document.width, document.height, "a power of two", is_power_of_two);
            })),
    BlpRule("blp.jpeg-header", always(kWarning), "shared JPEG header of more than 624 bytes",
            "The game's files have at most 624 bytes; some tools read no more. Export the texture again.",
            once<"jpegHeader">([](const blp::Document& document) {
              constexpr std::size_t kMost = 624;
              return document.content() == blp::Content::jpeg && document.jpeg_header.size() > kMost
                         ? say("the shared JPEG header has ", document.jpeg_header.size(),
                               " bytes; the game's files have at most ", kMost)
                         : "";
            })),
    BlpRule("blp.mip-beyond", {kWarning, kInfo, kWarning}, "mip level smaller than one pixel",
            "It is never used. Export the texture without it.", blp_mip_beyond),
    BlpRule("blp.mip-shared", {kWarning, kInfo, kInfo}, "mip levels share their data",
            "Some tools do this to save space; the game does not always support it. Export the texture again "
            "with separate levels.",
            blp_mip_shared),
    BlpRule("blp.mip-missing", always(kInfo), "mip levels missing",
            "The texture flickers at a distance. Export it with all levels. Harmless in the user interface.",
            once<"sizes">([](const blp::Document& document) {
              const auto levels = blp::level_count(document);
              const auto expected = chain_length(document.width, document.height);
              return levels > 0 && levels < std::min(expected, blp::Document::kLevels)
                         ? say("the texture has ", levels, " of ", expected, " mip levels")
                         : "";
            })),
    BlpRule("blp.mip-decode", {kWarning, kSevere, kError}, "mip level cannot be decoded completely",
            "Export the texture again.", blp_mip_decode),
    BlpRule("blp.jpeg-size", always(kWarning), "size of a JPEG differs from its mip level",
            "The image is cropped or shifted. Export the texture again.", blp_jpeg_size),
    BlpRule("blp.palette-size", always(kWarning), "stated size of a mip level differs from its pixels",
            "Readers that trust the stated size may fail. Export the texture again.", blp_palette_size),
    BlpRule("blp2.encoding", {kWarning, kSevere, kError}, "unknown BLP2 version or pixel encoding",
            "The version is 1. Known encodings are palettes with 0, 1, 4 or 8 bits of alpha, DXT1, DXT3, "
            "DXT5 and plain pixels. Export the texture again.",
            blp2_encoding),
    BlpRule("blp2.size-large", {kInfo, kInfo, kWarning}, "texture larger than 256 × 256 pixels",
            "The WoW Alpha client does not load larger textures; later ones do. Run `thaw convert FILE --to "
            "blp2 --max-size 256`.",
            once<"width">([](const Blp& subject) {
              constexpr std::uint32_t kMost = 256;
              return is_blp2(subject) && std::max(subject.document.width, subject.document.height) > kMost
                         ? size_text(subject.document.width, subject.document.height) +
                               ", which the WoW Alpha client does not load"
                         : "";
            })),
    BlpRule("blp2.mip-size", always(kWarning), "stated size of a mip level differs from its pixels",
            "Too few bytes leave a part of the image undefined; too many are not needed. Export the texture "
            "again.",
            blp2_mip_size),
    BlpRule("blp2.palette-padding", {kInfo, kOff, kInfo}, "fourth byte of palette colours not 0",
            "It is 0 in the game's files and has no meaning, so nothing needs to be done.",
            once<"palette">([](const Blp& subject) {
              const auto& palette = subject.document.palette;
              const auto count = std::count_if(palette.begin(), palette.end(),
                                               [](const auto& color) { return color[3] != 0; });
              return is_blp2(subject) && count > 0
                         ? say("the fourth byte of ",
                               counted_noun(static_cast<std::size_t>(count), "palette colour"), " is not 0")
                         : "";
            })),
};

// --- DDS

void dds_decode(const Dds& subject, Report& report) {
  for (std::size_t level = 0; level < dds::level_count(subject.document); ++level) {
    Diagnostics findings;
    if (const auto image = dds::decode(subject.document, level, subject.options.read, findings); !image) {
      report.add("", say("level ", level, ": ", image.error().message));
      return;
    }
  }
}

constexpr std::array kDdsRules = {
    DdsRule("dds.mip-missing", {kWarning, kInfo, kInfo}, "mip levels missing",
            "The texture flickers at a distance. Export the texture with mip levels.",
            once<"mipMapCount">([](const dds::Document& document) {
              const auto levels = dds::level_count(document);
              // One less than the whole chain is usual.
              return levels + 1 < chain_length(document.width, document.height)
                         ? say("the texture has ", levels, " of ",
                               chain_length(document.width, document.height), " mip levels")
                         : "";
            })),
    DdsRule(
        "dds.size-multiple-of-four", always(kWarning), "width or height not a multiple of 4",
        "Block compression stores whole blocks of 4 × 4 pixels; other sizes do not fit. Resize the image.",
        once<"width">([](const dds::Document& document) {
          return odd_sides(document.width, document.height, "a multiple of 4",
                           [](std::uint32_t side) { return side % 4 == 0; });
        })),
    DdsRule("dds.size-power-of-two", always(kWarning), "width or height not a power of two",
            "Older graphics hardware does not load it. Resize the image.",
            once<"width">([](const dds::Document& document) {
              return odd_sides(document.width, document.height, "a power of two", is_power_of_two);
            })),
    DdsRule("dds.mip-decode", {kWarning, kSevere, kError}, "mip level cannot be decoded",
            "Export the texture again.", dds_decode),
};

}  // namespace

std::span<const BlpRule> blp_rules() { return kBlpRules; }
std::span<const DdsRule> dds_rules() { return kDdsRules; }

}  // namespace thaw
