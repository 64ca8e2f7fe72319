// Images that become smaller while their rows come, so that they are never whole in memory.
#pragma once

#include <thaw/image.hpp>

#include <array>
#include <functional>
#include <utility>
#include <vector>

namespace thaw {

/// The size that `fitted` gives an image.
std::pair<std::uint32_t, std::uint32_t> fitted_size(std::uint32_t width, std::uint32_t height,
                                                    std::uint32_t longest);

/// Limits for the pixels of an image that is reduced row by row: it costs time alone.
inline Limits streaming_limits(Limits limits) {
  constexpr std::uint64_t kTimes = 16;
  limits.max_image_pixels *= kTimes;
  return limits;
}

/// As `fitted`, without a copy of an image that is small enough.
Image fitted_in_place(Image image, std::uint32_t longest);

/// What `reduced` makes, of rows from the top. It holds the result and the sums of one row.
class Reduction {
 public:
  /// A row or column of the result covers those of the source from `first` on, with these weights.
  struct Span {
    std::uint32_t first = 0;
    std::vector<double> weights;
  };
  /// Sums of R·A, G·A, B·A, A; and of R, G, B, for areas that cannot be seen at all.
  using Sums = std::array<double, 7>;

  Reduction(std::uint32_t width, std::uint32_t height, std::uint32_t to_width, std::uint32_t to_height);

  /// Takes the next row, R G B A.
  void add(const std::uint8_t* row);
  /// The image, once all rows were added; rows that are missing are transparent black.
  Image take() { return std::move(result_); }

 private:
  void add_weighted(const std::uint8_t* row);

  std::uint32_t width_;
  bool whole_;
  bool half_;
  Image result_;
  std::uint8_t* to_ = nullptr;
  std::uint32_t y_ = 0;
  std::size_t row_ = 0;  ///< of the result, that is summed
  std::vector<Span> columns_;
  std::vector<Span> rows_;
  std::vector<Sums> sums_;
  std::vector<std::uint8_t> above_;
};

/// Calls `use` with the levels that mip_chain gives. Of those only one is in memory, besides the image.
void each_level(const Image& image, std::size_t count, const std::function<void(const Image&)>& use);

}  // namespace thaw
