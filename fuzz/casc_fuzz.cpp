// Parts of installations with CASC: the first byte says which, the others are it. Whatever they are is read
// or refused.
#include <thaw/casc.hpp>

#include "require.hpp"

#include <array>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::array<std::string_view, 6> kParts = {"index", "blte", "encoding", "tvfs", "root", "texts"};
  if (size > 0) {
    const thaw::ByteView bytes(data + 1, size - 1);
    const std::size_t found = thaw::casc::read_part(kParts.at(data[0] % kParts.size()), bytes);
    // Nothing is made of nothing: deflate gives a thousand bytes for one, and a name takes five.
    thaw::fuzz::require(found <= 2000 * size + 4096);
  }
  return 0;
}
