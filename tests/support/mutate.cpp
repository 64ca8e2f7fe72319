#include "support/mutate.hpp"

#include <algorithm>

namespace thaw::test {

namespace {

class LayoutRecorder final : public Inspector {
 public:
  explicit LayoutRecorder(Layout& layout) : layout_(layout) {}

  void begin(std::string_view /*name*/, bool /*is_list*/, std::uint64_t offset) override { mark(offset); }
  void end(std::uint64_t offset) override { mark(offset); }
  void leaf(const Leaf& leaf) override {
    layout_.end = std::max(layout_.end, leaf.offset + leaf.size);
    const bool whole_number = leaf.role == LeafRole::value && !leaf.array && leaf.components == 1 &&
                              leaf.kind != ScalarKind::f32 && leaf.kind != ScalarKind::f64;
    const bool bookkeeping = leaf.role == LeafRole::structure || leaf.role == LeafRole::tag;
    if (leaf.size <= 4 && (whole_number || bookkeeping)) {
      layout_.words.push_back({leaf.offset, leaf.size, std::string(leaf.name)});
    }
  }

 private:
  void mark(std::uint64_t offset) { layout_.boundaries.push_back(offset); }

  Layout& layout_;
};

}  // namespace

Layout layout_of(const Inspection& inspection) {
  Layout layout;
  LayoutRecorder recorder(layout);
  inspection(recorder);
  auto& boundaries = layout.boundaries;
  std::sort(boundaries.begin(), boundaries.end());
  boundaries.erase(std::unique(boundaries.begin(), boundaries.end()), boundaries.end());
  return layout;
}

std::uint32_t word_at(ByteView bytes, const Word& word) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < word.size; ++i) {
    value |= std::uint32_t{bytes[word.offset + i]} << (8 * i);
  }
  return value;
}

Bytes with_word(ByteView bytes, const Word& word, std::uint32_t value) {
  Bytes mutant(bytes.begin(), bytes.end());
  for (std::size_t i = 0; i < word.size; ++i) {
    mutant[word.offset + i] = static_cast<std::uint8_t>(value >> (8 * i));
  }
  return mutant;
}

std::vector<std::uint32_t> hostile_values(ByteView bytes, const Word& word) {
  const std::uint32_t now = word_at(bytes, word);
  const auto left = static_cast<std::uint32_t>(bytes.size() - word.offset);
  std::vector<std::uint32_t> values = {0,       1,    0xFFFFFFFF, 0x7FFFFFFF, 0x80000000, now + 1,
                                       now - 1, left, left + 1,   left / 4,   0x00010000};
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  values.erase(std::remove(values.begin(), values.end(), now), values.end());
  return values;
}

}  // namespace thaw::test
