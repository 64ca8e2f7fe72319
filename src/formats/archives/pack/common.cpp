#include "formats/archives/pack/common.hpp"

#include <thaw/codes.hpp>

#include "bytes/text.hpp"
#include "describe/description.hpp"

#include <algorithm>

namespace thaw::pack {
namespace {

constexpr std::size_t kWindow = 65536;
/// CRC-64 of Jones (not of ECMA-182), reflected.
constexpr std::uint64_t kPolynomial = 0x95AC9329AC4BC9B5U;

}  // namespace

std::uint64_t name_hash(std::string_view name) {
  std::uint64_t crc = ~std::uint64_t{0};
  for (const char c : name) {
    crc ^= static_cast<unsigned char>(ascii::upper(c));
    for (int bit = 0; bit < 8; ++bit) {
      crc = (crc >> 1U) ^ ((crc & 1U) != 0 ? kPolynomial : 0);
    }
  }
  return ~crc;
}

// --- Cursor
// -----------------------------------------------------------------------------------------------------

const std::uint8_t* Cursor::take(std::size_t size) {
  const std::uint64_t end = storage_.size();
  if (!ok_ || at_ > end || size > end - at_) {
    ok_ = false;
    return nullptr;
  }
  if (window_.empty() || at_ < window_at_ || at_ + size > window_at_ + window_.size()) {
    window_.resize(static_cast<std::size_t>(std::min<std::uint64_t>(kWindow, end - at_)));
    window_at_ = at_;
    if (!storage_.read(at_, window_)) {
      ok_ = false;
      return nullptr;
    }
  }
  const std::uint8_t* found = window_.data() + (at_ - window_at_);
  at_ += size;
  return found;
}

std::uint32_t Cursor::little_u32() {
  const auto* from = take(sizeof(std::uint32_t));
  return from == nullptr ? 0 : load_plain<std::uint32_t>(from);
}

std::uint64_t Cursor::little_u64() {
  const std::uint64_t low = little_u32();
  return std::uint64_t{little_u32()} << 32U | low;
}

std::uint32_t Cursor::big_u32() {
  const auto* from = take(sizeof(std::uint32_t));
  return from == nullptr ? 0
                         : std::uint32_t{from[0]} << 24U | std::uint32_t{from[1]} << 16U |
                               std::uint32_t{from[2]} << 8U | std::uint32_t{from[3]};
}

std::string Cursor::text(std::size_t length) {
  ok_ = ok_ && length <= kWindow;
  const auto* from = take(length);
  return from == nullptr ? std::string() : std::string(reinterpret_cast<const char*>(from), length);
}

// --- PackArchive
// ------------------------------------------------------------------------------------------------

bool PackArchive::add(ArchiveEntry entry) {
  const std::uint64_t end = storage_->size();
  if (entry.offset > end || entry.packed_size > end - entry.offset) {
    return false;
  }
  entry.index = static_cast<std::uint32_t>(entries_.size());
  entries_.push_back(std::move(entry));
  return true;
}

void PackArchive::index_entries() {
  by_hash_.resize(entries_.size());
  for (std::uint32_t i = 0; i < by_hash_.size(); ++i) {
    by_hash_[i] = i;
  }
  std::sort(by_hash_.begin(), by_hash_.end(), [this](std::uint32_t a, std::uint32_t b) {
    return std::pair(entries_[a].hash, a) < std::pair(entries_[b].hash, b);
  });
}

std::span<const std::uint32_t> PackArchive::with_hash(std::uint64_t hash) const {
  const auto first = std::lower_bound(
      by_hash_.begin(), by_hash_.end(), hash,
      [this](std::uint32_t index, std::uint64_t value) { return entries_[index].hash < value; });
  auto last = first;
  while (last != by_hash_.end() && entries_[*last].hash == hash) {
    ++last;
  }
  return std::span(by_hash_).subspan(static_cast<std::size_t>(first - by_hash_.begin()),
                                     static_cast<std::size_t>(last - first));
}

std::optional<ArchiveEntry> PackArchive::find(std::string_view name) const {
  auto found = with_hash(name_hash(name));
  const bool by_name = !found.empty();
  if (const auto hash = hash_in_name(name); !by_name && hash) {
    found = with_hash(*hash);
  }
  if (found.empty()) {
    return std::nullopt;
  }
  ArchiveEntry entry = entries_[found.front()];
  if (entry.name.empty() && by_name) {
    entry.name = name;
  }
  return entry;
}

Result<Bytes> PackArchive::stored(const ArchiveEntry& entry, std::uint64_t most) const {
  Bytes bytes(static_cast<std::size_t>(std::min(entry.packed_size, most)));
  const bool inside = entry.offset <= storage_->size() && bytes.size() <= storage_->size() - entry.offset;
  if (!inside || !storage_->read(entry.offset, bytes)) {
    return fail(codes::kPackData, "the file ends after the end of the pack", entry.offset);
  }
  return bytes;
}

}  // namespace thaw::pack
