#include "formats/wow/wmo/conversions.hpp"

#include <thaw/scene_codes.hpp>
#include <thaw/sources.hpp>
#include <thaw/wmo_convert.hpp>
#include <thaw/wmo_scene.hpp>

#include "bytes/words.hpp"
#include "formats/wow/wmo/building.hpp"
#include "formats/wow/wmo/from_scene/from_scene.hpp"
#include "open/parts.hpp"
#include "open/written_pictures.hpp"
#include "scene/scale.hpp"

#include <algorithm>
#include <iterator>

namespace thaw::wmo {
namespace {

open::GroupDocuments groups_of(const Document& root, const FileToConvert& file) {
  return open::load_groups(root, file.path, file.sources(), file.read, file.findings);
}

std::string note_of(std::string_view version, std::size_t groups) {
  return "version " + std::string(version) + " · " + counted(groups, "group");
}

Result<ConvertedFiles> make_alpha(const FileToConvert& file) {
  const auto& building = *file.document->get_if<Document>();
  if (building.version() == kAlphaVersion) {
    return fail(codes::kFormatUnsupported, "the building is of version 14 already");
  }
  const auto groups = groups_of(building, file);
  return to_alpha(building, open::pointers_to(groups), file.findings).map([&](const Document& alpha) {
    ConvertedFiles made;
    made.files.emplace_back(file.file_name, write(alpha));
    made.note = note_of("14", alpha.groups().size());
    return made;
  });
}

using Files = std::vector<std::pair<std::string, Bytes>>;

Files files_of(const SplitBuilding& split, const std::string& name) {
  Files files;
  files.emplace_back(name, write(split.root));
  for (std::size_t i = 0; i < split.groups.size(); ++i) {
    files.emplace_back(group_file_name(name, i), write(split.groups[i]));
  }
  return files;
}

Result<ConvertedFiles> make_later(const FileToConvert& file) {
  const auto& building = *file.document->get_if<Document>();
  if (building.version() >= kLaterVersion) {
    return fail(codes::kFormatUnsupported, "the building is of version 17 already");
  }
  const auto groups = groups_of(building, file);
  return to_later(building, open::pointers_to(groups), file.findings).map([&](const SplitBuilding& split) {
    return ConvertedFiles{files_of(split, file.file_name), note_of("17", split.groups.size()), {}};
  });
}

Result<ConvertedFiles> make_version(const FileToConvert& file) {
  return file.version.value_or(kAlphaVersion) == kLaterVersion ? make_later(file) : make_alpha(file);
}

// --- of scenes

/// Of the building that the scene was made of; that of the alpha for all others.
std::uint32_t stated_version(const scene::Scene& scene) {
  const auto version = scene.extras["thaw"]["wmo"]["version"].integer().value_or(0);
  return version == std::int64_t{kLaterVersion} ? kLaterVersion : kAlphaVersion;
}

FromSceneOptions options_of(const SceneToWrite& order) {
  FromSceneOptions options;
  options.scale = order.scale.value_or(scene::stated_scale(order.scene, "wmo").value_or(options.scale));
  options.control = order.control;
  options.texture_path = order.texture_path;
  std::replace(options.texture_path.begin(), options.texture_path.end(), '/', '\\');
  if (!options.texture_path.empty() && options.texture_path.back() != '\\') {
    options.texture_path += '\\';
  }
  return options;
}

/// --onto.
Result<Taken> put_onto(const SceneToWrite& order, const FromSceneOptions& options, Document& made) {
  const auto* original = order.onto->document.get_if<Document>();
  if (original == nullptr || part_of(write(*original)) != Part::whole) {
    return fail(codes::kWriteUnsupported, "--onto is for buildings of version 14, which are one file");
  }
  Diagnostics unheard(0);
  return from_scene(order.onto->scene, options, unheard).map([&](const BuildingOfScene& before) {
    return merge_onto(*original, before.document, made);
  });
}

std::vector<Facts::Count> counts_of(const Document& document) {
  const Building building(document, {});
  std::size_t triangles = 0;
  for (const Group* group : building.groups) {
    triangles += GroupParts(*group).faces.size();
  }
  return {
      {"group", building.groups.size()}, {"triangle", triangles}, {"material", building.materials.size()}};
}

Result<SceneFile> write_scene(const SceneToWrite& order) {
  constexpr std::uint32_t kLongest = 256;  // of the alpha's textures
  const std::uint32_t version =
      order.version.value_or(order.onto != nullptr ? kAlphaVersion : stated_version(order.scene));
  if (version != kAlphaVersion && (order.onto != nullptr || order.alone)) {
    return fail(codes::kWriteUnsupported,
                order.onto != nullptr ? "--onto is for buildings of version 14; convert what comes of it"
                                      : "a building of version 17 is several files, which stdout is not");
  }
  const FromSceneOptions options = options_of(order);
  auto made = from_scene(order.scene, options, order.findings);
  if (!made) {
    return tl::unexpected<Error>(std::move(made.error()));
  }
  const auto taken =
      order.onto == nullptr ? Result<Taken>(Taken{true, true}) : put_onto(order, options, made->document);
  if (!taken) {
    return tl::unexpected<Error>(taken.error());
  }
  if (taken->geometry && !made->lost_collision.empty()) {
    order.findings.add(codes::kSceneChanged, made->lost_collision);
  }
  if (taken->doodads && !made->lost_doodads.empty()) {
    order.findings.add(codes::kSceneLost, made->lost_doodads);
  }
  SceneFile file;
  file.counts = counts_of(made->document);
  std::vector<open::PictureToWrite> pictures;
  for (const MadePicture& picture : made->pictures) {
    const bool own = picture.image.pixels() > 0;
    pictures.push_back({picture.texture, picture.path, own ? &picture.image : nullptr, false});
  }
  file.beside = open::written_pictures(order, pictures, open::TextureKind::blp2,
                                       version == kAlphaVersion ? kLongest : 0);
  if (version == kAlphaVersion) {
    file.bytes = write(made->document);
    return file;
  }
  return to_later(made->document, {}, order.findings).map([&](const SplitBuilding& split) {
    Files files = files_of(split, order.name + ".wmo");
    file.bytes = std::move(files.front().second);
    file.beside.insert(file.beside.end(), std::make_move_iterator(files.begin() + 1),
                       std::make_move_iterator(files.end()));
    return std::move(file);
  });
}

constexpr std::string_view kMade = "buildings to other versions";
constexpr std::string_view kOptions = "source no-default-sources";

}  // namespace

constexpr std::array<Conversion, 3> kConversions = {{
    {"wmo", ".wmo", "buildings to the version that is asked for", "source no-default-sources format-version",
     true, make_version},
    {"wmo-v14", ".wmo", kMade, kOptions, false, make_alpha},
    {"wmo-v17", ".wmo", kMade, kOptions, true, make_later},
}};

constexpr SceneWriter kWriter = {.made = "buildings",
                                 .options = "scale format-version texture-path onto",
                                 .layers = true,
                                 .write = write_scene};

}  // namespace thaw::wmo
