#include <thaw/raster.hpp>

#include <thaw/control.hpp>

#include "raster/tile.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>

namespace thaw::raster {
namespace {

constexpr std::uint32_t kLargestSide = 16384;
/// Samples are taken fewer where they would take more memory than this.
constexpr std::uint64_t kMostSamples = std::uint64_t{1} << 27U;

Rgba premultiplied(const std::array<std::uint8_t, 4>& color) {
  const auto part = [&](std::size_t i) { return (std::uint32_t{color.at(i)} * color[3] + 127) / 255; };
  return part(0) | part(1) << 8U | part(2) << 16U | std::uint32_t{color[3]} << 24U;
}

class Painter {
 public:
  Painter(const frame::Frame& frame, Textures& textures, const Options& options)
      : options_(options), assembler_(frame, options_) {
    unsigned samples = std::max(options.samples, 1U);
    while (samples > 1 && std::uint64_t{options.width} * options.height * samples > kMostSamples) {
      samples /= 2;
    }
    canvas_.frame = &frame;
    canvas_.pattern = pattern_of(samples);
    canvas_.perspective = frame.projection[11] != 0;
    for (const auto& draw : frame.draws) {
      canvas_.paints.push_back(paint_of(draw, textures.impl(), frame.fog.enabled));
    }
    make_tiles();
  }

  Picture paint() {
    Batch batch;
    while (!stopped() && assembler_.next(batch)) {
      run([&](std::size_t i) {
        if (!stopped()) {
          draw_tile(canvas_, batch, batch.bins[i], tiles_[i]);
        }
      });
    }
    Picture picture;
    picture.stopped = stopped_;
    picture.image.width = options_.width;
    picture.image.height = options_.height;
    picture.image.rgba.resize(static_cast<std::size_t>(picture.image.pixels()) * 4);
    run([&](std::size_t i) { resolve(tiles_[i], picture.image); });
    picture.complete =
        !stopped_ && canvas_.frame->complete &&
        std::all_of(tiles_.begin(), tiles_.end(), [](const Tile& tile) { return tile.complete; });
    return picture;
  }

 private:
  bool stopped() {
    if (!stopped_ && is_stopped(options_.control)) {
      stopped_ = true;
    }
    return stopped_;
  }

  static Paint paint_of(const frame::Draw& draw, Textures::Impl& textures, bool fog) {
    Paint paint;
    paint.draw = &draw;
    paint.texture = textures.prepare(draw.texture.image);
    paint.fogged = fog && draw.fogged;
    if (draw.physically_based) {
      paint.orm = textures.prepare(draw.orm.image);
      paint.emissive = textures.prepare(draw.emissive.image);
      paint.team_color = textures.prepare(draw.team_color.image);
      paint.normal = textures.prepare(draw.normal.image);
      paint.environment = textures.prepare(draw.environment.image);
    }
    return paint;
  }

  void make_tiles() {
    const auto width = static_cast<std::int32_t>(options_.width);
    const auto height = static_cast<std::int32_t>(options_.height);
    const Rgba background = premultiplied(options_.background);
    for (std::int32_t row = 0; row < assembler_.rows(); ++row) {
      for (std::int32_t column = 0; column < assembler_.columns(); ++column) {
        Tile tile;
        tile.left = column * kTile;
        tile.top = row * kTile;
        tile.right = std::min(tile.left + kTile, width);
        tile.bottom = std::min(tile.top + kTile, height);
        const auto samples = static_cast<std::size_t>(kTile) *
                             static_cast<std::size_t>(tile.bottom - tile.top) * canvas_.pattern.count;
        tile.colors.assign(samples, background);
        tile.depths.assign(samples, 1.0F);
        tile.work_left = std::uint64_t{options_.max_overdraw} * kTile * kTile;
        tiles_.push_back(std::move(tile));
      }
    }
  }

  /// Calls `work` with the index of every tile. Tiles share nothing, so their order does not matter. What
  /// `work` throws, where memory ends, comes out once all threads have ended.
  template <class Work>
  void run(const Work& work) {
    std::atomic<std::size_t> next = 0;
    std::mutex mutex;
    std::exception_ptr failure;
    const auto drain = [&] {
      try {
        for (std::size_t i = next++; i < tiles_.size(); i = next++) {
          work(i);
        }
      } catch (...) {
        const std::lock_guard lock(mutex);
        failure = std::current_exception();
        next = tiles_.size();
      }
    };
    std::vector<std::thread> helpers;
    constexpr unsigned kMostThreads = 64;
    const std::size_t requested = std::clamp(options_.threads, 1U, kMostThreads) - 1;
    helpers.reserve(requested);
    try {
      while (helpers.size() < requested) {
        helpers.emplace_back(drain);
      }
    } catch (...) {  // NOLINT(bugprone-empty-catch): fewer threads do as well
    }
    drain();
    for (auto& helper : helpers) {
      helper.join();
    }
    if (failure) {
      std::rethrow_exception(failure);
    }
  }

  /// The mean of the samples, with straight alpha. Light that was added to nothing is as opaque as bright.
  void resolve(const Tile& tile, Image& image) const {
    const std::uint32_t count = canvas_.pattern.count;
    const bool opaque = options_.background[3] == 255;
    for (std::int32_t y = tile.top; y < tile.bottom; ++y) {
      std::uint8_t* out =
          &image.rgba[(static_cast<std::size_t>(y) * options_.width + static_cast<std::size_t>(tile.left)) *
                      4];
      const Rgba* samples = &tile.colors[static_cast<std::size_t>((y - tile.top) * kTile) * count];
      for (std::int32_t x = tile.left; x < tile.right; ++x, samples += count, out += 4) {
        // Much of a picture is background.
        if (x > tile.left && std::equal(samples, samples + count, samples - count)) {
          std::copy(out - 4, out, out);
          continue;
        }
        std::array<std::uint32_t, 4> sum{};
        for (std::uint32_t s = 0; s < count; ++s) {
          for (unsigned i = 0; i < 4; ++i) {
            sum.at(i) += samples[s] >> (8 * i) & 255U;
          }
        }
        const std::uint32_t most = std::max({sum[0], sum[1], sum[2], sum[3]});
        const std::uint32_t alpha = opaque ? count * 255 : most;
        for (unsigned i = 0; i < 3; ++i) {
          out[i] = static_cast<std::uint8_t>(
              alpha == 0 ? 0 : std::min((sum.at(i) * 255 + alpha / 2) / alpha, 255U));
        }
        // NOLINTNEXTLINE(clang-analyzer-core.DivideZero): every pattern has samples.
        out[3] = static_cast<std::uint8_t>((alpha + count / 2) / count);
      }
    }
  }

  Options options_;
  Assembler assembler_;
  Canvas canvas_;
  std::vector<Tile> tiles_;
  std::atomic<bool> stopped_ = false;
};

}  // namespace

Picture draw(const frame::Frame& frame, Textures& textures, const Options& options) {
  const bool sound = options.width > 0 && options.height > 0 && options.width <= kLargestSide &&
                     options.height <= kLargestSide &&
                     std::uint64_t{options.width} * options.height <= kMostSamples;
  return sound ? Painter(frame, textures, options).paint() : Picture{{}, false};
}

}  // namespace thaw::raster
