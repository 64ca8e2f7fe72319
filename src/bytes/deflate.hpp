// Deflate's objects of the C library, which free themselves.
#pragma once

#include <libdeflate.h>
#include <cstdint>
#include <memory>
#include <new>

namespace thaw {

/// Deflate gives no more bytes for one.
constexpr std::uint64_t kHighestDeflateRatio = 1032;

struct FreeDeflate {
  void operator()(libdeflate_compressor* compressor) const { libdeflate_free_compressor(compressor); }
  void operator()(libdeflate_decompressor* decompressor) const { libdeflate_free_decompressor(decompressor); }
};

/// There is one: std::bad_alloc without memory for it.
template <class Object>
std::unique_ptr<Object, FreeDeflate> owned_deflate(Object* made) {
  if (made == nullptr) {
    throw std::bad_alloc();
  }
  return std::unique_ptr<Object, FreeDeflate>(made);
}

/// level: 1 to 12.
inline auto make_compressor(int level) { return owned_deflate(libdeflate_alloc_compressor(level)); }
inline auto make_decompressor() { return owned_deflate(libdeflate_alloc_decompressor()); }

}  // namespace thaw
