// The visitor that writes: once over a counting sink for the exact size, once over a buffer of that size.
#pragma once

#include <thaw/bytes.hpp>

#include "describe/description.hpp"

#include <optional>
#include <utility>

namespace thaw {

/// Counts what would be written.
class MeasureSink {
 public:
  void put(const void* /*from*/, std::size_t size) { advance(size); }
  template <class T>
  void put_plain(const T* /*from*/, std::size_t count) {
    advance(count * sizeof(T));
  }
  void patch(std::uint64_t /*at*/, std::uint32_t /*word*/) {}
  void seek(std::uint64_t at) {
    pos_ = at;
    reached_ = std::max(reached_, pos_);
  }
  [[nodiscard]] std::uint64_t here() const { return pos_; }
  /// The furthest place that was written to since it was last set.
  [[nodiscard]] std::uint64_t reached() const { return reached_; }
  void set_reached(std::uint64_t at) { reached_ = at; }

 private:
  void advance(std::uint64_t size) { seek(pos_ + size); }

  std::uint64_t pos_ = 0;
  std::uint64_t reached_ = 0;
};

/// Writes into a buffer that a MeasureSink has shown to be large enough.
class BufferSink {
 public:
  explicit BufferSink(std::uint8_t* begin) : begin_(begin), pos_(begin) {}

  void put(const void* from, std::size_t size) {
    if (size != 0) {
      std::memcpy(pos_, from, size);
    }
    pos_ += size;
  }
  template <class T>
  void put_plain(const T* from, std::size_t count) {
    copy_plain<T>(pos_, from, count);
    pos_ += count * sizeof(T);
  }
  void patch(std::uint64_t at, std::uint32_t word) { copy_plain<std::uint32_t>(begin_ + at, &word, 1); }
  void seek(std::uint64_t at) {
    reached_ = reached();
    pos_ = begin_ + at;
  }
  [[nodiscard]] std::uint64_t here() const { return static_cast<std::uint64_t>(pos_ - begin_); }
  [[nodiscard]] std::uint64_t reached() const { return std::max(reached_, here()); }
  void set_reached(std::uint64_t at) { reached_ = at; }

 private:
  std::uint8_t* begin_;
  std::uint8_t* pos_;
  std::uint64_t reached_ = 0;
};

template <class Context, class Sink>
class Writer {
 public:
  static constexpr bool kReads = false;

  Writer(Sink& sink, Context context) : sink_(sink), context_(std::move(context)) {}

  [[nodiscard]] Context& context() { return context_; }
  [[nodiscard]] std::uint64_t here() const { return sink_.here(); }

  template <class T>
  void field(const char* /*name*/, const T& value) {
    sink_.put_plain(&value, 1);
  }
  template <std::size_t N>
  void text(const char* /*name*/, const FixedText<N>& value) {
    sink_.put(value.raw.data(), N);
  }
  void tag(FourCC tag) { sink_.put(tag.bytes.data(), tag.bytes.size()); }

  template <class T>
  void bulk(const char* /*name*/, const Array<T>& values, std::size_t /*count*/) {
    sink_.put_plain(values.data(), values.size());
  }
  template <class T>
  void counted(const char* name, const Array<T>& values) {
    field(name, static_cast<std::uint32_t>(values.size()));
    bulk(name, values, values.size());
  }
  void strings(const char* name, const Array<char>& texts, std::size_t size) { bulk(name, texts, size); }
  void rows(const char* name, const Array<std::uint32_t>& words, Columns /*columns*/, std::size_t count) {
    bulk(name, words, count);
  }

  template <class T>
  void object(const char* /*name*/, const T& value) {
    describe(*this, value);
  }
  template <class F>
  void group(const char* /*name*/, F&& body) {
    std::forward<F>(body)();
  }
  template <class T>
  void counted_list(const char* name, const std::vector<T>& items) {
    field(name, static_cast<std::uint32_t>(items.size()));
    objects(name, items);
  }
  template <class T>
  void list(const char* name, const std::vector<T>& items, std::size_t /*count*/) {
    objects(name, items);
  }
  template <class T, std::size_t N>
  void array_of(const char* /*name*/, const std::array<T, N>& items) {
    for (const auto& item : items) {
      describe(*this, item);
    }
  }
  template <class T>
  void records(const char* name, const std::vector<T>& items) {
    objects(name, items);
  }
  template <class T>
  void objects(const char* /*name*/, const std::vector<T>& items) {
    for (const auto& item : items) {
      describe(*this, item);
    }
  }

  template <class T, class F>
  void list_of(const char* /*name*/, const std::vector<T>& items, F&& body) {
    for (const auto& item : items) {
      body(item);
    }
  }

  template <class F>
  void sized(const Remainder& remainder, std::size_t min_size, F&& body) {
    sized24(remainder, 0, min_size, std::forward<F>(body));
  }
  template <class F>
  void sized24(const Remainder& remainder, std::uint8_t high_byte, std::size_t /*min_size*/, F&& body) {
    if (!remainder.replaces_fields()) {
      const std::uint64_t start = here();
      field("inclusiveSize", std::uint32_t{0});
      std::forward<F>(body)();
      put(remainder.bytes);
      const auto size = static_cast<std::uint32_t>(here() - start);
      sink_.patch(start, size | static_cast<std::uint32_t>(high_byte) << 24U);
    } else {
      put(remainder.bytes);
    }
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
    put(remainder.bytes);
  }

  template <class F>
  void region(F&& body) {
    const std::uint64_t outer_start = std::exchange(region_start_, here());
    const std::uint64_t outer_reached = sink_.reached();
    sink_.set_reached(here());
    std::forward<F>(body)();
    const std::uint64_t end = sink_.reached();
    sink_.seek(end);
    sink_.set_reached(std::max(outer_reached, end));
    region_start_ = outer_start;
  }
  [[nodiscard]] std::uint64_t offset() const { return here() - region_start_; }

  template <class F>
  void block(const char* /*name*/, std::uint64_t at, std::uint64_t /*size*/, F&& body) {
    const std::uint64_t outer = here();
    sink_.seek(region_start_ + at);
    std::forward<F>(body)();
    sink_.seek(outer);
  }
  template <class F>
  void blocks(const char* /*name*/, std::size_t count, F&& each) {
    for (std::size_t i = 0; i < count; ++i) {
      each(i);
    }
  }
  void gaps(const char* /*name*/, const std::vector<Gap>& gaps) {
    const std::uint64_t outer = here();
    for (const auto& gap : gaps) {
      sink_.seek(region_start_ + gap.offset);
      put(gap.bytes);
    }
    sink_.seek(outer);
  }
  /// Bytes that nothing describes.
  void preserved(const char* /*name*/, const Bytes& bytes) { put(bytes); }
  void expect_at(const char* /*name*/, std::uint64_t /*stated*/) {}

  /// A size word as it is stated, or one to be set by `patch`.
  void size_word(const char* name, const std::optional<std::uint32_t>& stated) {
    field(name, stated.value_or(0));
  }
  /// Sets a size word that was written before what it measures.
  void patch(std::uint64_t at, std::uint64_t size) { sink_.patch(at, static_cast<std::uint32_t>(size)); }

 private:
  void put(const Bytes& bytes) { sink_.put(bytes.data(), bytes.size()); }

  Sink& sink_;
  Context context_;
  std::uint64_t region_start_ = 0;
};

/// The bytes of a document: `body` is called with a writer over either sink.
template <class Context, class F>
Bytes write_document(const Context& context, F&& body) {
  MeasureSink measure;
  Writer<Context, MeasureSink> measuring(measure, context);
  body(measuring);
  Bytes bytes(measure.reached());
  BufferSink buffer(bytes.data());
  Writer<Context, BufferSink> writing(buffer, context);
  body(writing);
  return bytes;
}

}  // namespace thaw
