// Bytes that are written one after another: archives, which may be larger than memory.
#pragma once

#include <thaw/bytes.hpp>

#pragma GCC visibility push(default)

namespace thaw {

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

}  // namespace thaw

#pragma GCC visibility pop
