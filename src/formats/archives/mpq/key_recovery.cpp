#include "formats/archives/mpq/key_recovery.hpp"

#include "describe/description.hpp"
#include "formats/archives/mpq/crypt.hpp"

namespace thaw::mpq {
namespace {

struct Beginning {
  FourCC first;
  /// Whether a word may be the second one.
  bool (*second)(std::uint32_t word, std::uint64_t file_size);
};

constexpr std::uint32_t word_of(FourCC tag) {
  std::uint32_t word = 0;
  for (unsigned i = 4; i-- > 0;) {
    word = word << 8U | static_cast<std::uint8_t>(tag.bytes.at(i));
  }
  return word;
}

bool is_version_tag(std::uint32_t word, std::uint64_t /*size*/) { return word == word_of(FourCC{"VERS"}); }
bool is_small(std::uint32_t word, std::uint64_t /*size*/) { return word <= 2; }
bool is_dds_header(std::uint32_t word, std::uint64_t /*size*/) { return word == 124; }
bool is_riff_size(std::uint32_t word, std::uint64_t size) { return std::uint64_t{word} + 8 == size; }
bool is_png_end(std::uint32_t word, std::uint64_t /*size*/) { return word == 0x0A1A0A0D; }
bool is_xml(std::uint32_t word, std::uint64_t /*size*/) { return word == word_of(FourCC{"l ve"}); }
bool is_four(std::uint32_t word, std::uint64_t /*size*/) { return word == 4; }

constexpr std::array kBeginnings = {
    Beginning{FourCC{"MDLX"}, is_version_tag}, Beginning{FourCC{"BLP1"}, is_small},
    Beginning{FourCC{"BLP2"}, is_small},       Beginning{FourCC{"DDS "}, is_dds_header},
    Beginning{FourCC{"RIFF"}, is_riff_size},   Beginning{FourCC{"\x89PNG"}, is_png_end},
    Beginning{FourCC{"<?xm"}, is_xml},         Beginning{FourCC{"REVM"}, is_four},
};

}  // namespace

std::optional<std::uint32_t> recover_key(ByteView encrypted, std::uint32_t first,
                                         const std::function<bool(std::uint32_t key)>& good) {
  if (encrypted.size() < 4) {
    return std::nullopt;
  }
  // word = first ^ (key + seed + table[low byte of key]): each low byte leaves one key.
  const std::uint32_t sum = load_plain<std::uint32_t>(encrypted.data()) ^ first;
  for (std::uint32_t low = 0; low <= 0xFF; ++low) {
    const std::uint32_t key = sum - kCipherSeed - cipher_word(low);
    if ((key & 0xFFU) == low && good(key)) {
      return key;
    }
  }
  return std::nullopt;
}

std::optional<std::uint32_t> recover_key_from_content(ByteView encrypted, std::uint64_t file_size) {
  for (const auto& beginning : kBeginnings) {
    const auto fits = [&](std::uint32_t key) {
      std::array<std::uint32_t, 2> words{};
      decrypt_words(encrypted, key, words);
      return beginning.second(words[1], file_size);
    };
    const auto key =
        encrypted.size() < 8 ? std::nullopt : recover_key(encrypted, word_of(beginning.first), fits);
    if (key) {
      return key;
    }
  }
  return std::nullopt;
}

}  // namespace thaw::mpq
