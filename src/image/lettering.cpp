#include "image/lettering.hpp"

#include <algorithm>

namespace thaw {
namespace {

constexpr std::uint32_t kDots = 5;  // in a row of a letter

/// From the blank to the tilde; bit 0 is the upper left dot, five bits are a row.
constexpr std::array<std::uint64_t, 95> kLetters = {
    0x0,          0x100421084,   0x14A,       0x295F57D4A,   0x11F4717C4,    0x674222173,   0x593511526,
    0x84,         0x208210888,   0x88842082,  0x2AEFBAA0,    0x84F9080,      0x1108000000,  0x70000,
    0x100000000,  0x44222110,    0x3A33AE62E, 0x7C84214C4,   0x7C226422E,    0x3E107420F,   0x2108FA529,
    0x3A3083C3F,  0x3A317842E,   0x10844221F, 0x3A317462E,   0x3A10F462E,    0x8001000,     0x1108001000,
    0x10411100,   0x1F07C00,     0x4441040,   0x10046422E,   0x783DAF62E,    0x463F8C544,   0x3E317C62F,
    0x78210843E,  0x1D318C527,   0x7C217843F, 0x4217843F,    0x7A31C843E,    0x4631FC631,   0x7C842109F,
    0x3A308421C,  0x452519531,   0x7C2108421, 0x4631AD771,   0x4739ACE71,    0x3A318C62E,   0x4217C62F,
    0x59358C62E,  0x45257C62F,   0x3E107043E, 0x10842109F,   0x3A318C631,    0x114A8C631,   0x4775AC631,
    0x462A22A31,  0x108422A31,   0x7C222221F, 0x38421084E,   0x410820841,    0x39084210E,   0x4544,
    0xF800000000, 0x82,          0x7A3E83800, 0x3E318BC21,   0x78210F800,    0x7A318FA10,   0x783F8B800,
    0x84213C4C,   0xE87A318F800, 0x46318BC21, 0x388421804,   0x64210843008,  0x24A32A421,   0x388421086,
    0x56B5AAC00,  0x46318BC00,   0x3A318B800, 0x10BE318BC00, 0x1087A318F800, 0x4211B400,    0x3E0E0F800,
    0x304213C42,  0x7A318C400,   0x114A8C400, 0x2AB5AC400,   0x454454400,    0xE87A318C400, 0x7C4447C00,
    0x30841108C,  0x108421084,   0x188441086, 0x8A8800};
constexpr std::uint64_t kBox = 0x7E318C63F;  // seven rows

std::uint64_t letter(unsigned char byte) {
  return byte >= ' ' && byte - ' ' < static_cast<int>(kLetters.size()) ? kLetters.at(byte - std::size_t{' '})
                                                                       : kBox;
}

bool continues(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

}  // namespace

void put_text(Image& image, std::uint32_t left, std::uint32_t top, std::uint32_t width, std::string_view text,
              const std::array<std::uint8_t, 4>& color, std::uint32_t size) {
  const std::uint32_t right = std::min(left + width, image.width);
  std::uint32_t x = left;
  for (const char byte : text) {
    if (continues(byte)) {
      continue;
    }
    const std::uint64_t dots = letter(static_cast<unsigned char>(byte));
    for (std::uint32_t i = 0; i < kDots * kLetterHeight * size * size; ++i) {
      const std::uint32_t column = i % (kDots * size);
      const std::uint32_t row = i / (kDots * size);
      const bool set = ((dots >> (row / size * kDots + column / size)) & 1U) != 0;
      if (set && x + column < right && top + row < image.height) {
        const std::size_t at = (std::size_t{top + row} * image.width + x + column) * color.size();
        std::copy(color.begin(), color.end(), image.rgba.begin() + static_cast<std::ptrdiff_t>(at));
      }
    }
    x += kLetterWidth * size;
  }
}

}  // namespace thaw
