// Fixing what can be mended without changing what the model shows.
#include <thaw/validate.hpp>

#include "bytes/text.hpp"
#include "describe/rules.hpp"
#include "formats/warcraft/mdx/convert/conversion_job.hpp"
#include "formats/warcraft/mdx/edit/parts.hpp"
#include "formats/warcraft/mdx/edit/timeline.hpp"
#include "formats/warcraft/mdx/rules/extents.hpp"
#include "formats/warcraft/mdx/rules/geoset_animations.hpp"
#include "formats/warcraft/mdx/rules/skin.hpp"
#include "formats/warcraft/mdx/rules/tracks.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <type_traits>

namespace thaw {
namespace {

using namespace mdx;
using namespace mdx::rules;

/// Objects may only be changed if their fields are what is written.
template <class T>
bool is_whole(const T& item) {
  if constexpr (requires { item.remainder; }) {
    return !item.remainder.replaces_fields();
  } else {
    return true;
  }
}

Box box_of_points(const Geoset& geoset) { return rules::box_of(geoset); }

/// Without damage.
bool reads_strictly(const Document& document) {
  ReadOptions strict;
  strict.strict = true;
  return mdx::read(write(document), strict).has_value();
}

class Fixer {
 public:
  Fixer(Document& document, const ValidateOptions& options, const std::vector<std::string_view>& codes)
      : document_(document), options_(options), codes_(codes) {}

  std::vector<AppliedFix> run() {
    header();
    drop_geoset_animations();
    references();
    geosets();
    model_extent();
    nodes();
    pivots();
    sequence_names();
    sequences_over_each_other();
    tracks();
    faint_geosets();
    middles();
    events();
    // Numbers in raw bytes cannot follow.
    if (wants_structure() && is_sound()) {
      attachment_paths();
      idle_nodes();
      idle_bones();
      pivots();  // where ids have gaps, those of nodes that went are still there
      unused_items();
      origin();
      missing_sequences();
      order_of_sequences();
    }
    return std::move(fixed_);
  }

 private:
  [[nodiscard]] bool requested(std::string_view code) const {
    return codes_.empty() || std::find(codes_.begin(), codes_.end(), code) != codes_.end();
  }
  /// Of what follows below.
  [[nodiscard]] bool wants_structure() const {
    constexpr std::array<std::string_view, 12> kCodes = {
        "mdx.material-unused",
        "mdx.texture-animation-unused",
        "mdx.texture-unused",
        "mdx.global-sequence-unused",
        "mdx.event-empty",
        "mdx.particle-model-path",
        "mdx.attachment-path",
        "mdx.bone-unused",
        "mdx.attachment-no-origin",
        "mdx.sequence-missing-stand",
        "mdx.sequence-missing-death",
        "mdx.sequence-unsorted",
    };
    return std::any_of(kCodes.begin(), kCodes.end(), [&](std::string_view code) { return requested(code); });
  }
  [[nodiscard]] bool is_sound() const { return reads_strictly(document_); }
  void report(std::string_view code, std::string path, std::string message) {
    fixed_.push_back({code, std::move(path), std::move(message)});
  }

  /// Calls `use(body, path of the chunk)` for chunks of a kind.
  template <class Body, class F>
  void for_each_body(F&& use) {
    std::map<std::array<char, 4>, unsigned> seen;  // by tag
    for (auto& chunk : document_.chunks) {
      const unsigned occurrence = ++seen[chunk.tag.bytes];
      auto* body = std::get_if<Body>(&chunk.body);
      if (body != nullptr && !chunk.remainder.replaces_fields()) {
        use(*body, occurrence == 1 ? chunk.tag.text() : say(chunk.tag.text(), "#", occurrence));
      }
    }
  }
  template <class Body, class F>
  void for_each(F&& use) {
    for_each_body<Body>([&](Body& body, const std::string& path) {
      for (std::size_t i = 0; i < body.items.size(); ++i) {
        if (is_whole(body.items[i])) {
          use(body.items[i], at(path, i));
        }
      }
    });
  }
  template <class Body>
  [[nodiscard]] std::size_t count() {
    return document_.all<Body>().size();
  }

  void header() {
    for_each_body<mdx::Model>([&](mdx::Model& model, const std::string& path) {
      if (requested("mdx.model-animation-file") && !model.animation_file.view().empty()) {
        model.animation_file.assign("");
        report("mdx.model-animation-file", path + ".animationFileName", "animation file name cleared");
      }
      sort_extent(model.extent, path + ".extent");
    });
    for_each<Sequences>(
        [&](Sequence& sequence, const std::string& path) { sort_extent(sequence.extent, path + ".extent"); });
  }

  void sort_extent(Extent& extent, const std::string& path) {
    bool changed = false;
    for (std::size_t axis = 0; axis < 3 && requested("mdx.extent-negative"); ++axis) {
      if (extent.maximum.at(axis) < extent.minimum.at(axis)) {
        std::swap(extent.maximum.at(axis), extent.minimum.at(axis));
        changed = true;
      }
    }
    if (changed) {
      report("mdx.extent-negative", path, "minimum and maximum swapped");
    }
  }

  /// Removes geoset animations without a geoset and renumbers those behind them.
  void drop_geoset_animations() {
    constexpr std::string_view kCode = "mdx.geoset-animation-geoset";
    if (!requested(kCode)) {
      return;
    }
    const std::size_t geosets = count<Geosets>();
    std::vector<std::int32_t> renumbered;
    std::int32_t next_index = 0;
    for_each_body<GeosetAnimations>([&](GeosetAnimations& body, const std::string& path) {
      std::vector<GeosetAnimation> left;
      for (std::size_t i = 0; i < body.items.size(); ++i) {
        const bool drop = is_whole(body.items[i]) && !index_in(body.items[i].geoset_id, geosets);
        renumbered.push_back(drop ? -1 : next_index++);
        if (drop) {
          report(kCode, at(path, i),
                 say("geoset animation removed, because it refers to the missing geoset ",
                     body.items[i].geoset_id));
        } else {
          left.push_back(std::move(body.items[i]));
        }
      }
      body.items = std::move(left);
    });
    for_each<Bones>([&](Bone& bone, const std::string& /*path*/) {
      if (const auto index = index_in(bone.geoset_animation_id, renumbered.size())) {
        bone.geoset_animation_id = renumbered[*index];
      }
    });
  }

  void clear_reference(std::string_view code, std::int32_t& id, std::size_t limit, const std::string& path) {
    if (requested(code) && id != -1 && !index_in(id, limit)) {
      report(code, path, say("index ", id, " does not exist; changed to -1"));
      id = -1;
    }
  }

  void references() {
    const std::size_t geosets = count<Geosets>();
    const std::size_t geoset_animations = count<GeosetAnimations>();
    const std::size_t texture_animations = count<TextureAnimations>();
    for_each<Bones>([&](Bone& bone, const std::string& path) {
      clear_reference("mdx.bone-geoset", bone.geoset_id, geosets, path + ".geosetId");
      clear_reference("mdx.bone-geoset-animation", bone.geoset_animation_id, geoset_animations,
                      path + ".geosetAnimationId");
    });
    for_each<Materials>([&](Material& material, const std::string& path) {
      for (std::size_t i = 0; i < material.layers.size(); ++i) {
        if (is_whole(material.layers[i])) {
          clear_reference("mdx.layer-texture-animation", material.layers[i].texture_animation_id,
                          texture_animations, say(path, ".layers[", i, "].textureAnimationId"));
        }
      }
    });
  }

  void geosets() {
    const std::uint32_t version = document_.version();
    const std::size_t sequences = count<Sequences>();
    // Of each geoset: all together take no more than some megabytes.
    constexpr std::size_t kMostExtents = std::size_t{1} << 20U;
    const std::size_t most_extents = kMostExtents / std::max<std::size_t>(1, count<Geosets>());
    for_each<Geosets>([&](Geoset& geoset, const std::string& path) {
      const Box box = box_of_points(geoset);
      const bool zero = geoset.extent == Extent{};
      const std::string_view code = zero ? "mdx.geoset-extent-zero" : "mdx.geoset-extent-small";
      sort_extent(geoset.extent, path + ".extent");
      const bool wrong = zero ? extent_of(box) != Extent{} : !holds(geoset.extent, box);
      if (box.valid && requested(code) && wrong) {
        geoset.extent = extent_of(box);
        report(code, path + ".extent", "extent recalculated from the vertices");
      }
      if (version == 800 && requested("mdx.geoset-sequence-extents") && sequences <= most_extents &&
          geoset.sequence_extents.size() != sequences) {
        report("mdx.geoset-sequence-extents", path + ".sequenceExtents",
               say("number of sequence extents changed from ", geoset.sequence_extents.size(), " to ",
                   sequences));
        geoset.sequence_extents.resize(sequences, geoset.extent);
      }
      for (std::size_t i = 0; i < geoset.sequence_extents.size(); ++i) {
        sort_extent(geoset.sequence_extents[i], say(path, ".sequenceExtents[", i, "]"));
      }
      if (version >= 900 && geoset.lod < 0 && requested("mdx.geoset-lod")) {
        report("mdx.geoset-lod", path + ".lod", say("level of detail ", geoset.lod, " changed to 0"));
        geoset.lod = 0;
      }
      weights(geoset, path);
    });
  }

  /// Scales weights to a sum of 255; what rounding leaves over goes to the largest.
  template <class Skin>
  static std::size_t normalize(Skin& skin) {
    using Weight = typename Skin::value_type::value_type;
    std::size_t changed = 0;
    for (auto& entry : skin) {
      const unsigned sum = weight_sum(entry);
      if (sum == 0 || sum == kFullWeight) {
        continue;
      }
      unsigned total = 0;
      for (std::size_t i = 4; i < 8; ++i) {
        entry.at(i) = static_cast<Weight>(entry.at(i) * kFullWeight / sum);
        total += entry.at(i);
      }
      auto largest = std::max_element(entry.begin() + 4, entry.end());
      *largest = static_cast<Weight>(*largest + kFullWeight - total);
      ++changed;
    }
    return changed;
  }
  void weights(Geoset& geoset, const std::string& path) {
    if (requested("mdx.skin-weights")) {
      const std::size_t changed = geoset.skin        ? normalize(*geoset.skin)
                                  : geoset.wide_skin ? normalize(*geoset.wide_skin)
                                                     : 0;
      if (changed > 0) {
        report("mdx.skin-weights", path + ".skin",
               say("the weights of ", counted(changed, "vertex"), " normalised to a sum of 255"));
      }
    }
  }

  void model_extent() {
    Box box;
    for_each<Geosets>([&](Geoset& geoset, const std::string& /*path*/) {
      for (const auto& point : geoset.positions) {
        box.add(point);
      }
    });
    for_each_body<mdx::Model>([&](mdx::Model& model, const std::string& path) {
      if (requested("mdx.model-extent-zero") && box.valid && model.extent == Extent{} &&
          extent_of(box) != Extent{}) {
        model.extent = extent_of(box);
        report("mdx.model-extent-zero", path + ".extent", "extent recalculated from the vertices");
      }
    });
  }

  /// Calls `work` for a list of each kind that has nodes: `work.operator()<Bones>()` and so on.
  template <class Work>
  static void for_each_kind(Work&& work) {
    const auto each = [&]<class... Bodies>(std::type_identity<Bodies>...) {
      (work.template operator()<Bodies>(), ...);
    };
    each(std::type_identity<Bones>(), std::type_identity<Lights>(), std::type_identity<Helpers>(),
         std::type_identity<Attachments>(), std::type_identity<ParticleEmitters>(),
         std::type_identity<ParticleEmitters2>(), std::type_identity<PopcornEmitters>(),
         std::type_identity<RibbonEmitters>(), std::type_identity<EventObjects>(),
         std::type_identity<CollisionShapes>(), std::type_identity<SoundEmitters>());
  }
  /// Calls `use(node, path)` for every node that may be changed.
  template <class F>
  void for_each_node(F&& use) {
    for_each_kind([&]<class Body>() {
      for_each<Body>([&](auto& item, const std::string& path) {
        if (is_whole(item.node)) {
          use(item.node, path + ".node");
        }
      });
    });
  }
  /// The ids of all nodes, damaged ones too: others refer to them, and pivots count them.
  [[nodiscard]] std::vector<std::int32_t> node_ids() {
    std::vector<std::int32_t> ids;
    for_each_kind([&]<class Body>() {
      for (const auto* item : document_.all<Body>()) {
        ids.push_back(item->node.object_id);
      }
    });
    return ids;
  }

  void nodes() {
    const auto list = node_ids();
    const std::set<std::int32_t> ids(list.begin(), list.end());
    for_each_node([&](Node& node, const std::string& path) {
      const bool self = node.parent_id == node.object_id;
      const bool missing = node.parent_id != -1 && (node.parent_id < 0 || !ids.contains(node.parent_id));
      const std::string_view code = missing ? "mdx.node-parent-missing" : "mdx.node-parent-self";
      if ((self || missing) && node.parent_id != -1 && requested(code)) {
        report(code, path + ".parentId",
               say(missing ? "missing parent " : "parent ", node.parent_id, " changed to -1 (none)"));
        node.parent_id = -1;
      }
      if (node.name.view().empty() && requested("mdx.node-name-empty")) {
        node.name.assign(say("Object_", node.object_id));
        report("mdx.node-name-empty", path + ".name",
               say("empty name changed to \"", node.name.view(), "\""));
      }
    });
  }

  /// Pivots of ids beyond the number of objects stay: ids with gaps need them.
  void pivots() {
    if (!requested("mdx.pivot-count")) {
      return;
    }
    const auto ids = node_ids();
    const std::size_t count = ids.size();
    auto* pivots = document_.find<Pivots>();
    if (pivots == nullptr) {
      if (count > 0) {
        Pivots added;
        added.points.resize(count, Vec3{});
        insert_chunk(document_, FourCC{"PIVT"}, std::move(added));
        report("mdx.pivot-count", "PIVT", say(counted_noun(count, "pivot"), " at 0, 0, 0 added"));
      }
      return;
    }
    const std::size_t before = pivots->points.size();
    const bool needed = std::any_of(ids.begin(), ids.end(), [&](std::int32_t id) {
      return id >= 0 && static_cast<std::size_t>(id) >= count && static_cast<std::size_t>(id) < before;
    });
    if (before != count && !needed) {
      report("mdx.pivot-count", "PIVT", say("number of pivots changed from ", before, " to ", count));
      pivots->points.resize(count, Vec3{});
    }
  }

  void sequence_names() {
    for_each<Sequences>([&](Sequence& sequence, const std::string& path) {
      if (sequence.name.view().empty() && requested("mdx.sequence-name-empty")) {
        sequence.name.assign(say("Sequence ", sequence.start));
        report("mdx.sequence-name-empty", path + ".name",
               say("empty name changed to \"", sequence.name.view(), "\""));
      }
    });
  }

  /// Before keys that no sequence reaches go. Scripts know sequences by number, which stays; the order of
  /// their starts does not, so that this is not for everybody.
  void sequences_over_each_other() {
    constexpr std::array<std::string_view, 2> kCodes = {"mdx.sequence-same-start", "mdx.sequence-overlap"};
    if (!options_.add_missing || document_.version() != 800 || !is_sound() ||
        !std::any_of(kCodes.begin(), kCodes.end(), [&](std::string_view code) { return requested(code); })) {
      return;
    }
    for (const std::size_t index : separate_sequences(document_)) {
      report(requested(kCodes[1]) ? kCodes[1] : kCodes[0], at("SEQS", index),
             "sequence moved after all others, with its keys");
    }
  }

  template <class Item>
  void track_lists(Item& item, const std::string& path) {
    if constexpr (requires { item.node; }) {
      if (is_whole(item.node)) {
        track_list(item.node.tracks, path + ".node.tracks");
      }
    }
    if constexpr (requires { item.tracks; }) {
      track_list(item.tracks, path + ".tracks");
    }
  }

  void tracks() {
    lines_ = TimeLines(document_);
    const auto fix = [this](auto& item, const std::string& path) { track_lists(item, path); };
    for_each<Materials>([&](Material& material, const std::string& path) {
      for (std::size_t i = 0; i < material.layers.size(); ++i) {
        auto& layer = material.layers[i];
        for (std::size_t k = 0; is_whole(layer) && k < layer.slots.size(); ++k) {
          if (layer.slots[k].flipbook) {
            one_track(*layer.slots[k].flipbook, say(path, ".layers[", i, "].slots[", k, "].textureIds"));
          }
        }
        if (is_whole(layer)) {
          track_lists(layer, say(path, ".layers[", i, "]"));
        }
      }
    });
    for_each<TextureAnimations>(fix);
    for_each<GeosetAnimations>(fix);
    for_each<Bones>(fix);
    for_each<Lights>(fix);
    for_each<Helpers>(fix);
    for_each<Attachments>(fix);
    for_each<ParticleEmitters>(fix);
    for_each<ParticleEmitters2>(fix);
    for_each<PopcornEmitters>(fix);
    for_each<RibbonEmitters>(fix);
    for_each<EventObjects>(fix);
    for_each<CollisionShapes>(fix);
    for_each<SoundEmitters>(fix);
    for_each<Cameras>(fix);
  }

  void track_list(Tracks& list, const std::string& path) {
    for (auto& track : list) {
      one_track(track, say(path, "[", track.tag.text(), "]"));
    }
  }

  void one_track(Track& track, const std::string& path) {
    loop(track.global_sequence, "mdx.track-global-sequence", path + ".globalSequenceId");
    const std::string_view step = is_visibility(track.tag)        ? "mdx.track-visibility-not-step"
                                  : track_type(track.tag).integer ? "mdx.track-integer-not-step"
                                                                  : "";
    if (!step.empty() && requested(step) && track.interpolation != Interpolation::none) {
      make_step(track);
      report(step, path + ".interpolation", "interpolation set to none");
    }
    if (requested("mdx.track-unsorted") && sort_keys(track)) {
      report("mdx.track-unsorted", path + ".keys", "keys sorted");
    }
    if (const std::size_t removed = requested("mdx.track-duplicate") ? separate_keys(track) : 0;
        removed > 0) {
      report("mdx.track-duplicate", path + ".keys",
             say(counted_noun(removed, "duplicate key"), " moved or removed"));
    }
    if (const std::size_t changed = requested("mdx.track-rotation-length") ? normalize_keys(track) : 0;
        changed > 0) {
      report("mdx.track-rotation-length", path + ".keys",
             say(counted_noun(changed, "rotation"), " normalised"));
    }
    timing(track, path);
  }

  /// Once there is nothing else wrong with the keys.
  void timing(Track& track, const std::string& path) {
    const auto windows = lines_->of(track);
    const bool global = track.global_sequence != -1;
    const std::string_view outside = global ? "mdx.track-beyond-global" : "mdx.track-outside-sequences";
    if (windows.empty()) {
      return;
    }
    if (const std::size_t removed = requested(outside) ? drop_unreached_keys(track, windows) : 0;
        removed > 0) {
      report(outside, path + ".keys", say(counted_noun(removed, "unreachable key"), " removed"));
    }
    std::size_t opened = 0;
    for (const Window& window : windows) {
      opened += requested("mdx.track-opening") && add_opening_key(track, window, windows) ? 1U : 0U;
    }
    if (opened > 0) {
      report(
          "mdx.track-opening", path + ".keys",
          say("key added at the start of ", counted_noun(opened, global ? "global sequence" : "sequence")));
    }
  }

  /// An alpha that is always low is asked about, one that keys say is meant so: one key for each sequence.
  void faint_geosets() {
    constexpr std::string_view kCode = "mdx.geoset-animation-invisible";
    if (!options_.add_missing || !requested(kCode) || lines_->sequences.empty()) {
      return;
    }
    std::set<std::int64_t> starts;
    for (const Window& window : lines_->sequences) {
      starts.insert(window.start);
    }
    for_each<GeosetAnimations>([&](GeosetAnimation& animation, const std::string& path) {
      if (!is_faint(animation)) {
        return;
      }
      Track track;
      track.tag = FourCC{"KGAO"};
      track.interpolation = Interpolation::none;
      for (const std::int64_t start : starts) {
        track.words.push_back(static_cast<std::uint32_t>(start));
        track.words.push_back(same_bits<std::uint32_t>(animation.alpha));
      }
      animation.tracks.insert(animation.tracks.begin(), std::move(track));
      report(kCode, path + ".tracks",
             say("constant alpha ", animation.alpha, " replaced with one key per sequence"));
    });
  }

  /// A middle of life that is never reached, or was before birth: what is seen lies on one line between two
  /// segments.
  void middles() {
    for_each<ParticleEmitters2>([&](ParticleEmitter2& emitter, const std::string& path) {
      const bool early = emitter.middle < 0;
      const bool late = emitter.middle > 1;
      const auto still = [](const CellRun& run) { return run.end <= run.start; };
      const bool steady = early ? still(emitter.head_decay) && still(emitter.tail_decay)
                                : still(emitter.head_life) && still(emitter.tail_life);
      if (!requested("mdx.particle-middle") || !std::isfinite(emitter.middle) || !(early || late) ||
          !steady) {
        return;
      }
      const double share =
          early ? -double{emitter.middle} / (1 - double{emitter.middle}) : 1 / double{emitter.middle};
      const std::size_t from = early ? 1 : 0;
      const auto between = [&](double a, double b) { return a + (b - a) * share; };
      for (std::size_t i = 0; i < 3; ++i) {
        emitter.segment_colors[1].at(i) =
            static_cast<float>(between(double{emitter.segment_colors.at(from).at(i)},
                                       double{emitter.segment_colors.at(from + 1).at(i)}));
      }
      emitter.segment_alphas[1] = static_cast<std::uint8_t>(
          std::lround(between(emitter.segment_alphas.at(from), emitter.segment_alphas.at(from + 1))));
      emitter.segment_scales[1] = static_cast<float>(
          between(double{emitter.segment_scales.at(from)}, double{emitter.segment_scales.at(from + 1)}));
      report("mdx.particle-middle", path + ".time",
             say("middle of the life span changed from ", emitter.middle, " to ", early ? 0 : 1,
                 "; its colour, alpha and size recalculated"));
      emitter.middle = early ? 0.0F : 1.0F;
    });
  }

  void unused_items() {
    const auto drop = [&](std::string_view code, std::string path, std::string_view noun, auto remove) {
      if (const std::size_t removed = requested(code) ? remove(document_, Merging::none) : 0; removed > 0) {
        report(code, std::move(path), say(counted_noun(removed, noun), " removed"));
      }
    };
    drop("mdx.material-unused", "MTLS", "material", merge_materials);
    drop("mdx.texture-animation-unused", "TXAN", "texture animation", merge_texture_animations);
    drop("mdx.texture-unused", "TEXS", "texture", merge_textures);
    drop("mdx.global-sequence-unused", "GLBS", "global sequence",
         [](Document& document, Merging) { return drop_global_sequences(document); });
  }

  /// Ids of nodes at which another one hangs that stays.
  [[nodiscard]] std::set<std::int32_t> parents_without(const std::set<std::int32_t>& removed_ids) {
    std::set<std::int32_t> parents;
    for_each_node([&](Node& node, const std::string& /*path*/) {
      if (!removed_ids.contains(node.object_id)) {
        parents.insert(node.parent_id);
      }
    });
    return parents;
  }

  /// Events that never happen and emitters without a model go, and what only they hung at after them.
  void idle_nodes() {
    if (!has_unique_ids()) {
      return;
    }
    std::set<std::int32_t> removed_ids;
    std::set<std::int32_t> parents;
    const auto drop = [&](std::string_view code, const Node& node, const std::string& path) {
      if (requested(code) && !parents.contains(node.object_id) && removed_ids.insert(node.object_id).second) {
        report(code, path,
               say(code == "mdx.event-empty" ? "event \"" : "emitter \"", node.name.view(), "\" removed"));
      }
    };
    for (bool again = true; again;) {
      const std::size_t before = removed_ids.size();
      parents = parents_without(removed_ids);
      for_each<EventObjects>([&](EventObject& event, const std::string& path) {
        if (!event.track || event.track->frames.empty()) {
          drop("mdx.event-empty", event.node, path);
        }
      });
      for_each<ParticleEmitters>([&](ParticleEmitter& emitter, const std::string& path) {
        if (!names_what_it_throws(emitter)) {
          drop("mdx.particle-model-path", emitter.node, path);
        }
      });
      again = removed_ids.size() > before;
    }
    remove_nodes(document_, removed_ids);
  }

  /// Paths of attached models that are none.
  void attachment_paths() {
    for_each<Attachments>([&](Attachment& attachment, const std::string& path) {
      const std::string_view model = attachment.path.view();
      if (requested("mdx.attachment-path") && !model.empty() && !ends_with_any(model, {".mdl", ".mdx"})) {
        report("mdx.attachment-path", path + ".path", say("path \"", model, "\" cleared"));
        attachment.path.assign("");
      }
    });
  }

  /// Objects that share an id would be removed together.
  [[nodiscard]] bool has_unique_ids() {
    const auto ids = node_ids();
    return std::set<std::int32_t>(ids.begin(), ids.end()).size() == ids.size();
  }

  void idle_bones() {
    const bool removable = requested("mdx.bone-unused") && has_unique_ids();
    const std::size_t rounded = removable ? settle_idle_bones(document_) : 0;
    if (rounded > 0) {
      report("mdx.bone-unused", "BONE",
             say(counted_noun(rounded, "bone"), " removed or converted to helpers"));
    }
  }

  void origin() {
    const auto attachments = document_.all<Attachments>();
    const bool found = std::any_of(attachments.begin(), attachments.end(), [](const Attachment* attachment) {
      return ascii::begins_with(trimmed(attachment->node.name.view()), "origin ref");
    });
    Diagnostics discarded(0);
    EditLog log{{}, discarded};
    // Where ids have gaps, pivots would have them, too.
    const bool fits = has_counted_nodes(document_) || nodes_by_id(document_).empty();
    if (!found && fits && requested("mdx.attachment-no-origin") &&
        add_attachment(document_, "Origin Ref", log)) {
      report("mdx.attachment-no-origin", "ATCH", "attachment \"Origin Ref\" added");
    }
  }

  [[nodiscard]] std::optional<std::size_t> sequence_of(std::string_view word) {
    const auto sequences = document_.all<Sequences>();
    for (std::size_t i = 0; i < sequences.size(); ++i) {
      const auto words = sequence_words(sequences[i]->name.view());
      if (!words.empty() && words.front() == word) {
        return i;
      }
    }
    return std::nullopt;
  }

  /// Portraits play Portrait only: with a Stand, the model would no longer be shown as one.
  [[nodiscard]] bool is_portrait() {
    const auto* info = document_.find<mdx::Model>();
    const auto sequences = document_.all<Sequences>();
    return std::all_of(sequences.begin(), sequences.end(),
                       [](const auto* sequence) {
                         const auto words = sequence_words(sequence->name.view());
                         return !words.empty() && words.front() == "portrait";
                       }) ||
           (info != nullptr && ascii::lowered(info->name.view()).ends_with("portrait"));
  }

  /// Still ones are no more than what a checker asks for.
  void missing_sequences() {
    if (!options_.add_missing || document_.all<Sequences>().empty() || is_portrait()) {
      return;
    }
    const auto add = [&](std::string_view code, std::string_view word, std::string_view name,
                         std::uint32_t flags) {
      if (requested(code) && !sequence_of(word)) {
        add_still_sequence(document_, name, sequence_of("stand").value_or(0), flags);
        report(code, "SEQS", say("sequence \"", name, "\" added, without motion"));
      }
    };
    add("mdx.sequence-missing-stand", "stand", "Stand", 0);
    add("mdx.sequence-missing-death", "death", "Death", Sequence::kNonLooping);
  }

  /// Scripts count sequences, so that this is not for everybody.
  void order_of_sequences() {
    auto* list = document_.find<Sequences>();
    const auto earlier = [](const Sequence& a, const Sequence& b) { return a.start < b.start; };
    if (!options_.add_missing || !requested("mdx.sequence-unsorted") || list == nullptr ||
        std::is_sorted(list->items.begin(), list->items.end(), earlier)) {
      return;
    }
    std::vector<std::size_t> order(list->items.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return std::pair(list->items[a].start, a) < std::pair(list->items[b].start, b);
    });
    const auto sort = [&](auto& items) {
      const auto before = items;
      for (std::size_t i = 0; i < order.size() && items.size() == order.size(); ++i) {
        items[i] = before[order[i]];
      }
    };
    sort(list->items);
    for_each<Geosets>([&](Geoset& geoset, const std::string& /*path*/) { sort(geoset.sequence_extents); });
    report("mdx.sequence-unsorted", "SEQS", "sequences sorted by start frame");
  }

  /// The game plays such a track with the sequences.
  void loop(std::int32_t& id, std::string_view code, const std::string& path) {
    clear_reference(code, id, lines_->globals.size(), path);
  }

  static void make_step(Track& track) {
    const std::size_t stride = track.stride();
    const std::size_t width = 1 + track.components();
    Array<std::uint32_t> words;
    for (std::size_t key = 0; key < track.size(); ++key) {
      const auto from = track.words.begin() + static_cast<std::ptrdiff_t>(key * stride);
      words.insert(words.end(), from, from + static_cast<std::ptrdiff_t>(width));
    }
    track.words = std::move(words);
    track.interpolation = Interpolation::none;
  }

  /// Gives the track these keys, in this order.
  static void choose_keys(Track& track, const std::vector<std::size_t>& keys) {
    const auto stride = static_cast<std::ptrdiff_t>(track.stride());
    Array<std::uint32_t> words;
    for (const auto key : keys) {
      const auto from = track.words.begin() + static_cast<std::ptrdiff_t>(key) * stride;
      words.insert(words.end(), from, from + stride);
    }
    track.words = std::move(words);
  }

  static bool sort_keys(Track& track) {
    std::vector<std::size_t> keys(track.size());
    std::iota(keys.begin(), keys.end(), std::size_t{0});
    const auto earlier = [&](std::size_t a, std::size_t b) {
      return std::pair(track.frame(a), a) < std::pair(track.frame(b), b);
    };
    if (std::is_sorted(keys.begin(), keys.end(), earlier)) {
      return false;
    }
    std::sort(keys.begin(), keys.end(), earlier);
    choose_keys(track, keys);
    return true;
  }

  /// Of several keys at one frame, the last one counts from there on and the first one up to there. The first
  /// moves one frame ahead if that is free and the values differ: the jump stays. The rest goes.
  static std::size_t separate_keys(Track& track) {
    std::vector<std::size_t> keys;
    std::size_t changed = 0;
    for (std::size_t first = 0; first < track.size();) {
      std::size_t last = first;
      while (last + 1 < track.size() && track.frame(last + 1) == track.frame(first)) {
        ++last;
      }
      changed += last - first;
      const std::int64_t before = std::int64_t{track.frame(first)} - 1;
      const bool is_free = !keys.empty() && track.frame(keys.back()) < before;
      if (last > first && is_free && !same_value(track, first, last)) {
        track.words[first * track.stride()] = static_cast<std::uint32_t>(before);
        keys.push_back(first);
      }
      keys.push_back(last);
      first = last + 1;
    }
    if (changed > 0) {
      choose_keys(track, keys);
    }
    return changed;
  }

  static std::size_t normalize_keys(Track& track) {
    std::size_t changed = 0;
    for (std::size_t key = 0; key < track.size() && is_rotation(track.tag); ++key) {
      const Vec4 value = track.value(key);
      if (is_off_unit(value)) {
        for (std::size_t i = 0; i < value.size(); ++i) {
          track.words[key * track.stride() + 1 + i] =
              same_bits<std::uint32_t>(value.at(i) / length_of(value));
        }
        ++changed;
      }
    }
    return changed;
  }

  void events() {
    for_each<EventObjects>([&](EventObject& event, const std::string& path) {
      if (!event.track) {
        return;
      }
      loop(event.track->global_sequence, "mdx.event-global-sequence", path + ".track.globalSequenceId");
      auto& frames = event.track->frames;
      if (requested("mdx.event-unsorted") && !std::is_sorted(frames.begin(), frames.end())) {
        std::sort(frames.begin(), frames.end());
        report("mdx.event-unsorted", path + ".track.frames", "frames sorted");
      }
      if (requested("mdx.event-duplicate") &&
          std::adjacent_find(frames.begin(), frames.end()) != frames.end()) {
        frames.erase(std::unique(frames.begin(), frames.end()), frames.end());
        report("mdx.event-duplicate", path + ".track.frames", "duplicate frames removed");
      }
    });
  }

  Document& document_;
  const ValidateOptions& options_;
  const std::vector<std::string_view>& codes_;
  std::optional<TimeLines> lines_;
  std::vector<AppliedFix> fixed_;
};

}  // namespace

std::vector<AppliedFix> fix(mdx::Document& document, const ValidateOptions& options,
                            const std::vector<std::string_view>& codes, Diagnostics& findings) {
  Document before = document;
  auto fixed = Fixer(document, options, codes).run();
  // After a fix, preserved bytes of a damaged chunk may be read as objects, and shapes of unusual sizes as
  // others.
  if (!fixed.empty() && !mdx::write_verified(document) && mdx::write_verified(before)) {
    document = std::move(before);
    fixed.clear();
    findings.add(
        codes::kFixDamaged,
        "the model stays as it is: after the fixes its damaged parts would be read as something else");
  }
  return fixed;
}

}  // namespace thaw
