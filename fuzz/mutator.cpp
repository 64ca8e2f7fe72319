// libFuzzer's own mutations by turns with those that know the structure of what is fuzzed.
#include "structure.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace {

/// To measure what the structure is worth: with it, nothing but libFuzzer's own mutations.
bool is_plain() { return std::getenv("THAW_FUZZ_PLAIN") != nullptr; }

std::size_t store(const thaw::Bytes& bytes, std::uint8_t* into) {
  std::copy(bytes.begin(), bytes.end(), into);
  return bytes.size();
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most,
                                               unsigned seed) {
  static const bool plain = is_plain();
  if (!plain && seed % 2 == 0) {
    if (const auto mutant = thaw::fuzz::mutate({data, size}, most, seed)) {
      return store(*mutant, data);
    }
  }
  return LLVMFuzzerMutate(data, size, most);
}

extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* first, std::size_t first_size,
                                                 const std::uint8_t* second, std::size_t second_size,
                                                 std::uint8_t* out, std::size_t most, unsigned seed) {
  static const bool plain = is_plain();
  const auto crossed =
      plain ? std::nullopt : thaw::fuzz::cross_over({first, first_size}, {second, second_size}, most, seed);
  if (crossed) {
    return store(*crossed, out);
  }
  const std::size_t size = std::min(first_size, most);
  std::copy_n(first, size, out);
  return LLVMFuzzerMutate(out, size, most);
}
