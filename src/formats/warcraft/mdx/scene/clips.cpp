// Sequences and global sequences as clips (warcraft3-rendering.md#playing-a-track).
#include "bytes/number_text.hpp"
#include "formats/warcraft/mdx/scene/builder.hpp"
#include "formats/warcraft/mdx/scene/values.hpp"

namespace thaw::mdx {
namespace {

using scene::Clip;
using scene::Index;

/// Pairs of track and sequence that are looked at; more can only be meant to waste time.
constexpr std::uint64_t kMaxPairs = std::uint64_t{1} << 26U;

class ClipBuilder {
 public:
  explicit ClipBuilder(SceneBuilder& builder) : builder_(builder) {
    curve_options_.rotation_tolerance = builder.options.rotation_tolerance;
    curve_options_.extrapolate = builder.options.extrapolate_before_first_key;
  }

  void build();

 private:
  struct Entry {
    Clip clip;
    Window window;
    std::uint64_t cost = 0;
  };
  struct RigPart {
    const Binding* binding = nullptr;
    KeyList keys;
  };

  void add_sequences();
  void add_globals();
  void play_binding(const Binding& binding);
  void play_rig(const CameraRig& rig);
  [[nodiscard]] scene::Curve view_in(const CameraRig& rig, const std::vector<RigPart>& parts,
                                     const Window& window) const;
  template <class Make>
  void for_sequences(const Binding& binding, const KeyList& keys, const Make& make);
  static void add_channel(Entry& entry, const Binding& binding, scene::Curve curve, std::size_t keys);
  void enforce_limit();
  void finish();
  [[nodiscard]] scene::Curve curve_of(const Binding& binding, const KeyList& keys,
                                      const Window& window) const;
  Entry* global_entry(const Track& track);

  SceneBuilder& builder_;
  CurveOptions curve_options_;
  std::vector<Entry> sequences_;
  std::vector<Entry> globals_;
  std::vector<std::size_t> entry_of_global_;  ///< after the last one where a global sequence is not used
  std::uint64_t cost_ = 0;                    ///< of the sequences; global ones have each track once
  std::size_t dropped_ = 0;
};

Clip clip_of(const Sequence& sequence, std::size_t index, const Window& window) {
  Clip clip;
  clip.name = to_utf8(sequence.name.view());
  if (clip.name.empty()) {
    clip.name = "Sequence " + std::to_string(index);
  }
  clip.duration = static_cast<float>(static_cast<double>(window.end - window.start) / 1000);
  clip.looping = (sequence.flags & Sequence::kNonLooping) == 0;
  clip.interval = {static_cast<std::int32_t>(sequence.start), static_cast<std::int32_t>(sequence.end)};
  clip.extras.set("moveSpeed", sequence.move_speed);
  clip.extras.set("flags", sequence.flags);
  clip.extras.set("rarity", sequence.rarity);
  clip.extras.set("syncPoint", sequence.sync_point);
  clip.extras.set("extent", to_value(sequence.extent));
  return clip;
}

void ClipBuilder::add_sequences() {
  const auto items = builder_.document.all<Sequences>();
  const std::uint64_t tracks = std::max<std::uint64_t>(1, builder_.bindings.size());
  const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(items.size(), kMaxPairs / tracks));
  dropped_ = items.size() - count;
  sequences_.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::int64_t start = static_cast<std::int32_t>(items[i]->start);
    const std::int64_t end = static_cast<std::int32_t>(items[i]->end);
    if (end <= start) {
      builder_.report(codes::kSceneSequence, {FourCC{"SEQS"}, i},
                      "the sequence does not end after its start; its clip holds the first pose");
    }
    const Window window = {start, std::max(start, end), false};
    sequences_.push_back({clip_of(*items[i], i, window), window, 0});
  }
}

void ClipBuilder::add_globals() {
  std::vector<bool> used(builder_.global_durations.size());
  const auto mark = [&](std::optional<std::uint32_t> id) {
    if (id) {
      used[*id] = true;
    }
  };
  for (const auto& binding : builder_.bindings) {
    mark(builder_.global_of(*binding.use.track));
  }
  for (const auto& id : builder_.event_globals) {
    mark(id);
  }
  entry_of_global_.assign(used.size(), used.size());
  for (std::size_t id = 0; id < used.size(); ++id) {
    if (!used[id]) {
      continue;
    }
    const std::int64_t duration = builder_.global_durations[id];
    Entry entry;
    entry.clip.name = "global:" + std::to_string(id);
    entry.clip.global = true;
    entry.clip.duration = static_cast<float>(static_cast<double>(duration) / 1000);
    entry.clip.extras.set("globalSequence", static_cast<std::int64_t>(id));
    entry.clip.extras.set("duration", duration);
    entry.window = {0, duration, true};
    entry_of_global_[id] = globals_.size();
    globals_.push_back(std::move(entry));
  }
}

ClipBuilder::Entry* ClipBuilder::global_entry(const Track& track) {
  const auto id = builder_.global_of(track);
  return id ? &globals_[entry_of_global_[*id]] : nullptr;
}

scene::Curve ClipBuilder::curve_of(const Binding& binding, const KeyList& keys, const Window& window) const {
  return binding.use.conversion == Conversion::uv_angle ? make_angle_curve(keys, window, curve_options_)
                                                        : make_curve(keys, window, curve_options_);
}

void ClipBuilder::add_channel(Entry& entry, const Binding& binding, scene::Curve curve, std::size_t keys) {
  // Keys that came out constant have cost time too.
  entry.cost += keys + curve.times.size() + curve.values.size();
  if (shows_rest(curve, binding.use.rest)) {
    return;
  }
  entry.clip.channels.push_back({binding.target, binding.property, std::move(curve)});
}

/// Leaves out the last sequences until the rest fits.
void ClipBuilder::enforce_limit() {
  while (cost_ > builder_.options.max_curve_values && !sequences_.empty()) {
    cost_ -= sequences_.back().cost;
    sequences_.pop_back();
    ++dropped_;
  }
}

/// Adds make(window) to all sequences, as long as there is room.
template <class Make>
void ClipBuilder::for_sequences(const Binding& binding, const KeyList& keys, const Make& make) {
  std::size_t next = 0;
  while (next < sequences_.size()) {
    Entry& entry = sequences_[next++];
    const std::uint64_t before = entry.cost;
    add_channel(entry, binding, make(entry.window), keys_within(keys, entry.window));
    cost_ += entry.cost - before;
    enforce_limit();
  }
}

void report_fixed(SceneBuilder& builder, const Binding& binding, const KeyList& keys) {
  ObjectRef place = binding.place;
  const auto report = [&](const Code& code, std::string_view what) {
    if (builder.diagnostics.has_room()) {
      builder.diagnostics.add(code, std::string(what), {},
                              place.text() + "." + binding.use.track->tag.text());
    } else {
      builder.diagnostics.add(code, {});
    }
  };
  if (keys.unsorted) {
    report(codes::kSceneTrack, "the keys are out of order; sorted");
  }
  if (keys.repaired_values) {
    report(codes::kSceneTrack, "keys that are not finite or not rotations replaced with defaults");
  }
  if (keys.bad_index) {
    report(codes::kSceneReference, "keys refer to textures that do not exist; the static value is used");
  }
  const Track& track = *binding.use.track;
  if (track.global_sequence != -1 && !builder.global_of(track)) {
    report(codes::kSceneReference, "global sequence " + std::to_string(track.global_sequence) +
                                       " does not exist; the track plays with the sequences");
  }
}

void ClipBuilder::play_binding(const Binding& binding) {
  const KeyList keys = prepare(binding.use);
  report_fixed(builder_, binding, keys);
  if (Entry* global = global_entry(*binding.use.track)) {
    add_channel(*global, binding, curve_of(binding, keys, global->window), 0);
    return;
  }
  for_sequences(binding, keys, [&](const Window& window) { return curve_of(binding, keys, window); });
}

scene::Curve ClipBuilder::view_in(const CameraRig& rig, const std::vector<RigPart>& parts,
                                  const Window& window) const {
  const auto& camera = builder_.scene.cameras[rig.camera];
  std::vector<scene::Curve> curves;
  curves.reserve(parts.size());
  ViewCurves view;
  for (const auto& part : parts) {
    curves.push_back(make_curve(part.keys, window, curve_options_));
    const auto& curve = curves.back();
    if (part.binding->property == scene::Property::camera_roll) {
      view.roll = &curve;
    } else if (part.binding->target.index == camera.node) {
      view.position = &curve;
    } else {
      view.target = &curve;
    }
  }
  return view_curve(builder_, camera, view);
}

/// A direction that depends on clocks of several clips cannot be one curve: those of the sequences count.
void ClipBuilder::play_rig(const CameraRig& rig) {
  std::vector<RigPart> parts;
  Entry* clock = nullptr;
  for (const std::size_t index : rig.bindings) {
    const Binding& binding = builder_.bindings[index];
    Entry* entry = global_entry(*binding.use.track);
    if (parts.empty() || (clock != nullptr && entry == nullptr)) {
      clock = entry;
      parts.clear();
    }
    if (entry == clock) {
      parts.push_back({&binding, prepare(binding.use)});
    }
  }
  if (parts.size() != rig.bindings.size()) {
    builder_.report(codes::kSceneApproximated, rig.place,
                    "the camera's tracks follow several time lines (sequences or global sequences); its "
                    "rotation follows only one of them");
  }
  const auto& camera = builder_.scene.cameras[rig.camera];
  const Vec4& rest = builder_.scene.nodes[camera.node].rest.rotation;
  Binding binding;
  binding.target = {scene::Target::Kind::node, camera.node, 0};
  binding.property = scene::Property::rotation;
  binding.use.rest = {double{rest[0]}, double{rest[1]}, double{rest[2]}, double{rest[3]}};
  if (clock != nullptr) {
    add_channel(*clock, binding, view_in(rig, parts, clock->window), 0);
  } else {
    for_sequences(binding, parts.front().keys,
                  [&](const Window& window) { return view_in(rig, parts, window); });
  }
}

void ClipBuilder::finish() {
  if (dropped_ > 0) {
    builder_.report(codes::kInputTooLarge, FourCC{"SEQS"},
                    "the last " + counted(dropped_, "sequence") +
                        " left out, because sequences and tracks together exceed thaw's limits for a scene");
  }
  auto& scene = builder_.scene;
  for (auto& entry : sequences_) {
    scene.clips.push_back(std::move(entry.clip));
  }
  for (std::size_t i = 0; i < scene.events.size(); ++i) {
    if (const auto& id = builder_.event_globals[i]) {
      scene.events[i].global_loop = static_cast<Index>(scene.clips.size() + entry_of_global_[*id]);
    }
  }
  for (auto& entry : globals_) {
    scene.clips.push_back(std::move(entry.clip));
  }
}

void ClipBuilder::build() {
  add_sequences();
  add_globals();
  for (const auto& binding : builder_.bindings) {
    play_binding(binding);
  }
  for (const auto& rig : builder_.rigs) {
    play_rig(rig);
  }
  finish();
}

}  // namespace

void build_clips(SceneBuilder& builder) { ClipBuilder(builder).build(); }

}  // namespace thaw::mdx
