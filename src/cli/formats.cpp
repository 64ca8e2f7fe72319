#include <thaw/format.hpp>

#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/report.hpp"

namespace thaw::cli {
namespace {

std::string padded(std::string_view text, std::size_t width) {
  std::string cell(text);
  cell.append(width > cell.size() ? width - cell.size() : 0, ' ');
  return cell;
}

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

}  // namespace

std::string formats_text() {
  constexpr std::size_t kIdWidth = 14;
  constexpr std::size_t kExtensionWidth = 20;
  constexpr std::size_t kTargetWidth = 10;
  std::string text = "Read, written back byte for byte, and converted:\n";
  for (const bool reads : {true, false}) {
    if (!reads) {
      text += "\nRecognised, so that an error can say what a file is:\n";
    }
    for (const auto& entry : known_formats()) {
      if (entry.reads == reads && !entry.extensions.empty()) {
        text += "  " + padded(entry.id, kIdWidth) + padded(entry.extensions, kExtensionWidth);
        text += reads ? padded("→ " + std::string(entry.converts_to), kTargetWidth + 2) : "";
        text += ' ' + std::string(entry.name) + '\n';
      }
    }
  }
  return text + "\nThe content decides, never the extension.\n";
}

int run_formats(const Settings& settings) {
  write_stdout(settings.json ? json_line(formats_json()) : formats_text());
  return kOk;
}

}  // namespace thaw::cli
