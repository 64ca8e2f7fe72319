// Finding codes of World of Warcraft's M3 models.
#pragma once

#include <thaw/codes.hpp>

#include <array>

#pragma GCC visibility push(default)

namespace thaw::codes {

inline constexpr Code kM3Encrypted{"m3.encrypted", Severity::error,
                                   "zeros in place of content: the file is encrypted and its key is missing"};
inline constexpr Code kM3ElementFormat{"m3.element-format", Severity::error,
                                       "buffer of unknown element format; preserved as bytes"};
inline constexpr Code kM3GeosetStride{"m3.geoset-stride", Severity::warning,
                                      "geoset record size disagrees with the mesh version"};
inline constexpr Code kM3Materials{"m3.materials-layout", Severity::warning,
                                   "material instances of unknown layout; preserved as bytes"};
inline constexpr Code kM3Weights{"m3.weights-layout", Severity::warning,
                                 "bone weights of ambiguous layout; preserved as bytes"};
inline constexpr Code kM3Collision{"m3.collision-layout", Severity::warning,
                                   "collision chunk of unknown layout; preserved as bytes"};
inline constexpr Code kM3Winding{"m3.winding", Severity::warning,
                                 "triangles facing against their normals; flipped"};

/// Every code of M3 models.
inline constexpr std::array kM3 = {kM3Encrypted, kM3ElementFormat, kM3GeosetStride, kM3Materials,
                                   kM3Weights,   kM3Collision,     kM3Winding};

}  // namespace thaw::codes

#pragma GCC visibility pop
