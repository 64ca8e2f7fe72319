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

void misplaced(const Model& model, Report& report) {
  for (const auto& item : model.tracks) {
    if (tags_of(item.owner).find(item.track->tag.view()) == std::string_view::npos) {
      report.add(model.path_of(item), say("objects of this kind have no track ", item.track->tag.text()));
    }
  }
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

void tag_duplicate(const Model& model, Report& report) {
  for (const auto& item : model.tracks) {
    if (item.occurrence > 0) {
      report.add(model.path_of(item), say("the object has a second track ", item.track->tag.text()));
    }
  }
}

/// Reports every track with this tag.
void by_tag(const Model& model, Report& report, FourCC tag, std::string_view message) {
  for (const auto& item : model.tracks) {
    if (item.track->tag == tag) {
      report.add(model.path_of(item), std::string(message));
    }
  }
}

void variation(const Model& model, Report& report) {
  by_tag(model, report, FourCC{"KP2R"}, "the speed variation is animated");
}
void gravity(const Model& model, Report& report) {
  by_tag(model, report, FourCC{"KP2G"}, "gravity is animated");
}

void visibility_not_step(const Model& model, Report& report) {
  for (const auto& item : model.tracks) {
    if (is_visibility(item.track->tag) && item.track->interpolation != Interpolation::none) {
      report.add(model.path_of(item) + ".interpolation",
                 "visibility is on or off and cannot be interpolated");
    }
  }
}

void integer_not_step(const Model& model, Report& report) {
  for (const auto& item : model.tracks) {
    if (track_type(item.track->tag).integer && item.track->interpolation != Interpolation::none) {
      report.add(model.path_of(item) + ".interpolation", "texture and cell indices cannot be interpolated");
    }
  }
}

void track_empty(const Model& model, Report& report) {
  for (const auto& item : model.tracks) {
    if (item.track->size() == 0) {
      report.add(model.path_of(item), "the track has no keys");
    }
  }
}

void key_not_finite(const Model& model, Report& report) {
  for (const auto& item : model.tracks) {
    const Track& track = *item.track;
    const unsigned parts = track.has_tangents() ? 3 : 1;
    for (std::size_t key = 0; key < track.size() && !track_type(track.tag).integer; ++key) {
      bool finite = true;
      for (unsigned part = 0; part < parts; ++part) {
        finite = finite && all_finite(track.value(key, part));
      }
      if (!finite) {
        report.add(at(model.path_of(item) + ".keys", key), "a value is NaN or infinite");
        break;
      }
    }
  }
}

void rotation_length(const Model& model, Report& report) {
  for (const auto& item : model.tracks) {
    std::size_t wrong = 0;
    std::size_t first = 0;
    for (std::size_t key = 0; key < item.track->size() && is_rotation(item.track->tag); ++key) {
      if (is_off_unit(item.track->value(key))) {
        first = wrong++ == 0 ? key : first;
      }
    }
    if (wrong > 0) {
      report.add(at(model.path_of(item) + ".keys", first),
                 say(wrong, " of ", counted_noun(item.track->size(), "rotation"), " not of length 1"));
    }
  }
}

void rotation_zero(const Model& model, Report& report) {
  for (const auto& item : model.tracks) {
    for (std::size_t key = 0; key < item.track->size() && is_rotation(item.track->tag); ++key) {
      if (item.track->value(key) == Vec4{}) {
        report.add(at(model.path_of(item) + ".keys", key), "the quaternion is 0, 0, 0, 0");
        break;
      }
    }
  }
}

void scale_zero(const Model& model, Report& report) {
  for (const auto& item : model.tracks) {
    for (std::size_t key = 0; key < item.track->size() && item.track->tag == FourCC{"KGSC"}; ++key) {
      const Vec4 value = item.track->value(key);
      if (value[0] == 0 || value[1] == 0 || value[2] == 0) {
        report.add(at(model.path_of(item) + ".keys", key), "a scale of 0");
        break;
      }
    }
  }
}

bool is_alpha(FourCC tag) { return tag == FourCC{"KGAO"} || tag == FourCC{"KMTA"} || tag == FourCC{"KRAL"}; }

void key_alpha_range(const Model& model, Report& report) {
  for (const auto& item : model.tracks) {
    for (std::size_t key = 0; key < item.track->size() && is_alpha(item.track->tag); ++key) {
      if (const float value = item.track->value(key)[0]; value < 0 || value > 1) {
        report.add(at(model.path_of(item) + ".keys", key), say("alpha is ", value));
        break;
      }
    }
  }
}

void constant(const Model& model, Report& report) {
  for (const auto& item : model.tracks) {
    const Track& track = *item.track;
    bool same = track.size() > 1;
    for (std::size_t key = 1; same && key < track.size(); ++key) {
      same = same_value(track, key, 0);
    }
    if (same && is_flat(track)) {
      report.add(model.path_of(item), say("all ", counted_noun(track.size(), "key"), " have the same value"));
    }
  }
}

constexpr std::array kTrackRules = {
    ModelRule{{"mdx.track-misplaced",
               {kError, kWarning, kError},
               "track not allowed for its object",
               "Games and tools skip it or stop reading."},
              misplaced},
    ModelRule{{"mdx.version-newer-part",
               {kWarning, kWarning, kError},
               "chunk or track of a later version",
               "Games of this version skip it or refuse the file. Convert to a later version, or remove it."},
              newer},
    ModelRule{{"mdx.track-tag-duplicate",
               {kWarning, kWarning, kError},
               "duplicate track",
               "The result is undefined."},
              tag_duplicate},
    ModelRule{{"mdx.track-variation",
               {kWarning, kInfo, kInfo},
               "animated speed variation",
               "Magos' editor cannot read KP2R; it is rarely intended."},
              variation},
    ModelRule{{"mdx.track-gravity",
               {kWarning, kInfo, kInfo},
               "animated gravity",
               "Magos' editor cannot read KP2G; it is rarely intended."},
              gravity},
    ModelRule{{"mdx.track-visibility-not-step",
               {kWarning, kInfo, kInfo},
               "interpolated visibility track",
               "The game treats it as stepped.",
               true},
              visibility_not_step},
    ModelRule{{"mdx.track-integer-not-step",
               {kInfo, kInfo, kWarning},
               "interpolated track of integers",
               "The game treats it as stepped.",
               true},
              integer_not_step},
    ModelRule{{"mdx.track-empty",
               {kWarning, kWarning, kWarning},
               "track without keys",
               "The game then uses a default, often 0, instead of the static value. Remove the track."},
              track_empty},
    ModelRule{
        {"mdx.track-not-finite", {kError, kError, kError}, "NaN or infinity in a track", "Set a number."},
        key_not_finite},
    ModelRule{{"mdx.track-rotation-length",
               {kWarning, kInfo, kWarning},
               "rotations not of length 1",
               "Programs that do not normalise them scale the model.",
               true},
              rotation_length},
    ModelRule{{"mdx.track-rotation-zero",
               {kWarning, kWarning, kWarning},
               "zero quaternion",
               "0, 0, 0, 0 is not a rotation. Use 0, 0, 0, 1 for no rotation."},
              rotation_zero},
    ModelRule{{"mdx.track-scale-zero",
               {kWarning, kInfo, kInfo},
               "scale of zero",
               "Often used to hide objects, but lighting is then undefined. Use a visibility track instead."},
              scale_zero},
    ModelRule{{"mdx.track-alpha", {kInfo, kInfo, kWarning}, "alpha key outside 0 to 1", "Use 0 to 1."},
              key_alpha_range},
    ModelRule{{"mdx.track-constant",
               {kUnused, kOff, kUnused},
               "constant track",
               "Use a static value, or remove the track."},
              constant},
};

}  // namespace

std::span<const ModelRule> track_rules() { return kTrackRules; }

}  // namespace thaw::mdx::rules
