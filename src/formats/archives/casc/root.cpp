#include "formats/archives/casc/root.hpp"

#include <thaw/codes.hpp>

#include "bytes/text.hpp"
#include "bytes/text_encoding.hpp"

#include <algorithm>
#include <cstring>

namespace thaw::casc {
namespace {

constexpr std::size_t kCellDigits = 32;
constexpr std::size_t kKey = std::tuple_size_v<Key>;
constexpr std::size_t kHash = 8;

/// The path and the key of a line: the key is the first cell after the path that looks like one.
std::optional<std::pair<std::string_view, Key>> line_parts(std::string_view line) {
  const std::size_t bar = line.find('|');
  for (std::size_t at = bar; at != std::string_view::npos; at = line.find('|', at + 1)) {
    const std::string_view cell = line.substr(at + 1, line.find('|', at + 1) - at - 1);
    const auto bytes = bar > 0 && cell.size() == kCellDigits ? bytes_of_hex(cell) : std::nullopt;
    if (bytes) {
      return std::pair(line.substr(0, bar), key_at<kKey>(bytes->data()));
    }
  }
  return std::nullopt;
}

std::uint64_t little64(const std::uint8_t* from) {
  return std::uint64_t{little32(from + 4)} << 32U | little32(from);
}

}  // namespace

bool is_text_root(ByteView bytes) {
  constexpr std::size_t kLongestLine = 4096;
  const std::string_view text = as_text(bytes.first(std::min(bytes.size(), kLongestLine)));
  return line_parts(text.substr(0, text.find_first_of("\r\n"))).has_value();
}

void walk_text_root(ByteView bytes, const std::function<void(std::string_view, const Key&)>& each) {
  const std::string_view text = as_text(bytes);
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    if (const auto parts = line_parts(text.substr(start, end - start))) {
      each(parts->first, parts->second);
    }
    start = end + 1;
  }
}

/// Reads block after block.
class NumberedRoot::Reader {
 public:
  Reader(NumberedRoot& root, std::uint32_t requested, std::uint32_t instead)
      : root_(root), bytes_(root.bytes_), requested_(requested), instead_(instead) {}

  Result<void> run(Diagnostics& diagnostics) {
    if (auto header = read_header(); !header) {
      return header;
    }
    bool good = true;
    while (good && at_ < bytes_.size()) {
      good = read_block();
    }
    if (!good) {
      diagnostics.add(codes::kCascTable,
                      "a block of the file list (root) is damaged; the files from there on are left out",
                      at_);
    }
    finish();
    return {};
  }

 private:
  struct Block {
    std::uint32_t count = 0;
    std::uint32_t content = 0;
    std::uint32_t locale = 0;
  };

  Result<void> read_header() {
    constexpr std::string_view kMagic = "TSFM";
    constexpr std::uint32_t kNewHeader = 0x18;
    constexpr std::size_t kOldHeader = 12;
    if (bytes_.size() < kOldHeader) {
      return fail(codes::kCascTable, "the file list (root) has only " + std::to_string(bytes_.size()) +
                                         " bytes, too few for its header");
    }
    if (!std::equal(kMagic.begin(), kMagic.end(), bytes_.begin())) {
      root_.generation_ = "6.0";
      together_ = true;
      return {};
    }
    const std::uint32_t version = little32(bytes_.data() + 8);
    if (little32(bytes_.data() + 4) != kNewHeader || bytes_.size() < kNewHeader || version == 0 ||
        version > 2) {
      if (little32(bytes_.data() + 4) == kNewHeader && version != 0 && version < 0x10 &&
          bytes_.size() >= kNewHeader) {
        return fail(codes::kCascUnsupported,
                    "unsupported version " + std::to_string(version) + " of the file list (root)");
      }
      root_.generation_ = "8.2";
      at_ = kOldHeader;
      return {};
    }
    root_.generation_ = version == 1 ? "10.1.7" : "11.1";
    split_flags_ = version == 2;
    at_ = kNewHeader;
    return {};
  }

  bool read_block_header(Block& block) {
    const std::size_t size = split_flags_ ? 17 : 12;
    if (!fits(at_, size, bytes_.size())) {
      return false;
    }
    const std::uint8_t* const from = bytes_.data() + at_;
    block.count = little32(from);
    if (split_flags_) {
      block.locale = little32(from + 4);
      block.content = little32(from + 8) | little32(from + 12) | std::uint32_t{from[16]} << 17U;
    } else {
      block.content = little32(from + 4);
      block.locale = little32(from + 8);
    }
    at_ += size;
    return true;
  }

  bool read_block() {
    constexpr std::uint32_t kNoNames = 0x10000000;
    const std::size_t start = at_;
    Block block;
    if (!read_block_header(block)) {
      return false;
    }
    const bool named = together_ || (block.content & kNoNames) == 0;
    const std::uint64_t each = sizeof(std::uint32_t) + kKey + (named ? kHash : 0);
    if (!fits(at_, each * block.count, bytes_.size())) {
      at_ = start;
      return false;
    }
    const std::size_t ids = at_;
    const std::size_t keys = ids + sizeof(std::uint32_t) * block.count;
    const std::size_t key_step = together_ ? kKey + kHash : kKey;
    const std::size_t hashes = together_ ? keys + kKey : keys + kKey * block.count;
    const std::size_t hash_step = together_ ? kKey + kHash : kHash;
    take(block, ids, keys, key_step, named ? hashes : 0, hash_step);
    at_ = ids + static_cast<std::size_t>(each) * block.count;
    return true;
  }

  void take(const Block& block, std::size_t ids, std::size_t keys, std::size_t key_step, std::size_t hashes,
            std::size_t hash_step) {
    constexpr std::uint32_t kLowViolence = 0x80;
    const bool tame = (block.content & kLowViolence) != 0;
    const bool first = !tame && (block.locale & requested_) != 0;
    const bool second = !tame && !first && (block.locale & instead_) != 0;
    std::vector<Row>& rows = first ? root_.rows_ : second ? instead_rows_ : other_rows_;
    std::uint32_t id = 0;
    for (std::size_t i = 0; i < block.count; ++i) {
      id += little32(bytes_.data() + ids + sizeof(std::uint32_t) * i) + (i == 0 ? 0 : 1);
      rows.push_back({id, static_cast<std::uint32_t>(keys + key_step * i)});
      if ((first || second) && hashes != 0) {
        root_.names_.push_back({little64(bytes_.data() + hashes + hash_step * i), id});
      }
    }
  }

  static bool less(const Row& a, const Row& b) { return a.id < b.id; }

  /// One row for each number: of equals the first in the file.
  static void settle(std::vector<Row>& rows) {
    std::sort(rows.begin(), rows.end(),
              [](const Row& a, const Row& b) { return a.id != b.id ? a.id < b.id : a.place < b.place; });
    rows.erase(std::unique(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.id == b.id; }),
               rows.end());
  }

  /// Drops rows whose number `better` has.
  static void leave_out(std::vector<Row>& rows, const std::vector<Row>& better) {
    rows.erase(std::remove_if(rows.begin(), rows.end(),
                              [&](const Row& row) {
                                return std::binary_search(better.begin(), better.end(), row, less);
                              }),
               rows.end());
  }

  void finish() {
    settle(root_.rows_);
    leave_out(instead_rows_, root_.rows_);
    settle(instead_rows_);
    const auto middle = static_cast<std::ptrdiff_t>(root_.rows_.size());
    root_.rows_.insert(root_.rows_.end(), instead_rows_.begin(), instead_rows_.end());
    if (middle != 0 && !instead_rows_.empty()) {
      settle(root_.rows_);
    }
    settle(other_rows_);
    leave_out(other_rows_, root_.rows_);
    root_.others_ = other_rows_.size();
    root_.rows_.shrink_to_fit();
    std::sort(root_.names_.begin(), root_.names_.end(), [](const Named& a, const Named& b) {
      return a.hash != b.hash ? a.hash < b.hash : a.id < b.id;
    });
  }

  NumberedRoot& root_;
  ByteView bytes_;
  std::uint32_t requested_;
  std::uint32_t instead_;
  std::size_t at_ = 0;
  bool together_ = false;  ///< keys and hashes by turns
  bool split_flags_ = false;
  std::vector<Row> instead_rows_;
  std::vector<Row> other_rows_;
};

Result<NumberedRoot> NumberedRoot::read(Bytes bytes, std::uint32_t requested, std::uint32_t instead,
                                        Diagnostics& diagnostics) {
  NumberedRoot root;
  root.bytes_ = std::move(bytes);
  if (auto done = Reader(root, requested, instead).run(diagnostics); !done) {
    return tl::unexpected<Error>(std::move(done.error()));
  }
  return root;
}

std::optional<std::uint32_t> NumberedRoot::row_of(std::uint32_t id) const {
  const auto found =
      std::lower_bound(rows_.begin(), rows_.end(), id,
                       [](const Row& row, std::uint32_t requested) { return row.id < requested; });
  return found != rows_.end() && found->id == id
             ? std::optional(static_cast<std::uint32_t>(found - rows_.begin()))
             : std::nullopt;
}

std::optional<std::uint32_t> NumberedRoot::row_of_hash(std::uint64_t hash) const {
  const auto found =
      std::lower_bound(names_.begin(), names_.end(), hash,
                       [](const Named& name, std::uint64_t requested) { return name.hash < requested; });
  return found != names_.end() && found->hash == hash ? row_of(found->id) : std::nullopt;
}

std::vector<std::pair<std::uint32_t, std::uint64_t>> NumberedRoot::hashes_by_id() const {
  std::vector<std::pair<std::uint32_t, std::uint64_t>> all;
  all.reserve(names_.size());
  for (const auto& name : names_) {
    all.emplace_back(name.id, name.hash);
  }
  std::sort(all.begin(), all.end());
  return all;
}

Key NumberedRoot::key(const Row& row) const { return key_at<kKey>(bytes_.data() + row.place); }

}  // namespace thaw::casc
