// One model as each version, and from each version as each other.
#pragma once

#include <gtest/gtest.h>
#include <thaw/mdx.hpp>

#include "support/mdx_oracle.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace thaw::test {

inline std::string codes_of(const mdx::VersionConversion& conversion) {
  std::string text;
  for (const auto& loss : conversion.losses) {
    text += std::string(loss.code.id) + " [" + loss.path + "] " + loss.message + "\n";
  }
  return text;
}

inline bool has_loss(const mdx::VersionConversion& conversion, const Code& code) {
  return std::any_of(conversion.losses.begin(), conversion.losses.end(),
                     [&](const mdx::Loss& loss) { return loss.code == code; });
}

/// What a skin approximation of this geoset of the source admits, in units of the game.
inline double admitted(const mdx::VersionConversion& conversion, std::size_t source_geoset) {
  double distance = 0;
  for (const auto& loss : conversion.losses) {
    if (loss.code == codes::kConvertSkin && loss.path == "GEOS[" + std::to_string(source_geoset) + "].skin") {
      distance = loss.deviation.value_or(0);
    }
  }
  return distance;
}

/// Corners of all triangles; geosets that were divided have fewer vertices of their own, but not fewer
/// corners.
inline std::vector<Point> corners(const mdx::Geoset& geoset, const std::vector<Point>& vertices) {
  std::vector<Point> result;
  for (const std::uint16_t index : geoset.indices) {
    if (index < vertices.size()) {
      result.push_back(vertices[index]);
    }
  }
  return result;
}

inline double distance(const Point& a, const Point& b) {
  return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

/// Moments that the conversion did not choose its bones by.
inline std::vector<Moment> moments_of(const MdxOracle& oracle) {
  std::vector<Moment> moments;
  const std::size_t count = std::min<std::size_t>(oracle.sequences(), 3);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t sequence = i * oracle.sequences() / count;
    for (const double part : {0.083, 0.571}) {
      const double time = oracle.duration(sequence) * part;
      moments.push_back({static_cast<int>(sequence), time, 391.7 + 1.3 * time});
    }
  }
  if (moments.empty()) {
    moments.emplace_back();
  }
  return moments;
}

/// Everything that both versions can say is where and as strong as it was; else a loss names it.
inline void expect_same_play(const mdx::Document& before, const mdx::VersionConversion& conversion,
                             const std::string& about) {
  const MdxOracle old_model(before);
  const MdxOracle new_model(conversion.document);
  const auto old_geosets = before.all<mdx::Geosets>();
  const auto new_geosets = conversion.document.all<mdx::Geosets>();
  ASSERT_EQ(conversion.source_geosets.size(), new_geosets.size()) << about;
  const double usual = std::max(1e-4, 1e-4 * old_model.size());
  for (const auto& moment : moments_of(old_model)) {
    const auto was = old_model.positions(moment);
    const auto is = new_model.positions(moment);
    const auto was_opaque = old_model.opacities(moment);
    const auto is_opaque = new_model.opacities(moment);
    std::vector<std::vector<Point>> joined(old_geosets.size());
    for (std::size_t g = 0; g < new_geosets.size(); ++g) {
      const std::size_t source = conversion.source_geosets[g];
      const auto added = corners(*new_geosets[g], is[g]);
      joined[source].insert(joined[source].end(), added.begin(), added.end());
      EXPECT_NEAR(is_opaque[g], was_opaque[source], 1e-4) << about << " geoset " << g;
    }
    for (std::size_t g = 0; g < old_geosets.size(); ++g) {
      const auto expected = corners(*old_geosets[g], was[g]);
      if (joined[g].empty() && has_loss(conversion, codes::kConvertLod)) {
        continue;
      }
      ASSERT_EQ(joined[g].size(), expected.size()) << about << " geoset " << g;
      // The figure in the loss is of other moments; between them it may be some larger.
      const double allowed = usual + 3 * admitted(conversion, g);
      double worst = 0;
      for (std::size_t i = 0; i < expected.size(); ++i) {
        worst = std::max(worst, distance(joined[g][i], expected[i]));
      }
      EXPECT_LE(worst, allowed) << about << " geoset " << g << "\n" << codes_of(conversion);
    }
  }
}

inline mdx::Document read_strictly(const Bytes& bytes, const std::string& about) {
  ReadOptions options;
  options.strict = true;
  Diagnostics findings;
  auto document = mdx::read(bytes, options, findings);
  EXPECT_TRUE(document) << about << ": " << (document ? "" : document.error().message);
  return document ? std::move(*document) : mdx::Document{};
}

/// Converts, writes, reads strictly, compares. The document as it was read again.
inline mdx::VersionConversion checked_conversion(const mdx::Document& before, std::uint32_t target,
                                                 const std::string& about) {
  auto conversion = mdx::convert_version(before, target);
  EXPECT_TRUE(conversion) << about;
  if (!conversion) {
    return {};
  }
  EXPECT_EQ(conversion->document.version(), target) << about;
  auto again = read_strictly(mdx::write(conversion->document), about);
  EXPECT_EQ(again, conversion->document) << about << ": fields that the version does not have were left";
  conversion->document = std::move(again);
  expect_same_play(before, *conversion, about);
  return std::move(*conversion);
}

/// Without losses there is a way back to the very same bytes.
inline void expect_way_back(const mdx::Document& before, const mdx::VersionConversion& there,
                            const std::string& about) {
  auto back = mdx::convert_version(there.document, before.version());
  ASSERT_TRUE(back) << about;
  if (before.find<mdx::BindPoses>() == nullptr) {
    // Every model that becomes one of 900 or later gets bind poses, also if it had none before.
    auto& chunks = back->document.chunks;
    chunks.erase(std::remove_if(chunks.begin(), chunks.end(),
                                [](const mdx::Chunk& chunk) { return chunk.tag == FourCC{"BPOS"}; }),
                 chunks.end());
  }
  if (there.losses.empty() && back->losses.empty()) {
    EXPECT_EQ(mdx::write(back->document), mdx::write(before)) << about;
  }
}

inline void convert_each_to_each(const mdx::Document& model, const std::string& name) {
  for (const std::uint32_t from : mdx::kTargetVersions) {
    const std::string start = name + " as " + std::to_string(from);
    const auto first = checked_conversion(model, from, start);
    for (const std::uint32_t to : mdx::kTargetVersions) {
      const std::string about = start + " to " + std::to_string(to);
      const auto there = checked_conversion(first.document, to, about);
      expect_way_back(first.document, there, about);
      if (::testing::Test::HasFailure()) {
        return;
      }
    }
  }
}

}  // namespace thaw::test
