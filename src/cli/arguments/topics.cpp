#include "cli/arguments/topics.hpp"

#include "bytes/escape.hpp"
#include "bytes/text.hpp"
#include "cli/arguments/arguments.hpp"
#include "cli/arguments/pages.hpp"
#include "cli/arguments/wrap.hpp"
#include "cli/platform/process.hpp"
#include "cli/report/console.hpp"
#include "cli/report/text.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <vector>

namespace thaw::cli {
namespace {

namespace fs = std::filesystem;

/// What scripts/layouts makes: unpacked or made next to this command, or installed.
fs::path tables_folder() {
  std::error_code error;
  const fs::path command = command_path().parent_path();
  for (const fs::path& root : {command, command / ".." / "share" / "doc" / "thaw"}) {
    if (fs::is_directory(root / "reference" / "layout", error)) {
      return root / "reference" / "layout";
    }
  }
  return {};
}

/// Of `wdt` those of wdt.md and of wdt-lk.md.
std::string tables_of(const fs::path& folder, std::string_view name) {
  std::vector<fs::path> files;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const std::string stem = entry.path().stem().string();
    if (stem == name || stem.starts_with(concat({name, "-"}))) {
      files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  std::string text;
  for (const fs::path& file : files) {
    std::ifstream stream(file, std::ios::binary);
    const std::string content(std::istreambuf_iterator<char>(stream), {});
    text += '\n' + page_text({name, content});
  }
  return text;
}

void list_formats() {
  std::string lines;
  for (const Page& page : format_pages()) {
    lines += concat({page.name, "\t", page.title(), "\n"});
  }
  write_stdout(concat({"Formats, shown by thaw help format NAME:\n", columns(lines, 22)}));
}

int no_format(const std::string& name) {
  std::vector<std::string_view> names;
  for (const Page& page : format_pages()) {
    names.push_back(page.name);
  }
  const std::string hint = suggest(name, names);
  write_stderr(concat({"thaw: error usage: no help page for the format ", shown(name),
                       "\n  hint: ", hint.empty() ? "thaw help format" : hint, "\n"}));
  return kUsage;
}

struct Hit {
  const Page* page;
  std::string_view topic;
  std::size_t count;
};

bool is_part_of_word(char c) {
  const char l = ascii::lower(c);
  return (l >= 'a' && l <= 'z') || (l >= '0' && l <= '9');
}

/// How often a text has a word in lower case as a whole word.
std::size_t mentions(std::string_view text, std::string_view word) {
  const std::string lowered = ascii::lowered(text);
  std::size_t count = 0;
  for (std::size_t at = lowered.find(word); at != std::string::npos; at = lowered.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    const bool begins = at == 0 || !is_part_of_word(lowered[at - 1]);
    if (begins && (end == lowered.size() || !is_part_of_word(lowered[end]))) {
      ++count;
    }
  }
  return count;
}

/// The pages that a row of the index links, first of all.
void add_links(std::string_view row, std::vector<Hit>& hits) {
  constexpr std::string_view kFormats = "../formats/";
  for (std::size_t at = row.find("]("); at != std::string_view::npos; at = row.find("](")) {
    row.remove_prefix(at + 2);
    const bool format = row.starts_with(kFormats);
    const std::string_view path = row.substr(format ? kFormats.size() : 0);
    const std::string_view file = path.substr(path.starts_with("../library/") ? 11 : 0);
    const std::string_view name = file.substr(0, file.find(".md"));
    if (const Page* page = find_page(name, format ? format_pages() : pages())) {
      hits.push_back({page, format ? "format " : "pages ", std::string_view::npos});
    }
  }
}

void add_indexed(std::string_view word, std::vector<Hit>& hits) {
  std::string_view index = page_index();
  while (!index.empty()) {
    const std::string_view line = index.substr(0, index.find('\n'));
    index.remove_prefix(std::min(index.size(), line.size() + 1));
    if (line.starts_with("| ") && mentions(line.substr(0, line.find('|', 1)), word) > 0) {
      add_links(line, hits);
    }
  }
}

void add_mentions(std::string_view word, std::span<const Page> among, std::string_view topic,
                  std::vector<Hit>& hits) {
  for (const Page& page : among) {
    if (const std::size_t count = mentions(page.text, word)) {
      hits.push_back({&page, topic, count});
    }
  }
}

}  // namespace

int show_format(const Settings& settings) {
  if (settings.inputs.size() < 2) {
    list_formats();
    return kOk;
  }
  const std::string& name = settings.inputs[1];
  const Page* page = find_page(name, format_pages());
  if (page == nullptr) {
    return no_format(name);
  }
  const fs::path folder = tables_folder();
  write_stdout(page_text(*page));
  write_stdout(folder.empty()
                   ? "\nThe tables of all fields are not installed: release archives have them, and "
                     "`scripts/generate layouts` makes them.\n"
                   : tables_of(folder, name));
  return kOk;
}

std::string pages_about(std::string_view word) {
  constexpr std::size_t kMost = 8;
  const std::string lowered = ascii::lowered(word);
  std::vector<Hit> hits;
  if (!lowered.empty()) {
    add_indexed(lowered, hits);
    add_mentions(lowered, pages(), "pages ", hits);
    add_mentions(lowered, format_pages(), "format ", hits);
  }
  // Pages of one count stay in the order in which they were found.
  std::multimap<std::size_t, Hit, std::greater<>> by_count;
  for (const Hit& hit : hits) {
    by_count.emplace(hit.count, hit);
  }
  std::vector<const Page*> listed;
  std::string lines;
  for (const auto& [count, hit] : by_count) {
    if (listed.size() < kMost && std::find(listed.begin(), listed.end(), hit.page) == listed.end()) {
      listed.push_back(hit.page);
      lines += concat({"thaw help ", hit.topic, hit.page->name, "\t", hit.page->title(), "\n"});
    }
  }
  constexpr std::size_t kCommand = 36;
  return lines.empty() ? "" : concat({"Pages about ", shown(word), ":\n", columns(lines, kCommand)});
}

}  // namespace thaw::cli
