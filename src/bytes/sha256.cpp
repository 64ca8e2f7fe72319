#include "bytes/hash.hpp"

#include <bit>

namespace thaw {
namespace {

using State = std::array<std::uint32_t, 8>;

constexpr std::size_t kBlock = 64;

/// The first 32 bits behind the point of the cube roots of the first 64 primes.
constexpr std::array<std::uint32_t, 64> kRoots = {
    0x428A2F98, 0x71374491, 0xB5C0FBCF, 0xE9B5DBA5, 0x3956C25B, 0x59F111F1, 0x923F82A4, 0xAB1C5ED5,
    0xD807AA98, 0x12835B01, 0x243185BE, 0x550C7DC3, 0x72BE5D74, 0x80DEB1FE, 0x9BDC06A7, 0xC19BF174,
    0xE49B69C1, 0xEFBE4786, 0x0FC19DC6, 0x240CA1CC, 0x2DE92C6F, 0x4A7484AA, 0x5CB0A9DC, 0x76F988DA,
    0x983E5152, 0xA831C66D, 0xB00327C8, 0xBF597FC7, 0xC6E00BF3, 0xD5A79147, 0x06CA6351, 0x14292967,
    0x27B70A85, 0x2E1B2138, 0x4D2C6DFC, 0x53380D13, 0x650A7354, 0x766A0ABB, 0x81C2C92E, 0x92722C85,
    0xA2BFE8A1, 0xA81A664B, 0xC24B8B70, 0xC76C51A3, 0xD192E819, 0xD6990624, 0xF40E3585, 0x106AA070,
    0x19A4C116, 0x1E376C08, 0x2748774C, 0x34B0BCB5, 0x391C0CB3, 0x4ED8AA4A, 0x5B9CCA4F, 0x682E6FF3,
    0x748F82EE, 0x78A5636F, 0x84C87814, 0x8CC70208, 0x90BEFFFA, 0xA4506CEB, 0xBEF9A3F7, 0xC67178F2};

void add_block(const std::uint8_t* block, State& state) {
  std::array<std::uint32_t, 64> words{};
  for (std::size_t i = 0; i < 16; ++i) {
    const std::uint8_t* from = block + 4 * i;
    words.at(i) = std::uint32_t{from[0]} << 24U | std::uint32_t{from[1]} << 16U |
                  std::uint32_t{from[2]} << 8U | std::uint32_t{from[3]};
  }
  for (std::size_t i = 16; i < words.size(); ++i) {
    const std::uint32_t a = words.at(i - 15);
    const std::uint32_t b = words.at(i - 2);
    words.at(i) = words.at(i - 16) + (std::rotr(a, 7) ^ std::rotr(a, 18) ^ a >> 3U) + words.at(i - 7) +
                  (std::rotr(b, 17) ^ std::rotr(b, 19) ^ b >> 10U);
  }
  auto [a, b, c, d, e, f, g, h] = state;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::uint32_t one = h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) +
                              ((e & f) ^ (~e & g)) + kRoots.at(i) + words.at(i);
    const std::uint32_t two =
        (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = d + one;
    d = c;
    c = b;
    b = a;
    a = one + two;
  }
  const State now = {a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < state.size(); ++i) {
    state.at(i) += now.at(i);
  }
}

}  // namespace

Sha256 sha256(ByteView bytes) {
  State state = {0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A,
                 0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19};
  std::size_t at = 0;
  for (; at + kBlock <= bytes.size(); at += kBlock) {
    add_block(bytes.data() + at, state);
  }
  const ByteView rest = bytes.subspan(at);
  Bytes tail(rest.begin(), rest.end());
  tail.push_back(0x80);
  while (tail.size() % kBlock != kBlock - 8) {
    tail.push_back(0);
  }
  for (unsigned shift = 64; shift > 0; shift -= 8) {
    tail.push_back(static_cast<std::uint8_t>(std::uint64_t{bytes.size()} * 8 >> (shift - 8)));
  }
  for (at = 0; at < tail.size(); at += kBlock) {
    add_block(tail.data() + at, state);
  }
  Sha256 result{};
  for (std::size_t i = 0; i < result.size(); ++i) {
    result.at(i) = static_cast<std::uint8_t>(state.at(i / 4) >> (24 - 8 * (i % 4)));
  }
  return result;
}

}  // namespace thaw
