#include "patch/layout.hpp"

#include <thaw/codes.hpp>

#include "bytes/text_encoding.hpp"
#include "describe/json_writer.hpp"
#include "describe/scalars.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace thaw {
namespace {

using Form = LeafType::Form;
using Kind = LayoutType::Kind;

constexpr std::array<std::string_view, 12> kKinds = {"u8",  "i8",  "u16", "i16", "u32", "i32",
                                                     "u64", "i64", "f16", "f32", "f64", "u10n"};

std::uint64_t mixed(std::uint64_t hash, std::uint64_t word) {
  hash ^= word + 0x9E3779B97F4A7C15U + (hash << 6U) + (hash >> 2U);
  return hash * 0xFF51AFD7ED558CCDU;
}

std::uint64_t mixed(std::uint64_t hash, std::string_view text) {
  for (const char c : text) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3U;
  }
  return mixed(hash, text.size());
}

void seal_leaf(LayoutType& type) {
  const LeafType& leaf = type.leaf;
  type.key = mixed(mixed(mixed(mixed(1, static_cast<std::uint64_t>(leaf.form)),
                               static_cast<std::uint64_t>(leaf.kind) * 4 + (leaf.array ? 1U : 0U) +
                                   (leaf.reversed ? 2U : 0U)),
                         leaf.components),
                   leaf.size);
  type.key = mixed(mixed(type.key, leaf.target), leaf.bytes);
  const bool is_text =
      leaf.form == Form::fixed_text || leaf.form == Form::ended_text || leaf.form == Form::text;
  type.name_key = leaf.form == Form::tag   ? mixed(2, leaf.bytes)
                  : leaf.form == Form::raw ? 3
                  : is_text                ? 4
                                           : mixed(5, leaf.components);
}

/// Of an object or list whose members are complete.
void seal(LayoutType& type) {
  if (type.kind == Kind::leaf) {
    seal_leaf(type);
    return;
  }
  type.key = type.name_key = type.kind == Kind::list ? 6 : 7;
  for (const auto& member : type.members) {
    type.key = mixed(mixed(type.key, member.name), member.type.key);
    if (member.type.kind != Kind::leaf || !member.type.leaf.hidden()) {
      type.name_key = mixed(mixed(type.name_key, member.name), member.type.name_key);
    }
  }
}

/// The alternative that a type is, which is added where there is none; `hint` is looked at first.
std::size_t add_alternative(std::vector<LayoutType>& items, LayoutType&& type, std::size_t hint);

/// Of two types that are the same but for what their lists hold.
void merge_lists(LayoutType& into, LayoutType&& from) {
  for (std::size_t i = 0; i < into.members.size(); ++i) {
    if (into.members[i].type.kind != Kind::leaf) {
      merge_lists(into.members[i].type, std::move(from.members[i].type));
    }
  }
  for (auto& item : from.items) {
    add_alternative(into.items, std::move(item), 0);
  }
}

std::size_t add_alternative(std::vector<LayoutType>& items, LayoutType&& type, std::size_t hint) {
  std::size_t found = hint;
  if (hint >= items.size() || items[hint].key != type.key) {
    found = static_cast<std::size_t>(
        std::find_if(items.begin(), items.end(), [&](const auto& item) { return item.key == type.key; }) -
        items.begin());
  }
  if (found == items.size()) {
    items.push_back(std::move(type));
  } else {
    merge_lists(items[found], std::move(type));
  }
  return found;
}

/// Whether one before it looks the same in the document.
bool is_ambiguous(const std::vector<LayoutType>& items, std::size_t index) {
  return std::any_of(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(index),
                     [&](const auto& item) { return item.name_key == items[index].name_key; });
}

bool has_word(std::string_view name, std::string_view word) {
  return name.find(word) != std::string_view::npos;
}

/// "stream" of "streamCount", in the first letters of "streams"; nothing for "count".
bool counts(std::string_view name, std::string_view member) {
  constexpr std::size_t kLetters = 3;
  return name == "count" || name.substr(0, kLetters) == member.substr(0, kLetters);
}

/// Collects the names of alternatives that need an exception. True if there are any in lists that are parts
/// of lists' items: items of one type are merged, so that the place of an alternative there is settled when
/// all of the document has been seen.
bool find_ambiguous(const LayoutType& type, bool nested, std::set<std::uint64_t>& names) {
  bool unsettled = false;
  for (const auto& member : type.members) {
    unsettled |= find_ambiguous(member.type, nested, names);
  }
  for (std::size_t i = 0; i < type.items.size(); ++i) {
    if (is_ambiguous(type.items, i)) {
      names.insert(type.items[i].name_key);
      unsettled |= nested;
    }
    unsettled |= find_ambiguous(type.items[i], true, names);
  }
  return unsettled;
}

/// Makes places of the keys of alternatives, and drops what holds of no place; false if nothing is left.
bool place_alternatives(const LayoutType& type, LayoutException& exception) {
  for (auto at = exception.members.begin(); at != exception.members.end();) {
    const std::string& name = at->first;
    LayoutException& inner = at->second;
    const LayoutType* of = nullptr;
    if (type.kind == Kind::list) {
      const auto found = std::find_if(type.items.begin(), type.items.end(),
                                      [&](const LayoutType& item) { return item.key == inner.key; });
      of = found == type.items.end() ? nullptr : &*found;
      const auto index = static_cast<std::size_t>(found - type.items.begin());
      inner.type = of != nullptr && is_ambiguous(type.items, index) ? std::optional(index) : std::nullopt;
    } else {
      const auto found = std::find_if(type.members.begin(), type.members.end(),
                                      [&](const LayoutMember& member) { return member.name == name; });
      of = found == type.members.end() ? nullptr : &found->type;
    }
    const bool says = of == nullptr || place_alternatives(*of, inner) || inner.says_something();
    at = says ? std::next(at) : exception.members.erase(at);
  }
  return !exception.members.empty();
}

class Recorder : public Inspector {
 public:
  /// `ambiguous`: names of alternatives of which the exceptions are to have the keys.
  Recorder(const Storage& bytes, Layout& layout, const std::set<std::uint64_t>& ambiguous)
      : bytes_(bytes), layout_(layout), ambiguous_(ambiguous) {
    frames_.emplace_back();
    frames_.back().type.kind = Kind::object;
  }

  void begin(std::string_view name, bool is_list, std::uint64_t /*offset*/) override {
    Frame frame;
    frame.name = name.empty() ? "items" : name;
    frame.type.kind = is_list ? Kind::list : Kind::object;
    frames_.push_back(std::move(frame));
  }

  void end(std::uint64_t /*offset*/) override {
    settle(frames_.back());
    Frame frame = std::move(frames_.back());
    frames_.pop_back();
    if (frame.has_bytes) {
      cursor_ = frame.end;
      reach(frames_.back(), frame.end);
    }
    const std::uint64_t end = frame.has_bytes ? frame.end : cursor_;
    const std::size_t count = frame.type.kind == Kind::list ? frame.count : 0;
    add(std::move(frame.name), std::move(frame.type), end, count);
  }

  void leaf(const Leaf& leaf) override {
    LayoutType type;
    type.leaf = type_of(leaf);
    const bool markup = type.leaf.form == Form::markup;
    if (markup && frames_.back().type.kind == Kind::list) {
      // Between items: it goes with the text that comes next.
      between_ += as_chars(leaf_bytes(leaf));
      cursor_ = leaf.offset + leaf.size;
      return;
    }
    const bool hidden = type.leaf.hidden();
    std::string name(hidden ? "#" : "");
    name += leaf.name.empty() ? "items" : leaf.name;
    if (leaf.size > 0) {
      if (leaf.offset != cursor_) {
        exception(name).at = leaf.offset;
      }
      cursor_ = leaf.offset + leaf.size;
      reach(frames_.back(), cursor_);
    }
    if (type.leaf.form == Form::repeated && leaf.size > 0) {
      exception(name).repeated = leaf.size;
    } else if (markup) {
      layout_.markup.push_back(std::exchange(between_, {}) + std::string(as_chars(leaf_bytes(leaf))));
    } else if (type.leaf.is_number()) {
      frames_.back().numbers.push_back({frames_.back().type.members.size(), leaf.offset});
    }
    seal_leaf(type);
    add(std::move(name), std::move(type), cursor_, leaf.count);
  }

  void finish() {
    settle(frames_.back());
    layout_.document = std::move(frames_.back().type);
  }

 private:
  struct Number {
    std::size_t member;
    std::uint64_t offset;
  };
  struct Extent {
    std::uint64_t end;
    std::size_t count;
  };
  struct Frame {
    std::string name = {};
    LayoutType type = {};
    std::uint64_t end = 0;
    bool has_bytes = false;
    std::size_t count = 0;  ///< of a list's items
    std::size_t last = 0;   ///< the alternative that the last of them is
    std::vector<Extent> extents = {};
    std::vector<Number> numbers = {};
  };

  static void reach(Frame& frame, std::uint64_t end) {
    frame.end = frame.has_bytes ? std::max(frame.end, end) : end;
    frame.has_bytes = true;
  }

  void add(std::string&& name, LayoutType&& type, std::uint64_t end, std::size_t count) {
    Frame& frame = frames_.back();
    if (frame.type.kind == Kind::list) {
      const std::uint64_t key = type.key;
      const std::uint64_t name_key = type.name_key;
      const std::size_t index = add_alternative(frame.type.items, std::move(type), frame.last);
      if (!ambiguous_.empty()) {
        note_key(name_key, key);
      } else if (index > 0 && is_ambiguous(frame.type.items, index)) {
        exception(std::to_string(frame.count)).type = index;
      }
      frame.last = index;
      ++frame.count;
      return;
    }
    frame.type.members.push_back({std::move(name), std::move(type)});
    frame.extents.push_back({end, count});
  }

  /// For a member of what is open now; hidden ones go by their number.
  LayoutException& exception(const std::string& name) {
    LayoutException* at = &layout_.exceptions;
    for (std::size_t i = 1; i < frames_.size(); ++i) {
      const bool in_list = frames_[i - 1].type.kind == Kind::list;
      at = &at->members[in_list ? std::to_string(frames_[i - 1].count) : frames_[i].name];
    }
    const Frame& frame = frames_.back();
    if (frame.type.kind == Kind::list) {
      return at->members[std::to_string(frame.count)];
    }
    return at->members[name.front() == '#' ? "#" + std::to_string(frame.type.members.size()) : name];
  }

  /// Of the item that is complete now, if it is one of several that look the same or holds exceptions.
  void note_key(std::uint64_t name_key, std::uint64_t key) {
    const std::string number = std::to_string(frames_.back().count);
    LayoutException* at = &layout_.exceptions;
    for (std::size_t i = 1; i < frames_.size() && at != nullptr; ++i) {
      const bool in_list = frames_[i - 1].type.kind == Kind::list;
      const auto found = at->members.find(in_list ? std::to_string(frames_[i - 1].count) : frames_[i].name);
      at = found == at->members.end() ? nullptr : &found->second;
    }
    if (ambiguous_.contains(name_key) || (at != nullptr && at->members.contains(number))) {
      exception(number).key = key;
    }
  }

  [[nodiscard]] LeafType type_of(const Leaf& leaf) const {
    LeafType type;
    type.kind = leaf.kind;
    type.components = leaf.components;
    type.array = leaf.array;
    switch (leaf.role) {
      case LeafRole::value:
        break;
      case LeafRole::rows:
        type.form = Form::rows;
        break;
      case LeafRole::tag:
        type = {};
        type.form = Form::tag;
        type.bytes = std::string(as_chars(leaf_bytes(leaf)));
        type.reversed = as_chars(stored(leaf.offset, leaf.size)) != type.bytes;
        break;
      case LeafRole::raw:
        type = {};
        type.form = Form::raw;
        break;
      case LeafRole::text:
        return text_type(leaf);
      case LeafRole::structure:
        return hidden_type(leaf);
    }
    return type;
  }

  [[nodiscard]] LeafType text_type(const Leaf& leaf) const {
    LeafType type;
    const ByteView bytes = leaf_bytes(leaf);
    const bool alone = frames_.size() == 1;
    const bool padded = !bytes.empty() && bytes.back() == 0;
    if ((!layout_.markup.empty() || alone) && !padded) {
      type.form = Form::text;
    } else if (leaf.name.empty()) {
      type.form = padded ? Form::ended_text : Form::text;
    } else {
      type.form = Form::fixed_text;
      type.size = leaf.size;
    }
    return type;
  }

  [[nodiscard]] LeafType hidden_type(const Leaf& leaf) const {
    LeafType type;
    constexpr std::uint64_t kWord = 8;
    if (leaf.name == "markup") {
      type.form = Form::markup;
    } else if (leaf.name == "repeated") {
      type.form = Form::repeated;
    } else if (leaf.name == "tag" || leaf.name == "magic" || leaf.size > kWord || leaf.size == 0) {
      type.form = Form::constant;
      type.bytes = std::string(as_chars(stored(leaf.offset, leaf.size)));
    } else {
      type.form = Form::stated;  // until its object is complete
      type.size = leaf.size;
    }
    return type;
  }

  static std::string_view as_chars(ByteView bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }

  /// Until others are requested.
  [[nodiscard]] ByteView stored(std::uint64_t offset, std::uint64_t size) const {
    const std::uint64_t from = std::min<std::uint64_t>(offset, bytes_.size());
    piece_.resize(static_cast<std::size_t>(std::min<std::uint64_t>(size, bytes_.size() - from)));
    if (!bytes_.read(from, piece_)) {
      piece_.clear();
    }
    return piece_;
  }

  /// Determines what the numbers of a complete object state.
  void settle(Frame& frame) {
    for (const Number& number : frame.numbers) {
      LeafType& type = frame.type.members[number.member].type.leaf;
      const ByteView bytes = stored(number.offset, type.size);
      std::uint64_t value = 0;
      for (std::size_t i = bytes.size(); i > 0; --i) {
        value = value << 8U | bytes[i - 1];
      }
      if (!explain(frame, number, value, type)) {
        exception_of_number(number.member).bytes = std::string(as_chars(bytes));
      }
      seal_leaf(frame.type.members[number.member].type);
    }
    seal(frame.type);
  }

  LayoutException& exception_of_number(std::size_t member) {
    LayoutException* at = &layout_.exceptions;
    for (std::size_t i = 1; i < frames_.size(); ++i) {
      const bool in_list = frames_[i - 1].type.kind == Kind::list;
      at = &at->members[in_list ? std::to_string(frames_[i - 1].count) : frames_[i].name];
    }
    return at->members["#" + std::to_string(member)];
  }

  /// Gives the type its usual meaning; false if the number is another.
  static bool explain(const Frame& frame, const Number& number, std::uint64_t value, LeafType& type) {
    const std::string_view name = std::string_view(frame.type.members[number.member].name).substr(1);
    if (has_word(name, "ount")) {
      return explain_count(frame, number, name, value, type);
    }
    if (name == "inclusiveSize") {
      type.form = Form::whole_size;
      return value == frame.end - number.offset;
    }
    if (has_word(name, "ize") || has_word(name, "ength")) {
      return explain_size(frame, number, value, type);
    }
    return false;
  }

  static bool explain_count(const Frame& frame, const Number& number, std::string_view name,
                            std::uint64_t value, LeafType& type) {
    for (std::size_t i = number.member + 1; i < frame.type.members.size(); ++i) {
      const auto& member = frame.type.members[i];
      const bool holds_many =
          member.type.kind == Kind::list || (member.type.kind == Kind::leaf && member.type.leaf.array);
      if (holds_many && counts(name, member.name)) {
        type.form = Form::count;
        type.target = member.name;
        return value == frame.extents[i].count;
      }
    }
    return false;
  }

  static bool explain_size(const Frame& frame, const Number& number, std::uint64_t value, LeafType& type) {
    const std::uint64_t from = number.offset + type.size;
    type.form = Form::size;
    if (from + value == std::max(frame.end, from)) {
      return true;
    }
    for (std::size_t i = number.member + 1; i < frame.type.members.size(); ++i) {
      if (from + value == frame.extents[i].end) {
        type.target = frame.type.members[i].name;
        return true;
      }
    }
    return false;
  }

  const Storage& bytes_;
  mutable Bytes piece_;
  Layout& layout_;
  const std::set<std::uint64_t>& ambiguous_;
  std::vector<Frame> frames_;
  std::uint64_t cursor_ = 0;
  std::string between_;
};

bool printable(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < '\x7F'; });
}

/// "MDLX", or hexadecimal digits.
std::string bytes_text(std::string_view bytes) {
  if (printable(bytes) && bytes.substr(0, 2) != "0x") {
    return std::string(bytes);
  }
  std::string text = "0x";
  append_hex(text, {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
  return text;
}

std::optional<std::string> text_bytes(std::string_view text) {
  if (text.substr(0, 2) != "0x") {
    return std::string(text);
  }
  const auto bytes = bytes_of_hex(text.substr(2));
  return bytes ? std::optional(std::string(bytes->begin(), bytes->end())) : std::nullopt;
}

std::string number_name(std::uint64_t size) { return "u" + std::to_string(size * 8); }

std::string values_text(const LeafType& type) {
  std::string text(kKinds.at(static_cast<std::size_t>(type.kind)));
  if (type.components != 1) {
    text += 'x' + std::to_string(type.components);
  }
  return text + (type.array && type.form == Form::value ? "[]" : "");
}

class LayoutWriter {
 public:
  std::string write(const Layout& layout) {
    out_ = "{\"format\": ";
    append_json_string(out_, layout.format);
    out_ += ",\n    \"document\": ";
    type(layout.document, 2);
    if (!layout.exceptions.members.empty()) {
      out_ += ",\n    \"exceptions\": ";
      exceptions(layout.exceptions);
    }
    if (!layout.markup.empty()) {
      out_ += ",\n    \"markup\": [";
      for (std::size_t i = 0; i < layout.markup.size(); ++i) {
        out_ += i > 0 ? ", " : "";
        markup(layout.markup[i]);
      }
      out_ += ']';
    }
    for (std::size_t i = 0; i < layout.lost.size(); ++i) {
      out_ += i > 0 ? ",\n      " : ",\n    \"lost\": [";
      append_json_string(out_, to_utf8(layout.lost[i]));
    }
    out_ += layout.lost.empty() ? "" : "]";
    return std::move(out_) + "}";
  }

 private:
  void line(unsigned depth) {
    out_ += '\n';
    out_.append(std::size_t{depth} * 2, ' ');
  }

  void markup(const std::string& text) {
    if (to_utf8(text) == text) {
      append_json_string(out_, text);
    } else {
      out_ += R"({"raw": ")";
      append_hex(out_, {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
      out_ += "\"}";
    }
  }

  void type(const LayoutType& type, unsigned depth) {
    if (type.kind == Kind::leaf) {
      append_json_string(out_, leaf_type_text(type.leaf));
    } else if (type.kind == Kind::object) {
      members(type, depth);
    } else {
      out_ += '[';
      for (std::size_t i = 0; i < type.items.size(); ++i) {
        out_ += i > 0 ? "," : "";
        line(depth + 1);
        this->type(type.items[i], depth + 1);
      }
      out_ += ']';
    }
  }

  void members(const LayoutType& type, unsigned depth) {
    out_ += '{';
    std::map<std::string, unsigned, std::less<>> hidden;
    for (std::size_t i = 0; i < type.members.size(); ++i) {
      const auto& member = type.members[i];
      const bool nested = member.type.kind != Kind::leaf;
      out_ += i > 0 ? ", " : "";
      if (nested) {
        line(depth + 1);
      }
      std::string name = member.name;
      if (!nested && member.type.leaf.hidden()) {
        const unsigned times = ++hidden[name];
        name += times > 1 ? std::to_string(times) : "";
      }
      append_json_string(out_, name);
      out_ += ": ";
      this->type(member.type, depth + 1);
    }
    out_ += '}';
  }

  void exceptions(const LayoutException& all) {
    out_ += '{';
    bool first = true;
    const auto name = [&](std::string_view text) {
      out_ += first ? "" : ", ";
      first = false;
      append_json_string(out_, text);
      out_ += ": ";
    };
    const auto number = [&](std::string_view word, const auto& value) {
      if (value) {
        name(word);
        out_ += std::to_string(*value);
      }
    };
    number("$at", all.at);
    number("$repeated", all.repeated);
    number("$type", all.type);
    if (all.bytes) {
      name("$bytes");
      out_ += '"';
      append_hex(out_, {reinterpret_cast<const std::uint8_t*>(all.bytes->data()), all.bytes->size()});
      out_ += '"';
    }
    for (const auto& [member, exception] : all.members) {
      name(member);
      exceptions(exception);
    }
    out_ += '}';
  }

  std::string out_;
};

/// Reads what LayoutWriter wrote.
class LayoutReader {
 public:
  Result<Layout> read(const Value& value) {
    Layout layout;
    layout.format = value["format"].text();
    if (layout.format.empty() || value["document"].object().empty()) {
      return fail(codes::kBuildLayout, "the layout needs a format and a document", {}, "$layout");
    }
    type(value["document"], layout.document);
    exception(value["exceptions"], layout.exceptions);
    for (const Value& text : value["markup"].list()) {
      const auto bytes = bytes_of_hex(text["raw"].text());
      if (!text.text().empty()) {
        layout.markup.push_back(text.text());
      } else if (bytes) {
        layout.markup.emplace_back(bytes->begin(), bytes->end());
      } else {
        wrong("markup");
      }
    }
    for (const Value& text : value["lost"].list()) {
      layout.lost.push_back(text.text());
    }
    return error_.empty() ? Result<Layout>(std::move(layout))
                          : fail(codes::kBuildLayout, error_, {}, "$layout");
  }

 private:
  void wrong(std::string_view what) {
    if (error_.empty()) {
      error_ = "the layout has an invalid " + std::string(what);
    }
  }

  void type(const Value& value, LayoutType& into) {
    if (const auto* list = std::get_if<Value::List>(&value.storage())) {
      into.kind = Kind::list;
      into.items.resize(list->size());
      for (std::size_t i = 0; i < list->size(); ++i) {
        type((*list)[i], into.items[i]);
      }
    } else if (const auto* object = std::get_if<Value::Object>(&value.storage())) {
      into.kind = Kind::object;
      into.members.resize(object->size());
      for (std::size_t i = 0; i < object->size(); ++i) {
        into.members[i].name = (*object)[i].first;
        type((*object)[i].second, into.members[i].type);
        if (into.members[i].type.kind == Kind::leaf && into.members[i].type.leaf.hidden()) {
          auto& name = into.members[i].name;
          name.resize(name.find_last_not_of("0123456789") + 1);
        }
      }
    } else if (!leaf(value.text(), into.leaf)) {
      wrong("type \"" + value.text() + "\"");
    }
    seal(into);
  }

  static bool take(std::string_view& text, std::string_view word) {
    if (text.substr(0, word.size()) != word) {
      return false;
    }
    text.remove_prefix(word.size());
    return true;
  }

  static std::optional<std::uint64_t> take_number(std::string_view& text) {
    constexpr std::uint64_t kMost = 1U << 24U;
    std::uint64_t value = 0;
    std::size_t digits = 0;
    for (; digits < text.size() && text[digits] >= '0' && text[digits] <= '9'; ++digits) {
      value = value * 10 + static_cast<unsigned>(text[digits] - '0');
      if (value > kMost) {
        return std::nullopt;
      }
    }
    text.remove_prefix(digits);
    return digits > 0 ? std::optional(value) : std::nullopt;
  }

  /// "f32x3[]".
  static bool values(std::string_view text, LeafType& into) {
    // The longest first would matter only if one began another.
    for (std::size_t i = 0; i < kKinds.size(); ++i) {
      std::string_view rest = text;
      if (!take(rest, kKinds.at(i))) {
        continue;
      }
      into.kind = static_cast<ScalarKind>(i);
      if (take(rest, "x")) {
        const auto components = take_number(rest);
        if (!components || *components == 0 || *components > 65536) {
          return false;
        }
        into.components = static_cast<unsigned>(*components);
      }
      into.array = take(rest, "[]");
      if (rest.empty()) {
        return true;
      }
    }
    return false;
  }

  static bool number(std::string_view text, LeafType& into) {
    const auto bits = take(text, "u") ? take_number(text) : std::nullopt;
    if (!bits || *bits == 0 || *bits % 8 != 0 || *bits > 64) {
      return false;
    }
    into.size = *bits / 8;
    if (take(text, " count of ")) {
      into.form = Form::count;
    } else if (text == " whole size" || text == " stated") {
      into.form = text == " stated" ? Form::stated : Form::whole_size;
      text = {};
    } else if (take(text, " size to ") || text == " size") {
      into.form = Form::size;
      text = text == " size" ? std::string_view() : text;
    } else {
      return false;
    }
    into.target = std::string(text);
    return true;
  }

  static bool leaf(std::string_view text, LeafType& into) {
    const auto with_bytes = [&](Form form) {
      const auto bytes = text_bytes(text);
      into.form = form;
      into.bytes = bytes.value_or("");
      return bytes.has_value();
    };
    const auto simple = [&](Form form) {
      into.form = form;
      return true;
    };
    if (text == "raw") {
      return simple(Form::raw);
    }
    if (text == "text") {
      return simple(Form::text);
    }
    if (text == "text with NUL") {
      return simple(Form::ended_text);
    }
    if (text == "repeated") {
      return simple(Form::repeated);
    }
    if (text == "markup") {
      return simple(Form::markup);
    }
    if (take(text, "text ")) {
      const auto size = take_number(text);
      into.form = Form::fixed_text;
      into.size = size.value_or(0);
      return size && text.empty();
    }
    into.reversed = take(text, "reversed ");
    if (take(text, "tag ")) {
      return with_bytes(Form::tag);
    }
    if (take(text, "is ")) {
      return with_bytes(Form::constant);
    }
    if (take(text, "rows ")) {
      into.form = Form::rows;
      const bool known = values(text, into) && !into.array;
      into.array = true;
      return known;
    }
    return values(text, into) || number(text, into);
  }

  void exception(const Value& value, LayoutException& into) {
    for (const auto& field : value.object()) {
      const std::string& name = field.first;
      const Value& member = field.second;
      const auto number = [&]() -> std::optional<std::uint64_t> {
        const auto integer = member.integer();
        if (!integer || *integer < 0) {
          wrong(name);
          return std::nullopt;
        }
        return static_cast<std::uint64_t>(*integer);
      };
      if (name == "$at") {
        into.at = number();
      } else if (name == "$repeated") {
        into.repeated = number();
      } else if (name == "$type") {
        into.type = number();
      } else if (name == "$bytes") {
        const auto bytes = bytes_of_hex(member.text());
        into.bytes = bytes ? std::string(bytes->begin(), bytes->end()) : "";
      } else {
        exception(member, into.members[name]);
      }
    }
  }

  std::string error_;
};

/// Members of one name hold the alternatives of both.
void unite_types(LayoutType& into, const LayoutType& from) {
  for (const auto& member : from.members) {
    const auto found = std::find_if(into.members.begin(), into.members.end(),
                                    [&](const auto& existing) { return existing.name == member.name; });
    if (found != into.members.end() && found->type.kind == member.type.kind &&
        member.type.kind != Kind::leaf) {
      unite_types(found->type, member.type);
    }
  }
  if (into.kind == Kind::list && from.kind == Kind::list) {
    for (const auto& item : from.items) {
      add_alternative(into.items, LayoutType(item), 0);
    }
  }
}

}  // namespace

std::string leaf_type_text(const LeafType& type) {
  switch (type.form) {
    case Form::value:
      return values_text(type);
    case Form::rows:
      return "rows " + values_text(type);
    case Form::fixed_text:
      return "text " + std::to_string(type.size);
    case Form::ended_text:
      return "text with NUL";
    case Form::text:
      return "text";
    case Form::tag:
      return (type.reversed ? "reversed tag " : "tag ") + bytes_text(type.bytes);
    case Form::raw:
      return "raw";
    case Form::constant:
      return "is " + bytes_text(type.bytes);
    case Form::repeated:
      return "repeated";
    case Form::markup:
      return "markup";
    case Form::count:
      return number_name(type.size) + " count of " + type.target;
    case Form::size:
      return number_name(type.size) + " size" + (type.target.empty() ? "" : " to " + type.target);
    case Form::whole_size:
      return number_name(type.size) + " whole size";
    case Form::stated:
      return number_name(type.size) + " stated";
  }
  return "raw";
}

Layout layout_of(const Inspection& inspection, const Storage& bytes, std::string_view format) {
  const auto recorded = [&](const std::set<std::uint64_t>& ambiguous) {
    Layout layout;
    layout.format = std::string(format);
    Recorder recorder(bytes, layout, ambiguous);
    inspection(recorder);
    recorder.finish();
    return layout;
  };
  Layout layout = recorded({});
  std::set<std::uint64_t> ambiguous;
  if (find_ambiguous(layout.document, false, ambiguous)) {
    layout = recorded(ambiguous);
    place_alternatives(layout.document, layout.exceptions);
  }
  return layout;
}

std::string layout_json(const Layout& layout) { return LayoutWriter().write(layout); }

Result<Layout> layout_from_json(const Value& value) { return LayoutReader().read(value); }

void unite(Layout& layout, const Layout& other) { unite_types(layout.document, other.document); }

}  // namespace thaw
