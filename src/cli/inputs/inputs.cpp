#include "cli/inputs/inputs.hpp"

#include <thaw/archive.hpp>

#include <thaw/sources.hpp>

#include "bytes/hash.hpp"
#include "bytes/text.hpp"
#include "cli/inputs/distinct.hpp"
#include "cli/platform/interrupt.hpp"
#include "cli/platform/job_control.hpp"
#include "cli/platform/stdin.hpp"
#include "cli/report/text.hpp"
#include "describe/limits.hpp"
#include "sources/listing.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>

namespace thaw::cli {

bool has_extension(Format format, std::string_view extension) {
  const std::string words = concat({" ", format.extensions(), " "});
  return !extension.empty() && words.find(concat({" ", extension, " "})) != std::string::npos;
}

namespace {

namespace fs = std::filesystem;

/// In short turns: Ctrl-C may reach another thread than this one.
Result<Bytes> read_all_stdin(std::uint64_t limit) {
  constexpr auto kTurn = std::chrono::milliseconds(100);
  Bytes bytes;
  std::array<std::uint8_t, kPeek> buffer{};
  while (!interrupted()) {
    stop_when_requested();
    const auto got = read_stdin(buffer, kTurn);
    if (!got) {
      return tl::unexpected<Error>(got.error());
    }
    if (*got == std::size_t{0}) {
      return bytes;
    }
    bytes.insert(bytes.end(), buffer.begin(), buffer.begin() + static_cast<std::ptrdiff_t>(got->value_or(0)));
    if (bytes.size() > limit) {
      return fail(codes::kInputTooLarge,
                  "the input has more than " + std::to_string(limit) + " bytes, the input limit");
    }
  }
  return fail(codes::kInputUnreadable, "interrupted");
}

/// The first bytes of a file, enough to recognise most formats.
Bytes peek(const fs::path& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) {
    return {};  // of a pipe, opening alone may take for ever
  }
  Bytes bytes(kPeek);
  std::ifstream file(path, std::ios::binary);
  file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(file.gcount()));
  return bytes;
}

/// Files under these names are read whole; of others, the beginning decides whether that is worth while.
bool has_readable_extension(const fs::path& path) {
  const std::string extension = extension_of(path);
  const auto formats = known_formats();
  // Everybody has XML: under its name all sorts of things are found.
  return extension != ".xml" && std::any_of(formats.begin(), formats.end(), [&](Format format) {
           return format.reads() && has_extension(format, extension);
         });
}

bool is_known_extension(const std::string& extension) {
  const auto formats = known_formats();
  return std::any_of(formats.begin(), formats.end(),
                     [&](Format format) { return has_extension(format, extension); });
}

/// World of Warcraft's alpha keeps X.wmo in an archive X.wmo.MPQ of its own: everywhere the same as X.wmo.
bool is_one_file_archive(const fs::path& path) {
  return extension_of(path) == ".mpq" && is_known_extension(extension_of(path.stem()));
}

Input file_input(std::string name, const fs::path& path, fs::path relative, bool found) {
  Input input{std::move(name), path, std::move(relative), found};
  input.one_file = is_one_file_archive(path);
  if (input.one_file) {
    input.relative.replace_extension();
  }
  return input;
}

/// The file in a one-file archive; none if it is no such archive after all.
std::optional<ArchiveMember> open_one_file(const Input& input) {
  auto storage = open_storage(input.path);
  if (!storage) {
    return std::nullopt;
  }
  auto opened = std::make_shared<OpenedArchive>();
  opened->name = input.name;
  opened->path = input.path;
  auto opened_mpq = mpq::Archive::open(std::move(*storage), {}, opened->findings);
  if (!opened_mpq) {
    return std::nullopt;
  }
  const auto archive = std::make_shared<const mpq::Archive>(std::move(*opened_mpq));
  const auto single = archive->find_single(fs::path(input.path).replace_extension().generic_string());
  if (!single) {
    return std::nullopt;
  }
  opened->archive = as_archive(archive);
  const auto entries = archive->entries();
  const auto at = std::find_if(entries.begin(), entries.end(),
                               [&](const mpq::Entry& entry) { return entry.slot == single->slot; });
  if (at == entries.end()) {
    return std::nullopt;
  }
  ArchiveEntry entry = opened->archive->entries()[static_cast<std::size_t>(at - entries.begin())];
  entry.name = single->name;  // which no list may have
  return ArchiveMember{opened, std::move(entry)};
}

bool requested(const fs::path& relative, const Settings& settings) {
  const std::string path = relative.generic_string();
  const auto matches = [&](const std::string& glob) { return matches_glob(glob, path); };
  const auto& include = settings.include;
  return (include.empty() || std::any_of(include.begin(), include.end(), matches)) &&
         std::none_of(settings.exclude.begin(), settings.exclude.end(), matches);
}

Input failed_input(const std::string& name, const fs::path& path, Error error) {
  Input input{name, path, path.filename()};
  input.failure = std::move(error);
  return input;
}

/// What is in a folder, or why that is unknown.
struct FolderItem {
  fs::path path;
  std::string failure;
};

/// One folder: its files, and the folders in it that are looked into next.
void list_folder(const fs::path& folder, std::vector<FolderItem>& found, std::vector<fs::path>& folders) {
  std::error_code error;
  for (const auto& entry : entries_of(folder, error)) {
    std::error_code unknown;
    const bool link = entry.is_symlink(unknown);
    const bool is_folder = !link && entry.is_directory(unknown);
    const bool is_file = entry.is_regular_file(unknown);
    const bool nothing = link && (unknown == std::errc::no_such_file_or_directory ||
                                  unknown == std::errc::too_many_symbolic_link_levels);
    if (is_folder) {
      folders.push_back(entry.path());
    } else if (is_file || (unknown && !nothing)) {
      found.push_back({entry.path(), ""});  // one that cannot even be looked at says why when it is read
    }
  }
  if (error) {
    found.push_back({folder, error.message()});
  }
}

/// Nothing in it is requested, so that it need not be read either.
bool is_excluded(const fs::path& folder, const Settings& settings) {
  const std::string path = folder.generic_string();
  return std::any_of(settings.exclude.begin(), settings.exclude.end(), [&](const std::string& glob) {
    return matches_glob(glob, path) || matches_glob(glob, concat({path, "/*"}));
  });
}

void add_found(const FolderItem& found, const fs::path& folder, const Settings& settings,
               std::vector<Input>& inputs) {
  const fs::path relative = found.path.lexically_relative(folder);
  const std::string name = found.path.generic_string();
  if (found.failure.empty()) {
    if (requested(relative, settings)) {
      inputs.push_back(file_input(name, found.path, relative, true));
    }
  } else if (!is_excluded(relative, settings)) {
    auto input = failed_input(
        name, found.path,
        Error{codes::kInputUnreadable, {}, {}, concat({"cannot read the folder: ", found.failure})});
    input.relative = relative / "";  // no file's name: no output has to make way for it
    inputs.push_back(std::move(input));
  }
}

/// Whether an archive within a folder is looked into instead of taken as a file.
bool opens(const FolderItem& found, const Settings& settings) {
  return settings.into_archives && found.failure.empty() && !is_one_file_archive(found.path) &&
         identify(peek(found.path)).format.is_archive();
}

/// What lies in an archive within a folder: its outputs lie below a folder with its name.
void collect_found(const FolderItem& found, const fs::path& folder, const Settings& settings,
                   Archives& archives, std::vector<Input>& inputs) {
  const std::string name = found.path.generic_string();
  const auto archive = archives.open(name);
  if (!archive) {
    inputs.push_back(failed_input(name, found.path, archive.error()));
    return;
  }
  for (const auto& entry : (*archive)->archive->entries()) {
    Input input = member_input(*archive, entry);
    input.found = true;
    input.relative = found.path.lexically_relative(folder) / input.relative;
    if (requested(input.relative, settings)) {
      inputs.push_back(std::move(input));
    }
  }
}

void collect_folder(const fs::path& folder, const Settings& settings, Archives& archives,
                    std::vector<Input>& inputs) {
  std::vector<FolderItem> found;
  std::vector<fs::path> folders = {folder};
  while (!folders.empty() && !interrupted()) {
    const fs::path next = std::move(folders.back());
    folders.pop_back();
    list_folder(next, found, folders);
  }
  std::sort(found.begin(), found.end(),
            [](const FolderItem& a, const FolderItem& b) { return a.path < b.path; });
  for (const auto& one : found) {
    if (opens(one, settings)) {
      collect_found(one, folder, settings, archives, inputs);
    } else {
      add_found(one, folder, settings, inputs);
    }
  }
}

/// `archive//` with nothing after it, or with -r an archive or one of its folders.
bool names_archive(const ArchivePath& path, const Settings& settings) {
  return path.inner.empty() || (settings.recursive && path.inner.find("//") == std::string::npos);
}

/// All files of an archive below a folder ("" for all), as -r finds them.
void collect_archive(const ArchivePointer& archive, const std::string& folder, const Settings& settings,
                     std::vector<Input>& inputs) {
  const std::string start = folder.empty() ? folder : normalize_game_path(folder) + '/';
  for (const auto& entry : archive->archive->entries()) {
    Input input = member_input(archive, entry);
    input.found = true;
    const bool below = normalize_game_path(input.relative.generic_string()).substr(0, start.size()) == start;
    if (below && requested(input.relative, settings)) {
      inputs.push_back(std::move(input));
    }
  }
}

void collect_inside(const std::string& name, const ArchivePath& path, const Settings& settings,
                    Archives& archives, std::vector<Input>& inputs) {
  const auto member = path.inner.empty() ? fail(codes::kMpqNoEntry, "") : archives.find(path);
  if (member || !names_archive(path, settings)) {
    inputs.push_back(member ? member_input(member->archive, member->entry)
                            : failed_input(name, path.file, member.error()));
    return;
  }
  const auto archive = archives.open(path.file);
  const std::size_t before = inputs.size();
  if (archive) {
    collect_archive(*archive, path.inner, settings, inputs);
  }
  if (!archive || (inputs.size() == before && !path.inner.empty())) {
    inputs.push_back(failed_input(name, path.file, archive ? member.error() : archive.error()));
  }
}

void collect_one(const std::string& name, const Settings& settings, Archives& archives,
                 std::vector<Input>& inputs) {
  const fs::path path = name;
  std::error_code error;
  if (name == "-") {
    inputs.push_back({name, path, "stdin"});
  } else if (const auto inside = split_archive_path(name)) {
    collect_inside(name, *inside, settings, archives, inputs);
  } else if (names_installation(name)) {
    if (settings.recursive) {
      collect_inside(name, {name, ""}, settings, archives, inputs);
    } else {
      const bool folder = fs::is_directory(path, error);
      inputs.push_back(
          file_input(name, folder ? path / ".build.info" : path, path.lexically_normal().filename(), false));
    }
  } else if (settings.recursive && fs::is_directory(path, error)) {
    collect_folder(path, settings, archives, inputs);
  } else if (settings.recursive && !is_one_file_archive(path) && identify(peek(path)).format.is_archive()) {
    collect_inside(name, {name, ""}, settings, archives, inputs);
  } else {
    inputs.push_back(file_input(name, path, path.filename(), false));
  }
}

Result<std::vector<std::string>> read_list(const Settings& settings) {
  const Limits limits;
  auto bytes = settings.files_from == "-" ? read_all_stdin(limits.max_input_bytes)
                                          : read_file(settings.files_from, limits);
  if (!bytes) {
    return tl::unexpected<Error>(std::move(bytes.error()));
  }
  const std::string_view text = without_byte_order_mark(as_text(*bytes));
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) {
    return fail(codes::kInputUnreadable, "the list is UTF-16, as PowerShell writes it; save it as UTF-8");
  }
  if (!settings.null_separated && text.find('\0') != std::string_view::npos) {
    return fail(codes::kInputUnreadable, "the list contains a NUL; use -0 for NUL-separated names");
  }
  std::vector<std::string> names;
  std::string name;
  const char separator = settings.null_separated ? '\0' : '\n';
  const auto finish = [&] {
    if (!settings.null_separated && !name.empty() && name.back() == '\r') {
      name.pop_back();
    }
    if (!name.empty()) {
      names.push_back(std::move(name));
    }
    name.clear();
  };
  for (const char c : text) {
    if (c == separator) {
      finish();
    } else {
      name += c;
    }
  }
  finish();
  return names;
}

/// FNV-1a of the name: the same on every machine and for every way to name the folder.
std::uint32_t part_of(const Input& input, std::uint32_t parts) {
  const std::uint64_t hash = fnv1a(as_bytes(input.relative.generic_string()));
  return static_cast<std::uint32_t>((hash ^ hash >> 32U) % parts);
}

Result<Bytes> read_member(const ArchiveMember& member, const Limits& limits) {
  if (member.entry.size > limits.max_input_bytes) {
    return input_too_large(member.entry.size, limits);
  }
  Diagnostics findings;  // a checksum that does not fit; what the content says counts more
  return member.archive->archive->unpack(member.entry, findings).map([](UnpackedFile unpacked) {
    return std::move(unpacked.bytes);
  });
}

}  // namespace

Result<Bytes> read_input(const Input& input, const Limits& limits) {
  if (input.failure) {
    return tl::unexpected<Error>(*input.failure);
  }
  if (input.member != nullptr) {
    return read_member(*input.member, limits);
  }
  if (const auto member = input.one_file ? open_one_file(input) : std::nullopt) {
    return read_member(*member, limits);
  }
  return input.name == "-" ? read_all_stdin(limits.max_input_bytes) : read_file(input.path, limits);
}

std::optional<Shard> parse_shard(const std::string& text) {
  if (text.empty()) {
    return Shard{};
  }
  constexpr std::uint32_t kMost = 1000000;
  Shard shard;
  const char* const end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, shard.part);
  if (first.ec != std::errc() || first.ptr == end || *first.ptr != '/') {
    return std::nullopt;
  }
  const auto second = std::from_chars(first.ptr + 1, end, shard.parts);
  const bool good = second.ec == std::errc() && second.ptr == end && shard.part >= 1 &&
                    shard.part <= shard.parts && shard.parts <= kMost;
  --shard.part;
  return good ? std::optional(shard) : std::nullopt;
}

std::ptrdiff_t stdin_uses(const Settings& settings) {
  return std::ranges::count(settings.inputs, "-") + (settings.files_from == "-" ? 1 : 0);
}

Result<std::vector<std::string>> listed_inputs(const Settings& settings) {
  return settings.files_from.empty() ? std::vector<std::string>() : read_list(settings);
}

tl::expected<std::vector<Input>, Error> collect_inputs(const Settings& settings, Others others) {
  std::vector<Input> inputs;
  Archives archives(settings);
  for (const auto& name : settings.inputs) {
    collect_one(name, settings, archives, inputs);
  }
  const auto listed =
      settings.listed ? Result<std::vector<std::string>>(*settings.listed) : listed_inputs(settings);
  if (!listed) {
    return tl::unexpected<Error>(listed.error());
  }
  for (const auto& name : *listed) {
    collect_one(name, settings, archives, inputs);
  }
  const Shard shard = parse_shard(settings.shard).value_or(Shard());
  for (auto& input : inputs) {
    input.elsewhere = part_of(input, shard.parts) != shard.part;
  }
  if (others == Others::left_out) {
    std::erase_if(inputs, [](const Input& input) { return input.elsewhere; });
  }
  return inputs;
}

Input named_input(const std::string& name, const Settings& settings) {
  const auto inside = name == "-" ? std::nullopt : split_archive_path(name);
  if (!inside) {
    return file_input(name, name, {}, false);
  }
  if (inside->inner.empty()) {
    return {name, inside->file, {}};
  }
  auto member = Archives(settings).find(*inside);
  return member ? member_input(member->archive, std::move(member->entry))
                : failed_input(name, inside->file, member.error());
}

Input member_input(const ArchivePointer& archive, ArchiveEntry entry) {
  const std::string name = entry_name(*archive->archive, entry);
  Input input{archive->name + "//" + name, archive->path, safe_path(name)};
  input.member = std::make_shared<const ArchiveMember>(ArchiveMember{archive, std::move(entry)});
  return input;
}

bool is_batch(const Settings& settings) {
  const auto is_whole_archive = [](const std::string& name) {
    const auto path = split_archive_path(name);
    return path && path->inner.empty();
  };
  return settings.recursive || !settings.files_from.empty() || settings.inputs.size() > 1 ||
         (!settings.inputs.empty() && is_whole_archive(settings.inputs.front()));
}

Identity identify_file(const Input& input) {
  if (input.member != nullptr) {
    return identify(peek_entry(*input.member->archive->archive, input.member->entry).bytes, input.name);
  }
  if (const auto member = input.one_file ? open_one_file(input) : std::nullopt) {
    return identify(peek_entry(*member->archive->archive, member->entry).bytes);
  }
  return input.failure ? Identity{} : identify(peek(input.path), input.name);
}

Result<Content> load(const Input& input, const Settings& settings, const Takes& takes) {
  const Limits limits = read_options(settings).limits;
  if (input.found && !has_readable_extension(input.relative)) {
    const Identity identity = identify_file(input);
    if (!takes(identity)) {
      return Content{{}, identity, true};
    }
  }
  auto bytes = read_input(input, limits);
  stop_when_requested();
  if (!bytes) {
    return tl::unexpected<Error>(std::move(bytes.error()));
  }
  const Identity identity = identify(*bytes, input.name);
  // What is of no known format at all in spite of its name is more likely broken than foreign.
  const bool foreign = !takes(identity) && identity.format.is_known();
  return Content{std::move(*bytes), identity, input.found && foreign,
                 input.member == nullptr ? CodePage::automatic : input.member->archive->archive->code_page()};
}

Result<AnyDocument> read_content(const Content& content, const Settings& settings, Diagnostics& findings) {
  // What is known by its name alone means nothing to who sees the bytes.
  if (content.identity.format.is_known() && !content.identity.readable) {
    return fail(codes::kFormatForeign, std::string(content.identity.explanation), 0);
  }
  const CodePageScope scope(content.code_page);
  return read_any(content.bytes, read_options(settings), findings);
}

ReadOptions read_options(const Settings& settings) {
  ReadOptions options;
  options.strict = settings.strict;
  options.code_page = parse_code_page(settings.code_page).value_or(CodePage::automatic);
  options.limits.max_input_bytes = settings.max_input.value_or(options.limits.max_input_bytes);
  options.limits.max_pixel_bytes = settings.max_pixels.value_or(options.limits.max_pixel_bytes);
  constexpr std::uint64_t kBytesWithCopies = 15;
  options.limits.max_image_pixels =
      std::max(options.limits.max_image_pixels, settings.max_pixels.value_or(0) / kBytesWithCopies);
  options.control = current_control();
  return options;
}

std::uint32_t longest_side(const TextureSettings& settings) {
  constexpr std::uint64_t kMost = 1U << 16U;
  return static_cast<std::uint32_t>(std::min(settings.max_side.value_or(0), kMost));
}

}  // namespace thaw::cli
