#include "formats/wow/wmo/conversions.hpp"

#include <thaw/codes.hpp>
#include <thaw/convert.hpp>
#include <thaw/sources.hpp>
#include <thaw/wmo.hpp>

#include "bytes/number_text.hpp"
#include "convert/written_pictures.hpp"
#include "formats/wow/wmo/building.hpp"
#include "formats/wow/wmo/from_scene/from_scene.hpp"
#include "open/parts.hpp"
#include "scene/deviation.hpp"
#include "scene/source.hpp"

#include <algorithm>
#include <iterator>

namespace thaw::wmo {
namespace {

open::GroupDocuments groups_of(const Document& root, const FileContext& file) {
  return open::load_groups(root, std::string(file.path), file.sources, file.options.scene.read,
                           file.findings);
}

std::string note_of(std::string_view version, std::size_t groups) {
  return "version " + std::string(version) + " · " + counted(groups, "group");
}

Result<Outputs> make_alpha(const FileContext& file) {
  const auto& building = *file.document->get_if<Document>();
  if (building.version() == kAlphaVersion) {
    return fail(codes::kFormatUnsupported, "the WMO already has version 14");
  }
  const auto groups = groups_of(building, file);
  return to_alpha(building, open::pointers_to(groups), file.findings).map([&](const Document& alpha) {
    Outputs outputs;
    outputs.files.push_back({std::string(file.name), write(alpha)});
    outputs.note = note_of("14", alpha.groups().size());
    return outputs;
  });
}

std::vector<OutputFile> files_of(const SplitBuilding& split, const std::string& name) {
  std::vector<OutputFile> files;
  files.push_back({name, write(split.root)});
  for (std::size_t i = 0; i < split.groups.size(); ++i) {
    files.push_back({group_file_name(name, i), write(split.groups[i])});
  }
  return files;
}

Result<Outputs> make_later(const FileContext& file) {
  const auto& building = *file.document->get_if<Document>();
  if (building.version() >= kLaterVersion) {
    return fail(codes::kFormatUnsupported, "the WMO already has version 17 or later");
  }
  const auto groups = groups_of(building, file);
  return to_later(building, open::pointers_to(groups), file.findings).map([&](const SplitBuilding& split) {
    return Outputs{files_of(split, std::string(file.name)), note_of("17", split.groups.size()), {}, {}};
  });
}

Result<Outputs> make_version(const FileContext& file) {
  return file.options.model.version.value_or(kAlphaVersion) == kLaterVersion ? make_later(file)
                                                                             : make_alpha(file);
}

// --- of scenes

/// The version of the WMO that the scene comes from; that of WoW Alpha for all others.
std::uint32_t stated_version(const scene::Scene& scene) {
  const auto version = scene::extras_of(scene, "wmo")["version"].integer().value_or(0);
  return version == std::int64_t{kLaterVersion} ? kLaterVersion : kAlphaVersion;
}

FromSceneOptions options_of(const WriteContext& context) {
  FromSceneOptions options;
  options.scale = context.scale("wmo", options.scale);
  options.control = context.control();
  options.texture_path = context.texture_folder();
  return options;
}

/// A root with its group files, as one document: each begins with its version.
SplitBuilding parts_of(const Document& joint) {
  SplitBuilding parts;
  parts.root.tail = joint.tail;
  Document* file = &parts.root;
  for (const Chunk& chunk : joint.chunks) {
    if (std::holds_alternative<Version>(chunk.body) && !file->chunks.empty()) {
      file = &parts.groups.emplace_back();
    }
    file->chunks.push_back(chunk);
  }
  return parts;
}

/// Of the building that --onto names.
Result<std::uint32_t> version_onto(const WriteContext& context) {
  const auto* original = context.onto->document.get_if<Document>();
  const std::uint32_t version = original == nullptr ? 0 : original->version();
  const bool complete = version == kAlphaVersion ||
                        (version == kLaterVersion && original->find<GroupInfos>(FourCC{"MOGI"}) != nullptr);
  if (!complete || original->groups().empty()) {
    return fail(codes::kWriteUnsupported,
                "--onto needs a version 14 WMO, or the root of a version 17 WMO with all of its groups");
  }
  if (context.options.model.version.value_or(version) != version) {
    return fail(codes::kWriteUnsupported, "--onto keeps the original's version (" + std::to_string(version) +
                                              "). Convert the result to change it.");
  }
  return version;
}

/// A converted WMO: of version 17 also in its parts.
struct Converted {
  BuildingOfScene building;
  SplitBuilding parts;
};

Result<Converted> make_building(const scene::Scene& scene, const WriteContext& context, std::uint32_t version,
                                Diagnostics& findings) {
  return from_scene(scene, options_of(context), findings)
      .and_then([&](BuildingOfScene&& building) -> Result<Converted> {
        Converted result{std::move(building), {}};
        if (version == kLaterVersion) {
          auto parts = to_later(result.building.document, {}, findings);
          if (!parts) {
            return tl::unexpected<Error>(std::move(parts.error()));
          }
          result.parts = std::move(*parts);
        }
        return result;
      });
}

/// --onto.
Result<Rewritten> put_onto(const WriteContext& context, std::uint32_t version, Converted& edited) {
  const auto& original = *context.onto->document.get_if<Document>();
  Diagnostics discarded(0);
  return make_building(context.onto->scene, context, version, discarded).map([&](const Converted& before) {
    return version == kAlphaVersion ? merge_onto(original, before.building.document, edited.building.document)
                                    : merge_onto(parts_of(original), before.parts, edited.parts);
  });
}

std::vector<Facts::Count> counts_of(const Document& document, const std::vector<Document>& files) {
  std::vector<const Document*> pointers;
  for (const Document& file : files) {
    pointers.push_back(&file);
  }
  const Building building(document, pointers);
  std::size_t triangles = 0;
  for (const Group* group : building.groups) {
    triangles += GroupParts(*group).faces.size();
  }
  return {
      {"group", building.groups.size()}, {"triangle", triangles}, {"material", building.materials.size()}};
}

/// Reports the losses of the rewritten parts; none where nothing was edited.
void report(const Diagnostics& findings, const BuildingOfScene& building, const Rewritten& rewritten,
            Diagnostics& to) {
  for (const Diagnostic& finding : findings.items()) {
    if (rewritten.anything) {
      to.add(finding);
    }
  }
  if (rewritten.geometry && !building.lost_collision.empty()) {
    to.add(codes::kSceneChanged, building.lost_collision);
  }
  if (rewritten.doodads && !building.lost_doodads.empty()) {
    to.add(codes::kSceneLost, building.lost_doodads);
  }
}

Result<Outputs> file_of(const WriteContext& context, std::uint32_t version, const Converted& converted) {
  constexpr std::uint32_t kLongest = 256;  // of WoW Alpha's textures
  std::vector<conversion::PictureToWrite> pictures;
  for (const WmoTexture& picture : converted.building.pictures) {
    const bool has_image = picture.image.pixels() > 0;
    pictures.push_back({picture.texture, picture.path, has_image ? &picture.image : nullptr, false});
  }
  auto adjacent = conversion::written_pictures(context, pictures, conversion::TextureKind::blp2,
                                               version == kAlphaVersion ? kLongest : 0);
  Outputs file;
  if (version == kAlphaVersion) {
    file = output_of(context, write(converted.building.document), counts_of(converted.building.document, {}));
  } else {
    auto files = files_of(converted.parts, context.name() + ".wmo");
    file = output_of(context, std::move(files.front().bytes),
                     counts_of(converted.parts.root, converted.parts.groups));
    std::move(files.begin() + 1, files.end(), std::back_inserter(adjacent));
  }
  std::move(adjacent.begin(), adjacent.end(), std::back_inserter(file.files));
  return file;
}

/// In yards. Later versions hold the same vertices.
double deviation_of(const WriteContext& context, const Document& building) {
  SceneOptions options;
  options.scale = options_of(context).scale;
  options.doodad_set = "none";
  Diagnostics discarded(0);
  auto reread = to_scene(building, {}, context.name(), options, discarded);
  if (reread) {
    reread->axes = context.scene.axes;  // the front of a scene is no matter to a building
  }
  return reread ? scene::nearest_deviation(context.scene, *reread, context.control()) / double{options.scale}
                : 0;
}

Result<Outputs> write_scene(const WriteContext& context) {
  const auto version =
      context.onto != nullptr
          ? version_onto(context)
          : Result<std::uint32_t>(context.options.model.version.value_or(stated_version(context.scene)));
  if (!version) {
    return tl::unexpected<Error>(version.error());
  }
  if (*version != kAlphaVersion && context.alone) {
    return fail(
        codes::kWriteUnsupported,
        "A version 17 WMO consists of several files and cannot be written to stdout. Name a file with -o.");
  }
  Diagnostics findings;
  auto converted = make_building(context.scene, context, *version, findings);
  if (!converted) {
    report(findings, {}, {true, false, false}, context.findings);
    return tl::unexpected<Error>(std::move(converted.error()));
  }
  const auto rewritten = context.onto == nullptr ? Result<Rewritten>(Rewritten{true, true, true})
                                                 : put_onto(context, *version, *converted);
  if (!rewritten) {
    return tl::unexpected<Error>(rewritten.error());
  }
  report(findings, converted->building, *rewritten, context.findings);
  return file_of(context, *version, *converted).map([&](Outputs&& file) {
    if (context.onto == nullptr) {
      state_deviation(file, deviation_of(context, converted->building.document));
    }
    return std::move(file);
  });
}

constexpr std::string_view kVersionsLabel = "WMO to other versions";

}  // namespace

constexpr std::array<Conversion, 3> kConversions = {{
    {"wmo", ".wmo", "WMO to the requested version", true, make_version},
    {"wmo-v14", ".wmo", kVersionsLabel, false, make_alpha},
    {"wmo-v17", ".wmo", kVersionsLabel, true, make_later},
}};

constexpr SceneWriter kWriter = {.label = "buildings",
                                 .adjacent = true,
                                 .layers = true,
                                 .onto = true,
                                 .names = "wmo wdt wdl mdx-alpha",
                                 .write = write_scene};

}  // namespace thaw::wmo
