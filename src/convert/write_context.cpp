// Context that writers of formats receive.
#include <thaw/convert.hpp>

#include "bytes/number_text.hpp"
#include "bytes/text.hpp"
#include "formats/descriptor.hpp"
#include "scene/source.hpp"

#include <algorithm>

namespace thaw {

std::string WriteContext::name() const { return std::string(without_extension(file_name)); }

const Control* WriteContext::control() const { return options.scene.read.control; }

float WriteContext::scale(std::string_view format, float usual) const {
  return options.scene.scale.value_or(scene::stated_scale(scene, format).value_or(usual));
}

std::string WriteContext::texture_folder() const {
  std::string folder = options.model.texture_path;
  std::replace(folder.begin(), folder.end(), '/', '\\');
  return folder.empty() || folder.back() == '\\' ? folder : folder + '\\';
}

Outputs output_of(const WriteContext& context, Bytes bytes, std::span<const Facts::Count> counts) {
  Outputs outputs;
  outputs.files.push_back({context.file_name, std::move(bytes)});
  for (const auto& [kind, count] : counts) {
    outputs.note += (outputs.note.empty() ? "" : " · ") + counted(count, kind);
    // "3 vertices": the same word for machines.
    outputs.json.emplace_back(counted(0, kind).substr(2), static_cast<std::int64_t>(count));
  }
  return outputs;
}

void state_deviation(Outputs& outputs, double units) {
  constexpr double kRounding = 1e-9;
  units = units < kRounding ? 0 : units;
  outputs.note += " · largest deviation " + short_number(units) + " units";
  outputs.json.emplace_back("max_deviation", units);
}

}  // namespace thaw
