// A format as a value: all that the rest of the program knows of it. Each room of a format has its
// descriptors in a format.cpp; lists of them are in formats/list.hpp.
#pragma once

#include <thaw/format.hpp>
#include <thaw/image.hpp>
#include <thaw/validate.hpp>

#include <thaw/edit.hpp>
#include "formats/conversion.hpp"
#include "formats/rule_books.hpp"

#include <functional>

namespace thaw {

class Archive;
class Sources;
class Storage;
struct ArchiveOptions;
struct OpenSceneOptions;
namespace open {
struct SceneContext;
}
namespace scene {
struct Scene;
}

/// How much speaks for a format when content is looked at. The most wins, of equals the first in the list:
/// what only looks like a format never hides one that says what it is.
enum class Evidence : std::uint8_t {
  none,
  plausible,     ///< every number of a header without a magic could be one
  words,         ///< an unusual sequence of bytes that other formats might have by chance
  table,         ///< a table without a magic that fits the file
  text,          ///< a text with a word that only this format begins with
  footer,        ///< a magic at the end
  structure,     ///< several structures without a magic agree
  layout,        ///< several numbers at the start that agree with each other and with the file's size
  container,     ///< the magic of a family of formats
  magic,         ///< the format's own magic
  nothing_else,  ///< all of the content was looked at
};

/// What can be done with documents of a format. A format without `read` is only recognised.
struct DocumentOperations {
  Result<AnyDocument> (*read)(ByteView bytes, const Identity& identity, const ReadOptions& options,
                              Diagnostics& diagnostics) = nullptr;
  Bytes (*write)(const AnyDocument& document) = nullptr;
  /// What two documents have in common if they hold the same; of binary formats that is the file.
  Bytes (*content)(const AnyDocument& document) = nullptr;
  void (*inspect)(const AnyDocument& document, Inspector& inspector) = nullptr;
  /// Whether a document is of the type that the others take.
  bool (*take)(const AnyDocument& document) = nullptr;
};

/// What a picture's format can do.
struct PictureOperations {
  /// The largest level that decodes.
  Result<Image> (*decode)(ByteView bytes, const ReadOptions& options, Diagnostics& diagnostics) = nullptr;
  /// Why Warcraft III does not load a texture of this format for a model of this version, as the end of a
  /// sentence that begins "it is"; empty if it does.
  std::string_view (*refused_by_warcraft)(std::uint32_t model_version) = nullptr;
  /// Whether content that is known to be a picture may be of this format, where `recognise` requires more.
  bool (*may_be)(ByteView bytes) = nullptr;
};

/// A model that was edited elsewhere.
struct Original {
  const AnyDocument& document;
  const scene::Scene& scene;  ///< what comes back of it when nothing was edited
};

/// A scene to write as a file of a game, with everything that the result depends on.
struct WriteContext {
  const scene::Scene& scene;
  const ConvertOptions& options;
  Diagnostics& findings;
  std::string file_name;                ///< of the output, with its extension
  std::vector<std::string> clips = {};  ///< of animations, the requested ones
  const Original* onto = nullptr;       ///< whose parts stay where the scene does not differ
  bool alone = false;                   ///< no file can lie next to it: it goes to stdout

  /// Without extension.
  [[nodiscard]] std::string name() const;
  [[nodiscard]] const Control* control() const;
  /// Scene units per unit of the game: as requested, else as a scene of this format states, else `usual`.
  [[nodiscard]] float scale(std::string_view format, float usual) const;
  /// ModelOptions::texture_path as games write it, with `\\` after it; empty where none is requested.
  [[nodiscard]] std::string texture_folder() const;
};

/// The file that a scene became, and what it holds: "3 vertices", also for machines.
Outputs output_of(const WriteContext& context, Bytes bytes, std::span<const Facts::Count> counts);

/// Adds the largest distance of a vertex from the scene's, in units of the game.
void state_deviation(Outputs& outputs, double units);

/// How scenes become files of a format.
struct SceneWriter {
  std::string_view label;    ///< shown to people: "animations"; empty: the extension
  bool network = false;      ///< it is written for a skeleton
  bool new_network = false;  ///< without one it creates a network
  bool adjacent = false;     ///< other files may belong next to it
  bool layers = false;    ///< its materials are those that files of this project keep (docs/library/gltf.md)
  bool surfaces = false;  ///< it has a place for normals, metal, roughness and light
  bool onto = false;      ///< it takes an original, whose parts stay
  std::string_view target = {};  ///< the word of --to; empty: that of the format
  std::string_view names = {};   ///< as GltfReadOptions::names_of
  Result<Outputs> (*write)(const WriteContext& context) = nullptr;
};

/// See the file's head. Members that are null or empty are what the format has not.
struct FormatDescriptor {
  std::string_view id;
  std::string_view name;
  std::string_view extensions;
  std::string_view explanation;
  std::string_view dialect = {};

  /// The most that `recognise` can give.
  Evidence strongest = Evidence::none;
  Evidence (*recognise)(ByteView bytes) = nullptr;
  /// Fills in what else the content states: version, dialect, name.
  void (*report)(ByteView bytes, Identity& identity) = nullptr;

  DocumentOperations document = {};
  Facts (*facts)(const AnyDocument& document) = nullptr;
  /// Shows names that may be in a code page.
  void (*names)(const AnyDocument& document, const std::function<void(std::string_view)>& each) = nullptr;
  /// Why no command makes anything of a document that reads: what it needs and nobody here has. Files next to
  /// it are looked for if there are `sources`.
  std::optional<Error> (*refusal)(const AnyDocument& document, const Sources* sources) = nullptr;
  const RuleBook* rules = nullptr;
  /// Fixes what these rules can.
  Fixed (*fix)(const AnyDocument& document, const ValidateOptions& options,
               const std::vector<std::string_view>& codes, Diagnostics& findings) = nullptr;

  /// Changes what people request, in the order of the members of `ModelEdits`.
  Result<Edited> (*edit)(const AnyDocument& document, const ModelEdits& edits,
                         Diagnostics& findings) = nullptr;

  Result<scene::Scene> (*to_scene)(const open::SceneContext& context, const AnyDocument& document) = nullptr;
  std::string_view models = {};  ///< what its scenes are, of many: "morph models"
  const SceneWriter* from_scene = nullptr;
  std::span<const Conversion> conversions = {};
  std::span<const std::uint32_t> written_versions = {};  ///< that can be requested
  /// Adds the files next to a document that belong to it to the request.
  void (*request_adjacent)(const AnyDocument& document, OpenSceneOptions& request) = nullptr;
  /// Its scenes hold other models: what stands in something may not be of these, it could hold itself.
  bool holds_models = false;

  const PictureOperations* picture = nullptr;
  Result<std::shared_ptr<const Archive>> (*open_archive)(std::shared_ptr<const Storage> storage,
                                                         const ArchiveOptions& options,
                                                         Diagnostics& diagnostics) = nullptr;
  bool text = false;
  bool interchange = false;
  bool map = false;  ///< tiles or far terrain of World of Warcraft, which `plan` reads part by part
};

/// The word of --to for what a format makes of scenes.
std::string_view scene_target(const FormatDescriptor& format);

/// The format that most speaks for; null if nothing does for any.
const FormatDescriptor* most_like(std::span<const FormatDescriptor* const> formats, ByteView bytes);

/// `write` of a document type.
template <class Document>
Bytes write_document_of(const AnyDocument& any) {
  return write(*any.get_if<Document>());
}

/// Of a format's conversions the one to a target; null if there is none.
const Conversion* find_conversion(const FormatDescriptor& format, std::string_view target);

/// The format of a document.
const FormatDescriptor& descriptor_of(const AnyDocument& document);

/// The operations of a document type from its functions, which are those of every format's public header.
template <class Document, Result<Document> (*kRead)(ByteView, const ReadOptions&, Diagnostics&)>
constexpr DocumentOperations document_operations() {
  return {[](ByteView bytes, const Identity& identity, const ReadOptions& options, Diagnostics& diagnostics) {
            return kRead(bytes, options, diagnostics).map([&](Document&& document) {
              return AnyDocument(identity, std::move(document));
            });
          },
          write_document_of<Document>, write_document_of<Document>,
          [](const AnyDocument& any, Inspector& inspector) { inspect(*any.get_if<Document>(), inspector); },
          [](const AnyDocument& any) { return any.get_if<Document>() != nullptr; }};
}

/// `facts` of a document type.
template <class Document, Facts (*kFacts)(const Document&)>
Facts facts_of_any(const AnyDocument& any) {
  return kFacts(*any.get_if<Document>());
}

/// Whether content begins with a magic.
bool begins_with(ByteView bytes, std::string_view magic);
/// Evidence::magic if it does.
inline Evidence by_magic(ByteView bytes, std::string_view magic) {
  return begins_with(bytes, magic) ? Evidence::magic : Evidence::none;
}
/// `evidence` if something was found.
constexpr Evidence if_found(bool found, Evidence evidence) { return found ? evidence : Evidence::none; }

/// Texts are looked at no further than this.
inline constexpr std::size_t kTextWindow = 65536;
/// The beginning of a file as text, without a byte order mark.
std::string_view text_window(ByteView bytes);

/// The version that stands at an offset of a file that is long enough.
std::optional<std::uint32_t> version_at(ByteView bytes, std::size_t offset);

}  // namespace thaw
