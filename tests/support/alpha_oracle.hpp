// Where the vertices of an alpha model are at a moment, computed as plainly as mdx_alpha.md#animation says
// it: in the game's own space and units, with matrices about pivots, and without any code of the library's
// conversion.
#pragma once

#include <thaw/mdx_alpha.hpp>

#include "support/mdx_oracle.hpp"

#include <array>
#include <vector>

namespace thaw::test {

class AlphaOracle {
 public:
  explicit AlphaOracle(const mdx_alpha::Document& document) : document_(document) {}

  /// All vertices of all geosets, geosets in file order.
  [[nodiscard]] std::vector<std::vector<Point>> positions(const Moment& moment) const;
  /// Where the pivot of an object is.
  [[nodiscard]] Point place(std::int32_t object_id, const Moment& moment) const;
  [[nodiscard]] std::size_t sequences() const { return document_.all<mdx_alpha::Sequences>().size(); }
  /// ms
  [[nodiscard]] double duration(std::size_t sequence) const;

  using Quad = std::array<double, 4>;
  using Matrix = std::array<std::array<double, 4>, 3>;  ///< rows; the last one is 0 0 0 1

 private:
  [[nodiscard]] Matrix world(std::int32_t id, const Moment& moment) const;
  [[nodiscard]] Quad value(const mdx_alpha::Node& node, FourCC tag, const Moment& moment,
                           const Quad& otherwise) const;
  [[nodiscard]] const mdx_alpha::Node* node(std::int32_t id) const;
  [[nodiscard]] Point pivot(std::int32_t id) const;

  const mdx_alpha::Document& document_;
};

}  // namespace thaw::test
