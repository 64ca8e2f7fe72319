// What tests of edits share.
#pragma once

#include <thaw/edit.hpp>
#include <thaw/validate.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>

namespace thaw::test {

struct Log {
  Diagnostics findings;
  EditLog log{{}, findings};

  [[nodiscard]] bool has(const Code& code) const {
    return std::any_of(findings.items().begin(), findings.items().end(),
                       [&](const Diagnostic& finding) { return finding.code.id == code.id; });
  }
};

/// What the rules find in the file.
template <class Document>
std::size_t warnings(const Document& document) {
  const auto any = read_any(write(document));
  EXPECT_TRUE(any);
  return any ? validate(*any).count(Severity::warning) : 0;
}

inline Placement placement_of(double scale, double x, double y, double z) {
  Placement placement;
  placement.scale = scale;
  placement.move = {x, y, z};
  return placement;
}

/// Halves and wholes, so that there and back is the same to the bit.
inline constexpr std::array<double, 3> kMove = {8, -4, 2};

template <class Document>
void expect_there_and_back(const Document& before,
                           Result<void> (*place)(Document&, const Placement&, EditLog&)) {
  Document document = before;
  Log log;
  ASSERT_TRUE(place(document, placement_of(2, 0, 0, 0), log.log));
  EXPECT_FALSE(document == before);
  ASSERT_TRUE(place(document, placement_of(0.5, 0, 0, 0), log.log));
  EXPECT_TRUE(document == before);
  EXPECT_EQ(log.log.changes.size(), 2U);
}

}  // namespace thaw::test
