#include <thaw/forgelight.hpp>
#include <thaw/materials.hpp>

#include "bytes/text.hpp"

#include <algorithm>
#include <array>

namespace thaw::materials {
namespace {

constexpr std::string_view kRoot = "MaterialDefinitionCollection";
constexpr std::string_view kOldRoot = "MaterialInfo";
constexpr unsigned kMostStreams = 16;

struct TypeRow {
  std::string_view name;  ///< in lower case
  Type type;
  std::size_t size;
};

constexpr std::array kTypes = {
    TypeRow{"float1", Type::float1, 4},
    TypeRow{"float2", Type::float2, 8},
    TypeRow{"float3", Type::float3, 12},
    TypeRow{"float4", Type::float4, 16},
    TypeRow{"float16_2", Type::half2, 4},
    TypeRow{"float16_4", Type::half4, 8},
    TypeRow{"short2", Type::short2, 4},
    TypeRow{"short4", Type::short4, 8},
    TypeRow{"short2n", Type::short2_normalized, 4},
    TypeRow{"short4n", Type::short4_normalized, 8},
    TypeRow{"ushort2n", Type::ushort2_normalized, 4},
    TypeRow{"ushort4n", Type::ushort4_normalized, 8},
    TypeRow{"ubyte4", Type::ubyte4, 4},
    TypeRow{"ubyte4n", Type::ubyte4_normalized, 4},
    TypeRow{"d3dcolor", Type::d3d_color, 4},
    TypeRow{"udec3", Type::udec3, 4},
    TypeRow{"dec3n", Type::dec3_normalized, 4},
};

constexpr std::array kUsages = {
    std::pair(std::string_view("position"), Usage::position),
    std::pair(std::string_view("blendweight"), Usage::blend_weight),
    std::pair(std::string_view("blendindices"), Usage::blend_indices),
    std::pair(std::string_view("normal"), Usage::normal),
    std::pair(std::string_view("psize"), Usage::point_size),
    std::pair(std::string_view("texcoord"), Usage::texcoord),
    std::pair(std::string_view("tangent"), Usage::tangent),
    std::pair(std::string_view("binormal"), Usage::binormal),
    std::pair(std::string_view("color"), Usage::color),
};

Type type_named(const std::string& name) {
  const std::string plain = ascii::lowered(name);
  const auto* found =
      std::find_if(kTypes.begin(), kTypes.end(), [&](const TypeRow& row) { return row.name == plain; });
  return found == kTypes.end() ? Type::unknown : found->type;
}

Usage usage_named(const std::string& name) {
  const std::string plain = ascii::lowered(name);
  const auto* found =
      std::find_if(kUsages.begin(), kUsages.end(), [&](const auto& row) { return row.first == plain; });
  return found == kUsages.end() ? Usage::unknown : found->second;
}

unsigned small_number(const std::string& text) {
  unsigned value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9' || value > 0xFFFF) {
      return 0;
    }
    value = value * 10 + static_cast<unsigned>(c - '0');
  }
  return value;
}

class LayoutReader {
 public:
  LayoutReader(const xml::Tree& tree, std::string name) : tree_(tree), layout_{std::move(name), {}} {}

  /// Entries without an offset follow each other.
  void add(std::uint32_t element) {
    Entry entry;
    entry.stream = small_number(tree_.attribute(element, "Stream"));
    if (entry.stream >= kMostStreams) {
      return;
    }
    entry.type = type_named(tree_.attribute(element, "Type"));
    entry.usage = usage_named(tree_.attribute(element, "Usage"));
    entry.usage_index = small_number(tree_.attribute(element, "UsageIndex"));
    const std::string offset = tree_.attribute(element, "Offset");
    std::size_t& end = ends_.at(entry.stream);
    entry.offset = offset.empty() ? static_cast<unsigned>(end) : small_number(offset);
    end = std::max(end, entry.offset + type_size(entry.type));
    layout_.entries.push_back(entry);
  }

  Layout take() { return std::move(layout_); }

 private:
  const xml::Tree& tree_;
  Layout layout_;
  std::array<std::size_t, kMostStreams> ends_{};
};

/// Calls `each` with every child of an element; none of Element::kNone.
template <class F>
void for_each_child(const xml::Tree& tree, std::uint32_t parent, std::string_view name, F&& each) {
  for (std::uint32_t i = xml::Element::kNone;
       parent != xml::Element::kNone && (i = tree.child(parent, name, i)) != xml::Element::kNone;) {
    each(i);
  }
}

/// The child `<Array Name="…">`.
std::uint32_t list_named(const xml::Tree& tree, std::uint32_t parent, std::string_view name) {
  std::uint32_t found = xml::Element::kNone;
  for_each_child(tree, parent, "Array", [&](std::uint32_t i) {
    found = found == xml::Element::kNone && tree.attribute(i, "Name") == name ? i : found;
  });
  return found;
}

Library read_collection(const xml::Tree& tree) {
  Library library;
  for_each_child(tree, list_named(tree, 0, "InputLayouts"), "Object", [&](std::uint32_t i) {
    LayoutReader layout(tree, tree.attribute(i, "Name"));
    for_each_child(tree, list_named(tree, i, "Entries"), "Object",
                   [&](std::uint32_t entry) { layout.add(entry); });
    library.layouts.push_back(layout.take());
  });
  for_each_child(tree, list_named(tree, 0, "MaterialDefinitions"), "Object", [&](std::uint32_t i) {
    Definition definition{tree.attribute(i, "Name"), 0, {}, {}};
    definition.hash = forgelight::hash(definition.name);
    const std::uint32_t styles = list_named(tree, i, "DrawStyles");
    const std::uint32_t style = styles == xml::Element::kNone ? styles : tree.child(styles, "Object");
    if (style != xml::Element::kNone) {
      definition.effect = tree.attribute(style, "Effect");
      definition.layout = tree.attribute(style, "InputLayout");
    }
    library.definitions.push_back(std::move(definition));
  });
  return library;
}

/// Free Realms: elements have names of their own, whatever they stand in.
Library read_material_info(const xml::Tree& tree) {
  Library library;
  for (std::uint32_t i = 0; i < tree.elements.size(); ++i) {
    if (tree.name(i) == "InputLayout") {
      LayoutReader layout(tree, tree.attribute(i, "Name"));
      for_each_child(tree, i, "Entry", [&](std::uint32_t entry) { layout.add(entry); });
      library.layouts.push_back(layout.take());
    }
  }
  return library;
}

constexpr auto kPosition = std::pair(Type::float3, Usage::position);
constexpr auto kWeight = std::pair(Type::ubyte4_normalized, Usage::blend_weight);
constexpr auto kIndices = std::pair(Type::d3d_color, Usage::blend_indices);
constexpr auto kTangent = std::pair(Type::ubyte4_normalized, Usage::tangent);
constexpr auto kBinormal = std::pair(Type::ubyte4_normalized, Usage::binormal);
constexpr auto kUv = std::pair(Type::half2, Usage::texcoord);
constexpr auto kColor = std::pair(Type::ubyte4_normalized, Usage::color);
using Part = std::pair<Type, Usage>;

void add_parts(Layout& layout, unsigned stream, std::initializer_list<Part> parts) {
  for (const auto& [type, usage] : parts) {
    const auto before =
        std::count_if(layout.entries.begin(), layout.entries.end(),
                      [&, requested = usage](const Entry& entry) { return entry.usage == requested; });
    layout.entries.push_back(
        {stream, type, usage, static_cast<unsigned>(before), static_cast<unsigned>(layout.stride(stream))});
  }
}

Layout layout_of(std::string_view name, std::initializer_list<Part> first,
                 std::initializer_list<Part> second) {
  Layout layout{std::string(name), {}};
  add_parts(layout, 0, first);
  add_parts(layout, 1, second);
  return layout;
}

}  // namespace

std::size_t type_size(Type type) {
  const auto* found =
      std::find_if(kTypes.begin(), kTypes.end(), [&](const TypeRow& row) { return row.type == type; });
  return found == kTypes.end() ? 0 : found->size;
}

std::size_t Layout::stride(unsigned stream) const {
  std::size_t end = 0;
  for (const auto& entry : entries) {
    end = entry.stream == stream ? std::max(end, entry.offset + type_size(entry.type)) : end;
  }
  return end;
}

bool Layout::is_rigid() const { return name == "Vehicle" || name.find("Rigid") != std::string::npos; }

const Definition* Library::find_definition(std::uint32_t hash) const {
  const auto found = std::find_if(definitions.begin(), definitions.end(),
                                  [&](const Definition& definition) { return definition.hash == hash; });
  return found == definitions.end() ? nullptr : &*found;
}

const Layout* Library::find_layout(std::string_view name) const {
  const auto found =
      std::find_if(layouts.begin(), layouts.end(), [&](const Layout& layout) { return layout.name == name; });
  return found == layouts.end() ? nullptr : &*found;
}

bool is_materials(std::string_view text) {
  const std::string_view root = xml::root_name(text);
  constexpr std::size_t kWindow = 65536;
  return root == kOldRoot ||
         (root == "Object" && text.substr(0, kWindow).find(kRoot) != std::string_view::npos);
}

Result<Library> read_library(const xml::Document& document) {
  const auto tree = xml::parse(xml::text_of(document));
  if (!tree) {
    return tl::unexpected<Error>(tree.error());
  }
  if (tree->name(0) == kOldRoot) {
    return read_material_info(*tree);
  }
  if (tree->attribute(0, "Class") != kRoot) {
    return fail(codes::kFormatForeign, "the root element is " + std::string(tree->name(0)) + "; expected " +
                                           std::string(kOldRoot) + " or an element of the class " +
                                           std::string(kRoot));
  }
  return read_collection(*tree);
}

std::vector<Layout> known_layouts() {
  const Part float_tangent(Type::float3, Usage::tangent);
  const Part float_binormal(Type::float3, Usage::binormal);
  const Part float_uv(Type::float2, Usage::texcoord);
  const Part float_weight(Type::float3, Usage::blend_weight);
  const auto skinned = {kPosition, kWeight, kIndices};
  const auto rigid = {kPosition};
  const auto vehicle = {kTangent, kBinormal, kUv, kUv, kColor, kUv};
  const auto three = {kTangent, kBinormal, kUv, kUv, kUv};
  return {
      layout_of("Character", skinned, three),
      layout_of("CharacterRigid", rigid, three),
      layout_of("Vehicle", rigid, vehicle),
      layout_of("TankTread", skinned, vehicle),
      layout_of("BumpRigid", rigid, {kTangent, kBinormal, kUv}),
      layout_of("TwoSided", rigid, {kTangent, kBinormal, kUv, kUv}),
      layout_of("Structure", rigid, three),
      layout_of("BumpUVSkin", rigid, {float_weight, kIndices, float_tangent, float_binormal, float_uv}),
      layout_of("BumpUVRigid", rigid, {float_tangent, float_binormal, float_uv}),
      layout_of("Object", rigid,
                {kTangent, kBinormal, kUv, kUv, Part(Type::ubyte4_normalized, Usage::unknown),
                 Part(Type::ubyte4_normalized, Usage::unknown), kColor}),
  };
}

}  // namespace thaw::materials
