#include <thaw/adr.hpp>

#include "bytes/number_text.hpp"

#include <cmath>

namespace thaw::adr {
namespace {

constexpr std::string_view kRoot = "ActorRuntime";

float metres(const std::string& text) {
  float value = 0;
  parse_number(text.data(), text.data() + text.size(), value);
  return std::isfinite(value) && value > 0 ? value : 0;
}

/// A number of 32 bits, with a sign or without.
std::uint32_t whole(std::string_view text) {
  const bool negative = !text.empty() && text.front() == '-';
  std::uint32_t value = 0;
  for (const char c : text.substr(negative ? 1 : 0)) {
    if (c < '0' || c > '9') {
      return 0;
    }
    value = value * 10 + static_cast<std::uint32_t>(c - '0');
  }
  return negative ? 0U - value : value;
}

Lod lod_of(const xml::Tree& tree, std::uint32_t element) {
  return {tree.attribute(element, "fileName"), tree.attribute(element, "paletteName"),
          metres(tree.attribute(element, "distance"))};
}

Alias alias_of(const xml::Tree& tree, std::uint32_t element) {
  return {tree.attribute(element, "aliasName"), tree.attribute(element, "textureName"),
          whole(tree.attribute(element, "semanticHash")), whole(tree.attribute(element, "materialIndex")),
          tree.attribute(element, "defaultTextureAlias") == "1"};
}

/// Calls `each` with every element `name` in the first element `list` of the root.
template <class F>
void for_each_in(const xml::Tree& tree, std::string_view list, std::string_view name, F&& each) {
  const std::uint32_t parent = tree.child(0, list);
  for (std::uint32_t i = xml::Element::kNone;
       parent != xml::Element::kNone && (i = tree.child(parent, name, i)) != xml::Element::kNone;) {
    each(i);
  }
}

}  // namespace

bool is_actor(std::string_view text) { return xml::root_name(text) == kRoot; }

Result<Actor> read_actor(const xml::Document& document) {
  const auto tree = xml::parse(xml::text_of(document));
  if (!tree) {
    return tl::unexpected<Error>(tree.error());
  }
  if (tree->name(0) != kRoot) {
    return fail(codes::kFormatForeign,
                "the root element is " + std::string(tree->name(0)) + ", not " + std::string(kRoot));
  }
  Actor actor;
  if (const auto network = tree->child(0, "AnimationNetwork"); network != xml::Element::kNone) {
    actor.network = tree->attribute(network, "fileName");
    actor.animation_set = tree->attribute(network, "animSetName");
  }
  if (const auto base = tree->child(0, "Base"); base != xml::Element::kNone) {
    actor.base = lod_of(*tree, base);
  }
  if (const auto collision = tree->child(0, "CollisionData"); collision != xml::Element::kNone) {
    actor.collision = tree->attribute(collision, "fileName");
  }
  for_each_in(*tree, "Lods", "Lod", [&](std::uint32_t i) { actor.lods.push_back(lod_of(*tree, i)); });
  for_each_in(*tree, "TextureAliases", "Alias",
              [&](std::uint32_t i) { actor.aliases.push_back(alias_of(*tree, i)); });
  return actor;
}

}  // namespace thaw::adr
