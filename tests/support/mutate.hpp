// Systematic damage: where a file can be cut, and which of its words can be set to what.
#pragma once

#include <thaw/bytes.hpp>
#include <thaw/inspect.hpp>

#include <functional>
#include <string>
#include <vector>

namespace thaw::test {

/// A tag, size, count, id or other whole number of up to four bytes.
struct Word {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  std::string name;
};

/// What the events of an inspection say about the layout of a file.
struct Layout {
  std::vector<std::uint64_t> boundaries;  ///< where objects begin and end, ascending, each once
  std::vector<Word> words;                ///< in file order
  std::uint64_t end = 0;                  ///< behind the last byte
};
Layout layout_of(const Inspection& inspection);

/// `bytes` with the word at `offset` set.
Bytes with_word(ByteView bytes, const Word& word, std::uint32_t value);
std::uint32_t word_at(ByteView bytes, const Word& word);

/// The values that break readers: 0, 1, −1, the signed limits, one off in both directions, and just beyond
/// what is left in the file.
std::vector<std::uint32_t> hostile_values(ByteView bytes, const Word& word);

}  // namespace thaw::test
