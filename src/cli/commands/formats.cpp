#include <thaw/format.hpp>

#include "cli/arguments/commands.hpp"
#include "cli/report/console.hpp"
#include "cli/report/report.hpp"
#include "cli/report/text.hpp"

#include <algorithm>
#include <array>

namespace thaw::cli {
namespace {

Value formats_json() {
  Value value = summary_envelope("formats", true);
  value.set("schema", "thaw.formats/2");
  Value list = Value::List();
  for (const auto& entry : known_formats()) {
    Value format;
    format.set("format", entry.id()).set("name", entry.name()).set("extensions", entry.extensions());
    format.set("reads", entry.reads()).set("writes", entry.reads()).set("converts_to", entry.converts_to());
    list.push(std::move(format));
  }
  value.set("formats", std::move(list));
  return value;
}

struct FormatSection {
  std::string_view title;
  bool (*has)(Format format);
};

constexpr std::array kSections = {
    FormatSection{"Read, written back byte for byte, and converted",
                  [](Format format) { return format.reads() && !format.is_interchange(); }},
    FormatSection{"Read and converted to other formats",
                  [](Format format) { return format.is_interchange(); }},
    FormatSection{"Archives: files are listed, extracted, and read in place",
                  [](Format format) { return format.is_archive(); }},
    FormatSection{"Recognised by name only, so that errors can identify a file",
                  [](Format format) { return !format.reads() && !format.is_archive(); }},
};

/// A column of one property is as wide as its longest word.
class Column {
 public:
  using Member = std::string_view (Format::*)() const;

  explicit Column(Member member) : member_(member) {
    for (const Format format : known_formats()) {
      width_ = std::max(width_, (format.*member)().size());
    }
  }
  [[nodiscard]] std::string cell(Format format) const {
    std::string text((format.*member_)());
    return text.append(width_ - text.size() + 2, ' ');
  }

 private:
  Member member_;
  std::size_t width_ = 0;
};

std::string formats_text() {
  const Column id(&Format::id);
  const Column extensions(&Format::extensions);
  const Column name(&Format::name);
  std::string text;
  for (const FormatSection& section : kSections) {
    text += concat({section.title, ":\n"});
    for (const auto& entry : known_formats()) {
      if (!section.has(entry) || entry.extensions().empty()) {
        continue;
      }
      const std::string start = concat({"  ", id.cell(entry), extensions.cell(entry)});
      text += entry.converts_to().empty()
                  ? concat({start, entry.name(), "\n"})
                  : concat({start, name.cell(entry), "→ ", entry.converts_to(), "\n"});
    }
    text += '\n';
  }
  return text + "Formats are detected by content, not by extension.\n";
}

}  // namespace

int run_formats(const Settings& settings) {
  write_stdout(settings.json ? json_line(formats_json()) : formats_text());
  return kOk;
}

}  // namespace thaw::cli
