// Values as bytes, for the way between the processes of --isolate. Who reads them may be fooled, and is not:
// sizes are checked, and what is not there is nothing.
#pragma once

#include <thaw/diagnostics.hpp>
#include <thaw/format.hpp>
#include <thaw/sources.hpp>

#include "cli/jobs/batch.hpp"
#include "cli/jobs/product.hpp"

#include <concepts>
#include <cstring>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace thaw::cli {

/// Appends what it is given, or only counts it: outputs are large, and a vector that grows takes twice as
/// much.
class Packer {
 public:
  static constexpr bool kReads = false;
  void raw(const void* data, std::size_t size) {
    if (counts_) {
      size_ += size;
      return;
    }
    const std::size_t at = bytes_.size();
    bytes_.resize(at + size);
    if (size > 0) {
      std::memcpy(bytes_.data() + at, data, size);
    }
  }
  [[nodiscard]] static bool can_hold(std::uint64_t /*count*/) { return true; }
  /// Ends counting: reserves the counted size. The same parts follow.
  void begin() {
    counts_ = false;
    bytes_.reserve(size_);
  }
  [[nodiscard]] Bytes take() { return std::move(bytes_); }

 private:
  bool counts_ = true;
  std::size_t size_ = 0;
  Bytes bytes_;
};

/// Fills in what it is given; zeros once something did not fit.
class Unpacker {
 public:
  static constexpr bool kReads = true;
  explicit Unpacker(ByteView bytes) : rest_(bytes) {}
  void raw(void* data, std::size_t size) {
    good_ = good_ && size <= rest_.size();
    if (good_ && size > 0) {
      std::memcpy(data, rest_.data(), size);
      rest_ = rest_.subspan(size);
    }
  }
  /// A view of the next bytes, valid as long as the bytes that are read.
  [[nodiscard]] ByteView view(std::uint64_t size) {
    good_ = good_ && size <= rest_.size();
    const ByteView found = rest_.first(good_ ? static_cast<std::size_t>(size) : 0);
    rest_ = rest_.subspan(found.size());
    return found;
  }
  /// So many things, each of which is a byte at least.
  [[nodiscard]] bool can_hold(std::uint64_t count) {
    good_ = good_ && count <= rest_.size();
    return good_;
  }
  [[nodiscard]] bool good() const { return good_; }

 private:
  ByteView rest_;
  bool good_ = true;
};

/// One function for both directions of each type.
template <class A, class T>
  requires std::is_arithmetic_v<T> || std::is_enum_v<T>
void carry(A& parcel, T& value) {
  if constexpr (std::same_as<T, bool>) {
    std::uint8_t byte = value ? 1 : 0;
    parcel.raw(&byte, 1);
    value = byte != 0;
  } else {
    T copy = value;
    parcel.raw(&copy, sizeof(copy));
    value = copy;
  }
}

template <class A, class T>
void carry(A& parcel, std::vector<T>& list);
template <class A, class T>
void carry(A& parcel, std::optional<T>& value);

template <class A, class T>
void carry_bytes(A& parcel, T& text) {
  std::uint64_t size = text.size();
  carry(parcel, size);
  if (parcel.can_hold(size)) {
    text.resize(static_cast<std::size_t>(size));
    parcel.raw(text.data(), text.size());
  }
}

template <class A>
void carry(A& parcel, std::string& text) {
  carry_bytes(parcel, text);
}
template <class A>
void carry(A& parcel, Bytes& bytes) {
  carry_bytes(parcel, bytes);
}

inline void carry(Packer& parcel, ByteView& bytes) {
  std::uint64_t size = bytes.size();
  carry(parcel, size);
  parcel.raw(bytes.data(), bytes.size());
}
inline void carry(Unpacker& parcel, ByteView& bytes) {
  std::uint64_t size = 0;
  carry(parcel, size);
  bytes = parcel.view(size);
}

/// A text that outlives everything: codes and formats are known by such.
std::string_view lasting(const std::string& text);
/// A value as JSON, and back.
std::string value_text(const Value& value);
Value value_of_text(const std::string& text);

template <class A>
void carry(A& parcel, std::string_view& text) {
  std::string copy(text);
  carry(parcel, copy);
  if constexpr (A::kReads) {
    text = lasting(copy);
  }
}

template <class A>
void carry(A& parcel, std::filesystem::path& path) {
  std::string text = path.string();
  carry(parcel, text);
  path = text;
}

template <class A>
void carry(A& parcel, Value& value) {
  std::string text = A::kReads ? std::string() : value_text(value);
  carry(parcel, text);
  if constexpr (A::kReads) {
    value = value_of_text(text);
  }
}

template <class A>
void carry(A& parcel, Value::Object& object) {
  Value value(object);
  carry(parcel, value);
  object = value.object();
}

template <class A>
void carry(A& parcel, Format& format) {
  std::string id(format.id());
  carry(parcel, id);
  format = A::kReads ? find_format(id) : format;
}

template <class A>
void carry(A& parcel, Diagnostic& finding) {
  carry(parcel, finding.code.id);
  carry(parcel, finding.code.severity);
  finding.code.severity = std::min(finding.code.severity, Severity::error);
  carry(parcel, finding.code.summary);
  carry(parcel, finding.offset);
  carry(parcel, finding.path);
  carry(parcel, finding.message);
}

template <class A>
void carry(A& parcel, Diagnostics& findings) {
  std::vector<Diagnostic> items = findings.items();
  std::uint64_t suppressed = findings.suppressed();
  carry(parcel, items);
  carry(parcel, suppressed);
  if constexpr (A::kReads) {
    constexpr std::uint64_t kMost = 1'000'000;
    findings =
        Diagnostics(suppressed > 0 ? items.size() : std::max(items.size(), Diagnostics::kDefaultLimit));
    for (auto& item : items) {
      findings.add(std::move(item));
    }
    for (std::uint64_t i = 0; i < std::min(suppressed, kMost); ++i) {
      findings.add(Diagnostic{});  // the list is full: only counted
    }
  }
}

template <class A>
void carry(A& parcel, OutputFile& file) {
  carry(parcel, file.name);
  carry(parcel, file.bytes);
}

template <class A>
void carry(A& parcel, Product& product) {
  carry(parcel, product.files);
  carry(parcel, product.note);
  carry(parcel, product.details);
  carry(parcel, product.json);
  carry(parcel, product.input_size);
  carry(parcel, product.of_files);
}

template <class A>
void carry(A& parcel, Outcome& outcome) {
  carry(parcel, outcome.out);
  carry(parcel, outcome.err);
  carry(parcel, outcome.exit);
  carry(parcel, outcome.warned);
  carry(parcel, outcome.damaged);
  carry(parcel, outcome.skipped);
  carry(parcel, outcome.format);
}

template <class A>
void carry(A& parcel, FileStamp& stamp) {
  carry(parcel, stamp.volume);
  carry(parcel, stamp.index);
  carry(parcel, stamp.size);
  carry(parcel, stamp.time);
}

template <class A, class K, class T>
void carry(A& parcel, std::map<K, T>& map) {
  std::vector<std::pair<K, T>> list(map.begin(), map.end());
  std::uint64_t count = list.size();
  carry(parcel, count);
  list.resize(parcel.can_hold(count) ? static_cast<std::size_t>(count) : 0);
  for (auto& [key, value] : list) {
    carry(parcel, key);
    carry(parcel, value);
  }
  map = {list.begin(), list.end()};
}

template <class A, class T>
void carry(A& parcel, std::optional<T>& value) {
  bool there = value.has_value();
  carry(parcel, there);
  if (!there) {
    value.reset();
    return;
  }
  if (!value) {
    value.emplace();
  }
  carry(parcel, *value);
}

template <class A, class T>
void carry(A& parcel, std::vector<T>& list) {
  std::uint64_t count = list.size();
  carry(parcel, count);
  if (parcel.can_hold(count)) {
    list.resize(static_cast<std::size_t>(count));
    for (auto& item : list) {
      carry(parcel, item);
    }
  }
}

template <class... T>
Bytes packed(T&... parts) {
  Packer packer;
  (carry(packer, parts), ...);
  packer.begin();
  (carry(packer, parts), ...);
  return packer.take();
}

/// False if the bytes are not what `packed` made of such parts.
template <class... T>
bool unpack(ByteView bytes, T&... parts) {
  Unpacker unpacker(bytes);
  (carry(unpacker, parts), ...);
  return unpacker.good();
}

}  // namespace thaw::cli
