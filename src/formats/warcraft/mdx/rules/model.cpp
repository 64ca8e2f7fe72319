#include "formats/warcraft/mdx/rules/model.hpp"

#include "bytes/text.hpp"
#include "describe/rules.hpp"
#include "formats/warcraft/mdx/shaders.hpp"

#include <algorithm>

namespace thaw::mdx::rules {
namespace {

bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

template <class T>
bool is_damaged(const T& item) {
  if constexpr (requires { item.remainder; }) {
    return item.remainder.replaces_fields();
  } else {
    return false;
  }
}

bool has_word(const Model& model, std::initializer_list<std::string_view> words) {
  return std::any_of(model.sequences.begin(), model.sequences.end(), [&](const Item<Sequence>& sequence) {
    const auto name_words = sequence_words(sequence->name.view());
    return !name_words.empty() && std::find(words.begin(), words.end(), name_words.front()) != words.end();
  });
}

/// What a model is for, as far as its sequences and nodes tell.
AssetKind guess_kind(const Model& model) {
  if (has_word(model, {"walk", "attack", "spell", "ready"})) {
    return AssetKind::unit;
  }
  const bool works =
      std::any_of(model.sequences.begin(), model.sequences.end(), [](const Item<Sequence>& item) {
        const std::string name = ascii::lowered(item->name.view());
        return name.find("work") != std::string::npos || name.find("upgrade") != std::string::npos;
      });
  if (works) {
    return AssetKind::building;
  }
  if (model.has_emitters() || model.geosets.empty()) {
    return AssetKind::effect;
  }
  return AssetKind::doodad;
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) {
    text.remove_prefix(1);
  }
  while (!text.empty() && is_blank(text.back())) {
    text.remove_suffix(1);
  }
  return text;
}

std::vector<std::string> sequence_words(std::string_view name) {
  std::vector<std::string> words;
  const std::string all = ascii::lowered(name.substr(0, name.find('-')));
  for (std::string_view rest = trimmed(all); !rest.empty(); rest = trimmed(rest)) {
    const auto end = std::find_if(rest.begin(), rest.end(), is_blank);
    const auto length = static_cast<std::size_t>(end - rest.begin());
    words.emplace_back(rest.substr(0, length));
    rest.remove_prefix(length);
  }
  if (words.size() > 1 && words.front() == "alternate") {
    words.erase(words.begin());
  }
  return words;
}

bool ends_with_any(std::string_view path, std::initializer_list<std::string_view> extensions) {
  const std::string lowered_path = ascii::lowered(path);
  return std::any_of(extensions.begin(), extensions.end(), [&](std::string_view extension) {
    return std::string_view(lowered_path).ends_with(extension);
  });
}

bool is_texture_path(std::string_view path) { return ends_with_any(path, {".blp", ".tga", ".tif", ".dds"}); }

bool names_what_it_throws(const ParticleEmitter& emitter) {
  const std::string_view path = emitter.path.view();
  return (emitter.node.flags & node_flag::kPremUsesTga) != 0 ? is_texture_path(path)
                                                             : ends_with_any(path, {".mdl", ".mdx"});
}

bool is_replaceable(std::uint32_t id) { return id <= 2 || id == 11 || id == 21 || (id >= 31 && id <= 37); }

Model::Model(const Document& the_document, const ValidateOptions& the_options)
    : document(the_document), options(the_options), version(the_document.version()), kind(the_options.kind) {
  std::map<std::string, unsigned> seen;
  for (const auto& chunk : document.chunks) {
    std::string path = chunk.tag.text();
    if (const unsigned occurrence = ++seen[path]; occurrence > 1) {
      path = say(path, "#", occurrence);
    }
    if (!chunk.remainder.replaces_fields()) {
      add_chunk(chunk, path);
    }
  }
  for (const auto& sequence : sequences) {
    intervals.push_back({sequence->start, sequence->end});
  }
  index_time_line();
  index_nodes();
  index_tracks();
  if (kind == AssetKind::automatic && options.target != ValidateTarget::hive) {
    kind = guess_kind(*this);
  }
}

template <class T>
void Model::add_items(Items<T>& to, const List<T>& list, const std::string& chunk_path) {
  for (std::size_t i = 0; i < list.items.size(); ++i) {
    to.push_back({&list.items[i], at(chunk_path, i)});
    if (is_damaged(list.items[i])) {
      damaged.insert(to.back().path);
    }
  }
}

void Model::add_chunk(const Chunk& chunk, const std::string& path) {
  struct Visitor {
    Model& model;
    const std::string& path;

    void operator()(const Opaque& /*unused*/) const {}
    void operator()(const SoundTracks& /*unused*/) const {}
    void operator()(const Version& /*unused*/) const {}
    void operator()(const mdx::Model& body) const { model.header = &body; }
    // As everywhere, the first of several counts.
    void operator()(const Pivots& body) const {
      model.pivots = model.pivots != nullptr ? model.pivots : &body;
    }
    void operator()(const BindPoses& body) const {
      model.bind_poses = model.bind_poses != nullptr ? model.bind_poses : &body;
    }
    void operator()(const PickGeosets& body) const { model.pick_geosets = &body; }
    void operator()(const GlobalSequences& body) const {
      for (std::size_t i = 0; i < body.durations.size(); ++i) {
        model.global_sequences.push_back({&body.durations[i], say(path, ".durations[", i, "]")});
      }
    }
    void operator()(const Materials& body) const {
      const std::size_t first = model.materials.size();
      model.add_items(model.materials, body, path);
      for (std::size_t i = first; i < model.materials.size(); ++i) {
        const auto& material = model.materials[i];
        for (std::size_t k = 0; k < material->layers.size(); ++k) {
          model.layers.push_back({&material->layers[k], say(material.path, ".layers[", k, "]")});
          if (material->layers[k].remainder.replaces_fields()) {
            model.damaged.insert(model.layers.back().path);
          }
        }
      }
    }
    void operator()(const Sequences& body) const { model.add_items(model.sequences, body, path); }
    void operator()(const Textures& body) const { model.add_items(model.textures, body, path); }
    void operator()(const SoundEmitters& body) const { model.add_items(model.sounds, body, path); }
    void operator()(const TextureAnimations& body) const {
      model.add_items(model.texture_animations, body, path);
    }
    void operator()(const Geosets& body) const { model.add_items(model.geosets, body, path); }
    void operator()(const GeosetAnimations& body) const {
      model.add_items(model.geoset_animations, body, path);
    }
    void operator()(const Bones& body) const { model.add_items(model.bones, body, path); }
    void operator()(const Lights& body) const { model.add_items(model.lights, body, path); }
    void operator()(const Helpers& body) const { model.add_items(model.helpers, body, path); }
    void operator()(const Attachments& body) const { model.add_items(model.attachments, body, path); }
    void operator()(const ParticleEmitters& body) const {
      model.add_items(model.particle_emitters, body, path);
    }
    void operator()(const ParticleEmitters2& body) const {
      model.add_items(model.particle_emitters2, body, path);
    }
    void operator()(const RibbonEmitters& body) const { model.add_items(model.ribbons, body, path); }
    void operator()(const EventObjects& body) const { model.add_items(model.events, body, path); }
    void operator()(const Cameras& body) const { model.add_items(model.cameras, body, path); }
    void operator()(const CollisionShapes& body) const { model.add_items(model.collisions, body, path); }
    void operator()(const FaceEffects& body) const { model.add_items(model.face_effects, body, path); }
    void operator()(const PopcornEmitters& body) const { model.add_items(model.popcorns, body, path); }
  };
  std::visit(Visitor{*this, path}, chunk.body);
}

template <class T>
void Model::add_nodes(const Items<T>& items, NodeKind node_kind) {
  for (const auto& item : items) {
    nodes.push_back({&item->node, node_kind, item.path + ".node"});
    if (item->node.remainder.replaces_fields()) {
      damaged.insert(nodes.back().path);
    }
  }
}

void Model::index_nodes() {
  add_nodes(bones, NodeKind::bone);
  add_nodes(lights, NodeKind::light);
  add_nodes(helpers, NodeKind::helper);
  add_nodes(attachments, NodeKind::attachment);
  add_nodes(particle_emitters, NodeKind::particle_emitter);
  add_nodes(particle_emitters2, NodeKind::particle_emitter2);
  add_nodes(popcorns, NodeKind::popcorn);
  add_nodes(ribbons, NodeKind::ribbon);
  add_nodes(events, NodeKind::event);
  add_nodes(collisions, NodeKind::collision);
  add_nodes(sounds, NodeKind::sound);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    by_id_.emplace(nodes[i].node->object_id, i);
  }
}

void Model::add_track_list(const Tracks& list, TrackOwner owner, std::string path) {
  if (list.empty()) {
    return;
  }
  const auto owner_index = static_cast<std::uint32_t>(owner_paths.size());
  owner_paths.push_back(std::move(path));
  std::map<std::array<char, 4>, std::uint32_t> seen;  // by tag
  for (const auto& track : list) {
    tracks.push_back({&track, owner, owner_index, seen[track.tag.bytes]++});
  }
}

template <class T>
void Model::add_tracks(const Items<T>& items, TrackOwner owner) {
  for (const auto& item : items) {
    add_track_list(item->tracks, owner, item.path + ".tracks");
  }
}

void Model::index_tracks() {
  for (const auto& layer : layers) {
    add_track_list(layer->tracks, TrackOwner::layer, layer.path + ".tracks");
    for (std::size_t i = 0; i < layer->slots.size(); ++i) {
      if (layer->slots[i].flipbook) {
        tracks.push_back({&*layer->slots[i].flipbook, TrackOwner::slot,
                          static_cast<std::uint32_t>(owner_paths.size()), 0});
        owner_paths.push_back(say(layer.path, ".slots[", i, "].textureIds"));
      }
    }
  }
  add_tracks(texture_animations, TrackOwner::texture_animation);
  add_tracks(geoset_animations, TrackOwner::geoset_animation);
  add_tracks(lights, TrackOwner::light);
  add_tracks(attachments, TrackOwner::attachment);
  add_tracks(particle_emitters, TrackOwner::particle_emitter);
  add_tracks(particle_emitters2, TrackOwner::particle_emitter2);
  add_tracks(ribbons, TrackOwner::ribbon);
  add_tracks(popcorns, TrackOwner::popcorn);
  add_tracks(cameras, TrackOwner::camera);
  add_tracks(sounds, TrackOwner::sound);
  for (const auto& node : nodes) {
    add_track_list(node.node->tracks, TrackOwner::node, node.path + ".tracks");
  }
}

std::string Model::path_of(const TrackItem& item) const {
  const std::string& owner = owner_paths[item.owner_path];
  if (item.owner == TrackOwner::slot) {
    return owner;
  }
  const std::string tag = item.track->tag.text();
  return item.occurrence == 0 ? say(owner, "[", tag, "]")
                              : say(owner, "[", tag, "#", item.occurrence + 1, "]");
}

const NodeItem* Model::node_by_id(std::int64_t id) const {
  const auto found = by_id_.find(id);
  return found == by_id_.end() ? nullptr : &nodes[found->second];
}

const Material* Model::material_of(const Geoset& geoset) const {
  const auto index = index_in(geoset.material_id, materials.size());
  return index ? materials[*index].value : nullptr;
}

bool Model::is_hd(const Material& material) const {
  if (version >= 1100) {
    return std::any_of(material.layers.begin(), material.layers.end(),
                       [](const Layer& layer) { return is_physical(layer.shader_id); });
  }
  return version >= 900 && is_physical(shader_of(material.shader.view()));
}

std::vector<std::int64_t> Model::texture_ids(const Layer& layer) const {
  std::vector<std::int64_t> ids;
  const auto add_keys = [&](const Track& track) {
    for (std::size_t key = 0; key < track.size(); ++key) {
      ids.push_back(track.integer(key));
    }
  };
  if (version < 1100) {
    const Track* flipbook = find_track(layer.tracks, FourCC{"KMTF"});
    if (flipbook != nullptr) {
      add_keys(*flipbook);
    } else {
      ids.push_back(layer.texture_id);
    }
  }
  for (const auto& slot : layer.slots) {
    if (slot.flipbook) {
      add_keys(*slot.flipbook);
    } else {
      ids.push_back(slot.texture_id);
    }
  }
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

void Model::index_time_line() {
  std::map<std::int64_t, std::vector<std::pair<std::size_t, bool>>> changes;  // sequence, whether it begins
  for (std::size_t i = 0; i < intervals.size(); ++i) {
    // One that ends before it begins shows its first frame.
    changes[intervals[i].start].emplace_back(i, true);
    changes[std::max(intervals[i].start, intervals[i].end) + 1].emplace_back(i, false);
  }
  std::set<std::size_t> playing;
  for (const auto& [frame, sequences_here] : changes) {
    for (const auto& [sequence, begins] : sequences_here) {
      if (begins) {
        playing.insert(sequence);
      } else {
        playing.erase(sequence);
      }
    }
    time_line_[frame] = playing.empty() ? std::nullopt : std::optional(*playing.begin());
  }
}

std::optional<std::size_t> Model::sequence_at(std::int64_t frame) const {
  const auto next = time_line_.upper_bound(frame);
  return next == time_line_.begin() ? std::nullopt : std::prev(next)->second;
}

std::optional<Interval> Model::global_interval(std::int32_t id) const {
  const auto index = index_in(id, global_sequences.size());
  return index ? std::optional(Interval{0, *global_sequences[*index]}) : std::nullopt;
}

}  // namespace thaw::mdx::rules
