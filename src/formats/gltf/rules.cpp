#include "formats/gltf/rules.hpp"

#include <thaw/codes.hpp>
#include <thaw/gltf.hpp>
#include <thaw/value.hpp>

#include "bytes/text.hpp"
#include "gltf/soundness.hpp"
#include "open/written_scene.hpp"

namespace thaw::gltf {
namespace {

using Subject = DocumentSubject<Document>;

/// The JSON, or a null value.
Value json_of(const Subject& subject) {
  auto json = parse_json(as_bytes(subject.document.json()));
  return json ? std::move(*json) : Value();
}

void alignment(const Subject& subject, Report& report) {
  const auto& chunks = subject.document.chunks;
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    if (chunks[i].data.size() % 4 != 0) {
      report.add(at("chunks", i),
                 say("the chunk has ", counted(chunks[i].data.size(), "byte"), ", not a multiple of 4"));
    }
  }
}

/// The faults of one kind.
template <Fault::Kind kKind>
void faults(const Subject& subject, Report& report) {
  for (Fault& fault : faults_of(json_of(subject))) {
    if (fault.kind == kKind) {
      report.add("", std::move(fault.message));
    }
  }
}

/// What only reading it all tells, where nothing that other rules look at stands in the way.
void scene(const Subject& subject, Report& report) {
  const Value file = json_of(subject);
  const auto& buffers = file["buffers"].list();
  const bool adjacent = std::any_of(buffers.begin(), buffers.end(), [](const Value& buffer) {
    const std::string& uri = buffer["uri"].text();
    return !uri.empty() && !uri.starts_with("data:");
  });
  if (file["asset"]["version"].text().substr(0, 2) != "2." || !faults_of(file).empty() ||
      unread_requirement(file) || (adjacent && subject.options.sources == nullptr)) {
    return;
  }
  GltfReadOptions options;
  options.surfaces = true;  // as whoever shows it reads it
  options.limits = subject.options.read.limits;
  options.control = subject.options.read.control;
  if (subject.options.sources != nullptr) {
    open::look_in(*subject.options.sources, options);
  }
  if (const auto read = read_gltf(write(subject.document), options);
      !read && read.error().code != codes::kStopped) {
    const Error& error = read.error();
    report.add("", error.path.empty() ? error.message : say(error.path, ": ", error.message));
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
    report.add("", say("buffers[0] has ", stated, " bytes, but the binary chunk has only ", size));
  }
}

constexpr std::array kRules = {
    FileRule("gltf.json", always(kError), "the JSON cannot be read",
             "No program opens the file. Export it again.", once([](const Document& document) {
               const auto parsed = parse_json(as_bytes(document.json()));
               return parsed ? "" : parsed.error().message;
             })),
    FileRule("gltf.version", always(kError), "not glTF 2",
             "glTF 1 is a different format. Export the scene as glTF 2.", once([](const Subject& subject) {
               const std::string stated = json_of(subject)["asset"]["version"].text();
               return stated.empty()             ? "asset.version is missing"
                      : stated.starts_with("2.") ? ""
                                                 : say("the file states glTF ", stated, " instead of 2");
             })),
    FileRule("gltf.length", {kWarning, kWarning, kError}, "stated length differs from the file's",
             "Strict readers refuse the file. Export the file again.",
             once<"length">([](const Document& document) {
               return document.binary && write(document).size() != document.length
                          ? say("the file states a length of ", document.length, " bytes, but has ",
                                write(document).size())
                          : "";
             })),
    FileRule("gltf.alignment", {kWarning, kInfo, kWarning}, "chunk size not a multiple of 4",
             "Strict readers refuse the file. Pad JSON with blanks and the binary chunk with zeros.",
             alignment),
    FileRule("gltf.index", always(kError), "index invalid or out of range",
             "Programs refuse the file. Export it again.", faults<Fault::Kind::index>),
    FileRule("gltf.view", always(kError), "buffer view invalid or past the end of its buffer",
             "Programs refuse the file. Export it again.", faults<Fault::Kind::view>),
    FileRule("gltf.accessor", always(kError), "accessor invalid or past the end of its buffer view",
             "Its type, count, offset or sparse data is invalid, or the buffer view is too short. Programs "
             "refuse the file. Export it again.",
             faults<Fault::Kind::accessor>),
    FileRule("gltf.tree", always(kError), "node in a cycle, or listed more than once as a child",
             "A node may be listed as a child only once, and not below itself. Programs refuse the "
             "file. Export it again.",
             faults<Fault::Kind::tree>),
    FileRule("gltf.binary", always(kError), "binary chunk shorter than its buffer",
             "The file is truncated, or the byteLength of the buffer is wrong. Export it again.",
             binary_size),
    FileRule("gltf.scene", always(kError), "unreadable scene",
             "For example, an external buffer, a vertex or a sparse element is missing. thaw cannot "
             "convert the file. Export it again.",
             scene),
};

}  // namespace

std::span<const FileRule> rules() { return kRules; }

}  // namespace thaw::gltf
