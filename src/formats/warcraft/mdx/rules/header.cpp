// The file as a whole: version, header, extents, texts.
#include "bytes/finite.hpp"
#include "formats/warcraft/mdx/convert/missing_chunks.hpp"
#include "formats/warcraft/mdx/rules/extents.hpp"
#include "formats/warcraft/mdx/rules/table.hpp"

#include <algorithm>

namespace thaw::mdx::rules {
namespace {

void version_900(const Model& model, Report& report) {
  if (model.version == 900) {
    report.add("VERS.version", "only the beta of Reforged used version 900");
  }
}

void version_unshipped(const Model& model, Report& report) {
  constexpr std::array<std::uint32_t, 5> kShipped = {800, 1000, 1100, 1200, 1800};
  if (model.version != 900 && std::find(kShipped.begin(), kShipped.end(), model.version) == kShipped.end()) {
    report.add("VERS.version", say("no released game has models of version ", model.version));
  }
}

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

void animation_file(const Model& model, Report& report) {
  if (model.header != nullptr && !model.header->animation_file.view().empty()) {
    report.add("MODL.animationFileName", say("names \"", model.header->animation_file.view(), "\""));
  }
}

void chunk_missing(const Model& model, Report& report) {
  for (const auto& missing : missing_chunks(model.document)) {
    report.add(missing.tag.text(), missing.message());
  }
}

void header_missing(const Model& model, Report& report) {
  if (model.header == nullptr) {
    report.add("", "no MODL chunk: no name, extents or blend time");
  }
}

void extent_negative(const Model& model, Report& report) {
  for_each_extent(model, [&](const Extent& extent, const std::string& path) {
    bool negative = false;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      negative = negative || extent.maximum.at(axis) < extent.minimum.at(axis);
    }
    if (negative) {
      report.add(path, "the minimum is above the maximum");
    }
  });
}

void extent_not_finite(const Model& model, Report& report) {
  for_each_extent(model, [&](const Extent& extent, const std::string& path) {
    if (!all_finite(extent.minimum) || !all_finite(extent.maximum) || !std::isfinite(extent.bounds_radius)) {
      report.add(path, "a value is NaN or infinite");
    }
  });
}

void model_extent_zero(const Model& model, Report& report) {
  const Box box = box_of(model);
  if (model.header != nullptr && model.header->extent == Extent{} && box.valid &&
      extent_of(box) != Extent{}) {
    report.add("MODL.extent", "all zero, although the model has geometry");
  }
}

void model_extent_small(const Model& model, Report& report) {
  const Box box = box_of(model);
  if (model.header != nullptr && model.header->extent != Extent{} && box.valid &&
      !holds(model.header->extent, box)) {
    report.add("MODL.extent", "does not contain all vertices in rest pose");
  }
}

bool is_unquotable(std::string_view text) { return text.find_first_of("\"\r\n") != std::string_view::npos; }

/// Every name and path with its field path.
template <class F>
void for_each_text(const Model& model, F&& use) {
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
}

void text_unquotable(const Model& model, Report& report) {
  for_each_text(model, [&](const auto& text, const std::string& path) {
    if (is_unquotable(text.view())) {
      report.add(path, "contains a quotation mark or a line break");
    }
  });
}

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

void text_encoding(const Model& model, Report& report) {
  for_each_text(model, [&](const auto& text, const std::string& path) {
    // What to_utf8 leaves as it is was UTF-8.
    if (!is_ascii(text.view()) && to_utf8(text.view()) != text.view()) {
      report.add(path, "not UTF-8; the code page is unknown");
    }
  });
}

void text_after_nul(const Model& model, Report& report) {
  for_each_text(model, [&](const auto& text, const std::string& path) {
    if (!text.clean()) {
      report.add(path, "bytes after the string's NUL");
    }
  });
}

void text_too_long(const Model& model, Report& report) {
  for_each_text(model, [&](const auto& text, const std::string& path) {
    if (!text.terminated()) {
      report.add(path, say("uses all ", text.raw.size(), " bytes, without a terminating NUL"));
    }
  });
}

constexpr std::array kHeaderRules = {
    ModelRule{{"mdx.version-900",
               {kError, kError, kError},
               "version 900",
               "No released game loads version 900. Convert to 800 or 1000."},
              version_900},
    ModelRule{{"mdx.version-unshipped",
               {kWarning, kWarning, kWarning},
               "version of no released game",
               "Released games use 800, 1000, 1100, 1200 and 1800. Other versions may fail to load."},
              version_unshipped},
    ModelRule{{"mdx.chunk-missing",
               {kError, kError, kError},
               "required chunk missing",
               "Geosets need materials, materials need textures, and nodes need pivots. The file ends too "
               "early."},
              chunk_missing},
    ModelRule{{"mdx.chunk-empty", {kInfo, kOff, kInfo}, "empty chunk", "Harmless; old exporters write them."},
              chunk_empty},
    ModelRule{{"mdx.header-missing",
               {kWarning, kWarning, kError},
               "no MODL chunk",
               "Without it the model has no name, extents or blend time."},
              header_missing},
    ModelRule{{"mdx.model-animation-file",
               {kWarning, kInfo, kWarning},
               "animation file set",
               "No game uses the field; it should be empty.",
               true},
              animation_file},
    ModelRule{{"mdx.extent-negative",
               {kWarning, kWarning, kWarning},
               "extent minimum above its maximum",
               "Culling and selection use extents. Recalculate them.",
               true},
              extent_negative},
    ModelRule{{"mdx.extent-not-finite",
               {kSevere, kSevere, kError},
               "NaN or infinity in an extent",
               "Recalculate the extents."},
              extent_not_finite},
    ModelRule{{"mdx.model-extent-zero",
               {kInfo, kInfo, kWarning},
               "model extent all zero",
               "The model may be culled while it is still on screen. Recalculate the extent.",
               true},
              model_extent_zero},
    ModelRule{{"mdx.model-extent-small",
               {kInfo, kInfo, kWarning},
               "model extent does not contain its vertices",
               "The model may be culled while it is still on screen. Only the rest pose is checked."},
              model_extent_small},
    ModelRule{{"mdx.text-unquotable",
               {kWarning, kInfo, kWarning},
               "name not representable in MDL",
               "Quotation marks and line breaks end a string in MDL. Rename the object."},
              text_unquotable},
    ModelRule{{"mdx.text-encoding",
               {kInfo, kInfo, kWarning},
               "string neither ASCII nor UTF-8",
               "Editors show such names differently on each machine."},
              text_encoding},
    ModelRule{{"mdx.text-behind-nul",
               {kOff, kOff, kInfo},
               "bytes after a string's NUL",
               "Leftovers of a tool; some are watermarks. Harmless."},
              text_after_nul},
    ModelRule{{"mdx.text-too-long",
               {kWarning, kWarning, kError},
               "string without terminating NUL",
               "Programs may read past the end of the field. Shorten the string."},
              text_too_long},
};

}  // namespace

std::span<const ModelRule> model_rules() { return kHeaderRules; }

}  // namespace thaw::mdx::rules
