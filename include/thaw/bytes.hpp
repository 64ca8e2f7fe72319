// Views, owned bytes, tags, fixed-size strings and small vectors; random access, sinks and code pages.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#pragma GCC visibility push(default)

/// Reads the 3D formats that games left behind. Each format has a namespace of its own.
namespace thaw {

/// Allocator whose `resize` leaves trivial elements uninitialised: bulk reads overwrite them at once, and
/// clearing them first would cost as much as the read itself.
template <class T>
struct UninitializedAllocator : std::allocator<T> {
  /// How a container comes to the allocator of another type.
  template <class U>
  struct rebind {
    using other = UninitializedAllocator<U>;  ///< the allocator of U
  };

  UninitializedAllocator() = default;
  /// Allocators of all types are alike: there is nothing to take over.
  template <class U>
  explicit UninitializedAllocator(const UninitializedAllocator<U>& /*other*/) noexcept {}

  /// Default-initialises: a trivial element keeps the bytes that are there.
  template <class U>
  void construct(U* place) noexcept(std::is_nothrow_default_constructible_v<U>) {
    ::new (static_cast<void*>(place)) U;
  }
  /// Constructs from arguments, as any allocator does.
  template <class U, class... Args>
  void construct(U* place, Args&&... args) {
    ::new (static_cast<void*>(place)) U(std::forward<Args>(args)...);
  }
};

/// A vector of plain values. Elements added by `resize(n)` have indeterminate values: use `resize(n, value)`
/// where they are not written at once.
template <class T>
using Array = std::vector<T, UninitializedAllocator<T>>;

using Bytes = Array<std::uint8_t>;               ///< bytes that the holder owns
using ByteView = std::span<const std::uint8_t>;  ///< bytes of someone else, who must outlive it

using Vec2 = std::array<float, 2>;  ///< x y, or u v
using Vec3 = std::array<float, 3>;  ///< x y z, or r g b
using Vec4 = std::array<float, 4>;  ///< x y z w; of quaternions w is last

/// A four-byte tag in file order: `FourCC{"MDLX"}` is the bytes 4D 44 4C 58 on every host.
struct FourCC {
  std::array<char, 4> bytes{};

  constexpr FourCC() = default;
  /// From a literal of four characters.
  // NOLINTNEXTLINE(cppcoreguidelines-avoid-c-arrays,modernize-avoid-c-arrays): binds to string literals
  constexpr explicit FourCC(const char (&literal)[5])
      : bytes{literal[0], literal[1], literal[2], literal[3]} {}

  /// The four bytes as they are.
  [[nodiscard]] constexpr std::string_view view() const { return {bytes.data(), bytes.size()}; }
  /// Printable form: bytes outside 0x20..0x7E are shown as `\xNN`.
  [[nodiscard]] std::string text() const;
  friend constexpr auto operator<=>(const FourCC&, const FourCC&) = default;
};

/// A NUL-padded text field of N bytes. Everything in it is kept, also what follows the first NUL.
template <std::size_t N>
struct FixedText {
  std::array<char, N> raw{};

  FixedText() = default;
  /// Cuts the text to the N - 1 bytes that leave room for a NUL.
  explicit FixedText(std::string_view text) { assign(text); }

  /// The bytes before the first NUL (all N when there is none). Encoding is whatever the author used.
  [[nodiscard]] std::string_view view() const { return whole().substr(0, whole().find('\0')); }
  /// Whether there is a NUL; the text fills the field without one.
  [[nodiscard]] bool terminated() const { return view().size() < N; }
  /// True if all bytes after the text are zero.
  [[nodiscard]] bool clean() const {
    return whole().find_first_not_of('\0', view().size()) == std::string_view::npos;
  }
  /// Replaces the whole field: the text, cut as by the constructor, then NULs to the end.
  void assign(std::string_view text) {
    raw.fill('\0');
    text.copy(raw.data(), N - 1);
  }
  friend bool operator==(const FixedText&, const FixedText&) = default;

 private:
  [[nodiscard]] std::string_view whole() const { return {raw.data(), N}; }
};

/// Bytes of an object that no field of it holds. Which bytes, the state says.
struct Remainder {
  /** What the bytes are. */ enum class State : std::uint8_t {
    /// The bytes between the last known field and the end that the object's size states; usually there are
    /// none.
    /// The writer puts the fields, then these.
    follows_fields,
    /// The complete object as found, size word included, because a part of it could not be understood. The
    /// writer
    /// puts these and nothing else: the fields hold only what could be read. To have an edited object written
    /// by
    /// its fields, clear its remainder (`object.remainder = {}`).
    replaces_fields,
  };

  Bytes bytes;
  State state = State::follows_fields;

  /// True if no bytes are kept.
  [[nodiscard]] bool empty() const { return bytes.empty(); }
  /// True if the bytes are the object, and its fields only what could be read of it.
  [[nodiscard]] bool replaces_fields() const { return state == State::replaces_fields; }
  friend bool operator==(const Remainder&, const Remainder&) = default;
};

/// Bytes of an input that no block claimed, kept by offset so that any layout can be written back.
struct Gap {
  std::uint64_t offset = 0;
  Bytes bytes;

  friend bool operator==(const Gap&, const Gap&) = default;
};

/// Text for people and JSON: bytes that are not valid UTF-8 are taken as Windows-1252 (which the tools of the
/// time wrote), so that the result is always valid UTF-8. Not reversible; documents keep the bytes
/// themselves.
std::string to_utf8(std::string_view bytes);

// --- random access: archives and maps too large to be read whole

/// Where bytes are. Implementations may be used by several threads at once.
class Storage {
 public:
  Storage() = default;
  Storage(const Storage&) = delete;
  Storage(Storage&&) = delete;
  Storage& operator=(const Storage&) = delete;
  Storage& operator=(Storage&&) = delete;
  virtual ~Storage() = default;

  /// Bytes in all.
  [[nodiscard]] virtual std::uint64_t size() const = 0;
  /// Fills `out` from `offset` on; false if not all of it could be read.
  [[nodiscard]] virtual bool read(std::uint64_t offset, std::span<std::uint8_t> out) const = 0;
};

/// Bytes in memory, such as a map inside an archive.
std::shared_ptr<const Storage> memory_storage(Bytes bytes);

// --- output of archives, which may be larger than memory

/// Where an archive is written to.
class Sink {
 public:
  Sink() = default;
  Sink(const Sink&) = delete;
  Sink(Sink&&) = delete;
  Sink& operator=(const Sink&) = delete;
  Sink& operator=(Sink&&) = delete;
  virtual ~Sink() = default;

  /// Adds bytes at the end; false if they could not be written, and then everything else fails, too.
  [[nodiscard]] virtual bool append(ByteView bytes) = 0;
  /// Replaces bytes that are there already.
  [[nodiscard]] virtual bool patch(std::uint64_t offset, ByteView bytes) = 0;
  /// Bytes so far.
  [[nodiscard]] virtual std::uint64_t size() const = 0;
};

/// Keeps everything in memory.
class MemorySink : public Sink {
 public:
  [[nodiscard]] bool append(ByteView bytes) override {
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
    return true;
  }
  [[nodiscard]] bool patch(std::uint64_t offset, ByteView bytes) override {
    if (offset > bytes_.size() || bytes.size() > bytes_.size() - offset) {
      return false;
    }
    if (!bytes.empty()) {
      std::memcpy(bytes_.data() + offset, bytes.data(), bytes.size());
    }
    return true;
  }
  [[nodiscard]] std::uint64_t size() const override { return bytes_.size(); }
  /// What was written.
  [[nodiscard]] const Bytes& bytes() const { return bytes_; }

 private:
  Bytes bytes_;
};

// --- code pages: how names in old maps and models are encoded

/// How names are encoded that the author's system wrote in its own code page.
enum class CodePage : std::uint8_t {
  automatic,  ///< guessed from all names of an archive or model
  utf8,
  cp1250,     ///< Central European
  cp1251,     ///< Cyrillic
  cp1252,     ///< Western European
  gbk,        ///< simplified Chinese (cp936)
  big5,       ///< traditional Chinese (cp950)
  cp949,      ///< Korean
  shift_jis,  ///< Japanese (cp932)
};

/// The words of `parse_code_page`, separated by `|`.
inline constexpr std::string_view kCodePageWords = "auto|utf-8|cp1250|cp1251|cp1252|gbk|big5|cp949|shift-jis";

/// "gbk"; none for any other word.
std::optional<CodePage> parse_code_page(std::string_view word);
/// The word of a code page.
std::string_view code_page_word(CodePage page);

/// Text as UTF-8. Bytes that are not text in the page are taken as Windows-1252, as by `to_utf8`; so are
/// those of a page that the system has no table of.
std::string to_utf8(std::string_view bytes, CodePage page);
/// UTF-8 as text in the page; none if the page lacks a character, for `automatic` and for `utf8`.
std::optional<std::string> from_utf8(std::string_view text, CodePage page);

/// The page in which names make most sense; `automatic` if all of them are UTF-8.
CodePage guess_code_page(std::span<const std::string> names);

/// While one lives, `to_utf8(bytes)` of this thread takes names as text of its page. Functions that take an
/// AnyDocument have one for the document's page; who calls functions of one format needs one.
class CodePageScope {
 public:
  explicit CodePageScope(CodePage page);  ///< until the end of the scope
  CodePageScope(const CodePageScope&) = delete;
  CodePageScope(CodePageScope&&) = delete;
  CodePageScope& operator=(const CodePageScope&) = delete;
  CodePageScope& operator=(CodePageScope&&) = delete;
  ~CodePageScope();

 private:
  CodePage before_;
};

}  // namespace thaw

#pragma GCC visibility pop
