#include <thaw/lit.hpp>

#include "describe/description.hpp"
#include "formats/list.hpp"
#include "formats/wow/lit/rules.hpp"

namespace thaw::lit {
namespace {

void report(ByteView bytes, Identity& identity) {
  // The highest bit is a mark of its own.
  constexpr std::uint32_t kVersionBits = 0x7FFFFFFF;
  identity.version = load_plain<std::uint32_t>(bytes.data()) & kVersionBits;
}

Facts facts_of(const Document& document) {
  std::size_t markers = 0;
  for (const auto& values : document.values) {
    for (std::size_t track = 0; track < values.tracks.size(); ++track) {
      markers += values.markers(track);
    }
  }
  Facts facts;
  facts.counts = {
      {"light", document.lights.size()}, {"value set", document.values.size()}, {"marker", markers}};
  for (const auto& light : document.lights) {
    if (light.is_default()) {
      facts.name = to_utf8(light.name.view());
    }
  }
  return facts;
}

/// Rules of lights look at the bare document.
constexpr RuleBook kBook = {[](std::vector<RuleInfo>& infos) { add_infos(rules(), infos); },
                            [](const AnyDocument& any, const ValidateOptions& options) {
                              Report report(options);
                              run_rules(rules(), *any.get_if<Document>(), options.target, report);
                              return finish_report(report, inspection_of(any));
                            }};

}  // namespace

const FormatDescriptor kFormat = {
    .id = "lit",
    .name = "World of Warcraft lights (LIT)",
    .extensions = ".lit",
    .explanation = "this is a World of Warcraft lights and fog file (lights.lit)",
    .strongest = Evidence::layout,
    .recognise = [](ByteView bytes) { return if_found(is_lit(bytes), Evidence::layout); },
    .report = report,
    .document = document_operations<Document, read>(),
    .facts = facts_of_any<Document, facts_of>,
    .rules = &kBook,
};

}  // namespace thaw::lit
