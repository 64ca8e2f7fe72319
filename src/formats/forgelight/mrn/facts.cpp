#include "formats/forgelight/mrn/facts.hpp"

#include "formats/forgelight/mrn/links.hpp"

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

Facts facts_of(const Document& document) {
  Facts facts;
  facts.counts = {{"channel", document.channels()}, {"sample", document.samples()}};
  facts.clips.push_back(clip_facts(document, "Animation"));
  return facts;
}

}  // namespace nsa
}  // namespace thaw
