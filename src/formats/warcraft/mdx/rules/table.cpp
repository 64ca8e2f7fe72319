#include "formats/warcraft/mdx/rules/table.hpp"

namespace thaw::mdx::rules {

std::vector<std::span<const ModelRule>> all_rules() {
  return {model_rules(),        sequence_rules(), texture_rules(),
          texture_file_rules(), material_rules(), geoset_rules(),
          face_rules(),         skin_rules(),     geoset_animation_rules(),
          node_rules(),         object_rules(),   emitter_rules(),
          camera_rules(),       track_rules(),    track_timing_rules()};
}

}  // namespace thaw::mdx::rules
