#include "scene/math.hpp"

#include <algorithm>
#include <array>

namespace thaw::scene {
namespace {

/// 1/first!, -1/(first+2)!, …: a division is dearer than the whole rest of a term, so these are made ahead.
template <std::size_t count>
constexpr std::array<double, count> alternating_factorials(unsigned first) {
  std::array<double, count> result{};
  double value = 1;
  for (unsigned n = 2; n <= first; ++n) {
    value /= static_cast<double>(n);
  }
  for (auto& entry : result) {
    entry = value;
    value /= -(static_cast<double>(first) + 1) * (static_cast<double>(first) + 2);
    first += 2;
  }
  return result;
}

/// 1, -1/3, 1/5, …
constexpr auto arc_tangent_coefficients() {
  std::array<double, 16> result{};
  double n = 1;
  for (auto& entry : result) {
    entry = 1 / n;
    n = n > 0 ? -(n + 2) : -n + 2;
  }
  return result;
}

template <std::size_t count>
double polynomial(const std::array<double, count>& coefficients, double x) {
  double sum = 0;
  for (std::size_t i = count; i-- > 0;) {
    sum = sum * x + coefficients[i];
  }
  return sum;
}

/// Taylor series for |x| ≤ π/4; the first term left out is below 1e-17.
double sine_series(double x) {
  constexpr auto kCoefficients = alternating_factorials<9>(1);
  return x * polynomial(kCoefficients, x * x);
}

double cosine_series(double x) {
  constexpr auto kCoefficients = alternating_factorials<10>(0);
  return polynomial(kCoefficients, x * x);
}

/// Of 0 ≤ x ≤ 1, by halving the angle twice and a series.
double arc_tangent_unit(double x) {
  constexpr auto kCoefficients = arc_tangent_coefficients();
  for (int i = 0; i < 2; ++i) {
    x = x / (1 + std::sqrt(1 + x * x));
  }
  return 4 * x * polynomial(kCoefficients, x * x);
}

}  // namespace

double sine(double angle) {
  const double turns = std::floor(angle / (kPi / 2) + 0.5);
  const double rest = angle - turns * (kPi / 2);
  const double quarter = turns - 4 * std::floor(turns / 4);
  if (quarter < 0.5) {
    return sine_series(rest);
  }
  if (quarter < 1.5) {
    return cosine_series(rest);
  }
  return quarter < 2.5 ? -sine_series(rest) : -cosine_series(rest);
}

double cosine(double angle) { return sine(angle + kPi / 2); }

double arc_tangent(double y, double x) {
  const double ax = std::fabs(x);
  const double ay = std::fabs(y);
  if (ax == 0 && ay == 0) {
    return 0;
  }
  double angle = ay <= ax ? arc_tangent_unit(ay / ax) : kPi / 2 - arc_tangent_unit(ax / ay);
  if (x < 0) {
    angle = kPi - angle;
  }
  return y < 0 ? -angle : angle;
}

double srgb_to_linear(double value) {
  if (!(value > 0)) {
    return 0;
  }
  if (value <= 0.04045) {
    return value / 12.92;
  }
  // x^2.4 = x² · (x²)^(1/5), the fifth root by Newton's method.
  const double x = (value + 0.055) / 1.055;
  const double square = x * x;
  double root = std::max(1.0, square);
  for (int i = 0; i < 40; ++i) {
    const double fourth = root * root * root * root;
    const double next = root - (root * fourth - square) / (5 * fourth);
    if (!(next < root)) {  // it falls until it has converged
      break;
    }
    root = next;
  }
  return square * root;
}

double linear_to_srgb(double value) {
  constexpr double kBrightest = 16;  // above it the powers below end
  if (!(value > 0)) {
    return 0;
  }
  if (value <= 0.0031308) {
    return value * 12.92;
  }
  // x^(1/2.4) is the twelfth root of x^5, by Newton's method.
  const double x = std::min(value, kBrightest);
  const double power = x * x * x * x * x;
  double root = std::max(1.0, x);
  for (int i = 0; i < 100; ++i) {
    const double third = root * root * root;
    const double eleventh = third * third * third * root * root;
    const double next = root - (root * eleventh - power) / (12 * eleventh);
    if (!(next < root)) {  // it falls until it has converged
      break;
    }
    root = next;
  }
  return 1.055 * root - 0.055;
}

Vec4d slerp(const Vec4d& a, const Vec4d& b, double t) {
  const double sign = dot(a, b) < 0 ? -1 : 1;
  const Vec4d end = {sign * b[0], sign * b[1], sign * b[2], sign * b[3]};
  const double angle = rotation_angle(a, b) / 2;
  const double whole = sine(angle);
  // Close together the chord is the arc.
  const double from = whole < 1e-6 ? 1 - t : sine((1 - t) * angle) / whole;
  const double to = whole < 1e-6 ? t : sine(t * angle) / whole;
  Vec4d result{};
  for (std::size_t i = 0; i < result.size(); ++i) {
    result[i] = from * a[i] + to * end[i];
  }
  return normalized(result);
}

double rotation_angle(const Vec4d& a, const Vec4d& b) {
  const Vec4d turn = quaternion_product(b, conjugate(a));
  return 2 * arc_tangent(length({turn[0], turn[1], turn[2]}), std::fabs(turn[3]));
}

Mat4d compose(const Vec3d& translation, const Vec4d& rotation, const Vec3d& scale) {
  const auto& [x, y, z, w] = rotation;
  return {(1 - 2 * (y * y + z * z)) * scale[0],
          2 * (x * y + z * w) * scale[0],
          2 * (x * z - y * w) * scale[0],
          0,
          2 * (x * y - z * w) * scale[1],
          (1 - 2 * (x * x + z * z)) * scale[1],
          2 * (y * z + x * w) * scale[1],
          0,
          2 * (x * z + y * w) * scale[2],
          2 * (y * z - x * w) * scale[2],
          (1 - 2 * (x * x + y * y)) * scale[2],
          0,
          translation[0],
          translation[1],
          translation[2],
          1};
}

Mat4d multiply(const Mat4d& a, const Mat4d& b) {
  Mat4d product{};
  for (std::size_t column = 0; column < 4; ++column) {
    for (std::size_t row = 0; row < 4; ++row) {
      double sum = 0;
      for (std::size_t i = 0; i < 4; ++i) {
        sum += a[i * 4 + row] * b[column * 4 + i];
      }
      product[column * 4 + row] = sum;
    }
  }
  return product;
}

Mat4d inverse(const Mat4d& m) {
  const Vec3d c0 = {m[0], m[1], m[2]};
  const Vec3d c1 = {m[4], m[5], m[6]};
  const Vec3d c2 = {m[8], m[9], m[10]};
  const double determinant = dot(c0, cross(c1, c2));
  if (!(std::fabs(determinant) > 1e-30) || !std::isfinite(determinant)) {
    return kIdentity;
  }
  const std::array<Vec3d, 3> rows = {scaled(cross(c1, c2), 1 / determinant),
                                     scaled(cross(c2, c0), 1 / determinant),
                                     scaled(cross(c0, c1), 1 / determinant)};
  const Vec3d t = translation_of(m);
  Mat4d result = kIdentity;
  for (std::size_t row = 0; row < 3; ++row) {
    for (std::size_t column = 0; column < 3; ++column) {
      result[column * 4 + row] = rows[row][column];
    }
    result[12 + row] = -dot(rows[row], t);
  }
  return result;
}

namespace {

/// The unit quaternion of three orthonormal columns.
Vec4d rotation_of(const std::array<Vec3d, 3>& c) {
  const double trace = c[0][0] + c[1][1] + c[2][2];
  if (trace > 0) {
    const double s = 2 * std::sqrt(trace + 1);
    return normalized({(c[1][2] - c[2][1]) / s, (c[2][0] - c[0][2]) / s, (c[0][1] - c[1][0]) / s, s / 4});
  }
  std::size_t i = c[1][1] > c[0][0] ? 1 : 0;
  i = c[2][2] > c[i][i] ? 2 : i;
  const std::size_t j = (i + 1) % 3;
  const std::size_t k = (i + 2) % 3;
  const double s = 2 * std::sqrt(std::max(0.0, 1 + c[i][i] - c[j][j] - c[k][k]));
  Vec4d q{};
  q[i] = s / 4;
  q[j] = (c[i][j] + c[j][i]) / s;
  q[k] = (c[i][k] + c[k][i]) / s;
  q[3] = (c[j][k] - c[k][j]) / s;
  return normalized(q);
}

}  // namespace

Transform decompose(const Mat4d& m) {
  std::array<Vec3d, 3> columns = {Vec3d{m[0], m[1], m[2]}, Vec3d{m[4], m[5], m[6]}, Vec3d{m[8], m[9], m[10]}};
  Vec3d scale = {length(columns[0]), length(columns[1]), length(columns[2])};
  if (dot(columns[0], cross(columns[1], columns[2])) < 0) {
    scale[0] = -scale[0];
  }
  // Gram–Schmidt; a column without length is replaced by what completes the frame.
  constexpr double kTiny = 1e-12;
  Vec3d x = std::fabs(scale[0]) > kTiny ? scaled(columns[0], 1 / scale[0]) : Vec3d{1, 0, 0};
  Vec3d y = subtract(columns[1], scaled(x, dot(x, columns[1])));
  if (length(y) <= kTiny) {
    y = cross(std::fabs(x[2]) < 0.9 ? Vec3d{0, 0, 1} : Vec3d{0, 1, 0}, x);
  }
  y = scaled(y, 1 / length(y));
  const Vec3d z = cross(x, y);
  const Vec4d rotation = rotation_of({x, y, z});
  // Numbers beyond all measure turn nothing.
  const bool finite =
      std::all_of(rotation.begin(), rotation.end(), [](double c) { return std::isfinite(c); });
  return {narrow(translation_of(m)), finite ? narrow(rotation) : Vec4{0, 0, 0, 1}, narrow(scale)};
}

}  // namespace thaw::scene
