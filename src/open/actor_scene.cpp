#include <thaw/codes.hpp>
#include <thaw/forgelight.hpp>
#include <thaw/load.hpp>

#include "bytes/text.hpp"

#include <optional>

namespace thaw::adr {
namespace {

using scene::Index;
using scene::kNone;

class Assembly {
 public:
  Assembly(const Actor& actor, const Sources& sources, const SceneOptions& options, Diagnostics& diagnostics)
      : actor_(actor), sources_(sources), options_(options), diagnostics_(diagnostics) {}

  Result<scene::Scene> run(std::string_view name) {
    scene_.name = name;
    scene_.source_format = "adr";
    scene_.axes = scene::Axes::x_front;
    add_node(std::string(name), scene::NodeKind::root, kNone);
    auto network = read_network();
    if (network) {
      add_skeleton(*network);
    }
    auto models = add_models();
    if (!models) {
      return tl::unexpected<Error>(std::move(models.error()));
    }
    if (network && placed_) {
      mrn::add_clips(*network, *placed_, options_.clips, scene_, diagnostics_);
      for (const auto& [clip, animation] : options_.animations) {
        mrn::add_clip(*network, *placed_, *animation, clip, options_.clips, scene_, diagnostics_);
      }
    }
    add_extras();
    return std::move(scene_);
  }

 private:
  Index add_node(std::string name, scene::NodeKind kind, Index parent) {
    scene::Node node;
    node.name = std::move(name);
    node.kind = kind;
    node.parent = parent;
    scene_.nodes.push_back(std::move(node));
    return static_cast<Index>(scene_.nodes.size() - 1);
  }

  void missing(const std::string& name) { diagnostics_.add(codes::kAdrMissing, to_utf8(name)); }

  // --- the network
  // ------------------------------------------------------------------------------------------

  std::optional<mrn::Document> read_network() {
    if (actor_.network.empty()) {
      return std::nullopt;
    }
    auto found = sources_.find(actor_.network);
    if (!found) {
      found = sources_.find(std::string(without_extension(actor_.network)) + "X64.mrn");
    }
    if (!found) {
      missing(actor_.network);
      return std::nullopt;
    }
    auto network = mrn::read(found->bytes, options_.read, diagnostics_);
    if (!network) {
      diagnostics_.add(network.error());
      return std::nullopt;
    }
    return std::move(*network);
  }

  void add_skeleton(const mrn::Document& network) {
    const std::string& name = options_.skeleton.empty() ? actor_.animation_set : options_.skeleton;
    const auto skeleton = mrn::find_skeleton(network, name, diagnostics_);
    if (!skeleton) {
      diagnostics_.add(skeleton.error());
      return;
    }
    placed_ = mrn::add_skeleton(network, *skeleton, 0, scene_, diagnostics_);
    for (const auto& [bone, node] : placed_->by_name) {
      bones_.emplace(forgelight::hash_upper(bone), node);
    }
  }

  // --- the models
  // -------------------------------------------------------------------------------------------

  [[nodiscard]] Result<std::vector<Lod>> chosen_lods() {
    std::vector<Lod> all = {actor_.base};
    all.insert(all.end(), actor_.lods.begin(), actor_.lods.end());
    if (options_.lod.all) {
      return all;
    }
    const std::size_t chosen = options_.lod.one;
    if (chosen >= all.size()) {
      return fail(codes::kSceneNoLevel, "level of detail " + std::to_string(chosen) +
                                            " does not exist; the coarsest level is " +
                                            std::to_string(all.size() - 1));
    }
    if (all[chosen].model.empty()) {
      diagnostics_.add(codes::kAdrMissing, "level of detail " + std::to_string(chosen) +
                                               " names no model, so nothing of it is shown");
    }
    return std::vector<Lod>{all[chosen]};
  }

  /// The finest one hangs below the root, and its node knows the others.
  Result<void> add_models() {
    Index finest = kNone;
    const auto chosen = chosen_lods();
    if (!chosen) {
      return tl::unexpected<Error>(chosen.error());
    }
    for (const auto& lod : *chosen) {
      if (lod.model.empty()) {
        continue;
      }
      const bool first = finest == kNone;
      const Index node =
          add_node(to_utf8(without_extension(lod.model)), scene::NodeKind::helper, first ? 0 : kNone);
      auto added = add_model(lod, node);
      if (!added && first) {
        return added;
      }
      if (!added) {
        scene_.nodes.pop_back();
        diagnostics_.add(added.error());
        continue;
      }
      scene_.nodes[node].extras.set("distance", lod.distance);
      if (first) {
        finest = node;
      } else {
        scene_.nodes[finest].lods.push_back(node);
      }
    }
    return {};
  }

  Result<void> add_model(const Lod& lod, Index node) {
    const auto found = sources_.find(lod.model);
    if (!found) {
      return fail(codes::kAdrMissing, to_utf8(lod.model));
    }
    const auto model = dme::read(found->bytes, options_.read, diagnostics_);
    if (!model) {
      return tl::unexpected<Error>(model.error());
    }
    const auto palette = read_palette(lod.materials);
    dme::SceneOptions options;
    options.library = options_.library;
    options.palette = palette ? &*palette : nullptr;
    options.aliases = actor_.aliases;
    options.sources = &sources_;
    options.read = options_.read;
    options.bone_parent = 0;
    dme::add_model(*model, to_utf8(without_extension(lod.model)), options, node, bones_, scene_,
                   diagnostics_);
    return {};
  }

  /// Most actors name a file that is just what the model holds, so that its absence is no loss.
  std::optional<dma::Document> read_palette(const std::string& name) {
    const auto found = name.empty() ? std::nullopt : sources_.find(name);
    if (!found) {
      return std::nullopt;
    }
    auto palette = dma::read(found->bytes, options_.read, diagnostics_);
    if (!palette) {
      diagnostics_.add(palette.error());
      return std::nullopt;
    }
    return std::move(*palette);
  }

  void add_extras() {
    Value value;
    value.set("network", to_utf8(actor_.network));
    value.set("animation_set", to_utf8(actor_.animation_set));
    value.set("collision", to_utf8(actor_.collision));
    scene_.extras = std::move(value);
  }

  const Actor& actor_;
  const Sources& sources_;
  const SceneOptions& options_;
  Diagnostics& diagnostics_;
  scene::Scene scene_;
  std::optional<mrn::PlacedSkeleton> placed_;
  dme::BoneNodes bones_;
};

}  // namespace

Result<scene::Scene> to_scene(const Actor& actor, std::string_view name, const Sources& sources,
                              const SceneOptions& options, Diagnostics& diagnostics) {
  return Assembly(actor, sources, options, diagnostics).run(name);
}

}  // namespace thaw::adr
