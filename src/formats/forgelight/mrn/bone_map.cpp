// Other names of bones.
#include <thaw/mrn.hpp>

#include <thaw/codes.hpp>

#include "bytes/text.hpp"

#include <algorithm>
#include <array>

namespace thaw::mrn {
namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r";
  const std::size_t from = text.find_first_not_of(kBlanks);
  return from == std::string_view::npos ? std::string_view{}
                                        : text.substr(from, text.find_last_not_of(kBlanks) - from + 1);
}

std::size_t stars(std::string_view text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '*'));
}

/// What is wrong with a line; empty: nothing.
std::string problem(std::string_view from, std::string_view to) {
  return from.empty() || to.empty() ? "expected NODE = BONE"
         : stars(from) > 1 || stars(to) > stars(from)
             ? "NODE and BONE may contain one * each; BONE needs one in NODE"
             : "";
}

struct Known {
  std::string_view bone;    ///< of the humanoid skeleton
  std::string_view mixamo;  ///< after "mixamorig:"
  std::string_view rigify;  ///< of the bones that deform
};

constexpr std::array kKnown = {
    Known{"pelvis", "Hips", "DEF-spine"},
    Known{"spineLower", "Spine", "DEF-spine.001"},
    Known{"spineMiddle", "Spine1", "DEF-spine.002"},
    Known{"spineUpper", "Spine2", "DEF-spine.003"},
    Known{"neck", "Neck", "DEF-spine.004"},
    Known{"head", "Head", "DEF-spine.006"},
    Known{"L_clavicle", "LeftShoulder", "DEF-shoulder.L"},
    Known{"L_shoulder", "LeftArm", "DEF-upper_arm.L"},
    Known{"L_elbow", "LeftForeArm", "DEF-forearm.L"},
    Known{"L_wrist", "LeftHand", "DEF-hand.L"},
    Known{"R_clavicle", "RightShoulder", "DEF-shoulder.R"},
    Known{"R_shoulder", "RightArm", "DEF-upper_arm.R"},
    Known{"R_elbow", "RightForeArm", "DEF-forearm.R"},
    Known{"R_wrist", "RightHand", "DEF-hand.R"},
    Known{"L_hip", "LeftUpLeg", "DEF-thigh.L"},
    Known{"L_knee", "LeftLeg", "DEF-shin.L"},
    Known{"L_ankle", "LeftFoot", "DEF-foot.L"},
    Known{"L_ball", "LeftToeBase", "DEF-toe.L"},
    Known{"R_hip", "RightUpLeg", "DEF-thigh.R"},
    Known{"R_knee", "RightLeg", "DEF-shin.R"},
    Known{"R_ankle", "RightFoot", "DEF-foot.R"},
    Known{"R_ball", "RightToeBase", "DEF-toe.R"},
};

}  // namespace

Result<BoneNames> read_bone_map(std::string_view text) {
  BoneNames names;
  std::size_t number = 0;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = trimmed(text.substr(0, end));
    text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
    ++number;
    if (line.empty() || line.front() == '#') {
      continue;
    }
    const std::size_t sign = line.find('=');
    const std::string_view from = trimmed(line.substr(0, sign));
    const std::string_view to = sign == std::string_view::npos ? "" : trimmed(line.substr(sign + 1));
    if (const std::string why = problem(from, to); !why.empty()) {
      return fail(codes::kFormatForeign, "line " + std::to_string(number) + ": " + why);
    }
    names.emplace_back(from, to);
  }
  return names;
}

std::optional<BoneNames> known_bone_map(std::string_view program) {
  const bool mixamo = ascii::same(program, "mixamo");
  if (!mixamo && !ascii::same(program, "rigify")) {
    return std::nullopt;
  }
  BoneNames names;
  for (const Known& known : kKnown) {
    // Exporters differ in what they make of a colon.
    for (const std::string_view before : {"mixamorig:", "mixamorig_", "mixamorig"}) {
      if (mixamo) {
        names.emplace_back(std::string(before) + std::string(known.mixamo), known.bone);
      }
    }
    if (!mixamo) {
      names.emplace_back(known.rigify, known.bone);
    }
  }
  return names;
}

}  // namespace thaw::mrn
