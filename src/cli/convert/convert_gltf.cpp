#include "cli/convert/convert_gltf.hpp"

#include "bytes/shown.hpp"
#include "cli/convert/convert_animation.hpp"
#include "cli/platform/job_control.hpp"
#include "cli/report/console.hpp"
#include "cli/report/text.hpp"
#include "formats/descriptor.hpp"

namespace thaw::cli {

GltfReadOptions gltf_options(const Input& input, const Settings& settings) {
  GltfReadOptions options;
  options.limits = read_options(settings).limits;
  options.control = current_control();
  if (input.name != "-") {
    const std::filesystem::path parent = input.path.parent_path();
    const auto folder = open_folder(parent.empty() ? "." : parent);
    options.open = [folder](std::string_view uri) -> Result<Bytes> {
      if (auto bytes = folder->read(normalize_game_path(uri))) {
        return std::move(*bytes);
      }
      return fail(codes::kGltfReference, concat({uri, " is not in the folder of the file"}));
    };
  }
  return options;
}

namespace {

/// The clip that --clip means; the first without it.
std::string chosen_clip(const scene::Scene& scene, const Settings& settings) {
  const auto wanted = wanted_clips(settings);
  for (const auto& clip : scene.clips) {
    if (!wanted || wanted(clip.name)) {
      return clip.name;
    }
  }
  return settings.clip;
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
  return product;
}

}  // namespace

Result<Product> make_of_scene(const Work& work) {
  const SceneWriter& writer = *work.target.of_scenes->from_scene;
  const Settings& settings = work.settings;
  const SkeletonChoice choice = writer.network ? parse_skeleton(settings.skeleton) : SkeletonChoice{};
  std::optional<mrn::Document> network;
  if (writer.network) {
    auto read = read_network(choice, settings, work.findings);
    if (!read) {
      return tl::unexpected<Error>(std::move(read.error()));
    }
    network = std::move(*read);
  }
  GltfReadOptions reading = gltf_options(work.input, settings);
  reading.base_colors = writer.colors;
  const auto scene = read_gltf(work.content.bytes, reading, work.findings);
  if (!scene) {
    return tl::unexpected<Error>(scene.error());
  }
  SceneToWrite order{*scene, {}, {}, {}, network ? &*network : nullptr, choice.name, true, work.findings};
  if (settings.scale) {
    order.scale = static_cast<float>(*settings.scale);
  }
  if (settings.format_version) {
    order.version = static_cast<std::uint32_t>(*settings.format_version);
  }
  order.clip = chosen_clip(*scene, settings);
  order.root_motion = settings.root_motion != "off";
  return writer.write(order).map([&](SceneFile&& file) { return product_of(work, std::move(file)); });
}

}  // namespace thaw::cli
