#include "cli/convert/convert_gltf.hpp"

#include <thaw/gltf.hpp>
#include <thaw/open_scene.hpp>
#include <thaw/scene_codes.hpp>

#include "bytes/game_path.hpp"
#include "bytes/shown.hpp"
#include "bytes/words.hpp"
#include "cli/convert/convert_animation.hpp"
#include "cli/convert/convert_file.hpp"
#include "cli/inputs/distinct.hpp"
#include "cli/inputs/open.hpp"
#include "cli/platform/job_control.hpp"
#include "cli/report/console.hpp"
#include "cli/report/report.hpp"
#include "cli/report/text.hpp"
#include "formats/descriptor.hpp"
#include "open/parts.hpp"
#include "open/scene_weight.hpp"
#include "open/written_scene.hpp"
#include "scene/carried.hpp"
#include "scene/roles.hpp"
#include "scene/scale.hpp"
#include "scene/simplify.hpp"

#include <algorithm>
#include <set>

namespace thaw::cli {

GltfReadOptions gltf_options(const Input& input, const Settings& settings) {
  GltfReadOptions options;
  options.limits = read_options(settings).limits;
  options.control = current_control();
  if (input.name != "-") {
    const std::filesystem::path parent = input.path.parent_path();
    const auto folder = open_folder(parent.empty() ? "." : parent);
    options.open = [folder](std::string_view uri) -> Result<Bytes> {
      if (auto bytes = folder->read_as(normalize_game_path(uri), FileKind::data)) {
        return std::move(*bytes);
      }
      return fail(codes::kGltfReference, concat({uri, " is not in the folder of the file"}));
    };
  }
  return options;
}

namespace {

/// The clips that --clip means, the first of which is that of a file for one; all without it.
void choose_clips(const scene::Scene& scene, const SceneSettings& settings, SceneToWrite& order) {
  open::take_clips(scene, wanted_clips(settings), order);
  if (order.clips.empty() && !settings.clip.empty()) {
    // A name that no clip has: nothing is found under it.
    order.clips = {settings.clip};
    order.clip = settings.clip;
  }
}

/// What --strict does not let pass.
std::optional<Error> first_loss(const Diagnostics& findings) {
  for (const auto& finding : findings.items()) {
    if (finding.code == codes::kSceneLost || finding.code == codes::kGltfUnsupported) {
      return Error{finding.code, finding.offset, finding.path, finding.message};
    }
  }
  return std::nullopt;
}

/// A building of version 17 with the group files beside it, one behind the other.
AnyDocument with_groups(AnyDocument&& document, const Settings& settings, Diagnostics& findings) {
  const auto* root = document.get_if<wmo::Document>();
  if (root == nullptr || !root->groups().empty()) {
    return std::move(document);
  }
  const std::filesystem::path path = settings.onto;
  Sources beside;
  beside.add_folder(path.has_parent_path() ? path.parent_path() : ".");
  wmo::Document joint = *root;
  for (auto& group :
       open::load_groups(*root, path.filename().string(), beside, read_options(settings), findings)) {
    if (!group) {
      return std::move(document);  // which is told
    }
    joint.chunks.insert(joint.chunks.end(), std::make_move_iterator(group->chunks.begin()),
                        std::make_move_iterator(group->chunks.end()));
  }
  return {document.identity(), std::move(joint)};
}

/// --onto.
Result<AnyDocument> read_original(const Settings& settings, Diagnostics& findings) {
  const auto content = load(named_input(settings.onto, settings), settings);
  if (!content) {
    return tl::unexpected<Error>(error_in(settings.onto, content.error()));
  }
  return read_any(content->bytes, read_options(settings), findings)
      .map([&](AnyDocument&& document) { return with_groups(std::move(document), settings, findings); })
      .map_error([&](Error error) { return error_in(settings.onto, std::move(error)); });
}

/// The level of detail that was asked for; none: all.
std::optional<std::uint32_t> level_of(const scene::Scene& edited) {
  std::optional<std::int64_t> one;
  for (const auto& mesh : edited.meshes) {
    const auto level = mesh.extras["thaw"]["m3"]["level"].integer();
    if (one && level && *level != *one) {
      return std::nullopt;
    }
    one = one ? one : level;
  }
  return static_cast<std::uint32_t>(std::max<std::int64_t>(0, one.value_or(0)));
}

/// Buildings and M3 come with what was asked for, and an edited one asks for the same.
void ask_as_before(const scene::Scene& edited, SceneRequest& request) {
  if (edited.source_format == "m3") {
    request.lod = level_of(edited);
    request.collision = std::any_of(edited.meshes.begin(), edited.meshes.end(),
                                    [](const auto& mesh) { return mesh.name == "collision"; });
    return;
  }
  for (const auto& node : edited.nodes) {
    request.collision = request.collision || node.extras["thaw"]["wmo"]["bspNodes"].integer();
  }
  for (const auto& mesh : edited.meshes) {
    request.portals = request.portals || (mesh.node < edited.nodes.size() &&
                                          edited.nodes[mesh.node].extras["thaw"]["wmo"]["portal"].integer());
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
  Diagnostics unheard(0);
  if (auto loaded = scene::load_images(scene, Sources(), {}, unheard); !loaded) {
    return loaded;
  }
  std::set<std::string_view> found;
  for (const auto& texture : edited.textures) {
    if (texture.content != nullptr) {
      found.insert(texture.path);
    }
  }
  for (const auto& texture : scene.textures) {
    if (texture.image < scene.images.size() && found.count(texture.path) > 0) {
      scene.images[texture.image].placeholder = false;
    }
  }
  return {};
}

/// The way of an edited file without an edit. Scenes of files for Blender tell that they are.
Result<scene::Scene> through_gltf(const AnyDocument& original, const scene::Scene& edited, const Work& work,
                                  const GltfReadOptions& reading) {
  Diagnostics unheard(0);
  SceneRequest request;
  request.scale = work.settings.scale ? std::optional(static_cast<float>(*work.settings.scale))
                                      : scene::stated_scale(edited);
  ask_as_before(edited, request);
  auto scene = bare_scene(original, Sources(), request, unheard);
  if (!scene) {
    return tl::unexpected<Error>(scene.error());
  }
  if (auto given = give_pictures(*scene, edited); !given) {
    return tl::unexpected<Error>(std::move(given.error()));
  }
  GltfOptions writing;
  writing.control = current_control();
  const bool for_blender = edited.extras["thaw"].find("file") != nullptr;
  writing.profile = for_blender ? GltfProfile::blender : GltfProfile::compat;
  const auto files = write_gltf(*scene, writing, unheard);
  if (!files) {
    return tl::unexpected<Error>(files.error());
  }
  return read_gltf(files->front().bytes, reading, unheard);
}

/// Models that come to lie side by side have pictures of the same name, "Image_0", which are not the same.
void name_pictures_after(const std::string& model, scene::Scene& scene) {
  for (scene::Index i = 0; i < scene.textures.size(); ++i) {
    scene::Texture& texture = scene.textures[i];
    if (!scene::is_carried(scene, i)) {
      continue;
    }
    std::string own(last_part(texture.path));
    if (own.empty() && texture.image < scene.images.size()) {
      own = last_part(scene.images[texture.image].name);
    }
    texture.path = concat({model, "_", own.empty() ? concat({"texture", std::to_string(i)}) : own});
  }
}

constexpr std::uint64_t kMostLevels = 9;  // which a digit in a name tells

/// --lods.
Result<void> make_levels(scene::Scene& scene, const Settings& settings, Diagnostics& findings) {
  const auto refuse = [](std::string why) { return fail(codes::kWriteUnsupported, std::move(why)); };
  if (!settings.onto.empty()) {
    return refuse("--lods makes levels of a new model; --onto keeps those of the original");
  }
  if (scene::has_levels(scene)) {
    return refuse("the scene has levels of detail, which are taken without --lods");
  }
  const std::uint64_t wanted = *settings.new_levels;
  const auto levels = scene::add_levels(
      scene, static_cast<std::size_t>(std::min<std::uint64_t>(wanted, kMostLevels)), current_control());
  stop_when_asked();
  for (std::size_t level = 1; level < levels.size(); ++level) {
    findings.add(
        codes::kSceneAdded,
        concat({"level ", std::to_string(level), ": ", std::to_string(levels[level].triangles), " of ",
                counted(levels.front().triangles, "triangle"), "; no vertex is further off than ",
                short_number(levels[level].error * 100), " % of the model's size"}));
  }
  if (levels.size() <= wanted) {
    findings.add(
        codes::kSceneChanged,
        concat({counted(levels.size() - 1, "coarser level"), " in place of ", std::to_string(wanted),
                ": the next would be hardly coarser than the one before, or off by more than ",
                short_number(scene::kFirstLevelError * 100 * static_cast<double>(1U << (levels.size() - 1))),
                " % of the model's size"}));
  }
  return {};
}

Product product_of(const Work& work, SceneFile&& file) {
  Product product;
  for (const auto& [kind, count] : file.counts) {
    const std::string words = counted(count, kind);
    product.facts += concat({product.facts.empty() ? "" : " · ", words});
    // "3 vertices": the same word for machines.
    const std::string plural = counted(0, kind).substr(2);
    product.json.emplace_back(plural, static_cast<std::int64_t>(count));
  }
  if (!file.note.empty()) {
    product.details = concat({"  ", file.note, "\n"});
    for (const auto& finding : work.findings.items()) {
      product.details += finding.code == codes::kMrnJoin ? concat({"  ", shown(finding.message), "\n"}) : "";
    }
  }
  product.files.push_back({work.output.filename().string(), std::move(file.bytes)});
  if (goes_to_stdout(work.settings) && !file.beside.empty()) {
    work.findings.add(codes::kSceneLost, concat({"files that would lie beside the model: ",
                                                 std::to_string(file.beside.size())}));
    return product;
  }
  for (auto& [name, bytes] : file.beside) {
    product.files.push_back({std::move(name), std::move(bytes)});
  }
  return product;
}

}  // namespace

Result<Product> make_of_scene(const Work& work) {
  const SceneWriter& writer = *work.target.writer;
  const Settings& settings = work.settings;
  const SkeletonChoice choice = writer.network ? parse_skeleton(settings.skeleton) : SkeletonChoice{};
  std::optional<mrn::Document> network;
  if (writer.network && !(writer.new_network && choice.file.empty())) {
    auto read = read_network(choice, settings, work.findings);
    if (!read) {
      return tl::unexpected<Error>(std::move(read.error()));
    }
    network = std::move(*read);
  }
  GltfReadOptions reading = gltf_options(work.input, settings);
  open::read_for(writer, reading);
  auto scene = read_gltf(work.content.bytes, reading, work.findings);
  const auto bounded = scene
                           .and_then([&](const scene::Scene& all) {
                             return open::hold_to_bound(all, max_scene_bytes(settings));
                           })
                           .and_then([&] { return open::keep_geometry(writer, *scene); });
  if (!bounded) {
    return tl::unexpected<Error>(bounded.error());
  }
  const std::string name = to_utf8(work.output.stem().generic_string());
  if (is_batch(settings)) {
    name_pictures_after(name, *scene);
  }
  if (settings.new_levels) {
    if (auto made = make_levels(*scene, settings, work.findings); !made) {
      return tl::unexpected<Error>(std::move(made.error()));
    }
  }
  std::optional<AnyDocument> document;
  std::optional<scene::Scene> before;
  std::optional<Original> onto;
  if (writer.layers && !settings.onto.empty()) {
    auto original = read_original(settings, work.findings);
    if (!original) {
      return tl::unexpected<Error>(std::move(original.error()));
    }
    document = std::move(*original);
    auto unedited = through_gltf(*document, *scene, work, reading);
    if (!unedited) {
      return tl::unexpected<Error>(std::move(unedited.error()));
    }
    before = std::move(*unedited);
    if (open::has_triangles(*before) && !open::has_triangles(*scene)) {
      return fail(codes::kWriteUnsupported,
                  concat({"the scene has no triangles, and ", settings.onto,
                          " would lose all of its own; without --onto it becomes a model without any"}));
    }
    onto.emplace(Original{*document, *before});
  }
  SceneToWrite order{*scene, {}, {}, {}, network ? &*network : nullptr, choice.name, true, work.findings};
  if (settings.scale) {
    order.scale = static_cast<float>(*settings.scale);
  }
  if (settings.format_version) {
    order.version = static_cast<std::uint32_t>(*settings.format_version);
  }
  choose_clips(*scene, settings, order);
  order.rate = static_cast<float>(settings.sample_rate.value_or(0));
  order.name = name;
  if (writer.network) {
    auto names = read_bone_names(settings);
    if (!names) {
      return tl::unexpected<Error>(std::move(names.error()));
    }
    order.bone_names = std::move(*names);
  }
  order.root_motion = settings.root_motion != "off";
  if (settings.tolerance) {
    order.tolerance = static_cast<float>(*settings.tolerance);
  }
  order.bare = settings.bare;
  order.hd = settings.sd || settings.hd ? std::optional(settings.hd) : std::nullopt;
  order.texture_path = settings.texture_path;
  const mdl::WriteOptions text = text_options(settings);
  order.text = &text;
  order.onto = onto ? &*onto : nullptr;
  order.alone = goes_to_stdout(settings);
  order.control = current_control();
  auto file = writer.write(order);
  if (file && settings.strict && writer.layers) {
    if (const auto refused = first_loss(work.findings)) {
      return tl::unexpected<Error>(*refused);
    }
  }
  return std::move(file).map([&](SceneFile&& made) { return product_of(work, std::move(made)); });
}

}  // namespace thaw::cli
