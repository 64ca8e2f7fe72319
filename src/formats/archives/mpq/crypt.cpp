#include "formats/archives/mpq/crypt.hpp"

#include <thaw/archive.hpp>

#include "bytes/text.hpp"
#include "describe/description.hpp"

namespace thaw::mpq {
namespace {

constexpr std::size_t kTypeStep = 0x100;

constexpr std::array<std::uint32_t, 5 * kTypeStep> make_table() {
  std::array<std::uint32_t, 5 * kTypeStep> table{};
  std::uint32_t seed = 0x00100001;
  const auto next = [&seed] {
    seed = (seed * 125 + 3) % 0x2AAAAB;
    return seed & 0xFFFFU;
  };
  for (std::size_t i = 0; i < kTypeStep; ++i) {
    for (std::size_t type = 0; type < 5; ++type) {
      const std::uint32_t high = next() << 16U;
      table[type * kTypeStep + i] = high | next();
    }
  }
  return table;
}

constexpr auto kTable = make_table();

std::uint8_t folded(char c) { return static_cast<std::uint8_t>(c == '/' ? '\\' : ascii::upper(c)); }

/// The running state of the cipher.
class Cipher {
 public:
  explicit Cipher(std::uint32_t key) : key_(key) {}

  /// The word in clear.
  std::uint32_t operator()(std::uint32_t word) {
    const std::uint32_t clear = word ^ mask();
    step(clear);
    return clear;
  }

  std::uint32_t hide(std::uint32_t clear) {
    const std::uint32_t word = clear ^ mask();
    step(clear);
    return word;
  }

 private:
  std::uint32_t mask() {
    sum_ += cipher_word(key_);
    return key_ + sum_;
  }
  void step(std::uint32_t clear) {
    key_ = ((~key_ << 21U) + 0x11111111U) | (key_ >> 11U);
    sum_ = clear + sum_ + (sum_ << 5U) + 3;
  }

  std::uint32_t key_;
  std::uint32_t sum_ = kCipherSeed;
};

template <class Change>
void each_word(std::span<std::uint8_t> bytes, const Change& change) {
  for (std::size_t i = 0; i + 4 <= bytes.size(); i += 4) {
    const std::uint32_t word = change(load_plain<std::uint32_t>(&bytes[i]));
    for (unsigned byte = 0; byte < 4; ++byte) {
      bytes[i + byte] = static_cast<std::uint8_t>(word >> (8 * byte));
    }
  }
}

}  // namespace

std::uint32_t cipher_word(std::uint32_t key_byte) { return kTable[4 * kTypeStep + (key_byte & 0xFFU)]; }

std::uint32_t hash_name(std::string_view name, unsigned type) {
  std::uint32_t hash = 0x7FED7FED;
  std::uint32_t sum = 0xEEEEEEEE;
  for (const char c : name) {
    const std::uint32_t byte = folded(c);
    hash = kTable[(type & 3U) * kTypeStep + byte] ^ (hash + sum);
    sum = byte + hash + sum + (sum << 5U) + 3;
  }
  return hash;
}

void decrypt(std::span<std::uint8_t> bytes, std::uint32_t key) {
  Cipher cipher(key);
  each_word(bytes, [&](std::uint32_t word) { return cipher(word); });
}

void encipher(std::span<std::uint8_t> bytes, std::uint32_t key) {
  Cipher cipher(key);
  each_word(bytes, [&](std::uint32_t word) { return cipher.hide(word); });
}

void decrypt_words(ByteView bytes, std::uint32_t key, std::span<std::uint32_t> out) {
  Cipher cipher(key);
  for (std::size_t i = 0; i < out.size() && i * 4 + 4 <= bytes.size(); ++i) {
    out[i] = cipher(load_plain<std::uint32_t>(&bytes[i * 4]));
  }
}

std::uint32_t file_key(std::string_view name, std::uint64_t offset, std::uint64_t size, bool adjusted) {
  const std::uint32_t key = hash_name(last_part(name), 3);
  return adjusted ? (key + static_cast<std::uint32_t>(offset)) ^ static_cast<std::uint32_t>(size) : key;
}

}  // namespace thaw::mpq
