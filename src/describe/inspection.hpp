// The visitor that shows a document to an Inspector.
#pragma once

#include <thaw/inspect.hpp>

#include "describe/description.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace thaw {

template <class Context>
class InspectionVisitor {
 public:
  static constexpr bool kReads = false;

  InspectionVisitor(Inspector& inspector, Context context)
      : inspector_(inspector), context_(std::move(context)) {}

  [[nodiscard]] Context& context() { return context_; }
  [[nodiscard]] Inspector& inspector() { return inspector_; }
  [[nodiscard]] std::uint64_t here() const { return offset_; }

  template <class T>
  void field(const char* name, const T& value) {
    Leaf leaf = plain<T>(name, &value, 1);
    if constexpr (std::is_same_v<T, decltype(FourCC::bytes)>) {
      leaf.role = LeafRole::tag;
    }
    emit(leaf);
  }
  template <std::size_t N>
  void text(const char* name, const FixedText<N>& value) {
    Leaf leaf;
    leaf.name = name;
    leaf.role = LeafRole::text;
    leaf.size = N;
    leaf.data = value.raw.data();
    emit(leaf);
  }
  void tag(FourCC tag) { structure("tag", tag.bytes.size()); }

  template <class T>
  void bulk(const char* name, const Array<T>& values, std::size_t /*count*/) {
    Leaf leaf = plain<T>(name, values.data(), values.size());
    leaf.array = true;
    emit(leaf);
  }
  template <class T>
  void counted(const char* name, const Array<T>& values) {
    structure("count", sizeof(std::uint32_t));
    bulk(name, values, values.size());
  }
  /// What is counted in bytes is texts.
  void counted(const char* name, const Array<char>& texts) {
    structure("size", sizeof(std::uint32_t));
    strings(name, texts, texts.size());
  }
  void strings(const char* name, const Array<char>& texts, std::size_t /*size*/) {
    inspector_.begin(name, true, offset_);
    for (const char *from = texts.data(), *end = from + texts.size(); from != end;) {
      const char* nul = std::find(from, end, '\0');
      Leaf leaf;
      leaf.role = LeafRole::text;
      leaf.size = static_cast<std::uint64_t>(nul - from) + (nul == end ? 0U : 1U);
      leaf.data = from;
      from += leaf.size;
      emit(leaf);
    }
    inspector_.end(offset_);
  }
  void rows(const char* name, const Array<std::uint32_t>& words, Columns columns, std::size_t /*count*/) {
    Leaf leaf = plain<std::uint32_t>(name, words.data(), words.size());
    leaf.role = LeafRole::rows;
    leaf.kind = columns.kind;
    leaf.components = columns.scalars;
    leaf.count = words.size() / columns.words();
    leaf.array = true;
    emit(leaf);
  }

  template <class T>
  void object(const char* name, const T& value) {
    inspector_.begin(name, false, offset_);
    describe(*this, value);
    inspector_.end(offset_);
  }
  template <class F>
  void group(const char* name, F&& body) {
    inspector_.begin(name, false, offset_);
    std::forward<F>(body)();
    inspector_.end(offset_);
  }
  template <class T>
  void counted_list(const char* name, const std::vector<T>& items) {
    structure("count", sizeof(std::uint32_t));
    objects(name, items);
  }
  template <class T>
  void list(const char* name, const std::vector<T>& items, std::size_t /*count*/) {
    objects(name, items);
  }
  template <class T, std::size_t N>
  void array_of(const char* name, const std::array<T, N>& items) {
    inspector_.begin(name, true, offset_);
    for (const auto& item : items) {
      if (inspector_.stopped()) {
        break;
      }
      object("", item);
    }
    inspector_.end(offset_);
  }
  template <class T>
  void records(const char* name, const std::vector<T>& items) {
    objects(name, items);
  }
  template <class T>
  void objects(const char* name, const std::vector<T>& items) {
    inspector_.begin(name, true, offset_);
    for (const auto& item : items) {
      if (inspector_.stopped()) {
        break;
      }
      object("", item);
    }
    inspector_.end(offset_);
  }

  template <class T, class F>
  void list_of(const char* name, const std::vector<T>& items, F&& body) {
    inspector_.begin(name, true, offset_);
    for (const auto& item : items) {
      if (inspector_.stopped()) {
        break;
      }
      inspector_.begin("", false, offset_);
      body(item);
      inspector_.end(offset_);
    }
    inspector_.end(offset_);
  }

  template <class F>
  void sized(const Remainder& remainder, std::size_t /*min_size*/, F&& body) {
    if (remainder.replaces_fields()) {
      raw("damaged", remainder.bytes);
      return;
    }
    structure("inclusiveSize", sizeof(std::uint32_t));
    std::forward<F>(body)();
    raw("remainder", remainder.bytes);
  }
  template <class F>
  void sized24(const Remainder& remainder, const std::uint8_t& high_byte, std::size_t /*min_size*/,
               F&& body) {
    if (remainder.replaces_fields()) {
      raw("damaged", remainder.bytes);
      return;
    }
    structure("inclusiveSize", sizeof(std::uint32_t) - 1);
    field("variant", high_byte);
    std::forward<F>(body)();
    raw("remainder", remainder.bytes);
  }

  template <class T, class F>
  T choose(const T& stored, F&& /*decide*/) {
    return stored;
  }
  [[nodiscard]] bool next_is(FourCC /*tag*/, bool stored) const { return stored; }

  template <class F>
  void payload(const Remainder& remainder, FourCC /*tag*/, std::size_t /*size*/, F&& body) {
    if (!remainder.replaces_fields()) {
      std::forward<F>(body)();
    }
    raw(remainder.replaces_fields() ? "damaged" : "remainder", remainder.bytes);
  }

  template <class F>
  void region(F&& body) {
    const std::uint64_t outer_start = std::exchange(region_start_, offset_);
    const std::uint64_t outer_reached = std::exchange(reached_, offset_);
    std::forward<F>(body)();
    offset_ = std::max(reached_, offset_);
    reached_ = std::max(outer_reached, offset_);
    region_start_ = outer_start;
  }
  [[nodiscard]] std::uint64_t offset() const { return offset_ - region_start_; }

  template <class F>
  void block(const char* name, std::uint64_t at, std::uint64_t /*size*/, F&& body) {
    const std::uint64_t outer = std::exchange(offset_, region_start_ + at);
    inspector_.begin(name, false, offset_);
    std::forward<F>(body)();
    inspector_.end(offset_);
    reached_ = std::max(reached_, offset_);
    offset_ = outer;
  }
  template <class F>
  void blocks(const char* name, std::size_t count, F&& each) {
    inspector_.begin(name, true, offset_);
    for (std::size_t i = 0; i < count && !inspector_.stopped(); ++i) {
      each(i);
    }
    inspector_.end(offset_);
  }
  void gaps(const char* name, const std::vector<Gap>& gaps) {
    const std::uint64_t outer = offset_;
    inspector_.begin(name, true, offset_);
    for (const auto& gap : gaps) {
      offset_ = region_start_ + gap.offset;
      raw("", gap.bytes);
      reached_ = std::max(reached_, offset_);
    }
    offset_ = outer;
    inspector_.end(offset_);
  }
  void preserved(const char* name, const Bytes& bytes) { raw(name, bytes); }
  void expect_at(const char* /*name*/, std::uint64_t /*stated*/) {}
  void size_word(const char* name, const std::optional<std::uint32_t>& stated) {
    if (stated) {
      field("statedSize", *stated);
    } else {
      structure(name, sizeof(std::uint32_t));
    }
  }
  void patch(std::uint64_t /*at*/, std::uint64_t /*size*/) {}

  /// Bytes that are kept and not understood.
  void raw(const char* name, const Bytes& bytes) {
    if (!bytes.empty()) {
      Leaf leaf = plain<std::uint8_t>(name, bytes.data(), bytes.size());
      leaf.role = LeafRole::raw;
      leaf.array = true;
      emit(leaf);
    }
  }

  /// Bytes that the other fields determine.
  void structure(const char* name, std::size_t size) {
    Leaf leaf;
    leaf.name = name;
    leaf.role = LeafRole::structure;
    leaf.size = size;
    emit(leaf);
  }

 private:
  template <class T>
  static Leaf plain(const char* name, const void* data, std::size_t count) {
    Leaf leaf;
    leaf.name = name;
    leaf.kind = scalar_kind<T>();
    // Not an array's length: a scalar is its own component.
    leaf.components =
        static_cast<unsigned>(sizeof(T) / sizeof(Scalar<T>));  // NOLINT(bugprone-sizeof-expression)
    leaf.count = count;
    leaf.size = count * sizeof(T);
    leaf.data = data;
    return leaf;
  }

  void emit(Leaf& leaf) {
    leaf.offset = offset_;
    offset_ += leaf.size;
    inspector_.leaf(leaf);
  }

  Inspector& inspector_;
  Context context_;
  std::uint64_t offset_ = 0;
  std::uint64_t region_start_ = 0;
  std::uint64_t reached_ = 0;
};

}  // namespace thaw
