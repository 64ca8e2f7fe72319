#include <thaw/forgelight.hpp>

#include "bytes/text.hpp"

#include <algorithm>
#include <array>

namespace thaw::forgelight {
namespace {

constexpr std::array kBones = {
    KnownBone{"WORLDROOT", ""},
    KnownBone{"TRAJECTORY", "WORLDROOT"},
    KnownBone{"COG", "WORLDROOT"},
    KnownBone{"PELVIS", "COG"},
    KnownBone{"SPINELOWER", "COG"},
    KnownBone{"R_HIP", "PELVIS"},
    KnownBone{"L_HIP", "PELVIS"},
    KnownBone{"R_HIPATTACH", "PELVIS"},
    KnownBone{"L_HIPATTACH", "PELVIS"},
    KnownBone{"SPINEMIDDLE", "SPINELOWER"},
    KnownBone{"R_KNEE", "R_HIP"},
    KnownBone{"L_KNEE", "L_HIP"},
    KnownBone{"SPINEUPPER", "SPINEMIDDLE"},
    KnownBone{"R_ANKLE", "R_KNEE"},
    KnownBone{"L_ANKLE", "L_KNEE"},
    KnownBone{"L_CLAVICLE", "SPINEUPPER"},
    KnownBone{"R_CLAVICLE", "SPINEUPPER"},
    KnownBone{"NECK", "SPINEUPPER"},
    KnownBone{"L_SHOULDERATTACH", "SPINEUPPER"},
    KnownBone{"R_SHOULDERATTACH", "SPINEUPPER"},
    KnownBone{"R_BALL", "R_ANKLE"},
    KnownBone{"L_BALL", "L_ANKLE"},
    KnownBone{"L_SHOULDER", "L_CLAVICLE"},
    KnownBone{"R_SHOULDER", "R_CLAVICLE"},
    KnownBone{"HEAD", "NECK"},
    KnownBone{"R_TOE", "R_BALL"},
    KnownBone{"L_TOE", "L_BALL"},
    KnownBone{"L_ELBOW", "L_SHOULDER"},
    KnownBone{"L_SHOULDERPAD", "L_SHOULDER"},
    KnownBone{"L_SHOULDERROLL", "L_SHOULDER"},
    KnownBone{"R_ELBOW", "R_SHOULDER"},
    KnownBone{"R_SHOULDERROLL", "R_SHOULDER"},
    KnownBone{"R_SHOULDERPAD", "R_SHOULDER"},
    KnownBone{"HEAD_END", "HEAD"},
    KnownBone{"L_FOREARM", "L_ELBOW"},
    KnownBone{"L_WRIST", "L_ELBOW"},
    KnownBone{"R_FOREARM", "R_ELBOW"},
    KnownBone{"R_WRIST", "R_ELBOW"},
    KnownBone{"L_WEAPON", "L_WRIST"},
    KnownBone{"L_THUMBA", "L_WRIST"},
    KnownBone{"L_MIDDLEA", "L_WRIST"},
    KnownBone{"L_RINGA", "L_WRIST"},
    KnownBone{"L_INDEXA", "L_WRIST"},
    KnownBone{"L_PINKYA", "L_WRIST"},
    KnownBone{"R_WEAPON", "R_WRIST"},
    KnownBone{"R_THUMBA", "R_WRIST"},
    KnownBone{"R_MIDDLEA", "R_WRIST"},
    KnownBone{"R_RINGA", "R_WRIST"},
    KnownBone{"R_INDEXA", "R_WRIST"},
    KnownBone{"R_PINKYA", "R_WRIST"},
    KnownBone{"L_THUMBB", "L_THUMBA"},
    KnownBone{"L_MIDDLEB", "L_MIDDLEA"},
    KnownBone{"L_RINGB", "L_RINGA"},
    KnownBone{"L_INDEXB", "L_INDEXA"},
    KnownBone{"L_PINKYB", "L_PINKYA"},
    KnownBone{"R_THUMBB", "R_THUMBA"},
    KnownBone{"R_MIDDLEB", "R_MIDDLEA"},
    KnownBone{"R_RINGB", "R_RINGA"},
    KnownBone{"R_INDEXB", "R_INDEXA"},
    KnownBone{"R_PINKYB", "R_PINKYA"},
    KnownBone{"L_THUMBC", "L_THUMBB"},
    KnownBone{"L_MIDDLEC", "L_MIDDLEB"},
    KnownBone{"L_RINGC", "L_RINGB"},
    KnownBone{"L_INDEXC", "L_INDEXB"},
    KnownBone{"L_PINKYC", "L_PINKYB"},
    KnownBone{"R_THUMBC", "R_THUMBB"},
    KnownBone{"R_MIDDLEC", "R_MIDDLEB"},
    KnownBone{"R_RINGC", "R_RINGB"},
    KnownBone{"R_INDEXC", "R_INDEXB"},
    KnownBone{"R_PINKYC", "R_PINKYB"},
    KnownBone{"L_THUMB_END", "L_THUMBC"},
    KnownBone{"L_MIDDLE_END", "L_MIDDLEC"},
    KnownBone{"L_RING_END", "L_RINGC"},
    KnownBone{"L_INDEX_END", "L_INDEXC"},
    KnownBone{"L_PINKY_END", "L_PINKYC"},
    KnownBone{"R_THUMB_END", "R_THUMBC"},
    KnownBone{"R_MIDDLE_END", "R_MIDDLEC"},
    KnownBone{"R_RING_END", "R_RINGC"},
    KnownBone{"R_INDEX_END", "R_INDEXC"},
    KnownBone{"R_PINKY_END", "R_PINKYC"},
};

constexpr std::array<std::string_view, 25> kParameters = {
    "BaseDiffuse", "baseDiffuse", "Diffuse",   "diffuseTexture", "DiffuseB",  "Bump",       "BumpMap",
    "BumpB",       "Spec",        "SpecMap",   "SpecGlow",       "SpecB",     "DetailMask", "detailBump",
    "DetailBump",  "HoloTexture", "DecalTint", "TilingTint",     "BlendMask", "Overlay",    "Overlay1",
    "Overlay2",    "Overlay3",    "Overlay4",  "TilingOverlay",
};

/// An arithmetic shift of what is kept without a sign.
constexpr std::uint32_t shift(std::uint32_t value, unsigned bits) {
  return static_cast<std::uint32_t>(static_cast<std::int32_t>(value) >> bits);
}

template <class Each>
constexpr std::uint32_t hash_with(std::string_view text, Each each) {
  std::uint32_t hash = 0;
  for (const char c : text) {
    hash += static_cast<std::uint32_t>(static_cast<signed char>(each(c)));
    hash += hash << 10U;
    hash ^= shift(hash, 6);
  }
  hash += hash << 3U;
  hash ^= shift(hash, 11);
  return hash + (hash << 15U);
}

constexpr std::uint32_t hash_of(std::string_view text) {
  return hash_with(text, [](char c) { return c; });
}

constexpr auto kBoneHashes = [] {
  std::array<std::uint32_t, kBones.size()> hashes{};
  for (std::size_t i = 0; i < kBones.size(); ++i) {
    hashes[i] = hash_of(kBones[i].name);
  }
  return hashes;
}();

}  // namespace

std::uint32_t hash(std::string_view text) { return hash_of(text); }

std::uint32_t hash_upper(std::string_view text) { return hash_with(text, ascii::upper); }

std::span<const KnownBone> known_bones() { return kBones; }

const KnownBone* known_bone(std::uint32_t hash) {
  const auto found = std::find(kBoneHashes.begin(), kBoneHashes.end(), hash);
  return found == kBoneHashes.end() ? nullptr
                                    : &kBones[static_cast<std::size_t>(found - kBoneHashes.begin())];
}

std::string_view parameter_name(std::uint32_t hash) {
  for (const auto name : kParameters) {
    if (hash_of(name) == hash) {
      return name;
    }
  }
  return {};
}

}  // namespace thaw::forgelight
