// What hostile files may cost: memory within 16 times the input plus 64 MiB. That the work
// grows with the input and not with its square is counted in instructions (tests/scripts/growth.sh).
#include <thaw/mdx.hpp>

#include "support/effort.hpp"
#include "support/heap.hpp"
#include "support/mdx_attacks.hpp"

#include <gtest/gtest.h>

namespace thaw {
namespace {

using test::MdxAttack;
using test::RawBytes;

class MdxBounds : public testing::TestWithParam<MdxAttack> {};

TEST_P(MdxBounds, MemoryStaysWithinSixteenTimesTheInput) {
  const RawBytes file = GetParam().make(20'000'000 / test::one_in());
  const std::size_t bound = 16 * file.size() + (std::size_t{64} << 20U) / test::one_in();
  const test::HeapMeter meter;
  Diagnostics diagnostics;
  const auto document = mdx::read(file.view(), {}, diagnostics);
  const double times = static_cast<double>(meter.peak()) / static_cast<double>(file.size());
  RecordProperty("times_the_input", std::to_string(times));
  EXPECT_LE(meter.peak(), bound) << times << " times the input";
  ASSERT_TRUE(document);
  EXPECT_EQ(mdx::write(*document), file.bytes());
}

INSTANTIATE_TEST_SUITE_P(Attacks, MdxBounds, testing::ValuesIn(test::mdx_attacks()),
                         [](const auto& attack) { return std::string(attack.param.name); });

}  // namespace
}  // namespace thaw
