#include "formats/archives/casc/encoding.hpp"

#include <thaw/codes.hpp>

#include "bytes/hash.hpp"

#include <algorithm>
#include <cstring>

namespace thaw::casc {
namespace {

constexpr std::size_t kTableHeader = 0x16;
constexpr std::size_t kPageRow = 32;
constexpr std::size_t kKeySize = std::tuple_size_v<Key>;
/// Count of keys, plain size, content key.
constexpr std::size_t kRowStart = 1 + 5 + kKeySize;

}  // namespace

Result<Encoding> Encoding::read(Bytes bytes, bool check, Diagnostics& diagnostics) {
  if (bytes.size() < kTableHeader || bytes[0] != 'E' || bytes[1] != 'N') {
    return fail(codes::kCascTable, "the encoding table is too short or does not begin with EN");
  }
  if (bytes[2] != 1) {
    return fail(codes::kCascUnsupported,
                "unsupported version " + std::to_string(bytes[2]) + " of the encoding table");
  }
  if (bytes[3] != kKeySize || bytes[4] != kKeySize) {
    return fail(codes::kCascUnsupported, "the encoding table has keys of an unsupported size");
  }
  Encoding table;
  table.page_size_ = static_cast<std::size_t>(big(bytes.data() + 5, 2) << 10U);
  const std::uint64_t stated = big32(bytes.data() + 9);
  const std::uint64_t specs = big32(bytes.data() + 0x12);
  if (table.page_size_ == 0 || !fits(kTableHeader, specs, bytes.size())) {
    return fail(codes::kCascTable,
                table.page_size_ == 0
                    ? "the header of the encoding table states a page size of 0"
                    : "the header of the encoding table states more bytes than the table has",
                5);
  }
  table.index_ = kTableHeader + static_cast<std::size_t>(specs);
  const std::uint64_t room = (bytes.size() - table.index_) / (kPageRow + table.page_size_);
  if (stated > room) {
    diagnostics.add(codes::kCascTable, "the encoding table states " + std::to_string(stated) +
                                           " pages, but has only " + std::to_string(room) +
                                           "; the files of the others may not be found");
  }
  // The list of pages has its stated length, or the pages would be looked for in wrong places.
  const std::uint64_t listed = std::min<std::uint64_t>(stated, (bytes.size() - table.index_) / kPageRow);
  table.pages_ = table.index_ + static_cast<std::size_t>(listed) * kPageRow;
  table.count_ = static_cast<std::size_t>(
      std::min<std::uint64_t>(listed, (bytes.size() - table.pages_) / table.page_size_));
  table.bytes_ = std::move(bytes);
  table.look_at_pages(check, diagnostics);
  return table;
}

void Encoding::look_at_pages(bool check, Diagnostics& diagnostics) {
  bool sorted = true;
  for (std::size_t i = 0; i < count_; ++i) {
    const std::uint8_t* const row = bytes_.data() + index_ + kPageRow * i;
    const ByteView page(bytes_.data() + pages_ + page_size_ * i, page_size_);
    sorted = sorted && (i == 0 || std::memcmp(row - kPageRow, row, kKeySize) <= 0);
    const bool other =
        page_size_ > kRowStart && page[0] != 0 && std::memcmp(page.data() + 6, row, kKeySize) != 0;
    const bool changed = check && md5(page) != key_at<kKeySize>(row + kKeySize);
    if (other || changed) {
      diagnostics.add(codes::kCascTable,
                      "page " + std::to_string(i) + " of the encoding table " +
                          (other ? "does not begin with its stated key; its files may not be found"
                                 : "does not match its checksum; it is used anyway"));
    }
  }
  if (sorted) {
    return;
  }
  diagnostics.add(codes::kCascTable, "the pages of the encoding table are not sorted; thaw sorts them");
  order_.resize(count_);
  for (std::uint32_t i = 0; i < count_; ++i) {
    order_[i] = i;
  }
  std::sort(order_.begin(), order_.end(), [this](std::uint32_t a, std::uint32_t b) {
    const std::uint8_t* const rows = bytes_.data() + index_;
    const int less = std::memcmp(rows + kPageRow * a, rows + kPageRow * b, kKeySize);
    return less != 0 ? less < 0 : a < b;
  });
}

const std::uint8_t* Encoding::first_key(std::size_t page) const {
  return bytes_.data() + index_ + kPageRow * (order_.empty() ? page : order_[page]);
}

std::optional<Content> Encoding::find(const Key& content) const {
  std::size_t low = 0;
  std::size_t high = count_;
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (std::memcmp(first_key(middle), content.data(), kKeySize) <= 0) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (low == 0) {
    return std::nullopt;
  }
  const std::size_t number = order_.empty() ? low - 1 : order_[low - 1];
  const std::uint8_t* const page = bytes_.data() + pages_ + page_size_ * number;
  for (std::size_t at = 0; fits(at, kRowStart, page_size_) && page[at] != 0;) {
    const std::size_t keys = page[at];
    const std::size_t size = kRowStart + keys * kKeySize;
    if (!fits(at, size, page_size_)) {
      break;
    }
    if (std::memcmp(page + at + 6, content.data(), kKeySize) == 0) {
      Content found{big(page + at + 1, 5), {}};
      for (std::size_t i = 0; i < keys; ++i) {
        found.encoded.push_back(key_at<kKeySize>(page + at + kRowStart + kKeySize * i));
      }
      return found;
    }
    at += size;
  }
  return std::nullopt;
}

}  // namespace thaw::casc
