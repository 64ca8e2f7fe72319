// Packets of a new network. See mrn.md#writing.
#include "describe/parts.hpp"
#include "formats/forgelight/mrn/description.hpp"

namespace thaw::mrn {
namespace {

constexpr std::uint64_t kAlignment = 16;
constexpr std::uint32_t kUnset = 0xCDCDCDCD;
constexpr std::uint64_t kUnset64 = 0xCDCDCDCDCDCDCDCD;

std::uint64_t table_header(StringTable::Form form) {
  return form == StringTable::Form::plain ? 24 : form == StringTable::Form::with_ids ? 32 : 40;
}

std::uint64_t table_size(const StringTable& table) { return table.strings_at + table.strings.size(); }

std::vector<Chain> chains_of(std::span<const Bone> bones) {
  std::vector<Chain> chains;
  for (std::size_t i = 0; i < bones.size(); ++i) {
    const auto index = static_cast<std::int32_t>(i);
    if (i == 0 || bones[i].parent != index - 1) {
      chains.push_back({0, bones[i].parent, index, 0});
    }
    ++chains.back().length;
  }
  return chains;
}

void set_bits(std::size_t bones, Array<std::uint32_t>& words, std::array<std::uint32_t, 2>& size) {
  words = Array<std::uint32_t>((bones + 31) / 32, 0);
  size = {static_cast<std::uint32_t>(bones), static_cast<std::uint32_t>(words.size())};
}

void set_bit(Array<std::uint32_t>& words, std::size_t bone) {
  if (bone / 32 < words.size()) {
    words[bone / 32] |= std::uint32_t{1} << bone % 32;
  }
}

std::vector<std::string> names_of(std::span<const Bone> bones) {
  std::vector<std::string> names;
  for (const Bone& bone : bones) {
    names.push_back(bone.name);
  }
  return names;
}

/// The buffer begins at `start`, a multiple of the alignment; its pointers count from there.
void place_bind_pose(std::span<const Bone> bones, std::uint64_t start, BindPose& pose, Placer& placer) {
  const auto padded = static_cast<std::size_t>(align_up(bones.size(), 4));
  pose.has_buffer = pose.has_arrays = pose.has_used = true;
  pose.count = static_cast<std::uint32_t>(bones.size());
  pose.full = 1;
  pose.element_words = {2, 16, 6, 16};
  Vec4 unset;
  std::memset(unset.data(), 0xCD, sizeof unset);
  pose.positions = Array<Vec4>(padded, unset);
  pose.rotations = Array<Vec4>(padded, unset);
  set_bits(bones.size(), pose.used, pose.used_size);
  for (std::size_t i = 0; i < bones.size(); ++i) {
    const Vec3& t = bones[i].translation;
    pose.positions[i] = {t[0], t[1], t[2], 0};
    pose.rotations[i] = bones[i].rotation;
    set_bit(pose.used, i);
  }
  pose.elements_at = placer.place(bytes_of(pose.element_words), 8) - start;
  pose.arrays_at = placer.place(sizeof pose.array_at, 8) - start;
  pose.used_at = placer.place(8 + bytes_of(pose.used), 8) - start;
  placer.align(kAlignment, 0);
  pose.array_at[0] = placer.place(bytes_of(pose.positions), kAlignment) - start;
  pose.array_at[1] = placer.place(bytes_of(pose.rotations), kAlignment) - start;
  pose.size = static_cast<std::uint32_t>(placer.here() - start);
}

}  // namespace

StringTable make_table(StringTable::Form form, std::span<const std::string> texts) {
  StringTable table;
  table.form = form;
  table.present = true;
  table.count = static_cast<std::uint32_t>(texts.size());
  std::uint64_t at = table_header(form);
  const auto place = [&] {
    const std::uint64_t here = at;
    at += 4 * std::uint64_t{table.count};
    return here;
  };
  for (std::uint32_t i = 0; i < table.count; ++i) {
    table.offsets.push_back(static_cast<std::uint32_t>(table.strings.size()));
    table.strings.insert(table.strings.end(), texts[i].begin(), texts[i].end());
    table.strings.push_back('\0');
  }
  if (form != StringTable::Form::plain) {
    for (std::uint32_t i = 0; i < table.count; ++i) {
      table.ids.push_back(i);
    }
    table.ids_at = place();
  }
  table.offsets_at = place();
  if (form == StringTable::Form::expanded) {
    table.unknown = Array<std::uint32_t>(table.count, 0);
    table.unknown_at = place();
  }
  table.strings_at = at;
  table.data_size = static_cast<std::uint32_t>(table.strings.size());
  return table;
}

Skeleton make_skeleton(std::span<const Bone> bones, std::int32_t trajectory_bone, std::int32_t root_bone) {
  constexpr std::uint64_t kHeaderSize = 0x80;
  constexpr std::size_t kEndSize = 96;
  Skeleton skeleton;
  skeleton.trajectory_bone = trajectory_bone;
  skeleton.root_bone = root_bone;
  skeleton.padding = kUnset;
  skeleton.unknown = skeleton.unknown2 = {0, kUnset};
  skeleton.padding2 = kUnset64;
  skeleton.chains = chains_of(bones);
  skeleton.chain_count = static_cast<std::uint32_t>(skeleton.chains.size());
  Placer placer(kHeaderSize, skeleton.gaps);
  skeleton.chains_at = placer.place(skeleton.chains.size() * Chain::kMinSize, 1);

  Hierarchy& hierarchy = skeleton.hierarchy;
  hierarchy.present = true;
  hierarchy.count = static_cast<std::uint32_t>(bones.size());
  hierarchy.padding = kUnset;
  hierarchy.parents_at = 16;
  for (const Bone& bone : bones) {
    hierarchy.parents.push_back(std::int32_t{bone.parent});
  }
  skeleton.hierarchy_at = placer.place(16 + bytes_of(hierarchy.parents), 4);
  skeleton.names = make_table(StringTable::Form::plain, names_of(bones));
  skeleton.names_at = placer.place(table_size(skeleton.names), 4);

  BindPose& pose = skeleton.bind_pose;
  constexpr std::uint64_t kAttributeSize = 0x20;
  constexpr std::uint64_t kBufferSize = 0x30;
  pose.present = true;
  pose.allocator = pose.padding2 = kUnset64;
  pose.padding = kUnset;
  pose.buffer_at = kAttributeSize;
  skeleton.bind_pose_at = placer.place(kAttributeSize + kBufferSize, kAlignment);
  place_bind_pose(bones, skeleton.bind_pose_at + kAttributeSize, pose, placer);
  skeleton.end = Bytes(kEndSize, 0);
  skeleton.end_at = placer.place(kEndSize, kAlignment);
  skeleton.unknown_at = {skeleton.end_at, skeleton.end_at};
  return skeleton;
}

RigMap make_rig_map(std::span<const std::uint16_t> bones, std::uint32_t skeleton_bones) {
  constexpr std::uint64_t kHeaderSize = 0x28;
  constexpr std::uint64_t kMapSize = 0x20;
  RigMap map;
  map.has_map = map.has_used = true;
  map.count = static_cast<std::uint32_t>(bones.size());
  map.ends = {0, static_cast<std::uint16_t>(bones.size())};
  map.bones.assign(bones.begin(), bones.end());
  map.bones_at = kMapSize;
  map.alignment = kAlignment;
  set_bits(skeleton_bones, map.used, map.used_size);
  for (const std::uint16_t bone : bones) {
    set_bit(map.used, bone);
  }
  Placer placer(kHeaderSize, map.gaps);
  map.map_at = placer.place(kMapSize + bytes_of(map.bones), 1);
  map.size = static_cast<std::uint32_t>(placer.here() - map.map_at);
  map.end_at = map.size;
  map.used_at = placer.place(8 + bytes_of(map.used), 4);
  return map;
}

EventTrack make_event_track(std::string_view name, std::uint32_t user_data, std::uint32_t channel,
                            std::span<const Event> events) {
  constexpr std::uint64_t kHeaderSize = 0x20;
  EventTrack track;
  track.count = static_cast<std::uint32_t>(events.size());
  track.user_data = user_data;
  track.channel = channel;
  track.events.assign(events.begin(), events.end());
  track.name.assign(name.begin(), name.end());
  track.name.push_back('\0');
  Placer placer(kHeaderSize, track.gaps);
  track.name_at = placer.place(track.name.size(), 1);
  placer.align(4, 0);
  track.events_at = placer.place(events.size() * Event::kMinSize, 1);
  return track;
}

Plugins make_plugins(std::span<const std::string> names) {
  Plugins plugins;
  plugins.names = make_table(StringTable::Form::plain, names);
  return plugins;
}

SkeletonNames make_skeleton_names(std::span<const std::string> names) {
  SkeletonNames result;
  result.names = make_table(StringTable::Form::expanded, names);
  return result;
}

FileNames make_file_names(std::span<const AnimationName> names) {
  constexpr std::uint64_t kHeaderSize = 0x28;
  FileNames result;
  Placer placer(kHeaderSize, result.gaps);
  const auto add = [&](std::string AnimationName::* member, StringTable& table, std::uint64_t alignment) {
    std::vector<std::string> texts;
    for (const AnimationName& name : names) {
      texts.push_back(name.*member);
    }
    table = make_table(StringTable::Form::plain, texts);
    return placer.place(table_size(table), alignment);
  };
  result.tables_at[0] = add(&AnimationName::file, result.files, 8);
  result.tables_at[1] = add(&AnimationName::type, result.types, kAlignment);
  result.tables_at[2] = add(&AnimationName::source, result.sources, kAlignment);
  result.tables_at[3] = add(&AnimationName::take, result.takes, kAlignment);
  result.crcs = Array<std::array<std::uint8_t, 4>>(names.size(), std::array<std::uint8_t, 4>{});
  result.crcs_at = placer.place(bytes_of(result.crcs), kAlignment);
  return result;
}

bool replace_animation(Document& document, std::size_t index, nsa::Document animation) {
  const auto all = animations(document);
  if (index >= all.size()) {
    return false;
  }
  Packet& packet = document.packets[all[index].packet];
  packet.body = Boxed<nsa::Document>(std::move(animation));
  packet.data = {};
  lay_out(document);
  return true;
}

}  // namespace thaw::mrn
