// Identifies files by content, and handles any document by one set of functions.
#pragma once

#include <thaw/bytes.hpp>
#include <thaw/diagnostics.hpp>
#include <thaw/inspect.hpp>
#include <thaw/options.hpp>
#include <thaw/value.hpp>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <typeinfo>
#include <utility>
#include <vector>

#pragma GCC visibility push(default)

namespace thaw {

struct FormatDescriptor;

/// A format that the library knows by name, or none. A value: it is compared, copied and stored. Programs
/// distinguish formats by their word, `identity.format == "mdx"`; `thaw formats` lists them.
class Format {
 public:
  /// Unknown content.
  constexpr Format() = default;
  /// Made by the list of formats only.
  constexpr explicit Format(const FormatDescriptor& descriptor) : descriptor_(&descriptor) {}

  /// Stable word for machines, e.g. "mdx", "blp2", "unknown".
  [[nodiscard]] std::string_view id() const;
  /// For people: "Warcraft III model (MDX)".
  [[nodiscard]] std::string_view name() const;
  /// Those it is met under, separated by blanks: ".md .mdx".
  [[nodiscard]] std::string_view extensions() const;
  /// One sentence on what such a file is, for someone who expected something else.
  [[nodiscard]] std::string_view explanation() const;
  /// What its scenes are, of many: "morph models"; empty where there are none.
  [[nodiscard]] std::string_view models() const;
  /// What it becomes, the usual first: "glb gltf", "png", or empty.
  [[nodiscard]] std::string_view converts_to() const;
  /// Whether this word is among those of `converts_to`.
  [[nodiscard]] bool converts_to(std::string_view word) const;
  /// Format versions that can be requested where it is written; empty where there is no choice.
  [[nodiscard]] std::span<const std::uint32_t> written_versions() const;
  /// Read by `read_any`, written back byte for byte, and shown.
  [[nodiscard]] bool reads() const;
  /// Holds files and is opened by open_archive, not by read_any.
  [[nodiscard]] bool is_archive() const;
  /// Of the text only the content is kept (MDL).
  [[nodiscard]] bool is_text() const;
  /// A format in which programs exchange scenes, and no game's: it becomes nothing until somebody says what.
  [[nodiscard]] bool is_interchange() const;
  /// Neither unknown nor empty content.
  [[nodiscard]] bool is_known() const;

  /// What the library itself has to know of it.
  [[nodiscard]] const FormatDescriptor& descriptor() const;

  friend bool operator==(Format a, Format b) { return a.id() == b.id(); }  ///< By their words.
  friend bool operator==(Format format, std::string_view id) { return format.id() == id; }  ///< By its word.

 private:
  const FormatDescriptor* descriptor_ = nullptr;
};

/// What a file's content says that it is.
struct Identity {
  Format format;
  /// For people: "Warcraft III model (MDX)".
  std::string_view name;
  /// Where one format has several: "wc3" or "wow-alpha" of mdx.
  std::string_view dialect;
  /// Format version, where the file states one.
  std::optional<std::uint32_t> version;
  /// `read_any` has a reader for it.
  bool readable = false;
  /// One sentence on what the file is, for someone who expected something else: "this is an M2 model of World
  /// of Warcraft, which shares the extension .mdx".
  std::string_view explanation;
};

/// From content only. Inspects the beginning, for TGA also the end; the first 64 KiB of a file determine
/// everything except a TGA's footer and the dialect of an MDX with late chunks.
Identity identify(ByteView bytes);
/// The same for a file with this name, whose extension decides where the content says nothing: for formats
/// whose content is described nowhere.
Identity identify(ByteView bytes, std::string_view name);

/// Every format that is known by name, in the order in which people are shown them.
std::span<const Format> known_formats();

/// The format of a word, "mdx"; unknown content for a word that none has.
Format find_format(std::string_view id);

/// A document of any format that is read. Actors and definitions of materials are XML. Models as text (MDL)
/// and binary ones (MDX) are one kind of document. It does not change once it is made: copies share it.
class AnyDocument {
 public:
  /// A document, with what its file was recognised as. An identity of no format, or of one of other
  /// documents, does no harm: the document is then of the first format that has such documents.
  template <class Document>
  AnyDocument(Identity identity, Document document)
      : identity_(identity),
        type_(&typeid(Document)),
        document_(std::make_shared<const Document>(std::move(document))) {}

  /// What the file was recognised as.
  [[nodiscard]] const Identity& identity() const { return identity_; }
  /// How its names are encoded, as stated or guessed when it was read.
  [[nodiscard]] CodePage code_page() const { return code_page_; }
  void set_code_page(CodePage page) { code_page_ = page; }  ///< Says how its names are encoded.
  /// The document if it is of this type, or null: `any.get_if<mdx::Document>()`. It lives as long as this.
  template <class Document>
  [[nodiscard]] const Document* get_if() const {
    return *type_ == typeid(Document) ? static_cast<const Document*>(document_.get()) : nullptr;
  }
  /// Whether both are documents of one type, which does not mean that they hold the same.
  [[nodiscard]] bool same_type(const AnyDocument& other) const { return *type_ == *other.type_; }

 private:
  Identity identity_;
  const std::type_info* type_;
  std::shared_ptr<const void> document_;
  CodePage code_page_ = CodePage::automatic;
};

/// Reads what `identify` recognises. For other content the error is format.unknown or format.foreign and says
/// what it is instead; for the rest see the reader of each format.
Result<AnyDocument> read_any(ByteView bytes, const ReadOptions& options = {},
                             Diagnostics& diagnostics = Diagnostics::discarded());

/// The file's bytes: write_any(read_any(x)) == x. Of a text the model alone is kept, not how it was written
/// down: read_any(write_any(x)) is the same document as x.
Bytes write_any(const AnyDocument& document);

/// The format of a document: what its file was recognised as, where that has such documents.
Format format_of(const AnyDocument& document);
/// Whether a format has documents of this kind: models of Warcraft III are MDX and MDL.
bool takes(Format format, const AnyDocument& document);
/// The document as a file of a format that takes it. Errors: write.unsupported for any other.
Result<Bytes> write_as(const AnyDocument& document, Format format);

/// Whether both hold the same, to the last bit.
bool same_content(const AnyDocument& a, const AnyDocument& b);

/// Shows every field with its offset. Offsets of a text's model are those that it would have as MDX.
void inspect_any(const AnyDocument& document, Inspector& inspector);
/// The same as a value, which keeps the document.
Inspection inspection_of(const AnyDocument& document);

/// What one wants to know of a file at a glance. Texts are UTF-8.
struct Facts {
  /// How many things of a kind there are.
  struct Count {
    std::string_view kind;  ///< in the singular, "geoset"
    std::size_t count = 0;
  };
  /// An animation of the file.
  struct Clip {
    std::string name;
    double seconds = 0;
    bool looping = true;
    float move_speed = 0;
    float rarity = 0;
    // Of sampled animations.
    float rate = 0;  ///< Hz; 0 for clips made of keys
    std::size_t channels = 0;
    std::size_t events = 0;
  };
  /// A skeleton of an animation network.
  struct Skeleton {
    std::string name;
    std::size_t bones = 0;
  };
  /// A level of detail, the finest first.
  struct Level {
    std::size_t geosets = 0;
    std::size_t vertices = 0;
    std::size_t triangles = 0;
    std::size_t batches = 0;  ///< that name a geoset of the level
  };
  /// A texture that the file requests.
  struct TextureReference {
    std::string path;  ///< empty if the game supplies the texture
    std::uint32_t replaceable_id = 0;
    std::string_view supplied = {};  ///< what the game puts there: "team colour"; empty if that is not known
  };
  /// Another file that this one requests.
  struct Reference {
    std::string_view kind;  ///< "model", "building"
    std::string path;
  };
  /// A number or a text of the file's head.
  struct Stated {
    std::string_view name;  ///< "pivot"
    std::string value;
  };
  /// The room that the model takes, in the file's own axes and units.
  struct Box {
    Vec3 minimum{};
    Vec3 maximum{};
    float radius = 0;  ///< 0 if not known
  };
  /// What a picture is like, without its pixels.
  struct Picture {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    std::uint32_t levels = 1;
    unsigned alpha_bits = 0;
    std::string encoding;  ///< "jpeg", "palette", "bc1"
  };

  std::string name;  ///< the model's own
  std::vector<Count> counts;
  std::vector<Skeleton> skeletons;
  std::vector<Level> levels;  ///< of files that state them
  std::vector<Clip> clips;
  std::vector<double> loops;  ///< lengths of global sequences in seconds
  std::vector<TextureReference> textures;
  std::vector<Reference> references;  ///< files other than textures
  std::vector<Stated> stated;
  std::string in_game;  ///< one sentence on what the game does with the file, where that is not obvious
  std::optional<Box> bounds;
  std::optional<Picture> picture;
};
/// The facts of `thaw info`: sizes, counts, names, clips in seconds. Reads no other file, changes nothing;
/// what a damaged document lacks is absent.
Facts summarize(const AnyDocument& document);

/// "team colour" and the like for the game's replaceable textures; empty for ids that no game defines.
std::string_view replaceable_name(std::uint32_t replaceable_id);

// --- facts as a value: `thaw info --json`

/// The facts as an object, in the words of `thaw info --json`: name, counts, skeletons, levels, clips,
/// stated, in_game, loops, textures, references, bounds, picture. Members of which the file has nothing are
/// empty, null or, as that page says, absent.
Value facts_value(const Facts& facts);

// --- the files of a conversion

/// A file of the output.
struct OutputFile {
  std::string name;  ///< without a folder
  Bytes bytes;
  friend bool operator==(const OutputFile&, const OutputFile&) = default;
};

/// What a file became.
struct Outputs {
  std::vector<OutputFile> files;  ///< the first is the requested one, others belong next to it
  std::string note;               ///< for people: "6 clips", "version 800 → 1000 · nothing lost"
  std::string details;            ///< further lines for people, each with its end
  Value::Object json;             ///< the same for machines
};

}  // namespace thaw

#pragma GCC visibility pop
