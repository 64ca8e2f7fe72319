// thaw_fail_points TABLE [FORMAT...]: damages the samples in every way that tells something and writes the
// table of fail points anew: the fewest lines found that reach each failing place. With formats, only their
// lines change. Same program, same samples, same table.
//
// A failing place is what is seen of one from outside: format, operation, code, the message without its
// numbers and names, and of a reader also the path without its indices.

#include "bytes/text.hpp"
#include "hostile/fail_points.hpp"
#include "structure.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cctype>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <thread>

namespace thaw::test {
namespace {

// --- what a file consists of

struct Field {
  std::string pattern;  ///< its path without indices
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  LeafRole role = LeafRole::value;
  bool floating = false;
  std::size_t element = 1;  ///< bytes of one number
};

struct Span {
  std::string pattern;
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
};

struct Parts {
  std::vector<Field> fields;
  std::vector<Span> spans;
  std::vector<std::uint64_t> boundaries;
};

/// Names that the paths of sound files have. Others come from the files' own bytes.
using Names = std::set<std::string, std::less<>>;

class PartRecorder final : public Inspector {
 public:
  PartRecorder(Parts& parts, Names& names) : parts_(parts), names_(names) {}

  void begin(std::string_view name, bool /*is_list*/, std::uint64_t offset) override {
    open_.push_back({pattern(name), offset, 0});
    parts_.boundaries.push_back(offset);
  }
  void end(std::uint64_t offset) override {
    open_.back().size = offset - open_.back().offset;
    parts_.spans.push_back(open_.back());
    parts_.spans.back().pattern += '/';
    parts_.boundaries.push_back(offset);
    open_.pop_back();
  }
  void leaf(const Leaf& leaf) override {
    const bool number = leaf.role == LeafRole::value || leaf.role == LeafRole::structure;
    const bool floating = number && (leaf.kind == ScalarKind::f16 || leaf.kind == ScalarKind::f32 ||
                                     leaf.kind == ScalarKind::f64);
    const std::size_t element = number ? scalar_size(leaf.kind) : leaf.role == LeafRole::rows ? 4 : 1;
    parts_.fields.push_back({pattern(leaf.name), leaf.offset, leaf.size, leaf.role, floating, element});
  }

 private:
  std::string pattern(std::string_view name) {
    names_.emplace(name);
    std::string text = open_.empty() ? std::string() : open_.back().pattern;
    text += '.';
    text += name;
    return text;
  }

  Parts& parts_;
  Names& names_;
  std::vector<Span> open_;
};

// --- edits of a mutant that something else made

/// Runs of bytes that differ between files of the same size, those apart by no more than a number as one.
std::vector<Edit> sets_between(ByteView from, ByteView to) {
  constexpr std::size_t kApart = 4;
  std::vector<Edit> sets;
  for (std::size_t at = 0; at < to.size(); ++at) {
    if (from[at] == to[at]) {
      continue;
    }
    if (sets.empty() || at > sets.back().offset + sets.back().bytes.size() + kApart) {
      sets.push_back({Edit::Kind::set, at, 0, {}});
    }
    Edit& run = sets.back();
    run.bytes.assign(to.begin() + static_cast<std::ptrdiff_t>(run.offset),
                     to.begin() + static_cast<std::ptrdiff_t>(at) + 1);
  }
  return sets;
}

/// Makes `to` of `from`: what has become longer or shorter did so where the files' common end begins. None if
/// it would take more bytes than a line of the table should have.
std::optional<Mutation> edits_between(ByteView from, ByteView to) {
  constexpr std::size_t kMostBytes = 64;
  const auto [mine, theirs] = std::mismatch(from.rbegin(), from.rend(), to.rbegin(), to.rend());
  const auto end = static_cast<std::size_t>(from.rend() - mine);
  const std::size_t longer = to.size() > from.size() ? to.size() - from.size() : 0;
  const std::size_t shorter = to.size() < from.size() ? from.size() - to.size() : 0;
  if (longer > from.size()) {
    return std::nullopt;
  }
  Mutation mutation;
  if (longer > 0) {
    mutation.edits.push_back({Edit::Kind::twice, std::min(end, from.size() - longer), longer, {}});
  } else if (shorter > 0) {
    mutation.edits.push_back({Edit::Kind::drop, std::max(end, shorter) - shorter, shorter, {}});
  }
  ReadOptions ignored;
  const Bytes resized = apply(mutation, from, ignored);
  std::size_t bytes = 0;
  for (auto& edit : sets_between(resized, to)) {
    bytes += edit.bytes.size();
    mutation.edits.push_back(std::move(edit));
  }
  return bytes <= kMostBytes ? std::optional(mutation) : std::nullopt;
}

// --- candidates

class Candidates {
 public:
  /// What was already damaged in samples of the format, and how often.
  using Seen = std::map<std::string, unsigned>;

  Candidates(const Sample& sample, Seen& seen) : bytes_(sample.bytes), seen_(seen) {}

  std::vector<Mutation> all(const Parts& parts, bool text) {
    add({});
    add({Edit{Edit::Kind::input_limit, bytes_.size() - 1, 0, {}}});
    add({Edit{Edit::Kind::pixel_limit, 1, 0, {}}});
    if (text) {
      tokens();
    } else {
      fields(parts);
      spans(parts);
      single_bytes();
      structures();
    }
    cuts(parts);
    return std::move(list_);
  }

  static constexpr std::size_t kLarge = 16384;  // takes long

 private:
  static constexpr std::size_t kSmall = 1024;
  static constexpr unsigned kOccurrences = 2;  // of the same field in a sample
  static constexpr unsigned kSamples = 4;      // that it is damaged in

  /// True as often as it should be damaged.
  bool again(const std::string& what) {
    const unsigned here = ++here_[what];
    return here <= kOccurrences && (here > 1 ? seen_[what] <= kSamples : ++seen_[what] <= kSamples);
  }

  [[nodiscard]] std::string text(std::uint64_t offset, std::uint64_t size) const {
    const auto place = bytes_.begin() + static_cast<std::ptrdiff_t>(offset);
    return {place, place + static_cast<std::ptrdiff_t>(size)};
  }
  void add(std::vector<Edit> edits) { list_.push_back({std::move(edits)}); }
  void set(std::uint64_t offset, Bytes bytes) {
    if (!std::equal(bytes.begin(), bytes.end(), bytes_.begin() + static_cast<std::ptrdiff_t>(offset))) {
      add({Edit{Edit::Kind::set, offset, 0, std::move(bytes)}});
    }
  }
  void drop(std::uint64_t offset, std::uint64_t size) { add({Edit{Edit::Kind::drop, offset, size, {}}}); }
  void twice(std::uint64_t offset, std::uint64_t size) { add({Edit{Edit::Kind::twice, offset, size, {}}}); }

  void cuts(const Parts& parts) {
    if (bytes_.size() <= kSmall) {
      for (std::uint64_t length = 0; length < bytes_.size(); ++length) {
        add({Edit{Edit::Kind::cut, length, 0, {}}});
      }
      return;
    }
    std::set<std::uint64_t> lengths;
    for (const auto at : parts.boundaries) {
      lengths.insert({at == 0 ? 0 : at - 1, at, at + 1, at + 4});
    }
    for (const auto length : lengths) {
      if (length < bytes_.size()) {
        add({Edit{Edit::Kind::cut, length, 0, {}}});
      }
    }
  }

  void fields(const Parts& parts) {
    std::set<std::string> tags;
    for (const auto& field : parts.fields) {
      if (field.role == LeafRole::tag && field.size == 4 && field.offset + 4 <= bytes_.size()) {
        tags.insert(text(field.offset, 4));
      }
    }
    for (const auto& field : parts.fields) {
      if (field.size == 0 || field.offset + field.size > bytes_.size() || !again(field.pattern)) {
        continue;
      }
      if (field.role == LeafRole::text) {
        text_field(field);
      } else if (field.role == LeafRole::tag) {
        for (const auto& tag : tags) {
          set(field.offset, to_bytes(tag));
        }
        set(field.offset, Bytes(field.size, std::uint8_t{'X'}));
        set(field.offset, Bytes(field.size, 0));
      } else {
        numbers(field);
      }
    }
  }

  void text_field(const Field& field) {
    set(field.offset, Bytes(field.size, std::uint8_t{'x'}));
    set(field.offset, Bytes(field.size, 0xE4));
    set(field.offset, Bytes(field.size, 0));
    set(field.offset, Bytes(1, std::uint8_t{'\t'}));
    set(field.offset + field.size - 1, Bytes(1, std::uint8_t{'x'}));
    constexpr std::string_view up = "..\\..\\x.dds";
    if (up.size() < field.size) {
      Bytes path = to_bytes(up);
      path.resize(field.size);
      set(field.offset, std::move(path));
    }
  }

  void numbers(const Field& field) {
    number(field, field.offset);
    if (bytes_.size() > kLarge) {
      return;
    }
    if (field.size > field.element) {
      number(field, field.offset + field.size - field.element);
      number(field, field.offset + field.element);
    }
    if (field.size > field.element && field.size <= 256) {
      for (const unsigned fill : {0U, 1U, 0x7FU, 0xFFU}) {
        set(field.offset, Bytes(field.size, static_cast<std::uint8_t>(fill)));
      }
    }
  }

  void number(const Field& field, std::uint64_t at) {
    if (at + field.element > bytes_.size()) {
      return;
    }
    std::uint64_t now = 0;
    std::memcpy(&now, bytes_.data() + at, field.element);
    for (const std::uint64_t value :
         field.floating ? floats(field.element) : integers(now, field.element, at)) {
      Bytes raw(field.element);
      std::memcpy(raw.data(), &value, field.element);
      set(at, std::move(raw));
    }
  }

  static std::vector<std::uint64_t> floats(std::size_t element) {
    std::vector<std::uint64_t> bits;
    for (const float value : {0.0F, 1.0F, -1.0F, 0.5F, -0.5F, 2.0F, 100.0F, 1e30F, -1e30F}) {
      if (element == 4) {
        std::uint32_t word = 0;
        std::memcpy(&word, &value, sizeof word);
        bits.push_back(word);
      } else if (element == 8) {
        const double wide{value};
        std::uint64_t word = 0;
        std::memcpy(&word, &wide, sizeof word);
        bits.push_back(word);
      }
    }
    const std::array<std::uint64_t, 2> specials =
        element == 4   ? std::array<std::uint64_t, 2>{0x7FC00000, 0x7F800000}
        : element == 8 ? std::array<std::uint64_t, 2>{0x7FF8000000000000, 0x7FF0000000000000}
                       : std::array<std::uint64_t, 2>{0x7E00, 0x7C00};
    bits.insert(bits.end(), specials.begin(), specials.end());
    return bits;
  }

  [[nodiscard]] std::vector<std::uint64_t> integers(std::uint64_t now, std::size_t element,
                                                    std::uint64_t at) const {
    const std::uint64_t left = bytes_.size() - at;
    if (bytes_.size() > kLarge) {
      return {0, 9, 0xFFFF, 0xFFFFFFFF, now + 1, now ^ 2U, left};
    }
    std::set<std::uint64_t> values = {0,
                                      1,
                                      2,
                                      3,
                                      4,
                                      5,
                                      6,
                                      7,
                                      8,
                                      9,
                                      10,
                                      11,
                                      12,
                                      13,
                                      16,
                                      17,
                                      31,
                                      32,
                                      33,
                                      64,
                                      100,
                                      127,
                                      255,
                                      256,
                                      1000,
                                      0x7FFF,
                                      0xFFFF,
                                      0x10000,
                                      0x01000000,
                                      0x7FFFFFFF,
                                      0x80000000,
                                      0xFFFFFFF0,
                                      0xFFFFFFFE,
                                      0xFFFFFFFF,
                                      ~std::uint64_t{0},
                                      now + 1,
                                      now - 1,
                                      now + 4,
                                      now - 4,
                                      now * 2,
                                      now / 2,
                                      left,
                                      left + 1,
                                      left / 4,
                                      bytes_.size(),
                                      bytes_.size() - 1};
    for (unsigned bit = 0; bit < 8 * element && bit < 32; ++bit) {
      values.insert(now ^ std::uint64_t{1} << bit);
    }
    return {values.begin(), values.end()};
  }

  void spans(const Parts& parts) {
    for (const auto& span : parts.spans) {
      if (span.size == 0 || span.offset + span.size > bytes_.size() || !again(span.pattern)) {
        continue;
      }
      drop(span.offset, span.size);
      twice(span.offset, span.size);
      drop(span.offset + span.size - 1, 1);
      twice(span.offset + span.size - 1, 1);
      twice(span.offset, std::min<std::uint64_t>(span.size, 4));
    }
  }

  void single_bytes() {
    if (bytes_.size() > kSmall) {
      return;
    }
    for (std::uint64_t at = 0; at < bytes_.size(); ++at) {
      for (const unsigned value : {0U, 1U, 2U, 5U, 0x7FU, 0x80U, 0xFFU}) {
        set(at, {static_cast<std::uint8_t>(value)});
      }
      set(at, {static_cast<std::uint8_t>(bytes_[at] ^ 0x20U)});
    }
  }

  /// Changes that sizes and counts follow, one and two at a time.
  void structures() {
    constexpr std::uint32_t kTimes = 2000;
    constexpr std::size_t kMost = 1U << 16U;
    for (std::uint32_t seed = 1; seed <= kTimes; ++seed) {
      auto mutant = fuzz::mutate(bytes_, kMost, seed);
      if (mutant && seed % 2 == 0) {
        mutant = fuzz::mutate(*mutant, kMost, seed);
      }
      if (auto edits = mutant ? edits_between(bytes_, *mutant) : std::nullopt) {
        list_.push_back(std::move(*edits));
      }
    }
  }

  /// Words, numbers and signs of a text.
  void tokens() {
    std::string before;
    for (std::size_t at = 0; at < bytes_.size();) {
      const std::size_t end = end_of_token(at);
      const std::string word = text(at, end - at);
      if (std::isspace(bytes_[at]) == 0 && again(before.append(" ").append(word))) {
        token(at, end - at);
      }
      if (std::isspace(bytes_[at]) == 0) {
        before = word;
      }
      at = end;
    }
    lines();
  }

  [[nodiscard]] std::size_t end_of_token(std::size_t at) const {
    const auto kind = [&](std::size_t i) {
      const int c = bytes_[i];
      return std::isspace(c) != 0 ? 1 : std::isalnum(c) != 0 || c == '.' || c == '-' || c == '_' ? 2 : 3;
    };
    std::size_t end = at + 1;
    while (end < bytes_.size() && kind(end) == kind(at) && kind(at) != 3) {
      ++end;
    }
    return end;
  }

  /// In place of the token, whatever their lengths.
  void token(std::uint64_t at, std::uint64_t length) {
    drop(at, length);
    twice(at, length);
    constexpr std::array<std::string_view, 16> kOthers = {"x",   "-1",   "99999999999", "1e99", "nan", "{",
                                                          "}",   ",",    "\"",          "0",    "4",   "//",
                                                          "0.5", "\xE4", "300",         ":"};
    for (const auto other : kOthers) {
      std::vector<Edit> edits;
      // Room is made by doubling what is there.
      std::uint64_t room = length;
      while (room < other.size()) {
        edits.push_back(Edit{Edit::Kind::twice, at, room, {}});
        room *= 2;
      }
      if (room > other.size()) {
        edits.push_back(Edit{Edit::Kind::drop, at, room - other.size(), {}});
      }
      edits.push_back(Edit{Edit::Kind::set, at, 0, to_bytes(other)});
      add(std::move(edits));
    }
  }

  void lines() {
    std::uint64_t start = 0;
    for (std::uint64_t at = 0; at < bytes_.size(); ++at) {
      if (bytes_[at] != '\n') {
        continue;
      }
      if (again(text(start, at - start))) {
        drop(start, at + 1 - start);
        twice(start, at + 1 - start);
      }
      start = at + 1;
    }
  }

  const Bytes& bytes_;
  Seen& seen_;
  Seen here_;
  std::vector<Mutation> list_;
};

// --- failing places

/// Without indices, and with a mark for each name that is none of the format's.
std::string without_values(std::string_view path, const Names& names) {
  std::string result;
  const auto close = [&](std::string& name) {
    result += names.empty() || names.find(name) != names.end() ? name : "?";
    name.clear();
  };
  std::string name;
  bool index = false;
  for (const char c : path) {
    if (c == '.' || c == '[') {
      close(name);
      result += '.';
    } else if (!index && c != ']') {
      name += c;
    }
    index = c == '[' || (index && c != ']');
  }
  close(name);
  return result;
}

/// A message without what comes from the file: only words in small letters are left.
std::string words_of(std::string_view message) {
  std::string result;
  std::string word;
  bool small = true;
  const auto close = [&] {
    result += small ? word : "";
    result += ' ';
    word.clear();
    small = true;
  };
  for (const char c : message) {
    if (c == ' ') {
      close();
    } else if (c != ',' && c != '.' && c != ';' && c != ':') {
      small = small && c >= 'a' && c <= 'z';
      word += c;
    }
  }
  close();
  return result;
}

std::string place_of(Operation operation, const Reached& reached, const Names& names) {
  std::string place(operation_name(operation));
  place += reached.fatal ? '!' : ' ';
  place += reached.code;
  if (operation == Operation::read || operation == Operation::unpack) {
    place += ' ';
    place += without_values(reached.path, names);
  }
  // How a reader that is strict ends is told by the table of how one that is not goes on.
  if (operation != Operation::strict) {
    place += ' ';
    place += words_of(reached.message);
  }
  return place;
}

/// What no single change does.
struct Hint {
  std::string_view sample;
  std::string_view mutation;
};
constexpr std::array kHints = {
    Hint{"seed/adr/seed-actor", "twice@69+34,set@97=39"},  // two levels, the farther one first
    Hint{"seed/adt/seed-tile", "set@1537=5643434D"},       // colours in place of a shadow
    Hint{"seed/mdl/seed-1800-light", "set@25=30"},         // version 800
    Hint{"seed/wdt/seed-tiles", "set@528=00000000"},       // neither area nor zone
};

struct CoveringPoint {
  FailPoint point;
  std::vector<std::pair<std::string, std::string>> places;  ///< and what is seen there
};

/// All of one format.
class Search {
 public:
  explicit Search(std::string format) : format_(std::move(format)) {}

  void add(const std::string& name) {
    samples_.push_back({load_sample(name, format_), {}});
    auto& [sample, parts] = samples_.back();
    ReadOptions options;
    Diagnostics ignored;
    if (binary() && !sample.identity.format.is_archive()) {
      if (const auto document = read_any(sample.bytes, options, ignored)) {
        PartRecorder recorder(parts, names_);
        inspect_any(*document, recorder);
      }
    }
  }

  void work() {
    for (const auto& [sample, parts] : samples_) {
      for (const auto& mutation : Candidates(sample, seen_).all(parts, !binary())) {
        try_one(sample, mutation);
      }
      for (const auto& hint : kHints) {
        if (hint.sample == sample.name) {
          try_one(sample, parse_mutation(hint.mutation).value_or(Mutation()));
        }
      }
    }
  }

  /// Fewest lines: those whose places are all reached by others go, the last first.
  std::vector<FailPoint> result() {
    std::map<std::string, std::size_t> uses;
    for (const auto& covering : covering_) {
      for (const auto& [place, seen] : covering.places) {
        ++uses[place];
      }
    }
    for (auto covering = covering_.rbegin(); covering != covering_.rend(); ++covering) {
      const bool spare = std::all_of(covering->places.begin(), covering->places.end(),
                                     [&](const auto& place) { return uses[place.first] > 1; });
      if (spare) {
        for (const auto& [place, seen] : covering->places) {
          --uses[place];
        }
        covering->places.clear();
      }
    }
    std::set<std::string> done;
    std::vector<FailPoint> points;
    for (auto& covering : covering_) {
      for (const auto& [place, seen] : covering.places) {
        if (done.insert(place).second) {
          covering.point.reached.push_back(seen);
        }
      }
      if (!covering.point.reached.empty()) {
        points.push_back(std::move(covering.point));
      }
    }
    return points;
  }

  std::size_t tried() const { return tried_; }

 private:
  [[nodiscard]] bool binary() const { return format_ != "mdl" && format_ != "adr" && format_ != "gltf"; }

  /// What a file that was cut becomes is mostly what it was, and what a text becomes is what an MDX does.
  [[nodiscard]] unsigned operations_after(const Mutation& mutation, std::size_t size) const {
    if (format_ == "mdl") {
      return operation_bit(Operation::strict);
    }
    const bool cut = !mutation.edits.empty() && mutation.edits.front().kind == Edit::Kind::cut;
    const unsigned shown = operation_bit(Operation::scene) | operation_bit(Operation::convert);
    const unsigned slow =
        size > Candidates::kLarge && !mutation.edits.empty() ? operation_bit(Operation::convert) : 0;
    return kAllOperations & ~slow & ~(cut ? shown : 0U);
  }

  void try_one(const Sample& sample, const Mutation& mutation) {
    ReadOptions options;
    const Bytes mutant = apply(mutation, sample.bytes, options);
    ++tried_;
    const Outcome outcome = run(sample, mutant, options, operations_after(mutation, sample.bytes.size()));
    if (!outcome.rewritten) {
      std::fprintf(stderr, "%s %s writes other bytes\n", sample.name.c_str(), text_of(mutation).c_str());
    }
    for (std::size_t i = 0; i < kOperationCount; ++i) {
      if (outcome.by_operation.at(i)) {
        keep(sample, mutation, static_cast<Operation>(i), *outcome.by_operation.at(i));
      }
    }
  }

  void keep(const Sample& sample, const Mutation& mutation, Operation operation,
            const std::vector<Reached>& findings) {
    std::map<std::string, std::string> places;
    bool fresh = false;
    for (const auto& finding : findings) {
      const auto place = place_of(operation, finding, names_);
      fresh = places_.insert(place).second || fresh;
      places.emplace(place, text_of(finding));
    }
    if (fresh) {
      covering_.push_back({{format_, sample.name, operation, text_of(mutation), findings.size(), {}},
                           {places.begin(), places.end()}});
    }
  }

  std::string format_;
  std::vector<std::pair<Sample, Parts>> samples_;
  Names names_;
  Candidates::Seen seen_;
  std::set<std::string> places_;
  std::vector<CoveringPoint> covering_;
  std::size_t tried_ = 0;
};

std::vector<FailPoint> search(const std::string& format) {
  Search search(format);
  for (const auto& [name, of] : sample_names()) {
    if (of == format) {
      search.add(name);
    }
  }
  search.work();
  auto points = search.result();
  std::fprintf(stderr, "%-10s %8zu mutants, %5zu lines\n", format.c_str(), search.tried(), points.size());
  return points;
}

using Table = std::map<std::string, std::vector<FailPoint>>;

/// Formats are independent of each other.
void search_all(const std::vector<std::string>& formats, Table& table) {
  std::vector<std::vector<FailPoint>> results(formats.size());
  std::atomic<std::size_t> next{0};
  std::vector<std::thread> workers;
  for (unsigned i = 0; i < std::max(1U, std::thread::hardware_concurrency()); ++i) {
    workers.emplace_back([&] {
      for (std::size_t n = next++; n < formats.size(); n = next++) {
        results[n] = search(formats[n]);
      }
    });
  }
  for (auto& worker : workers) {
    worker.join();
  }
  for (std::size_t i = 0; i < formats.size(); ++i) {
    table[formats[i]] = std::move(results[i]);
  }
}

int main_of(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: thaw_fail_points TABLE [FORMAT...]\n");
    return 2;
  }
  std::ifstream old(argv[1]);
  const std::string text{std::istreambuf_iterator<char>(old), {}};
  Table table;
  for (auto& point : parse_table(text)) {
    table[point.format].push_back(std::move(point));
  }
  std::vector<std::string> formats(argv + 2, argv + argc);
  if (formats.empty()) {
    table.clear();
    std::set<std::string> all;
    for (const auto& [name, format] : sample_names()) {
      all.insert(format);
    }
    formats.assign(all.begin(), all.end());
  }
  search_all(formats, table);
  std::ofstream out(argv[1], std::ios::binary);
  out << "# Written by scripts/fail-points; replayed by fail_points_test.cpp.\n"
         "# format\tsample\toperation\tmutation\tfindings\twhat it is here for (! for an error)\n";
  for (const auto& [format, points] : table) {
    for (const auto& point : points) {
      out << text_of(point) << '\n';
    }
  }
  return out ? 0 : 1;
}

}  // namespace
}  // namespace thaw::test

int main(int argc, char** argv) { return thaw::test::main_of(argc, argv); }
