// Where the vertices of a model are at a moment, computed as plainly as docs/formats/warcraft3-rendering.md
// says it: in the game's own space and units, with matrices about pivots, and without any code of the
// library's conversion. What the conversion gives is compared with this.
#pragma once

#include <thaw/mdx.hpp>

#include <array>
#include <vector>

namespace thaw::test {

using Point = std::array<double, 3>;

/// A moment of playing: milliseconds into a sequence (−1 for none), and the clock of the global sequences.
struct Moment {
  int sequence = -1;
  double time = 0;
  double clock = 0;
};

class MdxOracle {
 public:
  explicit MdxOracle(const mdx::Document& document);

  /// All vertices of all geosets, geosets in file order.
  [[nodiscard]] std::vector<std::vector<Point>> positions(const Moment& moment) const;
  /// Of each geoset, as its (last) geoset animation says; 1 without one.
  [[nodiscard]] std::vector<double> alphas(const Moment& moment) const;

  /// Of each geoset: its alpha times that of its material's strongest layer.
  [[nodiscard]] std::vector<double> opacities(const Moment& moment) const;

  /// The value of a track (up to four components), or `otherwise` if the object does not have it.
  [[nodiscard]] std::array<double, 4> value(const mdx::Track* track, const Moment& moment,
                                            const std::array<double, 4>& otherwise) const;

  [[nodiscard]] std::size_t sequences() const { return sequences_.size(); }
  /// ms, 0 for broken sequences
  [[nodiscard]] double duration(std::size_t sequence) const;
  /// Diagonal of the box around all vertices at rest.
  [[nodiscard]] double size() const;

 private:
  const mdx::Document& document_;
  std::vector<const mdx::Sequence*> sequences_;
  std::vector<const mdx::Node*> nodes_;
};

}  // namespace thaw::test
