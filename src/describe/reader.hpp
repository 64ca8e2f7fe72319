// The visitor that reads. It keeps the first failure of a scope and then yields zeros, so that descriptions
// have no error branches; the innermost container whose extent is known keeps the damaged bytes raw and
// reading goes on.
#pragma once

#include <thaw/bytes.hpp>
#include <thaw/codes.hpp>
#include <thaw/control.hpp>
#include <thaw/diagnostics.hpp>
#include <thaw/options.hpp>

#include "bytes/number_text.hpp"
#include "bytes/text.hpp"
#include "describe/description.hpp"
#include "describe/limits.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace thaw {

/// `Context` is what a format's descriptions need to know of the file around them (its version, mostly).
template <class Context>
class Reader {
 public:
  static constexpr bool kReads = true;

  Reader(ByteView bytes, Context context, const ReadOptions& options, Diagnostics& diagnostics)
      : begin_(bytes.data()),
        pos_(bytes.data()),
        end_(bytes.data() + bytes.size()),
        region_{begin_, end_, {}},
        input_size_(bytes.size()),
        looked_up_(bytes.data()),
        context_(std::move(context)),
        options_(options),
        diagnostics_(diagnostics) {}

  [[nodiscard]] Context& context() { return context_; }
  [[nodiscard]] bool failed() const { return failed_; }
  [[nodiscard]] bool strict() const { return options_.strict; }
  [[nodiscard]] const std::optional<Error>& failure() const { return failure_; }
  [[nodiscard]] std::size_t left() const { return static_cast<std::size_t>(end_ - pos_); }
  [[nodiscard]] ByteView rest() const { return {pos_, left()}; }
  /// Absolute offset of the next byte.
  [[nodiscard]] std::uint64_t here() const { return offset_of(pos_); }

  // --- scalars, arrays, text
  // ------------------------------------------------------------------------------------

  template <class T>
  void field(const char* name, T& value) {
    if (left() < sizeof(T)) [[unlikely]] {
      value = T{};
      fail_truncated(name, sizeof(T));
      return;
    }
    copy_plain<T>(&value, pos_, 1);
    pos_ += sizeof(T);
  }

  template <std::size_t N>
  void text(const char* name, FixedText<N>& value) {
    field(name, value.raw);
    if (!failed_ && value.raw.back() != '\0' && !value.terminated()) [[unlikely]] {
      note(codes::kTextUnterminated, name, "the string has no terminating NUL; its whole field is read");
    }
  }

  void tag(FourCC expected) {
    FourCC found;
    if (left() >= sizeof found.bytes) {
      std::memcpy(found.bytes.data(), pos_, sizeof found.bytes);
    }
    if (found != expected) [[unlikely]] {
      fail(codes::kTagExpected, expected.text().c_str(),
           "expected " + expected.text() + ", found " + found.text());
      return;
    }
    pos_ += sizeof found.bytes;
  }

  template <class T>
  void bulk(const char* name, Array<T>& values, std::size_t count) {
    if (count > left() / sizeof(T)) [[unlikely]] {
      fail_count(name, count, sizeof(T));
      return;
    }
    values = Array<T>(count);
    copy_plain<T>(values.data(), pos_, count);
    pos_ += count * sizeof(T);
  }

  template <class T>
  void counted(const char* name, Array<T>& values) {
    std::uint32_t count = 0;
    field(name, count);
    bulk(name, values, count);
  }

  void strings(const char* name, Array<char>& texts, std::size_t size) { bulk(name, texts, size); }

  void rows(const char* name, Array<std::uint32_t>& words, Columns columns, std::size_t count) {
    if (count > left() / (columns.words() * sizeof(std::uint32_t))) [[unlikely]] {
      fail_count(name, count, columns.words() * sizeof(std::uint32_t));
      return;
    }
    bulk(name, words, count * columns.words());
  }

  // --- structures
  // -----------------------------------------------------------------------------------------------

  template <class T>
  void object(const char* name, T& value) {
    const Scope scope(*this, name);
    describe(*this, value);
  }

  template <class F>
  void group(const char* name, F&& body) {
    const Scope scope(*this, name);
    std::forward<F>(body)();
  }

  template <class T>
  void counted_list(const char* name, std::vector<T>& items) {
    std::uint32_t count = 0;
    field(name, count);
    list(name, items, count);
  }

  template <class T>
  void list(const char* name, std::vector<T>& items, std::size_t count) {
    if (count > left() / T::kMinSize) [[unlikely]] {
      fail_count(name, count, T::kMinSize);
      return;
    }
    items.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
      const Scope scope(*this, name, i);
      describe(*this, items[i]);
      if (failed_) [[unlikely]] {
        items.resize(i);
        return;
      }
    }
  }

  template <class T, std::size_t N>
  void array_of(const char* name, std::array<T, N>& items) {
    for (std::size_t i = 0; i < N; ++i) {
      const Scope scope(*this, name, i);
      describe(*this, items[i]);
    }
  }

  template <class T>
  void records(const char* name, std::vector<T>& items) {
    list(name, items, left() / T::kRecordSize);
  }

  template <class T>
  void objects(const char* name, std::vector<T>& items) {
    if constexpr (requires { T::kSizedFrom; }) {
      items.reserve(count_sized(T::kSizedFrom));
    } else if constexpr (requires { T::kUsualCount; }) {
      items.reserve(std::min(T::kUsualCount, left() / T::kMinSize));
    }
    while (pos_ < end_ && !failed_) {
      const auto* start = pos_;
      const Scope scope(*this, name, items.size());
      describe(*this, items.emplace_back());
      if (!failed_ && pos_ == start) [[unlikely]] {
        fail(codes::kSizeInvalid, "", "an item of the list has a size of 0");
      }
      if (failed_) [[unlikely]] {
        items.pop_back();
        resume_ = start;
      }
    }
  }

  template <class F>
  void sized(Remainder& remainder, std::size_t min_size, F&& body) {
    std::uint8_t ignored = 0;
    sized_word(remainder, ignored, 0xFFFFFFFFU, min_size, std::forward<F>(body));
  }

  /// As `sized`, for the one structure whose size word carries a byte of its own above 24 bits of size.
  template <class F>
  void sized24(Remainder& remainder, std::uint8_t& high_byte, std::size_t min_size, F&& body) {
    sized_word(remainder, high_byte, 0x00FFFFFFU, min_size, std::forward<F>(body));
  }

  // --- decisions
  // ------------------------------------------------------------------------------------------------

  template <class T, class F>
  T choose(const T& /*stored*/, F&& decide) {
    return std::forward<F>(decide)(rest());
  }

  [[nodiscard]] bool next_is(FourCC tag, bool /*stored*/) const {
    return left() >= sizeof tag.bytes && std::memcmp(pos_, tag.bytes.data(), sizeof tag.bytes) == 0;
  }

  // --- chunks
  // ---------------------------------------------------------------------------------------------------

  /// A chunk's payload of `size` bytes. What the body leaves over, or could not read, goes into the
  /// remainder, which replaces the fields if no list said how far they are good.
  template <class F>
  void payload(Remainder& remainder, FourCC tag, std::size_t size, F&& body) {
    const Scope scope(*this, tag);
    const auto* start = pos_;
    const auto* outer_end = std::exchange(end_, pos_ + std::min(size, left()));
    const auto* chunk_end = end_;
    const auto* outer_resume = std::exchange(resume_, nullptr);
    look_up();
    std::forward<F>(body)();
    const auto* resume = std::exchange(resume_, outer_resume);
    end_ = outer_end;
    if (failed_) [[unlikely]] {
      if (gives_up()) {
        pos_ = end_;
        return;
      }
      release_failure(resume == nullptr ? "; the chunk is preserved as bytes"
                                        : "; the rest of the chunk is preserved as bytes");
      if (resume == nullptr) {
        remainder.state = Remainder::State::replaces_fields;
      }
      pos_ = resume == nullptr ? start : resume;
    } else if (pos_ < chunk_end) {
      note_tail(codes::kChunkTail, chunk_end, " after the last record; preserved as bytes");
    }
    remainder.bytes.assign(pos_, chunk_end);
    pos_ = chunk_end;
  }

  /// What follows a file's last chunk: padding, or the head of a chunk that is cut off.
  template <class Values>
  void tail(const char* name, Values& bytes, std::size_t chunk_head) {
    const ByteView tail = rest();
    if (failed_ || tail.empty()) {
      return;
    }
    const bool cut = tail.size() < chunk_head && begins_like_tag(tail);
    note_tail(cut ? codes::kTruncated : codes::kFileTail, end_,
              cut ? " after the last chunk, too few for a chunk header; preserved as bytes"
                  : " after the last chunk; preserved as bytes");
    bulk(name, bytes, left());
  }

  // --- parts found by offset
  // --------------------------------------------------------------------------------------

  /// A part of the input with offsets of its own: `block` and `offset` count from its start, `gaps` covers
  /// it. It takes the rest of the scope; the input as a whole is the outermost region.
  template <class F>
  void region(F&& body) {
    const Region outer = std::exchange(region_, Region{pos_, end_, {}});
    std::forward<F>(body)();
    pos_ = end_;
    region_ = outer;
  }

  /// Offset of the next byte in the region.
  [[nodiscard]] std::uint64_t offset() const { return static_cast<std::uint64_t>(pos_ - region_.begin); }

  /// All bytes of the region: for decisions that `choose` cannot make because they do not lie ahead.
  [[nodiscard]] ByteView region_bytes() const {
    return {region_.begin, static_cast<std::size_t>(region_.size())};
  }

  template <class F>
  void block(const char* name, std::uint64_t at, std::uint64_t size, F&& body) {
    if (at > region_.size() || size > region_.size() - at) [[unlikely]] {
      fail(codes::kOffsetInvalid, name,
           byte_count(size) + " at offset " + std::to_string(at) +
               " end outside the enclosing part, which has " + byte_count(region_.size()));
      return;
    }
    // Blocks may share bytes, so a table of offsets could request the same bytes over and over.
    claimed_ += size;
    if (claimed_ > kMaxClaims * input_size_) [[unlikely]] {
      fail(codes::kOverlap, name,
           "the parts overlap: together they have more than 16 times the bytes of the file");
      return;
    }
    const Scope scope(*this, name);
    region_.covered.emplace_back(at, at + size);
    const auto* outer_pos = std::exchange(pos_, region_.begin + at);
    const auto* outer_end = std::exchange(end_, region_.begin + at + size);
    look_up();
    std::forward<F>(body)();
    end_ = outer_end;
    pos_ = failed_ ? outer_end : outer_pos;
  }

  /// A list of parts found by offset: `each(i)` describes part i as a block without a name.
  template <class F>
  void blocks(const char* name, std::size_t count, F&& each) {
    for (std::size_t i = 0; i < count && !failed_; ++i) {
      const Scope scope(*this, name, i);
      each(i);
    }
  }

  /// Keeps all bytes of the region that neither its sequential part so far nor any block claimed.
  void gaps(const char* /*name*/, std::vector<Gap>& gaps) {
    region_.covered.emplace_back(0, offset());
    std::sort(region_.covered.begin(), region_.covered.end());
    std::uint64_t reached = 0;
    const auto keep = [&](std::uint64_t until) {
      if (until > reached) {
        gaps.push_back({reached, Bytes(region_.begin + reached, region_.begin + until)});
      }
    };
    for (const auto& [from, to] : region_.covered) {
      keep(from);
      reached = std::max(reached, to);
    }
    keep(region_.size());
  }

  /// Says so if this part does not lie where the file states it.
  void expect_at(const char* name, std::uint64_t stated) {
    if (!failed_ && stated != offset()) [[unlikely]] {
      note(codes::kOffsetMismatch, name,
           "the part is stated at offset " + std::to_string(stated) + ", but read at offset " +
               std::to_string(offset()));
    }
  }

  // --- findings
  // -------------------------------------------------------------------------------------------------

  /// Ends the current scope: everything read in it from here on is zero. Only the first failure is kept.
  [[gnu::cold, gnu::noinline]] void fail(Code code, const char* name, std::string message) {
    if (!failed_) {
      failed_ = true;
      failure_ = Error{code, here(), path(name), std::move(message)};
    }
    pos_ = end_;
  }

  /// A finding that does not stop anything, but `strict` reading if the file is broken.
  [[gnu::cold, gnu::noinline]] void note(Code code, const char* name, std::string message) {
    if (options_.strict && code.severity >= kBroken) {
      fail(code, name, std::move(message));
    } else if (diagnostics_.has_room()) {
      diagnostics_.add(code, std::move(message), here(), path(name));
    } else {
      diagnostics_.add(Diagnostic{code, {}, {}, {}});
    }
  }

  class Scope {
   public:
    Scope(Reader& reader, const char* name, std::size_t index) : Scope(reader, name, {}, index) {}
    Scope(Reader& reader, const char* name) : Scope(reader, name, {}, kNoIndex) {}
    Scope(Reader& reader, FourCC tag) : Scope(reader, nullptr, tag, kNoIndex) {}
    Scope(const Scope&) = delete;
    Scope(Scope&&) = delete;
    Scope& operator=(const Scope&) = delete;
    Scope& operator=(Scope&&) = delete;
    ~Scope() { reader_.scope_ = outer_; }

   private:
    friend class Reader;
    static constexpr std::size_t kNoIndex = ~std::size_t{0};

    Scope(Reader& reader, const char* name, FourCC tag, std::size_t index)
        : reader_(reader),
          outer_(std::exchange(reader.scope_, this)),
          name_(name),
          tag_(tag),
          index_(index) {}

    [[nodiscard]] std::string text() const {
      std::string part = name_ != nullptr ? std::string(name_) : tag_ == FourCC{} ? "" : tag_.text();
      // The list that is a chunk's whole content has no name of its own: GEOS[2], not GEOS.[2].
      return index_ == kNoIndex ? part : part + "[" + std::to_string(index_) + "]";
    }

    Reader& reader_;
    const Scope* outer_;
    const char* name_;
    FourCC tag_;
    std::size_t index_;
  };

 private:
  static constexpr std::uint64_t kMaxClaims = 16;

  struct Region {
    const std::uint8_t* begin;
    const std::uint8_t* end;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> covered;

    [[nodiscard]] std::uint64_t size() const { return static_cast<std::uint64_t>(end - begin); }
  };

  [[nodiscard]] std::uint64_t offset_of(const std::uint8_t* place) const {
    return static_cast<std::uint64_t>(place - begin_);
  }

  [[nodiscard]] std::string path(const char* name) const {
    std::string text = name;
    for (const auto* scope = scope_; scope != nullptr; scope = scope->outer_) {
      const std::string part = scope->text();
      if (!part.empty()) {
        const bool joined = text.empty() || text.front() == '[';
        text = joined ? part + text : part + "." + text;
      }
    }
    return text;
  }

  [[gnu::cold, gnu::noinline]] void note_tail(Code code, const std::uint8_t* end, const char* place) {
    note(code, "", byte_count(static_cast<std::uint64_t>(end - pos_)) + place);
  }

  [[gnu::cold, gnu::noinline]] void fail_truncated(const char* name, std::size_t size) {
    fail(
        codes::kTruncated, name,
        "the data ends within a field: " + byte_count(size) + " needed, " + std::to_string(left()) + " left");
  }

  [[gnu::cold, gnu::noinline]] void fail_count(const char* name, std::size_t count,
                                               std::size_t element_size) {
    fail(codes::kCountTooLarge, name,
         std::to_string(count) + " elements of " + byte_count(element_size) + " do not fit into the " +
             byte_count(left()) + " left");
  }

  /// Whether a failure ends the reading wherever it is: no container keeps it.
  [[nodiscard]] bool gives_up() const { return options_.strict || stopped_; }

  /// Where a part begins: whoever waits hears of it now and then, and may end the reading.
  void look_up() {
    constexpr std::size_t kStride = 65536;  // so that small parts cost nothing
    // Parts found by offset may lie before the last: the difference is then large, too.
    if (options_.control != nullptr && static_cast<std::size_t>(pos_ - looked_up_) >= kStride) [[unlikely]] {
      looked_up_ = pos_;
      if (!options_.control->proceed("bytes", here(), input_size_)) {
        fail(codes::kStopped, "", "");
        stopped_ = true;
      }
    }
  }

  static std::string byte_count(std::uint64_t count) { return thaw::counted(count, "byte"); }

  /// Makes the failure a finding, which adds what became of the bytes if it does not say so itself.
  void release_failure(std::string_view fate) {
    if (failure_) {
      if (failure_->message.empty()) {
        failure_->message = failure_->code.summary;
      }
      if (failure_->message.find(';') == std::string::npos) {
        failure_->message += fate;
      }
      diagnostics_.add(std::move(*failure_));
    }
    failure_.reset();
    failed_ = false;
  }

  [[nodiscard]] std::size_t count_sized(std::size_t min_size) const {
    std::size_t count = 0;
    const auto* at = pos_;
    while (static_cast<std::size_t>(end_ - at) >= sizeof(std::uint32_t)) {
      const auto size = load_plain<std::uint32_t>(at);
      if (size < min_size || size > static_cast<std::size_t>(end_ - at)) {
        break;
      }
      at += size;
      ++count;
    }
    return count;
  }

  template <class F>
  void sized_word(Remainder& remainder, std::uint8_t& high_byte, std::uint32_t mask, std::size_t min_size,
                  F&& body) {
    const auto* start = pos_;
    if (left() < sizeof(std::uint32_t)) [[unlikely]] {
      fail_truncated("inclusiveSize", sizeof(std::uint32_t));
      return;
    }
    const auto word = load_plain<std::uint32_t>(pos_);
    const std::size_t size = word & mask;
    if (size < min_size || size > left()) [[unlikely]] {
      fail(codes::kSizeInvalid, "inclusiveSize",
           "the object states a size of " + byte_count(size) + ", which is not within " +
               std::to_string(min_size) + " to " + std::to_string(left()));
      return;
    }
    high_byte = static_cast<std::uint8_t>(mask == 0xFFFFFFFFU ? 0U : word >> 24U);
    const auto* object_end = start + size;
    const auto* outer_end = std::exchange(end_, object_end);
    pos_ += sizeof(std::uint32_t);
    look_up();
    std::forward<F>(body)();
    end_ = outer_end;
    if (failed_) [[unlikely]] {
      if (gives_up()) {
        pos_ = end_;
        return;
      }
      release_failure("; the object is preserved as bytes");
      resume_ = nullptr;  // a list inside may have set it
      remainder.state = Remainder::State::replaces_fields;
      remainder.bytes.assign(start, object_end);
    } else if (pos_ < object_end) [[unlikely]] {
      note_tail(codes::kObjectTail, object_end, " after the known fields; preserved as bytes");
      remainder.bytes.assign(pos_, object_end);
    }
    pos_ = object_end;
  }

  const std::uint8_t* begin_;
  const std::uint8_t* pos_;
  const std::uint8_t* end_;
  Region region_;
  std::uint64_t input_size_;
  std::uint64_t claimed_ = 0;
  const std::uint8_t* resume_ = nullptr;
  const Scope* scope_ = nullptr;
  const std::uint8_t* looked_up_ = nullptr;  ///< where whoever waits heard of it
  bool failed_ = false;
  bool stopped_ = false;
  std::optional<Error> failure_;
  Context context_;
  const ReadOptions& options_;
  Diagnostics& diagnostics_;
};

/// Whether bytes begin as their format does, and what to say if not.
struct Recognition {
  bool fits = true;
  const char* expected = "";
  const char* path = "";  ///< of the field that gives it away
};

/// The document of all of `bytes`: `body` is called with a reader over them and with the empty document.
template <class Document, class Context, class F>
Result<Document> read_document(ByteView bytes, Context context, const ReadOptions& options,
                               Diagnostics& diagnostics, const Recognition& recognition, F&& body) {
  if (bytes.size() > options.limits.max_input_bytes) {
    return input_too_large(bytes.size(), options.limits);
  }
  if (!recognition.fits) {
    return fail(codes::kFormatUnknown, recognition.expected, 0, recognition.path);
  }
  Reader<Context> reader(bytes, std::move(context), options, diagnostics);
  Document document;
  std::forward<F>(body)(reader, document);
  if (reader.failed()) {
    return tl::unexpected<Error>(*reader.failure());
  }
  return document;
}

}  // namespace thaw
