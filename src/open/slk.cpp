#include "open/slk.hpp"

#include "bytes/text.hpp"

#include <algorithm>
#include <charconv>

namespace thaw::open {
namespace {

std::string folded_key(std::string_view text) {
  std::string key(text);
  std::transform(key.begin(), key.end(), key.begin(), [](char c) { return ascii::lower(c); });
  return key;
}

unsigned number_of(std::string_view text) {
  unsigned value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

/// One record; `K` is what a cell holds, X and Y are where.
struct Record {
  unsigned x = 0;
  unsigned y = 0;
  std::optional<std::string> value;
};

/// Fields end at a semicolon; two of them are one within a text.
Record record_of(std::string_view line) {
  Record record;
  std::string field;
  const auto finish = [&] {
    if (!field.empty() && field.front() == 'X') {
      record.x = number_of(std::string_view(field).substr(1));
    } else if (!field.empty() && field.front() == 'Y') {
      record.y = number_of(std::string_view(field).substr(1));
    } else if (!field.empty() && field.front() == 'K') {
      std::string_view value = std::string_view(field).substr(1);
      if (value.size() >= 2 && value.front() == '"' && value.back() == '"') {
        value = value.substr(1, value.size() - 2);
      }
      record.value = std::string(value);
    }
    field.clear();
  };
  for (std::size_t i = 2; i < line.size(); ++i) {
    if (line[i] != ';') {
      field += line[i];
    } else if (i + 1 < line.size() && line[i + 1] == ';') {
      field += ';';
      ++i;
    } else {
      finish();
    }
  }
  finish();
  return record;
}

}  // namespace

Slk::Slk(ByteView text) {
  std::map<unsigned, std::string> heads;
  std::map<unsigned, std::map<unsigned, std::string>> cells;
  std::string_view rest = as_text(text);
  unsigned x = 0;
  unsigned y = 0;
  while (!rest.empty()) {
    const std::size_t end = rest.find_first_of("\r\n");
    const std::string_view line = rest.substr(0, end);
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
    if (line.size() < 2 || (line[0] != 'C' && line[0] != 'F') || line[1] != ';') {
      continue;
    }
    Record record = record_of(line);
    x = record.x == 0 ? x : record.x;
    y = record.y == 0 ? y : record.y;
    if (line[0] == 'C' && record.value) {
      cells[y][x] = std::move(*record.value);
    }
  }
  for (const auto& [row, columns] : cells) {
    if (heads.empty()) {
      for (const auto& [column, head] : columns) {
        heads[column] = folded_key(head);
      }
      continue;
    }
    auto& named = rows_[folded_key(columns.begin()->second)];
    for (const auto& [column, value] : columns) {
      named[heads[column]] = value;
    }
  }
}

std::optional<std::string> Slk::cell(std::string_view row, std::string_view column) const {
  const auto found = rows_.find(folded_key(row));
  if (found == rows_.end()) {
    return std::nullopt;
  }
  const auto cell = found->second.find(folded_key(column));
  return cell == found->second.end() ? std::nullopt : std::optional(cell->second);
}

}  // namespace thaw::open
