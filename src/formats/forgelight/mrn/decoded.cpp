#include <thaw/mrn.hpp>
#include <thaw/nsa.hpp>

#include "bytes/text_encoding.hpp"
#include "describe/inspection.hpp"

namespace thaw {
namespace {

struct Nothing {};
using Show = InspectionVisitor<Nothing>;

void show_text(Show& show, const char* name, std::string_view text) {
  Leaf leaf;
  leaf.name = name;
  leaf.role = LeafRole::text;
  leaf.size = text.size();
  leaf.data = text.data();
  show.inspector().leaf(leaf);
}

template <class Track>
void show_tracks(Show& show, const char* name, const std::vector<Track>& tracks) {
  show.list_of(name, tracks, [&](const Track& track) {
    show.field("channel", track.channel);
    show.bulk("values", track.values, track.values.size());
  });
}

void show_animation(Show& show, const nsa::Document& document, Diagnostics& findings) {
  if (document.layout == nsa::Layout::v26) {  // the other header has neither
    show.field("version", document.header.version);
    show_text(show, "checksum", hex_text(nsa::stated_crc(document), 8));
    show_text(show, "computedChecksum", hex_text(nsa::computed_crc(nsa::write(document)), 8));
  }
  const nsa::Clip clip = nsa::decode(document, findings);
  show.field("duration", clip.duration);
  show.field("rate", clip.rate);
  show.field("channels", clip.channels);
  show.field("samples", clip.samples);
  show_tracks(show, "translations", clip.translations);
  show_tracks(show, "rotations", clip.rotations);
  show_tracks(show, "scales", clip.scales);
  if (clip.root) {
    show.group("root", [&] {
      show.field("rate", clip.root->rate);
      show.bulk("translations", clip.root->translations, clip.root->translations.size());
      show.bulk("rotations", clip.root->rotations, clip.root->rotations.size());
    });
  }
}

}  // namespace

bool mrn::inspect_decoded(const AnyDocument& document, Inspector& inspector, Diagnostics& diagnostics) {
  Show show(inspector, {});
  if (const auto* animation = document.get_if<nsa::Document>()) {
    show_animation(show, *animation, diagnostics);
    return true;
  }
  const auto* network = document.get_if<Document>();
  if (network != nullptr) {
    show.list_of("animations", animations(*network), [&](const Animation& animation) {
      show_text(show, "name", animation.name);
      show_animation(show, *animation.document, diagnostics);
    });
  }
  return network != nullptr;
}

}  // namespace thaw
