// Chunks that the others cannot do without, in both dialects: where a file ends too early between two chunks,
// this is all that gives it away. Geosets do without bones: models of published maps have none.
#pragma once

#include <thaw/bytes.hpp>

#include <algorithm>
#include <array>
#include <string>
#include <variant>
#include <vector>

namespace thaw::mdx {

struct MissingChunk {
  FourCC tag;
  FourCC needed_by;

  [[nodiscard]] std::string message() const {
    if (tag == FourCC{"VERS"}) {
      return "the file ends before its first chunk";
    }
    return "missing chunk " + tag.text() + ", which " + needed_by.text() + " refers to";
  }
};

template <class Document>
std::vector<MissingChunk> missing_chunks(const Document& document) {
  constexpr std::array kNodes = {FourCC{"BONE"}, FourCC{"HELP"}, FourCC{"LITE"}, FourCC{"ATCH"},
                                 FourCC{"PREM"}, FourCC{"PRE2"}, FourCC{"RIBB"}, FourCC{"EVTS"},
                                 FourCC{"HTST"}, FourCC{"CORN"}};
  const auto has = [&](FourCC tag) {
    return std::any_of(document.chunks.begin(), document.chunks.end(),
                       [&](const auto& chunk) { return chunk.tag == tag; });
  };
  const auto holds_objects = [&](FourCC tag) {
    return std::any_of(document.chunks.begin(), document.chunks.end(), [&](const auto& chunk) {
      return chunk.tag == tag &&
             std::visit(
                 [](const auto& body) {
                   if constexpr (requires { body.items.front().layers; }) {
                     return std::any_of(body.items.begin(), body.items.end(),
                                        [](const auto& material) { return !material.layers.empty(); });
                   } else if constexpr (requires { body.items; }) {
                     return !body.items.empty();
                   } else {
                     return false;
                   }
                 },
                 chunk.body);
    });
  };
  std::vector<MissingChunk> missing;
  const auto need = [&](FourCC tag, FourCC needed_by) {
    if (holds_objects(needed_by) && !has(tag)) {
      missing.push_back({tag, needed_by});
    }
  };
  if (document.chunks.empty()) {
    missing.push_back({FourCC{"VERS"}, FourCC{"MDLX"}});
  }
  need(FourCC{"TEXS"}, FourCC{"MTLS"});
  need(FourCC{"MTLS"}, FourCC{"GEOS"});
  const auto* const node = std::find_if(kNodes.begin(), kNodes.end(), holds_objects);
  if (node != kNodes.end()) {
    need(FourCC{"PIVT"}, *node);
  }
  return missing;
}

}  // namespace thaw::mdx
