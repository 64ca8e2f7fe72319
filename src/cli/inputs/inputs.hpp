// Files that a command works on, and their content.
#pragma once

#include <thaw/diagnostics.hpp>
#include <thaw/format.hpp>

#include "cli/arguments/settings.hpp"
#include "cli/inputs/archives.hpp"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

namespace thaw::cli {

struct Input {
  std::string name;            ///< as the user knows it; "-" for stdin
  std::filesystem::path path;  ///< of a file in an archive, that of the archive
  /// Folders between the argument and the file, with the file's name: kept below the output folder.
  std::filesystem::path relative;
  bool found = false;  ///< met while looking into a folder or archive, not named
  std::shared_ptr<const ArchiveMember> member = nullptr;  ///< where it is in an archive
  std::optional<Error> failure = std::nullopt;  ///< why it cannot be read, where that is known already
  /// An archive that stands for the one file in it, as X.wmo.MPQ does for X.wmo; `relative` has that name.
  bool one_file = false;
  /// Of another --shard: only its name counts here, so that outputs get the names that one run gives them.
  bool elsewhere = false;
};

/// A part of a batch: number `part` of `parts`, counted from 0.
struct Shard {
  std::uint32_t part = 0;
  std::uint32_t parts = 1;
};
/// "2/8"; the whole for "", none for anything else.
std::optional<Shard> parse_shard(const std::string& text);

/// How often the arguments name stdin, as an input or as the list of inputs.
std::ptrdiff_t stdin_uses(const Settings& settings);

/// The names in --files-from, if any.
Result<std::vector<std::string>> listed_inputs(const Settings& settings);

/// Named files in the order of the arguments, and with -r the files below named folders, sorted, and those of
/// named archives; a folder that cannot be read is an input that fails. `archive//` is all files of the
/// archive, `archive//name` one of them. A name that cannot be read is still there: it fails when it is read.
/// With --shard, those of one part: which part a file belongs to depends on its name below the named folder
/// alone, so that no other file moves it. The error is that of --files-from.
enum class Others : std::uint8_t {
  left_out,
  marked,  ///< they stay, `elsewhere`
};
tl::expected<std::vector<Input>, Error> collect_inputs(const Settings& settings,
                                                       Others others = Others::left_out);

/// One argument that means one file.
Input named_input(const std::string& name, const Settings& settings);

/// A file of an archive as an input.
Input member_input(const ArchivePointer& archive, ArchiveEntry entry);

/// More than one input may come: a summary is reported, and failures of single files end in kPartly.
bool is_batch(const Settings& settings);

struct Content {
  Bytes bytes;
  Identity identity;
  bool skipped = false;  ///< found, not named, and of a format that the command has no use for
  CodePage code_page = CodePage::automatic;  ///< of the archive that it is a file of
};
/// Whether files of a format may be called so: ".mdx".
bool has_extension(Format format, std::string_view extension);

/// What a file is, from its beginning; unknown if it cannot be read.
Identity identify_file(const Input& input);

/// Which formats a command has a use for.
using Takes = std::function<bool(const Identity&)>;
inline bool is_document(const Identity& identity) { return identity.readable; }
inline bool is_gltf(const Identity& identity) { return identity.format.is_interchange(); }

/// Its bytes, whatever they are.
Result<Bytes> read_input(const Input& input, const Limits& limits);

Result<Content> load(const Input& input, const Settings& settings, const Takes& takes = is_document);

/// As read_any; the error of content that is known by its name alone says what it is.
Result<AnyDocument> read_content(const Content& content, const Settings& settings, Diagnostics& findings);

/// With the control of this thread's job: good as long as that.
ReadOptions read_options(const Settings& settings);

/// Of pictures, as `fitted` takes it: --max-size.
std::uint32_t longest_side(const TextureSettings& settings);

/// `*` within a name, `**` across folders, `?`, `[a-z]`; case does not matter. A pattern without `/` is about
/// the last part of `path`.
bool matches_glob(std::string_view pattern, std::string_view path);

}  // namespace thaw::cli
