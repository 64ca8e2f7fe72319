#include "cli/report/archive_report.hpp"

#include <thaw/sources.hpp>

#include "bytes/text.hpp"
#include "cli/inputs/inputs.hpp"
#include "cli/report/report.hpp"

#include <algorithm>
#include <array>

namespace thaw::cli {
namespace {

struct FlagName {
  std::uint8_t flag;
  char letter;
  std::string_view word;
};

constexpr std::array kFlagNames = {
    FlagName{ArchiveEntry::kEncrypted, 'e', "encrypted"},
    FlagName{ArchiveEntry::kKeyAdjusted, 'k', "key-adjusted"},
    FlagName{ArchiveEntry::kImploded, 'i', "imploded"},
    FlagName{ArchiveEntry::kSingleUnit, 's', "single-unit"},
    FlagName{ArchiveEntry::kSectorChecksums, 'c', "sector-checksums"},
    FlagName{ArchiveEntry::kPatch, 'p', "patch"},
    FlagName{ArchiveEntry::kAbsent, 'a', "absent"},
};

bool is_exact(const std::string& pattern) { return pattern.find_first_of("*?[") == std::string::npos; }

/// Files of an installation that whole paths name: it need not be listed for them. Empty unless all are there
/// under just these paths.
std::vector<ArchiveEntry> found_by_name(const Archive& archive, const std::vector<std::string>& paths) {
  std::vector<ArchiveEntry> found;
  for (const auto& path : paths) {
    const bool whole = archive.kind() == ArchiveKind::casc && is_exact(path) &&
                       path.find_first_of("/\\") != std::string::npos;
    auto entry = whole ? archive.find(path) : std::nullopt;
    if (!entry || normalize_game_path(entry->name) != normalize_game_path(path)) {
      return {};
    }
    found.push_back(std::move(*entry));
  }
  return found;
}

std::string_view archive_format(const Archive& archive) {
  switch (archive.kind()) {
    case ArchiveKind::pack1:
      return "pack1";
    case ArchiveKind::pack2:
      return "pack2";
    case ArchiveKind::casc:
      return "casc";
    case ArchiveKind::network:
      return "mrn";
    default:
      return "mpq";
  }
}

}  // namespace

Result<std::vector<ArchiveEntry>> choose_entries(const OpenedArchive& archive,
                                                 const std::vector<std::string>& patterns) {
  if (auto named = found_by_name(*archive.archive, patterns); !named.empty()) {
    return named;
  }
  const auto all = archive.archive->entries();
  std::vector<ArchiveEntry> chosen;
  std::vector<bool> used(patterns.size());
  std::vector<std::string> globs = patterns;
  for (auto& glob : globs) {
    std::replace(glob.begin(), glob.end(), '\\', '/');
  }
  for (const auto& entry : all) {
    bool requested = patterns.empty();
    const std::string name = patterns.empty() ? "" : entry_name(*archive.archive, entry);
    for (std::size_t i = 0; i < globs.size(); ++i) {
      if (matches_glob(globs[i], name)) {
        requested = true;
        used[i] = true;
      }
    }
    if (requested) {
      chosen.push_back(entry);
    }
  }
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    auto unlisted = !used[i] && is_exact(patterns[i]) ? archive.archive->find(patterns[i]) : std::nullopt;
    if (unlisted) {
      chosen.push_back(std::move(*unlisted));
    } else if (!used[i]) {
      return no_entry(archive, patterns[i]);
    }
  }
  return chosen;
}

std::string flag_letters(const ArchiveEntry& entry) {
  std::string letters;
  for (const auto& name : kFlagNames) {
    if (entry.has(name.flag)) {
      letters += name.letter;
    }
  }
  return letters.empty() ? "-" : letters;
}

Value entry_json(const ArchiveEntry& entry, const std::string& name) {
  Value flags = Value::List();
  for (const auto& flag : kFlagNames) {
    if (entry.has(flag.flag)) {
      flags.push(flag.word);
    }
  }
  Value value;
  value.set("name", name);
  value.set("named", !entry.name.empty());
  value.set("hash", hash_text(entry.hash));
  value.set("offset", count_value(entry.offset));
  value.set("size", count_value(entry.size));
  value.set("packed_size", count_value(entry.packed_size));
  value.set("flags", std::move(flags));
  value.set("locale", std::int64_t{entry.locale});
  value.set("crc32", entry.crc32 == 0 ? Value() : Value(std::int64_t{entry.crc32}));
  return value;
}

Value archive_json(const Archive& archive) {
  const auto entries = archive.entries();
  const auto nameless = std::count_if(entries.begin(), entries.end(),
                                      [](const ArchiveEntry& entry) { return entry.name.empty(); });
  Value value = archive.details();
  value.set("kind", archive_format(archive));
  value.set("files", count_value(entries.size()));
  value.set("nameless", static_cast<std::int64_t>(nameless));
  return value;
}

Identity archive_identity(const Archive& archive) {
  const std::string_view id = archive_format(archive);
  // A map has a name of its own.
  const std::string_view start = archive.title().empty() ? "MPQ\x1A" : "HM3W";
  if (id == "mpq") {
    return identify(as_bytes(start));
  }
  const auto formats = known_formats();
  const auto format = std::find(formats.begin(), formats.end(), id);
  return {*format, format->name(), {}, {}, false, format->explanation()};
}

}  // namespace thaw::cli
