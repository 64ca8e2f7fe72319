// The file as a whole: version, header, extents, texts.
#include "bytes/finite.hpp"
#include "formats/warcraft/mdx/convert/missing_chunks.hpp"
#include "formats/warcraft/mdx/rules/extents.hpp"
#include "formats/warcraft/mdx/rules/table.hpp"

#include <algorithm>

namespace thaw::mdx::rules {
namespace {

void chunk_empty(const Model& model, Report& report) {
  for (const auto& item : model.document.chunks) {
    const bool empty = std::visit(
        [](const auto& body) {
          using Body = std::remove_cvref_t<decltype(body)>;
          if constexpr (requires { body.items; }) {
            return body.items.empty();
          } else if constexpr (std::is_same_v<Body, Pivots>) {
            return body.points.empty();
          } else if constexpr (std::is_same_v<Body, GlobalSequences>) {
            return body.durations.empty();
          } else {
            return false;
          }
        },
        item.body);
    if (empty && item.remainder.empty()) {
      report.add(item.tag.text(), say("chunk ", item.tag.text(), " is empty"));
    }
  }
}

void chunk_missing(const Model& model, Report& report) {
  for (const auto& missing : missing_chunks(model.document)) {
    report.add(missing.tag.text(), missing.message());
  }
}

/// Every name and path with its field path.
constexpr auto kTexts = [](const Model& model, const auto& use) {
  if (model.header != nullptr) {
    use(model.header->name, std::string("MODL.name"));
    use(model.header->animation_file, std::string("MODL.animationFileName"));
  }
  for (const auto& item : model.sequences) {
    use(item->name, item.path + ".name");
  }
  for (const auto& item : model.textures) {
    use(item->path, item.path + ".path");
  }
  for (const auto& item : model.materials) {
    use(item->shader, item.path + ".shader");
  }
  for (const auto& item : model.geosets) {
    use(item->lod_name, item.path + ".lodName");
  }
  for (const auto& item : model.nodes) {
    use(item.node->name, item.path + ".name");
  }
  for (const auto& item : model.cameras) {
    use(item->name, item.path + ".name");
  }
  for (const auto& item : model.attachments) {
    use(item->path, item.path + ".path");
  }
  for (const auto& item : model.particle_emitters) {
    use(item->path, item.path + ".path");
  }
  for (const auto& item : model.popcorns) {
    use(item->path, item.path + ".path");
    use(item->visibility_guide, item.path + ".animVisibilityGuide");
  }
  for (const auto& item : model.face_effects) {
    use(item->target, item.path + ".target");
    use(item->path, item.path + ".path");
  }
};

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

constexpr std::array kHeaderRules = {
    ModelRule("mdx.version-900", always(kError), "version 900 of the Reforged beta",
              "No released game loads version 900. Convert to 800 or 1000.",
              once<"VERS.version">([](const Model& model) {
                return model.version == 900
                           ? "only the beta of Reforged used version 900; no released game loads it"
                           : "";
              })),
    ModelRule("mdx.version-unshipped", always(kWarning), "version of no released game",
              "Released games use 800, 1000, 1100, 1200 and 1800. Other versions may fail to load. Convert "
              "to one of them.",
              once<"VERS.version">([](const Model& model) {
                constexpr std::array<std::uint32_t, 5> kShipped = {800, 1000, 1100, 1200, 1800};
                return model.version != 900 &&
                               std::find(kShipped.begin(), kShipped.end(), model.version) == kShipped.end()
                           ? say("no released game has models of version ", model.version)
                           : "";
              })),
    ModelRule("mdx.chunk-missing", always(kError), "required chunk missing",
              "Geosets need materials, materials need textures, and nodes need pivots. The file is "
              "probably truncated. Use a complete copy.",
              chunk_missing),
    ModelRule("mdx.chunk-empty", {kInfo, kOff, kInfo}, "empty chunk", "Harmless; old exporters write them.",
              chunk_empty),
    ModelRule("mdx.header-missing", {kWarning, kWarning, kError}, "no MODL chunk",
              "Without it the model has no name, extents or blend time. Export the model again.",
              once([](const Model& model) {
                return model.header == nullptr ? "no MODL chunk: no name, extents or blend time" : "";
              })),
    ModelRule("mdx.model-animation-file", {kWarning, kInfo, kWarning}, "animation file name set",
              "No game uses the field. Clear it.", kFixable,
              once<"MODL.animationFileName">([](const Model& model) {
                return model.header != nullptr && !model.header->animation_file.view().empty()
                           ? say("the model names the animation file \"", model.header->animation_file.view(),
                                 "\", which no game uses")
                           : "";
              })),
    ModelRule("mdx.extent-negative", always(kWarning), "extent minimum above its maximum",
              "Culling and selection use extents. Recalculate them.", kFixable,
              each<kExtents>([](const Extent& extent) {
                bool negative = false;
                for (std::size_t axis = 0; axis < 3; ++axis) {
                  negative = negative || extent.maximum.at(axis) < extent.minimum.at(axis);
                }
                return negative ? "the extent's minimum is above its maximum" : "";
              })),
    ModelRule("mdx.extent-not-finite", {kSevere, kSevere, kError}, "NaN or infinity in an extent",
              "Recalculate the extents.", each<kExtents>([](const Extent& extent) {
                return !all_finite(extent.minimum) || !all_finite(extent.maximum) ||
                               !std::isfinite(extent.bounds_radius)
                           ? "a value of the extent is NaN or infinite"
                           : "";
              })),
    ModelRule("mdx.model-extent-zero", {kInfo, kInfo, kWarning}, "model extent all zero",
              "The model may be culled while it is still on screen. Recalculate the extent.", kFixable,
              once<"MODL.extent">([](const Model& model) {
                const Box box = box_of(model);
                return model.header != nullptr && model.header->extent == Extent{} && box.valid &&
                               extent_of(box) != Extent{}
                           ? "the model's extent is all zero, although it has geometry"
                           : "";
              })),
    ModelRule("mdx.model-extent-small", {kInfo, kInfo, kWarning},
              "model extent does not contain its vertices",
              "The model may be culled while it is still on screen. Only the rest pose is checked. "
              "Recalculate the extent.",
              once<"MODL.extent">([](const Model& model) {
                const Box box = box_of(model);
                return model.header != nullptr && model.header->extent != Extent{} && box.valid &&
                               !holds(model.header->extent, box)
                           ? "the model's extent does not contain all vertices in rest pose"
                           : "";
              })),
    ModelRule("mdx.text-unquotable", {kWarning, kInfo, kWarning}, "name or path not representable in MDL",
              "Quotation marks and line breaks end a string in MDL. Rename the object or file.",
              each<kTexts>([](const auto& text) {
                const auto view = text.view();
                return view.find('"') != std::string_view::npos
                           ? "the string contains a quotation mark, which ends strings in MDL"
                       : view.find_first_of("\r\n") != std::string_view::npos
                           ? "the string contains a line break, which ends strings in MDL"
                           : "";
              })),
    ModelRule("mdx.text-encoding", {kInfo, kInfo, kWarning}, "string neither ASCII nor UTF-8",
              "Editors show such names differently on each machine. Use ASCII names.",
              each<kTexts>([](const auto& text) {
                // What to_utf8 leaves as it is was UTF-8.
                return !is_ascii(text.view()) && to_utf8(text.view()) != text.view()
                           ? "the string is not UTF-8, and its code page is unknown"
                           : "";
              })),
    ModelRule("mdx.text-behind-nul", {kOff, kOff, kInfo}, "bytes after a string's NUL",
              "Leftovers of a tool; some are watermarks. Harmless.", each<kTexts>([](const auto& text) {
                return !text.clean() ? "bytes after the string's NUL" : "";
              })),
    ModelRule("mdx.text-too-long", {kWarning, kWarning, kError}, "string without terminating NUL",
              "Programs may read past the end of the field. Shorten the string.",
              each<kTexts>([](const auto& text) {
                return !text.terminated() ? say("the string fills all ", text.raw.size(),
                                                " bytes of its field and has no terminating NUL")
                                          : "";
              })),
};

}  // namespace

std::span<const ModelRule> model_rules() { return kHeaderRules; }

}  // namespace thaw::mdx::rules
