#include <thaw/control.hpp>
#include <thaw/inspect.hpp>

#include "bytes/text_encoding.hpp"
#include "describe/json_writer.hpp"
#include "describe/scalars.hpp"

#include <algorithm>

namespace thaw {
namespace {

/// Objects and lists of objects are indented, one member per line; arrays of numbers stand on one line.
class JsonDump : public Inspector {
 public:
  explicit JsonDump(const TextSink& sink, const Control* control = nullptr) : sink_(sink), control_(control) {
    open('{', false);
  }

  void begin(std::string_view name, bool is_list, std::uint64_t /*offset*/) override {
    start_member(name);
    open(is_list ? '[' : '{', is_list);
  }
  void end(std::uint64_t /*offset*/) override {
    close();
    flush(kPiece);
  }
  [[nodiscard]] bool stopped() const override { return ended_ || is_stopped(control_); }

  void leaf(const Leaf& leaf) override {
    if (leaf.role == LeafRole::structure) {
      return;
    }
    start_member(leaf.name);
    switch (leaf.role) {
      case LeafRole::rows:
        rows(leaf);
        break;
      case LeafRole::tag:
      case LeafRole::text:
        text(leaf);
        break;
      case LeafRole::raw:
        raw(leaf_bytes(leaf));
        break;
      default:
        values(leaf);
        break;
    }
    flush(kPiece);
  }

  /// False if the sink ended it, or somebody else.
  bool finish() {
    close();
    out_ += '\n';
    flush(0);
    return !stopped();
  }

 private:
  static constexpr std::size_t kPiece = 65536;

  /// Hands over what there is, if it is more than this; what was ended keeps nothing either.
  void flush(std::size_t size) {
    if (out_.size() > size) {
      ended_ = stopped() || !sink_(out_);
      out_.clear();
    }
  }

  struct Level {
    bool is_list = false;
    bool empty = true;
  };

  void open(char bracket, bool is_list) {
    out_ += bracket;
    levels_.push_back({is_list, true});
  }

  void close() {
    const Level level = levels_.back();
    levels_.pop_back();
    if (!level.empty) {
      new_line();
    }
    out_ += level.is_list ? ']' : '}';
  }

  void new_line() {
    out_ += '\n';
    out_.append(levels_.size() * 2, ' ');
  }

  void start_member(std::string_view name) {
    Level& level = levels_.back();
    if (!level.empty) {
      out_ += ',';
    }
    level.empty = false;
    new_line();
    if (!level.is_list) {
      append_json_string(out_, name.empty() ? "items" : name);
      out_ += ": ";
    }
  }

  void scalar(ScalarKind kind, const std::uint8_t* from) {
    const std::size_t start = out_.size();
    if (!append_scalar(out_, kind, from)) {
      out_.insert(start, 1, '"');
      out_ += '"';
    }
  }

  void vector(ScalarKind kind, unsigned components, const std::uint8_t* from) {
    out_ += '[';
    for (unsigned i = 0; i < components; ++i) {
      out_ += i > 0 ? ", " : "";
      scalar(kind, from + i * scalar_size(kind));
    }
    out_ += ']';
  }

  void values(const Leaf& leaf) {
    const auto* at = leaf_bytes(leaf).data();
    const std::size_t element = leaf.components * scalar_size(leaf.kind);
    const auto one = [&] {
      if (leaf.components == 1) {
        scalar(leaf.kind, at);
      } else {
        vector(leaf.kind, leaf.components, at);
      }
      at += element;
    };
    if (!leaf.array) {
      one();
      return;
    }
    out_ += '[';
    for (std::size_t i = 0; i < leaf.count && !ended_; ++i) {
      out_ += i > 0 ? ", " : "";
      one();
      flush(kPiece);
    }
    out_ += ']';
  }

  void rows(const Leaf& leaf) {
    const auto* at = leaf_bytes(leaf).data();
    out_ += '[';
    for (std::size_t row = 0; row < leaf.count && !ended_; ++row) {
      out_ += row > 0 ? ", [" : "[";
      scalar(ScalarKind::i32, at);
      at += scalar_size(ScalarKind::i32);
      for (unsigned i = 0; i < leaf.components; ++i) {
        out_ += ", ";
        scalar(leaf.kind, at);
        at += scalar_size(leaf.kind);
      }
      out_ += ']';
      flush(kPiece);
    }
    out_ += ']';
  }

  /// A plain string if it stands for all of the bytes, else with the bytes next to it.
  void text(const Leaf& leaf) {
    const ByteView bytes = leaf_bytes(leaf);
    const std::string text = leaf_text(leaf);
    const bool same = text.size() <= bytes.size() &&
                      std::equal(text.begin(), text.end(), bytes.begin(), [](char c, std::uint8_t byte) {
                        return static_cast<std::uint8_t>(c) == byte;
                      });
    const bool clean = same && std::all_of(bytes.begin() + static_cast<std::ptrdiff_t>(text.size()),
                                           bytes.end(), [](std::uint8_t byte) { return byte == 0; });
    if (clean) {
      append_json_string(out_, text);
      return;
    }
    out_ += "{\"text\": ";
    append_json_string(out_, text);
    out_ += R"(, "raw": ")";
    append_hex(out_, bytes);
    out_ += "\"}";
  }

  void raw(ByteView bytes) {
    out_ += R"({"raw": ")";
    for (ByteView rest = bytes; !rest.empty() && !ended_;) {
      const ByteView piece = rest.first(std::min(kPiece, rest.size()));
      append_hex(out_, piece);
      rest = rest.subspan(piece.size());
      flush(kPiece);
    }
    out_ += "\"}";
  }

  const TextSink& sink_;
  const Control* control_;
  std::string out_;  ///< what was not handed over yet
  bool ended_ = false;
  std::vector<Level> levels_;
};

}  // namespace

void append_json_string(std::string& out, std::string_view text) {
  constexpr std::string_view kHex = "0123456789abcdef";
  out += '"';
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte >= 0x20 && byte != 0x7F) {
      out += c;
    } else if (c == '\n' || c == '\r' || c == '\t') {
      out += '\\';
      out += c == '\n' ? 'n' : c == '\r' ? 'r' : 't';
    } else {
      out += "\\u00";
      out += kHex[byte >> 4U];
      out += kHex[byte & 0xFU];
    }
  }
  out += '"';
}

std::string dump_json(const Inspection& inspection) {
  std::string text;
  dump_json(inspection, [&](std::string_view piece) {
    text += piece;
    return true;
  });
  return text;
}

bool dump_json(const Inspection& inspection, const TextSink& sink, const Control* control) {
  JsonDump dump(sink, control);
  inspection(dump);
  return dump.finish();
}

}  // namespace thaw
