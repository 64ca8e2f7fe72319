#include "structure.hpp"

#include <thaw/format.hpp>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace thaw::fuzz {
namespace {

/// splitmix64: the seed is all that decides.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    state_ += 0x9E3779B97F4A7C15U;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31U);
  }
  std::size_t below(std::size_t limit) {
    return static_cast<std::size_t>(next() % std::max<std::size_t>(limit, 1));
  }
  bool one_in(std::size_t count) { return below(count) == 0; }
  template <class List>
  auto& pick(List& list) {
    return list[below(list.size())];
  }

 private:
  std::uint64_t state_;
};

// --- what a file is made of

struct Part {
  static constexpr std::size_t kNoOwner = ~std::size_t{0};

  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::size_t owner = kNoOwner;
  std::size_t children = 0;
  bool is_list = false;
  std::string kind;  ///< name, or the name of the list and the tag within
};

/// A number, or an array of them.
struct Field {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;   ///< of all elements
  std::uint64_t width = 0;  ///< of one
  bool is_float = false;
  bool big_endian = false;
};

struct Structure {
  std::vector<Part> parts;
  std::vector<Field> fields;
};

class Recorder final : public Inspector {
 public:
  explicit Recorder(Structure& into) : structure_(into) {}

  void begin(std::string_view name, bool is_list, std::uint64_t offset) override {
    Part part;
    part.begin = offset;
    part.is_list = is_list;
    part.kind = name;
    if (!open_.empty()) {
      part.owner = open_.back();
      Part& owner = structure_.parts[part.owner];
      ++owner.children;
      part.kind = owner.is_list ? owner.kind + '[' + part.kind : part.kind;
    }
    open_.push_back(structure_.parts.size());
    structure_.parts.push_back(std::move(part));
  }
  void end(std::uint64_t offset) override {
    structure_.parts[open_.back()].end = offset;
    open_.pop_back();
  }
  void leaf(const Leaf& leaf) override {
    if (leaf.size == 0) {
      return;
    }
    if (leaf.role == LeafRole::tag && leaf.data != nullptr && !open_.empty()) {
      structure_.parts[open_.back()].kind.append(static_cast<const char*>(leaf.data), leaf.size);
    }
    const bool number = leaf.role == LeafRole::value;
    Field field{leaf.offset, leaf.size, leaf.size, false, false};
    field.width = number ? scalar_size(leaf.kind) : std::min<std::uint64_t>(leaf.size, 4);
    field.is_float = number && (leaf.kind == ScalarKind::f32 || leaf.kind == ScalarKind::f64);
    structure_.fields.push_back(field);
  }

 private:
  Structure& structure_;
  std::vector<std::size_t> open_;
};

/// Packs are no documents: their tables by hand, as far as they make sense.
class PackTables {
 public:
  PackTables(ByteView file, Structure& into) : file_(file), into_(into) {}

  void blocks() {
    std::uint64_t at = 0;
    for (std::size_t turn = 0; turn < kMost && at + 8 <= file_.size(); ++turn) {
      const std::uint64_t next = word(at);
      const std::uint64_t end = entries(at + 8, word(at + 4));
      number(at, 4, true);
      number(at + 4, 4, true);
      into_.parts.push_back({at, end, Part::kNoOwner, 0, false, "block"});
      if (next <= at) {
        return;
      }
      at = next;
    }
  }
  void table() {
    for (const std::uint64_t at : {8U, 16U, 24U}) {
      number(at, 8, false);
    }
    number(4, 4, false);
    std::uint64_t first = 0;
    for (std::size_t i = 0; i < 8 && 23 - i < file_.size(); ++i) {
      first = first << 8U | file_[23 - i];
    }
    for (std::uint64_t at = first; at < file_.size() && file_.size() - at >= 32; at += 32) {
      into_.parts.push_back({at, at + 32, Part::kNoOwner, 0, false, "entry"});
      for (const std::uint64_t inner : {0U, 8U, 16U}) {
        number(at + inner, 8, false);
      }
      number(at + 24, 4, false);
      number(at + 28, 4, false);
    }
  }

 private:
  static constexpr std::size_t kMost = 256;

  [[nodiscard]] std::uint64_t word(std::uint64_t at) const {
    std::uint64_t value = 0;
    for (std::uint64_t i = 0; i < 4; ++i) {
      value = value << 8U | (at + i < file_.size() ? file_[at + i] : 0U);
    }
    return value;
  }
  void number(std::uint64_t at, std::uint64_t width, bool big_endian) {
    if (at + width <= file_.size()) {
      into_.fields.push_back({at, width, width, false, big_endian});
    }
  }
  std::uint64_t entries(std::uint64_t at, std::uint64_t count) {
    for (std::uint64_t i = 0; i < std::min<std::uint64_t>(count, kMost) && at + 16 <= file_.size(); ++i) {
      const std::uint64_t end = at + 16 + word(at);
      if (end > file_.size()) {
        break;
      }
      for (const std::uint64_t field : {at, end - 12, end - 8, end - 4}) {
        number(field, 4, true);
      }
      into_.parts.push_back({at, end, Part::kNoOwner, 0, false, "entry"});
      at = end;
    }
    return at;
  }

  ByteView file_;
  Structure& into_;
};

std::optional<Structure> structure_of(ByteView file) {
  Structure structure;
  const Identity identity = identify(file);
  if (identity.format == "pack1") {
    PackTables(file, structure).blocks();
    return structure;
  }
  if (identity.format == "pack2") {
    PackTables(file, structure).table();
    return structure;
  }
  Diagnostics diagnostics(1);
  const auto document = read_any(file, {}, diagnostics);
  if (!document || identity.format.is_text()) {
    return std::nullopt;
  }
  Recorder recorder(structure);
  inspect_any(*document, recorder);
  if (identity.format == "png") {
    std::for_each(structure.fields.begin(), structure.fields.end(),
                  [](Field& field) { field.big_endian = true; });
  }
  return structure;
}

// --- numbers

std::uint64_t number_at(ByteView bytes, const Field& field, std::uint64_t at) {
  std::uint64_t value = 0;
  for (std::uint64_t i = 0; i < field.width; ++i) {
    value |= std::uint64_t{bytes[at + (field.big_endian ? field.width - 1 - i : i)]} << (8 * i);
  }
  return value;
}
void set_number(Bytes& bytes, const Field& field, std::uint64_t at, std::uint64_t value) {
  for (std::uint64_t i = 0; i < field.width; ++i) {
    bytes[at + (field.big_endian ? field.width - 1 - i : i)] = static_cast<std::uint8_t>(value >> (8 * i));
  }
}

/// Bits of floats that calculations stumble over.
constexpr std::array<std::uint32_t, 10> kFloats = {0x7FC00000, 0x7F800000, 0xFF800000, 0x7F7FFFFF,
                                                   0xFF7FFFFF, 0x00000001, 0x80000000, 0x00000000,
                                                   0x3F800000, 0xBF800000};

class Mutation {
 public:
  Mutation(ByteView file, const Structure& structure, std::uint32_t seed)
      : bytes_(file.begin(), file.end()), structure_(structure), random_(seed) {}

  Bytes run() {
    switch (structure_.parts.empty() ? 0 : random_.below(10)) {
      case 0:
      case 1:
      case 2:
      case 3:
        patch_number();
        break;
      case 4:
        remove();
        break;
      case 5:
      case 6:
        repeat();
        break;
      case 7:
        exchange();
        break;
      case 8:
        shorten();
        break;
      default:
        repeat_elements();
        break;
    }
    return std::move(bytes_);
  }

  Bytes take_from(ByteView other, const Structure& theirs) {
    const Part& mine = random_.pick(structure_.parts);
    std::vector<const Part*> alike;
    for (const Part& part : theirs.parts) {
      if (part.kind == mine.kind || random_.one_in(64)) {
        alike.push_back(&part);
      }
    }
    const Part& donor = alike.empty() ? random_.pick(theirs.parts) : *random_.pick(alike);
    if (donor.begin <= donor.end && donor.end <= other.size()) {
      const bool adjacent = random_.one_in(2);  // else in its place
      replace(adjacent ? mine.end : mine.begin, mine.end, other.subspan(donor.begin, donor.end - donor.begin),
              &mine, adjacent ? 1 : 0);
    }
    return std::move(bytes_);
  }

 private:
  void patch_number();
  void remove() {
    const Part& part = random_.pick(structure_.parts);
    replace(part.begin, part.end, {}, &part, -1);
  }
  void repeat() {
    const Part& part = random_.pick(structure_.parts);
    if (part.begin <= part.end && part.end <= bytes_.size()) {
      const Bytes copy(bytes_.begin() + static_cast<std::ptrdiff_t>(part.begin),
                       bytes_.begin() + static_cast<std::ptrdiff_t>(part.end));
      replace(part.end, part.end, copy, &part, 1);
    }
  }
  void exchange();
  void shorten() {
    const Part& part = random_.pick(structure_.parts);
    if (part.begin < part.end) {
      const std::uint64_t cut = 1 + random_.below(std::min<std::uint64_t>(part.end - part.begin, 64));
      replace(part.end - cut, part.end, {}, nullptr, 0);
    }
  }
  [[nodiscard]] const Field* counter_of(const Field& array) const;
  void repeat_elements();

  /// The bytes from `from` to `to` become others; what stated their extent says so afterwards, mostly.
  void replace(std::uint64_t from, std::uint64_t to, ByteView by, const Part* part, int count_change);
  void fix_field(const Field& field, std::uint64_t from, std::uint64_t to, std::int64_t change,
                 const Part* part, int count_change);
  [[nodiscard]] bool ends_around(std::uint64_t end, std::uint64_t from, std::uint64_t to) const;
  [[nodiscard]] std::uint64_t telling_value(const Field& field, std::uint64_t at);

  Bytes bytes_;
  const Structure& structure_;
  Random random_;
};

std::uint64_t Mutation::telling_value(const Field& field, std::uint64_t at) {
  const std::uint64_t now = number_at(bytes_, field, at);
  if (field.is_float && field.width == 4 && !random_.one_in(4)) {
    return random_.pick(kFloats);
  }
  const std::uint64_t ones = ~std::uint64_t{0} >> (64 - 8 * field.width);
  switch (random_.below(12)) {
    case 0:
      return 0;
    case 1:
      return 1;
    case 2:
      return ones;
    case 3:
      return ones >> 1U;
    case 4:
      return (ones >> 1U) + 1;
    case 5:
      return now + 1;
    case 6:
      return now - 1;
    case 7:
      return bytes_.size() - at + random_.below(3) - 1;
    case 8:
      return (bytes_.size() - at) >> random_.below(7);
    case 9:
      return structure_.parts.empty() ? now * 2 : random_.pick(structure_.parts).begin + random_.below(3) - 1;
    case 10: {
      const Field& other = random_.pick(structure_.fields);
      return number_at(bytes_, {other.offset, other.width, other.width, false, other.big_endian},
                       other.offset);
    }
    default:
      return random_.below(32);
  }
}

void Mutation::patch_number() {
  if (structure_.fields.empty()) {
    return;
  }
  for (std::size_t turn = 0; turn == 0 || random_.one_in(3); ++turn) {
    const Field& field = random_.pick(structure_.fields);
    const std::uint64_t at = field.offset + random_.below(field.size / field.width) * field.width;
    set_number(bytes_, field, at, telling_value(field, at));
  }
}

void Mutation::exchange() {
  const std::size_t first = random_.below(structure_.parts.size());
  std::vector<const Part*> siblings;
  for (const Part& part : structure_.parts) {
    if (part.owner == structure_.parts[first].owner && part.begin >= structure_.parts[first].end) {
      siblings.push_back(&part);
    }
  }
  if (!siblings.empty()) {
    const Part& a = structure_.parts[first];
    const Part& b = *random_.pick(siblings);
    const auto at = [&](std::uint64_t offset) {
      return bytes_.begin() + static_cast<std::ptrdiff_t>(offset);
    };
    if (a.begin <= a.end && b.begin <= b.end && b.end <= bytes_.size()) {
      std::rotate(at(a.begin), at(b.begin), at(b.end));
      const auto rest = at(a.begin + (b.end - b.begin));  // a, what was between, in this order
      std::rotate(rest, rest + static_cast<std::ptrdiff_t>(a.end - a.begin), at(b.end));
    }
  }
}

/// The number right before an array that counts its rows, as far as its value tells.
const Field* Mutation::counter_of(const Field& array) const {
  const auto found =
      std::find_if(structure_.fields.begin(), structure_.fields.end(), [&](const Field& field) {
        return field.offset + field.size == array.offset && field.size == field.width && !field.is_float;
      });
  if (found == structure_.fields.end()) {
    return nullptr;
  }
  const std::uint64_t rows = number_at(bytes_, *found, found->offset);
  return rows > 0 && rows <= array.size && array.size % rows == 0 ? &*found : nullptr;
}

void Mutation::repeat_elements() {
  const Field& field = random_.pick(structure_.fields);
  const Field* counter = random_.one_in(8) ? nullptr : counter_of(field);
  const std::uint64_t count =
      counter != nullptr ? number_at(bytes_, *counter, counter->offset) : field.size / field.width;
  const std::uint64_t width = counter != nullptr ? field.size / count : field.width;
  const bool all = random_.one_in(4);
  const std::uint64_t from = all ? 0 : random_.below(count);
  const std::uint64_t more = all ? count : 1 + random_.below(std::min<std::uint64_t>(count - from, 16));
  const std::uint64_t begin = field.offset + from * width;
  const std::uint64_t end = std::min<std::uint64_t>(begin + more * width, field.offset + field.size);
  const bool again = random_.one_in(2);
  if (counter != nullptr) {
    set_number(bytes_, *counter, counter->offset, again ? count + more : count - more);
  }
  const Bytes copy(bytes_.begin() + static_cast<std::ptrdiff_t>(begin),
                   bytes_.begin() + static_cast<std::ptrdiff_t>(end));
  if (again) {
    replace(end, end, copy, nullptr, 0);
  } else {
    replace(begin, end, {}, nullptr, 0);
  }
}

/// Is this the end of something that holds the range?
bool Mutation::ends_around(std::uint64_t end, std::uint64_t from, std::uint64_t to) const {
  return std::any_of(structure_.parts.begin(), structure_.parts.end(), [&](const Part& part) {
    return part.end == end && part.begin <= from && part.end >= to;
  });
}

void Mutation::fix_field(const Field& field, std::uint64_t from, std::uint64_t to, std::int64_t change,
                         const Part* part, int count_change) {
  const std::uint64_t value = number_at(bytes_, field, field.offset);
  const auto set = [&](std::int64_t by) {
    set_number(bytes_, field, field.offset, value + static_cast<std::uint64_t>(by));
  };
  if (field.offset < from) {
    for (const std::uint64_t head : {0U, 4U, 8U, 12U}) {  // sizes with and without the words around them
      if (value > 0 && value <= bytes_.size() && ends_around(field.offset + head + value, from, to)) {
        return set(change);
      }
    }
    const bool counts = part != nullptr && part->owner != Part::kNoOwner &&
                        structure_.parts[part->owner].is_list &&
                        structure_.parts[part->owner].children == value && from - field.offset < 4096;
    if (counts && count_change != 0) {
      return set(count_change);
    }
  }
  constexpr std::uint64_t kSmall = 16;  // such numbers are rarely offsets
  if (value >= std::max(to, kSmall) && value <= bytes_.size() &&
      std::any_of(structure_.parts.begin(), structure_.parts.end(),
                  [&](const Part& moved) { return moved.begin == value; })) {
    set(change);
  }
}

void Mutation::replace(std::uint64_t from, std::uint64_t to, ByteView by, const Part* part,
                       int count_change) {
  if (from > to || to > bytes_.size()) {
    return;  // offsets in the file may lead anywhere
  }
  const auto change = static_cast<std::int64_t>(by.size()) - static_cast<std::int64_t>(to - from);
  if (!random_.one_in(8)) {
    constexpr std::size_t kMostFields = 4096;  // the work is their number by that of the parts
    const std::size_t step = 1 + structure_.fields.size() / kMostFields;
    for (std::size_t i = 0; i < structure_.fields.size(); i += step) {
      const Field& field = structure_.fields[i];
      if (field.size == field.width && !field.is_float && field.width >= 2 &&
          (field.offset + field.width <= from || field.offset >= to)) {
        fix_field(field, from, to, change, part, count_change);
      }
    }
  }
  Bytes result(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(from));
  result.insert(result.end(), by.begin(), by.end());
  result.insert(result.end(), bytes_.begin() + static_cast<std::ptrdiff_t>(to), bytes_.end());
  bytes_ = std::move(result);
}

std::optional<Bytes> within_limit(Bytes mutant, std::size_t most) {
  return mutant.size() <= most ? std::optional(std::move(mutant)) : std::nullopt;
}

}  // namespace

std::optional<Bytes> mutate(ByteView file, std::size_t most, std::uint32_t seed) {
  const auto structure = structure_of(file);
  if (!structure || structure->fields.empty()) {
    return std::nullopt;
  }
  return within_limit(Mutation(file, *structure, seed).run(), most);
}

std::optional<Bytes> cross_over(ByteView first, ByteView second, std::size_t most, std::uint32_t seed) {
  const auto mine = structure_of(first);
  const auto theirs = structure_of(second);
  if (!mine || !theirs || mine->parts.empty() || theirs->parts.empty()) {
    return std::nullopt;
  }
  return within_limit(Mutation(first, *mine, seed).take_from(second, *theirs), most);
}

}  // namespace thaw::fuzz
