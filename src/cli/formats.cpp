#include <thaw/format.hpp>

#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/report.hpp"
#include "cli/text.hpp"

#include <algorithm>
#include <array>

namespace thaw::cli {
namespace {

Value formats_json() {
  Value value = summary_envelope("formats", true);
  value.set("schema", "thaw.formats/1");
  Value list = Value::List();
  for (const auto& entry : known_formats()) {
    Value format;
    format.set("format", entry.id).set("name", entry.name).set("extensions", entry.extensions);
    format.set("reads", entry.reads).set("writes", entry.reads).set("converts_to", entry.converts_to);
    list.push(std::move(format));
  }
  value.set("formats", std::move(list));
  return value;
}

struct FormatSection {
  std::string_view title;
  bool (*has)(const FormatEntry& entry);
};

constexpr std::array kSections = {
    FormatSection{"Read, written back byte for byte, and converted",
                  [](const FormatEntry& entry) { return entry.reads; }},
    FormatSection{"Read, and made into other formats",
                  [](const FormatEntry& entry) { return !entry.reads && !entry.converts_to.empty(); }},
    FormatSection{"Archives, whose files are listed, unpacked, and read where they lie",
                  [](const FormatEntry& entry) { return is_archive(entry.format); }},
    FormatSection{"Recognised, so that an error can say what a file is",
                  [](const FormatEntry& entry) {
                    return !entry.reads && entry.converts_to.empty() && !is_archive(entry.format);
                  }},
};

/// A column of one property is as wide as its longest word.
class Column {
 public:
  explicit Column(std::string_view FormatEntry::* member) : member_(member) {
    for (const auto& entry : known_formats()) {
      width_ = std::max(width_, (entry.*member).size());
    }
  }
  [[nodiscard]] std::string cell(const FormatEntry& entry) const {
    std::string text(entry.*member_);
    return text.append(width_ - text.size() + 2, ' ');
  }

 private:
  std::string_view FormatEntry::* member_;
  std::size_t width_ = 0;
};

std::string formats_text() {
  const Column id(&FormatEntry::id);
  const Column extensions(&FormatEntry::extensions);
  const Column name(&FormatEntry::name);
  std::string text;
  for (const FormatSection& section : kSections) {
    text += concat({section.title, ":\n"});
    for (const auto& entry : known_formats()) {
      if (!section.has(entry) || entry.extensions.empty()) {
        continue;
      }
      const std::string start = concat({"  ", id.cell(entry), extensions.cell(entry)});
      text += entry.converts_to.empty() ? concat({start, entry.name, "\n"})
                                        : concat({start, name.cell(entry), "→ ", entry.converts_to, "\n"});
    }
    text += '\n';
  }
  return text + "The content decides, never the extension.\n";
}

}  // namespace

int run_formats(const Settings& settings) {
  write_stdout(settings.json ? json_line(formats_json()) : formats_text());
  return kOk;
}

}  // namespace thaw::cli
