// The network of states (mrn.md#the-network): version 24 as far as it is known, of version 26 the tables of
// names.
#pragma once

#include <thaw/mrn.hpp>

#include "describe/parts.hpp"

namespace thaw::mrn {

inline constexpr std::uint64_t kNodeSize = 0x90;
inline constexpr std::uint64_t kMessageSize = 0x30;
/// Types of attributes (mrn.md#attributes), version 24.
inline constexpr std::uint16_t kSourceAnimation = 21;
inline constexpr std::uint16_t kSourceEventTracks = 23;

template <class V, class Table>
void table_at(V& v, const char* name, const std::uint64_t& at, StringTable::Form form, Table& table);

template <class V, class Any>
void describe_event_sets(V& v, std::uint64_t at, Any& attribute) {
  constexpr std::array<const char*, 3> kIds = {"discreteIds", "curveIds", "durationIds"};
  constexpr std::array<const char*, 3> kSizes = {"discreteSizes", "curveSizes", "durationSizes"};
  for (std::size_t i = 0; i < kIds.size(); ++i) {
    auto& set = attribute.sets[i];
    array_after(v, kIds[i], at, set.ids_at, set.count, set.ids);
    array_after(v, kSizes[i], at, set.sizes_at, set.count, set.sizes);
  }
}

template <class V, class Any>
void describe_source_animation(V& v, std::uint64_t at, Any& attribute) {
  constexpr std::uint64_t kSize = 0x8C;
  if constexpr (V::kReads) {
    if (!reaches(v, "sourceAnimation", at, kSize)) {
      return;
    }
    attribute.emplace();
  } else if (!attribute) {
    return;
  }
  v.block("sourceAnimation", at, kSize, [&] {
    auto& there = **attribute;
    v.field("head", there.head);
    v.field("animation", there.animation);
    v.field("rigMap", there.rig_map);
    v.field("unknown", there.unknown);
    v.field("clipStart", there.clip_start);
    v.field("clipEnd", there.clip_end);
    v.field("length", there.length);
  });
}

template <class V, class Any>
void describe_source_events(V& v, std::uint64_t at, Any& attribute) {
  constexpr std::uint64_t kSize = 0x58;
  if constexpr (V::kReads) {
    if (!reaches(v, "sourceEventTracks", at, kSize)) {
      return;
    }
    attribute.emplace();
  } else if (!attribute) {
    return;
  }
  auto& there = **attribute;
  v.block("sourceEventTracks", at, kSize, [&] {
    v.field("allocator", there.allocator);
    v.field("head", there.head);
    constexpr std::array<const char*, 3> kSets = {"discrete", "curve", "duration"};
    for (std::size_t i = 0; i < kSets.size(); ++i) {
      group(v, kSets[i], [&] {
        auto& set = there.sets[i];
        v.field("count", set.count);
        v.field("padding", set.padding);
        v.field("idsPointer", set.ids_at);
        v.field("sizesPointer", set.sizes_at);
      });
    }
  });
  describe_event_sets(v, at, there);
}

template <class V>
void describe(V& v, As<V, AttributeSpan>& attribute) {
  v.field("pointer", attribute.at);
  v.field("size", attribute.size);
  v.field("alignment", attribute.alignment);
  v.field("unknown", attribute.unknown);
}

/// The content of those attributes whose meaning matters.
template <class V, class Any>
void describe_attribute(V& v, std::uint64_t node, Any& attribute) {
  const std::uint64_t at = pointed(node, attribute.at);
  points(v, attribute.at, at);
  std::uint16_t type = 0;
  if constexpr (V::kReads) {
    constexpr std::uint64_t kTypeAt = 0x0A;
    if (attribute.at != 0 && holds(v, at, kTypeAt + 2)) {
      type = load_plain<std::uint16_t>(v.region_bytes().data() + at + kTypeAt);
    }
  }
  if (type == kSourceAnimation || attribute.animation) {
    describe_source_animation(v, at, attribute.animation);
  }
  if (type == kSourceEventTracks || attribute.event_tracks) {
    describe_source_events(v, at, attribute.event_tracks);
  }
}

template <class V, class Any>
void describe_node_header(V& v, Any& node) {
  v.field("type", node.type);
  v.field("flags", node.flags);
  v.field("id", node.id);
  v.field("parent", node.parent);
  v.field("childCount", node.child_count);
  v.field("unknown", node.unknown);
  v.field("controlCount", node.control_count);
  v.field("unknown2", node.unknown2);
  v.field("attributeCount", node.attribute_count);
  v.field("unknown3", node.unknown3);
  v.field("owner", node.owner);
  v.field("childrenPointer", node.children_at);
  v.field("controlsPointer", node.controls_at);
  v.field("attributesPointer", node.attributes_at);
  v.field("rest", node.rest);
}

template <class V, class Any>
void describe_attributes(V& v, std::uint64_t at, Any& node) {
  const std::uint64_t place = pointed(at, node.attributes_at);
  std::size_t count = node.attributes.size();
  if constexpr (V::kReads) {
    count = node.attribute_count;
    std::uint64_t& left = v.context().attributes_left;
    const std::uint64_t size = product(count, AttributeSpan::kMinSize);
    if (node.attributes_at == 0 || count > left || !reaches(v, "attributes", place, size)) {
      return;
    }
    left -= count;
  }
  if (count > 0) {
    points(v, node.attributes_at, place);
    v.block("attributes", place, count * AttributeSpan::kMinSize,
            [&] { v.list("list", node.attributes, count); });
  }
  v.blocks("attributeData", node.attributes.size(),
           [&](std::size_t i) { group(v, "", [&] { describe_attribute(v, at, node.attributes[i]); }); });
}

template <class V, class Any>
void describe_node(V& v, const std::uint64_t& at, Any& node) {
  block_if(v, "node", at, kNodeSize, node.present, [&] { describe_node_header(v, node); });
  if (!node.present) {
    return;
  }
  array_after(v, "children", at, node.children_at, node.child_count, node.children);
  array_after(v, "controls", at, node.controls_at, node.control_count, node.controls);
  describe_attributes(v, at, node);
}

template <class V, class Any>
void describe_tables(V& v, Any& network, bool v24) {
  using Form = StringTable::Form;
  struct Row {
    const char* name;
    std::size_t word;  ///< of the pointer
    Form form;
  };
  constexpr std::array<Row, 3> kV24 = {Row{"nodeNames", 7, Form::with_ids},
                                       Row{"requestNames", 8, Form::with_ids},
                                       Row{"eventTrackNames", 9, Form::with_ids}};
  constexpr std::array<Row, 5> kV26 = {
      Row{"names0", 0xF0 / 8, Form::expanded}, Row{"names1", 0xF8 / 8, Form::expanded},
      Row{"names2", 0x100 / 8, Form::plain}, Row{"names3", 0x110 / 8, Form::plain},
      Row{"names4", 0x118 / 8, Form::plain}};
  const std::size_t count = v24 ? kV24.size() : kV26.size();
  if constexpr (V::kReads) {
    network.tables.resize(count);
  }
  for (std::size_t i = 0; i < count && i < network.tables.size(); ++i) {
    const Row& row = v24 ? kV24.at(i) : kV26.at(i);
    if (row.word < network.words.size()) {
      table_at(v, row.name, network.words[row.word], row.form, network.tables[i]);
    }
  }
}

template <class V, class Any>
void describe_nodes(V& v, Any& network) {
  const auto count = static_cast<std::uint32_t>(network.words[0]);
  array_after(v, "nodePointers", 0, network.words[1], count, network.nodes_at);
  if constexpr (V::kReads) {
    // Nodes that lie apart cannot be more.
    const std::uint64_t most = v.region_bytes().size() / kNodeSize;
    network.nodes.resize(static_cast<std::size_t>(std::min<std::uint64_t>(network.nodes_at.size(), most)));
  }
  v.blocks("nodes", network.nodes.size(), [&](std::size_t i) {
    if (i < network.nodes_at.size()) {
      group(v, "", [&] { describe_node(v, network.nodes_at[i], network.nodes[i]); });
    }
  });
}

template <class V, class Any>
void describe_message_header(V& v, Any& message) {
  v.field("id", message.id);
  v.field("type", message.type);
  v.field("nodeCount", message.node_count);
  v.field("padding", message.padding);
  v.field("unknown", message.unknown);
  v.field("unknown2", message.unknown2);
  v.field("padding2", message.padding2);
  v.field("unknown3", message.unknown3);
}

template <class V, class Any>
void describe_message(V& v, const std::uint64_t& at, Any& message) {
  block_if(v, "message", at, kMessageSize, message.present, [&] { describe_message_header(v, message); });
  if (!message.present) {
    return;
  }
  if constexpr (V::kReads) {
    // Together no longer than the packet, as attributes.
    constexpr std::uint64_t kIdsPerAttribute = AttributeSpan::kMinSize / sizeof(std::uint16_t);
    std::uint64_t& left = v.context().attributes_left;
    const std::uint64_t cost = message.node_count / kIdsPerAttribute + 1;
    if (cost > left) {
      return;
    }
    left -= cost;
  }
  array_at(v, "nodes", pointed(at, kMessageSize), message.node_count, message.nodes);
}

template <class V, class Any>
void describe_messages(V& v, Any& network) {
  constexpr std::size_t kCount = (0xF8 - 0x90) / 8;
  const auto count = static_cast<std::uint32_t>(network.words[kCount]);
  if (network.words[kCount + 1] != 0) {
    array_at(v, "messagePointers", network.words[kCount + 1], count, network.messages_at);
  }
  if constexpr (V::kReads) {
    const std::uint64_t most = v.region_bytes().size() / kMessageSize;
    network.messages.resize(
        static_cast<std::size_t>(std::min<std::uint64_t>(network.messages_at.size(), most)));
  }
  v.blocks("messages", network.messages.size(), [&](std::size_t i) {
    if (i < network.messages_at.size()) {
      group(v, "", [&] { describe_message(v, network.messages_at[i], network.messages[i]); });
    }
  });
}

template <class V>
void describe(V& v, As<V, Network>& network) {
  const bool v24 = v.context().layout == Layout::v24_le64;
  constexpr std::size_t kWordsV24 = (0x140 - 0x90) / 8;
  constexpr std::size_t kWordsV26 = 0x190 / 8;
  if (v24) {
    describe_node(v, 0, network.instance);
    std::uint64_t words = kWordsV24;
    if constexpr (V::kReads) {
      words = reaches(v, "header", kNodeSize, kWordsV24 * 8) ? kWordsV24 : 0;
    }
    array_at(v, "header", kNodeSize, words, network.words);
  } else {
    v.bulk("header", network.words, kWordsV26);
  }
  describe_tables(v, network, v24);
  if (v24 && network.words.size() == kWordsV24) {
    describe_nodes(v, network);
    describe_messages(v, network);
  }
  padded_gaps(v, network.gaps);
}

}  // namespace thaw::mrn
