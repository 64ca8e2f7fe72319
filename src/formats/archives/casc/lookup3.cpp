#include "formats/archives/casc/lookup3.hpp"

#include "formats/archives/casc/numbers.hpp"

#include <bit>

namespace thaw::casc {
namespace {

struct State {
  std::uint32_t a;
  std::uint32_t b;
  std::uint32_t c;

  void mix() {
    step(a, c, b, 4);
    step(b, a, c, 6);
    step(c, b, a, 8);
    step(a, c, b, 16);
    step(b, a, c, 19);
    step(c, b, a, 4);
  }

  void finish() {
    last(c, b, 14);
    last(a, c, 11);
    last(b, a, 25);
    last(c, b, 16);
    last(a, c, 4);
    last(b, a, 14);
    last(c, b, 24);
  }

 private:
  static void step(std::uint32_t& x, std::uint32_t& y, std::uint32_t& z, int bits) {
    x -= y;
    x ^= std::rotl(y, bits);
    y += z;
  }
  static void last(std::uint32_t& x, std::uint32_t y, int bits) {
    x ^= y;
    x -= std::rotl(y, bits);
  }
};

std::uint32_t word(ByteView bytes, std::size_t at) {
  if (at + 4 <= bytes.size()) {
    return little32(bytes.data() + at);
  }
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4 && at + i < bytes.size(); ++i) {
    value |= std::uint32_t{bytes[at + i]} << static_cast<unsigned>(8 * i);
  }
  return value;
}

}  // namespace

std::pair<std::uint32_t, std::uint32_t> lookup3(ByteView bytes, std::uint32_t first, std::uint32_t second) {
  constexpr std::size_t kTurn = 12;
  const std::uint32_t start = 0xDEADBEEFU + static_cast<std::uint32_t>(bytes.size()) + first;
  State state{start, start, start + second};
  while (bytes.size() > kTurn) {
    state.a += word(bytes, 0);
    state.b += word(bytes, 4);
    state.c += word(bytes, 8);
    state.mix();
    bytes = bytes.subspan(kTurn);
  }
  if (!bytes.empty()) {
    state.a += word(bytes, 0);
    state.b += word(bytes, 4);
    state.c += word(bytes, 8);
    state.finish();
  }
  return {state.c, state.b};
}

}  // namespace thaw::casc
