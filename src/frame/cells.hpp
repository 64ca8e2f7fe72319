// Cells of a picture that runs through several.
#pragma once

#include <thaw/scene.hpp>

#include <algorithm>
#include <cmath>

namespace thaw::frame {

/// Left, top, right and bottom of the cell that is shown at a share of a run's time.
inline Vec4 cell_at(const scene::CellRun& run, std::uint32_t rows_in, std::uint32_t columns_in,
                    double share) {
  const double columns = std::max(1.0, static_cast<double>(columns_in));
  const double rows = std::max(1.0, static_cast<double>(rows_in));
  double cell = run.start;
  if (run.end > run.start) {
    const double count = static_cast<double>(run.end) - run.start;
    const double turn = std::floor(count * run.repeat * share);
    cell = std::min(run.start + (turn - std::floor(turn / count) * count), columns * rows - 1);
  }
  const double row = std::floor(cell / columns);
  const double column = cell - row * columns;
  return {static_cast<float>(column / columns), static_cast<float>(row / rows),
          static_cast<float>((column + 1) / columns), static_cast<float>((row + 1) / rows)};
}

}  // namespace thaw::frame
