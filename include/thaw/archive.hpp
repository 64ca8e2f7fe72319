// Archives with one interface: MPQ, Forgelight's PACK1 and PACK2, and CASC storages (casc.hpp). Writes MPQ
// and PACK1.
#pragma once

#include <thaw/bytes.hpp>
#include <thaw/diagnostics.hpp>
#include <thaw/options.hpp>
#include <thaw/value.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#pragma GCC visibility push(default)

namespace thaw {

namespace mpq {
class Archive;
}

/// Limits, and names of files that the caller knows.
struct ArchiveOptions {
  Limits limits;
  /// Names that entries may have, besides those in the archive's own list.
  std::vector<std::string> names;
  /// How names in an MPQ archive are encoded. A page that is guessed is a finding (names.code-page).
  CodePage code_page = CodePage::automatic;
  /// As ReadOptions::strict: an archive that is broken does not open.
  bool strict = false;
};

/// Names from the text of a list file: one per line, or separated by `;`.
std::vector<std::string> parse_listfile(ByteView text);

/// Which archives can be opened: MPQ, the two of the Forgelight engine, a game's installation (CASC), and a
/// network of animations (MRN), whose files are these.
enum class ArchiveKind : std::uint8_t { mpq, pack1, pack2, casc, network };

/// One file of an archive.
struct ArchiveEntry {
  // Bits of `flags`, all of MPQ but the last.
  static constexpr std::uint8_t kEncrypted = 1U << 0U;
  static constexpr std::uint8_t kKeyAdjusted = 1U << 1U;
  static constexpr std::uint8_t kImploded = 1U << 2U;
  static constexpr std::uint8_t kSingleUnit = 1U << 3U;
  static constexpr std::uint8_t kSectorChecksums = 1U << 4U;
  static constexpr std::uint8_t kPatch = 1U << 5U;
  static constexpr std::uint8_t kAbsent = 1U << 6U;  ///< listed, but its content is not on this disk (CASC)

  std::string name;          ///< as listed, UTF-8; empty if unknown
  std::uint64_t hash = 0;    ///< of its name, by the rule of the kind
  std::uint64_t offset = 0;  ///< from the start of the archive's file
  std::uint64_t packed_size = 0;
  std::uint64_t size = 0;
  std::uint32_t index = 0;   ///< in the archive's entries
  std::uint32_t crc32 = 0;   ///< as the archive states it; 0 for none
  std::uint16_t locale = 0;  ///< Windows language id; 0 is neutral
  std::uint8_t flags = 0;

  /// Whether one of these bits of `flags` is set.
  [[nodiscard]] bool has(std::uint8_t flag) const { return (flags & flag) != 0; }
};

/// A file that came out of an archive.
struct UnpackedFile {
  Bytes bytes;
  std::string method;  ///< how it was packed: "stored", "zlib", "sparse+bzip2"
};

/// An archive that is open. May be used by several threads at once.
class Archive {
 public:
  Archive() = default;
  Archive(const Archive&) = delete;
  Archive(Archive&&) = delete;
  Archive& operator=(const Archive&) = delete;
  Archive& operator=(Archive&&) = delete;
  virtual ~Archive() = default;

  /// What kind of archive it is.
  [[nodiscard]] virtual ArchiveKind kind() const = 0;
  /// Bytes of the archive's own file.
  [[nodiscard]] virtual std::uint64_t file_size() const = 0;
  /// All files, in the order of the archive's own table.
  [[nodiscard]] virtual std::span<const ArchiveEntry> entries() const = 0;

  /// By name, which need not be in any list: the entry that comes back has it. Case does not matter, `/` is
  /// `\`. Sixteen hexadecimal digits, with or without an extension, find an entry by its hash.
  [[nodiscard]] virtual std::optional<ArchiveEntry> find(std::string_view name) const = 0;

  /// The whole file, or with `most` at least so much of it. No file may be larger than sixteen times the
  /// archive and 48 MiB. A wrong checksum is reported in `diagnostics`.
  [[nodiscard]] virtual Result<UnpackedFile> unpack(const ArchiveEntry& entry,
                                                    Diagnostics& diagnostics = Diagnostics::discarded(),
                                                    std::uint64_t most = ~std::uint64_t{0}) const = 0;

  /// How its names are encoded, as stated or guessed; `automatic` if all of them are UTF-8.
  [[nodiscard]] virtual CodePage code_page() const { return CodePage::automatic; }
  /// The archive's own name for people, such as a map's; mostly empty.
  [[nodiscard]] virtual std::string title() const { return {}; }
  /// Its structure in a line: "version 1 at 0x200, sectors of 4096 bytes".
  [[nodiscard]] virtual std::string summary() const = 0;
  /// The same for machines: members of an object, names in snake case.
  [[nodiscard]] virtual Value details() const = 0;
};

/// What the content says: PACK2, PACK1 and MRN by their beginning, MPQ wherever it begins. Damage that leaves
/// something to read is reported in `diagnostics`. The error is mpq.no-header for anything else.
Result<std::shared_ptr<const Archive>> open_archive(std::shared_ptr<const Storage> storage,
                                                    const ArchiveOptions& options = {},
                                                    Diagnostics& diagnostics = Diagnostics::discarded());

/// An MPQ archive as one of any kind.
std::shared_ptr<const Archive> as_archive(std::shared_ptr<const mpq::Archive> archive);

/// What an entry is called where it must be called something: its name, else its hash in hexadecimal digits
/// with `extension` (".blp"). UTF-8, `/` for `\`; not safe as a path.
std::string display_name(const ArchiveEntry& entry, std::string_view extension);

/// The number that sixteen hexadecimal digits at the start of a name say, if nothing but an extension
/// follows.
std::optional<std::uint64_t> hash_in_name(std::string_view name);
/// The hash as sixteen hexadecimal digits, as `hash_in_name` takes them.
std::string hash_text(std::uint64_t hash);

}  // namespace thaw

// --- MPQ: Warcraft III's .mpq, .w3m, .w3x and .w3n, and WoW Alpha's one-file archives

/// MPQ archives.
namespace thaw::mpq {

using thaw::memory_storage;
using thaw::parse_listfile;
using thaw::Storage;

/// What the header says, after what protectors of maps make of it has been undone. Offsets of tables count
/// from `offset`.
struct Header {
  std::uint64_t offset = 0;        ///< where the archive begins in its file
  bool map_prefix = false;         ///< an HM3W header of 512 bytes stands before it: a map of Warcraft III
  bool user_data = false;          ///< a user data block stands before it
  std::uint32_t header_size = 0;   ///< as stated
  std::uint64_t archive_size = 0;  ///< as stated; of no use for finding anything
  unsigned version = 1;            ///< 1 to 4; the file says one less
  std::uint32_t sector_size = 0;   ///< bytes that are packed at a time
  std::uint64_t hash_offset = 0;
  std::uint64_t hash_count = 0;
  std::uint64_t hash_packed = 0;  ///< bytes in the file, 0 if not stated
  std::uint64_t block_offset = 0;
  std::uint64_t block_count = 0;
  std::uint64_t block_packed = 0;
  std::uint64_t high_block_offset = 0;  ///< upper halves of offsets, from version 2; 0 for none
  std::uint64_t het_offset = 0;         ///< from version 3; 0 for none
  std::uint64_t bet_offset = 0;
};

// Flags of a block.
inline constexpr std::uint32_t kImploded = 0x00000100;         ///< by PKWARE's method alone
inline constexpr std::uint32_t kCompressed = 0x00000200;       ///< each sector's first byte states how
inline constexpr std::uint32_t kEncrypted = 0x00010000;        ///< by a key made of the name
inline constexpr std::uint32_t kKeyAdjusted = 0x00020000;      ///< the key takes in place and size, too
inline constexpr std::uint32_t kPatch = 0x00100000;            ///< a difference to a file of another archive
inline constexpr std::uint32_t kSingleUnit = 0x01000000;       ///< not divided into sectors
inline constexpr std::uint32_t kDeleteMarker = 0x02000000;     ///< the file was deleted
inline constexpr std::uint32_t kSectorChecksums = 0x04000000;  ///< a checksum for each sector
inline constexpr std::uint32_t kExists = 0x80000000;           ///< a block without it holds no file

/// One file of an archive.
struct Entry {
  std::string name;          ///< as listed, bytes as the author wrote them, with `\`; empty if unknown
  std::uint64_t hash = 0;    ///< of its name: that of type 1 in the upper half, of type 2 in the lower
  std::uint64_t offset = 0;  ///< from the start of the archive's file
  std::uint64_t packed_size = 0;
  std::uint64_t size = 0;
  std::uint32_t slot = 0;   ///< in the hash table
  std::uint32_t block = 0;  ///< in the block table
  std::uint32_t flags = 0;
  std::uint32_t crc32 = 0;      ///< from (attributes); 0 for none
  std::uint64_t file_time = 0;  ///< from (attributes), Windows FILETIME; 0 for none
  std::uint16_t locale = 0;     ///< Windows language id; 0 is neutral
  std::uint16_t platform = 0;

  /// Whether one of these bits of `flags` is set.
  [[nodiscard]] bool has(std::uint32_t flag) const { return (flags & flag) != 0; }
};

/// How sectors are packed: the bits of their first byte, and LZMA, which is a value of its own in the file.
enum : std::uint16_t {
  kHuffman = 0x01,
  kZlib = 0x02,
  kPkware = 0x08,
  kBzip2 = 0x10,
  kSparse = 0x20,
  kAdpcmMono = 0x40,
  kAdpcmStereo = 0x80,
  kLzma = 0x100,
};

/// "zlib", "sparse+bzip2"; "stored" for none.
std::string methods_text(std::uint16_t methods);

/// A file that came out of an archive.
struct Unpacked {
  Bytes bytes;
  /// All methods that were met.
  std::uint16_t methods = 0;
};

using OpenOptions = ArchiveOptions;  ///< how an archive is opened

/// A name's hash by the rule of MPQ. Type 0: place in the hash table, 1 and 2: the halves of Entry::hash, 3:
/// key. Lower case is upper case, `/` is `\` (mpq.md#hash-and-cipher).
std::uint32_t hash_name(std::string_view name, unsigned type);
/// The hash of a name, as Entry::hash.
std::uint64_t entry_hash(std::string_view name);

/// An archive that is open. May be used by several threads at once.
class Archive {
 public:
  /// What the tables hold, as they were found.
  struct Counts {
    std::size_t hashes = 0;  ///< places in the hash table, as far as they are in the file
    std::size_t blocks = 0;
    std::size_t deleted = 0;      ///< places whose file was deleted
    std::size_t invalid = 0;      ///< places that point to no block
    std::size_t duplicate = 0;    ///< nameless places that share their block with another
    std::size_t unreachable = 0;  ///< blocks that no place points to
  };

  /// Searches the header in steps of 512 bytes. Damage that leaves something to read is reported in
  /// `diagnostics`: codes mpq.*. The error is mpq.no-header, input.too-large or of the tables.
  static Result<Archive> open(std::shared_ptr<const Storage> storage, const OpenOptions& options = {},
                              Diagnostics& diagnostics = Diagnostics::discarded());

  /// What the header says.
  [[nodiscard]] const Header& header() const { return header_; }
  /// Findings of the tables.
  [[nodiscard]] const Counts& counts() const { return counts_; }
  /// The map's name from its HM3W header, in UTF-8; empty for other archives.
  [[nodiscard]] const std::string& map_name() const { return map_name_; }
  /// How its names are encoded, as stated or guessed; `automatic` if all of them are UTF-8.
  [[nodiscard]] CodePage code_page() const { return code_page_; }
  /// Whether the archive has a list of its names that could be read.
  [[nodiscard]] bool has_listfile() const { return has_listfile_; }
  /// Bytes of the archive's own file.
  [[nodiscard]] std::uint64_t file_size() const { return storage_->size(); }

  /// All files, in the order of the block table. Listed names above 1,024 bytes are taken for none.
  [[nodiscard]] std::span<const Entry> entries() const { return entries_; }

  /// By name, in UTF-8 or in the bytes that the archive has, which need not be in any list: the entry that
  /// comes back has it. Of several locales the neutral one. Case does not matter, `/` is `\`. Sixteen
  /// hexadecimal digits, with or without an extension, find an entry by its hash.
  [[nodiscard]] std::optional<Entry> find(std::string_view name) const;

  /// The file of a one-file archive such as `X.wmo.MPQ`, where `path` is the archive's without `.MPQ`: by the
  /// names it may have, else the largest (mpq.md#one-file-archives).
  [[nodiscard]] std::optional<Entry> find_single(std::string_view path) const;

  /// The whole file, or with `most` at least so much of it. Encrypted files whose name is unknown are read if
  /// their content gives the key away. The error is one of mpq.*, read.* or input.too-large: no file may be
  /// larger than sixteen times the archive and 48 MiB. A wrong checksum is reported in `diagnostics`.
  [[nodiscard]] Result<Unpacked> unpack(const Entry& entry,
                                        Diagnostics& diagnostics = Diagnostics::discarded(),
                                        std::uint64_t most = ~std::uint64_t{0}) const;

 private:
  friend class Opener;
  Archive() = default;

  /// In which names of callers are looked for besides UTF-8.
  [[nodiscard]] std::span<const CodePage> tried_pages() const;
  [[nodiscard]] const Entry* find_hash(std::uint64_t hash, std::optional<std::uint32_t> start) const;

  std::shared_ptr<const Storage> storage_;
  Limits limits_;
  Header header_;
  Counts counts_;
  std::string map_name_;
  CodePage code_page_ = CodePage::automatic;
  bool has_listfile_ = false;
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> by_hash_;  ///< indices of entries, ascending by hash
};

/// What an entry is called where it must be called something: its name, else its hash in hexadecimal digits
/// with `extension` (".blp"). UTF-8, `/` for `\`; not safe as a path.
std::string display_name(const Entry& entry, std::string_view extension);

// --- writing MPQ archives and maps: new ones, and others with files added and removed. Untouched entries
// keep their bytes

/// A file that comes into an archive.
struct NewFile {
  std::string name;                     ///< in the archive; `/` is `\`
  std::function<Result<Bytes>()> read;  ///< its content; may be called more than once
};

/// How files are stored.
struct Packing {
  bool compress = true;      ///< by deflate, where that makes them smaller
  bool single_unit = false;  ///< in one piece; Warcraft III does not read such files in maps
  bool checksums = false;    ///< one for every sector
};

/// What a new archive is.
struct CreateOptions {
  Packing packing;
  unsigned version = 1;                      ///< 1, or 2 for more than 4 GiB
  Bytes prefix;                              ///< before the archive: a map's header; a multiple of 512 bytes
  bool listfile = true;                      ///< with a list of its names
  bool attributes = true;                    ///< with CRC-32 of its files
  bool imports = false;                      ///< lists imported files in war3map.imp or war3campaign.imp
  bool keep_order = false;                   ///< in the order given; else sorted by name
  CodePage code_page = CodePage::automatic;  ///< of names in the archive, which are given in UTF-8: the same
};

/// Writes a new archive. Errors: archive.*, those of a file's `read`, write.failed. `(listfile)`,
/// `(attributes)` and `(signature)` among the files are left out: they are made anew, or no longer hold.
Result<void> create(std::vector<NewFile> files, const CreateOptions& options, Sink& out,
                    Diagnostics& diagnostics = Diagnostics::discarded());

/// The archive of one file as World of Warcraft's alpha has it: the file, its MD5 and (attributes), no list
/// (mpq.md#one-file-archives).
Result<void> create_single(const NewFile& file, const Packing& packing, Sink& out);

/// Changes of an archive.
struct Changes {
  std::vector<NewFile> add;           ///< takes the place of the neutral file of that name, if there is one
  std::vector<std::uint64_t> remove;  ///< Entry::hash; files of all languages
};

/// How an archive is changed.
struct EditOptions {
  OpenOptions open;
  Packing packing;
};

/// The result of a change.
struct Edited {
  std::vector<std::string> added;
  std::vector<std::string> replaced;
  std::vector<std::string> removed;
  std::vector<std::string> updated;  ///< lists that changed with them: "war3map.imp", "(listfile)"
};

/// Writes the archive with its changes. What lies before and after it and all other files keep their bytes;
/// lists of names, checksums and imports follow. Archives that are protected or damaged, and those of
/// versions 3 and 4, are refused: archive.refused, archive.kind. Further errors: archive.*, mpq.no-header,
/// mpq.no-entry, those of a file's `read`, write.failed.
Result<Edited> edit(const std::shared_ptr<const Storage>& storage, const Changes& changes,
                    const EditOptions& options, Sink& out,
                    Diagnostics& diagnostics = Diagnostics::discarded());

/// The 512 bytes before a map: its name, flags and number of players as its war3map.w3i says, else the name
/// given (mpq.md#where-the-archive-begins). `strings` is war3map.wts, for names that stand there.
Bytes map_header(std::string_view name, ByteView info, ByteView strings, Diagnostics& diagnostics);

}  // namespace thaw::mpq

// --- Forgelight packs (docs/formats/pack.md). PACK1 (.pack) is big-endian, a chain of tables with names;
// PACK2
// (.pack2) is little-endian and names its files by hashes

/// Packs of the Forgelight engine.
namespace thaw::pack {

/// PACK1 has no magic: the first table of a chain, as far as it is there, has to make sense.
bool is_pack1(ByteView start);

/// The hash by which PACK2 knows a file: CRC-64 of its name in upper case (ASCII).
std::uint64_t name_hash(std::string_view name);

/// Findings: pack.table for a table that is cut off or leads nowhere, and for entries that do not lie in the
/// file, which are left out; pack.header for a stated size that is wrong. The error is pack.header. Files do
/// not unpack with pack.data; pack.checksum reports those whose CRC-32 does not fit.
Result<std::shared_ptr<const Archive>> open_pack1(std::shared_ptr<const Storage> storage,
                                                  const ArchiveOptions& options = {},
                                                  Diagnostics& diagnostics = Diagnostics::discarded());

/// As `open_pack1`. Names come from the pack's `{NAMELIST}` and from the options; pack.names states how
/// many are missing.
Result<std::shared_ptr<const Archive>> open_pack2(std::shared_ptr<const Storage> storage,
                                                  const ArchiveOptions& options = {},
                                                  Diagnostics& diagnostics = Diagnostics::discarded());

// --- writing PACK1

/// A file that comes into a pack.
struct NewFile {
  std::string name;
  std::function<Result<Bytes>()> read;  ///< called once, when it is its turn
};

/// Tables of 8 KiB, each followed by its files; sorted by name without regard to case. Errors: archive.name,
/// archive.full for more than 4 GiB, those of a file's `read`, write.failed.
Result<void> create_pack1(std::vector<NewFile> files, Sink& out);

}  // namespace thaw::pack

#pragma GCC visibility pop
