// Archives of every kind behind one interface: MPQ (mpq.hpp), PACK1 and PACK2 of the Forgelight engine
// (pack.hpp), and installations with CASC (casc.hpp). Read only.
#pragma once

#include <thaw/bytes.hpp>
#include <thaw/diagnostics.hpp>
#include <thaw/options.hpp>
#include <thaw/storage.hpp>
#include <thaw/value.hpp>

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
  /// archive and 48 MiB. A wrong checksum is told in `diagnostics`.
  [[nodiscard]] virtual Result<UnpackedFile> unpack(const ArchiveEntry& entry,
                                                    Diagnostics& diagnostics = Diagnostics::unwanted(),
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
/// something to read is told in `diagnostics`. The error is mpq.no-header for anything else.
Result<std::shared_ptr<const Archive>> open_archive(std::shared_ptr<const Storage> storage,
                                                    const ArchiveOptions& options = {},
                                                    Diagnostics& diagnostics = Diagnostics::unwanted());

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

#pragma GCC visibility pop
