// Finding codes of World of Warcraft's M3 models.
#pragma once

#include <thaw/codes.hpp>

#include <array>

#pragma GCC visibility push(default)

namespace thaw::codes {

inline constexpr Code kM3Encrypted{"m3.encrypted", Severity::error,
                                   "zeros where content belongs: the file is encrypted, its key is missing"};
inline constexpr Code kM3ElementFormat{"m3.element-format", Severity::error,
                                       "a buffer whose element format is not known; kept raw"};
inline constexpr Code kM3GeosetStride{"m3.geoset-stride", Severity::warning,
                                      "geoset records whose size disagrees with the mesh version"};
inline constexpr Code kM3Materials{"m3.materials-layout", Severity::warning,
                                   "material instances of an unknown layout; kept raw"};
inline constexpr Code kM3Weights{"m3.weights-layout", Severity::warning,
                                 "bone weights whose layout the bytes do not decide; kept raw"};
inline constexpr Code kM3Collision{"m3.collision-layout", Severity::warning,
                                   "a collision chunk in which no walk ends where it should; kept raw"};
inline constexpr Code kM3Winding{"m3.winding", Severity::warning,
                                 "triangles that face against their normals; turned around"};

/// Every code of M3 models.
inline constexpr std::array kM3 = {kM3Encrypted, kM3ElementFormat, kM3GeosetStride, kM3Materials,
                                   kM3Weights,   kM3Collision,     kM3Winding};

}  // namespace thaw::codes

#pragma GCC visibility pop
