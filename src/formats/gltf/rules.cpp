#include "formats/gltf/rules.hpp"

#include "bytes/text.hpp"
#include "document/json_reader.hpp"

namespace thaw::gltf {
namespace {

using Subject = DocumentSubject<Document>;

/// The JSON, or a null value.
Value json_of(const Subject& subject) {
  auto json = parse_json(as_bytes(subject.document.json()));
  return json ? std::move(*json) : Value();
}

void json(const Subject& subject, Report& report) {
  if (const auto parsed = parse_json(as_bytes(subject.document.json())); !parsed) {
    report.add("", parsed.error().message);
  }
}

void version(const Subject& subject, Report& report) {
  const std::string stated = json_of(subject)["asset"]["version"].text();
  if (stated.substr(0, 2) != "2.") {
    report.add("", stated.empty() ? "no asset.version" : say("glTF ", stated));
  }
}

void length(const Subject& subject, Report& report) {
  const auto& document = subject.document;
  if (document.binary && write(document).size() != document.length) {
    report.add("length", say("states ", document.length, " bytes of ", write(document).size()));
  }
}

void alignment(const Subject& subject, Report& report) {
  const auto& chunks = subject.document.chunks;
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    if (chunks[i].data.size() % 4 != 0) {
      report.add(at("chunks", i), say(chunks[i].data.size(), " bytes"));
    }
  }
}

/// A list of the JSON whose items name an item of another list.
struct Reference {
  std::string_view from;
  std::string_view member;
  std::string_view to;
};

void references(const Subject& subject, Report& report) {
  static constexpr std::array kReferences = {Reference{"bufferViews", "buffer", "buffers"},
                                             Reference{"accessors", "bufferView", "bufferViews"},
                                             Reference{"images", "bufferView", "bufferViews"},
                                             Reference{"textures", "source", "images"},
                                             Reference{"textures", "sampler", "samplers"},
                                             Reference{"nodes", "mesh", "meshes"},
                                             Reference{"nodes", "skin", "skins"},
                                             Reference{"nodes", "camera", "cameras"},
                                             Reference{"skins", "inverseBindMatrices", "accessors"}};
  const Value file = json_of(subject);
  for (const Reference& reference : kReferences) {
    const auto& items = file[reference.from].list();
    const auto count = static_cast<std::int64_t>(file[reference.to].list().size());
    for (std::size_t i = 0; i < items.size(); ++i) {
      const auto named = items[i][reference.member].integer();
      if (named && (*named < 0 || *named >= count)) {
        report.add("", say(at(reference.from, i), ".", reference.member, " is ", *named, " of ", count));
      }
    }
  }
}

void views(const Subject& subject, Report& report) {
  const Value file = json_of(subject);
  const auto& buffers = file["buffers"].list();
  const auto& all = file["bufferViews"].list();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto buffer = all[i]["buffer"].integer().value_or(-1);
    if (buffer < 0 || buffer >= static_cast<std::int64_t>(buffers.size())) {
      continue;
    }
    const double end = all[i]["byteOffset"].number().value_or(0) + all[i]["byteLength"].number().value_or(0);
    const double size = buffers[static_cast<std::size_t>(buffer)]["byteLength"].number().value_or(0);
    if (end > size) {
      report.add("", say(at("bufferViews", i), " ends at ", end, " of ", size));
    }
  }
}

void binary_size(const Subject& subject, Report& report) {
  static constexpr std::string_view kBinary("BIN\0", 4);
  const Value file = json_of(subject);
  const Value& first = file["buffers"][0];
  if (!subject.document.binary || !first["uri"].is_null() || first.is_null()) {
    return;
  }
  double size = 0;
  for (const Chunk& chunk : subject.document.chunks) {
    size = chunk.type.view() == kBinary ? static_cast<double>(chunk.data.size()) : size;
  }
  if (const double stated = first["byteLength"].number().value_or(0); stated > size) {
    report.add("", say("buffers[0] has ", stated, " bytes, the binary chunk ", size));
  }
}

constexpr std::array kRules = {
    FileRule{{"gltf.json", {kError, kError, kError}, "the JSON cannot be read", "No program opens the file."},
             json},
    FileRule{{"gltf.version",
              {kError, kError, kError},
              "not glTF 2",
              "Versions before 2 are another format; export it again."},
             version},
    FileRule{{"gltf.length",
              {kWarning, kWarning, kError},
              "a stated length that is not the file's",
              "Strict readers refuse the file."},
             length},
    FileRule{{"gltf.alignment",
              {kWarning, kInfo, kWarning},
              "a chunk whose size is no multiple of 4",
              "Pad JSON with blanks and the binary chunk with zeros."},
             alignment},
    FileRule{{"gltf.index",
              {kError, kError, kError},
              "an index of something that is not there",
              "Readers leave the part out, or refuse the file."},
             references},
    FileRule{{"gltf.view",
              {kError, kError, kError},
              "a part of a buffer that ends behind it",
              "Readers leave the part out, or refuse the file."},
             views},
    FileRule{{"gltf.binary",
              {kError, kError, kError},
              "a binary chunk that is too short for its buffer",
              "The file was cut off."},
             binary_size},
};

}  // namespace

std::span<const FileRule> rules() { return kRules; }

}  // namespace thaw::gltf
