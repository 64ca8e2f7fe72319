// MPQ archives and maps, written: new ones, and others with files added and removed. What is not touched
// stays as it is to the byte.
#pragma once

#include <thaw/mpq.hpp>
#include <thaw/sink.hpp>

#include <functional>

#pragma GCC visibility push(default)

namespace thaw::mpq {

/// A file that comes into an archive.
struct NewFile {
  std::string name;                     ///< in the archive; `/` is `\`
  std::function<Result<Bytes>()> read;  ///< its content; may be asked for more than once
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
                    Diagnostics& diagnostics = Diagnostics::unwanted());

/// The archive of one file as World of Warcraft's alpha has it: the file, its MD5 and (attributes), no list
/// (mpq.md#one-file-archives).
Result<void> create_single(const NewFile& file, const Packing& packing, Sink& out);

/// What is done to an archive.
struct Changes {
  std::vector<NewFile> add;           ///< takes the place of the neutral file of that name, if there is one
  std::vector<std::uint64_t> remove;  ///< Entry::hash; files of all languages
};

/// How an archive is changed.
struct EditOptions {
  OpenOptions open;
  Packing packing;
};

/// What was done.
struct Edited {
  std::vector<std::string> added;
  std::vector<std::string> replaced;
  std::vector<std::string> removed;
  std::vector<std::string> updated;  ///< lists that changed with them: "war3map.imp", "(listfile)"
};

/// The archive with its changes: what lies before and behind it and all other files keep their bytes, and
/// lists of names, checksums and imports follow. Archives that are protected or damaged, and those of
/// versions 3 and 4, are refused: archive.refused, archive.kind. Further errors: archive.*, mpq.no-header,
/// mpq.no-entry, those of a file's `read`, write.failed.
Result<Edited> edit(const std::shared_ptr<const Storage>& storage, const Changes& changes,
                    const EditOptions& options, Sink& out,
                    Diagnostics& diagnostics = Diagnostics::unwanted());

/// The 512 bytes before a map: its name, flags and number of players as its war3map.w3i says, else the name
/// given (mpq.md#where-the-archive-begins). `strings` is war3map.wts, for names that stand there.
Bytes map_header(std::string_view name, ByteView info, ByteView strings, Diagnostics& diagnostics);

}  // namespace thaw::mpq

#pragma GCC visibility pop
