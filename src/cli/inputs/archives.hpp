// Archives as places of inputs: `archive.mpq//path\to\file`, `assets.pack2//file`, and archives inside
// archives.
#pragma once

#include <thaw/archive.hpp>
#include <thaw/sources.hpp>

#include "cli/arguments/settings.hpp"

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace thaw::cli {

/// Bytes from which the format of a file is recognised.
inline constexpr std::size_t kPeek = 65536;

struct OpenedArchive {
  std::string name;            ///< as a user would write it: "map.w3x", "campaign.w3n//map.w3x"
  std::filesystem::path path;  ///< the file on disk that it lies in
  std::shared_ptr<const OpenedArchive> parent;  ///< the archive that it is a file of, if any
  std::shared_ptr<const Archive> archive;
  Diagnostics findings;

  /// What lies in it, with its place: "map.w3x//war3map.j".
  [[nodiscard]] std::string name_of(const ArchiveEntry& entry) const;
};
using ArchivePointer = std::shared_ptr<const OpenedArchive>;

/// A file of an archive.
struct ArchiveMember {
  ArchivePointer archive;
  ArchiveEntry entry;
};

/// What a name with `//` means: the part before it is a file on disk, or the folder of an installation, the
/// rest leads into it.
struct ArchivePath {
  std::string file;
  std::string inner;  ///< with further `//` for archives inside; empty for the archive itself
};
/// None if no part of the name before a `//` is a file: then it is an ordinary path with a doubled slash.
std::optional<ArchivePath> split_archive_path(const std::string& name);

/// An archive is read in parts: without --max-input only the files in it are too large.
Limits archive_limits(const Settings& settings);

/// Opens every archive once.
class Archives {
 public:
  explicit Archives(const Settings& settings) : settings_(settings) {}

  /// `name` as in OpenedArchive::name; a `//` at the end does no harm.
  Result<ArchivePointer> open(const std::string& name);
  /// The file that a path with `//` means.
  Result<ArchiveMember> find(const ArchivePath& path);

 private:
  Result<ArchivePointer> open_file(const std::string& file);
  Result<ArchivePointer> open_installation(const std::string& folder);
  Result<ArchivePointer> open_inside(const ArchivePointer& parent, const std::string& inner);
  Result<ArchivePointer> open_storage_of(OpenedArchive opened, std::shared_ptr<const Storage> storage);
  Result<std::vector<std::string>> listed_names();

  const Settings& settings_;
  std::optional<std::vector<std::string>> listed_names_;  ///< once they have been read
  std::map<std::string, ArchivePointer> opened_;
};

/// Whether a name is the folder of an installation, or its `.build.info`.
bool names_installation(const std::string& name);

/// Says that --variant is for installations and none is named; empty if all is well.
std::string check_variants(const Settings& settings);

/// mpq.no-entry, pack.no-entry or casc.no-entry.
tl::unexpected<Error> no_entry(const OpenedArchive& archive, const std::string& name);

/// ".mdx" for what looks like a model and so on; ".txt" for text, ".bin" for anything else.
std::string_view sniffed_extension(ByteView start);

/// The first bytes of a file, enough to recognise most formats; empty if it does not unpack.
UnpackedFile peek_entry(const Archive& archive, const ArchiveEntry& entry);

/// What an entry is called: its name, else its hash with the extension of what it looks like.
std::string entry_name(const Archive& archive, const ArchiveEntry& entry);

/// `name` as a relative path that stays where it is put on every system: without `..`, drives, device names
/// and characters that some file systems forbid. Never empty.
std::filesystem::path safe_path(const std::string& name);

}  // namespace thaw::cli
