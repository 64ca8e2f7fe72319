// Conversion of a scene into a model; model_builder.hpp states what its parts do.
#include "formats/warcraft/mdx/convert/first_version.hpp"
#include "formats/warcraft/mdx/from_scene/conventions.hpp"
#include "formats/warcraft/mdx/from_scene/model_builder.hpp"

#include "bytes/number_text.hpp"
#include "formats/warcraft/mdx/poses.hpp"

#include <thaw/mdx.hpp>

#include <algorithm>

namespace thaw::mdx {
namespace {

constexpr std::size_t kMomentsOfSkins = 48;

/// The version whose form is made first: from 1100 on layers have slots, from 1400 bones any number.
std::uint32_t base_version(std::uint32_t version) {
  return version < 900 ? 800 : version < 1400 ? 1100 : 1400;
}

void add_losses(const VersionConversion& conversion, Diagnostics& diagnostics) {
  for (const Loss& loss : conversion.losses) {
    std::string message = loss.message;
    if (loss.deviation) {
      message += ", vertices within " + short_number(*loss.deviation) + " units";
    }
    diagnostics.add(loss.code, std::move(message), {}, loss.path);
  }
}

/// Weights as bytes, which versions below 1400 have.
Result<void> narrow_skins(Document& document) {
  for (auto& geoset : chunk_of<Geosets>(document, FourCC{"GEOS"}).items) {
    if (!geoset.wide_skin) {
      continue;
    }
    auto& narrow = geoset.skin.emplace();
    for (const auto& entry : *geoset.wide_skin) {
      std::array<std::uint8_t, 8> bytes{};
      for (std::size_t i = 0; i < bytes.size(); ++i) {
        if (entry.at(i) > 255) {
          return fail(
              codes::kWriteUnsupported,
              "vertices are bound to bone ids above 255, which needs version 1400 (--format-version 1400)");
        }
        bytes.at(i) = static_cast<std::uint8_t>(entry.at(i));
      }
      narrow.push_back(bytes);
    }
    geoset.wide_skin.reset();
  }
  return {};
}

/// Weights as groups of bones, which is all that the classic game has.
Result<void> group_skins(ModelBuilder& builder) {
  auto* geosets = builder.document.find<Geosets>();
  const bool required =
      geosets != nullptr && std::any_of(geosets->items.begin(), geosets->items.end(),
                                        [](const Geoset& geoset) { return geoset.wide_skin.has_value(); });
  if (!required) {
    return {};
  }
  const Document posed = [&] {
    Document bones = builder.document;
    bones.find<Geosets>()->items.clear();
    return bones;
  }();
  const Poses poses(posed, kMomentsOfSkins);
  ConversionJob job{posed, {}, 800, 800, {}};
  std::vector<Geoset> divided;
  std::vector<std::size_t> sources;
  std::vector<scene::ConvertedMesh> meshes;
  for (std::size_t i = 0; i < geosets->items.size(); ++i) {
    if (!proceed(builder.options.control, "groups of bones", i, geosets->items.size())) {
      return fail(codes::kStopped, "");
    }
    Geoset geoset = std::move(geosets->items[i]);
    const auto corners = geoset.indices;
    std::vector<Geoset> further;
    if (geoset.wide_skin) {
      auto parts = skin_to_groups(job, geoset, i, poses);
      if (!parts) {
        return tl::unexpected<Error>(std::move(parts.error()));
      }
      further = std::move(*parts);
    }
    further.insert(further.begin(), std::move(geoset));
    auto corner = corners.begin();
    for (Geoset& part : further) {
      meshes.push_back(builder.sources[i]);
      if (further.size() > 1) {  // divided in the order of the triangles
        meshes.back().vertices.resize(part.positions.size());
        for (const std::uint16_t vertex : part.indices) {
          meshes.back().vertices[vertex] = builder.sources[i].vertices[*corner++];
        }
      }
      divided.push_back(std::move(part));
      sources.push_back(i);
    }
  }
  builder.sources = std::move(meshes);
  geosets->items = std::move(divided);
  // Each part of a geoset that was divided looks as the whole did.
  if (auto* animations = builder.document.find<GeosetAnimations>()) {
    std::vector<GeosetAnimation> all;
    for (std::size_t i = 0; i < sources.size(); ++i) {
      for (const auto& animation : animations->items) {
        if (animation.geoset_id == static_cast<std::int32_t>(sources[i])) {
          all.push_back(animation);
          all.back().geoset_id = static_cast<std::int32_t>(i);
        }
      }
    }
    animations->items = std::move(all);
  }
  add_losses(job.result, builder.diagnostics);
  return {};
}

void add_header(ModelBuilder& builder) {
  insert_chunk(builder.document, FourCC{"VERS"}, Version{builder.options.version});
  Model model;
  const Value& extras = ModelBuilder::mdx_extras(builder.scene);
  model.name = fixed<80>(builder, builder.scene.name.empty() ? "Model" : builder.scene.name);
  if (const auto* text = extras.find("animationFile")) {
    model.animation_file = fixed<260>(builder, text->text());
  }
  constexpr std::int64_t kBlend = 150;
  model.blend_time = static_cast<std::uint32_t>(
      std::clamp<std::int64_t>(extras["blendTime"].integer().value_or(kBlend), 0, 1000000));
  insert_chunk(builder.document, FourCC{"MODL"}, model);
}

void add_bind_poses(Document& document) {
  if (document.version() >= first_version(FourCC{"BPOS"}) && document.find<BindPoses>() == nullptr) {
    insert_chunk(document, FourCC{"BPOS"}, usual_bind_poses(document));
  }
}

void add_face_effects(ModelBuilder& builder) {
  const auto& effects = ModelBuilder::mdx_extras(builder.scene)["faceEffects"].list();
  if (effects.empty()) {
    return;
  }
  if (builder.options.version < first_version(FourCC{"FAFX"})) {
    builder.counted["face animations left out (they need version 900)"] += effects.size();
    return;
  }
  auto& items = chunk_of<FaceEffects>(builder.document, FourCC{"FAFX"}).items;
  for (const Value& effect : effects) {
    items.push_back(
        {fixed<80>(builder, effect["target"].text()), fixed<260>(builder, effect["path"].text())});
  }
}

void report_counted(ModelBuilder& builder) {
  for (const auto& [what, count] : builder.counted) {
    if (count == 0) {
      continue;
    }
    const bool added = what.front() == '+';
    const std::string message = (added ? what.substr(1) : what) + ": " + std::to_string(count);
    if (added) {
      builder.add(message);
    } else {
      builder.lose(message);
    }
  }
}

/// Of a model that comes back, its geosets have a node each, and glTF has no meshes without triangles.
std::int64_t missing_geosets(const scene::Scene& scene) {
  const auto nodes = std::count_if(scene.nodes.begin(), scene.nodes.end(), [](const scene::Node& node) {
    return node.source.stated && node.kind == scene::NodeKind::mesh;
  });
  const auto meshes = std::count_if(scene.meshes.begin(), scene.meshes.end(),
                                    [](const scene::Mesh& mesh) { return mesh.source.number != kNone; });
  return nodes - meshes;
}

/// What scenes have and models do not.
void report_rest(ModelBuilder& builder) {
  if (const auto missing = missing_geosets(builder.scene); missing > 0) {
    builder.lose("geosets without triangles left out: " + std::to_string(missing));
  }
  if (!builder.scene.placements.empty()) {
    builder.lose("placed models left out: " + std::to_string(builder.scene.placements.size()));
  }
  const bool rewritten =
      std::any_of(builder.scene.clips.begin(), builder.scene.clips.end(), [](const auto& clip) {
        return std::any_of(clip.channels.begin(), clip.channels.end(),
                           [](const auto& channel) { return channel.property == Property::weights; });
      });
  if (rewritten) {
    builder.lose("morph target animations left out");
  }
}

/// In units of the game; lost is what scales miss by more than curves may.
double measure_deviation(ModelBuilder& builder) {
  SceneOptions options;
  options.scale = builder.options.scale;
  options.swap_inheritance_flags = builder.options.swap_inheritance_flags;
  Diagnostics discarded(0);
  const scene::Scene converted = to_scene(builder.document, options, discarded);
  const double deviation = builder.units * scene::largest_deviation(builder.scene, converted, builder.sources,
                                                                    builder.options.control);
  if (builder.fitted > 0) {
    const std::string message = "unequal scales of " + counted(builder.fitted, "node") +
                                " approximated, vertices within " + short_number(deviation) + " units";
    deviation > double{builder.options.tolerance} * builder.size ? builder.lose(message)
                                                                 : builder.change(message);
  }
  return deviation;
}

}  // namespace

Result<ModelOfScene> from_scene(const scene::Scene& scene, const FromSceneOptions& options,
                                Diagnostics& diagnostics) {
  // Exported models state everything in their extras, except for parts that another program added.
  std::optional<scene::Scene> completed;
  const bool added = std::any_of(scene.nodes.begin(), scene.nodes.end(),
                                 [](const scene::Node& node) { return !node.source.stated; });
  if (ModelBuilder::mdx_extras(scene).is_null()) {
    completed = scene;
    apply_conventions(*completed, diagnostics);
  } else if (added) {
    completed = scene;
    apply_conventions_to_new_nodes(*completed, diagnostics);
  }
  const scene::Scene& whole = completed ? *completed : scene;
  if (std::find(kTargetVersions.begin(), kTargetVersions.end(), options.version) == kTargetVersions.end()) {
    return fail(codes::kConvertVersion, unwritable_version(options.version));
  }
  if (whole.meshes.empty() && whole.nodes.empty()) {
    return fail(codes::kWriteUnsupported, "the scene is empty: it has neither meshes nor nodes");
  }
  if (options.hd == true && options.version < 900) {
    return fail(codes::kWriteUnsupported, "--hd needs version 900 or later, but the target version is " +
                                              std::to_string(options.version));
  }
  FromSceneOptions base_options = options;
  base_options.version = base_version(options.version);
  ModelBuilder builder(whole, base_options, diagnostics);
  add_header(builder);
  if (auto laid = lay_out_clips(builder); !laid) {
    return tl::unexpected<Error>(std::move(laid.error()));
  }
  index_channels(builder);
  find_references(builder);
  choose_objects(builder);
  add_missing_bone(builder);
  make_sequences(builder);
  make_materials(builder);
  if (auto geosets = make_geosets(builder); !geosets) {
    return tl::unexpected<Error>(std::move(geosets.error()));
  }
  make_objects(builder);
  make_cameras(builder);
  add_face_effects(builder);
  complete(builder);
  if (base_options.version < 900 || base_options.hd == false) {
    if (auto grouped = group_skins(builder); !grouped) {
      return tl::unexpected<Error>(std::move(grouped.error()));
    }
  } else if (base_options.version < 1400 && builder.document.find<Geosets>() != nullptr) {
    if (auto narrowed = narrow_skins(builder.document); !narrowed) {
      return tl::unexpected<Error>(std::move(narrowed.error()));
    }
  }
  if (!measure_extents(builder.document, options.control)) {
    return fail(codes::kStopped, "");
  }
  const double deviation = measure_deviation(builder);
  if (is_stopped(options.control)) {
    return fail(codes::kStopped, "");
  }
  add_bind_poses(builder.document);
  report_rest(builder);
  report_counted(builder);
  ModelOfScene result{std::move(builder.document), std::move(builder.pictures), deviation};
  if (base_options.version != options.version) {
    auto converted = convert_version(result.document, options.version);
    if (!converted) {
      return tl::unexpected<Error>(std::move(converted.error()));
    }
    add_losses(*converted, diagnostics);
    result.document = std::move(converted->document);
  }
  return result;
}

}  // namespace thaw::mdx
