#include "bytes/escape.hpp"
#include "cli/arguments/commands.hpp"
#include "cli/inputs/archives.hpp"
#include "cli/inputs/inputs.hpp"
#include "cli/platform/job_control.hpp"
#include "cli/report/archive_report.hpp"
#include "cli/report/console.hpp"
#include "cli/report/report.hpp"
#include "cli/report/text.hpp"

#include <algorithm>
#include <utility>

namespace thaw::cli {
namespace {

/// The content of one line.
struct Line {
  ArchiveEntry entry;
  std::string name;
  std::string compression;
  Format format;
};

constexpr std::string_view kUnreadable = "unreadable";

/// Of a whole game nobody waits for a look into each file.
Line by_name_alone(const ArchiveEntry& entry) { return {entry, display_name(entry, ""), "", {}}; }

Line look_at(const Archive& archive, const ArchiveEntry& entry) {
  const auto peeked = peek_entry(archive, entry);
  const auto extension = entry.name.empty() ? sniffed_extension(peeked.bytes) : std::string_view();
  std::string compression = peeked.bytes.empty() && entry.size > 0 ? std::string(kUnreadable)
                            : peeked.method.empty()                ? "stored"
                                                                   : peeked.method;
  return {entry, display_name(entry, extension), std::move(compression), identify(peeked.bytes).format};
}

std::string right(std::string text, std::size_t width) {
  text.insert(0, width > text.size() ? width - text.size() : 0, ' ');
  return text;
}
std::string left(std::string text, std::size_t width) {
  text.append(width > text.size() ? width - text.size() : 0, ' ');
  return text;
}

/// Columns as wide as their widest entry.
void write_table(const std::vector<Line>& lines, bool color) {
  std::size_t size = 0;
  std::size_t packed = 0;
  std::size_t compression = 0;
  for (const auto& line : lines) {
    size = std::max(size, std::to_string(line.entry.size).size());
    packed = std::max(packed, std::to_string(line.entry.packed_size).size());
    compression = std::max(compression, line.compression.size());
  }
  constexpr std::size_t kFlags = 6;
  constexpr std::size_t kFormat = 9;
  for (const auto& line : lines) {
    write_stdout(right(std::to_string(line.entry.size), size) + "  " +
                 right(std::to_string(line.entry.packed_size), packed) + "  " +
                 left(line.compression, compression) + "  " + left(flag_letters(line.entry), kFlags) + "  " +
                 left(std::string(line.format.id()), kFormat) + "  " +
                 paint(Style::bold, shown(line.name), color) + '\n');
  }
}

std::string line_json(const Line& line) {
  Value value = entry_json(line.entry, line.name);
  value.set("compression", line.compression);
  value.set("format", line.format.id());
  return to_json(value);
}

/// Whether there is time to look into so many files.
bool looks_into(const Archive& archive, const std::vector<ArchiveEntry>& entries) {
  constexpr std::size_t kMostSeen = 10000;
  return archive.kind() != ArchiveKind::casc || entries.size() <= kMostSeen;
}

/// Calls `use` with the members of each entry.
template <class F>
void look_at_all(const Archive& archive, const std::vector<ArchiveEntry>& entries, const F& use) {
  const bool seen = looks_into(archive, entries);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    stop_when_requested();
    if (proceed(current_control(), "files", i, entries.size())) {
      use(seen ? look_at(archive, entries[i]) : by_name_alone(entries[i]));
    }
  }
}

/// The object as it would be printed as a whole, without holding its entries.
void write_json(const OpenedArchive& opened, const std::vector<ArchiveEntry>& entries,
                const std::string& name) {
  const Identity identity = archive_identity(*opened.archive);
  Value value = envelope("ls", name, &identity, opened.findings, nullptr);
  value.set("archive", archive_json(*opened.archive));
  std::string head = to_json(value);
  head.pop_back();  // the closing brace
  write_stdout(head + ",\"entries\":[");
  bool first = true;
  look_at_all(*opened.archive, entries, [&](const Line& line) {
    write_stdout((std::exchange(first, false) ? "" : ",") + line_json(line));
  });
  stop_when_requested();
  write_stdout("]}\n");
}

/// What a file is that is no archive.
Error with_name_of_format(const std::string& name, Error error) {
  const Format format = identify_file(named_input(name, {})).format;
  if (format.is_known() && format.reads()) {
    error.message = concat({"it is a ", format.name(), ", not an archive; inspect it with `thaw info`"});
  }
  return error;
}

std::string summary(const std::vector<Line>& lines) {
  std::uint64_t size = 0;
  std::uint64_t packed = 0;
  std::size_t unreadable = 0;
  for (const auto& line : lines) {
    if (line.compression == kUnreadable) {
      ++unreadable;
      continue;  // what it states of itself may be anything
    }
    size += line.entry.size;
    packed += line.entry.packed_size;
  }
  const std::string left_out =
      unreadable == 0 ? "" : concat({"; ", std::to_string(unreadable), " unreadable"});
  return counted(lines.size() - unreadable, "file") + ", " + human_size(size) + ", packed " +
         human_size(packed) + left_out + '\n';
}

}  // namespace

int run_ls(const Settings& settings) {
  Archives archives(settings);
  const auto archive = archives.open(settings.inputs.front());
  if (!archive) {
    return fail_with("ls", settings, with_name_of_format(settings.inputs.front(), archive.error()));
  }
  const auto chosen = choose_entries(**archive, {settings.inputs.begin() + 1, settings.inputs.end()});
  if (!chosen) {
    return fail_with("ls", settings, chosen.error());
  }
  const auto& findings = (*archive)->findings;
  if (settings.json) {
    write_json(**archive, *chosen, settings.inputs.front());
    return kOk;
  }
  std::vector<Line> lines;
  look_at_all(*(*archive)->archive, *chosen, [&](Line line) { lines.push_back(std::move(line)); });
  stop_when_requested();
  write_table(lines, use_color(settings, stdout_is_terminal()));
  const bool color = use_color(settings, stderr_is_terminal());
  write_stderr(finding_lines((*archive)->name, findings, settings, color));
  if (!settings.quiet) {
    write_stderr(summary(lines));
    write_stderr(looks_into(*(*archive)->archive, *chosen)
                     ? ""
                     : "Formats are shown for the first 10000 files only. Name a PATTERN to list fewer.\n");
  }
  return kOk;
}

}  // namespace thaw::cli
