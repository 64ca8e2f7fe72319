// thaw_pose_oracle MODEL.mdx SEQUENCES TIMES: where the oracle puts the vertices of a model, as JSON. Up to
// SEQUENCES sequences spread over the model, TIMES moments in each; metres and axes of glTF, ms.

#include <thaw/mdx.hpp>
#include <thaw/mdx_alpha.hpp>
#include <thaw/sources.hpp>
#include <thaw/value.hpp>

#include "support/alpha_oracle.hpp"
#include "support/mdx_oracle.hpp"

#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

using namespace thaw;

using Points = std::vector<std::vector<test::Point>>;

std::vector<double> opacities(const test::MdxOracle& oracle, const test::Moment& moment,
                              const Points& /*points*/) {
  return oracle.opacities(moment);
}
/// The models at hand hide nothing.
std::vector<double> opacities(const test::AlphaOracle& /*oracle*/, const test::Moment& /*moment*/,
                              const Points& points) {
  return std::vector<double>(points.size(), 1.0);
}

// How the scene has the game's axes and units.
test::Point shown(const test::MdxOracle& /*oracle*/, const test::Point& p) {
  constexpr double kMetres = 0.01;
  return {p[0] * kMetres, p[2] * kMetres, -p[1] * kMetres};
}
test::Point shown(const test::AlphaOracle& /*oracle*/, const test::Point& p) { return {p[1], p[2], p[0]}; }

double size_of(const test::MdxOracle& oracle) { return shown(oracle, {oracle.size(), 0, 0})[0]; }
/// The height of the box at the beginning.
double size_of(const test::AlphaOracle& oracle) {
  double low = 0;
  double high = 0;
  for (const auto& points : oracle.positions({0, 0, 0})) {
    for (const auto& point : points) {
      low = std::min(low, double{point[2]});
      high = std::max(high, double{point[2]});
    }
  }
  return high - low;
}

template <class Oracle>
Value sample(const Oracle& oracle, const test::Moment& moment) {
  Value::List geosets;
  const Points positions = oracle.positions(moment);
  for (const auto& points : positions) {
    Value::List numbers;
    for (const auto& point : points) {
      const test::Point place = shown(oracle, point);
      numbers.insert(numbers.end(), place.begin(), place.end());
    }
    geosets.emplace_back(std::move(numbers));
  }
  const auto seen = opacities(oracle, moment, positions);
  Value result;
  result.set("sequence", moment.sequence);
  result.set("time", moment.time);
  result.set("clock", moment.clock);
  result.set("opacities", Value::List(seen.begin(), seen.end()));
  result.set("positions", std::move(geosets));
  return result;
}

template <class Oracle, class Document>
Value all_samples(const Document& document, std::size_t sequences, int times) {
  const Oracle oracle(document);
  const std::size_t count = std::min(sequences, oracle.sequences());
  Value::List samples;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t sequence = i * oracle.sequences() / count;
    for (int t = 0; t < times; ++t) {
      // Neither the very end, where viewers begin again, nor round milliseconds, where curves jump.
      const double time = oracle.duration(sequence) * (t + 0.0137) / times;
      samples.push_back(sample(oracle, {static_cast<int>(sequence), time, 777.31 + time * 1.7}));
    }
  }
  Value result;
  result.set("size", size_of(oracle));
  result.set("samples", std::move(samples));
  return result;
}

int reported(const char* path, const Error& error) {
  std::fprintf(stderr, "%s: %s\n", path, error.message.c_str());
  return 3;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fputs("usage: thaw_pose_oracle MODEL.mdx SEQUENCES TIMES\n", stderr);
    return 2;
  }
  const auto bytes = read_file(argv[1], {});
  if (!bytes) {
    return reported(argv[1], bytes.error());
  }
  const auto sequences = static_cast<std::size_t>(std::strtoul(argv[2], nullptr, 10));
  const int times = std::atoi(argv[3]);
  Diagnostics diagnostics;
  Value result;
  if (mdx::is_wow_alpha(*bytes)) {
    const auto document = mdx_alpha::read(*bytes, {}, diagnostics);
    if (!document) {
      return reported(argv[1], document.error());
    }
    result = all_samples<test::AlphaOracle>(*document, sequences, times);
  } else {
    const auto document = mdx::read(*bytes, {}, diagnostics);
    if (!document) {
      return reported(argv[1], document.error());
    }
    result = all_samples<test::MdxOracle>(*document, sequences, times);
  }
  std::puts(to_json(result).c_str());
  return 0;
}
