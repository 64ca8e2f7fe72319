// Deflate's objects of the C library, which free themselves.
#pragma once

#include <thaw/bytes.hpp>

#include <libdeflate.h>
#include <algorithm>
#include <cstdint>
#include <memory>
#include <new>
#include <span>

namespace thaw {

/// Deflate gives no more bytes for one.
constexpr std::uint64_t kHighestDeflateRatio = 1032;

struct FreeDeflate {
  void operator()(libdeflate_compressor* compressor) const { libdeflate_free_compressor(compressor); }
  void operator()(libdeflate_decompressor* decompressor) const { libdeflate_free_decompressor(decompressor); }
};

/// There is one: std::bad_alloc without memory for it.
template <class Object>
std::unique_ptr<Object, FreeDeflate> owned_deflate(Object* object) {
  if (object == nullptr) {
    throw std::bad_alloc();
  }
  return std::unique_ptr<Object, FreeDeflate>(object);
}

/// level: 1 to 12.
inline auto make_compressor(int level) { return owned_deflate(libdeflate_alloc_compressor(level)); }
inline auto make_decompressor() { return owned_deflate(libdeflate_alloc_decompressor()); }

/// What came out of a zlib stream.
struct Inflated {
  libdeflate_result result = LIBDEFLATE_BAD_DATA;
  std::size_t consumed = 0;  ///< bytes of the stream, its checksum among them
  std::size_t given = 0;     ///< bytes that came out
  bool sum_fits = true;      ///< the Adler-32 at the end of the stream is that of what came out
};

/// Inflates a zlib stream into `out`. A wrong or missing Adler-32 is no error but `sum_fits`: zlib stops as
/// soon as the output is full, so that games read such data, and tools that change archives leave such sums.
inline Inflated inflate_zlib(libdeflate_decompressor* decompressor, ByteView packed,
                             std::span<std::uint8_t> out) {
  constexpr std::size_t kHeader = 2;
  constexpr std::size_t kSum = 4;
  constexpr unsigned kDeflate = 8;
  constexpr unsigned kLargestWindow = 7;
  constexpr unsigned kDictionary = 0x20;
  Inflated inflated;
  if (packed.size() < kHeader || (packed[0] & 15U) != kDeflate || packed[0] >> 4U > kLargestWindow ||
      (packed[0] * 256U + packed[1]) % 31 != 0 || (packed[1] & kDictionary) != 0) {
    return inflated;
  }
  const ByteView data = packed.subspan(kHeader);
  inflated.result = libdeflate_deflate_decompress_ex(decompressor, data.data(), data.size(), out.data(),
                                                     out.size(), &inflated.consumed, &inflated.given);
  if (inflated.result != LIBDEFLATE_SUCCESS) {
    return inflated;
  }
  const ByteView end = data.subspan(inflated.consumed);
  std::uint32_t stated = 0;
  for (const std::uint8_t byte : end.first(std::min(kSum, end.size()))) {
    stated = stated << 8U | byte;
  }
  inflated.sum_fits = end.size() >= kSum && stated == libdeflate_adler32(1, out.data(), inflated.given);
  inflated.consumed += kHeader + std::min(kSum, end.size());
  return inflated;
}

}  // namespace thaw
