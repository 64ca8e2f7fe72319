#include "capi/handles.hpp"

#include <cstring>

/// A document's fields, and what of them the document does not hold at a place of its own.
struct thaw_fields {
  explicit thaw_fields(thaw::AnyDocument any) : document(std::move(any)) {}
  thaw::AnyDocument document;
  std::vector<thaw_field> all;
  std::unordered_set<std::string> names;
  std::vector<std::unique_ptr<std::byte[]>> blocks;
};

namespace thaw::capi {
namespace {

/// What is longer stays where the document has it: descriptions show arrays, texts and raw bytes as they are
/// stored. Of shorter values a description may show one that it has worked out.
constexpr std::size_t kLongestCopied = 64;
constexpr std::size_t kBlock = 1U << 16U;

class Collector : public Inspector {
 public:
  explicit Collector(thaw_fields& fields) : fields_(fields) { open("", false, 0); }

  void begin(std::string_view name, bool is_list, std::uint64_t offset) override {
    // The content of a chunk goes without a name.
    const bool content = is_list && name.empty();
    open(content ? "items" : name, is_list, offset);
  }
  void end(std::uint64_t offset) override {
    thaw_field& field = fields_.all[levels_.back().index];
    field.bytes = offset >= field.offset ? offset - field.offset : 0;
    levels_.pop_back();
  }
  void leaf(const Leaf& leaf) override {
    if (leaf.role == LeafRole::structure) {
      return;
    }
    thaw_field& field = add(leaf.name, kind_of(leaf.role), leaf.offset);
    field.bytes = leaf.size;
    field.count = leaf.count;
    // Packed numbers, which have no enumerator, are given as their bits.
    const ScalarKind kind = leaf.kind > ScalarKind::f64 ? ScalarKind::u32 : leaf.kind;
    field.scalar = static_cast<std::uint8_t>(kind);
    field.components = leaf.components;
    field.array = leaf.array ? 1 : 0;
    field.data = leaf.size > kLongestCopied ? leaf.data : copied(leaf);
    if (leaf.role == LeafRole::tag) {
      name_by(leaf);
    }
  }

 private:
  struct Level {
    std::uint32_t index;
    std::uint32_t last = THAW_NONE;  ///< child
  };

  static std::uint8_t kind_of(LeafRole role) {
    switch (role) {
      case LeafRole::rows:
        return THAW_ROWS;
      case LeafRole::text:
        return THAW_TEXT;
      case LeafRole::tag:
        return THAW_TAG;
      case LeafRole::raw:
        return THAW_RAW;
      default:
        return THAW_VALUE;
    }
  }

  thaw_field& add(std::string_view name, std::uint8_t kind, std::uint64_t offset) {
    const auto index = static_cast<std::uint32_t>(fields_.all.size());
    thaw_field field{};
    field.size = sizeof(field);
    field.name = known(name);
    field.offset = offset;
    field.kind = kind;
    field.next = THAW_NONE;
    field.parent = THAW_NONE;
    if (!levels_.empty()) {
      Level& level = levels_.back();
      field.parent = level.index;
      ++fields_.all[level.index].count;
      if (level.last != THAW_NONE) {
        fields_.all[level.last].next = index;
      }
      level.last = index;
    }
    return fields_.all.emplace_back(field);
  }

  void open(std::string_view name, bool is_list, std::uint64_t offset) {
    const auto index = static_cast<std::uint32_t>(fields_.all.size());
    add(name, is_list ? THAW_LIST : THAW_OBJECT, offset);
    levels_.push_back({index});
  }

  const char* known(std::string_view name) { return fields_.names.emplace(name).first->c_str(); }

  /// An item is called after its tag.
  void name_by(const Leaf& leaf) {
    thaw_field& item = fields_.all[levels_.back().index];
    if (*item.name == '\0' && leaf.size == sizeof(FourCC::bytes) && item.parent != THAW_NONE) {
      FourCC tag;
      std::memcpy(tag.bytes.data(), leaf.data, tag.bytes.size());
      item.name = known(tag.text());
    }
  }

  const void* copied(const Leaf& leaf) {
    if (leaf.size == 0) {
      return "";
    }
    constexpr std::size_t kAlignment = 8;
    const auto size = static_cast<std::size_t>(leaf.size);
    if (left_ < size) {
      fields_.blocks.push_back(std::make_unique<std::byte[]>(kBlock));
      free_ = fields_.blocks.back().get();
      left_ = kBlock;
    }
    std::byte* copy = free_;
    std::memcpy(copy, leaf.data, size);
    const std::size_t taken = std::min(left_, (size + kAlignment - 1) / kAlignment * kAlignment);
    free_ += taken;
    left_ -= taken;
    return copy;
  }

  thaw_fields& fields_;
  std::vector<Level> levels_;
  std::byte* free_ = nullptr;
  std::size_t left_ = 0;
};

}  // namespace
}  // namespace thaw::capi

extern "C" {

thaw_fields* thaw_document_fields(const thaw_document* document, thaw_error** error) {
  return thaw::capi::give<thaw_fields>(error, [&]() -> thaw::Result<std::unique_ptr<thaw_fields>> {
    auto fields = std::make_unique<thaw_fields>(document->document);
    thaw::capi::Collector collector(*fields);
    thaw::inspect_any(fields->document, collector);
    return fields;
  });
}

const thaw_field* thaw_fields_all(const thaw_fields* fields, size_t* count, size_t* stride) {
  *count = fields->all.size();
  *stride = sizeof(thaw_field);
  return fields->all.data();
}

void thaw_fields_free(thaw_fields* fields) { delete fields; }

}  // extern "C"
