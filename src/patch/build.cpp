#include "patch/build.hpp"

#include <thaw/codes.hpp>
#include <thaw/value.hpp>

#include "bytes/half.hpp"
#include "bytes/number_text.hpp"
#include "bytes/text.hpp"
#include "bytes/text_encoding.hpp"
#include "describe/naming.hpp"
#include "describe/scalars.hpp"
#include "patch/json_scan.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <deque>
#include <limits>

namespace thaw {
namespace {

using Form = LeafType::Form;
using Kind = LayoutType::Kind;

/// Bytes of a file for each of its dump, beyond which a dump is not believed.
constexpr std::uint64_t kMostGrowth = 1024;

/// The members of an object of JSON that are not read in order.
struct NamedValue {
  std::string_view name;  ///< with quotes
  const char* value;
};

std::uint64_t bits_of(double value) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

/// An exact power of ten in a double.
double power_of_ten(unsigned exponent) {
  constexpr std::array<double, 23> kPowers = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                              1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                              1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  return kPowers.at(exponent);
}

/// A list of what no offset leads to, by its name in quotes.
bool is_gap_list(std::string_view quoted) {
  return quoted == "\"gaps\"" || quoted == "\"fill\"" || quoted == "\"padding\"";
}

std::string gap_text(std::uint64_t from, std::uint64_t to) {
  return "no field describes the bytes from " + offset_text(from) + " to " + offset_text(to);
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

class FileBuilder {
 public:
  /// With a sink, the window need not hold all of the text.
  FileBuilder(JsonWindow& window, const Layout& layout, CodePage page, Sink* sink = nullptr)
      : window_(window), layout_(layout), page_(page), sink_(sink), whole_(sink == nullptr) {
    begin_segment(0);
    go_to(0);
  }

  Result<LaidFile> run(const char* from) {
    p_ = from;
    if (auto done = document(); !done) {
      return tl::unexpected<Error>(std::move(done.error()));
    }
    close_segment();
    return LaidFile{layout_.format,       std::move(out_),   std::move(segments_), std::move(leaves_),
                    std::move(paddings_), std::move(spans_), layout_.lost};
  }

  /// Into the sink.
  Result<PackedLeaves> run() {
    if (auto done = document(); !done) {
      return tl::unexpected<Error>(std::move(done.error()));
    }
    if (!flush() || !is_whole_file()) {
      return tl::unexpected<Error>(std::move(error_));
    }
    return std::move(packed_);
  }

 private:
  using Segment = LaidFile::Segment;
  struct Extent {
    std::uint64_t begin;
    std::uint64_t end;
    std::uint64_t count;
    std::uint64_t out;  ///< of a number, where it lies among all bytes that were put
  };
  struct Frame {
    std::string_view name = {};  ///< with quotes; empty in a list
    std::size_t index = 0;
    std::uint64_t end = 0;
    bool has_bytes = false;
    std::string_view tag = {};  ///< of an item, once it was read
  };
  struct Mark {
    const char* p;
    std::size_t out;
    std::size_t segments;
    std::uint64_t cursor;
    std::size_t leaves;
    std::size_t paddings;
    std::size_t spans;
    std::size_t markup;
  };

  Result<void> document() {
    frames_.push_back({});
    const bool done = object(layout_.document, &layout_.exceptions, false);
    if (window_.failure()) {
      return tl::unexpected<Error>(*window_.failure());
    }
    return done ? Result<void>() : tl::unexpected<Error>(std::move(error_));
  }

  // --- the window

  void go_to(std::size_t place) {
    p_ = window_.text().data() + place;
    end_ = window_.text().data() + window_.text().size();
  }
  [[nodiscard]] std::size_t place_of(const char* at) const {
    return static_cast<std::size_t>(at - window_.text().data());
  }
  void move_on() {
    window_.advance(place_of(p_));
    go_to(0);
  }

  /// To the next bracket, comma or name, which is then in the window as a whole.
  void next_token() {
    constexpr std::size_t kAhead = 65536;
    blanks();
    while (!whole_ && static_cast<std::size_t>(end_ - p_) < std::min(kAhead, window_.piece()) &&
           !window_.ended()) {
      move_on();
      blanks();
    }
  }

  /// Brings the value that begins here into the window.
  bool need_value() {
    constexpr std::size_t kMost = std::size_t{128} << 20U;
    while (!whole_ && !window_.ended() && !window_.end_of_value(place_of(p_))) {
      if (static_cast<std::size_t>(end_ - p_) > kMost) {
        return fails(codes::kJsonMalformed,
                     "the value that begins here is longer than 128 MiB, the limit of one value");
      }
      move_on();
    }
    blanks();
    return true;
  }

  /// All of the text from this place on.
  const char* need_all(const char* from) {
    p_ = from;
    for (move_on(); !window_.ended();) {
      window_.advance(0);
    }
    go_to(0);
    whole_ = true;
    return p_;
  }

  // --- errors

  bool fails(Code code, std::string message, const char* at) {
    if (!trying_ && !failed_) {
      failed_ = true;
      error_ = {code, window_.size() - window_.text().size() + place_of(at), path(),
                window_.line_and_column(at) + ": " + std::move(message)};
    }
    return false;
  }
  bool fails(Code code, std::string message) { return fails(code, std::move(message), p_); }
  bool expected(std::string_view what) {
    return fails(p_ == end_ ? codes::kJsonMalformed : codes::kBuildMember,
                 "expected " + std::string(what) + (p_ == end_ ? ", but the file ends" : ""));
  }

  /// As `tree` and `diff` have it: GEOS[2].positions.
  [[nodiscard]] std::string path() const {
    std::string text;
    bool hidden = false;  // the list around goes without saying
    for (std::size_t i = 1; i < frames_.size(); ++i) {
      const Frame& frame = frames_[i];
      if (!frame.name.empty()) {
        const std::string name = json_string(frame.name).value_or("?");
        hidden = (name == "items" || is_transparent(name)) && i + 1 < frames_.size();
        text = hidden ? text : joined(text, name);
      } else if (!frame.tag.empty() && hidden) {
        text = joined(text, frame.tag);
      } else {
        text += bracketed(frame.tag.empty() ? std::to_string(frame.index) : std::string(frame.tag));
      }
    }
    return text;
  }

  // --- bytes

  void begin_segment(std::uint64_t at, bool stated = true) {
    segments_.push_back({at, out_.size(), 0, stated});
    cursor_ = at;
  }
  void close_segment() { segments_.back().size = out_.size() - segments_.back().from; }

  [[nodiscard]] Mark mark() const {
    return {p_,     out_.size(), segments_.size(), cursor_, leaves_.size(), paddings_.size(), spans_.size(),
            markup_};
  }
  void go_back(const Mark& to) {
    p_ = to.p;
    out_.resize(to.out);
    segments_.resize(to.segments);
    cursor_ = to.cursor;
    leaves_.resize(to.leaves);
    paddings_.resize(to.paddings);
    spans_.resize(to.spans);
    markup_ = to.markup;
  }

  void jump(const LayoutException* exception) {
    const std::uint64_t here = segments_.back().at + (out_.size() - segments_.back().from);
    const bool stated = exception != nullptr && exception->at;
    const std::uint64_t to = stated ? *exception->at : cursor_;
    if (to != here) {
      close_segment();
      begin_segment(to, stated);
    }
    cursor_ = to;
  }

  /// After the bytes of a leaf that began at `from` in `out_`.
  Extent leave(std::size_t from, std::uint64_t count) {
    const std::uint64_t size = out_.size() - from;
    const std::uint64_t begin = cursor_;
    cursor_ += size;
    Frame& frame = frames_.back();
    if (size > 0) {
      frame.end = frame.has_bytes ? std::max(frame.end, cursor_) : cursor_;
      frame.has_bytes = true;
    }
    return {begin, cursor_, count, flushed_ + from};
  }

  bool has_room(std::uint64_t bytes) {
    return flushed_ + out_.size() + bytes <= 4096 + kMostGrowth * window_.size() ||
           fails(codes::kInputTooLarge,
                 "the file would be more than 1024 times larger than its dump; this is the limit");
  }

  void put(const void* from, std::size_t size) {
    const auto* bytes = static_cast<const std::uint8_t*>(from);
    out_.insert(out_.end(), bytes, bytes + size);
  }

  template <class T>
  void put_scalar(T value) {
    const std::size_t at = out_.size();
    out_.resize(at + sizeof value);
    std::memcpy(out_.data() + at, &value, sizeof value);
    if constexpr (std::endian::native == std::endian::big) {
      std::reverse(out_.begin() + static_cast<std::ptrdiff_t>(at), out_.end());
    }
  }

  /// Replaces the bytes of a number that was put.
  void put_back(const Extent& extent, ByteView bytes) {
    if (extent.out >= flushed_) {
      std::copy(bytes.begin(), bytes.end(),
                out_.begin() + static_cast<std::ptrdiff_t>(extent.out - flushed_));
    } else if (!sink_->patch(extent.begin, bytes)) {
      fails(codes::kWriteFailed, "the output cannot be written");
    }
  }

  // --- into the sink

  /// Lets go of what was put so far.
  bool flush() {
    close_segment();
    for (const Segment& segment : segments_) {
      if (segment.size > 0 && !write(segment.at, ByteView(out_).subspan(segment.from, segment.size))) {
        return false;
      }
    }
    const std::uint64_t here = segments_.back().at + segments_.back().size;
    last_ = out_.empty() ? last_ : out_.back();
    flushed_ += out_.size();
    for (const BuiltLeaf& leaf : leaves_) {
      packed_.add(leaf.at, leaf.size);
    }
    out_.clear();
    leaves_.clear();
    paddings_.clear();
    segments_.assign(1, {here, 0, 0, false});
    return true;
  }

  bool write(std::uint64_t at, ByteView bytes) {
    const std::uint64_t size = sink_->size();
    if (at > kMostGrowth * window_.size()) {
      return fails(codes::kBuildGap, "no field describes the bytes before " + offset_text(at));
    }
    const std::size_t there = at < size ? std::min<std::size_t>(size - at, bytes.size()) : 0;
    bool done = at <= size || sink_->append(Bytes(static_cast<std::size_t>(at - size), 0));
    done = done && (there == 0 || sink_->patch(at, bytes.first(there)));
    done = done && (there == bytes.size() || sink_->append(bytes.subspan(there)));
    if (!written_.empty() && written_.back().second == at) {
      written_.back().second += bytes.size();
    } else {
      written_.emplace_back(at, at + bytes.size());
    }
    return done || fails(codes::kWriteFailed, "the output cannot be written");
  }

  /// Every byte was written, and once.
  bool is_whole_file() {
    std::sort(written_.begin(), written_.end());
    std::uint64_t reached = 0;
    for (const auto& [from, to] : written_) {
      if (from > reached) {
        return fails(codes::kBuildGap, gap_text(reached, from));
      }
      if (from < reached) {
        return fails(
            codes::kBuildDiffers,
            "parts of this file share bytes, so it can only be built with its $layout after the document");
      }
      reached = to;
    }
    return true;
  }

  // --- structure

  [[nodiscard]] static const LayoutException* member_of(const LayoutException* all, std::string_view name) {
    if (all == nullptr || all->members.empty()) {
      return nullptr;
    }
    const auto found = all->members.find(name);
    return found == all->members.end() ? nullptr : &found->second;
  }

  void blanks() { p_ = skip_blanks(p_, end_); }
  bool take(char c) {
    if (p_ != end_ && *p_ == c) {
      ++p_;
      return true;
    }
    return false;
  }

  /// Reads `"name":`; nothing at the end of an object.
  bool next_name(bool first, std::string_view& name) {
    blanks();
    if (p_ != end_ && *p_ == '}') {
      name = {};
      return true;
    }
    if (!first) {
      if (!take(',')) {
        return expected("a comma or the end of the object");
      }
      blanks();
    }
    const char* after = skip_json_string(p_, end_);
    if (after == nullptr) {
      return fails(codes::kJsonMalformed, "expected the name of a member");
    }
    name = {p_, static_cast<std::size_t>(after - p_)};
    p_ = after;
    blanks();
    if (!take(':')) {
      return expected("a colon");
    }
    blanks();
    return true;
  }

  static bool is_name(std::string_view quoted, std::string_view name) {
    if (quoted.size() == name.size() + 2 && quoted.substr(1, name.size()) == name) {
      return true;
    }
    return quoted.find('\\') != std::string_view::npos && json_string(quoted) == name;
  }

  /// Everything from here to the end of the object, whose names may stand in any order.
  bool rest_of_members(bool first, std::vector<NamedValue>& members) {
    std::string_view name;
    for (;; first = false) {
      if (!next_name(first, name)) {
        return false;
      }
      if (name.empty()) {
        return true;
      }
      members.push_back({name, p_});
      const char* wrong = p_;
      const char* after = skip_json(p_, end_, wrong);
      if (after == nullptr) {
        return fails(codes::kJsonMalformed, "malformed JSON", wrong);
      }
      p_ = after;
    }
  }

  /// Reads the name of a field, past members that belong to nobody's file. It begins at `start`.
  bool next_field(bool& first, const char*& start, std::string_view& name) {
    while (true) {
      next_token();
      start = p_;
      if (!next_name(first, name)) {
        return false;
      }
      if (name.substr(0, 2) != "\"$") {
        return true;
      }
      first = false;
      if (!need_value()) {
        return false;
      }
      const char* wrong = p_;
      const char* after = skip_json(p_, end_, wrong);
      if (after == nullptr) {
        return fails(codes::kJsonMalformed, "malformed JSON", wrong);
      }
      p_ = after;
    }
  }

  /// A name that is needed for longer than its place in the window lasts.
  std::string_view lasting(std::string_view name) {
    return whole_ ? name : std::string_view(names_.emplace_back(name));
  }

  /// An object of this type. When it is tried whether it is, names have to stand in the type's order.
  bool object(const LayoutType& type, const LayoutException* exceptions, bool trial) {
    if (!take('{')) {
      return expected("an object");
    }
    const std::size_t depth = extents_.size();
    const std::size_t leaves = leaves_.size();
    const std::size_t segments = segments_.size();
    bool first = true;
    std::vector<NamedValue> others;
    const char* after = nullptr;  // of an object whose members are in another order
    for (std::size_t i = 0; i < type.members.size(); ++i) {
      const LayoutMember& member = type.members[i];
      if (member.type.kind == Kind::leaf && member.type.leaf.hidden()) {
        hidden(member.type.leaf, member_of(exceptions, "#" + std::to_string(i)));
        if (failed_) {
          return false;
        }
        continue;
      }
      std::string_view name;
      if (after == nullptr) {
        const char* start = p_;
        if (!next_field(first, start, name)) {
          return false;
        }
        if (!is_name(name, member.name)) {
          if (trial) {
            return false;
          }
          p_ = whole_ ? start : need_all(start);
          if (!rest_of_members(first, others)) {
            return false;
          }
          after = p_;
        }
        first = false;
      }
      if (after != nullptr && !find_member(others, member.name, name, after)) {
        return false;
      }
      if (!named(lasting(name), 0, member.type, member_of(exceptions, member.name), trial)) {
        return false;
      }
    }
    if (!end_of_object(first, after, others)) {
      return false;
    }
    numbers(type, exceptions, depth);
    if (sink_ == nullptr && segments_.size() != segments) {
      keep_spans(type, exceptions, depth, leaves);
    }
    extents_.resize(depth);
    return !failed_;
  }

  bool find_member(std::vector<NamedValue>& others, const std::string& requested, std::string_view& name,
                   const char* after) {
    const auto found = std::find_if(others.begin(), others.end(),
                                    [&](const NamedValue& other) { return is_name(other.name, requested); });
    if (found == others.end()) {
      return fails(codes::kBuildMember, "the member \"" + requested + "\" is missing", after);
    }
    name = found->name;
    p_ = found->value;
    others.erase(found);
    return true;
  }

  /// Members that no type knows are refused, but those whose names begin with a dollar.
  bool end_of_object(bool first, const char* after, std::vector<NamedValue>& others) {
    if (after == nullptr) {
      std::string_view name;
      if (!next_field(first, after, name)) {
        return false;
      }
      after = p_;
      if (!name.empty()) {
        others.push_back({name, p_});
      }
    }
    for (const NamedValue& other : others) {
      if (other.name.substr(0, 2) != "\"$") {
        return fails(codes::kBuildMember, "unknown member " + std::string(other.name), other.value);
      }
    }
    p_ = after;
    return take('}') || expected("the end of the object");
  }

  /// What has a name, or a number in a list.
  bool named(std::string_view name, std::size_t index, const LayoutType& type,
             const LayoutException* exceptions, bool trial) {
    if (!whole_) {
      next_token();
    }
    frames_.push_back({name, index});
    const bool gap = type.kind == Kind::list && is_gap_list(name);
    gaps_ += gap ? 1 : 0;
    const std::uint64_t begin = cursor_;
    Extent extent{};
    bool done = false;
    if (type.kind == Kind::leaf) {
      frames_.back().has_bytes = false;
      done = leaf(type.leaf, exceptions, trial, extent);
    } else {
      std::uint64_t count = 0;
      done = type.kind == Kind::object ? object(type, exceptions, trial) : list(type, exceptions, count);
      const Frame& frame = frames_.back();
      cursor_ = frame.has_bytes ? frame.end : cursor_;
      extent = {begin, cursor_, count, 0};
    }
    gaps_ -= gap ? 1 : 0;
    const Frame frame = frames_.back();
    frames_.pop_back();
    if (frame.has_bytes) {
      Frame& outer = frames_.back();
      outer.end = outer.has_bytes ? std::max(outer.end, frame.end) : frame.end;
      outer.has_bytes = true;
    }
    extents_.push_back(extent);
    return done;
  }

  bool list(const LayoutType& type, const LayoutException* exceptions, std::uint64_t& count) {
    if (!take('[')) {
      return expected("a list");
    }
    const std::size_t depth = extents_.size();
    std::size_t last = 0;
    for (next_token(); p_ != end_ && *p_ != ']'; next_token()) {
      if (count > 0) {
        if (!take(',')) {
          return expected("a comma or the end of the list");
        }
        next_token();
      }
      const auto* exception = exceptions == nullptr ? nullptr : member_of(exceptions, std::to_string(count));
      const bool was_whole = whole_;
      if (!need_value()) {
        return false;
      }
      whole_ = true;
      const bool done = item(type, static_cast<std::size_t>(count), exception, last);
      whole_ = was_whole;
      if (!done || (!whole_ && !flush())) {
        return false;
      }
      extents_.resize(depth);
      ++count;
    }
    return take(']') || expected("the end of the list");
  }

  /// The next item, of whichever alternative it is.
  bool item(const LayoutType& type, std::size_t index, const LayoutException* exceptions, std::size_t& last) {
    if (exceptions != nullptr && exceptions->type && *exceptions->type < type.items.size()) {
      return named({}, index, type.items[*exceptions->type], exceptions, false);
    }
    if (type.items.empty()) {
      frames_.push_back({{}, index});
      fails(codes::kBuildMember, "the layout describes no item of this list");
      frames_.pop_back();
      return false;
    }
    if (type.items.size() > 1) {
      for (std::size_t i = 0; i <= type.items.size(); ++i) {
        const std::size_t which = i == 0 ? last : i - 1;
        if ((i > 0 && which == last)) {
          continue;
        }
        if (tried(index, type.items[which], exceptions)) {
          last = which;
          return true;
        }
        if (failed_) {
          return false;
        }
      }
      last = likeliest(type);
    }
    return named({}, index, type.items[last], exceptions, false);
  }

  /// Whether the item is of this type; then it is read.
  bool tried(std::size_t index, const LayoutType& type, const LayoutException* exceptions) {
    const Mark start = mark();
    const std::size_t extents = extents_.size();
    const std::size_t frames = frames_.size();
    const Frame outer = frames_.back();
    const bool was_trying = std::exchange(trying_, true);
    const bool fits = named({}, index, type, exceptions, true);
    trying_ = was_trying;
    if (!fits) {
      frames_.resize(frames);
      frames_.back() = outer;
      extents_.resize(extents);
      go_back(start);
    }
    return fits;
  }

  /// The alternative whose tag and members stand here, in whichever order, or the one that is most like it.
  std::size_t likeliest(const LayoutType& type) {
    const char* start = p_;
    std::vector<NamedValue> members;
    if (take('{')) {
      const bool was_trying = std::exchange(trying_, true);
      rest_of_members(true, members);
      trying_ = was_trying;
    }
    p_ = start;
    std::size_t best = 0;
    std::ptrdiff_t most = std::numeric_limits<std::ptrdiff_t>::min();
    for (std::size_t i = 0; i < type.items.size(); ++i) {
      const std::ptrdiff_t score = likeness(type.items[i], members);
      if (score > most) {
        best = i;
        most = score;
      }
    }
    return best;
  }

  std::ptrdiff_t likeness(const LayoutType& type, const std::vector<NamedValue>& members) const {
    constexpr std::ptrdiff_t kTag = 1000;
    std::ptrdiff_t score = -static_cast<std::ptrdiff_t>(members.size());
    for (const auto& member : type.members) {
      const bool leaf = member.type.kind == Kind::leaf;
      if (leaf && member.type.leaf.hidden()) {
        continue;
      }
      const auto found = std::find_if(members.begin(), members.end(), [&](const NamedValue& value) {
        return is_name(value.name, member.name);
      });
      score += found == members.end() ? -2 : 1;
      if (leaf && member.type.leaf.form == Form::tag && found != members.end()) {
        const char* after = skip_json_string(found->value, end_);
        const bool same =
            after != nullptr && json_string({found->value, static_cast<std::size_t>(after - found->value)}) ==
                                    member.type.leaf.bytes;
        score += same ? kTag : -kTag;
      }
    }
    return score;
  }

  // --- leaves

  /// What the document does not have.
  void hidden(const LeafType& type, const LayoutException* exception) {
    jump(exception);
    const std::size_t from = out_.size();
    if (type.form == Form::constant) {
      put(type.bytes.data(), type.bytes.size());
    } else if (type.form == Form::markup) {
      if (markup_ >= layout_.markup.size()) {
        fails(codes::kBuildLayout, "the document has more elements than its layout describes");
        return;
      }
      const std::string& text = layout_.markup[markup_++];
      put(text.data(), text.size());
    } else if (type.form == Form::repeated) {
      const std::uint64_t times = exception != nullptr ? exception->repeated.value_or(0) : 0;
      if (!has_room(times)) {
        return;
      }
      const std::uint8_t byte = out_.empty() ? last_ : out_.back();
      const bool directly = !leaves_.empty() && leaves_.back().out + leaves_.back().size == out_.size();
      out_.resize(out_.size() + static_cast<std::size_t>(times), byte);
      if (directly) {
        leaves_.back().gap = true;
        keep_padding(leaves_.back().out);
      }
    } else {
      out_.resize(out_.size() + static_cast<std::size_t>(type.size), 0);
    }
    extents_.push_back(leave(from, 0));
  }

  /// Puts sizes and counts where they belong, once an object is complete.
  void numbers(const LayoutType& type, const LayoutException* exceptions, std::size_t depth) {
    for (std::size_t i = 0; i < type.members.size(); ++i) {
      const LeafType& leaf = type.members[i].type.leaf;
      if (type.members[i].type.kind != Kind::leaf || !leaf.is_number()) {
        continue;
      }
      const Extent& extent = extents_[depth + i];
      const auto* exception = member_of(exceptions, "#" + std::to_string(i));
      if (exception != nullptr && exception->bytes) {
        put_back(
            extent,
            as_bytes(*exception->bytes).first(std::min<std::size_t>(exception->bytes->size(), leaf.size)));
        continue;
      }
      const std::uint64_t value = number(type, leaf, depth, i);
      if (leaf.size < sizeof value && value >> (8 * leaf.size) != 0) {
        fails(codes::kBuildValue, std::to_string(value) + " is too large for a " + leaf_type_text(leaf));
      }
      std::array<std::uint8_t, sizeof value> bytes{};
      for (std::size_t byte = 0; byte < bytes.size(); ++byte) {
        bytes.at(byte) = static_cast<std::uint8_t>(value >> (8 * byte));
      }
      put_back(extent, ByteView(bytes).first(std::min<std::size_t>(bytes.size(), leaf.size)));
    }
  }

  /// Sizes of what lies in several segments, which may move apart.
  void keep_spans(const LayoutType& type, const LayoutException* exceptions, std::size_t depth,
                  std::size_t first_leaf) {
    for (std::size_t i = 0; i < type.members.size(); ++i) {
      const LeafType& leaf = type.members[i].type.leaf;
      const auto* exception = member_of(exceptions, "#" + std::to_string(i));
      const bool spans = leaf.form == Form::whole_size || (leaf.form == Form::size && leaf.target.empty());
      if (type.members[i].type.kind == Kind::leaf && spans && (exception == nullptr || !exception->bytes)) {
        spans_.push_back({static_cast<std::size_t>(extents_[depth + i].out), leaf.size,
                          leaf.form == Form::whole_size, first_leaf, leaves_.size()});
      }
    }
  }

  void keep_padding(std::size_t from) {
    constexpr std::size_t kMost = 16;
    const auto begin = out_.begin() + static_cast<std::ptrdiff_t>(from);
    if (out_.size() - from < kMost &&
        std::all_of(begin, out_.end(), [&](std::uint8_t byte) { return byte == out_[from]; })) {
      paddings_.push_back({from, out_.size()});
    }
  }

  [[nodiscard]] std::uint64_t number(const LayoutType& type, const LeafType& leaf, std::size_t depth,
                                     std::size_t index) const {
    const Extent& extent = extents_[depth + index];
    const Frame& frame = frames_.back();
    const std::uint64_t end = frame.has_bytes ? frame.end : extent.end;
    if (leaf.form == Form::whole_size) {
      return end - extent.begin;
    }
    if (leaf.form == Form::size && leaf.target.empty()) {
      return std::max(end, extent.end) - extent.end;
    }
    for (std::size_t i = index + 1; i < type.members.size(); ++i) {
      if (type.members[i].name == leaf.target) {
        const Extent& target = extents_[depth + i];
        return leaf.form == Form::count ? target.count : std::max(target.end, extent.end) - extent.end;
      }
    }
    return 0;
  }

  bool leaf(const LeafType& type, const LayoutException* exception, bool trial, Extent& extent) {
    jump(exception);
    const std::size_t from = out_.size();
    const std::uint64_t begin = cursor_;
    if (!need_value()) {
      return false;
    }
    const std::size_t begins = place_of(p_);
    std::uint64_t count = 1;
    bool done = false;
    switch (type.form) {
      case Form::value:
        done = type.array ? array(type, count) : element(type);
        break;
      case Form::rows:
        done = rows(type, count);
        break;
      case Form::raw:
        done = raw();
        break;
      default:
        done = text(type, trial);
        break;
    }
    if (!done) {
      return false;
    }
    extent = leave(from, count);
    leaves_.push_back({begin, out_.size() - from, begins, from, gaps_ > 0});
    const bool bytes = type.form == Form::raw || (type.array && type.kind == ScalarKind::u8);
    if (gaps_ > 0 && bytes && out_.size() > from) {
      keep_padding(from);
    }
    return has_room(0);
  }

  template <class F>
  bool each(std::uint64_t& count, F&& read) {
    if (!take('[')) {
      return expected("a list");
    }
    count = 0;
    for (blanks(); p_ != end_ && *p_ != ']'; blanks()) {
      if (count > 0) {
        if (!take(',')) {
          return expected("a comma or the end of the list");
        }
        blanks();
      }
      if (!read()) {
        return false;
      }
      ++count;
    }
    return take(']') || expected("the end of the list");
  }

  bool array(const LeafType& type, std::uint64_t& count) {
    // The kind is determined once, not for each number.
    if (type.components == 1) {
      return with_kind(type.kind,
                       [&](auto reader) { return each(count, [&] { return (this->*reader)(); }); });
    }
    return each(count, [&] { return element(type); });
  }

  bool element(const LeafType& type) {
    if (type.components == 1) {
      return scalar(type.kind);
    }
    std::uint64_t components = 0;
    const char* start = p_;
    const bool read = with_kind(
        type.kind, [&](auto reader) { return each(components, [&] { return (this->*reader)(); }); });
    return read && (components == type.components || fails(codes::kBuildValue,
                                                           "expected " + std::to_string(type.components) +
                                                               " numbers, not " + std::to_string(components),
                                                           start));
  }

  bool rows(const LeafType& type, std::uint64_t& count) {
    return each(count, [&] {
      const char* start = p_;
      std::uint64_t cells = 0;
      const bool read = each(cells, [&] { return cells == 0 ? scalar(ScalarKind::i32) : scalar(type.kind); });
      return read && (cells == type.components + 1 ||
                      fails(codes::kBuildValue,
                            "expected a key of " + std::to_string(type.components + 1) + " numbers, not of " +
                                std::to_string(cells),
                            start));
    });
  }

  bool scalar(ScalarKind kind) {
    return with_kind(kind, [&](auto reader) { return (this->*reader)(); });
  }

  template <class F>
  bool with_kind(ScalarKind kind, F&& use) {
    if (kind == kPacked10) {
      return use(&FileBuilder::packed);
    }
    switch (kind) {
      case ScalarKind::u8:
        return use(&FileBuilder::integer<std::uint8_t>);
      case ScalarKind::i8:
        return use(&FileBuilder::integer<std::int8_t>);
      case ScalarKind::u16:
        return use(&FileBuilder::integer<std::uint16_t>);
      case ScalarKind::i16:
        return use(&FileBuilder::integer<std::int16_t>);
      case ScalarKind::u32:
        return use(&FileBuilder::integer<std::uint32_t>);
      case ScalarKind::i32:
        return use(&FileBuilder::integer<std::int32_t>);
      case ScalarKind::u64:
        return use(&FileBuilder::integer<std::uint64_t>);
      case ScalarKind::i64:
        return use(&FileBuilder::integer<std::int64_t>);
      case ScalarKind::f16:
        return use(&FileBuilder::half);
      case ScalarKind::f32:
        return use(&FileBuilder::single);
      case ScalarKind::f64:
        return use(&FileBuilder::real);
    }
    return false;
  }

  /// True where a number may end.
  [[nodiscard]] bool at_end_of_number() const {
    return p_ == end_ || *p_ == ',' || *p_ == ']' || *p_ == '}' || *p_ == ' ' || *p_ == '\n' || *p_ == '\r' ||
           *p_ == '\t';
  }

  template <class T>
  bool integer() {
    const char* start = p_;
    const bool negative = take('-');
    std::uint64_t value = 0;
    bool large = false;
    const char* digits = p_;
    for (; p_ != end_ && is_digit(*p_); ++p_) {
      const auto digit = static_cast<unsigned>(*p_ - '0');
      large = large || value > (std::numeric_limits<std::uint64_t>::max() - digit) / 10;
      value = value * 10 + digit;
    }
    if (p_ == digits || !at_end_of_number()) {
      p_ = start;
      return fails(codes::kBuildValue, "expected a whole number", start);
    }
    const auto most = static_cast<std::uint64_t>(std::numeric_limits<T>::max());
    const std::uint64_t limit = !negative ? most : std::is_signed_v<T> ? most + 1 : 0;
    if (large || value > limit) {
      return fails(codes::kBuildValue,
                   std::string(start, p_) + " is not within " +
                       std::to_string(std::numeric_limits<T>::min()) + " to " +
                       std::to_string(std::numeric_limits<T>::max()),
                   start);
    }
    put_scalar(static_cast<T>(negative ? std::uint64_t{0} - value : value));
    return true;
  }

  /// The usual numbers: up to 19 digits with a point among them. False, and nothing read, for all others.
  bool plain_number(double& value) {
    const char* at = p_;
    const bool negative = at != end_ && *at == '-';
    at += negative ? 1 : 0;
    std::uint64_t digits = 0;
    int count = 0;
    unsigned fraction = 0;
    const char* start = at;
    for (; at != end_ && is_digit(*at); ++at, ++count) {
      digits = digits * 10 + static_cast<unsigned>(*at - '0');
    }
    if (at == start) {
      return false;
    }
    if (at != end_ && *at == '.') {
      for (++at; at != end_ && is_digit(*at); ++at, ++count, ++fraction) {
        digits = digits * 10 + static_cast<unsigned>(*at - '0');
      }
    }
    constexpr int kMostDigits = 18;
    if (count > kMostDigits || (at != end_ && (*at == 'e' || *at == 'E')) || digits >> 53U != 0) {
      return false;
    }
    p_ = at;
    value = static_cast<double>(digits) / power_of_ten(fraction);
    value = negative ? -value : value;
    return true;
  }

  /// A number in digits, or nothing.
  [[nodiscard]] std::string_view number_text() const {
    const char* at = p_;
    while (at != end_ &&
           (is_digit(*at) || *at == '-' || *at == '+' || *at == '.' || *at == 'e' || *at == 'E')) {
      ++at;
    }
    return {p_, static_cast<std::size_t>(at - p_)};
  }

  bool single() {
    if (p_ != end_ && *p_ == '"') {
      return word<std::uint32_t>(0x7FC00000U, 0x7F800000U, 0x80000000U);
    }
    const char* start = p_;
    double value = 0;
    if (plain_number(value)) {
      const auto bits = bits_of(value);
      const auto low = static_cast<std::uint32_t>(bits) & 0x1FFFFFFFU;
      // Rounded twice it might not be what is nearest to the text.
      const bool near_middle = low >= 0x0FFFFFFFU && low <= 0x10000001U;
      const bool usual = std::abs(value) > 1e-30 || value == 0;
      if (!near_middle && usual && std::abs(value) < 1e38 && at_end_of_number()) {
        put_scalar(static_cast<float>(value));
        return true;
      }
      p_ = start;
    }
    const std::string_view text = number_text();
    float exact = 0;
    if (text.empty() ||
        parse_number(text.data(), text.data() + text.size(), exact) != text.data() + text.size()) {
      return fails(codes::kBuildValue, "expected a number", start);
    }
    if (std::isinf(exact)) {
      return fails(codes::kBuildValue,
                   std::string(text) + " is too large for 32 bits; write \"inf\" for infinity", start);
    }
    p_ += text.size();
    put_scalar(exact);
    return true;
  }

  bool real() {
    if (p_ != end_ && *p_ == '"') {
      return word<std::uint64_t>(0x7FF8000000000000U, 0x7FF0000000000000U, std::uint64_t{1} << 63U);
    }
    const std::string_view text = number_text();
    double value = 0;
    if (!parse_double(text, value)) {
      return fails(codes::kBuildValue, "expected a number");
    }
    p_ += text.size();
    put_scalar(value);
    return true;
  }

  bool half() {
    if (p_ != end_ && *p_ == '"') {
      return word<std::uint16_t>(0x7E00, 0x7C00, 0x8000);
    }
    const std::string_view text = number_text();
    double value = 0;
    if (!parse_double(text, value)) {
      return fails(codes::kBuildValue, "expected a number");
    }
    const auto bits = nearest_half(value);
    if (!bits) {
      return fails(codes::kBuildValue, std::string(text) + " is too large for 16 bits");
    }
    p_ += text.size();
    put_scalar(*bits);
    return true;
  }

  /// Three numbers of ten bits, and the two bits after them where they are not 0.
  bool packed() {
    const char* start = p_;
    std::uint32_t bits = 0;
    std::uint64_t count = 0;
    const bool read = each(count, [&] {
      constexpr std::array<double, 4> kSteps = {1023, 1023, 1023, 1};
      constexpr std::array<double, 4> kMost = {1, 1, 1, 3};
      const std::string_view text = number_text();
      double value = -1;
      if (count > 3 || !parse_double(text, value) || !(value >= 0 && value <= kMost.at(count))) {
        return fails(codes::kBuildValue,
                     "expected three numbers from 0 to 1, and optionally one from 0 to 3");
      }
      bits |= static_cast<std::uint32_t>(std::floor(value * kSteps.at(count) + 0.5)) << (10 * count);
      p_ += text.size();
      return true;
    });
    if (!read || count < 3) {
      return read ? fails(codes::kBuildValue, "expected three numbers, not " + std::to_string(count), start)
                  : false;
    }
    put_scalar(bits);
    return true;
  }

  /// Of halves as large as this, which are in the order of their bits, the nearest.
  static std::optional<std::uint16_t> nearest_half(double value) {
    constexpr std::uint16_t kInfinite = 0x7C00;
    const double size = std::abs(value);
    std::uint16_t low = 0;
    std::uint16_t high = kInfinite;
    while (high - low > 1) {
      const auto middle = static_cast<std::uint16_t>((low + high) / 2);
      (double{half_to_float(middle)} <= size ? low : high) = middle;
    }
    constexpr double kMost = 65520;
    if (!(size < kMost)) {
      return std::nullopt;
    }
    const double below = size - double{half_to_float(low)};
    const double above = (high == kInfinite ? 65536.0 : double{half_to_float(high)}) - size;
    const bool up = above < below || (above == below && (low & 1U) != 0);
    return static_cast<std::uint16_t>((up ? high : low) | (std::signbit(value) ? 0x8000U : 0U));
  }

  /// "nan", "inf", "-inf" or "nan:7fc00001".
  template <class Bits>
  bool word(Bits nan, Bits infinite, Bits sign) {
    const char* after = skip_json_string(p_, end_);
    const auto text =
        after == nullptr ? std::nullopt : json_string({p_, static_cast<std::size_t>(after - p_)});
    std::optional<Bits> bits;
    if (text == "nan") {
      bits = nan;
    } else if (text == "inf" || text == "-inf") {
      bits = static_cast<Bits>(text == "inf" ? infinite : infinite | sign);
    } else if (text && text->substr(0, 4) == "nan:" && text->size() == 4 + 2 * sizeof(Bits)) {
      const auto digits = parse_hex(std::string_view(*text).substr(4));
      const bool is_nan =
          digits && (*digits & infinite) == infinite && (*digits & ~std::uint64_t{sign}) != infinite;
      bits = is_nan ? std::optional(static_cast<Bits>(*digits)) : std::nullopt;
    }
    if (!bits) {
      return fails(codes::kBuildValue, R"(expected a number, "nan", "inf" or "-inf")");
    }
    p_ = after;
    put_scalar(*bits);
    return true;
  }

  /// The bytes of {"raw": "hex"}, among whose members `text` may stand.
  std::optional<Bytes> raw_object() {
    const char* start = p_;
    std::vector<NamedValue> members;
    if (!take('{') || !rest_of_members(true, members) || !take('}')) {
      return std::nullopt;
    }
    for (const NamedValue& member : members) {
      if (is_name(member.name, "raw")) {
        const char* after = skip_json_string(member.value, end_);
        const auto text = after == nullptr
                              ? std::nullopt
                              : json_string({member.value, static_cast<std::size_t>(after - member.value)});
        if (auto bytes = text ? bytes_of_hex(*text) : std::nullopt) {
          return bytes;
        }
      }
    }
    p_ = start;
    return std::nullopt;
  }

  bool raw() {
    const auto bytes = raw_object();
    if (!bytes) {
      return fails(codes::kBuildValue, R"(bytes as {"raw": "hexadecimal digits"} are expected here)");
    }
    put(bytes->data(), bytes->size());
    return true;
  }

  bool text(const LeafType& type, bool trial) {
    const char* start = p_;
    std::string bytes;
    const bool plain = p_ != end_ && *p_ == '"';
    if (plain) {
      const char* after = skip_json_string(p_, end_);
      auto unquoted =
          after == nullptr ? std::nullopt : json_string({p_, static_cast<std::size_t>(after - p_)});
      if (!unquoted) {
        return fails(codes::kJsonMalformed, "malformed string");
      }
      auto encoded = from_utf8(*unquoted, page_);
      if (!encoded && page_ > CodePage::utf8) {
        return fails(codes::kBuildValue,
                     "the string has characters that " + std::string(code_page_word(page_)) + " lacks",
                     start);
      }
      bytes = std::move(encoded ? *encoded : *unquoted);
      p_ = after;
      if (type.form == Form::ended_text) {
        bytes += '\0';
      }
    } else if (const auto raw = raw_object()) {
      bytes.assign(raw->begin(), raw->end());
    } else {
      return fails(codes::kBuildValue, "expected a string", start);
    }
    return put_text(type, std::move(bytes), plain, trial, start);
  }

  bool put_text(const LeafType& type, std::string bytes, bool plain, bool trial, const char* start) {
    if (type.form == Form::tag) {
      if (bytes.size() > type.bytes.size()) {
        return fails(codes::kBuildValue,
                     "expected a tag of at most " + std::to_string(type.bytes.size()) + " characters", start);
      }
      bytes.resize(type.bytes.size(), '\0');
      if (trial && bytes != type.bytes) {
        return false;
      }
      frames_[frames_.size() - 2].tag = type.bytes;
      if (type.reversed) {
        std::reverse(bytes.begin(), bytes.end());
      }
    } else if (type.form == Form::fixed_text) {
      if (bytes.size() > type.size || (!plain && bytes.size() != type.size)) {
        return fails(codes::kBuildValue,
                     "the string has " + std::to_string(bytes.size()) + " bytes; its field has " +
                         std::to_string(type.size),
                     start);
      }
      if (!has_room(type.size)) {
        return false;
      }
      bytes.resize(static_cast<std::size_t>(type.size), '\0');
    }
    put(bytes.data(), bytes.size());
    return true;
  }

  JsonWindow& window_;
  const char* p_ = nullptr;
  const char* end_ = nullptr;
  const Layout& layout_;
  CodePage page_;
  Sink* sink_;
  bool whole_;  ///< what is read now is in the window to its end
  std::deque<std::string> names_;
  Bytes out_;
  std::vector<Segment> segments_;
  std::uint64_t cursor_ = 0;
  std::vector<Frame> frames_;
  std::vector<Extent> extents_;
  std::vector<BuiltLeaf> leaves_;
  std::vector<LaidFile::Padding> paddings_;
  std::vector<LaidFile::Span> spans_;
  std::size_t markup_ = 0;
  int gaps_ = 0;               ///< lists of gaps that are open
  std::uint64_t flushed_ = 0;  ///< bytes that are in the sink
  std::uint8_t last_ = 0;      ///< of them
  std::vector<std::pair<std::uint64_t, std::uint64_t>> written_;
  PackedLeaves packed_;
  bool trying_ = false;
  bool failed_ = false;
  Error error_ = {codes::kBuildMember, {}, {}, "the dump is not a document"};
};

/// Finds a member of an object without reading the others: its value, null if there is none.
Result<const char*> find_value(std::string_view text, const char* object, std::string_view requested) {
  const char* end = text.data() + text.size();
  const auto wrong_at = [&](const char* at) {
    return fail(codes::kJsonMalformed, line_and_column(text, at) + ": invalid JSON from here on",
                static_cast<std::uint64_t>(at - text.data()));
  };
  const char* at = skip_blanks(object, end);
  if (at == end || *at != '{') {
    return wrong_at(at);
  }
  at = skip_blanks(at + 1, end);
  while (at != end && *at != '}') {
    const char* after = skip_json_string(at, end);
    const char* colon = after == nullptr ? end : skip_blanks(after, end);
    if (colon == end || *colon != ':') {
      return wrong_at(at);
    }
    const char* value = skip_blanks(colon + 1, end);
    if (json_string({at, static_cast<std::size_t>(after - at)}) == requested) {
      return value;
    }
    const char* wrong = value;
    at = skip_json(value, end, wrong);
    if (at == nullptr) {
      return wrong_at(wrong);
    }
    at = skip_blanks(at, end);
    if (at != end && *at == ',') {
      at = skip_blanks(at + 1, end);
    } else if (at == end || *at != '}') {
      return wrong_at(at);
    }
  }
  return at == end ? Result<const char*>(wrong_at(at)) : Result<const char*>(nullptr);
}

/// Leaves one after the other.
class LeafQueue {
 public:
  explicit LeafQueue(const std::vector<BuiltLeaf>& leaves) : leaves_(&leaves) { show(); }
  explicit LeafQueue(const PackedLeaves& leaves) : packed_(leaves) { next(); }

  [[nodiscard]] bool at_end() const { return !there_; }
  [[nodiscard]] const BuiltLeaf& front() const { return front_; }
  void next() {
    if (leaves_ != nullptr) {
      ++number_;
      show();
    } else {
      there_ = !packed_->at_end();
      if (there_) {
        packed_->next(front_.at, front_.size);
      }
    }
  }

 private:
  void show() {
    there_ = number_ < leaves_->size();
    front_ = there_ ? (*leaves_)[number_] : BuiltLeaf();
  }

  const std::vector<BuiltLeaf>* leaves_ = nullptr;
  std::size_t number_ = 0;
  std::optional<PackedLeaves::Reader> packed_;
  BuiltLeaf front_;
  bool there_ = false;
};

/// Compares what is shown with what was built.
class LeafCheck : public Inspector {
 public:
  LeafCheck(LeafQueue leaves, bool moved) : leaves_(std::move(leaves)), moved_(moved) {}

  void begin(std::string_view name, bool is_list, std::uint64_t /*offset*/) override {
    compare();
    levels_.push_back({next_name(name), is_list, 0});
    const std::string_view current = levels_.back().name;
    gaps_ += current == "gaps" || current == "fill" || current == "padding" ? 1 : 0;
  }
  void end(std::uint64_t /*offset*/) override {
    compare();
    const std::string_view current = levels_.back().name;
    gaps_ -= current == "gaps" || current == "fill" || current == "padding" ? 1 : 0;
    levels_.pop_back();
  }
  void leaf(const Leaf& leaf) override {
    if (leaf.role == LeafRole::structure) {
      if (moved_ && leaf.name == "repeated") {
        last_.reset();  // fill
      }
      return;
    }
    compare();
    if (!moved_ || gaps_ == 0) {
      last_ = {leaf.offset, leaf.size};
      last_name_ = leaf.name;
    }
    if (!levels_.empty() && levels_.back().is_list) {
      ++levels_.back().count;
    }
  }

  std::optional<std::string> strange() {
    compare();
    pass_gaps();
    if (!strange_ && !leaves_.at_end()) {
      strange_ = "";
    }
    return strange_;
  }

 private:
  struct Level {
    std::string name;
    bool is_list;
    std::size_t count;
  };

  void pass_gaps() {
    while (moved_ && !leaves_.at_end() && leaves_.front().gap) {
      leaves_.next();
    }
  }

  /// The last leaf, once it is known that it is none of those that only fill.
  void compare() {
    if (!last_ || strange_) {
      return;
    }
    pass_gaps();
    const auto [at, size] = *std::exchange(last_, std::nullopt);
    if (leaves_.at_end() || leaves_.front().size != size || (size > 0 && leaves_.front().at != at)) {
      strange_ = path(last_name_);
    }
    leaves_.next();
  }

  std::string next_name(std::string_view name) {
    if (!levels_.empty() && levels_.back().is_list) {
      return bracketed(std::to_string(levels_.back().count++));
    }
    return name.empty() ? "items" : std::string(name);
  }

  [[nodiscard]] std::string path(std::string_view last) const {
    std::string text;
    for (const auto& level : levels_) {
      text = level.name.front() == '[' ? text + level.name : joined(text, level.name);
    }
    return joined(text, last);
  }

  LeafQueue leaves_;
  bool moved_;
  std::vector<Level> levels_;
  int gaps_ = 0;
  std::optional<std::pair<std::uint64_t, std::uint64_t>> last_;  ///< offset and size
  std::string last_name_;
  std::optional<std::string> strange_;
};

}  // namespace

Result<LaidFile> lay_bytes(std::string_view json, CodePage page) {
  // Whatever stands around: the dump itself, or what holds it as `document`.
  const char* object = json.data();
  auto found = find_value(json, object, "$layout");
  if (found && *found == nullptr) {
    auto document = find_value(json, object, "document");
    if (document && *document != nullptr) {
      object = *document;
      found = find_value(json, object, "$layout");
    }
  }
  if (!found) {
    return tl::unexpected<Error>(std::move(found.error()));
  }
  if (*found == nullptr) {
    return fail(codes::kBuildLayout, "the dump has no $layout, which `thaw dump` writes after the document");
  }
  const char* wrong = *found;
  const char* after = skip_json(*found, json.data() + json.size(), wrong);
  if (after == nullptr) {
    return fail(codes::kJsonMalformed, line_and_column(json, wrong) + ": invalid JSON from here on",
                static_cast<std::uint64_t>(wrong - json.data()));
  }
  const std::string_view text(*found, static_cast<std::size_t>(after - *found));
  return parse_json({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()})
      .and_then(layout_from_json)
      .and_then([&](const Layout& layout) {
        JsonWindow window(json);
        return FileBuilder(window, layout, page).run(skip_blanks(object, json.data() + json.size()));
      });
}

Result<Built> assemble(LaidFile file) {
  Built built{std::move(file.format), {}, std::move(file.leaves), false, std::move(file.lost)};
  std::vector<LaidFile::Segment> sorted = file.segments;
  std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.at < b.at; });
  std::uint64_t reached = 0;
  for (const auto& segment : sorted) {
    if (segment.size > 0 && segment.at > reached) {
      return fail(codes::kBuildGap, gap_text(reached, segment.at));
    }
    reached = segment.size > 0 ? std::max(reached, segment.at + segment.size) : reached;
  }
  if (file.segments.size() == 1) {
    built.bytes = std::move(file.bytes);
    return built;
  }
  built.bytes.resize(static_cast<std::size_t>(reached));
  for (const auto& segment : file.segments) {
    std::copy_n(file.bytes.begin() + static_cast<std::ptrdiff_t>(segment.from), segment.size,
                built.bytes.begin() + static_cast<std::ptrdiff_t>(segment.at));
  }
  return built;
}

std::optional<std::string> first_strange_leaf(const Inspection& inspection,
                                              const std::vector<BuiltLeaf>& leaves, bool moved) {
  LeafCheck check(LeafQueue(leaves), moved);
  inspection(check);
  return check.strange();
}

std::optional<std::string> first_strange_leaf(const Inspection& inspection, const PackedLeaves& leaves) {
  LeafCheck check(LeafQueue(leaves), false);
  inspection(check);
  return check.strange();
}

std::string_view format_of_layout_in_front(std::string_view start) {
  const char* at = start.data();
  const char* const end = at + start.size();
  for (const std::string_view token : {"{", "\"$layout\"", ":", "{", "\"format\"", ":"}) {
    at = skip_blanks(at, end);
    if (std::string_view(at, static_cast<std::size_t>(end - at)).substr(0, token.size()) != token) {
      return {};
    }
    at += token.size();
  }
  at = skip_blanks(at, end);
  const char* after = skip_json_string(at, end);
  return after == nullptr ? std::string_view()
                          : std::string_view(at + 1, static_cast<std::size_t>(after - at) - 2);
}

Result<PackedLeaves> build_as_it_comes(JsonSource source, Sink& out, std::size_t piece, CodePage page) {
  JsonWindow window(std::move(source), piece);
  window.advance(0);
  const std::size_t colon = window.text().find(':');
  const std::size_t from = colon == std::string_view::npos ? 0 : colon + 1;
  while (!window.end_of_value(from) && !window.ended()) {
    window.advance(0);
  }
  const auto end = window.end_of_value(from);
  if (format_of_layout_in_front(window.text()).empty() || !end) {
    return window.failure() ? Result<PackedLeaves>(tl::unexpected<Error>(*window.failure()))
                            : fail(codes::kBuildLayout, "the dump does not begin with a $layout");
  }
  const std::string text(window.text().substr(from, *end - from));
  return parse_json(as_bytes(text)).and_then(layout_from_json).and_then([&](const Layout& layout) {
    return FileBuilder(window, layout, page, &out).run();
  });
}

}  // namespace thaw
