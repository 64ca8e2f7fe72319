// Another model as a part of this one.
#include "formats/warcraft/mdx/edit/parts.hpp"
#include "formats/warcraft/mdx/edit/timeline.hpp"
#include "formats/warcraft/mdx/renumbering.hpp"

#include "bytes/escape.hpp"
#include "bytes/text.hpp"

#include <thaw/mdx.hpp>

#include <algorithm>
#include <cstring>

namespace thaw::mdx {
namespace {

class Attacher {
 public:
  Attacher(Document& document, Document part, EditLog& log)
      : document_(document), part_(std::move(part)), log_(log) {}

  Result<void> attach(std::int32_t node);

 private:
  void leave_out();
  void stand_still();
  Track still(const Track& track, const Window& shown);
  void add_textures();
  [[nodiscard]] Result<void> renumber(std::int32_t node);
  void add_nodes();
  void add_bind_poses(std::size_t nodes_before);
  template <class Body>
  void append(FourCC tag);

  Document& document_;
  Document part_;
  EditLog& log_;
  std::size_t moving_ = 0;
};

template <class Body>
void Attacher::append(FourCC tag) {
  const auto* theirs = part_.find<Body>();
  if (theirs == nullptr || theirs->items.empty()) {
    return;
  }
  if (document_.find<Body>() == nullptr) {
    insert_chunk(document_, tag, Body{});
  }
  auto& items = document_.find<Body>()->items;
  for (const auto* item : part_.all<Body>()) {
    items.push_back(*item);
  }
}

/// What belongs to a model that stands by itself.
void Attacher::leave_out() {
  Diagnostics discarded(0);
  EditLog log{{}, discarded};
  for (const std::string_view what : {"camera", "event", "collision", "attachment:Origin Ref*"}) {
    static_cast<void>(remove_things(part_, what, log));  // nothing hangs at them that could forbid it
  }
}

/// In every sequence of this model a track shows what it shows where the other one's Stand begins.
Track Attacher::still(const Track& track, const Window& shown) {
  const TrackSampler sampler(track);
  const auto first = sampler.at(shown, static_cast<double>(shown.start));
  const auto middle = sampler.at(shown, static_cast<double>(shown.start + shown.end) / 2);
  moving_ += first != middle ? 1U : 0U;
  const Vec4 value = first.value_or(scene::narrow(track_default(track.tag)));
  Track result;
  result.tag = track.tag;
  std::set<std::uint32_t> starts;
  for (const auto* sequence : document_.all<Sequences>()) {
    starts.insert(sequence->start);
  }
  if (starts.empty()) {
    starts.insert(0);
  }
  for (const std::uint32_t start : starts) {
    result.words.push_back(start);
    for (unsigned i = 0; i < track.components(); ++i) {
      auto word = static_cast<std::uint32_t>(std::lround(value.at(i)));
      if (!track_type(track.tag).integer) {
        std::memcpy(&word, &value.at(i), sizeof(word));
      }
      result.words.push_back(word);
    }
  }
  return result;
}

void Attacher::stand_still() {
  const auto sequences = part_.all<Sequences>();
  const auto stand = std::find_if(sequences.begin(), sequences.end(), [](const Sequence* sequence) {
    return ascii::begins_with(sequence->name.view(), "stand");
  });
  const auto* shown_there = stand != sequences.end() ? *stand
                            : sequences.empty()      ? nullptr
                                                     : sequences.front();
  edit_tracks(part_, [&](Track& track, const TrackFacts&) {
    if (track.global_sequence < 0 && track.components() > 0) {
      if (shown_there == nullptr) {
        return true;  // it never played
      }
      track = still(track, {static_cast<std::int32_t>(shown_there->start),
                            static_cast<std::int32_t>(shown_there->end), false});
    }
    return false;
  });
  if (moving_ > 0) {
    log_.findings.add(codes::kEditInexact, "the attached model stays in the first pose of its \"" +
                                               shown(shown_there->name.view()) +
                                               "\"; only its global sequences continue");
  }
}

/// Textures that the model has already are shared.
void Attacher::add_textures() {
  std::vector<std::int32_t> numbers;
  for (const auto* theirs : part_.all<Textures>()) {
    const auto textures = document_.all<Textures>();
    const auto same = std::find_if(textures.begin(), textures.end(),
                                   [&](const Texture* texture) { return *texture == *theirs; });
    numbers.push_back(static_cast<std::int32_t>(same - textures.begin()));
    if (same == textures.end()) {
      if (document_.find<Textures>() == nullptr) {
        insert_chunk(document_, FourCC{"TEXS"}, Textures{});
      }
      document_.find<Textures>()->items.push_back(*theirs);
    }
  }
  each_texture_id(part_, [&](std::int32_t& id, bool /*counts*/) {
    id =
        id >= 0 && static_cast<std::size_t>(id) < numbers.size() ? numbers[static_cast<std::size_t>(id)] : id;
  });
}

template <class T>
void shift(T& id, std::size_t by) {
  if (static_cast<std::int64_t>(id) >= 0) {
    id = static_cast<T>(id + static_cast<T>(by));
  }
}

/// Every number of the part, after what is here.
Result<void> Attacher::renumber(std::int32_t node) {
  const std::size_t ids = document_.find<Pivots>()->points.size();
  const std::size_t materials = document_.all<Materials>().size();
  const std::size_t animations = document_.all<TextureAnimations>().size();
  const std::size_t geosets = document_.all<Geosets>().size();
  const std::size_t geoset_animations = document_.all<GeosetAnimations>().size();
  const std::size_t globals = TimeLines(document_).globals.size();
  const std::size_t sequences = document_.all<Sequences>().size();
  const std::size_t attachments = document_.all<Attachments>().size();
  bool fits = true;
  const auto skin = [&](auto& entries) {
    for (auto& entry : entries) {
      for (std::size_t i = 0; i < kSkinBones; ++i) {
        using Id = std::remove_reference_t<decltype(entry.at(i))>;
        fits = fits && entry.at(i) + ids <= std::numeric_limits<Id>::max();
        entry.at(i) = static_cast<Id>(entry.at(i) + ids);
      }
    }
  };
  each_object(part_, [&](auto& item, const std::string&) {
    shift(item.node.object_id, ids);
    shift(item.node.parent_id, ids);
    item.node.parent_id = item.node.parent_id < 0 ? node : item.node.parent_id;
  });
  each_layer(part_, [&](Layer& layer) { shift(layer.texture_animation_id, animations); });
  for_each<Geosets>(part_, [&](Geoset& geoset, std::size_t) {
    shift(geoset.material_id, materials);
    for (auto& id : geoset.matrix_indices) {
      id += static_cast<std::uint32_t>(ids);
    }
    if (geoset.skin) {
      skin(*geoset.skin);
    }
    if (geoset.wide_skin) {
      skin(*geoset.wide_skin);
    }
    geoset.sequence_extents.assign(sequences, geoset.extent);
  });
  for_each<RibbonEmitters>(part_,
                           [&](RibbonEmitter& ribbon, std::size_t) { shift(ribbon.material_id, materials); });
  for_each<GeosetAnimations>(
      part_, [&](GeosetAnimation& animation, std::size_t) { shift(animation.geoset_id, geosets); });
  for_each<Bones>(part_, [&](Bone& bone, std::size_t) {
    shift(bone.geoset_id, geosets);
    shift(bone.geoset_animation_id, geoset_animations);
  });
  for_each<Attachments>(
      part_, [&](Attachment& attachment, std::size_t) { shift(attachment.attachment_id, attachments); });
  edit_tracks(part_, [&](Track& track, const TrackFacts&) {
    shift(track.global_sequence, globals);
    return false;
  });
  return fits ? Result<void>()
              : fail(codes::kEditRefused,
                     std::string("the models together have node ids above ") +
                         (document_.version() < 1400
                              ? "255, the last that weights before version 1400 can store; convert the model "
                                "with --format-version 1400 first"
                              : "65535, the last that weights can store"));
}

void Attacher::add_bind_poses(std::size_t nodes_before) {
  auto* bind = document_.find<BindPoses>();
  if (bind == nullptr || bind->poses.size() < nodes_before) {
    return;
  }
  const auto& points = part_.find<Pivots>()->points;
  const auto* theirs = part_.find<BindPoses>();
  for (std::size_t i = 0; i < points.size(); ++i) {
    const BindPose plain = {1, 0, 0, 0, 1, 0, 0, 0, 1, points[i][0], points[i][1], points[i][2]};
    const BindPose pose = theirs != nullptr && i < theirs->poses.size() ? theirs->poses[i] : plain;
    bind->poses.insert(bind->poses.begin() + static_cast<std::ptrdiff_t>(nodes_before + i), pose);
  }
}

void Attacher::add_nodes() {
  append<Materials>(FourCC{"MTLS"});
  append<TextureAnimations>(FourCC{"TXAN"});
  append<Geosets>(FourCC{"GEOS"});
  append<GeosetAnimations>(FourCC{"GEOA"});
  append<Bones>(FourCC{"BONE"});
  append<Lights>(FourCC{"LITE"});
  append<Helpers>(FourCC{"HELP"});
  append<Attachments>(FourCC{"ATCH"});
  append<ParticleEmitters>(FourCC{"PREM"});
  append<ParticleEmitters2>(FourCC{"PRE2"});
  append<PopcornEmitters>(FourCC{"CORN"});
  append<RibbonEmitters>(FourCC{"RIBB"});
  const std::size_t before = document_.find<Pivots>()->points.size();
  add_bind_poses(before);
  auto& points = document_.find<Pivots>()->points;
  const auto& theirs = part_.find<Pivots>()->points;
  points.insert(points.end(), theirs.begin(), theirs.end());
  if (const auto* loops = part_.find<GlobalSequences>()) {
    if (document_.find<GlobalSequences>() == nullptr) {
      insert_chunk(document_, FourCC{"GLBS"}, GlobalSequences{});
    }
    auto& durations = document_.find<GlobalSequences>()->durations;
    durations.insert(durations.end(), loops->durations.begin(), loops->durations.end());
  }
}

Result<void> Attacher::attach(std::int32_t node) {
  leave_out();
  if (!has_counted_nodes(document_) || !has_counted_nodes(part_)) {
    return fail(
        codes::kEditRefused,
        std::string(has_counted_nodes(document_) ? "the attached model" : "the model") +
            " has node ids that are not consecutive from 0 with a pivot each; `thaw validate` lists them");
  }
  stand_still();
  const Vec3& at = document_.find<Pivots>()->points[static_cast<std::size_t>(node)];
  Placement there;
  there.move = {double{at[0]}, double{at[1]}, double{at[2]}};
  EditLog moved{{}, log_.findings};
  place(part_, there, moved);
  add_textures();
  return renumber(node).map([&] {
    add_nodes();
    bones_first(document_);
  });
}

}  // namespace

Result<void> attach_model(Document& document, const Document& model, std::string_view node, EditLog& log) {
  const auto id = id_of_node(document, node);
  if (!id) {
    return fail(codes::kEditRefused, "the model has no node \"" + shown(node) + "\"; `thaw dump` lists all");
  }
  Document part = model;
  if (part.version() != document.version()) {
    auto converted = convert_version(model, document.version());
    if (!converted) {
      return tl::unexpected<Error>(std::move(converted.error()));
    }
    for (const Loss& loss : converted->losses) {
      log.findings.add(loss.code, loss.message, {}, loss.path);
    }
    part = std::move(converted->document);
  }
  const std::size_t geosets = part.all<Geosets>().size();
  return Attacher(document, std::move(part), log).attach(*id).map([&] {
    log.changes.push_back({"", std::to_string(geosets) + (geosets == 1 ? " geoset" : " geosets") +
                                   " attached to \"" + shown(node) + "\""});
  });
}

}  // namespace thaw::mdx
