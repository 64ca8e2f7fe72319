#include "patch/relocate.hpp"

#include <thaw/codes.hpp>

#include "describe/links.hpp"
#include "describe/parts.hpp"
#include "patch/json_scan.hpp"

#include <libdeflate.h>
#include <algorithm>
#include <map>
#include <numeric>

namespace thaw {
namespace {

/// A number that follows, by its place in the file.
struct PlacedLink {
  std::uint64_t at;
  Link link;
};

/// Numbers that follow from bytes or from other numbers: where they are in the file.
struct PlacedCheck {
  std::uint64_t at;
  std::uint64_t size;
  std::uint64_t end;  ///< of what a checksum is of
};
struct PlacedRepeat {
  std::uint64_t at;
  std::uint64_t other;
  std::uint64_t size;
};

/// The round place that something was given, if it is one.
std::uint64_t roundness(std::uint64_t at) {
  constexpr std::uint64_t kMost = 16;
  return at == 0 ? kMost : std::min(kMost, at & (~at + 1));
}

/// Finds where in the file the numbers are that follow from others.
class LinkFinder : public LinkInspector {
 public:
  void begin(std::string_view /*name*/, bool /*is_list*/, std::uint64_t /*offset*/) override {}
  void end(std::uint64_t /*offset*/) override {}
  void leaf(const Leaf& leaf) override {
    reached_ = std::max(reached_, leaf.offset + leaf.size);
    const bool holds_numbers = leaf.role == LeafRole::value && leaf.kind < ScalarKind::f16 && leaf.size > 0;
    if (leaf.role == LeafRole::value && leaf.size > 0) {
      widths_[leaf.offset] = scalar_size(leaf.kind);
    }
    if (holds_numbers) {
      fields_.push_back({static_cast<const char*>(leaf.data), leaf.size, leaf.offset});
    }
  }
  void link(const Link& link) override { links_.push_back(link); }
  void checksum(const void* field, std::size_t size) override { checks_.push_back({field, size, reached_}); }
  void repeat(const void* field, const void* other, std::size_t size) override {
    repeats_.push_back({field, other, size});
  }

  /// Where parts begin that offsets lead to, and what they are multiples of: as round as all parts are that
  /// begin with numbers as wide.
  [[nodiscard]] std::map<std::uint64_t, std::uint64_t> alignments() const {
    std::map<std::uint64_t, std::uint64_t> places;
    std::map<std::size_t, std::uint64_t> least;
    for (const Link& link : links_) {
      if (const auto width = widths_.find(link.to); !link.to_end && link.to > 0 && width != widths_.end()) {
        auto& alignment = least.try_emplace(width->second, roundness(link.to)).first->second;
        alignment = std::min(alignment, roundness(link.to));
        places[link.to] = width->second;
      }
    }
    for (auto& [at, width] : places) {
      width = least[static_cast<std::size_t>(width)];
    }
    return places;
  }

  struct PlacedLinks {
    std::vector<PlacedLink> links;
    std::vector<PlacedCheck> checks;
    std::vector<PlacedRepeat> repeats;
  };

  PlacedLinks found() {
    std::sort(fields_.begin(), fields_.end(),
              [](const FieldExtent& a, const FieldExtent& b) { return std::less<>()(a.data, b.data); });
    PlacedLinks placed;
    for (const Link& link : links_) {
      if (const auto at = place_of(link.field)) {
        placed.links.push_back({*at, link});
      }
    }
    for (const auto& check : checks_) {
      if (const auto at = place_of(check.field)) {
        placed.checks.push_back({*at, check.size, check.end});
      }
    }
    for (const auto& repeat : repeats_) {
      const auto at = place_of(repeat.field);
      const auto other = place_of(repeat.other);
      if (at && other) {
        placed.repeats.push_back({*at, *other, repeat.size});
      }
    }
    return placed;
  }

 private:
  struct FieldExtent {
    const char* data;
    std::uint64_t size;
    std::uint64_t offset;
  };
  struct Check {
    const void* field;
    std::size_t size;
    std::uint64_t end;
  };
  struct Repeat {
    const void* field;
    const void* other;
    std::size_t size;
  };

  [[nodiscard]] std::optional<std::uint64_t> place_of(const void* number) const {
    const auto* field = static_cast<const char*>(number);
    auto next = std::upper_bound(
        fields_.begin(), fields_.end(), field,
        [](const char* at, const FieldExtent& extent) { return std::less<>()(at, extent.data); });
    if (next == fields_.begin()) {
      return std::nullopt;
    }
    const FieldExtent& extent = *--next;
    const auto inside = static_cast<std::uint64_t>(field - extent.data);
    return inside < extent.size ? std::optional(extent.offset + inside) : std::nullopt;
  }

  std::vector<FieldExtent> fields_;
  std::map<std::uint64_t, std::size_t> widths_;
  std::vector<Link> links_;
  std::vector<Check> checks_;
  std::vector<Repeat> repeats_;
  std::uint64_t reached_ = 0;
};

bool same_bytes(const Bytes& a, std::uint64_t at, const Bytes& b, std::uint64_t other, std::uint64_t size) {
  return at + size <= a.size() && other + size <= b.size() &&
         std::equal(a.begin() + static_cast<std::ptrdiff_t>(at),
                    a.begin() + static_cast<std::ptrdiff_t>(at + size),
                    b.begin() + static_cast<std::ptrdiff_t>(other));
}

/// The checksum of what follows a place, as it is stored there.
Bytes checksum(const Bytes& bytes, std::uint64_t at, std::uint64_t size, std::uint64_t end) {
  const std::uint64_t from = at + size;
  const std::uint32_t crc =
      end <= bytes.size() && from <= end ? libdeflate_crc32(0, bytes.data() + from, end - from) : 0;
  Bytes stored;
  for (std::uint64_t i = size; i > 0; --i) {
    stored.push_back(static_cast<std::uint8_t>(crc >> (8 * (i - 1))));
  }
  return stored;
}

/// Checksums that were right, and numbers that were the same, are so again; those that somebody changed stay.
template <class Begin, class End>
Result<void> follow_checks(Bytes& bytes, const LaidFile& old_file, const LinkFinder::PlacedLinks& found,
                           Begin&& begin_of, End&& end_of) {
  if (found.checks.empty() && found.repeats.empty()) {
    return {};
  }
  return assemble(old_file).map([&](const Built& old) {
    for (const auto& [at, size, end] : found.checks) {
      const std::uint64_t now = begin_of(at);
      const bool was_right = same_bytes(old.bytes, at, checksum(old.bytes, at, size, end), 0, size);
      if (was_right && same_bytes(bytes, now, old.bytes, at, size)) {
        const Bytes sum = checksum(bytes, now, size, end_of(end));
        std::copy(sum.begin(), sum.end(), bytes.begin() + static_cast<std::ptrdiff_t>(now));
      }
    }
    for (const auto& [at, other, size] : found.repeats) {
      const std::uint64_t now = begin_of(at);
      const std::uint64_t source = begin_of(other);
      if (same_bytes(bytes, now, old.bytes, at, size) && source + size <= bytes.size()) {
        std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(source), size,
                    bytes.begin() + static_cast<std::ptrdiff_t>(now));
      }
    }
  });
}

/// Where each element of a list of numbers stands in a dump.
std::vector<std::size_t> elements(std::string_view text, std::size_t list) {
  std::vector<std::size_t> places;
  const char* end = text.data() + text.size();
  const char* at = skip_blanks(text.data() + list + 1, end);
  while (at != end && *at != ']') {
    places.push_back(static_cast<std::size_t>(at - text.data()));
    const char* wrong = at;
    at = skip_json(at, end, wrong);
    if (at == nullptr) {
      break;
    }
    at = skip_blanks(at, end);
    at = at != end && *at == ',' ? skip_blanks(at + 1, end) : at;
  }
  return places;
}

/// Where the number stands whose bytes begin so far inside a leaf; vectors are lists in lists.
std::optional<std::size_t> number_at(std::string_view text, std::size_t value, std::uint64_t size,
                                     std::uint64_t inside) {
  while (text[value] == '[') {
    const auto places = elements(text, value);
    if (places.empty() || size % places.size() != 0 || size == 0) {
      return std::nullopt;
    }
    size /= places.size();
    value = places[static_cast<std::size_t>(inside / size)];
    inside %= size;
  }
  return inside == 0 ? std::optional(value) : std::nullopt;
}

class Mover {
 public:
  Mover(std::string_view before, std::string_view after, const LaidFile& old_file, LaidFile& file,
        const std::vector<CopiedText>& copied, std::map<std::uint64_t, std::uint64_t> alignments)
      : before_(before),
        after_(after),
        old_(old_file),
        file_(file),
        copied_(copied),
        alignments_(std::move(alignments)) {}

  Result<Built> run(const LinkFinder::PlacedLinks& found) {
    match_leaves();
    cut();
    if (!place()) {
      return fail(codes::kBuildDiffers, "parts of this file share bytes, so no edit can change their length");
    }
    Built built{file_.format, put_together(), std::move(file_.leaves), true, file_.lost};
    for (BuiltLeaf& leaf : built.leaves) {
      leaf.at = new_place(leaf.out);
    }
    follow_moves(built.leaves);
    set_spans(built);
    if (auto done = set_links(built, found.links); !done) {
      return tl::unexpected<Error>(std::move(done.error()));
    }
    if (auto done = follow_checks(
            built.bytes, old_, found, [&](std::uint64_t at) { return begin_of(at, 0); },
            [&](std::uint64_t end) { return end == old_size() ? size_ : end_of(end, 0); });
        !done) {
      return tl::unexpected<Error>(std::move(done.error()));
    }
    return built;
  }

 private:
  /// Bytes of the laid file that stay together.
  struct Piece {
    std::size_t from;
    std::size_t to;
    std::optional<std::uint64_t> old_at = {};
    std::uint64_t alignment = 1;
    std::optional<LaidFile::Padding> padding = {};  ///< at its end
    std::uint64_t at = 0;
    std::uint64_t pad = 0;  ///< bytes of padding that it gets
  };
  struct Move {
    std::uint64_t old_at;
    std::uint64_t old_size;
    std::uint64_t at;
    std::uint64_t size;
    std::uint64_t end;  ///< with what was added after it
    std::size_t old_text;
    std::size_t text;
    bool replaced;
  };
  using Moves = std::vector<Move>;
  /// The leaf of the file before that a leaf was: as the first, or as a copy with this number.
  struct Match {
    std::size_t leaf = kNone;
    std::size_t copy = 0;
    bool replaced = false;
  };
  static constexpr std::size_t kNone = ~std::size_t{0};
  static constexpr std::size_t kReplaced = kNone - 1;

  /// What of the dump before stands at a place of the edited one.
  [[nodiscard]] const CopiedText* copied_at(std::size_t at) const {
    auto next = std::upper_bound(copied_.begin(), copied_.end(), at,
                                 [](std::size_t place, const CopiedText& part) { return place < part.at; });
    if (next == copied_.begin()) {
      return nullptr;
    }
    --next;
    return at - next->at < next->size ? &*next : nullptr;
  }
  [[nodiscard]] std::size_t text_before(std::size_t at) const {
    const CopiedText* part = copied_at(at);
    return part == nullptr ? kNone : part->replaced ? kReplaced : part->from + (at - part->at);
  }

  /// Finds each leaf's leaf in the file before.
  void match_leaves() {
    std::vector<std::size_t> order(old_.leaves.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return old_.leaves[a].text < old_.leaves[b].text; });
    std::vector<std::size_t> times(order.size());
    matches_.resize(file_.leaves.size());
    for (std::size_t i = 0; i < file_.leaves.size(); ++i) {
      const CopiedText* part = copied_at(file_.leaves[i].text);
      if (part == nullptr) {
        continue;
      }
      const std::size_t text = part->from + (file_.leaves[i].text - part->at);
      const auto found =
          std::lower_bound(order.begin(), order.end(), text,
                           [&](std::size_t leaf, std::size_t at) { return old_.leaves[leaf].text < at; });
      if (found != order.end() && old_.leaves[*found].text == text) {
        matches_[i] = {*found, times[*found]++, part->replaced};
      }
    }
    matched_.resize(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
      matched_[i] = times[i] > 0;
      if (old_.leaves[i].size > 0 && !old_.leaves[i].gap) {
        old_order_.push_back(i);
      }
    }
    std::sort(old_order_.begin(), old_order_.end(),
              [&](std::size_t a, std::size_t b) { return old_.leaves[a].at < old_.leaves[b].at; });
  }

  /// Pieces begin where a segment does, after padding, and where something round begins.
  void cut() {
    std::map<std::size_t, std::optional<LaidFile::Padding>> ends;
    for (const auto& segment : file_.segments) {
      ends[segment.from + segment.size];
    }
    for (const std::size_t out : round_leaves()) {
      ends[out];
    }
    for (const auto& padding : file_.paddings) {
      ends[padding.to] = padding;
    }
    std::size_t from = 0;
    for (const auto& [end, padding] : ends) {
      if (end > from) {
        pieces_.push_back({from, end});
        pieces_.back().padding = padding;
      }
      from = end;
    }
    place_pieces_of_old();
  }

  /// Where leaves lie to which offsets lead that are multiples of something.
  [[nodiscard]] std::vector<std::size_t> round_leaves() const {
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < file_.leaves.size(); ++i) {
      const bool first = matches_[i].leaf != kNone && matches_[i].copy == 0 && file_.leaves[i].size > 0;
      const auto round = first ? alignments_.find(old_.leaves[matches_[i].leaf].at) : alignments_.end();
      if (round != alignments_.end() && round->second > 1) {
        places.push_back(file_.leaves[i].out);
      }
    }
    return places;
  }

  void place_pieces_of_old() {
    std::size_t leaf = 0;
    for (Piece& piece : pieces_) {
      for (; leaf < file_.leaves.size() && file_.leaves[leaf].out < piece.to; ++leaf) {
        const std::size_t match = matches_[leaf].copy == 0 ? matches_[leaf].leaf : kNone;
        const bool padded = piece.padding && file_.leaves[leaf].out >= piece.padding->from &&
                            piece.padding->from > piece.from;
        if (!piece.old_at && match != kNone && old_.leaves[match].size > 0 && !padded) {
          piece.old_at = old_.leaves[match].at - (file_.leaves[leaf].out - piece.from);
        }
      }
      if (piece.old_at) {
        const auto round = alignments_.find(*piece.old_at);
        piece.alignment = round != alignments_.end() ? round->second : roundness(*piece.old_at);
      }
    }
  }

  /// In the order of the old places; what is new goes with the piece in front of it.
  [[nodiscard]] std::vector<std::size_t> in_order() const {
    std::vector<std::pair<std::uint64_t, std::size_t>> keys;
    std::uint64_t last = 0;
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
      last = pieces_[i].old_at.value_or(last);
      keys.emplace_back(last, i);
    }
    std::sort(keys.begin(), keys.end());
    std::vector<std::size_t> order;
    for (const auto& key : keys) {
      order.push_back(key.second);
    }
    return order;
  }

  [[nodiscard]] bool shares_bytes() const {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> extents;
    for (const auto& segment : old_.segments) {
      if (segment.size > 0) {
        extents.emplace_back(segment.at, segment.at + segment.size);
      }
    }
    std::sort(extents.begin(), extents.end());
    for (std::size_t i = 1; i < extents.size(); ++i) {
      if (extents[i].first < extents[i - 1].second) {
        return true;
      }
    }
    return false;
  }

  bool place() {
    if (shares_bytes()) {
      return false;
    }
    std::uint64_t at = 0;
    Piece* last = nullptr;
    const auto settle = [&](std::uint64_t to_round) {
      if (last == nullptr) {
        return;
      }
      const std::uint64_t old_padding = last->padding ? last->padding->to - last->padding->from : 0;
      const std::uint64_t end = at - old_padding;
      last->pad = last->padding ? align_up(end, to_round) - end : 0;
      // A whole run more or less of what fills would do as well.
      last->pad = last->padding && (end + old_padding) % to_round == 0 ? old_padding : last->pad;
      at = align_up(end + last->pad, to_round);
    };
    for (const std::size_t i : in_order()) {
      Piece& piece = pieces_[i];
      settle(piece.alignment);
      piece.at = at;
      at += piece.to - piece.from;
      last = &piece;
    }
    settle(roundness(old_size()));
    size_ =
        last == nullptr || !last->padding ? (last == nullptr ? 0 : last->at + (last->to - last->from)) : at;
    return true;
  }

  [[nodiscard]] std::uint64_t old_size() const {
    std::uint64_t size = 0;
    for (const auto& segment : old_.segments) {
      size = std::max(size, segment.size > 0 ? segment.at + segment.size : 0);
    }
    return size;
  }

  Bytes put_together() const {
    Bytes bytes(static_cast<std::size_t>(size_), 0);
    for (const Piece& piece : pieces_) {
      const std::size_t content = (piece.padding ? piece.padding->from : piece.to) - piece.from;
      const auto to = bytes.begin() + static_cast<std::ptrdiff_t>(piece.at);
      std::copy_n(file_.bytes.begin() + static_cast<std::ptrdiff_t>(piece.from), content, to);
      if (piece.padding) {
        std::fill_n(to + static_cast<std::ptrdiff_t>(content), piece.pad, file_.bytes[piece.padding->from]);
      }
    }
    return bytes;
  }

  /// Of a byte of the laid file.
  [[nodiscard]] std::uint64_t new_place(std::size_t out) const {
    auto next = std::upper_bound(pieces_.begin(), pieces_.end(), out,
                                 [](std::size_t at, const Piece& piece) { return at < piece.from; });
    if (next == pieces_.begin()) {
      return 0;
    }
    --next;
    return next->at + (out - next->from);
  }

  void follow_moves(const std::vector<BuiltLeaf>& leaves) {
    moves_.resize(1);
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      const Match& match = matches_[i];
      if (match.leaf != kNone && !leaves[i].gap) {
        const BuiltLeaf& old = old_.leaves[match.leaf];
        moves_.resize(std::max(moves_.size(), match.copy + 1));
        moves_[match.copy].push_back({old.at, old.size, leaves[i].at, leaves[i].size, end_with_new(leaves, i),
                                      old.text, leaves[i].text, match.replaced});
      }
    }
    for (Moves& moves : moves_) {
      std::sort(moves.begin(), moves.end(), [](const Move& a, const Move& b) {
        return std::pair(a.old_at, a.old_text) < std::pair(b.old_at, b.old_text);
      });
    }
  }

  [[nodiscard]] bool is_new(std::size_t leaf) const {
    return matches_[leaf].leaf == kNone || matches_[leaf].copy > 0;
  }

  /// Where a leaf ends, or what was added directly after it.
  [[nodiscard]] std::uint64_t end_with_new(const std::vector<BuiltLeaf>& leaves, std::size_t leaf) const {
    std::size_t last = leaf;
    for (std::size_t i = leaf + 1; !is_new(leaf) && i < leaves.size() && is_new(i); ++i) {
      if (leaves[i].at != leaves[i - 1].at + leaves[i - 1].size || leaves[i].gap) {
        break;
      }
      last = i;
    }
    return leaves[last].at + leaves[last].size;
  }

  /// Whether what began at a place of the file before, or lay there, is no more.
  [[nodiscard]] bool is_removed(std::uint64_t place) const {
    const auto next = std::upper_bound(old_order_.begin(), old_order_.end(), place,
                                       [&](std::uint64_t at, std::size_t leaf) {
                                         return at < old_.leaves[leaf].at + old_.leaves[leaf].size;
                                       });
    return next != old_order_.end() && !matched_[*next];
  }

  /// The last leaf that begins at a place or in front of it; the end if there is none.
  [[nodiscard]] static Moves::const_iterator move_at(const Moves& moves, std::uint64_t place) {
    const auto next = std::upper_bound(moves.begin(), moves.end(), place,
                                       [](std::uint64_t at, const Move& move) { return at < move.old_at; });
    return next == moves.begin() ? moves.end() : next - 1;
  }

  /// Where what began at a place begins in one copy of it, if it is there.
  [[nodiscard]] std::optional<std::uint64_t> begin_in(std::size_t copy, std::uint64_t place) const {
    const Moves& moves = moves_[copy];
    const auto move = move_at(moves, place);
    if (move != moves.end() && (place - move->old_at < move->old_size || place == move->old_at)) {
      return move->at + std::min(place - move->old_at, move->size);
    }
    // Perhaps the head, which is not in the dump, of what comes next.
    const auto next = move == moves.end() ? moves.begin() : move + 1;
    const bool same = next != moves.end() &&
                      (copy == 0 || std::none_of(moves_[0].begin(), moves_[0].end(), [&](const Move& first) {
                         return first.old_at >= place && first.old_at < next->old_at;
                       }));
    return same ? std::optional(next->at - (next->old_at - place)) : std::nullopt;
  }
  [[nodiscard]] std::uint64_t begin_of(std::uint64_t place, std::size_t copy) const {
    if (place == 0) {
      return 0;
    }
    const auto found = copy > 0 ? begin_in(copy, place) : std::nullopt;
    return found ? *found : begin_in(0, place).value_or(end_in(0, place).value_or(place));
  }

  /// Where what ended at a place ends.
  [[nodiscard]] std::optional<std::uint64_t> end_in(std::size_t copy, std::uint64_t place) const {
    const Moves& moves = moves_[copy];
    const auto move = place == 0 ? moves.end() : move_at(moves, place - 1);
    if (move == moves.end() || (copy > 0 && move->old_at + move->old_size < place)) {
      return std::nullopt;
    }
    const std::uint64_t inside = place - move->old_at;
    return inside >= move->old_size ? move->end + (inside - move->old_size)
                                    : move->at + std::min(inside, move->size);
  }
  [[nodiscard]] std::uint64_t end_of(std::uint64_t place, std::size_t copy) const {
    const auto found = copy > 0 ? end_in(copy, place) : std::nullopt;
    return found ? *found : end_in(0, place).value_or(place);
  }

  /// Of an array its own end, of other parts with what was added to them.
  [[nodiscard]] std::uint64_t span_end(const Link& link, std::size_t copy) const {
    for (const std::size_t one : {copy, std::size_t{0}}) {
      const auto move = move_at(moves_[one], link.from);
      const bool whole =
          move != moves_[one].end() && move->old_at == link.from && move->old_at + move->old_size == link.to;
      if (whole && before_[move->old_text] == '[') {
        return move->at + move->size;
      }
    }
    return end_of(link.to, copy);
  }

  static void put_number(Bytes& bytes, std::uint64_t at, std::uint64_t value, std::uint64_t width) {
    for (std::uint64_t i = 0; i < width && at + i < bytes.size(); ++i) {
      bytes[static_cast<std::size_t>(at + i)] = static_cast<std::uint8_t>(value >> (8 * i));
    }
  }

  void set_spans(Built& built) const {
    for (const auto& span : file_.spans) {
      const std::uint64_t at = new_place(span.out);
      const std::uint64_t from = span.whole ? at : at + span.width;
      std::uint64_t end = from;
      for (std::size_t i = span.first_leaf; i < span.end_leaf; ++i) {
        end = std::max(end, built.leaves[i].gap ? 0 : built.leaves[i].at + built.leaves[i].size);
      }
      for (const Piece& piece : pieces_) {
        const bool inner = piece.padding && piece.from >= built.leaves[span.first_leaf].out &&
                           span.end_leaf > span.first_leaf &&
                           piece.from <= built.leaves[span.end_leaf - 1].out;
        end = inner ? std::max(end, piece.at + (piece.padding->from - piece.from) + piece.pad) : end;
      }
      put_number(built.bytes, at, end - from, span.width);
    }
  }

  /// Where a number that was at `place` is in one of the copies; nothing if somebody changed it.
  std::optional<std::uint64_t> number_place(std::uint64_t place, std::size_t copy) {
    const Moves& moves = moves_[copy];
    const auto move = move_at(moves, place);
    if (move == moves.end() || place - move->old_at >= move->old_size) {
      return std::nullopt;
    }
    const std::uint64_t inside = place - move->old_at;
    if (before_[move->old_text] != '[') {
      return move->replaced ? std::nullopt : std::optional(move->at + inside);
    }
    return element_place(*move, inside, 0);
  }

  /// The same in an array, of whose elements each may be a copy.
  std::optional<std::uint64_t> element_place(const Move& move, std::uint64_t inside, std::size_t copy) {
    auto& now = now_[move.text];
    if (now.empty() && !move.replaced) {
      for (const std::size_t element : elements(after_, move.text)) {
        now.push_back(text_before(element));
      }
    }
    auto& then = then_[move.old_text];
    if (then.empty()) {
      then = elements(before_, move.old_text);
    }
    if (then.empty() || now.empty() || move.old_size % then.size() != 0) {
      return std::nullopt;
    }
    const std::uint64_t width = move.old_size / then.size();
    const auto index = static_cast<std::size_t>(inside / width);
    const std::size_t target = then[index];
    const bool same_place = copy == 0 && index < now.size() && now[index] == target;
    auto found = same_place ? now.begin() + static_cast<std::ptrdiff_t>(index)
                            : std::find(now.begin(), now.end(), target);
    for (; copy > 0 && found != now.end(); --copy) {
      found = std::find(found + 1, now.end(), target);
    }
    return found == now.end()
               ? std::nullopt
               : std::optional(move.at + static_cast<std::uint64_t>(found - now.begin()) * width +
                               inside % width);
  }

  /// The places of a number: of the first and, one after the other, of its copies.
  std::vector<std::optional<std::uint64_t>> number_places(std::uint64_t place) {
    std::vector<std::optional<std::uint64_t>> places;
    for (std::size_t copy = 0; copy < moves_.size(); ++copy) {
      places.push_back(number_place(place, copy));
    }
    const auto move = move_at(moves_[0], place);
    const bool in_array = move != moves_[0].end() && place - move->old_at < move->old_size &&
                          before_[move->old_text] == '[' && move->size > move->old_size;
    for (std::size_t copy = 1; in_array && copy < moves_.size(); ++copy) {
      if (!places[copy]) {
        places[copy] = element_place(*move, place - move->old_at, copy);
      }
    }
    return places;
  }

  Result<void> set_links(Built& built, const std::vector<PlacedLink>& links) {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> nowhere;  // numbers that led to what is gone
    for (const auto& [old_at, link] : links) {
      const bool removed = is_removed(link.to_end ? link.from : link.to);
      const auto places = number_places(old_at);
      for (std::size_t copy = 0; copy < places.size(); ++copy) {
        if (places[copy] && removed) {
          nowhere.emplace_back(*places[copy], link.size);
        } else if (const auto done =
                       places[copy] ? set_link(built, *places[copy], link, copy) : Result<void>();
                   !done) {
          return done;
        }
      }
    }
    for (const auto& [at, width] : nowhere) {
      if (!values_.contains(at)) {
        put_number(built.bytes, at, 0, width);
      }
    }
    return {};
  }

  Result<void> set_link(Built& built, std::uint64_t at, const Link& link, std::size_t copy) {
    const std::uint64_t from = begin_of(link.from, copy);
    const std::uint64_t to = link.to_end ? span_end(link, copy) : begin_of(link.to, copy);
    if (to < from || (to - from) % link.unit != 0) {
      return {};
    }
    const std::uint64_t value = (to - from) / link.unit;
    const auto [known, is_new] = values_.emplace(at, value);
    if (!is_new && known->second != value) {
      return fail(codes::kBuildDiffers,
                  "two parts need different values of one field: " + std::to_string(known->second) + " and " +
                      std::to_string(value),
                  at);
    }
    if (link.size < sizeof value && value >> (8 * link.size) != 0) {
      return fail(codes::kBuildValue,
                  "the edit requires a size, count or offset of " + std::to_string(value) +
                      ", which is too large for its field",
                  at);
    }
    put_number(built.bytes, at, value, link.size);
    return {};
  }

  std::string_view before_;
  std::string_view after_;
  const LaidFile& old_;
  LaidFile& file_;
  const std::vector<CopiedText>& copied_;
  std::map<std::uint64_t, std::uint64_t> alignments_;  ///< of places of the file before
  std::vector<Match> matches_;
  std::vector<bool> matched_;           ///< leaves of the file before
  std::vector<std::size_t> old_order_;  ///< of these, by place
  std::vector<Piece> pieces_;
  std::uint64_t size_ = 0;
  std::vector<Moves> moves_;  ///< of the first, of copies
  std::map<std::uint64_t, std::uint64_t> values_;
  std::map<std::size_t, std::vector<std::size_t>> now_;
  std::map<std::size_t, std::vector<std::size_t>> then_;
};

bool same_places(const LaidFile& a, const LaidFile& b) {
  return a.bytes.size() == b.bytes.size() &&
         std::equal(a.leaves.begin(), a.leaves.end(), b.leaves.begin(), b.leaves.end(),
                    [](const BuiltLeaf& x, const BuiltLeaf& y) { return x.at == y.at && x.size == y.size; });
}

}  // namespace

Result<Built> build_edited(std::string_view before, std::string_view after,
                           const std::vector<CopiedText>& copied, const Inspection& shown) {
  auto file = lay_bytes(after);
  const auto old_file = file ? lay_bytes(before) : file;
  if (!file || !old_file) {
    return std::move(file).and_then(assemble);
  }
  LinkFinder finder;
  shown(finder);
  const LinkFinder::PlacedLinks found = finder.found();
  if (!same_places(*file, *old_file)) {
    return Mover(before, after, *old_file, *file, copied, finder.alignments()).run(found);
  }
  return assemble(std::move(*file)).and_then([&](Built&& built) -> Result<Built> {
    const auto same = [](std::uint64_t at) { return at; };
    return follow_checks(built.bytes, *old_file, found, same, same).map([&] { return std::move(built); });
  });
}

std::vector<std::size_t> following_numbers(std::string_view dump, const Inspection& shown) {
  const auto file = lay_bytes(dump);
  if (!file) {
    return {};
  }
  LinkFinder finder;
  shown(finder);
  const LinkFinder::PlacedLinks found = finder.found();
  std::vector<std::uint64_t> places;
  for (const auto& one : found.links) {
    places.push_back(one.at);
  }
  for (const auto& one : found.checks) {
    places.push_back(one.at);
  }
  for (const auto& one : found.repeats) {
    places.push_back(one.at);
  }
  std::vector<std::size_t> order(file->leaves.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto begin_of = [&](std::size_t leaf) { return file->leaves[leaf].at; };
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return begin_of(a) < begin_of(b); });
  std::vector<std::size_t> numbers;
  for (const std::uint64_t place : places) {
    const auto next =
        std::upper_bound(order.begin(), order.end(), place,
                         [&](std::uint64_t at, std::size_t leaf) { return at < begin_of(leaf); });
    if (next == order.begin()) {
      continue;
    }
    const BuiltLeaf& leaf = file->leaves[*(next - 1)];
    const std::uint64_t inside = place - leaf.at;
    if (const auto number =
            inside < leaf.size ? number_at(dump, leaf.text, leaf.size, inside) : std::nullopt) {
      numbers.push_back(*number);
    }
  }
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

}  // namespace thaw
