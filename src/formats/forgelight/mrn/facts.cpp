#include "formats/forgelight/mrn/facts.hpp"

#include "bytes/hex.hpp"
#include "bytes/text.hpp"
#include "formats/forgelight/mrn/links.hpp"

#include <algorithm>
#include <cmath>

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

/// What the network asks for, and what it was made of.
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
  return facts;
}

}  // namespace nsa
}  // namespace thaw
