// The cipher and the hash of MPQ archives (mpq.md#hash-and-cipher).
#pragma once

#include <thaw/bytes.hpp>

#include <span>

namespace thaw::mpq {

/// Bits that an element of the cipher's table adds to a key.
std::uint32_t cipher_word(std::uint32_t key_byte);

inline constexpr std::uint32_t kCipherSeed = 0xEEEEEEEE;

/// Words of four bytes; up to three bytes at the end stay as they are, as they were never encrypted.
void decrypt(std::span<std::uint8_t> bytes, std::uint32_t key);

/// The other way round.
void encipher(std::span<std::uint8_t> bytes, std::uint32_t key);

/// The first `out.size()` words of encrypted bytes, in clear.
void decrypt_words(ByteView bytes, std::uint32_t key, std::span<std::uint32_t> out);

/// The key of a file: that of its name without folders, adjusted if a flag says so.
std::uint32_t file_key(std::string_view name, std::uint64_t offset, std::uint64_t size, bool adjusted);

}  // namespace thaw::mpq
