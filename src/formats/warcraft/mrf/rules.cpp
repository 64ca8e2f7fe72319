// See mrf.md#structure. What cannot be read at all is the reader's to tell.
#include "formats/warcraft/mrf/rules.hpp"

#include "bytes/finite.hpp"
#include "describe/description.hpp"
#include "describe/parts.hpp"

#include <algorithm>
#include <tuple>

namespace thaw::mrf {
namespace {

using Subject = DocumentSubject<Document>;

void counts(const Subject& subject, Report& report) {
  constexpr std::uint32_t kMostVertices = 65536;  // an index has 16 bits
  const Header& header = subject.document.header;
  if (header.frame_count < 1) {
    report.add("header.frameCount", "the file has no frames");
  }
  if (header.vertex_count < 1 || header.vertex_count > kMostVertices) {
    report.add("header.vertexCount", say("the header states ", counted(header.vertex_count, "vertex"),
                                         "; indices allow 1 to ", kMostVertices));
  }
  if (header.index_count % 3 != 0) {
    report.add("header.indexCount",
               say("the number of indices, ", header.index_count, ", is not a multiple of 3"));
  }
}

struct Block {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::string path;
};

/// Every part that an offset leads to, with the field that holds it.
std::vector<Block> blocks(const Document& document) {
  const Header& header = document.header;
  const auto block = [](std::uint64_t begin, std::size_t size, std::string path) {
    return Block{begin, begin + size, std::move(path)};
  };
  constexpr std::uint64_t kHeaderSize = 80;
  std::vector<Block> result = {
      block(0, kHeaderSize + document.frame_offsets.size() * sizeof(std::uint32_t), "header"),
      block(header.texture_offset, document.texture_path.size(), "header.textureOffset"),
      block(header.face_offset, document.indices.size() * sizeof(std::uint16_t), "header.faceOffset"),
      block(header.uv_offset, document.uvs.size() * sizeof(Vec2), "header.uvOffset")};
  for (std::size_t i = 0; i < document.frames.size(); ++i) {
    result.push_back(block(document.frame_offsets[i], document.frames[i].vertices.size() * sizeof(Vertex),
                           at("frameOffsets", i)));
  }
  return result;
}

void overlap(const Subject& subject, Report& report) {
  auto parts = blocks(subject.document);
  std::sort(parts.begin(), parts.end(), [](const Block& a, const Block& b) {
    return std::tie(a.begin, a.end, a.path) < std::tie(b.begin, b.end, b.path);
  });
  std::uint64_t end = 0;
  for (const auto& part : parts) {
    if (part.begin < end && part.begin < part.end) {
      report.add(part.path, say("the block begins at offset ", part.begin,
                                ", before the end of another block at ", end));
    }
    end = std::max(end, part.end);
  }
}

/// One finding for all frames with the same fault: where the first has it, and how many more do.
class OfFrames {
 public:
  void add(const std::string& path, const std::string& text) {
    path_ = count_ == 0 ? path : path_;
    text_ = count_ == 0 ? text : text_;
    ++count_;
  }
  void report(Report& report) const {
    if (count_ > 0) {
      report.add(path_, count_ == 1
                            ? text_
                            : say(text_, "; the same applies to ", counted_noun(count_ - 1, "more frame")));
    }
  }

 private:
  std::string path_;
  std::string text_;
  std::size_t count_ = 0;
};

void offset_order(const Subject& subject, Report& report) {
  const auto& offsets = subject.document.frame_offsets;
  OfFrames frames;
  for (std::size_t i = 1; i < offsets.size(); ++i) {
    if (offsets[i] <= offsets[i - 1]) {
      frames.add(at("frameOffsets", i),
                 say("the offset of frame ", i, " is not after that of frame ", i - 1));
    }
  }
  frames.report(report);
}

void alignment(const Subject& subject, Report& report) {
  const std::size_t frame_count = subject.document.frames.size();
  const auto parts = blocks(subject.document);
  OfFrames unaligned;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].begin % kAlignment == 0) {
      continue;
    }
    const std::string text = say("offset ", parts[i].begin, " is not a multiple of 16");
    if (i + frame_count >= parts.size()) {
      unaligned.add(parts[i].path, text);
    } else {
      report.add(parts[i].path, text);
    }
  }
  unaligned.report(report);
  const auto& offsets = subject.document.frame_offsets;
  const std::uint64_t size = std::uint64_t{subject.document.header.vertex_count} * sizeof(Vertex);
  const std::uint64_t stride = align_up(size, kAlignment);
  OfFrames apart;
  for (std::size_t i = 1; i < offsets.size(); ++i) {
    if (offsets[i] > offsets[i - 1] && offsets[i] - offsets[i - 1] != stride) {
      apart.add(at("frameOffsets", i), say("frame ", i, " begins ", offsets[i] - offsets[i - 1],
                                           " bytes after the previous frame instead of ", stride));
    }
  }
  apart.report(report);
}

void indices(const Subject& subject, Report& report) {
  const auto& values = subject.document.indices;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] >= subject.document.header.vertex_count) {
      report.add("indices", say("index ", i, " refers to vertex ", values[i], "; the file has ",
                                counted(subject.document.header.vertex_count, "vertex")));
    }
  }
}

/// The word behind the offsets of the game's own files is their size.
void padding(const Subject& subject, Report& report) {
  const Document& document = subject.document;
  const auto parts = blocks(document);
  std::uint64_t size = 0;
  for (const auto& part : parts) {
    size = std::max(size, part.end);
  }
  for (const auto& gap : document.gaps) {
    size = std::max<std::uint64_t>(size, gap.offset + gap.bytes.size());
  }
  for (const auto& gap : document.gaps) {
    const bool of_offsets = gap.offset == parts.front().end && gap.bytes.size() >= sizeof(std::uint32_t) &&
                            load_plain<std::uint32_t>(gap.bytes.data()) == size;
    const auto first = gap.bytes.begin() + (of_offsets ? std::ptrdiff_t{sizeof(std::uint32_t)} : 0);
    if (const auto odd = std::find_if(first, gap.bytes.end(), [](std::uint8_t byte) { return byte != 0; });
        odd != gap.bytes.end()) {
      report.add("gaps", say("the byte at ", gap.offset + static_cast<std::uint64_t>(odd - gap.bytes.begin()),
                             " between two blocks is not zero"));
    }
  }
}

void values(const Subject& subject, Report& report) {
  const Document& document = subject.document;
  const auto broken_uv = std::find_if_not(document.uvs.begin(), document.uvs.end(), all_finite);
  if (broken_uv != document.uvs.end()) {
    report.add("uvs", say("a UV coordinate of vertex ",
                          static_cast<std::size_t>(broken_uv - document.uvs.begin()), " is not finite"));
  }
  OfFrames frames;
  for (std::size_t i = 0; i < document.frames.size(); ++i) {
    const auto& vertices = document.frames[i].vertices;
    const auto broken = std::find_if_not(vertices.begin(), vertices.end(), all_finite);
    if (broken != vertices.end()) {
      frames.add(at("frames", i) + ".vertices",
                 say("a position or normal of vertex ", static_cast<std::size_t>(broken - vertices.begin()),
                     " is not finite"));
    }
  }
  frames.report(report);
}

constexpr std::array kRules = {
    MorphRule("mrf.magic", {kWarning, kInfo, kWarning}, "the file does not begin with Morf",
              "The game does not check this, but tools do. Export the model again.",
              once<"header.magic">([](const Document& document) {
                constexpr FourCC kMagic{"Morf"};
                return document.header.magic.bytes != kMagic.bytes ? "the file does not begin with Morf" : "";
              })),
    MorphRule("mrf.counts", always(kError), "impossible numbers of frames, vertices or indices",
              "The file needs at least one frame, 1 to 65536 vertices, and complete triangles. Export the "
              "model again.",
              counts),
    MorphRule("mrf.overlap", {kError, kWarning, kError}, "overlapping blocks of the file",
              "Editing one block changes the other. Export the model again.", overlap),
    MorphRule("mrf.offset-order", {kWarning, kOff, kWarning}, "frames out of order",
              "The game follows the offsets; other tools read frames in sequence. Export the model again.",
              offset_order),
    MorphRule("mrf.alignment", {kWarning, kOff, kWarning},
              "blocks not aligned to 16 bytes, or frames not adjacent",
              "In the game's files blocks are aligned and frames follow each other, but the game does not "
              "require it. Nothing needs to be done.",
              alignment),
    MorphRule("mrf.index", always(kError), "triangle vertex out of range",
              "The game reads unrelated memory instead. Export the model again.", indices),
    MorphRule("mrf.duration", always(kWarning), "frame duration not positive or not finite",
              "With a duration of 0 the game draws nothing; with a negative one it shows only the last "
              "frame. Set a positive duration.",
              once<"header.frameDuration">([](const Document& document) {
                const float value = document.header.frame_duration;
                return !(value > 0) || !std::isfinite(value)
                           ? say("with a frame duration of ", value, " s the game shows ",
                                 value < 0 ? "only the last frame" : "nothing")
                           : "";
              })),
    MorphRule("mrf.elapsed", always(kInfo), "playback begins after the end",
              "The model stands still on its last frame. Lower the elapsed time.",
              once<"header.elapsed">([](const Document& document) {
                const Header& header = document.header;
                return header.frame_duration > 0 && playback(header) == Playback::last_frame
                           ? say("playback begins at ", header.elapsed, " s, after the last frame")
                           : "";
              })),
    MorphRule("mrf.debug", {kInfo, kInfo, kWarning}, "debug flag not 0",
              "Released games ignore it; development builds may stop at assertions. Set it to 0.",
              once<"header.debug">([](const Document& document) {
                return document.header.debug != 0
                           ? say("the debug flag is ", document.header.debug, " instead of 0")
                           : "";
              })),
    MorphRule("mrf.radius", {kInfo, kInfo, kWarning}, "radius negative or not finite",
              "The game ignores it; programs that cull by it do not draw the model. Set the radius of the "
              "bounding sphere.",
              once<"header.radius">([](const Document& document) {
                const float radius = document.header.radius;
                return !(radius >= 0) || !std::isfinite(radius)
                           ? say("the radius ", radius,
                                 std::isfinite(radius) ? " is negative" : " is not finite")
                           : "";
              })),
    MorphRule("mrf.padding", {kInfo, kOff, kInfo}, "bytes between blocks not zero",
              "The game's files pad with zeros. Nothing reads these bytes, so nothing needs to be done.",
              padding),
    MorphRule(
        "mrf.value", always(kError), "positions, normals or UVs not finite",
        "The game draws triangles across the screen, or with wrong light or texture. Export the model again.",
        values),
    MorphRule("mrf.texture", always(kWarning), "texture path empty, without a dot or beginning with one",
              "The game reads the path up to its first dot; without one it reads past the end. Set a path "
              "with an extension.",
              once<"header.textureOffset">([](const Document& document) {
                const auto& path = document.texture_path;
                const bool dot = std::find(path.begin(), path.end(), '.') != path.end();
                return document.texture_stem().empty() ? "the texture path is empty or begins with a dot"
                       : dot                           ? ""
                             : "the texture path has no dot, where the game stops reading";
              })),
    MorphRule(
        "mrf.texture-folder", always(kWarning), "dot in a folder name of the texture path",
        "The game reads the path only up to its first dot and does not find the texture. Rename the folder.",
        once<"header.textureOffset">([](const Document& document) {
          const auto& path = document.texture_path;
          const auto dot = std::find(path.begin(), path.end(), '.');
          const auto end = std::find(dot, path.end(), '\0');
          return std::any_of(dot, end, [](char c) { return c == '\\' || c == '/'; })
                     ? "a folder name in the texture path contains a dot; the game truncates the path there"
                     : "";
        })),
};

}  // namespace

std::span<const MorphRule> rules() { return kRules; }

}  // namespace thaw::mrf
