#include "scene/similarity.hpp"

namespace thaw::scene {

bool Similarity::keeps_axes() const {
  return std::all_of(rows.begin(), rows.end(), [](const Vec3d& row) {
    return std::all_of(row.begin(), row.end(), [](double x) { return x == 0 || std::fabs(x) == 1; });
  });
}

std::string Similarity::words() const {
  std::string what;
  const auto add_word = [&](bool done, const char* word) {
    what += done ? (what.empty() ? "" : ", ") + std::string(word) : "";
  };
  add_word(turns, "turned");
  add_word(scale != 1, "scaled");
  add_word(offset != Vec3d{}, "moved");
  return what;
}

double snapped(double x) {
  constexpr double kRounding = 1e-12;
  const double whole = std::round(x);
  return std::fabs(x - whole) < kRounding ? whole : x;
}

Similarity similarity_of(const thaw::Placement& placement) {
  Similarity similarity;
  similarity.turn = normalized(placement.turn);
  const Mat4d matrix = compose({}, similarity.turn, {1, 1, 1});
  for (std::size_t row = 0; row < 3; ++row) {
    for (std::size_t column = 0; column < 3; ++column) {
      similarity.rows.at(row).at(column) = snapped(matrix.at(column * 4 + row));
    }
  }
  similarity.turns = similarity.rows != Similarity().rows;
  similarity.scale = placement.scale;
  similarity.offset = placement.move;
  return similarity;
}

std::pair<Vec3, Vec3> transformed_box(const Similarity& similarity, const Vec3& minimum,
                                      const Vec3& maximum) {
  std::pair<Vec3, Vec3> box;
  for (unsigned corner = 0; corner < 8; ++corner) {
    Vec3 at{};
    for (unsigned axis = 0; axis < 3; ++axis) {
      at.at(axis) = ((corner >> axis) & 1U) != 0 ? maximum.at(axis) : minimum.at(axis);
    }
    const Vec3 point = similarity.point(at);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      box.first.at(axis) = corner == 0 ? point.at(axis) : std::min(box.first.at(axis), point.at(axis));
      box.second.at(axis) = corner == 0 ? point.at(axis) : std::max(box.second.at(axis), point.at(axis));
    }
  }
  return box;
}

}  // namespace thaw::scene
