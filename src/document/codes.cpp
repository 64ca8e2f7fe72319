#include <thaw/archive_codes.hpp>
#include <thaw/budget_codes.hpp>
#include <thaw/casc_codes.hpp>
#include <thaw/codes.hpp>
#include <thaw/edit_codes.hpp>
#include <thaw/forgelight_codes.hpp>
#include <thaw/gltf_codes.hpp>
#include <thaw/limit_codes.hpp>
#include <thaw/m3_codes.hpp>
#include <thaw/option_codes.hpp>
#include <thaw/scene_codes.hpp>
#include <thaw/wow_codes.hpp>

namespace thaw::codes {
namespace {

template <std::size_t N>
void append(std::vector<Code>& all, const std::array<Code, N>& codes) {
  all.insert(all.end(), codes.begin(), codes.end());
}

}  // namespace

std::vector<Code> all() {
  std::vector<Code> result;
  append(result, kCommon);
  append(result, kTerrain);
  append(result, kBuilding);
  append(result, kAlphaModel);
  append(result, kLight);
  append(result, kM3);
  append(result, kAnimation);
  append(result, kActor);
  append(result, kPack);
  append(result, kArchives);
  append(result, kCasc);
  append(result, kScenes);
  append(result, kGltf);
  append(result, kEdits);
  append(result, kLimits);
  append(result, kBudgets);
  append(result, kOptions);
  return result;
}

}  // namespace thaw::codes
