#include "convert/from_gltf.hpp"

#include <thaw/codes.hpp>

#include "bytes/number_text.hpp"
#include "bytes/text.hpp"
#include "formats/warcraft/mdx/map_folder.hpp"
#include "open/parts.hpp"
#include "open/scene_weight.hpp"
#include "open/written_scene.hpp"
#include "scene/clip_changes.hpp"
#include "scene/embedded_images.hpp"
#include "scene/front.hpp"
#include "scene/roles.hpp"
#include "scene/simplify.hpp"
#include "scene/source.hpp"

#include <algorithm>
#include <array>
#include <set>

namespace thaw::conversion {
namespace {

/// What ReadOptions::strict does not let pass.
std::optional<Error> first_loss(const Diagnostics& findings) {
  for (const auto& finding : findings.items()) {
    if (finding.code == codes::kSceneLost || finding.code == codes::kGltfUnsupported) {
      return Error{finding.code, finding.offset, finding.path, finding.message};
    }
  }
  return std::nullopt;
}

/// The requested level of detail; none: all.
std::optional<std::uint32_t> level_of(const scene::Scene& edited) {
  std::optional<std::int64_t> one;
  for (const auto& mesh : edited.meshes) {
    const auto level = scene::extras_of(mesh, "m3")["level"].integer();
    if (one && level && *level != *one) {
      return std::nullopt;
    }
    one = one ? one : level;
  }
  return static_cast<std::uint32_t>(std::max<std::int64_t>(0, one.value_or(0)));
}

/// Buildings and M3 come with what was requested, and an edited one requests the same.
void ask_as_before(const scene::Scene& edited, OpenSceneOptions& request) {
  if (edited.source_format == "m3") {
    request.lod = level_of(edited);
    request.collision = std::any_of(edited.meshes.begin(), edited.meshes.end(),
                                    [](const auto& mesh) { return mesh.name == "collision"; });
    return;
  }
  for (const auto& node : edited.nodes) {
    request.collision = request.collision || scene::extras_of(node, "wmo")["bspNodes"].integer();
  }
  for (const auto& mesh : edited.meshes) {
    request.portals =
        request.portals || (mesh.node < edited.nodes.size() &&
                            scene::extras_of(edited.nodes[mesh.node], "wmo")["portal"].integer());
  }
  const auto& sets = edited.object_sets;
  const auto is_shown = [](const scene::ObjectSet& set) { return set.shown; };
  if (std::all_of(sets.begin(), sets.end(), is_shown)) {
    request.doodad_set = "all";
  } else if (!sets.front().shown) {
    request.doodad_set = "none";
  } else if (const auto further = std::find_if(sets.begin() + 1, sets.end(), is_shown);
             further != sets.end()) {
    request.doodad_set = std::to_string(further - sets.begin());
  }
}

/// Grey pictures in place of those that the edited file has: with them meshes have the coordinates and
/// tangents that they have there, and materials the same textures.
Result<void> give_pictures(scene::Scene& scene, const scene::Scene& edited) {
  Diagnostics ignored(0);
  scene::ImageOptions images;
  images.all_team_colors = edited.source.written->all_team_colors;
  if (auto loaded = scene::load_images(scene, Sources(), images, ignored); !loaded) {
    return loaded;
  }
  // By name alone where the file has no paths of the game: "knight", or "knight glow".
  const auto name_of = [](std::string_view path) {
    return ascii::lowered(without_extension(last_part(path)));
  };
  std::set<std::string> found;
  for (const auto& texture : edited.textures) {
    if (texture.content != nullptr) {
      const std::string name = name_of(texture.path);
      found.insert(name);
      found.insert(name.substr(0, name.rfind(' ')));
    }
  }
  for (const std::string& missing : edited.source.written->missing) {
    found.erase(name_of(missing));
  }
  for (const auto& texture : scene.textures) {
    if (texture.image < scene.images.size() && found.contains(name_of(texture.path))) {
      scene.images[texture.image].placeholder = false;
    }
  }
  return {};
}

/// A file without extras has baked pictures in place of the game's layers and paths. Its materials count as
/// unedited while they have the names that they had.
void keep_materials(const scene::Scene& before, scene::Scene& edited) {
  const auto same_name = [](const auto& a, const auto& b) { return a.name == b.name; };
  if (edited.source.written->options.extras == GltfExtras::none &&
      std::equal(before.materials.begin(), before.materials.end(), edited.materials.begin(),
                 edited.materials.end(), same_name)) {
    edited.materials = before.materials;
    edited.textures = before.textures;
    edited.images = before.images;
  }
}

/// The original on the way that the edited file went, without an edit. Scenes of files for Blender say that
/// they are.
Result<scene::Scene> through_gltf(const ModelOptions& model, const scene::Scene& edited,
                                  const OpenSceneOptions& requested, const GltfReadOptions& reading,
                                  const Sources& sources) {
  Diagnostics ignored(0);
  OpenSceneOptions request;
  request.path = model.onto_name;
  request.network = requested.network;
  request.library = requested.library;
  request.skeleton = requested.skeleton;
  request.scale = requested.scale ? requested.scale : scene::stated_scale(edited);
  ask_as_before(edited, request);
  // Scenes of these have pictures that are made of several, and name them as they were found.
  const bool is_dme = model.onto->get_if<dme::Document>() != nullptr;
  auto scene = bare_scene(*model.onto, is_dme ? sources : Sources(), request, ignored);
  if (!scene) {
    return tl::unexpected<Error>(scene.error());
  }
  auto given = is_dme ? resolve_dependencies(*scene, sources, request, ignored).map([](std::size_t) {})
                      : give_pictures(*scene, edited);
  if (!given) {
    return tl::unexpected<Error>(std::move(given.error()));
  }
  GltfOptions writing = edited.source.written->options;
  writing.control = requested.read.control;
  const auto files = write_gltf(std::move(*scene), writing, ignored);
  if (!files) {
    return tl::unexpected<Error>(files.error());
  }
  return read_gltf(files->front().bytes, reading, ignored);
}

/// "Image_0", as exporters call what has no name.
bool is_numbered(std::string_view name) {
  const std::string word = ascii::lowered(name.substr(0, name.find_last_not_of("0123456789_-. ") + 1));
  constexpr std::array<std::string_view, 7> kWords = {"",    "texture",  "image",   "img",
                                                      "tex", "material", "untitled"};
  return std::find(kWords.begin(), kWords.end(), word) != kWords.end();
}

/// Models that come to lie side by side, in one run (`all`) or in several, have pictures of the same name,
/// which are not the same. Those of a map have the names that it knows.
void name_pictures_after(const std::string& model, bool all, scene::Scene& scene) {
  for (scene::Index i = 0; i < scene.textures.size(); ++i) {
    scene::Texture& texture = scene.textures[i];
    if (!scene::is_embedded(scene, i)) {
      continue;
    }
    std::string file_name(last_part(texture.path));
    if (file_name.empty() && texture.image < scene.images.size()) {
      file_name = last_part(scene.images[texture.image].name);
    }
    if (mdx::in_map_folder(texture.path) ||
        (!all && !is_numbered(file_name.substr(0, file_name.find_last_of('.'))))) {
      continue;
    }
    texture.path = model + "_" + (file_name.empty() ? "texture" + std::to_string(i) : file_name);
  }
}

constexpr std::size_t kMostLevels = 9;  // which a digit in a name states

void report_levels(const std::vector<scene::SimplifiedLevel>& levels, std::size_t requested,
                   Diagnostics& findings) {
  for (std::size_t level = 1; level < levels.size(); ++level) {
    findings.add(codes::kSceneAdded,
                 "level " + std::to_string(level) + ": " + std::to_string(levels[level].triangles) + " of " +
                     counted(levels.front().triangles, "triangle") + "; no vertex moved by more than " +
                     short_number(levels[level].error * 100) + " % of the model's size");
  }
  if (levels.size() <= requested) {
    const double most = scene::kFirstLevelError * 100 * static_cast<double>(1U << (levels.size() - 1));
    findings.add(codes::kSceneChanged,
                 counted(levels.size() - 1, "coarser level") + " instead of " + std::to_string(requested) +
                     ": the next one would be barely coarser, or deviate by more than " + short_number(most) +
                     " % of the model's size");
  }
}

/// ModelOptions::levels.
Result<void> make_levels(scene::Scene& scene, const ConvertOptions& options, Diagnostics& findings) {
  const auto refuse = [](std::string why) { return fail(codes::kWriteUnsupported, std::move(why)); };
  if (options.model.levels == 0) {
    return {};
  }
  if (options.model.onto != nullptr) {
    return refuse("--lods cannot be combined with --onto, which preserves the original's levels of detail");
  }
  if (scene::has_levels(scene)) {
    return refuse("--lods cannot be used: the scene already has levels of detail");
  }
  const Control* control = options.scene.read.control;
  const auto levels = scene::add_levels(scene, std::min(options.model.levels, kMostLevels), control);
  if (is_stopped(control)) {
    return fail(codes::kStopped, "stopped while generating levels of detail");
  }
  report_levels(levels, options.model.levels, findings);
  return {};
}

/// A file without extras does not state where its front is: it is where the original has it, as far as both
/// are the same model.
void find_front(const scene::Scene& original, scene::Scene& edited, Diagnostics& findings) {
  if (edited.source.stated) {
    return;
  }
  const auto quarters = scene::quarter_turns(original, edited);
  const bool sideways = original.axes == scene::Axes::x_right;
  if (quarters == 0U && original.axes != edited.axes) {
    edited.axes = original.axes;
    findings.add(codes::kSceneEdited, "the file does not state its front; the original's (+X) is used");
  } else if (quarters && *quarters != (sideways && original.axes != edited.axes ? 3U : 0U)) {
    findings.add(
        codes::kSceneChanged,
        "the file does not state its front; the model is rotated by " + std::to_string(90 * *quarters) +
            " degrees about the vertical axis relative to the original; --front sets the file's front");
  }
}

/// The scene of the file as the writer takes it.
Result<scene::Scene> read_scene(const ConvertInput& input, const SceneWriter& writer,
                                const ConvertOptions& options, const GltfReadOptions& reading,
                                Diagnostics& findings) {
  auto scene = read_gltf(input.bytes, reading, findings);
  const auto bounded = scene
                           .and_then([&](const scene::Scene& all) {
                             return open::hold_to_bound(all, options.scene.max_scene_bytes);
                           })
                           .and_then([&] { return open::keep_geometry(writer, *scene); });
  return bounded ? std::move(scene) : tl::unexpected<Error>(bounded.error());
}

/// Clips that are requested, all but global ones where nothing is.
std::vector<std::string> chosen_clips(const scene::Scene& scene, const mrn::ClipOptions& options) {
  std::vector<std::string> names;
  for (const auto& clip : scene.clips) {
    if (options.requested ? options.requested(clip.name) : !clip.global) {
      names.push_back(clip.name);
    }
  }
  return names;
}

}  // namespace

Result<Outputs> convert_gltf(const ConvertInput& input, const ConvertTarget& target,
                             const SceneWriter& writer, const ConvertOptions& options, const Sources& sources,
                             Diagnostics& findings) {
  if (writer.network && !writer.new_network && options.scene.network == nullptr) {
    return fail(codes::kMrnSkeleton,
                "An animation contains no skeleton. Name a network with --skeleton FILE.mrn.");
  }
  GltfReadOptions reading;
  reading.limits = options.scene.read.limits;
  reading.control = options.scene.read.control;
  reading.front = options.model.front;
  open::read_for(writer, reading);
  open::look_in(sources, reading, FileKind::data);
  auto scene = read_scene(input, writer, options, reading, findings);
  if (!scene) {
    return tl::unexpected<Error>(std::move(scene.error()));
  }
  WriteContext context{*scene, options, findings, target.file_name};
  name_pictures_after(context.name(), target.among_others, *scene);
  if (!options.model.front && options.model.onto == nullptr && !scene->source.stated) {
    findings.add(codes::kSceneAdded,
                 "The file does not state its front; +Z is used, as glTF defines. --front sets another.");
  }
  if (options.model.onto == nullptr && scene->source.written->all_team_colors) {
    findings.add(codes::kSceneLost, "team colours left out; only --onto preserves those of the original");
  }
  if (auto levels = make_levels(*scene, options, findings); !levels) {
    return tl::unexpected<Error>(std::move(levels.error()));
  }
  scene::Scene before;
  std::optional<Original> onto;
  if (writer.onto && options.model.onto != nullptr) {
    reading.front.reset();
    auto unedited = through_gltf(options.model, *scene, options.scene, reading, sources);
    if (!unedited) {
      return tl::unexpected<Error>(std::move(unedited.error()));
    }
    before = std::move(*unedited);
    keep_materials(before, *scene);
    if (!options.model.front) {
      find_front(before, *scene, findings);
    }
    name_pictures_after(context.name(), target.among_others, before);
    if (open::has_triangles(before) && !open::has_triangles(*scene)) {
      return fail(
          codes::kWriteUnsupported,
          "The scene has no triangles, so the original would lose all of its triangles. Convert it without "
          "--onto instead.");
    }
    context.onto = &onto.emplace(Original{*options.model.onto, before});
    for (std::string& line : scene::clip_changes(before, *scene)) {
      findings.add(codes::kSceneEdited, std::move(line));
    }
  }
  context.clips = chosen_clips(*scene, options.scene.clips);
  context.alone = target.alone;
  auto outputs = writer.write(context);
  if (outputs && options.scene.read.strict && writer.layers) {
    if (const auto refused = first_loss(findings)) {
      return tl::unexpected<Error>(*refused);
    }
  }
  if (outputs && target.alone && outputs->files.size() > 1) {
    findings.add(codes::kSceneLost, "sidecar files left out: " + std::to_string(outputs->files.size() - 1) +
                                        "; name an output file with -o to write them");
    outputs->files.resize(1);
  }
  return outputs;
}

}  // namespace thaw::conversion
