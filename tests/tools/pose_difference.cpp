// thaw_pose_difference ORIGINAL.mdx OTHER.mdx TIMES: how far vertices that are seen are from where the
// original has them, as JSON: for each sequence the largest distance, as a share of the model's size, over
// TIMES moments. The oracle places them for both (support/mdx_oracle.hpp).

#include <thaw/mdx.hpp>
#include <thaw/sources.hpp>
#include <thaw/value.hpp>

#include "support/mdx_oracle.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <map>
#include <vector>

namespace {

using namespace thaw;

using Points = std::vector<std::vector<test::Point>>;
using Partners = std::vector<std::vector<std::size_t>>;  ///< by vertex of the original

/// What is fainter may be anywhere.
constexpr double kFaintest = 0.05;

double distance(const test::Point& a, const test::Point& b) {
  double sum = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    sum += (a.at(i) - b.at(i)) * (a.at(i) - b.at(i));
  }
  return std::sqrt(sum);
}

/// Those of the other that are where a vertex is at first, for programs divide and join vertices. Where there
/// are as many, they are taken for the same.
Partners partners(const std::vector<test::Point>& original, const std::vector<test::Point>& other,
                  double size) {
  Partners result(original.size());
  if (original.size() == other.size()) {
    for (std::size_t i = 0; i < original.size(); ++i) {
      result[i] = {i};
    }
    return result;
  }
  const double cell = size * 1e-3;
  const auto cell_of = [&](const test::Point& point, int dx, int dy, int dz) {
    const auto at = [&](std::size_t i) { return std::lround(point.at(i) / cell); };
    return std::array<long, 3>{at(0) + dx, at(1) + dy, at(2) + dz};
  };
  std::map<std::array<long, 3>, std::vector<std::size_t>> cells;
  for (std::size_t i = 0; i < other.size(); ++i) {
    cells[cell_of(other[i], 0, 0, 0)].push_back(i);
  }
  for (std::size_t i = 0; i < original.size(); ++i) {
    std::vector<std::pair<double, std::size_t>> near;
    for (int turn = 0; turn < 27; ++turn) {
      const auto found = cells.find(cell_of(original[i], turn % 3 - 1, turn / 3 % 3 - 1, turn / 9 - 1));
      for (const std::size_t candidate : found == cells.end() ? std::vector<std::size_t>() : found->second) {
        near.emplace_back(distance(original[i], other[candidate]), candidate);
      }
    }
    std::sort(near.begin(), near.end());
    for (const auto& [away, candidate] : near) {
      if (away <= near.front().first + 1e-5 * size) {
        result[i].push_back(candidate);
      }
    }
  }
  return result;
}

/// The vertices that faces use, by geoset, and how opaque each is.
struct Shown {
  Points at;
  std::vector<std::vector<double>> opacity;
};

Shown shown(const test::MdxOracle& oracle, const mdx::Document& document, const test::Moment& moment) {
  const Points all = oracle.positions(moment);
  const auto opacities = oracle.opacities(moment);
  Shown result;
  std::size_t number = 0;
  for (const auto* geoset : document.all<mdx::Geosets>()) {
    std::vector<bool> used(all[number].size());
    for (const std::uint16_t index : geoset->indices) {
      if (index < used.size()) {
        used[index] = true;
      }
    }
    auto& at = result.at.emplace_back();
    for (std::size_t v = 0; v < used.size(); ++v) {
      if (used[v]) {
        at.push_back(all[number][v]);
      }
    }
    result.opacity.emplace_back(at.size(), opacities[number]);
    ++number;
  }
  return result;
}

/// Where one model has other geosets than the other, all vertices are taken together.
void join(Shown& shown) {
  for (std::size_t i = 1; i < shown.at.size(); ++i) {
    shown.at[0].insert(shown.at[0].end(), shown.at[i].begin(), shown.at[i].end());
    shown.opacity[0].insert(shown.opacity[0].end(), shown.opacity[i].begin(), shown.opacity[i].end());
  }
  shown.at.resize(std::min<std::size_t>(shown.at.size(), 1));
}

/// Of a vertex, for each candidate the largest distance in each sequence.
using Distances = std::vector<std::vector<double>>;

class Comparison {
 public:
  Comparison(const mdx::Document& original, const mdx::Document& other, int times)
      : original_document_(original),
        other_document_(other),
        original_(original),
        other_(other),
        times_(times),
        size_(std::max(original_.size(), 1e-9)) {}

  std::vector<double> worst();

 private:
  void measure(std::size_t sequence, double time);

  const mdx::Document& original_document_;
  const mdx::Document& other_document_;
  test::MdxOracle original_;
  test::MdxOracle other_;
  int times_;
  double size_;
  std::vector<Partners> partners_;             ///< by geoset
  std::vector<std::vector<Distances>> apart_;  ///< by geoset and vertex
  bool comparable_ = true;
};

void Comparison::measure(std::size_t sequence, double time) {
  const test::Moment moment{static_cast<int>(sequence), time, 777.31 + time * 1.7};
  Shown before = shown(original_, original_document_, moment);
  Shown after = shown(other_, other_document_, moment);
  if (before.at.size() != after.at.size()) {
    join(before);
    join(after);
  }
  const Points& a = before.at;
  const Points& b = after.at;
  comparable_ = comparable_ && a.size() == b.size();
  for (std::size_t geoset = 0; comparable_ && geoset < a.size(); ++geoset) {
    if (partners_.size() == geoset) {
      partners_.push_back(partners(a[geoset], b[geoset], size_));
      apart_.emplace_back(a[geoset].size());
      for (std::size_t v = 0; v < a[geoset].size(); ++v) {
        apart_[geoset][v].assign(partners_[geoset][v].size(), std::vector<double>(original_.sequences()));
      }
    }
    for (std::size_t v = 0; v < a[geoset].size(); ++v) {
      if (before.opacity[geoset][v] < kFaintest) {
        continue;
      }
      const auto& candidates = partners_[geoset][v];
      for (std::size_t c = 0; c < candidates.size(); ++c) {
        double& most = apart_[geoset][v][c][sequence];
        most = std::max(most, distance(a[geoset][v], b[geoset][candidates[c]]) / size_);
      }
    }
  }
}

/// Of several candidates the one that stays nearest is meant.
std::vector<double> Comparison::worst() {
  std::vector<double> result(original_.sequences());
  if (other_.sequences() < original_.sequences()) {
    comparable_ = false;
  }
  for (std::size_t sequence = 0; comparable_ && sequence < original_.sequences(); ++sequence) {
    for (int t = 0; t < times_; ++t) {
      // Neither the very end, where viewers begin again, nor round milliseconds, where curves jump.
      measure(sequence, original_.duration(sequence) * (t + 0.0137) / times_);
    }
  }
  if (!comparable_) {
    result.assign(result.size(), std::numeric_limits<double>::infinity());
  }
  for (const auto& vertices : apart_) {
    for (const auto& candidates : vertices) {
      const auto nearest =
          std::min_element(candidates.begin(), candidates.end(), [](const auto& x, const auto& y) {
            return *std::max_element(x.begin(), x.end()) < *std::max_element(y.begin(), y.end());
          });
      for (std::size_t sequence = 0; comparable_ && sequence < result.size(); ++sequence) {
        result[sequence] =
            std::max(result[sequence], nearest == candidates.end() ? 1e9 : (*nearest)[sequence]);
      }
    }
  }
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fputs("usage: thaw_pose_difference ORIGINAL.mdx OTHER.mdx TIMES\n", stderr);
    return 2;
  }
  std::vector<mdx::Document> documents;
  for (const char* path : {argv[1], argv[2]}) {
    const auto bytes = read_file(path, {});
    auto document = bytes ? mdx::read(*bytes) : tl::unexpected<Error>(bytes.error());
    if (!document) {
      std::fprintf(stderr, "%s: %s\n", path, document.error().message.c_str());
      return 3;
    }
    documents.push_back(std::move(*document));
  }
  Value::List list;
  const auto names = documents[0].all<mdx::Sequences>();
  const auto worst = Comparison(documents[0], documents[1], std::atoi(argv[3])).worst();
  for (std::size_t i = 0; i < worst.size(); ++i) {
    Value entry;
    entry.set("name", std::string(names[i]->name.view()));
    entry.set("worst", std::isfinite(worst[i]) ? worst[i] : 1e9);
    list.push_back(std::move(entry));
  }
  std::puts(to_json(Value(std::move(list))).c_str());
  return 0;
}
