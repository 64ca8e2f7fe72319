// What a file is, from its content, and any document that the library reads behind one set of functions.
#pragma once

#include <thaw/adt.hpp>
#include <thaw/blp.hpp>
#include <thaw/bytes.hpp>
#include <thaw/dds.hpp>
#include <thaw/diagnostics.hpp>
#include <thaw/dma.hpp>
#include <thaw/dme.hpp>
#include <thaw/inspect.hpp>
#include <thaw/lit.hpp>
#include <thaw/m3.hpp>
#include <thaw/mdl.hpp>
#include <thaw/mdx.hpp>
#include <thaw/mdx_alpha.hpp>
#include <thaw/mrf.hpp>
#include <thaw/mrn.hpp>
#include <thaw/nsa.hpp>
#include <thaw/options.hpp>
#include <thaw/png.hpp>
#include <thaw/tga.hpp>
#include <thaw/wdl.hpp>
#include <thaw/wdt.hpp>
#include <thaw/wmo.hpp>
#include <thaw/xml.hpp>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace thaw {

/// What a file can turn out to be. Identity::readable tells which of them have a reader.
enum class Format : std::uint8_t {
  unknown,
  empty,  ///< no byte, or nothing but zeros: a file that was never filled or whose key is missing
  // Models and textures of Warcraft III and the alpha of World of Warcraft.
  mdx,
  mdl,
  mrf,
  blp1,
  blp2,
  dds,
  tga,
  png,
  // World of Warcraft and relatives.
  wmo,
  m2,
  m3_wow,
  m3_library,
  m3_starcraft,
  wdt,  ///< of the alpha: a whole map in one file
  wdl,
  wdt_later,  ///< beside tiles, as of Wrath of the Lich King
  adt,
  wow_chunked,
  lit,
  mpq,
  // Forgelight.
  mrn,
  nsa,
  // The Forgelight engine: PlanetSide 2 and its relatives.
  dme,
  dma,
  adr,
  forgelight_materials,
  pack1,
  pack2,
  // Other owners of the same extensions, and other pictures and models.
  quake_mdl,
  source_mdl,
  x68000_music,
  markdown,
  gltf,
  glb,
  jpeg,
};

/// Archives hold files and are opened by open_archive, not by read_any.
constexpr bool is_archive(Format format) {
  return format == Format::mpq || format == Format::pack1 || format == Format::pack2;
}

/// Stable word for machines, e.g. "mdx", "blp2", "unknown".
std::string_view format_id(Format format);

/// What a file's content says that it is.
struct Identity {
  Format format = Format::unknown;
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

/// From content only. Looks at the beginning, for TGA also at the end; the first 64 KiB of a file tell
/// everything except a TGA's footer and the dialect of an MDX with late chunks.
Identity identify(ByteView bytes);

/// A format that the library knows by name.
struct FormatEntry {
  Format format = Format::unknown;
  std::string_view id;  ///< as format_id
  std::string_view name;
  std::string_view extensions;   ///< those it is met under, ".md .mdx"
  std::string_view explanation;  ///< as Identity::explanation
  /// Read, written back byte for byte, and shown.
  bool reads = false;
  std::string_view converts_to;  ///< "glb gltf", "png" or empty
};
/// Every format but `unknown`.
std::span<const FormatEntry> known_formats();

/// A document of any format that is read. Actors and definitions of materials are XML. Models as text (MDL)
/// and binary ones (MDX) are one kind of document.
class AnyDocument {
 public:
  /// The document in its own type.
  using Storage = std::variant<mdx::Document, mdx_alpha::Document, mrf::Document, blp::Document,
                               dds::Document, tga::Document, png::Document, m3::Document, mrn::Document,
                               nsa::Document, lit::Document, wdt::Document, wdl::Document, adt::Map,
                               adt::Document, dme::Document, dma::Document, xml::Document, wmo::Document>;

  /// A document, with what its file was recognised as.
  AnyDocument(Identity identity, Storage storage);
  // Not inline: compilers need half a second for those of so large a variant, in each source again.
  /// Copies the document with all that is in it.
  AnyDocument(const AnyDocument& other);
  /// Takes the document over: the other may then only be assigned to or destroyed.
  AnyDocument(AnyDocument&& other) noexcept;
  /// As the copy constructor.
  AnyDocument& operator=(const AnyDocument& other);
  /// As the move constructor.
  AnyDocument& operator=(AnyDocument&& other) noexcept;
  ~AnyDocument();

  /// What the file was recognised as.
  [[nodiscard]] const Identity& identity() const { return identity_; }
  /// The document, of whichever type it is.
  [[nodiscard]] const Storage& storage() const { return storage_; }
  /// The document if it is of this type, or null: `any.get_if<mdx::Document>()`.
  template <class Document>
  [[nodiscard]] const Document* get_if() const {
    return std::get_if<Document>(&storage_);
  }

 private:
  Identity identity_;
  Storage storage_;
};

/// Reads what `identify` recognises. For other content the error is format.unknown or format.foreign and says
/// what it is instead; for the rest see the reader of each format.
Result<AnyDocument> read_any(ByteView bytes, const ReadOptions& options, Diagnostics& diagnostics);

/// The file's bytes: write_any(read_any(x)) == x. Of a text the model alone is kept, not how it was written
/// down: read_any(write_any(x)) is the same document as x.
Bytes write_any(const AnyDocument& document);

/// True for formats of which only the content is kept (MDL).
bool is_text(Format format);
/// Whether both hold the same, to the last bit.
bool same_content(const AnyDocument& a, const AnyDocument& b);

/// Shows every field with its offset. Offsets of a text's model are those that it would have as MDX.
void inspect_any(const AnyDocument& document, Inspector& inspector);
/// The same as a value, which must not outlive the document.
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
  /// A texture that the file asks for.
  struct TextureReference {
    std::string path;  ///< empty if the game supplies the texture
    std::uint32_t replaceable_id = 0;
    std::string_view supplied = {};  ///< what the game puts there: "team colour"; empty if that is not known
  };
  /// Another file that this one asks for.
  struct Reference {
    std::string_view kind;  ///< "model", "building"
    std::string path;
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
    bool decodes = true;   ///< left to whoever decodes it; `summarize` does not
  };

  std::string name;  ///< the model's own
  std::vector<Count> counts;
  std::vector<Skeleton> skeletons;
  std::vector<Clip> clips;
  std::vector<double> loops;  ///< lengths of global sequences in seconds
  std::vector<TextureReference> textures;
  std::vector<Reference> references;  ///< files other than textures
  std::string in_game;  ///< one sentence on what the game does with the file, where that is not obvious
  std::optional<Box> bounds;
  std::optional<Picture> picture;
};
/// What `thaw info` tells: sizes, counts, names, clips in seconds. Reads no other file, and changes nothing;
/// what a damaged document lacks is absent.
Facts summarize(const AnyDocument& document);

/// "team colour" and the like for the game's replaceable textures; empty for ids that no game defines.
std::string_view replaceable_name(std::uint32_t replaceable_id);

}  // namespace thaw
