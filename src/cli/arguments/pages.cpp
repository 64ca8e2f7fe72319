#include "cli/arguments/pages.hpp"

#include "cli/arguments/wrap.hpp"

#include <algorithm>
#include <vector>

namespace thaw::cli {
namespace {

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' ');
  return first == std::string_view::npos ? std::string_view()
                                         : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

/// Links as their text, without the marks of bold letters.
std::string plain_text(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t close = text.front() == '[' ? text.find_first_of("[]", 1) : std::string_view::npos;
    const bool links = close != std::string_view::npos && text.substr(close).starts_with("](");
    const std::size_t end = links ? text.find(')', close) : std::string_view::npos;
    if (end != std::string_view::npos) {
      out += text.substr(1, close - 1);
      text.remove_prefix(end + 1);
    } else if (text.starts_with("**")) {
      text.remove_prefix(2);
    } else {
      out += text.front();
      text.remove_prefix(1);
    }
  }
  return out;
}

/// The cells of a row; bars that belong to a cell stand after a backslash.
std::vector<std::string> cells_of(std::string_view row) {
  std::vector<std::string> cells;
  std::string cell;
  for (std::size_t i = 1; i < row.size(); ++i) {
    if (row[i] == '\\' && i + 1 < row.size() && row[i + 1] == '|') {
      cell += row[++i];
    } else if (row[i] == '|') {
      cells.push_back(plain_text(trimmed(cell)));
      cell.clear();
    } else {
      cell += row[i];
    }
  }
  return cells;
}

/// The longest of the left cells that do not get a line for themselves.
std::size_t left_width(std::string_view rows) {
  constexpr std::size_t kMost = 22;
  std::size_t width = 0;
  while (!rows.empty()) {
    const std::size_t left = rows.find('\t');
    width = left <= kMost ? std::max(width, left) : width;
    rows.remove_prefix(std::min(rows.size(), rows.find('\n') + 1));
  }
  return width == 0 ? kMost : width;
}

class PageWriter {
 public:
  std::string write(std::string_view markdown) {
    while (!markdown.empty()) {
      const std::size_t end = std::min(markdown.find('\n'), markdown.size());
      add(markdown.substr(0, end));
      markdown.remove_prefix(std::min(end + 1, markdown.size()));
    }
    flush();
    return std::move(out_);
  }

 private:
  void add(std::string_view line) {
    if (line.starts_with("```")) {
      flush();
      code_ = !code_;
    } else if (code_ || line.starts_with("    ")) {
      flush();
      out_ += line.empty() ? "\n" : (code_ ? "    " : "") + std::string(line) + '\n';
    } else if (line.empty()) {
      flush();
      if (!out_.ends_with("\n\n")) {
        out_ += '\n';
      }
    } else if (line.starts_with("#")) {
      flush();
      out_ += plain_text(trimmed(line.substr(line.find_first_not_of('#')))) + '\n';
    } else if (line.front() == '|') {
      add_row(line);
    } else if (line.find("![") == std::string_view::npos) {
      if (line.starts_with("- ")) {
        flush();
        item_ = true;
      }
      paragraph_ += paragraph_.empty() ? "" : " ";
      paragraph_ += trimmed(line);
    }
  }

  /// The head of a table of two columns is left out: the first column names things.
  void add_row(std::string_view line) {
    const auto cells = cells_of(line);
    if (line.find_first_not_of("|-: ") == std::string_view::npos) {
      if (cells.size() < 3) {
        rows_.clear();
      }
      return;
    }
    std::string right;
    for (std::size_t i = 1; i < cells.size(); ++i) {
      right += right.empty() || cells[i].empty() ? "" : " · ";
      right += cells[i];
    }
    rows_ += cells.front() + (cells.size() < 2 ? "" : "\t" + right) + '\n';
  }

  void flush() {
    out_ += columns(rows_, left_width(rows_));
    rows_.clear();
    if (!paragraph_.empty()) {
      const std::size_t indent = item_ ? 2 : 0;
      append_wrapped(out_, plain_text(paragraph_), 0, indent);
      out_ += '\n';
    }
    paragraph_.clear();
    item_ = false;
  }

  std::string out_;
  std::string paragraph_;
  std::string rows_;
  bool code_ = false;
  bool item_ = false;
};

}  // namespace

std::string_view Page::title() const {
  const std::size_t end = text.find('\n');
  return text.starts_with("# ") ? text.substr(2, end - 2) : name;
}

const Page* find_page(std::string_view name, std::span<const Page> among) {
  const auto page =
      std::find_if(among.begin(), among.end(), [&](const Page& one) { return one.name == name; });
  return page == among.end() ? nullptr : &*page;
}

std::string page_text(const Page& page) { return PageWriter().write(page.text); }

}  // namespace thaw::cli
