// Splats and models that events spawn, by the tables of the game (warcraft3-rendering.md#events).
#include <thaw/mdx.hpp>

#include "bytes/number_text.hpp"
#include "bytes/text.hpp"
#include "open/parts.hpp"
#include "open/slk.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace thaw::open {
namespace {

/// A row of a table.
class Row {
 public:
  Row(const Slk& table, std::string_view id) : table_(table), id_(id) {}

  /// 0 for what is no number, or beyond what can be meant.
  [[nodiscard]] float number(std::string_view column) const {
    constexpr double kMost = 1e6;
    double value = 0;
    return parse_double(table_.cell(id_, column).value_or(""), value) && std::fabs(value) < kMost
               ? static_cast<float>(value)
               : 0;
  }
  [[nodiscard]] float length(std::string_view column) const { return std::max(number(column), 0.0F); }
  [[nodiscard]] std::uint32_t count(std::string_view column) const {
    constexpr float kMost = 65535;
    return static_cast<std::uint32_t>(std::min(length(column), kMost));
  }
  [[nodiscard]] Vec4 color(std::string_view which) const {
    constexpr float kFull = 255;
    Vec4 color{};
    for (std::size_t i = 0; i < color.size(); ++i) {
      const std::string column = std::string(which) + "RGBA"[i];
      color.at(i) = std::clamp(number(column) / kFull, 0.0F, 1.0F);
    }
    return color;
  }
  [[nodiscard]] scene::BlendMode blend() const {
    static constexpr std::array kModes = {scene::BlendMode::blend, scene::BlendMode::additive,
                                          scene::BlendMode::modulate, scene::BlendMode::modulate2x,
                                          scene::BlendMode::mask};
    const std::uint32_t mode = count("BlendMode");
    return mode < kModes.size() ? kModes.at(mode) : scene::BlendMode::blend;
  }

 private:
  const Slk& table_;
  std::string_view id_;
};

/// Blood and footprints: as long as they live, and then as long as they decay.
void take_small(const Row& row, scene::Splat& splat) {
  splat.birth = row.length("Lifespan");
  splat.rows = std::max(row.count("Rows"), 1U);
  splat.columns = std::max(row.count("Columns"), 1U);
  splat.birth_cells = {row.count("UVLifespanStart"), row.count("UVLifespanEnd"), row.count("LifespanRepeat")};
  splat.decay_cells = {row.count("UVDecayStart"), row.count("UVDecayEnd"), row.count("DecayRepeat")};
}

void take_large(const Row& row, scene::Splat& splat) {
  splat.birth = row.length("BirthTime");
  splat.pause = row.length("PauseTime");
}

bool is_family(std::string_view name, std::string_view family) {
  return ascii::same(name.substr(0, family.size()), family);
}

}  // namespace

void add_splats(const SceneContext& context, scene::Scene& scene) {
  constexpr std::size_t kHead = 4;
  if (scene.source_format != "mdx") {
    return;
  }
  const float scale = context.scale(mdx::SceneOptions().scale);
  GameTables tables(context.sources);
  for (std::size_t i = 0; i < scene.events.size(); ++i) {
    const std::string& name = scene.events[i].name;
    if (name.size() > kHead && is_family(name, "SPN")) {
      const Slk* spawns = tables.find("Splats\\SpawnData.slk");
      const auto model = spawns == nullptr ? std::nullopt : spawns->cell(name.substr(kHead, 4), "Model");
      scene.events[i].model = model.value_or("");
      continue;
    }
    const bool large = is_family(name, "UBR");
    if (name.size() <= kHead || !(large || is_family(name, "SPL") || is_family(name, "FPT"))) {
      continue;
    }
    const Slk* table = tables.find(large ? "Splats\\UberSplatData.slk" : "Splats\\SplatData.slk");
    const std::string_view id = std::string_view(name).substr(kHead, 4);
    const auto file = table == nullptr ? std::nullopt : table->cell(id, "file");
    if (!file || file->empty() || *file == "_") {
      continue;
    }
    const Row row(*table, id);
    scene::Splat splat;
    splat.event = static_cast<scene::Index>(i);
    splat.blend = row.blend();
    splat.scale = row.length("Scale") * scale;
    splat.decay = row.length("Decay");
    splat.colors = {row.color("Start"), row.color("Middle"), row.color("End")};
    large ? take_large(row, splat) : take_small(row, splat);
    splat.texture = static_cast<scene::Index>(scene.textures.size());
    scene.textures.push_back({splat_path(*file), 0, false, false, scene::kNone});
    scene.splats.push_back(splat);
  }
}

}  // namespace thaw::open
