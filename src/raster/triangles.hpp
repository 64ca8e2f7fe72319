// From a frame's draws to triangles on the screen: projection, clipping, and which tile sees what.
#pragma once

#include "raster/textures.hpp"

#include <array>
#include <vector>

namespace thaw::raster {

inline constexpr std::int32_t kTile = 32;       ///< pixels
inline constexpr std::int32_t kSubpixel = 256;  ///< parts of a pixel

/// What is interpolated, all divided by w.
enum Attribute : std::uint8_t { kU, kV, kRed, kGreen, kBlue, kAlpha, kAttributes };

/// The same of draws that are lit pixel by pixel.
enum SurfaceAttribute : std::uint8_t {
  kPlaceOf = 0,
  kNormalOf = 3,
  kTangentOf = 6,
  kSideOf = 9,
  kSurface = 10
};
using SurfaceAttributes = std::array<float, kSurface>;

struct ScreenVertex {
  std::int32_t x = 0;  ///< in parts of a pixel from the left
  std::int32_t y = 0;  ///< from the top
  float z = 0;         ///< 0 near, 1 far
  float inverse_w = 1;
  std::array<float, kAttributes> attributes{};
  std::uint32_t surface = frame::kNone;  ///< in Batch::surfaces
};

struct ScreenTriangle {
  std::array<std::uint32_t, 3> vertices{};
  std::uint32_t draw = 0;
};

/// A run of triangles in the order in which they are drawn, and which of them each tile has to look at.
struct Batch {
  std::vector<ScreenVertex> vertices;
  std::vector<SurfaceAttributes> surfaces;
  std::vector<ScreenTriangle> triangles;
  std::vector<std::vector<std::uint32_t>> bins;
  std::size_t entries = 0;  ///< of all bins
};

/// Cuts a frame into batches of bounded size.
class Assembler {
 public:
  Assembler(const frame::Frame& frame, const Options& options);

  /// Fills the batch with what comes next; false if nothing is left.
  bool next(Batch& batch);

  [[nodiscard]] std::int32_t columns() const { return columns_; }
  [[nodiscard]] std::int32_t rows() const { return rows_; }

 private:
  struct ClipVertex {
    std::array<double, 4> position{};  ///< x y z w before division
    std::array<float, kAttributes> attributes{};
    SurfaceAttributes surface{};
    std::uint32_t outside = 0;
    std::uint32_t index = frame::kNone;  ///< in the batch, once it is there
    std::uint64_t draw = 0;              ///< number of the draw that it was transformed for
    std::uint64_t batch = 0;             ///< number of the batch that `index` is of
  };

  void begin_draw();
  ClipVertex& vertex_at(std::uint32_t vertex);
  void assemble(Batch& batch, std::uint32_t primitive);
  [[nodiscard]] bool draw_is_sound(const frame::Draw& draw) const;
  [[nodiscard]] ClipVertex transformed(const frame::Draw& draw, std::uint32_t vertex) const;
  static void mark_outside(ClipVertex& vertex);
  void add_triangle(Batch& batch, std::array<ClipVertex*, 3> corners);
  void add_line(Batch& batch, ClipVertex from, ClipVertex to);
  void clip(Batch& batch, const std::array<ClipVertex*, 3>& corners);
  std::uint32_t project(Batch& batch, ClipVertex& vertex) const;
  void bin(Batch& batch, const ScreenTriangle& triangle);

  const frame::Frame& frame_;
  const Options& options_;
  std::array<double, 16> matrix_{};
  std::int32_t columns_;
  std::int32_t rows_;
  std::size_t draw_ = 0;
  std::uint32_t primitive_ = 0;
  bool begun_ = false;
  std::uint64_t draws_begun_ = 0;
  std::uint64_t batches_begun_ = 0;
  /// Of the draw in hand, as far as its triangles have asked for them: a draw may name few of many vertices.
  std::vector<ClipVertex> vertices_;
  std::uint32_t vertex_count_ = 0;
};

}  // namespace thaw::raster
