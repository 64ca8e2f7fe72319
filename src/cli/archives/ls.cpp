#include "bytes/shown.hpp"
#include "cli/arguments/commands.hpp"
#include "cli/inputs/archives.hpp"
#include "cli/inputs/inputs.hpp"
#include "cli/platform/job_control.hpp"
#include "cli/report/archive_report.hpp"
#include "cli/report/console.hpp"
#include "cli/report/report.hpp"
#include "cli/report/text.hpp"

#include <algorithm>

namespace thaw::cli {
namespace {

/// What one line tells.
struct Line {
  ArchiveEntry entry;
  std::string name;
  std::string compression;
  Format format;
};

/// Of a whole game nobody waits for a look into each file.
Line by_name_alone(const ArchiveEntry& entry) { return {entry, display_name(entry, ""), "", {}}; }

Line look_at(const Archive& archive, const ArchiveEntry& entry) {
  const auto peeked = peek_entry(archive, entry);
  const auto extension = entry.name.empty() ? sniffed_extension(peeked.bytes) : std::string_view();
  std::string compression = peeked.bytes.empty() && entry.size > 0 ? "unreadable"
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
std::string table(const std::vector<Line>& lines, bool color) {
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
  std::string text;
  for (const auto& line : lines) {
    text += right(std::to_string(line.entry.size), size) + "  " +
            right(std::to_string(line.entry.packed_size), packed) + "  " +
            left(line.compression.empty() ? "-" : line.compression, compression) + "  " +
            left(flag_letters(line.entry), kFlags) + "  " +
            left(line.compression.empty() ? "-" : std::string(line.format.id()), kFormat) + "  " +
            paint(Style::bold, shown(line.name), color) + '\n';
  }
  return text;
}

Value entries_json(const std::vector<Line>& lines) {
  Value list = Value::List();
  for (const auto& line : lines) {
    Value value = entry_json(line.entry, line.name);
    const bool seen = !line.compression.empty();
    value.set("compression", seen ? Value(line.compression) : Value());
    value.set("format", seen ? Value(line.format.id()) : Value());
    list.push(std::move(value));
  }
  return list;
}

/// What a file is that is no archive.
Error with_name_of_format(const std::string& name, Error error) {
  const Format format = identify_file(named_input(name, {})).format;
  if (format.is_known() && format.reads()) {
    error.message = concat({"it is a ", format.name(), ", no archive; `thaw info` tells of it"});
  }
  return error;
}

std::string summary(const std::vector<Line>& lines) {
  std::uint64_t size = 0;
  std::uint64_t packed = 0;
  for (const auto& line : lines) {
    size += line.entry.size;
    packed += line.entry.packed_size;
  }
  return counted(lines.size(), "file") + ", " + human_size(size) + ", packed " + human_size(packed) + '\n';
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
  constexpr std::size_t kMostSeen = 10000;
  const bool seen = (*archive)->archive->kind() != ArchiveKind::casc || chosen->size() <= kMostSeen;
  std::vector<Line> lines;
  for (const auto& entry : *chosen) {
    stop_when_asked();
    lines.push_back(seen ? look_at(*(*archive)->archive, entry) : by_name_alone(entry));
  }
  const auto& findings = (*archive)->findings;
  if (settings.json) {
    const Identity identity = archive_identity(*(*archive)->archive);
    Value value = envelope("ls", settings.inputs.front(), &identity, findings, nullptr);
    value.set("archive", archive_json(*(*archive)->archive));
    value.set("entries", entries_json(lines));
    write_stdout(json_line(value));
    return kOk;
  }
  write_stdout(table(lines, use_color(settings, stdout_is_terminal())));
  const bool color = use_color(settings, stderr_is_terminal());
  write_stderr(finding_lines((*archive)->name, findings, settings, color));
  if (!settings.quiet) {
    write_stderr(summary(lines));
    write_stderr(seen ? "" : "what they are is told of 10000 files of a game at most; a PATTERN chooses\n");
  }
  return kOk;
}

}  // namespace thaw::cli
