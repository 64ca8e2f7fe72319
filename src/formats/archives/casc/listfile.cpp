#include "formats/archives/casc/listfile.hpp"

#include "bytes/number_text.hpp"
#include "bytes/text.hpp"
#include "formats/archives/casc/names.hpp"

#include <algorithm>
#include <tuple>

namespace thaw::casc {

ListFile::ListFile(std::vector<std::shared_ptr<const Bytes>> texts) : texts_(std::move(texts)) {
  for (std::uint32_t i = 0; i < texts_.size(); ++i) {
    if (texts_[i] != nullptr && texts_[i]->size() < ~std::uint32_t{0}) {
      read(i);
    }
  }
  const auto by_id = [](const Line& a, const Line& b) {
    return std::tie(a.id, a.text, a.offset) < std::tie(b.id, b.text, b.offset);
  };
  if (!std::is_sorted(numbered_.begin(), numbered_.end(), by_id)) {
    std::sort(numbered_.begin(), numbered_.end(), by_id);
  }
  const auto hash_all = [this](const std::vector<Line>& lines, std::vector<Hashed>& hashes) {
    hashes.reserve(lines.size());
    for (std::uint32_t i = 0; i < lines.size(); ++i) {
      hashes.push_back({path_hash(path_at(lines[i])), i});
    }
    std::sort(hashes.begin(), hashes.end(), [](const Hashed& a, const Hashed& b) {
      return a.hash != b.hash ? a.hash < b.hash : a.line < b.line;
    });
  };
  hash_all(numbered_, by_hash_);
  hash_all(bare_, bare_by_hash_);
}

void ListFile::read(std::uint32_t text) {
  const std::string_view all = as_text(*texts_[text]);
  const auto base = all.data();
  std::size_t start = all.size() - without_byte_order_mark(all).size();
  while (start < all.size()) {
    const std::size_t end = std::min(all.find('\n', start), all.size());
    std::string_view line = all.substr(start, end - start);
    line = line.substr(0, line.find_last_not_of(" \t\r") + 1);
    const std::size_t separator = line.find(';');
    const auto id =
        separator == std::string_view::npos ? std::nullopt : parse_whole(line.substr(0, separator));
    const std::string_view path = id ? line.substr(separator + 1) : line;
    if (!path.empty()) {
      (id ? numbered_ : bare_)
          .push_back({id.value_or(0), text, static_cast<std::uint32_t>(path.data() - base),
                      static_cast<std::uint32_t>(path.size())});
    }
    start = end + 1;
  }
}

std::string_view ListFile::path_at(const Line& line) const {
  return as_text(*texts_[line.text]).substr(line.offset, line.size);
}

std::string_view ListFile::path(std::uint32_t id) const {
  const auto after =
      std::upper_bound(numbered_.begin(), numbered_.end(), id,
                       [](std::uint32_t requested, const Line& line) { return requested < line.id; });
  return after != numbered_.begin() && std::prev(after)->id == id ? path_at(*std::prev(after))
                                                                  : std::string_view();
}

std::optional<std::uint32_t> ListFile::id(std::uint64_t hash) const {
  const auto found =
      std::lower_bound(by_hash_.begin(), by_hash_.end(), hash,
                       [](const Hashed& one, std::uint64_t requested) { return one.hash < requested; });
  return found != by_hash_.end() && found->hash == hash ? std::optional(numbered_[found->line].id)
                                                        : std::nullopt;
}

std::string_view ListFile::path_of_hash(std::uint64_t hash) const {
  const auto found =
      std::lower_bound(bare_by_hash_.begin(), bare_by_hash_.end(), hash,
                       [](const Hashed& one, std::uint64_t requested) { return one.hash < requested; });
  return found != bare_by_hash_.end() && found->hash == hash ? path_at(bare_[found->line])
                                                             : std::string_view();
}

}  // namespace thaw::casc
