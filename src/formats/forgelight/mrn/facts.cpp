#include "formats/forgelight/mrn/facts.hpp"

#include "bytes/number_text.hpp"
#include "bytes/text.hpp"
#include "bytes/text_encoding.hpp"
#include "formats/forgelight/mrn/links.hpp"
#include "scene/math.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace thaw {
namespace {

Facts::Clip clip_facts(const nsa::Document& animation, std::string name) {
  Facts::Clip clip;
  clip.name = std::move(name);
  clip.seconds = std::isfinite(animation.duration()) ? double{animation.duration()} : 0;
  clip.rate = animation.rate();
  clip.channels = animation.channels();
  return clip;
}

}  // namespace

namespace mrn {

namespace {

void add_texts(std::string_view kind, const StringTable& table, Facts& facts) {
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (std::string name = to_utf8(table.text(i)); !name.empty()) {
      facts.references.push_back({kind, std::move(name)});
    }
  }
}

/// Animations that the names say are of another format than NSA (nsa.md#other-formats-of-animations).
void add_other_types(const FileNames& names, Facts& facts) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kOthers = {
      std::pair("qsa", "QSA animation"), std::pair("dwa", "DWA animation"),
      std::pair("mba", "MBA animation")};
  for (const auto& [type, kind] : kOthers) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < names.types.size(); ++i) {
      count += names.types.text(i) == type ? 1U : 0U;
    }
    if (count > 0) {
      facts.counts.push_back({kind, count});
    }
  }
}

/// What the network requests, and what it was made of.
void add_names(const Document& document, Facts& facts) {
  for (const Plugins* plugins : document.all<Plugins>()) {
    add_texts("plugin", plugins->names, facts);
  }
  for (const FileNames* names : document.all<FileNames>()) {
    add_texts("file", names->files, facts);
    add_other_types(*names, facts);
    add_texts("source", names->sources, facts);
  }
  for (const EventTrack* track : document.all<EventTrack>()) {
    if (std::string name = to_utf8(track->text()); !name.empty()) {
      facts.references.push_back({"event track", std::move(name)});
    }
  }
}

}  // namespace

namespace {

/// The versions that animations state, and how many of their checksums are right.
void add_versions(const std::vector<Animation>& clips, Facts& facts) {
  std::set<std::uint32_t> versions;
  std::size_t count = 0;
  std::size_t right = 0;
  for (const Animation& clip : clips) {
    if (clip.document->layout == nsa::Layout::v26) {
      versions.insert(clip.document->header.version);
      ++count;
      right += nsa::stated_crc(*clip.document) == nsa::computed_crc(nsa::write(*clip.document)) ? 1U : 0U;
    }
  }
  for (const std::uint32_t version : versions) {
    facts.stated.push_back({"animation version", std::to_string(version)});
  }
  if (count > 0) {
    facts.stated.push_back({"checksums", std::to_string(right) + " of " + std::to_string(count) + " match"});
  }
}

}  // namespace

Facts facts_of(const Document& document) {
  Facts facts;
  const auto add = [&](std::string_view kind, std::size_t count) {
    if (count > 0) {
      facts.counts.push_back({kind, count});
    }
  };
  const auto bodies = skeletons(document);
  const auto clips = animations(document);
  add("packet", document.packets.size());
  add("skeleton", bodies.size());
  add("animation", clips.size());
  add("rig map", document.all<RigMap>().size());
  add("event track", document.all<EventTrack>().size());
  std::size_t nodes = 0;
  for (const Network* network : document.all<Network>()) {
    nodes += network->nodes.size();
  }
  add("network node", nodes);
  std::size_t events = 0;
  for (const EventTrack* track : document.all<EventTrack>()) {
    events += track->events.size();
  }
  add("event", events);
  std::size_t bones = 0;
  for (const auto& body : bodies) {
    bones += body.skeleton->bones();
  }
  add("bone", bones);
  add_names(document, facts);
  add_versions(clips, facts);
  for (const auto& [skeleton, name] : bodies) {
    facts.skeletons.push_back({name, skeleton->bones()});
  }
  const Links links(document);
  for (std::size_t i = 0; i < clips.size(); ++i) {
    facts.clips.push_back(clip_facts(*clips[i].document, clips[i].name));
    for (const EventTrack* track : links.events_of(i)) {
      facts.clips.back().events += track->events.size();
    }
  }
  return facts;
}

}  // namespace mrn

namespace nsa {
namespace {

std::size_t listed(const std::array<std::optional<ChannelList>, kKinds>& lists) {
  std::size_t count = 0;
  for (const auto& list : lists) {
    count += list ? list->channels.size() : 0;
  }
  return count;
}

double usable(float rate) { return std::isfinite(rate) && rate > 0 ? double{rate} : 0; }

/// That a second of what moves takes in the file.
std::size_t bytes_per_second(const Document& document) {
  double bytes = 0;
  for (const DynamicSet& set : document.moving) {
    if (set.segment) {
      const auto& counts = set.segment->counts;
      const bool scales = document.layout == Layout::v26;
      bytes += (4.0 * (static_cast<double>(counts[kTranslation]) +
                       (scales ? static_cast<double>(counts[kScale]) : 0)) +
                static_cast<double>(rotation_row(*set.segment))) *
               usable(document.rate());
    }
  }
  if (document.root) {
    bytes += ((document.root->translations.empty() ? 0 : 4) + (document.root->rotations.empty() ? 0 : 6)) *
             usable(document.root->rate);
  }
  constexpr double kMost = 1e15;
  return static_cast<std::size_t>(std::llround(std::min(bytes, kMost)));
}

std::string vector_text(const Vec3& at) {
  constexpr unsigned kDigits = 4;
  std::string text;
  for (const float number : at) {
    text += text.empty() ? "(" : ", ";
    append_rounded(text, number, kDigits);
  }
  return text + ')';
}

/// The room that the decoded samples take, and how far they turn.
void add_samples(const Clip& clip, Facts& facts) {
  const auto room = [&](std::string_view name, const std::vector<VectorTrack>& tracks) {
    Vec3 least{};
    Vec3 most{};
    for (const VectorTrack& track : tracks) {
      for (const Vec3& value : track.values) {
        const bool first = &track == &tracks.front() && &value == &track.values.front();
        for (std::size_t axis = 0; axis < 3; ++axis) {
          least[axis] = first ? value[axis] : std::min(least[axis], value[axis]);
          most[axis] = first ? value[axis] : std::max(most[axis], value[axis]);
        }
      }
    }
    if (!tracks.empty()) {
      facts.stated.push_back({name, counted(tracks.size(), "channel") + ", from " + vector_text(least) +
                                        " to " + vector_text(most)});
    }
  };
  room("translations", clip.translations);
  double widest = 0;
  for (const RotationTrack& track : clip.rotations) {
    for (const Vec4& value : track.values) {
      const Vec4& first = track.values.front();
      double product = 0;
      for (std::size_t i = 0; i < first.size(); ++i) {
        product += double{first[i]} * double{value[i]};
      }
      widest = std::max(widest, 1 - product * product);
    }
  }
  if (!clip.rotations.empty()) {
    std::string degrees;
    const double half = std::asin(std::sqrt(std::clamp(widest, 0.0, 1.0)));
    append_rounded(degrees, static_cast<float>(half * 360 / scene::kPi), 3);
    facts.stated.push_back({"rotations", counted(clip.rotations.size(), "channel") + ", up to " + degrees +
                                             "° from their first sample"});
  }
  room("scales", clip.scales);
}

}  // namespace

Facts facts_of(const Document& document) {
  Facts facts;
  facts.counts = {{"channel", document.channels()}, {"sample", document.samples()}};
  const auto add = [&](std::string_view kind, std::size_t count) {
    if (count > 0) {
      facts.counts.push_back({kind, count});
    }
  };
  add("static channel", listed(document.static_lists));
  std::size_t moving = 0;
  for (const DynamicSet& set : document.moving) {
    moving += listed(set.lists);
  }
  add("dynamic channel", moving);
  if (document.root) {
    add("root channel",
        (document.root->translations.empty() ? 0U : 1U) + (document.root->rotations.empty() ? 0U : 1U));
    add("root sample", document.root->samples);
  }
  add("byte per second", bytes_per_second(document));
  facts.clips.push_back(clip_facts(document, "Animation"));
  if (document.layout == Layout::v26) {
    const std::uint32_t stated = stated_crc(document);
    const std::uint32_t computed = computed_crc(write(document));
    facts.stated.push_back({"version", std::to_string(document.header.version)});
    facts.stated.push_back(
        {"checksum", hex_text(stated, 8) +
                         (stated == computed ? ", as computed" : ", computed is " + hex_text(computed, 8))});
  }
  add_samples(decode(document), facts);
  return facts;
}

}  // namespace nsa
}  // namespace thaw
