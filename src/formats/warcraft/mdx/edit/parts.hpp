// Parts shared by edits: everything that has a node, with its path, and things by number or name.
#pragma once

#include "formats/edit_steps.hpp"
#include "formats/warcraft/mdx/convert/conversion_job.hpp"

#include <thaw/mdx.hpp>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace thaw::mdx {

/// Calls visit(item, path) for all items of lists, such as (Bone&, "BONE[2]"), and "BONE#2[0]" for those of a
/// second chunk.
template <class Visit>
void each_item(Document& document, Visit&& visit) {
  std::map<std::array<char, 4>, std::size_t> counts;  // by tag: chunks may occur twice
  const auto name_of = [&](FourCC tag) {
    const std::size_t number = ++counts[tag.bytes];
    return number == 1 ? tag.text() : tag.text() + "#" + std::to_string(number);
  };
  for (auto& chunk : document.chunks) {
    std::visit(
        [&](auto& body) {
          const std::string name = name_of(chunk.tag);
          if constexpr (requires { body.items; }) {
            for (std::size_t i = 0; i < body.items.size(); ++i) {
              visit(body.items[i], place(name, i));
            }
          }
        },
        chunk.body);
  }
}

/// Calls visit(item, index, path) for the items of one kind; the index counts over all chunks.
template <class Body, class Visit>
void each_of(Document& document, Visit&& visit) {
  std::size_t index = 0;
  each_item(document, [&](auto& item, const std::string& path) {
    if constexpr (std::is_same_v<std::decay_t<decltype(item)>, typename decltype(Body::items)::value_type>) {
      visit(item, index++, path);
    }
  });
}

/// The same for all that stands in the hierarchy.
template <class Visit>
void each_object(Document& document, Visit&& visit) {
  each_item(document, [&](auto& item, const std::string& path) {
    if constexpr (requires { item.node; }) {
      visit(item, path);
    }
  });
}

/// All nodes by their ids, of several with one id the first.
std::map<std::int32_t, Node*> nodes_by_id(Document& document);
/// The id of the first node of a name, whatever the case of its letters and the blanks after them.
std::optional<std::int32_t> id_of_node(Document& document, std::string_view name);

/// Nodes that vertices hang at.
std::set<std::int32_t> ids_that_move_vertices(const Document& document);
/// Takes nodes out of the hierarchy: what hangs at one of them hangs at its parent then, and the ids after
/// them close up. Vertices may not hang at them.
void remove_nodes(Document& document, const std::set<std::int32_t>& ids);

/// Do ids count from 0, with a pivot for each?
bool has_counted_nodes(Document& document);
/// Gives bones the first ids, as the game requires, where `has_counted_nodes`.
void bones_first(Document& document);

/// Bones, and helpers too if requested, at which no vertices hang, and which of them have children. Those by
/// which the game turns heads, chests and turrets are none.
std::map<std::int32_t, bool> idle_nodes(Document& document, bool helpers);

/// Bones at which no vertices hang: those without children go, the others become helpers, which come after
/// the bones by number. Those by which the game turns heads, chests and turrets stay. Returns how many.
std::size_t settle_idle_bones(Document& document);

/// An id for one more node, for which there is a pivot and, where the document has any, a bind pose then.
std::int32_t add_pivot(Document& document, const Vec3& pivot);

}  // namespace thaw::mdx
