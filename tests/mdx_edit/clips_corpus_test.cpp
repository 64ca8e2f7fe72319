// Clips of real models copied between skeletons that are unlike: where joints match, the same is played.

#include <gtest/gtest.h>
#include <thaw/mdx.hpp>

#include "formats/warcraft/mdx/edit/parts.hpp"
#include "formats/warcraft/mdx/edit/timeline.hpp"
#include "support/files.hpp"
#include "support/paths.hpp"

#include <cmath>
#include <iostream>
#include <set>

namespace thaw {
namespace {

using mdx::Node;

const mdx::Track* track_of(const Node& node, FourCC tag) {
  const auto found = std::find_if(node.tracks.begin(), node.tracks.end(),
                                  [&](const mdx::Track& track) { return track.tag == tag; });
  return found == node.tracks.end() || found->global_sequence >= 0 ? nullptr : &*found;
}

double apart(const Vec4& a, const Vec4& b, bool rotation) {
  double minus = 0;
  double plus = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    minus = std::max(minus, std::abs(double{a.at(i)} - double{b.at(i)}));
    plus = std::max(plus, std::abs(double{a.at(i)} + double{b.at(i)}));
  }
  return rotation ? std::min(minus, plus) : minus;
}

struct Compared {
  std::size_t joined = 0;  ///< nodes of a name in both
  std::size_t alone = 0;   ///< of theirs
  std::size_t tracks = 0;
  double worst = 0;  ///< in the terms of values
};

/// The clip at `index` of theirs against the last one of ours.
Compared compare(mdx::Document& ours, mdx::Document& theirs, std::size_t index) {
  const mdx::Window from = mdx::window_of(*theirs.all<mdx::Sequences>()[index]);
  const mdx::Window to = mdx::window_of(*ours.all<mdx::Sequences>().back());
  Compared result;
  const auto own_nodes = mdx::nodes_by_id(ours);
  std::set<std::int32_t> taken;
  mdx::each_object(theirs, [&](auto& item, const std::string&) {
    const auto id = mdx::id_of_node(ours, item.node.name.view());
    if (!id || !taken.insert(*id).second) {
      ++result.alone;
      return;
    }
    ++result.joined;
    for (const FourCC tag : {FourCC{"KGTR"}, FourCC{"KGRT"}, FourCC{"KGSC"}}) {
      const mdx::Track* source = track_of(item.node, tag);
      const mdx::Track* copy = track_of(*own_nodes.at(*id), tag);
      const mdx::TrackSampler was(source == nullptr ? mdx::Track{} : *source);
      if (source == nullptr || copy == nullptr || !was.at(from, static_cast<double>(from.start))) {
        continue;
      }
      ++result.tracks;
      const mdx::TrackSampler is(*copy);
      for (int look = 0; look <= 20; ++look) {
        const double way = static_cast<double>(from.end - from.start) * look / 20;
        const auto before = was.at(from, static_cast<double>(from.start) + way);
        const auto after = is.at(to, static_cast<double>(to.start) + way);
        if (!before || !after) {
          ADD_FAILURE() << item.node.name.view() << " " << tag.text() << " is silent";
          break;
        }
        result.worst = std::max(result.worst, apart(*before, *after, tag == FourCC{"KGRT"}));
      }
    }
  });
  return result;
}

std::optional<mdx::Document> strict_document(const std::filesystem::path& file) {
  ReadOptions strict;
  strict.strict = true;
  auto document = mdx::read(test::load(file), strict);
  const bool useful = document && document->version() == 800 && !document->all<mdx::Sequences>().empty() &&
                      document->all<mdx::Bones>().size() >= 12;
  return useful ? std::optional(std::move(*document)) : std::nullopt;
}

TEST(CopyClips, PlayTheSameWhereJointsOfUnlikeSkeletonsMatch) {
  THAW_REQUIRE_CORPUS("wc3");
  constexpr std::size_t kPairs = 10;
  const auto files = test::files_below(test::corpus_dir() / "wc3", ".mdx");
  std::size_t pairs = 0;
  std::optional<mdx::Document> before;
  for (std::size_t i = 0; i < files.size() && pairs < kPairs; i += 9) {
    auto theirs = strict_document(files[i]);
    if (!theirs) {
      continue;
    }
    if (before) {
      mdx::Document ours = *before;
      const std::string name(theirs->all<mdx::Sequences>().front()->name.view());
      Diagnostics findings;
      EditLog log{{}, findings};
      ASSERT_TRUE(mdx::copy_clips(ours, *theirs, name, {}, log)) << files[i];
      const std::size_t copied = ours.all<mdx::Sequences>().size() - before->all<mdx::Sequences>().size();
      const Compared found = compare(ours, *theirs, 0);
      if (copied == 1 && found.tracks >= 3 && found.alone > 0) {
        ++pairs;
        std::cout << files[i].stem() << ": " << found.joined << " nodes joined, " << found.alone << " not, "
                  << found.tracks << " movements, " << found.worst << " apart at most\n";
        EXPECT_LT(found.worst, 2e-3) << files[i];
      }
    }
    before = std::move(theirs);
  }
  EXPECT_EQ(pairs, kPairs);
}

}  // namespace
}  // namespace thaw
