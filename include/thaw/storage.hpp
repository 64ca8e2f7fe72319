// Bytes that are read where they are needed: archives, and the maps of a whole continent.
#pragma once

#include <thaw/bytes.hpp>

#include <memory>
#include <span>

#pragma GCC visibility push(default)

namespace thaw {

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

}  // namespace thaw

#pragma GCC visibility pop
