// thaw_pose_oracle MODEL.mdx SEQUENCES TIMES: where the oracle puts the vertices of a model, as JSON. Up to
// SEQUENCES sequences spread over the model, TIMES moments in each; the game's own space and units, ms.

#include <thaw/mdx.hpp>
#include <thaw/sources.hpp>
#include <thaw/value.hpp>

#include "support/mdx_oracle.hpp"

#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

using namespace thaw;

Value sample(const test::MdxOracle& oracle, const test::Moment& moment) {
  Value::List geosets;
  for (const auto& points : oracle.positions(moment)) {
    Value::List numbers;
    for (const auto& point : points) {
      numbers.insert(numbers.end(), point.begin(), point.end());
    }
    geosets.emplace_back(std::move(numbers));
  }
  const auto opacities = oracle.opacities(moment);
  Value result;
  result.set("sequence", moment.sequence);
  result.set("time", moment.time);
  result.set("clock", moment.clock);
  result.set("opacities", Value::List(opacities.begin(), opacities.end()));
  result.set("positions", std::move(geosets));
  return result;
}

Value all_samples(const mdx::Document& document, std::size_t sequences, int times) {
  const test::MdxOracle oracle(document);
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
  result.set("size", oracle.size());
  result.set("samples", std::move(samples));
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fputs("usage: thaw_pose_oracle MODEL.mdx SEQUENCES TIMES\n", stderr);
    return 2;
  }
  const auto bytes = read_file(argv[1], {});
  Diagnostics diagnostics;
  const auto document = bytes ? mdx::read(*bytes, {}, diagnostics) : tl::unexpected<Error>(bytes.error());
  if (!document) {
    std::fprintf(stderr, "%s: %s\n", argv[1], document.error().message.c_str());
    return 3;
  }
  const auto sequences = static_cast<std::size_t>(std::strtoul(argv[2], nullptr, 10));
  std::puts(to_json(all_samples(*document, sequences, std::atoi(argv[3]))).c_str());
  return 0;
}
