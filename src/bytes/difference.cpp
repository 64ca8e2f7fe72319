#include "bytes/difference.hpp"

#include <algorithm>
#include <cstring>

namespace thaw {

// In blocks: to compare by whole words is many times faster than to find where, which is seldom requested.
std::optional<std::uint64_t> first_difference(ByteView a, ByteView b) {
  constexpr std::size_t kBlock = 4096;
  const std::size_t common = std::min(a.size(), b.size());
  for (std::size_t at = 0; at < common; at += kBlock) {
    const std::size_t size = std::min(kBlock, common - at);
    if (std::memcmp(a.data() + at, b.data() + at, size) != 0) {
      const auto* const differing = std::mismatch(a.data() + at, a.data() + at + size, b.data() + at).first;
      return static_cast<std::uint64_t>(differing - a.data());
    }
  }
  return a.size() == b.size() ? std::nullopt : std::optional<std::uint64_t>(common);
}

}  // namespace thaw
