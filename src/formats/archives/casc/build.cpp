#include "formats/archives/casc/build.hpp"

#include "bytes/text.hpp"
#include "bytes/text_encoding.hpp"

#include <algorithm>
#include <charconv>

namespace thaw::casc {
namespace {

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find(separator, start), text.size());
    parts.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return parts;
}

/// The lines that say something.
std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  for (std::string_view line : split(text, '\n')) {
    line = line.substr(0, line.find_last_not_of(" \t\r") + 1);
    if (!line.empty() && line.front() != '#') {
      lines.push_back(line);
    }
  }
  return lines;
}

std::string_view cell(const std::vector<std::string_view>& heads, const std::vector<std::string_view>& cells,
                      std::string_view name) {
  for (std::size_t i = 0; i < std::min(heads.size(), cells.size()); ++i) {
    if (ascii::same(heads[i].substr(0, heads[i].find('!')), name)) {
      return cells[i];
    }
  }
  return {};
}

bool is_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

std::vector<Product> read_products(std::string_view text) {
  const auto lines = lines_of(text);
  std::vector<Product> products;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const auto heads = split(lines.front(), '|');
    const auto cells = split(lines[i], '|');
    const std::string config = ascii::lowered(cell(heads, cells, "Build Key"));
    const auto bytes = bytes_of_hex(config);
    const std::string_view active = cell(heads, cells, "Active");
    if ((active.empty() || active == "1") && bytes && bytes->size() == std::tuple_size_v<Key>) {
      products.push_back({std::string(cell(heads, cells, "Product")),
                          std::string(cell(heads, cells, "Version")), std::string(cell(heads, cells, "Tags")),
                          config});
    }
  }
  return products;
}

Config::Config(std::string_view text) {
  for (const std::string_view line : lines_of(text)) {
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos) {
      continue;
    }
    const std::string_view name = line.substr(0, equals);
    std::vector<std::string> words;
    for (const std::string_view word : split(line.substr(equals + 1), ' ')) {
      if (!word.empty()) {
        words.emplace_back(word);
      }
    }
    values_.emplace(name.substr(0, name.find_last_not_of(" \t") + 1), std::move(words));
  }
}

const std::vector<std::string>& Config::words(const std::string& key) const {
  static const std::vector<std::string> kNone;
  const auto found = values_.find(key);
  return found == values_.end() ? kNone : found->second;
}

std::optional<Key> Config::key(const std::string& name, std::size_t word) const {
  const auto& all = words(name);
  const auto bytes = word < all.size() ? bytes_of_hex(all[word]) : std::nullopt;
  if (!bytes || bytes->size() != std::tuple_size_v<Key> ||
      std::all_of(bytes->begin(), bytes->end(), [](std::uint8_t byte) { return byte == 0; })) {
    return std::nullopt;
  }
  return key_at<std::tuple_size_v<Key>>(bytes->data());
}

std::optional<std::uint64_t> Config::number(const std::string& name, std::size_t word) const {
  const auto& all = words(name);
  if (word >= all.size() || !is_digits(all[word])) {
    return std::nullopt;
  }
  std::uint64_t value = 0;
  const char* const end = all[word].data() + all[word].size();
  return std::from_chars(all[word].data(), end, value).ec == std::errc() ? std::optional(value)
                                                                         : std::nullopt;
}

std::vector<ShortKey> Config::manifests() const {
  constexpr std::string_view kPrefix = "vfs-";
  std::vector<ShortKey> keys;
  for (const auto& [name, words] : values_) {
    if (name.starts_with(kPrefix) && is_digits(std::string_view(name).substr(kPrefix.size()))) {
      if (const auto encoded = key(name, 1)) {
        keys.push_back(shortened(*encoded));
      }
    }
  }
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  return keys;
}

}  // namespace thaw::casc
