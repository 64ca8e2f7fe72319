// Names of files in the text of an actor (adr.md#structure).
#include "formats/forgelight/adr/edit.hpp"

#include <thaw/adr.hpp>

#include "bytes/text.hpp"
#include "formats/edit_steps.hpp"

#include <algorithm>

namespace thaw::adr {
namespace {

constexpr std::array<std::string_view, 3> kFileNames = {"fileName", "paletteName", "textureName"};

/// "ActorRuntime.Lods.Lod.fileName"
std::string place_of(const xml::Tree& tree, std::uint32_t element, std::string_view attribute) {
  std::string place(attribute);
  for (; element != xml::Element::kNone; element = tree.elements[element].parent) {
    place = std::string(tree.name(element)) + '.' + place;
  }
  return place;
}

}  // namespace

Result<void> repath(xml::Document& document, std::string_view pattern, std::string_view path, EditLog& log) {
  return reported_if_nothing(log, "file " + std::string(pattern), [&]() -> Result<void> {
    const auto tree = xml::parse(xml::text_of(document));
    if (!tree) {
      return tl::unexpected<Error>(tree.error());
    }
    std::string text;
    std::size_t done = 0;
    for (std::uint32_t e = 0; e < tree->elements.size(); ++e) {
      const xml::Element& element = tree->elements[e];
      for (std::uint32_t a = 0; a < element.attribute_count; ++a) {
        const auto& [name, value] = tree->attributes[element.first_attribute + a];
        if (std::find(kFileNames.begin(), kFileNames.end(), tree->slice(name)) == kFileNames.end()) {
          continue;
        }
        if (const auto now = changed_text(xml::unescape(tree->slice(value)), pattern, path,
                                          place_of(*tree, e, tree->slice(name)), log)) {
          text += tree->text.substr(done, value.offset - done);
          text += xml::escape(*now);
          done = value.offset + std::size_t{value.size};
        }
      }
    }
    text += tree->text.substr(done);
    document.text = to_bytes(text);
    return {};
  });
}

Result<Edited> edit(const AnyDocument& any, const ModelEdits& edits, Diagnostics& findings) {
  return edited_copy<xml::Document, xml::read>(any, findings, [&](xml::Document& document, EditLog& log) {
    return for_each_name(edits.paths, repath, document, log);
  });
}

}  // namespace thaw::adr
