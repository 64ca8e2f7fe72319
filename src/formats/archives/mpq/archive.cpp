#include <thaw/archive.hpp>

#include "bytes/code_page.hpp"
#include "bytes/text.hpp"

#include <algorithm>

namespace thaw::mpq {

std::uint64_t entry_hash(std::string_view name) {
  return std::uint64_t{hash_name(name, 1)} << 32U | hash_name(name, 2);
}

const Entry* Archive::find_hash(std::uint64_t hash, std::optional<std::uint32_t> start) const {
  const auto less = [this](std::uint32_t index, std::uint64_t value) { return entries_[index].hash < value; };
  const Entry* best = nullptr;
  const auto rank = [&](const Entry& entry) {
    // The game uses the first match, searching upwards from the slot that the hash of the name gives.
    const auto count = static_cast<std::uint32_t>(std::max<std::size_t>(counts_.hashes, 1));
    const std::uint32_t first = start ? *start % count : 0;
    const std::uint32_t distance = entry.slot >= first ? entry.slot - first : entry.slot + count - first;
    return std::pair(entry.locale != 0, distance);
  };
  for (auto at = std::lower_bound(by_hash_.begin(), by_hash_.end(), hash, less);
       at != by_hash_.end() && entries_[*at].hash == hash; ++at) {
    const Entry& entry = entries_[*at];
    best = best == nullptr || rank(entry) < rank(*best) ? &entry : best;
  }
  return best;
}

std::span<const CodePage> Archive::tried_pages() const {
  return code_page_ > CodePage::utf8 ? std::span(&code_page_, 1) : std::span<const CodePage>(kGuessedPages);
}

std::optional<Entry> Archive::find(std::string_view name) const {
  const auto known_as = [&](std::string_view spelling) -> std::optional<Entry> {
    const Entry* entry = find_hash(entry_hash(spelling), hash_name(spelling, 0));
    std::optional<Entry> found = entry == nullptr ? std::nullopt : std::optional(*entry);
    if (found && found->name.empty()) {
      found->name = spelling;
    }
    return found;
  };
  std::optional<Entry> found = known_as(name);
  // Old archives hash names in a code page.
  for (const CodePage page : ascii::is_plain(name) ? std::span<const CodePage>() : tried_pages()) {
    if (const auto spelling = found ? std::nullopt : from_utf8(name, page)) {
      found = known_as(*spelling);
    }
  }
  if (found) {
    return found;
  }
  if (const auto hash = hash_in_name(name)) {
    if (const Entry* entry = find_hash(*hash, std::nullopt)) {
      return *entry;
    }
  }
  return std::nullopt;
}

std::optional<Entry> Archive::find_single(std::string_view path) const {
  const std::string_view base = last_part(path);
  const std::string stem(base.substr(0, base.find_last_of('.')));
  std::vector<std::string> candidates = {std::string(base), stem + '\\' + std::string(base)};
  for (std::string_view tail = path; !tail.empty();) {
    candidates.emplace_back(tail);
    const std::size_t slash = tail.find_first_of("\\/");
    tail = slash == std::string_view::npos ? std::string_view() : tail.substr(slash + 1);
  }
  for (const auto& candidate : candidates) {
    if (auto found = find(candidate)) {
      return found;
    }
  }
  constexpr std::uint64_t kDigestSize = 16;
  const Entry* largest = nullptr;
  for (const auto& entry : entries_) {
    const bool internal = !entry.name.empty() && entry.name.front() == '(';
    if (!internal && entry.size != kDigestSize && (largest == nullptr || entry.size > largest->size)) {
      largest = &entry;
    }
  }
  if (largest == nullptr) {
    return std::nullopt;
  }
  Entry found = *largest;
  if (found.name.empty()) {
    found.name = base;  // which is what the key is made from
  }
  return found;
}

std::string display_name(const Entry& entry, std::string_view extension) {
  ArchiveEntry same;
  same.name = entry.name;
  same.hash = entry.hash;
  return thaw::display_name(same, extension);
}

}  // namespace thaw::mpq
