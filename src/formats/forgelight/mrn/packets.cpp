// Kinds of packets, and which belong together.
#include "bytes/number_text.hpp"
#include "bytes/text.hpp"
#include "formats/forgelight/mrn/description.hpp"
#include "formats/forgelight/mrn/names.hpp"

#include <algorithm>

namespace thaw::mrn {
namespace {

struct TypeRow {
  std::uint32_t type;
  PacketKind v26;
  PacketKind v24;
  std::string_view name;
};

/// See mrn.md#packet-types.
constexpr std::array kTypes = {
    TypeRow{0x01, PacketKind::skeleton, PacketKind::skeleton, "skeleton"},
    TypeRow{0x02, PacketKind::rig_map, PacketKind::rig_map, "rig map"},
    TypeRow{0x03, PacketKind::event_track, PacketKind::event_track, "discrete event track"},
    TypeRow{0x04, PacketKind::event_track, PacketKind::event_track, "duration event track"},
    TypeRow{0x05, PacketKind::unknown, PacketKind::unknown, "curve event track"},
    TypeRow{0x06, PacketKind::unknown, PacketKind::unknown, "physics rig"},
    TypeRow{0x07, PacketKind::unknown, PacketKind::character_controller, "character controller"},
    TypeRow{0x08, PacketKind::unknown, PacketKind::unknown, "interaction proxy"},
    TypeRow{0x09, PacketKind::unknown, PacketKind::unknown, "body"},
    TypeRow{0x0A, PacketKind::network, PacketKind::network, "network"},
    TypeRow{0x0B, PacketKind::unknown, PacketKind::unknown, "network prediction"},
    TypeRow{0x0C, PacketKind::plugins, PacketKind::plugins, "plugin list"},
    TypeRow{0x0D, PacketKind::unknown, PacketKind::file_names, ""},
    TypeRow{0x0E, PacketKind::file_names, PacketKind::unknown, ""},
    TypeRow{0x0F, PacketKind::skeleton_names, PacketKind::unknown, ""},
    TypeRow{0x10, PacketKind::animation, PacketKind::unknown, ""},
};

const TypeRow* row_of(std::uint32_t type) {
  const auto* found =
      std::find_if(kTypes.begin(), kTypes.end(), [&](const TypeRow& row) { return row.type == type; });
  return found == kTypes.end() ? nullptr : &*found;
}

}  // namespace

PacketKind packet_kind(std::uint32_t type, Layout layout) {
  const TypeRow* row = row_of(type);
  if (row == nullptr || layout == Layout::le32 || layout == Layout::big_endian) {
    return PacketKind::unknown;
  }
  return layout == Layout::v24_le64 ? row->v24 : row->v26;
}

std::string_view packet_name(std::uint32_t type, Layout layout) {
  switch (packet_kind(type, layout)) {
    case PacketKind::file_names:
      return "file names";
    case PacketKind::skeleton_names:
      return "skeleton names";
    case PacketKind::animation:
      return "animation";
    default: {
      const TypeRow* row = row_of(type);
      return row != nullptr ? row->name : std::string_view{};
    }
  }
}

Packet::Body make_body(PacketKind kind, Layout layout) {
  switch (kind) {
    case PacketKind::skeleton:
      return Boxed<Skeleton>();
    case PacketKind::rig_map:
      return Boxed<RigMap>();
    case PacketKind::event_track:
      return Boxed<EventTrack>();
    case PacketKind::plugins:
      return Boxed<Plugins>();
    case PacketKind::file_names:
      return Boxed<FileNames>();
    case PacketKind::skeleton_names:
      return Boxed<SkeletonNames>();
    case PacketKind::character_controller:
      return Boxed<CharacterController>();
    case PacketKind::network:
      return Boxed<Network>();
    case PacketKind::animation: {
      Boxed<nsa::Document> animation;
      animation->layout = layout == Layout::v24_le64 ? nsa::Layout::v24 : nsa::Layout::v26;
      return animation;
    }
    case PacketKind::unknown:
      break;
  }
  return std::monostate();
}

std::string_view StringTable::text(std::size_t index) const {
  if (index >= offsets.size() || offsets[index] >= strings.size()) {
    return {};
  }
  const std::string_view all(strings.data(), strings.size());
  const std::string_view from = all.substr(offsets[index]);
  return from.substr(0, from.find('\0'));
}

std::string_view EventTrack::text() const {
  const std::string_view all(name.data(), name.size());
  return all.substr(0, all.find('\0'));
}

std::string_view node_type_name(std::uint32_t type) {
  using Row = std::pair<std::uint32_t, std::string_view>;
  constexpr std::array kNames = {
      Row{9, "network"},
      Row{10, "state machine"},
      Row{20, "control parameter (float)"},
      Row{21, "control parameter (vector 3)"},
      Row{22, "control parameter (vector 4)"},
      Row{23, "control parameter (bool)"},
      Row{24, "control parameter (int)"},
      Row{25, "control parameter (uint)"},
      Row{104, "clip"},
      Row{105, "filter transforms"},
      Row{107, "blend 2"},
      Row{108, "blend N"},
      Row{109, "single frame"},
      Row{110, "function"},
      Row{111, "float arithmetic"},
      Row{112, "re-range"},
      Row{113, "noise"},
      Row{114, "feather blend"},
      Row{115, "bind pose"},
      Row{119, "global time"},
      Row{120, "two-bone IK"},
      Row{121, "lock foot"},
      Row{122, "head look"},
      Row{124, "physics joint limits"},
      Row{125, "play speed"},
      Row{126, "freeze"},
      Row{127, "set non-physics transforms"},
      Row{129, "hips IK"},
      Row{130, "closest animation"},
      Row{131, "switch"},
      Row{133, "sequence"},
      Row{134, "pass-through"},
      Row{135, "mirror"},
      Row{136, "basic uneven terrain"},
      Row{138, "predictive uneven terrain"},
      Row{141, "ray cast"},
      Row{142, "smooth damp"},
      Row{143, "ramp float"},
      Row{144, "floats to vector 3"},
      Row{146, "random float"},
      Row{147, "blend N x M"},
      Row{148, "physics info"},
      Row{149, "blend 2 x 2"},
      Row{150, "gun-aim IK"},
      Row{151, "scale to duration"},
      Row{152, "extract joint info"},
      Row{153, "emit request on discrete event"},
      Row{154, "vector 3 to floats"},
      Row{161, "retarget"},
      Row{162, "scale character"},
      Row{164, "vector 3 dot"},
      Row{169, "blend all"},
      Row{170, "subtractive blend"},
      Row{171, "vector 3 length"},
      Row{172, "vector 3 cross"},
      Row{173, "rate of change"},
      Row{174, "vector 3 angle"},
      Row{175, "vector 3 normalise"},
      Row{400, "transit by sync events"},
      Row{402, "transit"},
      Row{500, "smooth transforms"},
  };
  for (const auto& [number, name] : kNames) {
    if (number == type) {
      return name;
    }
  }
  return {};
}

std::string_view message_type_name(std::int32_t type) {
  switch (type) {
    case -1:
      return "invalid";
    case 10:
      return "request";
    case 102:
      return "retarget offset";
    case 103:
      return "retarget character scale";
    case 104:
      return "scale rig";
    default:
      return {};
  }
}

// --- relations of packets
// ----------------------------------------------------------------------------------------

std::vector<Animation> animations(const Document& document) {
  const auto* names = document.find<FileNames>();
  std::vector<Animation> found;
  for (std::size_t i = 0; i < document.packets.size(); ++i) {
    const Packet& packet = document.packets[i];
    const auto* animation = packet.get_if<nsa::Document>();
    if (animation == nullptr) {
      continue;
    }
    std::string name;
    if (names != nullptr) {
      const std::size_t entry = name_entry(*names, packet, found.size());
      name = to_utf8(names->takes.text(entry));
      name = name.empty() ? std::string(without_extension(to_utf8(names->files.text(entry)))) : name;
    }
    if (name.empty()) {
      name = "Animation " + std::to_string(found.size());
    }
    found.push_back({animation, i, std::move(name)});
  }
  return found;
}

std::vector<NamedSkeleton> skeletons(const Document& document) {
  const auto* packet = document.find<SkeletonNames>();
  StringTable names = packet != nullptr ? packet->names : StringTable{};
  // In the order of the strings, not of their offsets (mrn.md#skeleton-names).
  std::sort(names.offsets.begin(), names.offsets.end());
  std::vector<NamedSkeleton> found;
  for (const Skeleton* skeleton : document.all<Skeleton>()) {
    std::string name = to_utf8(names.text(found.size()));
    if (name.empty()) {
      name = "Skeleton " + std::to_string(found.size());
    }
    found.push_back({skeleton, std::move(name)});
  }
  return found;
}

namespace {

/// By the chains; nothing if they do not cover every bone exactly once.
std::optional<std::vector<std::int32_t>> chain_parents(const Skeleton& skeleton) {
  constexpr std::int32_t kUncovered = -2;
  const std::size_t bones = skeleton.bones();
  std::vector<std::int32_t> parents(bones, kUncovered);
  std::size_t covered = 0;
  for (const Chain& chain : skeleton.chains) {
    if (chain.start < 0 || chain.length < 0 || static_cast<std::size_t>(chain.start) > bones ||
        static_cast<std::size_t>(chain.length) > bones - static_cast<std::size_t>(chain.start)) {
      return std::nullopt;
    }
    for (std::int32_t bone = chain.start; bone < chain.start + chain.length; ++bone) {
      auto& parent = parents[static_cast<std::size_t>(bone)];
      if (parent != kUncovered) {
        return std::nullopt;
      }
      parent = bone == chain.start ? chain.parent : bone - 1;
      ++covered;
    }
  }
  return covered == bones ? std::optional(std::move(parents)) : std::nullopt;
}

/// Bones whose parents do not exist or lead in a circle become roots. Returns how many.
std::size_t cut_cycles(std::vector<std::int32_t>& parents) {
  std::size_t cut = 0;
  const auto count = static_cast<std::int32_t>(parents.size());
  std::vector<std::size_t> visited(parents.size(), 0);
  for (std::size_t bone = 0; bone < parents.size(); ++bone) {
    for (std::size_t at = bone; visited[at] == 0;) {
      visited[at] = bone + 1;
      std::int32_t& parent = parents[at];
      if (parent < 0) {
        parent = -1;
        break;
      }
      if (parent >= count || visited[static_cast<std::size_t>(parent)] == bone + 1) {
        parent = -1;
        ++cut;
        break;
      }
      at = static_cast<std::size_t>(parent);
    }
  }
  return cut;
}

}  // namespace

std::vector<std::int32_t> parents(const Skeleton& skeleton, Diagnostics& diagnostics) {
  const auto& list = skeleton.hierarchy.parents;
  std::vector<std::int32_t> parents(list.begin(), list.end());
  if (!skeleton.chains.empty()) {
    const auto chains = chain_parents(skeleton);
    if (!chains) {
      diagnostics.add(codes::kMrnHierarchy,
                      "the chains refer to missing bones, or do not contain every bone exactly once; the "
                      "parent list is used",
                      {}, "chains");
    } else if (*chains != parents) {
      diagnostics.add(codes::kMrnHierarchy,
                      "chains and parent list contradict each other; the chains are used", {}, "chains");
      parents = *chains;
    }
  }
  if (const std::size_t cut = cut_cycles(parents); cut > 0) {
    diagnostics.add(codes::kMrnHierarchy, counted(cut, "bone") + " without a valid parent changed to roots",
                    {}, "parents");
  }
  return parents;
}

}  // namespace thaw::mrn
