// Tracks by themselves: where they may be, what they hold.
#include "formats/warcraft/mdx/rules/tracks.hpp"

#include "bytes/finite.hpp"
#include "formats/warcraft/mdx/convert/first_version.hpp"
#include "formats/warcraft/mdx/rules/table.hpp"

#include <algorithm>

namespace thaw::mdx::rules {
namespace {

std::string_view tags_of(TrackOwner owner) {
  switch (owner) {
    case TrackOwner::node:
      return "KGTR KGRT KGSC";
    case TrackOwner::layer:
      return "KMTF KMTA KMTE KFC3 KFCA KFTC";
    case TrackOwner::slot:
      return "KMTF";
    case TrackOwner::texture_animation:
      return "KTAT KTAR KTAS";
    case TrackOwner::geoset_animation:
      return "KGAO KGAC";
    case TrackOwner::light:
      return "KLAS KLAE KLAC KLAI KLBI KLBC KLAV KLSS KLSE KLQF KLLF KLDA";
    case TrackOwner::attachment:
      return "KATV";
    case TrackOwner::particle_emitter:
      return "KPEE KPEG KPLN KPLT KPEL KPES KPEV";
    case TrackOwner::particle_emitter2:
      return "KP2S KP2R KP2L KP2G KP2E KP2N KP2W KP2V";
    case TrackOwner::ribbon:
      return "KRHA KRHB KRAL KRCO KRTX KRVS";
    case TrackOwner::popcorn:
      return "KPPA KPPC KPPE KPPL KPPS KPPV";
    case TrackOwner::camera:
      return "KCTR KTTR KCRL KCVS IDUF ELAF PTSF";
    case TrackOwner::sound:
      return "KSEK";
  }
  return "";
}

void newer(const Model& model, Report& report) {
  const auto look = [&](FourCC tag, std::string_view what, const std::string& path) {
    if (const std::uint32_t first = first_version(tag); model.version < first) {
      report.add(path,
                 say(what, " ", tag.text(), " needs version ", first, "; this is version ", model.version));
    }
  };
  for (const auto& chunk : model.document.chunks) {
    look(chunk.tag, "the chunk", chunk.tag.text());
  }
  for (const auto& item : model.tracks) {
    if (item.owner != TrackOwner::popcorn) {  // the chunk's finding
      look(item.track->tag, "the track", model.path_of(item));
    }
  }
}

bool is_alpha(FourCC tag) { return tag == FourCC{"KGAO"} || tag == FourCC{"KMTA"} || tag == FourCC{"KRAL"}; }

constexpr std::array kTrackRules = {
    ModelRule("mdx.track-misplaced", {kError, kWarning, kError}, "track not allowed for its object",
              "Games and tools skip it or stop reading. Remove it.",
              each<kTrackItems>([](const TrackItem& item) {
                return tags_of(item.owner).find(item.track->tag.view()) == std::string_view::npos
                           ? say("objects of this kind have no track ", item.track->tag.text())
                           : "";
              })),
    ModelRule("mdx.version-newer-part", {kWarning, kWarning, kError}, "chunk or track of a later version",
              "Games of this version skip it or refuse the file. Convert to a later version, or remove it.",
              newer),
    ModelRule("mdx.track-tag-duplicate", {kWarning, kWarning, kError}, "duplicate track",
              "The result is undefined. Remove one of them.", each<kTrackItems>([](const TrackItem& item) {
                return item.occurrence > 0 ? say("the object has a second track ", item.track->tag.text())
                                           : "";
              })),
    ModelRule("mdx.track-variation", {kWarning, kInfo, kInfo}, "animated speed variation",
              "Magos' editor cannot read KP2R. Remove the track unless it is intended.",
              each<kTracks>([](const Track& track) {
                return track.tag == FourCC{"KP2R"}
                           ? "the speed variation is animated (KP2R), which Magos' editor cannot read"
                           : "";
              })),
    ModelRule("mdx.track-gravity", {kWarning, kInfo, kInfo}, "animated gravity",
              "Magos' editor cannot read KP2G. Remove the track unless it is intended.",
              each<kTracks>([](const Track& track) {
                return track.tag == FourCC{"KP2G"}
                           ? "gravity is animated (KP2G), which Magos' editor cannot read"
                           : "";
              })),
    ModelRule("mdx.track-visibility-not-step", {kWarning, kInfo, kInfo}, "interpolated visibility track",
              "The game treats it as stepped. Set the interpolation to none.", kFixable,
              each<kTracks, "interpolation">([](const Track& track) {
                return is_visibility(track.tag) && track.interpolation != Interpolation::none
                           ? "visibility is on or off and cannot be interpolated"
                           : "";
              })),
    ModelRule("mdx.track-integer-not-step", {kInfo, kInfo, kWarning}, "interpolated track of integers",
              "The game treats it as stepped. Set the interpolation to none.", kFixable,
              each<kTracks, "interpolation">([](const Track& track) {
                return track_type(track.tag).integer && track.interpolation != Interpolation::none
                           ? "texture and cell indices cannot be interpolated"
                           : "";
              })),
    ModelRule(
        "mdx.track-empty", always(kWarning), "track without keys",
        "The game then uses a default, often 0, instead of the static value. Remove the track.",
        each<kTracks>([](const Track& track) { return track.size() == 0 ? "the track has no keys" : ""; })),
    ModelRule("mdx.track-not-finite", always(kError), "NaN or infinity in a track", "Set finite numbers.",
              each<kTracks, "keys">([](const Track& track) {
                const unsigned parts = track.has_tangents() ? 3 : 1;
                return first_of(track_type(track.tag).integer ? 0 : track.size(), [&](std::size_t key) {
                  bool finite = true;
                  for (unsigned part = 0; part < parts; ++part) {
                    finite = finite && all_finite(track.value(key, part));
                  }
                  return !finite ? "a value of the key is NaN or infinite" : "";
                });
              })),
    ModelRule("mdx.track-rotation-length", {kWarning, kInfo, kWarning}, "rotations not of length 1",
              "Programs that do not normalise them scale the model. Normalise them.", kFixable,
              each<kTracks, "keys">([](const Track& track) {
                const auto wrong =
                    count_faults(is_rotation(track.tag) ? track.size() : 0,
                                 [&](std::size_t key) { return is_off_unit(track.value(key)); });
                return wrong.count > 0
                           ? Fault(say(wrong.count, " of ", counted_noun(track.size(), "rotation"),
                                       " not of length 1"))
                                 .at(wrong.first)
                           : "";
              })),
    ModelRule("mdx.track-rotation-zero", always(kWarning), "zero quaternion",
              "0, 0, 0, 0 is not a rotation. Use 0, 0, 0, 1 for no rotation.",
              each<kTracks, "keys">([](const Track& track) {
                return first_of(is_rotation(track.tag) ? track.size() : 0, [&](std::size_t key) {
                  return track.value(key) == Vec4{} ? "the quaternion is 0, 0, 0, 0" : "";
                });
              })),
    ModelRule("mdx.track-scale-zero", {kWarning, kInfo, kInfo}, "scale of zero",
              "Often used to hide objects, but lighting is then undefined. Use a visibility track instead.",
              each<kTracks, "keys">([](const Track& track) {
                return first_of(track.tag == FourCC{"KGSC"} ? track.size() : 0, [&](std::size_t key) {
                  const Vec4 value = track.value(key);
                  return value[0] == 0 || value[1] == 0 || value[2] == 0
                             ? "a scale of 0, with which lighting is undefined"
                             : "";
                });
              })),
    ModelRule("mdx.track-alpha", {kInfo, kInfo, kWarning}, "alpha key outside 0 to 1", "Use 0 to 1.",
              each<kTracks, "keys">([](const Track& track) {
                return first_of(is_alpha(track.tag) ? track.size() : 0, [&](std::size_t key) {
                  const float value = track.value(key)[0];
                  return value < 0 || value > 1 ? say("alpha ", value, " is outside 0 to 1") : "";
                });
              })),
    ModelRule("mdx.track-constant", {kUnused, kOff, kUnused}, "constant track",
              "Use a static value, or remove the track.", each<kTracks>([](const Track& track) {
                bool same = track.size() > 1;
                for (std::size_t key = 1; same && key < track.size(); ++key) {
                  same = same_value(track, key, 0);
                }
                return same && is_flat(track)
                           ? say("all ", counted_noun(track.size(), "key"), " have the same value")
                           : "";
              })),
};

}  // namespace

std::span<const ModelRule> track_rules() { return kTrackRules; }

}  // namespace thaw::mdx::rules
