// The layout of animation networks and their packets. See docs/formats/mrn.md. Inside a packet all offsets
// count from the start of its data.
#pragma once

#include <thaw/mrn.hpp>

#include "describe/parts.hpp"
#include "formats/forgelight/mrn/network.hpp"
#include "formats/forgelight/mrn/walk.hpp"
#include "formats/forgelight/nsa/description.hpp"

#include <algorithm>
#include <type_traits>

namespace thaw::mrn {

struct Context {
  Layout layout = Layout::v26_le64;
  /// Attributes of nodes that may still be read: nodes may claim the same bytes, and an attribute takes more
  /// memory than its record.
  std::uint64_t attributes_left = 0;
  /// Of what is read: where the packets lie, the one whose turn it is, and what its header states.
  std::span<const PacketExtent> places;
  std::size_t place = 0;
  std::array<std::uint32_t, 2> stated{};
};

constexpr std::uint64_t header_size(Layout layout) { return layout == Layout::v24_le64 ? 0x30 : 0x28; }

/// Where the packet after this one begins (mrn.md#packets), from where this one's data ends.
constexpr std::uint64_t next_packet(Layout layout, std::uint64_t data_end, std::uint32_t alignment) {
  return align_up(data_end, layout == Layout::v24_le64 ? alignment : layout == Layout::le32 ? 4 : 16);
}

// --- parts of packets
// -------------------------------------------------------------------------------------

inline void table_form(StringTable& table, StringTable::Form form) { table.form = form; }
inline void table_form(const StringTable& /*table*/, StringTable::Form /*form*/) {}

template <class V>
constexpr StringTable::Form ids_form(V& v) {
  return v.context().layout == Layout::v24_le64 ? StringTable::Form::with_ids : StringTable::Form::expanded;
}
template <class V>
constexpr StringTable::Form names_form(V& v) {
  return v.context().layout == Layout::v24_le64 ? StringTable::Form::with_ids : StringTable::Form::plain;
}

/// As array_at, of texts that end with NULs.
template <class V, class Texts>
void texts_at(V& v, const char* name, const std::uint64_t& at, const auto& size, Texts& texts) {
  if constexpr (V::kReads) {
    if (size == 0 || v.failed() || !reaches(v, name, at, size)) {
      return;
    }
  } else if (texts.empty()) {
    return;
  }
  points(v, at, at);
  spans(v, size, at);
  v.block(name, at, size, [&] { v.strings("values", texts, static_cast<std::size_t>(size)); });
}

/// Its offsets count from the first text.
template <class V, class Table>
void points_into(V& v, const Table& table, std::uint64_t strings) {
  if constexpr (!V::kReads) {
    for (const auto& offset : table.offsets) {
      points(v, offset, pointed(strings, offset));
    }
  }
}

/// A table of texts (mrn.md#string-tables) at an offset that is known to be one: `at` may be 0.
template <class V, class Table>
void describe_table(V& v, const std::uint64_t& at, StringTable::Form form, Table& table) {
  using Form = StringTable::Form;
  table_form(table, form);
  const std::uint64_t size = form == Form::plain ? 24 : form == Form::with_ids ? 32 : 40;
  block_if(v, "table", at, size, table.present, [&] {
    v.field("count", table.count);
    v.field("dataSize", table.data_size);
    if (form != Form::plain) {
      v.field("idsPointer", table.ids_at);
    }
    v.field("offsetsPointer", table.offsets_at);
    if (form == Form::expanded) {
      v.field("unknownPointer", table.unknown_at);
    }
    v.field("stringsPointer", table.strings_at);
  });
  if (!table.present) {
    return;
  }
  const auto list = [&](const char* what, const std::uint64_t& pointer, const auto& count, auto& values) {
    array_after(v, what, at, pointer, count, values);
  };
  list("ids", table.ids_at, table.count, table.ids);
  list("offsets", table.offsets_at, table.count, table.offsets);
  list("unknown", table.unknown_at, table.count, table.unknown);
  if (table.strings_at != 0) {
    points(v, table.strings_at, pointed(at, table.strings_at));
    points_into(v, table, pointed(at, table.strings_at));
    texts_at(v, "strings", pointed(at, table.strings_at), table.data_size, table.strings);
  }
}

template <class V, class Table>
void table_at(V& v, const char* name, const std::uint64_t& at, StringTable::Form form, Table& table) {
  if (at != 0) {
    group(v, name, [&] { describe_table(v, at, form, table); });
  }
}

/// A bit per bone (mrn.md#bone-sets).
template <class V, class Owner>
void describe_used(V& v, const char* name, const std::uint64_t& at, Owner& owner) {
  block_if(v, name, at, 8, owner.has_used, [&] { v.field("size", owner.used_size); });
  if (owner.has_used) {
    array_at(v, "usedBits", pointed(at, 8), owner.used_size[1], owner.used);
  }
}

// --- skeleton
// -----------------------------------------------------------------------------------------------------

template <class V>
void describe(V& v, As<V, Chain>& chain) {
  v.field("unknown", chain.unknown);
  v.field("parent", chain.parent);
  v.field("start", chain.start);
  v.field("length", chain.length);
}

template <class V, class Pose>
void describe_buffer(V& v, std::uint64_t at, Pose& pose) {
  const bool v24 = v.context().layout == Layout::v24_le64;
  block_if(v, "bindPoseBuffer", at, v24 ? 0x38 : 0x30, pose.has_buffer, [&] {
    v.field("size", pose.size);
    if (v24) {
      v.field("sizeHigh", pose.size_high);
    }
    v.field("alignment", pose.alignment);
    if (v24) {
      v.field("alignmentHigh", pose.alignment_high);
    }
    v.field("count", pose.count);
    v.field("full", pose.full);
    v.field("elements", pose.elements);
    v.field("padding", pose.padding3);
    v.field("elementsPointer", pose.elements_at);
    v.field("arraysPointer", pose.arrays_at);
    v.field("usedPointer", pose.used_at);
  });
  if (!pose.has_buffer) {
    return;
  }
  array_after(v, "elements", at, pose.elements_at, product(pose.elements, v24 ? 6 : 2), pose.element_words);
  points(v, pose.arrays_at, pointed(at, pose.arrays_at));
  block_if(v, "arrayPointers", pose.arrays_at == 0 ? kNowhere : pointed(at, pose.arrays_at), 16,
           pose.has_arrays, [&] { v.field("pointers", pose.array_at); });
  if (pose.has_arrays) {
    describe_transforms(v, at, pose);
  }
  if (pose.used_at != 0) {
    points(v, pose.used_at, pointed(at, pose.used_at));
    describe_used(v, "usedBones", pointed(at, pose.used_at), pose);
  }
}

template <class V, class Pose>
void describe_transforms(V& v, std::uint64_t at, Pose& pose) {
  const auto list = [&](const char* name, const std::uint64_t& pointer, auto& values) {
    const std::uint64_t place = pointed(at, pointer);
    points(v, pointer, place);
    std::uint64_t count = values.size();
    if constexpr (V::kReads) {
      const std::uint64_t padded = align_up(pose.count, 4);
      const bool fits = v.context().layout != Layout::v24_le64 && holds(v, place, padded * sizeof(Vec4));
      count = fits ? padded : pose.count;
    }
    if (pointer != 0) {
      array_at(v, name, place, count, values);
    }
  };
  list("positions", pose.array_at[0], pose.positions);
  list("rotations", pose.array_at[1], pose.rotations);
}

template <class V, class Pose>
void describe_bind_pose(V& v, const std::uint64_t& at, Pose& pose) {
  block_if(v, "bindPose", at, 0x20, pose.present, [&] {
    v.field("allocator", pose.allocator);
    v.field("references", pose.references);
    v.field("type", pose.type);
    v.field("padding", pose.padding);
    v.field("bufferPointer", pose.buffer_at);
    v.field("padding2", pose.padding2);
  });
  if (pose.present && pose.buffer_at != 0) {
    points(v, pose.buffer_at, pointed(at, pose.buffer_at));
    describe_buffer(v, pointed(at, pose.buffer_at), pose);
  }
}

template <class V, class Any>
void describe_hierarchy(V& v, const std::uint64_t& at, Any& hierarchy) {
  block_if(v, "hierarchy", at, 16, hierarchy.present, [&] {
    v.field("count", hierarchy.count);
    v.field("padding", hierarchy.padding);
    v.field("parentsPointer", hierarchy.parents_at);
  });
  if (hierarchy.present) {
    array_after(v, "parents", at, hierarchy.parents_at, hierarchy.count, hierarchy.parents);
  }
}

template <class V, class Any>
void describe_skeleton_header(V& v, Any& skeleton) {
  const bool v26 = v.context().layout == Layout::v26_le64;
  v.field("rotation", skeleton.rotation);
  v.field("translation", skeleton.translation);
  if (v26) {
    v.field("chainCount", skeleton.chain_count);
    v.field("padding", skeleton.padding);
    v.field("chainsPointer", skeleton.chains_at);
  }
  v.field("hierarchyPointer", skeleton.hierarchy_at);
  v.field("trajectoryBone", skeleton.trajectory_bone);
  v.field("rootBone", skeleton.root_bone);
  v.field("namesPointer", skeleton.names_at);
  v.field("bindPosePointer", skeleton.bind_pose_at);
  if (v26) {
    v.field("unknown", skeleton.unknown);
    v.field("endPointer", skeleton.end_at);
    v.field("unknown2", skeleton.unknown2);
    v.field("unknownPointers", skeleton.unknown_at);
    v.field("padding2", skeleton.padding2);
  }
}

template <class V>
void describe(V& v, As<V, Skeleton>& skeleton) {
  constexpr std::uint64_t kEndSize = 96;
  describe_skeleton_header(v, skeleton);
  std::size_t chains = skeleton.chains.size();
  if constexpr (V::kReads) {
    const std::uint64_t size = product(skeleton.chain_count, Chain::kMinSize);
    const bool there = skeleton.chains_at != 0 && reaches(v, "chains", skeleton.chains_at, size);
    chains = there ? skeleton.chain_count : 0;
  }
  if (chains > 0) {
    points(v, skeleton.chains_at, skeleton.chains_at);
    v.block("chains", skeleton.chains_at, chains * Chain::kMinSize,
            [&] { v.list("list", skeleton.chains, chains); });
  }
  if (skeleton.hierarchy_at != 0) {
    describe_hierarchy(v, skeleton.hierarchy_at, skeleton.hierarchy);
  }
  table_at(v, "names", skeleton.names_at, names_form(v), skeleton.names);
  if (skeleton.bind_pose_at != 0) {
    describe_bind_pose(v, skeleton.bind_pose_at, skeleton.bind_pose);
  }
  array_after(v, "end", 0, skeleton.end_at, kEndSize, skeleton.end);
  padded_gaps(v, skeleton.gaps);
}

// --- maps, events, names
// ------------------------------------------------------------------------------------------

template <class V, class Any>
void describe_map(V& v, const std::uint64_t& at, Any& map) {
  const bool v26 = v.context().layout == Layout::v26_le64;
  block_if(v, "map", at, v26 ? 0x20 : 0x12, map.has_map, [&] {
    v.field("count", map.count);
    v.field("ends", map.ends);
    v.field("bonesPointer", map.bones_at);
    if (v26) {
      v.field("unknownPointer", map.unknown_at);
      v.field("endPointer", map.end_at);
    } else {
      v.field("worldBone", map.world_bone);
    }
  });
  if (map.has_map) {
    array_after(v, "bones", at, map.bones_at, map.count, map.bones);
  }
}

template <class V>
void describe(V& v, As<V, RigMap>& map) {
  v.field("version", map.version);
  v.field("usedPointer", map.used_at);
  v.field("size", map.size);
  if (v.context().layout == Layout::v26_le64) {
    v.field("alignment", map.alignment);
    v.field("unknown", map.unknown);
  } else {
    v.field("sizeHigh", map.size_high);
    v.field("alignment", map.alignment);
    v.field("alignmentHigh", map.alignment_high);
  }
  v.field("mapPointer", map.map_at);
  if (map.map_at != 0) {
    describe_map(v, map.map_at, map);
  }
  if (map.used_at != 0) {
    describe_used(v, "usedBones", map.used_at, map);
  }
  padded_gaps(v, map.gaps);
}

template <class V>
void describe(V& v, As<V, Event>& event) {
  v.field("start", event.start);
  v.field("duration", event.duration);
  v.field("userData", event.user_data);
}

/// With the NUL, or up to the end.
inline std::uint64_t text_size(ByteView region, std::uint64_t at) {
  if (at >= region.size()) {
    return 0;
  }
  const auto from = region.begin() + static_cast<std::ptrdiff_t>(at);
  const auto nul = std::find(from, region.end(), std::uint8_t{0});
  return static_cast<std::uint64_t>(nul - from) + (nul == region.end() ? 0U : 1U);
}

template <class V>
void describe(V& v, As<V, EventTrack>& track) {
  v.field("count", track.count);
  v.field("index", track.index);
  v.field("namePointer", track.name_at);
  v.field("userData", track.user_data);
  v.field("channel", track.channel);
  v.field("eventsPointer", track.events_at);
  std::size_t events = track.events.size();
  std::uint64_t name = track.name.size();
  if constexpr (V::kReads) {
    const std::uint64_t size = product(track.count, Event::kMinSize);
    const bool there = track.events_at != 0 && reaches(v, "events", track.events_at, size);
    events = there ? track.count : 0;
    name = track.name_at != 0 ? text_size(v.region_bytes(), track.name_at) : 0;
  }
  if (name > 0) {
    texts_at(v, "name", track.name_at, name, track.name);
  }
  if (events > 0) {
    points(v, track.events_at, track.events_at);
    v.block("events", track.events_at, events * Event::kMinSize,
            [&] { v.list("list", track.events, events); });
  }
  padded_gaps(v, track.gaps);
}

template <class V>
void describe(V& v, As<V, Plugins>& plugins) {
  if (v.context().layout == Layout::v24_le64) {
    v.field("words", plugins.words);
  } else {
    group(v, "names", [&] { describe_table(v, 0, StringTable::Form::plain, plugins.names); });
  }
  padded_gaps(v, plugins.gaps);
}

template <class V>
void describe(V& v, As<V, FileNames>& names) {
  v.field("tablePointers", names.tables_at);
  v.field("crcsPointer", names.crcs_at);
  table_at(v, "files", names.tables_at[0], names_form(v), names.files);
  table_at(v, "types", names.tables_at[1], names_form(v), names.types);
  table_at(v, "sources", names.tables_at[2], names_form(v), names.sources);
  table_at(v, "takes", names.tables_at[3], names_form(v), names.takes);
  array_after(v, "crcs", 0, names.crcs_at, names.files.count, names.crcs);
  padded_gaps(v, names.gaps);
}

template <class V>
void describe(V& v, As<V, SkeletonNames>& names) {
  v.field("tablePointer", names.table_at);
  table_at(v, "names", names.table_at, ids_form(v), names.names);
  padded_gaps(v, names.gaps);
}

template <class V>
void describe(V& v, As<V, CharacterController>& controller) {
  v.field("version", controller.version);
  v.field("height", controller.height);
  v.field("width", controller.width);
  v.field("depth", controller.depth);
  v.field("radius", controller.radius);
  v.field("skinWidth", controller.skin_width);
  v.field("stepHeight", controller.step_height);
  v.field("maxPushForce", controller.max_push_force);
  v.field("maxSlopeAngle", controller.max_slope_angle);
  v.field("flags", controller.flags);
  v.field("visible", controller.visible);
  std::size_t rest = controller.rest.size();
  if constexpr (V::kReads) {
    rest = v.left();
  }
  fill_bytes(v, "rest", controller.rest, rest);
}

// --- packets
// ------------------------------------------------------------------------------------------------------

Packet::Body make_body(PacketKind kind, Layout layout);

template <class V>
void describe_packet_header(V& v, As<V, Packet>& packet) {
  const bool v24 = v.context().layout == Layout::v24_le64;
  v.field("version", packet.version);
  v.field("platform", packet.platform);
  v.field("type", packet.type);
  v.field("assetId", packet.asset_id);
  v.field("guid", packet.guid);
  v.field("size", packet.size);
  if (v24) {
    v.field("sizeHigh", packet.size_high);
  }
  v.field("alignment", packet.alignment);
  if (v24) {
    v.field("unknown", packet.unknown);
  }
}

template <class V, class Any>
void describe_body(V& v, Any& body) {
  std::visit(
      [&](auto& content) {
        if constexpr (!std::is_same_v<std::remove_cvref_t<decltype(content)>, std::monostate>) {
          v.region([&] { describe(v, *content); });
        }
      },
      body);
}

/// Data of a packet whose type is not known.
template <class V>
void describe_raw(V& v, const char* name, As<V, Bytes>& bytes, std::size_t size) {
  if constexpr (requires(V& visitor) { visitor.raw("", Bytes()); }) {
    v.raw(name, bytes);
  } else {
    v.bulk(name, bytes, size);
  }
}

/// A packet that has been read holds its body, or its data in place of one.
inline void settle_raw(Packet& packet) {
  if (packet.data.replaces_fields()) {
    packet.body = std::monostate();
  } else if (std::holds_alternative<std::monostate>(packet.body)) {
    packet.data.state = Remainder::State::replaces_fields;
  }
}

/// What is no packet, in front of this one.
template <class V, class Any>
void describe_before(V& v, Any& packet) {
  std::size_t size = packet.before.size();
  if constexpr (V::kReads) {
    size = static_cast<std::size_t>(v.context().places[v.context().place].damaged);
  }
  if (size > 0) {
    describe_raw(v, "before", packet.before, size);
  }
}

/// Readers take a damaged header for what it should be, and then put back what it states.
template <class V, class Any>
void fix_header(V& v, Any& packet) {
  if constexpr (V::kReads) {
    const PacketExtent& place = v.context().places[v.context().place++];
    v.context().stated = {packet.size, packet.alignment};
    packet.size = place.size;
    packet.alignment = place.alignment;
  }
}
template <class V, class Any>
void restore_header(V& v, Any& packet) {
  if constexpr (V::kReads) {
    packet.size = v.context().stated[0];
    packet.alignment = v.context().stated[1];
  }
}

template <class V>
void describe(V& v, As<V, Packet>& packet) {
  const Layout layout = v.context().layout;
  describe_before(v, packet);
  const std::uint64_t start = v.here();
  describe_packet_header(v, packet);
  fix_header(v, packet);
  std::size_t lead = packet.lead.size();
  if constexpr (V::kReads) {
    const std::uint64_t data = align_up(header_size(layout), packet.alignment);
    lead = static_cast<std::size_t>(data - header_size(layout));
    packet.body = make_body(packet_kind(packet.type, layout), layout);
    v.context().attributes_left = packet.size / AttributeSpan::kMinSize;
  }
  fill_bytes(v, "lead", packet.lead, lead);
  if (std::holds_alternative<std::monostate>(packet.body)) {
    describe_raw(v, "data", packet.data.bytes, packet.size);
  } else {
    spans(v, packet.size, v.here());
    v.payload(packet.data, FourCC{"data"}, packet.size, [&] {
      if constexpr (V::kReads) {
        describe_body(v, packet.body);  // the payload has this name already
      } else {
        group(v, "data", [&] { describe_body(v, packet.body); });
      }
    });
  }
  std::size_t tail = packet.tail.size();
  if constexpr (V::kReads) {
    settle_raw(packet);
    const std::uint64_t end = next_packet(layout, v.here() - start, packet.alignment);
    const auto padding = static_cast<std::size_t>(end - (v.here() - start));
    if (!v.failed() && padding > v.left()) {
      v.note(codes::kMrnPacket, "tail", "the file ends inside the packet's padding");
    }
    tail = std::min(v.left(), padding);
  }
  fill_bytes(v, "tail", packet.tail, tail);
  restore_header(v, packet);
}

}  // namespace thaw::mrn
