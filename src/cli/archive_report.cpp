#include "cli/archive_report.hpp"

#include "cli/console.hpp"
#include "cli/inputs.hpp"
#include "document/scalars.hpp"

#include <algorithm>
#include <array>

namespace thaw::cli {
namespace {

struct FlagName {
  std::uint32_t flag;
  char letter;
  std::string_view word;
};

constexpr std::array kFlagNames = {
    FlagName{mpq::kEncrypted, 'e', "encrypted"},
    FlagName{mpq::kKeyAdjusted, 'k', "key-adjusted"},
    FlagName{mpq::kImploded, 'i', "imploded"},
    FlagName{mpq::kSingleUnit, 's', "single-unit"},
    FlagName{mpq::kSectorChecksums, 'c', "sector-checksums"},
    FlagName{mpq::kPatch, 'p', "patch"},
};

Value number(std::uint64_t value) { return static_cast<std::int64_t>(value); }

std::size_t nameless(const mpq::Archive& archive) {
  const auto entries = archive.entries();
  return static_cast<std::size_t>(std::count_if(entries.begin(), entries.end(),
                                                [](const mpq::Entry& entry) { return entry.name.empty(); }));
}

std::size_t encrypted(const mpq::Archive& archive) {
  const auto entries = archive.entries();
  return static_cast<std::size_t>(std::count_if(
      entries.begin(), entries.end(), [](const mpq::Entry& entry) { return entry.has(mpq::kEncrypted); }));
}

bool is_exact(const std::string& pattern) { return pattern.find_first_of("*?[") == std::string::npos; }

}  // namespace

Result<std::vector<mpq::Entry>> choose_entries(const OpenedArchive& archive,
                                               const std::vector<std::string>& patterns) {
  const auto all = archive.archive->entries();
  std::vector<mpq::Entry> chosen;
  std::vector<bool> used(patterns.size());
  std::vector<std::string> globs = patterns;
  for (auto& glob : globs) {
    std::replace(glob.begin(), glob.end(), '\\', '/');
  }
  for (const auto& entry : all) {
    bool wanted = patterns.empty();
    const std::string name = patterns.empty() ? "" : entry_name(*archive.archive, entry);
    for (std::size_t i = 0; i < globs.size(); ++i) {
      if (matches_glob(globs[i], name)) {
        wanted = true;
        used[i] = true;
      }
    }
    if (wanted) {
      chosen.push_back(entry);
    }
  }
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    auto unlisted = !used[i] && is_exact(patterns[i]) ? archive.archive->find(patterns[i]) : std::nullopt;
    if (unlisted) {
      chosen.push_back(std::move(*unlisted));
    } else if (!used[i]) {
      return fail(codes::kMpqNoEntry, archive.name + " has no file " + patterns[i]);
    }
  }
  return chosen;
}

std::string flag_letters(const mpq::Entry& entry) {
  std::string letters;
  for (const auto& name : kFlagNames) {
    if (entry.has(name.flag)) {
      letters += name.letter;
    }
  }
  return letters.empty() ? "-" : letters;
}

Value entry_json(const mpq::Entry& entry, const std::string& name) {
  Value flags = Value::List();
  for (const auto& flag : kFlagNames) {
    if (entry.has(flag.flag)) {
      flags.push(flag.word);
    }
  }
  Value value;
  value.set("name", name);
  value.set("named", !entry.name.empty());
  value.set("hash", mpq::display_name({"", entry.hash}, ""));
  value.set("offset", number(entry.offset));
  value.set("size", number(entry.size));
  value.set("packed_size", number(entry.packed_size));
  value.set("flags", std::move(flags));
  value.set("locale", std::int64_t{entry.locale});
  value.set("crc32", entry.crc32 == 0 ? Value() : Value(std::int64_t{entry.crc32}));
  return value;
}

Value archive_json(const mpq::Archive& archive) {
  const auto& header = archive.header();
  const auto& counts = archive.counts();
  return Value()
      .set("version", std::int64_t{header.version})
      .set("offset", number(header.offset))
      .set("map_name", archive.map_name().empty() ? Value() : Value(archive.map_name()))
      .set("sector_size", std::int64_t{header.sector_size})
      .set("hashes", number(counts.hashes))
      .set("blocks", number(counts.blocks))
      .set("files", number(archive.entries().size()))
      .set("nameless", number(nameless(archive)))
      .set("encrypted", number(encrypted(archive)))
      .set("deleted", number(counts.deleted))
      .set("unreachable", number(counts.unreachable))
      .set("listfile", archive.has_listfile());
}

std::string archive_text(const mpq::Archive& archive) {
  const auto& header = archive.header();
  std::string text = "version " + std::to_string(header.version) + " at " + offset_text(header.offset) +
                     ", sectors of " + std::to_string(header.sector_size) + " bytes, " +
                     std::to_string(archive.counts().hashes) + " places for names, " +
                     (archive.has_listfile() ? "a list of names" : "no list of names");
  const auto add = [&text](std::size_t count, std::string_view what) {
    text += count > 0 ? ", " + std::to_string(count) + std::string(what) : std::string();
  };
  add(nameless(archive), " without a known name");
  add(encrypted(archive), " encrypted");
  add(archive.counts().deleted, " deleted");
  return text;
}

Identity archive_identity(const mpq::Archive& archive) {
  const std::string_view start = archive.header().map_prefix ? "HM3W" : "MPQ\x1A";
  return identify({reinterpret_cast<const std::uint8_t*>(start.data()), start.size()});
}

}  // namespace thaw::cli
