#include "formats/archives/casc/index.hpp"

#include <thaw/codes.hpp>

#include "bytes/text_encoding.hpp"
#include "formats/archives/casc/lookup3.hpp"

#include <algorithm>
#include <cstring>

namespace thaw::casc {
namespace {

constexpr std::size_t kHeader = 0x28;
constexpr std::size_t kEntry = 18;
constexpr std::uint32_t kOffsetBits = 30;
constexpr std::uint32_t kArchiveHeader = 30;

DataLocation place_at(const std::uint8_t* entry) {
  constexpr std::size_t kLocationWidth = 5;
  const std::uint64_t location = big(entry + std::tuple_size_v<ShortKey>, kLocationWidth);
  return {static_cast<std::uint32_t>(location >> kOffsetBits),
          static_cast<std::uint32_t>(location & ((1U << kOffsetBits) - 1U)),
          little32(entry + std::tuple_size_v<ShortKey> + kLocationWidth)};
}

/// Two ways to go over the entries are in use.
bool has_entries_hash(ByteView entries, std::uint32_t stated) {
  std::pair<std::uint32_t, std::uint32_t> both{0, 0};
  for (std::size_t at = 0; at + kEntry <= entries.size(); at += kEntry) {
    both = lookup3(entries.subspan(at, kEntry), both.first, both.second);
  }
  if (both.first == stated) {
    return true;
  }
  std::uint32_t single = 0;
  for (std::size_t at = 0; at + kEntry <= entries.size(); at += kEntry) {
    single = lookup3(entries.subspan(at, kEntry), single);
  }
  return single == stated;
}

}  // namespace

const std::uint8_t* Bucket::entry(std::size_t i) const {
  return entries_ + kEntry * (order_.empty() ? i : order_[i]);
}

bool Bucket::is_sorted() const {
  for (std::size_t i = 1; i < count_; ++i) {
    if (std::memcmp(entries_ + kEntry * (i - 1), entries_ + kEntry * i, std::tuple_size_v<ShortKey>) > 0) {
      return false;
    }
  }
  return true;
}

void Bucket::sort_entries() {
  order_.clear();
  if (is_sorted()) {
    return;
  }
  std::vector<std::uint32_t> order(count_);
  for (std::uint32_t i = 0; i < count_; ++i) {
    order[i] = i;
  }
  std::sort(order.begin(), order.end(), [this](std::uint32_t a, std::uint32_t b) {
    const int less = std::memcmp(entries_ + kEntry * a, entries_ + kEntry * b, std::tuple_size_v<ShortKey>);
    return less != 0 ? less < 0 : a < b;
  });
  order_ = std::move(order);
}

bool Bucket::read(MappedFile file, unsigned number, std::string& fault) {
  constexpr std::array<std::uint8_t, 5> kWidths = {0, 4, 5, 9, 30};
  constexpr std::size_t kAlignment = 0x10000;
  constexpr std::size_t kOtherUpdates = 0x1000;
  const ByteView bytes = file.bytes;
  if (bytes.size() < kHeader) {
    fault = "has only " + std::to_string(bytes.size()) + " bytes, too few for its header";
    return false;
  }
  if (little32(bytes.data()) != 0x10 || bytes[8] != 7 || bytes[9] != 0 || bytes[0x0A] != number ||
      !std::equal(kWidths.begin(), kWidths.end(), bytes.begin() + 0x0B)) {
    fault = "is not a version 7 index of bucket " + std::to_string(number);
    return false;
  }
  if (lookup3(bytes.subspan(8, 0x10), 0) != little32(bytes.data() + 4)) {
    fault = "has a header checksum mismatch";
  }
  const std::uint64_t stated = little32(bytes.data() + 0x20);
  const std::uint64_t room = bytes.size() - kHeader;
  if (stated > room) {
    fault = "is truncated: it states " + std::to_string(stated) + " bytes of entries, but has " +
            std::to_string(room);
  }
  const auto size = static_cast<std::size_t>(std::min(stated, room));
  const ByteView entries = bytes.subspan(kHeader, size);
  if (fault.empty() && !has_entries_hash(entries, little32(bytes.data() + 0x24))) {
    fault = "has an entry checksum mismatch";
  }
  file_ = std::move(file);
  entries_ = entries.data();
  count_ = size / kEntry;
  sort_entries();
  updates_.clear();
  const std::size_t after = (kHeader + size + kAlignment - 1) / kAlignment * kAlignment;
  if (count_ == 0) {
    read_updates(kOtherUpdates);
  }
  read_updates(after);
  return true;
}

/// Pages of changes after the sorted entries, which stop where a hash is none.
void Bucket::read_updates(std::size_t at) {
  constexpr std::size_t kPage = 512;
  constexpr std::size_t kRecord = 0x18;
  constexpr std::size_t kHashed = 19;
  constexpr std::uint8_t kDeleted = 3;
  const ByteView bytes = file_.bytes;
  for (; fits(at, kPage, bytes.size()); at += kPage) {
    for (std::size_t i = 0; i + kRecord <= kPage; i += kRecord) {
      const std::uint8_t* record = bytes.data() + at + i;
      const std::uint32_t hash = little32(record);
      if (hash == 0) {
        if (i == 0) {
          return;
        }
        break;
      }
      if (hash != (lookup3({record + 4, kHashed}, 0) | 0x80000000U)) {
        return;
      }
      const std::uint8_t status = record[4 + kEntry];
      const auto key = key_at<std::tuple_size_v<ShortKey>>(record + 4);
      updates_[key] = status < kDeleted ? std::optional(place_at(record + 4)) : std::nullopt;
    }
  }
}

std::optional<DataLocation> Bucket::find(const ShortKey& key) const {
  if (!updates_.empty()) {
    if (const auto update = updates_.find(key); update != updates_.end()) {
      return update->second;
    }
  }
  std::size_t low = 0;
  std::size_t high = count_;
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (std::memcmp(entry(middle), key.data(), key.size()) < 0) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  // Of entries with one key the first counts, but one without content stands for none.
  for (; low < count_ && std::memcmp(entry(low), key.data(), key.size()) == 0; ++low) {
    const DataLocation place = place_at(entry(low));
    if (place.size > kArchiveHeader) {
      return place;
    }
  }
  return std::nullopt;
}

void Index::read(const Files& files, const std::string& folder, Diagnostics& diagnostics) {
  constexpr std::size_t kName = 14;  // 2 digits of the bucket, 8 of the version, ".idx"
  std::array<std::vector<std::pair<std::uint64_t, std::string>>, kBuckets> found;
  for (const auto& path : files.files_in(folder)) {
    const std::string name = path.substr(path.find_last_of('/') + 1);
    const auto number = name.size() == kName ? parse_hex(std::string_view(name).substr(0, 2)) : std::nullopt;
    const auto version = number ? parse_hex(std::string_view(name).substr(2, 8)) : std::nullopt;
    if (version && *number < kBuckets && name.ends_with(".idx")) {
      found[*number].emplace_back(*version, path);
    }
  }
  for (unsigned i = 0; i < kBuckets; ++i) {
    auto& versions = found[i];
    std::sort(versions.rbegin(), versions.rend());
    std::vector<std::string> faults;
    bool complete = false;
    Bucket best;
    for (std::size_t v = 0; v < versions.size() && !complete; ++v) {
      std::string fault;
      Bucket bucket;
      auto mapped = files.map(versions[v].second);
      const bool usable = mapped ? bucket.read(std::move(*mapped), i, fault) : false;
      if (!mapped) {
        fault = mapped.error().message;
      }
      complete = usable && fault.empty();
      if (complete || (usable && bucket.size() > best.size())) {
        best = std::move(bucket);
        there_ = true;
      }
      if (!fault.empty()) {
        faults.push_back(versions[v].second + " " + fault);
      }
    }
    if (versions.empty()) {
      faults.push_back("missing index of bucket " + std::to_string(i) + " in " + folder);
    }
    for (auto& fault : faults) {
      // An older file that is whole knows most of what the newer did.
      fault += complete ? "; an older index is used" : "; some files may not be found";
      diagnostics.add(complete ? codes::kCascIndex.as(Severity::severe) : codes::kCascIndex,
                      std::move(fault));
    }
    buckets_[i] = std::move(best);
  }
}

std::optional<DataLocation> Index::find(const ShortKey& key) const {
  std::uint8_t all = 0;
  for (const std::uint8_t byte : key) {
    all = static_cast<std::uint8_t>(all ^ byte);
  }
  return buckets_[(all & 0xFU) ^ (all >> 4U)].find(key);
}

std::size_t Index::size() const {
  std::size_t all = 0;
  for (const auto& bucket : buckets_) {
    all += bucket.size();
  }
  return all;
}

}  // namespace thaw::casc
