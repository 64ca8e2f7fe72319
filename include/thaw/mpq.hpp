// MPQ archives of Blizzard's games: Warcraft III's .mpq, .w3m, .w3x and .w3n, and the one-file archives of
// World of Warcraft's alpha. Read only.
#pragma once

#include <thaw/archive.hpp>
#include <thaw/bytes.hpp>
#include <thaw/diagnostics.hpp>
#include <thaw/options.hpp>
#include <thaw/storage.hpp>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#pragma GCC visibility push(default)

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
inline constexpr std::uint32_t kCompressed = 0x00000200;       ///< each sector's first byte tells how
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

  /// Searches the header in steps of 512 bytes. Damage that leaves something to read is told in
  /// `diagnostics`: codes mpq.*. The error is mpq.no-header, input.too-large or of the tables.
  static Result<Archive> open(std::shared_ptr<const Storage> storage, const OpenOptions& options = {},
                              Diagnostics& diagnostics = Diagnostics::unwanted());

  /// What the header says.
  [[nodiscard]] const Header& header() const { return header_; }
  /// What was found in the tables.
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
  /// larger than sixteen times the archive and 48 MiB. A wrong checksum is told in `diagnostics`.
  [[nodiscard]] Result<Unpacked> unpack(const Entry& entry,
                                        Diagnostics& diagnostics = Diagnostics::unwanted(),
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

}  // namespace thaw::mpq

#pragma GCC visibility pop
