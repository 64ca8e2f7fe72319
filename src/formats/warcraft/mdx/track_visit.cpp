#include "formats/warcraft/mdx/track_visit.hpp"

#include <algorithm>
#include <initializer_list>

namespace thaw::mdx {
namespace {

struct Rest {
  FourCC tag;
  Double4 value{};
};
using Rests = std::initializer_list<Rest>;

Double4 one(float value) { return {double{value}, 0, 0, 0}; }
Double4 whole(std::int64_t value) { return {static_cast<double>(value), 0, 0, 0}; }
Double4 rgb(const Vec3& color) { return {double{color[0]}, double{color[1]}, double{color[2]}, 0}; }
/// Keys of colours are B G R (mdx.md#colour-order).
Double4 bgr(const Vec3& color) { return {double{color[2]}, double{color[1]}, double{color[0]}, 0}; }

using Visit = std::function<bool(Track&, const TrackFacts&)>;

class TrackVisitor {
 public:
  explicit TrackVisitor(const Visit& visit) : visit_(visit) {}

  void operator()(Material& material);
  void operator()(TextureAnimation& animation) {
    object(animation.tracks,
           {{FourCC{"KTAT"}, {}}, {FourCC{"KTAR"}, {0, 0, 0, 1}}, {FourCC{"KTAS"}, {1, 1, 1, 0}}});
  }
  void operator()(GeosetAnimation& animation);
  void operator()(Bone& bone) { node(bone.node); }
  void operator()(Helper& helper) { node(helper.node); }
  void operator()(EventObject& event) { node(event.node); }
  void operator()(CollisionShape& shape) { node(shape.node); }
  void operator()(Light& light);
  void operator()(Attachment& attachment) {
    node(attachment.node);
    object(attachment.tracks, {{FourCC{"KATV"}, one(1)}});
  }
  void operator()(ParticleEmitter& emitter);
  void operator()(ParticleEmitter2& emitter);
  void operator()(RibbonEmitter& ribbon);
  void operator()(PopcornEmitter& emitter);
  void operator()(SoundEmitter& emitter) {
    node(emitter.node);
    object(emitter.tracks, {});
  }
  void operator()(Camera& camera) {
    object(camera.tracks, {{FourCC{"KCTR"}, {}}, {FourCC{"KTTR"}, {}}, {FourCC{"KCRL"}, {}}});
  }

 private:
  void node(Node& node);
  void list(Tracks& tracks, Rests rests, const Node* node, bool squirts);
  void object(Tracks& tracks, Rests rests, bool squirts = false);
  void slot(TextureSlot& slot);
  [[nodiscard]] bool visit(Track& track, Rests rests, const Node* node, bool fixed) const;

  const Visit& visit_;
  std::size_t owner_ = 0;
};

bool TrackVisitor::visit(Track& track, Rests rests, const Node* node, bool fixed) const {
  TrackFacts facts;
  facts.place = {owner_, track.tag};
  facts.node = node;
  facts.fixed = fixed;
  for (const auto& rest : rests) {
    if (rest.tag == track.tag) {
      facts.rest = rest.value;
    }
  }
  return visit_(track, facts);
}

void TrackVisitor::list(Tracks& tracks, Rests rests, const Node* node, bool squirts) {
  std::size_t retained = 0;
  std::size_t seen = 0;
  for (auto& track : tracks) {
    const auto same = [&](const Track& other) { return other.tag == track.tag; };
    // Of two tracks for one property the game may take either.
    const bool twice =
        std::count_if(tracks.begin() + static_cast<std::ptrdiff_t>(seen), tracks.end(), same) > 1 ||
        std::any_of(tracks.begin(), tracks.begin() + static_cast<std::ptrdiff_t>(retained), same);
    ++seen;
    if (!visit(track, rests, node, twice || (squirts && track.tag == FourCC{"KP2E"}))) {
      if (retained + 1 != seen) {
        tracks[retained] = std::move(track);
      }
      ++retained;
    }
  }
  tracks.resize(retained);
  ++owner_;
}

void TrackVisitor::object(Tracks& tracks, Rests rests, bool squirts) {
  list(tracks, rests, nullptr, squirts);
}

void TrackVisitor::node(Node& node) {
  list(node.tracks, {{FourCC{"KGTR"}, {}}, {FourCC{"KGRT"}, {0, 0, 0, 1}}, {FourCC{"KGSC"}, {1, 1, 1, 0}}},
       &node, false);
}

void TrackVisitor::slot(TextureSlot& slot) {
  if (slot.flipbook && visit(*slot.flipbook, {{FourCC{"KMTF"}, whole(slot.texture_id)}}, nullptr, false)) {
    slot.flipbook.reset();
  }
  ++owner_;
}

void TrackVisitor::operator()(Material& material) {
  for (auto& layer : material.layers) {
    for (auto& texture : layer.slots) {
      slot(texture);
    }
    object(layer.tracks, {{FourCC{"KMTF"}, whole(layer.texture_id)},
                          {FourCC{"KMTA"}, one(layer.alpha)},
                          {FourCC{"KMTE"}, one(layer.emissive_gain)},
                          {FourCC{"KFC3"}, rgb(layer.fresnel_color)},
                          {FourCC{"KFCA"}, one(layer.fresnel_opacity)},
                          {FourCC{"KFTC"}, one(layer.fresnel_team_color)}});
  }
}

void TrackVisitor::operator()(GeosetAnimation& animation) {
  if ((animation.flags & GeosetAnimation::kUseColor) != 0) {
    object(animation.tracks,
           {{FourCC{"KGAO"}, one(animation.alpha)}, {FourCC{"KGAC"}, bgr(animation.color)}});
  } else {
    object(animation.tracks, {{FourCC{"KGAO"}, one(animation.alpha)}});
  }
}

void TrackVisitor::operator()(Light& light) {
  node(light.node);
  object(light.tracks, {{FourCC{"KLAS"}, one(light.attenuation_start)},
                        {FourCC{"KLAE"}, one(light.attenuation_end)},
                        {FourCC{"KLAC"}, bgr(light.color)},
                        {FourCC{"KLAI"}, one(light.intensity)},
                        {FourCC{"KLBC"}, bgr(light.ambient_color)},
                        {FourCC{"KLBI"}, one(light.ambient_intensity)},
                        {FourCC{"KLAV"}, one(1)},
                        {FourCC{"KLSS"}, one(light.shadow_casting_start)},
                        {FourCC{"KLSE"}, one(light.shadow_casting_end)},
                        {FourCC{"KLQF"}, one(light.quadratic_falloff)},
                        {FourCC{"KLLF"}, one(light.linear_falloff)},
                        {FourCC{"KLDA"}, one(light.damping)}});
}

void TrackVisitor::operator()(ParticleEmitter& emitter) {
  node(emitter.node);
  object(emitter.tracks, {{FourCC{"KPEE"}, one(emitter.emission_rate)},
                          {FourCC{"KPEG"}, one(emitter.gravity)},
                          {FourCC{"KPLN"}, one(emitter.longitude)},
                          {FourCC{"KPLT"}, one(emitter.latitude)},
                          {FourCC{"KPEL"}, one(emitter.life_span)},
                          {FourCC{"KPES"}, one(emitter.speed)},
                          {FourCC{"KPEV"}, one(1)}});
}

void TrackVisitor::operator()(ParticleEmitter2& emitter) {
  node(emitter.node);
  object(emitter.tracks,
         {{FourCC{"KP2S"}, one(emitter.speed)},
          {FourCC{"KP2R"}, one(emitter.variation)},
          {FourCC{"KP2L"}, one(emitter.latitude)},
          {FourCC{"KP2G"}, one(emitter.gravity)},
          {FourCC{"KP2E"}, one(emitter.emission_rate)},
          {FourCC{"KP2N"}, one(emitter.length)},
          {FourCC{"KP2W"}, one(emitter.width)},
          {FourCC{"KP2V"}, one(1)}},
         emitter.squirt != 0);
}

void TrackVisitor::operator()(RibbonEmitter& ribbon) {
  node(ribbon.node);
  object(ribbon.tracks, {{FourCC{"KRHA"}, one(ribbon.height_above)},
                         {FourCC{"KRHB"}, one(ribbon.height_below)},
                         {FourCC{"KRAL"}, one(ribbon.alpha)},
                         {FourCC{"KRCO"}, bgr(ribbon.color)},
                         {FourCC{"KRTX"}, whole(ribbon.texture_slot)},
                         {FourCC{"KRVS"}, one(1)}});
}

void TrackVisitor::operator()(PopcornEmitter& emitter) {
  node(emitter.node);
  object(emitter.tracks, {{FourCC{"KPPA"}, one(emitter.alpha)},
                          {FourCC{"KPPC"}, rgb(emitter.color)},
                          {FourCC{"KPPE"}, one(emitter.emission_rate)},
                          {FourCC{"KPPL"}, one(emitter.life_span)},
                          {FourCC{"KPPS"}, one(emitter.speed)},
                          {FourCC{"KPPV"}, one(1)}});
}

}  // namespace

void edit_tracks(Document& document, const Visit& visit) {
  TrackVisitor visitor(visit);
  for (auto& chunk : document.chunks) {
    std::visit(
        [&](auto& body) {
          if constexpr (requires { visitor(body.items.front()); }) {
            for (auto& item : body.items) {
              visitor(item);
            }
          }
        },
        chunk.body);
  }
}

void visit_tracks(const Document& document,
                  const std::function<void(const Track&, const TrackFacts&)>& visit) {
  // Nothing is removed, so nothing is changed.
  auto& same = const_cast<Document&>(document);  // NOLINT(cppcoreguidelines-pro-type-const-cast)
  edit_tracks(same, [&](Track& track, const TrackFacts& facts) {
    visit(track, facts);
    return false;
  });
}

}  // namespace thaw::mdx
