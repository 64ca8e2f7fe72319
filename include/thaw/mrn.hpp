// Forgelight animation networks (MRN, NaturalMotion Morpheme; .nmb in other games): a row of packets with
// skeletons, animations, the maps between them, event tracks, names and a network of states. See
// docs/formats/mrn.md.
//
// No game's file is public; what is inferred is read tolerantly. A document keeps every byte, so that
// write(read(x)) == x for every file that reads. A packet that cannot be understood keeps its bytes, and so
// does a part of a packet whose pointer leads nowhere.
#pragma once

#include <thaw/edit.hpp>
#include <thaw/format.hpp>
#include <thaw/nsa.hpp>
#include <thaw/scene.hpp>
#include <thaw/value.hpp>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#pragma GCC visibility push(default)

/// Forgelight's animation networks.
namespace thaw::mrn {

/// Flags of the second word of every packet (mrn.md#platforms).
struct Platform {
  static constexpr std::uint32_t kBigEndian = 1;
  static constexpr std::uint32_t kLittleEndian = 2;
  static constexpr std::uint32_t k32Bit = 4;
  static constexpr std::uint32_t k64Bit = 8;
};

/// How the packets stand in the file.
enum class Layout : std::uint8_t {
  v26_le64,    ///< read in full
  v24_le64,    ///< read as far as it is known
  le32,        ///< packets are listed, their content is kept: its layout is not known
  big_endian,  ///< recognised; nothing of it is read
};

/// "version 26 for little-endian 64-bit machines".
std::string platform_text(std::uint32_t version, std::uint32_t platform);

/// Meaning of a packet's type in the layout (mrn.md#packet-types).
enum class PacketKind : std::uint8_t {
  unknown,
  skeleton,
  rig_map,
  event_track,  ///< discrete or duration
  plugins,
  file_names,
  skeleton_names,
  animation,  ///< one NSA
  network,
  character_controller,
};
/// What a packet of a type holds; `unknown` if its content is not read in this layout.
PacketKind packet_kind(std::uint32_t type, Layout layout);
/// "skeleton", "animation", …; names also types whose content is not read. Empty for unknown ones.
std::string_view packet_name(std::uint32_t type, Layout layout);

/// Texts by number (mrn.md#string-tables). Pointers count from the table's start.
struct StringTable {
  /// The members of a table in addition to its strings.
  enum class Form : std::uint8_t {
    plain,
    with_ids,  ///< version 24
    expanded,  ///< version 26, with ids and a list of unknown meaning
  };
  Form form = Form::plain;
  bool present = false;  ///< its pointer leads somewhere
  std::uint32_t count = 0;
  std::uint32_t data_size = 0;  ///< bytes of all strings, NULs included
  std::uint64_t ids_at = 0;
  std::uint64_t offsets_at = 0;
  std::uint64_t unknown_at = 0;
  std::uint64_t strings_at = 0;
  Array<std::uint32_t> ids;
  Array<std::uint32_t> offsets;  ///< where each text begins in `strings`
  Array<std::uint32_t> unknown;
  Array<char> strings;

  /// Number of texts.
  [[nodiscard]] std::size_t size() const { return offsets.size(); }
  /// Up to its NUL or the end of the data; empty if the table does not hold it.
  [[nodiscard]] std::string_view text(std::size_t index) const;
  friend bool operator==(const StringTable&, const StringTable&) = default;
};

/// A run of bones of which each is the parent of the next.
struct Chain {
  std::int32_t unknown = 0;
  std::int32_t parent = -1;  ///< bone that the first one hangs from; −1 for none
  std::int32_t start = 0;    ///< the first bone
  std::int32_t length = 0;   ///< bones
  static constexpr std::size_t kMinSize = 16;
  friend bool operator==(const Chain&, const Chain&) = default;
};

/// The parents of all bones (mrn.md#hierarchy).
struct Hierarchy {
  bool present = false;
  std::uint32_t count = 0;
  std::uint32_t padding = 0;
  std::uint64_t parents_at = 0;  ///< from the hierarchy's start
  Array<std::int32_t> parents;   ///< −1 for roots
  friend bool operator==(const Hierarchy&, const Hierarchy&) = default;
};

/// The pose that bones are bound in (mrn.md#bind-pose). Pointers count from the attribute's start
/// (`buffer_at`) and from the buffer's.
struct BindPose {
  std::uint64_t allocator = 0;
  std::int16_t references = -1;
  std::uint16_t type = 14;
  std::uint32_t padding = 0;
  std::uint64_t buffer_at = 0;
  std::uint64_t padding2 = 0;
  bool present = false;
  // the buffer
  bool has_buffer = false;
  std::uint32_t size = 0;
  std::uint32_t size_high = 0;  ///< version 24, where size and alignment take eight bytes
  std::uint32_t alignment = 16;
  std::uint32_t alignment_high = 0;
  std::uint32_t count = 0;
  std::uint32_t full = 0;  ///< a flag and three unused bytes
  std::uint32_t elements = 2;
  std::uint32_t padding3 = 0;
  std::uint64_t elements_at = 0;
  std::uint64_t arrays_at = 0;
  std::uint64_t used_at = 0;
  // what they point to
  Array<std::uint32_t> element_words;  ///< meaning unknown
  bool has_arrays = false;
  std::array<std::uint64_t, 2> array_at{};  ///< of positions and rotations
  Array<Vec4> positions;                    ///< w unused; padded to a multiple of four
  Array<Vec4> rotations;                    ///< x y z w
  bool has_used = false;
  std::array<std::uint32_t, 2> used_size{};  ///< bones, words
  Array<std::uint32_t> used;
  friend bool operator==(const BindPose&, const BindPose&) = default;
};

/// Bones, their names and their bind pose (mrn.md#skeletons). Bones are parent-local, Y up, metres; bone 0
/// places the character in the world.
struct Skeleton {
  Vec4 rotation{0, 0, 0, 1};
  Vec4 translation{};
  std::uint32_t chain_count = 0;
  std::uint32_t padding = 0;
  std::uint64_t chains_at = 0;
  std::uint64_t hierarchy_at = 0;
  std::int32_t trajectory_bone = 0;  ///< index of the bone of the character's way
  std::int32_t root_bone = 0;
  std::uint64_t names_at = 0;
  std::uint64_t bind_pose_at = 0;
  std::array<std::uint32_t, 2> unknown{};
  std::uint64_t end_at = 0;
  std::array<std::uint32_t, 2> unknown2{};
  std::array<std::uint64_t, 2> unknown_at{};
  std::uint64_t padding2 = 0;
  std::vector<Chain> chains;
  Hierarchy hierarchy;
  StringTable names;
  BindPose bind_pose;
  Bytes end;  ///< 96 bytes of unknown meaning
  std::vector<Gap> gaps;

  /// Number of bones, by the list of parents.
  [[nodiscard]] std::size_t bones() const { return hierarchy.parents.size(); }
  friend bool operator==(const Skeleton&, const Skeleton&) = default;
};

/// Which bones an animation moves (mrn.md#rig-maps). Channel c of an animation drives bone `bones[c]` of the
/// skeleton.
struct RigMap {
  std::uint64_t version = 1;
  std::uint64_t used_at = 0;
  std::uint32_t size = 0;
  std::uint32_t size_high = 0;  ///< version 24, where size and alignment take eight bytes
  std::uint32_t alignment = 0;
  std::uint32_t alignment_high = 0;
  std::uint64_t unknown = 0;  ///< version 26
  std::uint64_t map_at = 0;
  // the map; pointers count from its start
  bool has_map = false;
  std::uint32_t count = 0;
  std::array<std::uint16_t, 2> ends{};
  std::uint64_t bones_at = 0;
  std::uint64_t unknown_at = 0;  ///< version 26
  std::uint64_t end_at = 0;      ///< version 26
  std::uint16_t world_bone = 0;  ///< version 24
  Array<std::uint16_t> bones;
  bool has_used = false;
  std::array<std::uint32_t, 2> used_size{};  ///< bones of the skeleton, words
  Array<std::uint32_t> used;                 ///< a bit per bone that an animation moves
  std::vector<Gap> gaps;

  /// Bones of the skeleton that the map is for, as the map states it.
  [[nodiscard]] std::uint32_t skeleton_bones() const { return used_size[0]; }
  friend bool operator==(const RigMap&, const RigMap&) = default;
};

/// Something that happens in a clip. Start and duration are fractions of the clip.
struct Event {
  float start = 0;
  float duration = 0;
  std::uint32_t user_data = 0;
  static constexpr std::size_t kMinSize = 12;
  friend bool operator==(const Event&, const Event&) = default;
};

/// The events of one name in a clip (mrn.md#event-tracks).
struct EventTrack {
  std::uint32_t count = 0;
  std::uint32_t index = 0;
  std::uint64_t name_at = 0;
  std::uint32_t user_data = 0;
  std::uint32_t channel = 0;
  std::uint64_t events_at = 0;
  std::vector<Event> events;
  Array<char> name;  ///< with its NUL
  std::vector<Gap> gaps;

  /// The name up to its NUL.
  [[nodiscard]] std::string_view text() const;
  friend bool operator==(const EventTrack&, const EventTrack&) = default;
};

/// The plug-ins that a network requests (type 0x0C).
struct Plugins {
  StringTable names;                     ///< version 26
  std::array<std::uint64_t, 4> words{};  ///< version 24
  std::vector<Gap> gaps;
  friend bool operator==(const Plugins&, const Plugins&) = default;
};

/// Where the animations came from (mrn.md#file-names). Entry i belongs to animation i.
struct FileNames {
  std::array<std::uint64_t, 4> tables_at{};
  std::uint64_t crcs_at = 0;
  StringTable files;                        ///< "Male_Walk.nsa"
  StringTable types;                        ///< "nsa"
  StringTable sources;                      ///< "//anims/Male_Walk.xmd"
  StringTable takes;                        ///< "Male_Walk"
  Array<std::array<std::uint8_t, 4>> crcs;  ///< as the animations' headers have them
  std::vector<Gap> gaps;
  friend bool operator==(const FileNames&, const FileNames&) = default;
};

/// Names of the skeletons (mrn.md#skeleton-names). Name k, in the order of the strings, is that of the k-th
/// skeleton.
struct SkeletonNames {
  std::uint64_t table_at = 8;
  StringTable names;
  std::vector<Gap> gaps;
  friend bool operator==(const SkeletonNames&, const SkeletonNames&) = default;
};

/// How a character bumps into the world (mrn.md#character-controllers), version 24.
struct CharacterController {
  std::uint32_t version = 1;
  float height = 0, width = 0, depth = 0, radius = 0;  ///< m
  float skin_width = 0, step_height = 0, max_push_force = 0, max_slope_angle = 0;
  std::uint32_t flags = 0;
  std::uint32_t visible = 0;
  Bytes rest;
  friend bool operator==(const CharacterController&, const CharacterController&) = default;
};

/// A player of one clip: what its attributes say (mrn.md#clips-and-their-events), version 24.
struct SourceAnimation {
  std::array<std::uint8_t, 0x74> head{};
  std::int32_t animation = 0;  ///< index of the clip
  std::int32_t rig_map = 0;    ///< asset id
  std::uint32_t unknown = 0;
  float clip_start = 0, clip_end = 0, length = 0;
  friend bool operator==(const SourceAnimation&, const SourceAnimation&) = default;
};

/// The event tracks of a player's clip, by asset id: discrete, curve, duration.
struct SourceEventTracks {
  std::uint64_t allocator = 0;
  std::array<std::uint16_t, 4> head{};
  /// Tracks of one kind.
  struct Set {
    std::uint32_t count = 0;
    std::uint32_t padding = 0;
    std::uint64_t ids_at = 0;
    std::uint64_t sizes_at = 0;
    Array<std::uint64_t> ids;  ///< of the packets that hold the tracks
    Array<std::int32_t> sizes;
    friend bool operator==(const Set&, const Set&) = default;
  };
  std::array<Set, 3> sets;
  friend bool operator==(const SourceEventTracks&, const SourceEventTracks&) = default;
};

/// An attribute of a node, of which two kinds are read.
struct AttributeSpan {
  std::uint64_t at = 0;  ///< from the node's start
  std::uint64_t size = 0;
  std::uint32_t alignment = 0;
  std::uint32_t unknown = 0;
  std::optional<Boxed<SourceAnimation>> animation;
  std::optional<Boxed<SourceEventTracks>> event_tracks;
  static constexpr std::size_t kMinSize = 24;
  friend bool operator==(const AttributeSpan&, const AttributeSpan&) = default;
};

/// A node of the network: a state machine, a blend, a player (mrn.md#nodes). Pointers count from the node's
/// start.
struct Node {
  bool present = false;
  std::uint32_t type = 0;
  std::uint16_t flags = 0;
  std::uint16_t id = 0;
  std::int16_t parent = -1;
  std::uint16_t child_count = 0;
  std::uint16_t unknown = 0;
  std::uint8_t control_count = 0;
  std::uint8_t unknown2 = 0;
  std::uint16_t attribute_count = 0;
  std::array<std::uint16_t, 3> unknown3{};
  std::uint64_t owner = 0;
  std::uint64_t children_at = 0;
  std::uint64_t controls_at = 0;
  std::uint64_t attributes_at = 0;
  std::array<std::uint64_t, 11> rest{};  ///< function slots, type definition, and what is not known
  Array<std::uint16_t> children;
  Array<std::uint32_t> controls;
  std::vector<AttributeSpan> attributes;
  friend bool operator==(const Node&, const Node&) = default;
};
/// "clip", "blend 2", … (mrn.md#nodes); empty for unknown types.
std::string_view node_type_name(std::uint32_t type);

/// What a game can send to a network, such as a request (mrn.md#messages), version 24.
struct Message {
  bool present = false;
  std::int32_t id = 0;
  std::int32_t type = 0;
  std::uint32_t node_count = 0;
  std::uint32_t padding = 0;
  std::uint64_t unknown = 0;
  std::uint32_t unknown2 = 0;
  std::uint32_t padding2 = 0;
  std::array<std::uint64_t, 2> unknown3{};
  Array<std::uint16_t> nodes;  ///< ids of those that listen
  friend bool operator==(const Message&, const Message&) = default;
};
/// "request", … (mrn.md#messages); empty for unknown types.
std::string_view message_type_name(std::int32_t type);

/// What plays when (mrn.md#the-network): tables of names, and of version 24 the nodes. Everything else is
/// kept raw.
struct Network {
  Array<std::uint64_t> words;  ///< the header after the instance's node, eight bytes each
  Node instance;               ///< version 24
  Array<std::uint64_t> nodes_at;
  std::vector<Node> nodes;
  Array<std::uint64_t> messages_at;
  std::vector<Message> messages;    ///< version 24
  std::vector<StringTable> tables;  ///< version 24: of nodes, requests, event tracks; version 26: five
  std::vector<Gap> gaps;
  friend bool operator==(const Network&, const Network&) = default;
};

/// One packet (mrn.md#packets): a skeleton, an animation, or whatever its type says.
struct Packet {
  /// What a packet can hold; nothing where its data is kept raw.
  struct Body : std::variant<std::monostate, Boxed<Skeleton>, Boxed<RigMap>, Boxed<EventTrack>,
                             Boxed<Plugins>, Boxed<FileNames>, Boxed<SkeletonNames>,
                             Boxed<CharacterController>, Boxed<Network>, Boxed<nsa::Document>> {
    using variant::operator=;
    using variant::variant;
    // Compiled once, in the library: it takes seconds, which whoever copies a document would wait for.
    Body();
    /// Holds what the other holds.
    Body(const Body& other);
    /// Takes what the other holds.
    Body(Body&& other) noexcept;
    /// As the copy constructor.
    Body& operator=(const Body& other);
    /// As the move constructor.
    Body& operator=(Body&& other) noexcept;
    ~Body();
    /// Whether both hold the same kind of thing, and equal ones.
    friend bool operator==(const Body& a, const Body& b);
  };

  Bytes before;  ///< in front of the packet, what is no packet: damaged ones
  std::uint32_t version = 0;
  std::uint32_t platform = 0;  ///< as Platform
  std::uint32_t type = 0;      ///< see packet_kind
  std::uint32_t asset_id = 0;  ///< by which others refer to it; of animations the index
  std::array<std::uint8_t, 16> guid{};
  std::uint32_t size = 0;       ///< of the data
  std::uint32_t size_high = 0;  ///< version 24, where the size takes eight bytes
  std::uint32_t alignment = 16;
  std::uint32_t unknown = 0;  ///< version 24
  Bytes lead;                 ///< fill between header and data
  Body body;                  ///< empty where the data is kept raw
  Remainder data;             ///< raw data of a packet that is not understood
  Bytes tail;                 ///< fill up to the next packet

  static constexpr std::size_t kMinSize = 40;

  /// What the packet holds, if it is of this type, or null.
  template <class T>
  [[nodiscard]] const T* get_if() const {
    const auto* boxed = std::get_if<Boxed<T>>(&body);
    return boxed != nullptr ? &**boxed : nullptr;
  }
  /// The same, to be edited.
  template <class T>
  [[nodiscard]] T* get_if() {
    auto* boxed = std::get_if<Boxed<T>>(&body);
    return boxed != nullptr ? &**boxed : nullptr;
  }
  friend bool operator==(const Packet&, const Packet&) = default;
};

/// A network: every packet of its file.
struct Document {
  Layout layout = Layout::v26_le64;
  std::uint32_t version = 26;
  std::uint32_t platform = 10;  ///< as Platform
  std::vector<Packet> packets;
  Bytes rest;  ///< what follows the last packet that could be distinguished

  /// All packets of a kind, in file order.
  template <class T>
  [[nodiscard]] std::vector<const T*> all() const {
    std::vector<const T*> found;
    for (const Packet& packet : packets) {
      if (const T* body = packet.get_if<T>()) {
        found.push_back(body);
      }
    }
    return found;
  }
  /// The first packet of a kind, or null.
  template <class T>
  [[nodiscard]] const T* find() const {
    for (const Packet& packet : packets) {
      if (const T* body = packet.get_if<T>()) {
        return body;
      }
    }
    return nullptr;
  }
  friend bool operator==(const Document&, const Document&) = default;
};

/// The layout, if the bytes begin as an animation network; none otherwise.
std::optional<Layout> layout_of(ByteView bytes);

/// Errors: read.tag for other content, read.truncated for less than a packet header, input.too-large. A
/// packet whose header is damaged costs itself at most (mrn.packet): reading goes on with the next that
/// begins as most do, and all bytes are kept.
Result<Document> read(ByteView bytes, const ReadOptions& options = {},
                      Diagnostics& diagnostics = Diagnostics::discarded());

/// The file's bytes.
Bytes write(const Document& document);

/// Shows every field with its offset.
void inspect(const Document& document, Inspector& inspector);

/// Takes sizes and fill of all packets from what they hold, and the list of CRCs in FileNames from the
/// animations: what a document edited by a program needs before it is written.
void lay_out(Document& document);

// --- making packets (mrn.md#writing): what a packet of these contents looks like in the games' files,
// padding included

/// A table of texts in this order; their ids, where the form has any, are 0, 1, 2 …
StringTable make_table(StringTable::Form form, std::span<const std::string> texts);

/// A bone in its parent's space: metres, and a unit quaternion x y z w.
struct Bone {
  std::string name;
  std::int32_t parent = -1;  ///< smaller than the bone's own index
  Vec3 translation{};
  Vec4 rotation{0, 0, 0, 1};
};
/// Parents stand before their children. `trajectory_bone` and `root_bone` are indices of bones.
Skeleton make_skeleton(std::span<const Bone> bones, std::int32_t trajectory_bone, std::int32_t root_bone);
/// Which bone of the skeleton each channel of an animation moves: indices below `skeleton_bones`; larger ones
/// are in the map, but marked as used nowhere.
RigMap make_rig_map(std::span<const std::uint16_t> bones, std::uint32_t skeleton_bones);
/// Events in the order of their times, which are parts of the animation's length, 0 to 1.
EventTrack make_event_track(std::string_view name, std::uint32_t user_data, std::uint32_t channel,
                            std::span<const Event> events);
/// The plug-ins that a network requests, such as "MorphemeCore".
Plugins make_plugins(std::span<const std::string> names);
/// Names of the network's skeletons, in the order of its rigs.
SkeletonNames make_skeleton_names(std::span<const std::string> names);
/// Where an animation came from: its file, the file's type, the source file and the take in that.
struct AnimationName {
  std::string file, type, source, take;
};
/// The CRCs are filled in by `lay_out`.
FileNames make_file_names(std::span<const AnimationName> names);

/// Puts an animation in the place of another one (counted as by `animations`). False if there is none such.
bool replace_animation(Document& document, std::size_t index, nsa::Document animation);

// --- relations of packets
// ----------------------------------------------------------------------------------------

/// An animation of a network.
struct Animation {
  const nsa::Document* document = nullptr;
  std::size_t packet = 0;  ///< index in Document::packets
  std::string name;        ///< of the take, else of the file without extension, else "Animation N"; UTF-8
};
/// In file order. Names are found by asset id, else by order (mrn.md#packet-types). They point into the
/// document.
std::vector<Animation> animations(const Document& document);
/// Not into a temporary one.
std::vector<Animation> animations(const Document&& document) = delete;

/// A skeleton of a network.
struct NamedSkeleton {
  const Skeleton* skeleton = nullptr;
  std::string name;  ///< e.g. "Male"; "Skeleton N" without one
};
/// In file order. Names are found by order (mrn.md#skeleton-names). They point into the document.
std::vector<NamedSkeleton> skeletons(const Document& document);
/// Not into a temporary one.
std::vector<NamedSkeleton> skeletons(const Document&& document) = delete;

/// The parent of each bone, by the chains where they cover every bone once, else by the hierarchy's list; −1
/// for roots. Cycles and bones that do not exist are cut off and reported (mrn.hierarchy).
std::vector<std::int32_t> parents(const Skeleton& skeleton,
                                  Diagnostics& diagnostics = Diagnostics::discarded());

/// Which bone a channel drives; −1 for none.
struct BoneMap {
  /// What a map was taken from.
  enum class Origin : std::uint8_t {
    network,  ///< the network states it (version 24)
    map,      ///< the map whose counts fit
    offset,   ///< no map fits: channel c is taken for bone c + (bones − channels)
  };
  Origin origin = Origin::map;
  std::vector<std::int32_t> bones;  ///< by channel
};
/// For so many channels, of animation `index` (as `animations` counts) or from elsewhere, in order of
/// preference (mrn.md#rig-maps). The last resort is reported as mrn.no-rig-map.
BoneMap bone_map(const Document& document, const Skeleton& skeleton, std::uint32_t channels,
                 std::optional<std::size_t> index, Diagnostics& diagnostics = Diagnostics::discarded());

/// The event tracks of an animation: those that the network names (version 24), or all if there is but one
/// animation. Version 26's link is not known; see docs/user/forgelight.md.
std::vector<const EventTrack*> events_of(const Document& document, std::size_t index);

// --- decoded samples: `thaw dump --decoded` (nsa.md#values)

/// Shows version, checksums, times and the values of all channels of an animation, or of every animation of a
/// network under its name. False if the document is neither. Findings are those of nsa::decode.
bool inspect_decoded(const AnyDocument& document, Inspector& inspector,
                     Diagnostics& diagnostics = Diagnostics::discarded());

// --- the network's nodes and references as a graph: Graphviz text or JSON (mrn.md#the-network)

/// Nodes and the edges between them.
struct Graph {
  /// A node of the network, or what nodes refer to.
  struct Node {
    /// "state machine", "clip" and the like (node_type_name), "node" for unknown types, "request" and other
    /// types of messages, "animation", "skeleton", "event track", "name".
    std::string kind;
    std::string name;                   ///< UTF-8; empty where the file has none
    std::optional<std::int64_t> id;     ///< as the file counts
    std::optional<std::uint32_t> type;  ///< of the network's own nodes
    std::optional<std::size_t> parent;  ///< among the nodes: what it is a part of
    bool machine = false;               ///< a state machine
  };
  /// From one node to another.
  struct Edge {
    std::size_t from = 0;
    std::size_t to = 0;
    /// "child", "input" (a parameter that feeds a node), "tells" (a message and who listens), "plays" (a clip
    /// and its animation), "moves" (an animation and a skeleton), "events".
    std::string_view kind;
    std::optional<std::size_t> place;  ///< among the children of a node
  };
  std::vector<Node> nodes;
  std::vector<Edge> edges;
};

/// Version 24: nodes, messages, animations, skeletons and event tracks. Of other versions, whose nodes are
/// not understood, the names that the network has take the place of nodes (mrn.graph).
Graph graph_of(const Document& document, Diagnostics& diagnostics = Diagnostics::discarded());

/// In the language of Graphviz. What is a part of a state machine stands in a box of its own.
std::string to_dot(const Graph& graph, std::string_view name);

/// In the JSON Graph Format, version 2.
std::string to_json(const Graph& graph, std::string_view name);

// --- skeletons and animations to a scene, animations back (mrn.md#poses-and-clips). Axes and units are those
// of glTF

/// The nodes that a skeleton became.
struct PlacedSkeleton {
  std::size_t skeleton = 0;         ///< among `skeletons(document)`
  std::vector<scene::Index> nodes;  ///< of each bone
  /// By name as in the file; of bones that share a name the first. For joining other parts of a character:
  /// the hashes of DME files are of the name in upper case.
  std::map<std::string, scene::Index, std::less<>> by_name;
};

/// Which skeleton a name means: exactly, else without regard to case, else by number ("0"). Empty: the only
/// one, or the first with the finding mrn.skeleton if there are several. Errors: mrn.skeleton.
Result<std::size_t> find_skeleton(const Document& document, std::string_view name,
                                  Diagnostics& diagnostics = Diagnostics::discarded());

/// Adds the bones as nodes in bind pose below `parent` (kNone: as roots); parents stand before their
/// children.
PlacedSkeleton add_skeleton(const Document& document, std::size_t skeleton, scene::Index parent,
                            scene::Scene& scene, Diagnostics& diagnostics = Diagnostics::discarded());

/// Which animations become clips, and how.
struct ClipOptions {
  /// Which animations, by name; all without it.
  std::function<bool(std::string_view name)> requested;
  /// Move bone 0 as the root segment says; else the character stays in place. What the animation says of the
  /// bones themselves is the same.
  bool root_motion = true;
};

/// Adds one clip per requested animation that fits the skeleton; returns how many. Channels that do not move
/// keep a key at both ends, so that poses keep their duration; bones without a channel stay in bind pose.
/// Animations for another skeleton (by their rig map) are left out.
std::size_t add_clips(const Document& document, const PlacedSkeleton& skeleton, const ClipOptions& options,
                      scene::Scene& scene, Diagnostics& diagnostics = Diagnostics::discarded());

/// One animation from elsewhere (a file of its own) on a skeleton of the network.
void add_clip(const Document& document, const PlacedSkeleton& skeleton, const nsa::Document& animation,
              std::string_view name, const ClipOptions& options, scene::Scene& scene,
              Diagnostics& diagnostics = Diagnostics::discarded());

/// Adds small octahedra from each bone to its children as one skinned mesh, so that a skeleton without a
/// character can be seen.
void add_bone_shapes(const PlacedSkeleton& skeleton, scene::Scene& scene);

/// An animation that is a file of its own.
struct LooseAnimation {
  std::string name;
  std::shared_ptr<const nsa::Document> document;
};

/// Which skeleton and which clips become a scene, and whether bones can be seen.
struct SceneOptions {
  std::string skeleton;  ///< as `find_skeleton`; empty: all, each below a node with its name
  ClipOptions clips;
  bool bones = false;                           ///< with bone shapes
  std::vector<LooseAnimation> animations = {};  ///< besides the network's
};

/// Skeleton and clips under a root node. Errors: mrn.skeleton if there is none (of that name).
Result<scene::Scene> to_scene(const Document& document, std::string_view name,
                              const SceneOptions& options = {},
                              Diagnostics& diagnostics = Diagnostics::discarded());

/// An animation of its own, on a skeleton of a network. Errors: mrn.skeleton.
Result<scene::Scene> to_scene(const nsa::Document& animation, const Document& network, std::string_view name,
                              const SceneOptions& options = {},
                              Diagnostics& diagnostics = Diagnostics::discarded());

// --- the way back

/// What nodes of a scene are called, and the bones that they stand for. A name may have one `*`, which then
/// stands for the same in both. The first that fits counts; case does not.
using BoneNames = std::vector<std::pair<std::string, std::string>>;

/// Lines of `NAME = BONE`; empty ones and such that begin with # say nothing. Errors: format.foreign.
Result<BoneNames> read_bone_map(std::string_view text);
/// Names of the humanoid skeleton's bones as other programs have them: "mixamo", "rigify".
std::optional<BoneNames> known_bone_map(std::string_view program);

/// Which clip of the scene, for which skeleton, at what rate.
struct FromSceneOptions {
  std::string clip;      ///< name; empty: the first, of networks all
  std::string skeleton;  ///< as `find_skeleton`; of a new network its name
  /// Hz, of body and root; 0: what they had if the clip came from an NSA, else the slowest of usual rates
  /// that has a sample at every key, else 30.
  float rate = 0;
  bool root_motion = true;  ///< way of bone 0 as the root segment; else it is left out
  BoneNames bone_names = {};
  /// As ReadOptions::control.
  const Control* control = nullptr;
};

/// A clip of a scene as curves for a skeleton: body and root each at a rate of its own, bones joined to nodes
/// by name (without regard to case). Bones that the scene has not stay in bind pose. Channels are those of
/// the rig map that covers the most bones of the skeleton, or one per bone from bone 1 on without a map.
/// Errors: mrn.skeleton, and write.unsupported for a scene without clips or without any bone of the skeleton,
/// limit.stopped.
Result<nsa::Clip> clip_from_scene(const scene::Scene& scene, const Document& network,
                                  const FromSceneOptions& options = {},
                                  Diagnostics& diagnostics = Diagnostics::discarded());

/// What a scene's bones are called together: as they were, else as the scene is.
std::string skeleton_name(const scene::Scene& scene);

/// A network of a scene's bones and clips, with maps, event tracks and names; without a definition of states,
/// which is reported (mrn.no-definition). Errors: write.unsupported for a scene without bones,
/// limit.stopped.
Result<Document> network_from_scene(const scene::Scene& scene, const FromSceneOptions& options = {},
                                    Diagnostics& diagnostics = Diagnostics::discarded());

// --- edits (docs/user/edit.md)

/// Renames animations that a pattern meets (see `renamed`): their takes, and their files where those are
/// called alike. The table of names is laid out anew. The error is edit.refused for a network that has no
/// such table.
Result<void> rename_animations(Document& document, std::string_view pattern, std::string_view name,
                               EditLog& log);

}  // namespace thaw::mrn

#pragma GCC visibility pop
