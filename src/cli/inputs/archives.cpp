#include "cli/inputs/archives.hpp"

#include <thaw/casc.hpp>
#include <thaw/codes.hpp>
#include <thaw/format.hpp>

#include "bytes/text.hpp"
#include "cli/inputs/distinct.hpp"
#include "cli/inputs/inputs.hpp"

#include <algorithm>
#include <array>
#include <mutex>

namespace thaw::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kInto = "//";

std::string without_slashes_at_end(std::string name) {
  while (name.size() > 1 && name.back() == '/') {
    name.pop_back();
  }
  return name;
}

/// Names that a one-file archive's own name gives to its file (mpq.md#one-file-archives).
void add_implied_names(const fs::path& path, std::vector<std::string>& names) {
  constexpr int kFolders = 8;
  if (extension_of(path) != ".mpq") {
    return;
  }
  std::string name = path.stem().string();
  names.push_back(name);
  names.push_back(name + ".md5");
  names.push_back(path.stem().stem().string() + '\\' + name);
  fs::path folder = path.parent_path();
  for (int i = 0; i < kFolders && !folder.filename().empty(); ++i) {
    name.insert(0, folder.filename().string() + '\\');
    names.push_back(name);
    folder = folder.parent_path();
  }
}

struct Beginning {
  std::string_view bytes;
  std::string_view extension;
};

using namespace std::string_view_literals;
/// Files of archives that are none of the known formats.
constexpr std::array kBeginnings = {
    Beginning{"HM3W"sv, ".w3x"sv},
    Beginning{"RIFF"sv, ".wav"sv},
    Beginning{"ID3"sv, ".mp3"sv},
    Beginning{"OggS"sv, ".ogg"sv},
    Beginning{"fLaC"sv, ".flac"sv},
    Beginning{"W3E!"sv, ".w3e"sv},
    Beginning{"W3do"sv, ".doo"sv},
    Beginning{"MP3W"sv, ".wpm"sv},
    Beginning{"WTG!"sv, ".wtg"sv},
    Beginning{"WDBC"sv, ".dbc"sv},
    Beginning{"\x00\x01\x00\x00"sv, ".ttf"sv},
    Beginning{"ID;"sv, ".slk"sv},
    Beginning{"\xFF\xFB"sv, ".mp3"sv},
};

/// The installations of this run: many parts of a command request the same one, and it takes long to open.
class Installations {
 public:
  template <class Open>
  Result<ArchivePointer> get(const std::string& folder, const std::vector<std::string>& variants,
                             const Open& open) {
    const std::lock_guard lock(mutex_);
    const auto [known, fresh] = opened_.try_emplace({folder, variants}, fail(codes::kCascInstallation, ""));
    if (fresh) {
      known->second = open();
    }
    return known->second;
  }

 private:
  std::mutex mutex_;
  std::map<std::pair<std::string, std::vector<std::string>>, Result<ArchivePointer>> opened_;
};

Installations& installations() {
  static Installations all;
  return all;
}

bool is_text(ByteView start) {
  const auto odd = [](std::uint8_t byte) {
    return byte < 0x20 && byte != '\t' && byte != '\r' && byte != '\n';
  };
  return !start.empty() && std::none_of(start.begin(), start.end(), odd);
}

}  // namespace

std::string OpenedArchive::name_of(const ArchiveEntry& entry) const {
  return name + std::string(kInto) + entry_name(*archive, entry);
}

tl::unexpected<Error> no_entry(const OpenedArchive& archive, const std::string& name) {
  const ArchiveKind kind = archive.archive->kind();
  return fail(kind == ArchiveKind::mpq    ? codes::kMpqNoEntry
              : kind == ArchiveKind::casc ? codes::kCascNoEntry
                                          : codes::kPackNoEntry,
              archive.name + " has no file " + name);
}

bool names_installation(const std::string& name) {
  const fs::path path = without_slashes_at_end(name);
  std::error_code error;
  return casc::is_installation(path) ||
         (path.filename() == ".build.info" && fs::is_regular_file(path, error));
}

std::optional<ArchivePath> split_archive_path(const std::string& name) {
  for (std::size_t at = name.find(kInto, 1); at != std::string::npos; at = name.find(kInto, at + 1)) {
    std::error_code error;
    const std::string file = name.substr(0, at);
    if (fs::is_regular_file(file, error) || names_installation(file)) {
      const std::size_t inner = name.find_first_not_of('/', at);
      return ArchivePath{file, inner == std::string::npos ? std::string() : name.substr(inner)};
    }
  }
  return std::nullopt;
}

std::string check_variants(const Settings& settings) {
  const auto is_one = [](const std::string& name) {
    const auto path = split_archive_path(name);
    return names_installation(path ? path->file : name);
  };
  const bool any = std::any_of(settings.inputs.begin(), settings.inputs.end(), is_one) ||
                   std::any_of(settings.sources.begin(), settings.sources.end(), is_one);
  return settings.variants.empty() || any || !settings.files_from.empty()
             ? ""
             : "--variant needs an installation as input or --source";
}

Limits archive_limits(const Settings& settings) {
  constexpr std::uint64_t kAnySize = std::uint64_t{1} << 40U;
  Limits limits;
  limits.max_input_bytes = settings.max_input.value_or(kAnySize);
  return limits;
}

Result<ArchivePointer> Archives::open(const std::string& name) {
  const auto path = split_archive_path(name);
  auto file = open_file(path ? path->file : without_slashes_at_end(name));
  const std::string inner = path ? without_slashes_at_end(path->inner) : std::string();
  return !file || inner.empty() ? file : open_inside(*file, inner);
}

Result<ArchiveMember> Archives::find(const ArchivePath& path) {
  auto archive = open_file(path.file);
  std::string name = path.inner;
  for (std::size_t at = name.find(kInto); archive && at != std::string::npos; at = name.find(kInto)) {
    archive = open_inside(*archive, name.substr(0, at));
    name = name.substr(std::min(name.find_first_not_of('/', at), name.size()));
  }
  if (!archive) {
    return tl::unexpected<Error>(archive.error());
  }
  auto entry = (*archive)->archive->find(name);
  if (!entry) {
    return no_entry(**archive, name);
  }
  return ArchiveMember{*archive, std::move(*entry)};
}

Result<ArchivePointer> Archives::open_file(const std::string& file) {
  if (const auto known = opened_.find(file); known != opened_.end()) {
    return known->second;
  }
  if (names_installation(file)) {
    return installations().get(file, settings_.variants, [&] { return open_installation(file); });
  }
  auto storage = file == "-" ? read_input({"-", "-", "stdin"}, archive_limits(settings_)).map(memory_storage)
                             : open_storage(file);
  if (!storage) {
    return tl::unexpected<Error>(storage.error());
  }
  return open_storage_of({file, file, nullptr, nullptr, Diagnostics()}, std::move(*storage));
}

/// List files go in as they are: a million lines need no million texts.
Result<ArchivePointer> Archives::open_installation(const std::string& folder) {
  casc::Options options;
  options.strict = settings_.strict;
  options.limits.max_input_bytes = settings_.max_input.value_or(options.limits.max_input_bytes);
  options.variants = settings_.variants;
  for (const auto& file : settings_.listfiles) {
    auto bytes = read_file(file, Limits{});
    if (!bytes) {
      bytes.error().message = file + ": " + bytes.error().message;
      return tl::unexpected<Error>(bytes.error());
    }
    options.listfiles.push_back(std::make_shared<const Bytes>(std::move(*bytes)));
  }
  const fs::path named = folder;
  const fs::path place = named.filename() == ".build.info" ? named.parent_path() : named;
  // Next to the products' names is where loose files lie, which count for more.
  OpenedArchive opened{folder, place / ".build.info", nullptr, nullptr, Diagnostics()};
  auto archive = casc::open_folder(place.empty() ? fs::path(".") : place, options, opened.findings);
  if (!archive) {
    return tl::unexpected<Error>(archive.error());
  }
  opened.archive = std::move(*archive);
  return std::make_shared<const OpenedArchive>(std::move(opened));
}

/// Archives inside archives: every part of `inner` between `//` is one.
Result<ArchivePointer> Archives::open_inside(const ArchivePointer& parent, const std::string& inner) {
  const std::size_t at = inner.find(kInto);
  const std::string part = inner.substr(0, at);
  const std::string name = parent->name + std::string(kInto) + part;
  Result<ArchivePointer> archive = parent;
  if (const auto known = opened_.find(name); known != opened_.end()) {
    archive = known->second;
  } else {
    const auto entry = parent->archive->find(part);
    Diagnostics findings;
    auto unpacked = entry ? parent->archive->unpack(*entry, findings) : no_entry(*parent, part);
    if (!unpacked) {
      return tl::unexpected<Error>(unpacked.error());
    }
    archive = open_storage_of({name, parent->path, parent, nullptr, Diagnostics()},
                              memory_storage(std::move(unpacked->bytes)));
  }
  const std::size_t rest = inner.find_first_not_of('/', std::min(at, inner.size()));
  return archive && rest != std::string::npos ? open_inside(*archive, inner.substr(rest)) : archive;
}

Result<ArchivePointer> Archives::open_storage_of(OpenedArchive opened,
                                                 std::shared_ptr<const Storage> storage) {
  ArchiveOptions options;
  options.strict = settings_.strict;
  options.limits = archive_limits(settings_);
  options.code_page = parse_code_page(settings_.code_page).value_or(CodePage::automatic);
  auto names = listed_names();
  if (!names) {
    return tl::unexpected<Error>(names.error());
  }
  options.names = std::move(*names);
  add_implied_names(fs::path(opened.name), options.names);
  auto archive = open_archive(std::move(storage), options, opened.findings);
  if (!archive) {
    return tl::unexpected<Error>(archive.error());
  }
  opened.archive = std::move(*archive);
  const std::string name = opened.name;
  return opened_[name] = std::make_shared<const OpenedArchive>(std::move(opened));
}

Result<std::vector<std::string>> Archives::listed_names() {
  if (listed_names_) {
    return *listed_names_;
  }
  std::vector<std::string> names;
  for (const auto& file : settings_.listfiles) {
    auto bytes = read_file(file, Limits{});
    if (!bytes) {
      bytes.error().message = file + ": " + bytes.error().message;
      return tl::unexpected<Error>(bytes.error());
    }
    auto more = parse_listfile(*bytes);
    std::move(more.begin(), more.end(), std::back_inserter(names));
  }
  listed_names_ = names;
  return names;
}

std::string_view sniffed_extension(ByteView start) {
  const std::string_view text = as_text(start);
  for (const auto& beginning : kBeginnings) {
    if (text.substr(0, beginning.bytes.size()) == beginning.bytes) {
      return beginning.extension;
    }
  }
  const Format format = identify(start).format;
  if (format.is_known() && format != "mdx-markdown") {
    return first_word(format.extensions());
  }
  return is_text(start) ? ".txt" : ".bin";
}

UnpackedFile peek_entry(const Archive& archive, const ArchiveEntry& entry) {
  Diagnostics findings;
  auto unpacked = archive.unpack(entry, findings, kPeek);
  return unpacked ? std::move(*unpacked) : UnpackedFile{};
}

std::string entry_name(const Archive& archive, const ArchiveEntry& entry) {
  return display_name(
      entry, entry.name.empty() ? sniffed_extension(peek_entry(archive, entry).bytes) : std::string_view());
}

}  // namespace thaw::cli
