#include <thaw/control.hpp>
#include <thaw/render.hpp>

#include "bytes/escape.hpp"
#include "image/lettering.hpp"

#include <algorithm>
#include <cmath>

namespace thaw {
namespace {

constexpr std::uint32_t kMargin = 2;  // dots around a name
using Ink = std::array<std::uint8_t, 4>;

/// Dots of one pixel are for small pictures.
std::uint32_t dot_for(std::uint32_t width) { return width < 384 ? 1 : 2; }

/// That is read on what is behind the model.
Ink ink_on(const Ink& background) {
  const int light = 2 * background[0] + 5 * background[1] + background[2];  // eighths
  return background[3] > 127 && light > 8 * 140 ? Ink{0, 0, 0, 255} : Ink{255, 255, 255, 255};
}

std::string hundredths(float seconds) {
  const long whole = std::lround(double{seconds} * 100);
  const std::string digits = std::to_string(whole % 100);
  return std::to_string(whole / 100) + "." + (digits.size() < 2 ? "0" : "") + digits;
}

}  // namespace

ClipSheet::ClipSheet(SceneRenderer& renderer, const scene::Scene& scene, const Shot& shot)
    : renderer_(renderer), shot_(shot) {
  for (frame::Index i = 0; i < scene.clips.size(); ++i) {
    if (!scene.clips[i].global) {
      clips_.push_back(i);
    }
  }
  if (clips_.empty()) {
    clips_.push_back(frame::kNone);
  }
  while (std::size_t{columns_} * columns_ < clips_.size()) {
    ++columns_;
  }
  row_height_ = shot.height + (kLetterHeight + 2 * kMargin) * dot_for(shot.width);
}

raster::Picture ClipSheet::draw() {
  const auto rows = (static_cast<std::uint32_t>(clips_.size()) + columns_ - 1) / columns_;
  image_.width = columns_ * shot_.width;
  image_.height = rows * row_height_;
  image_.rgba.resize(image_.pixels() * shot_.raster.background.size());
  for (std::size_t i = 0; i < image_.rgba.size(); ++i) {
    image_.rgba[i] = shot_.raster.background.at(i % shot_.raster.background.size());
  }
  bool complete = true;
  for (std::size_t i = 0; i < clips_.size() && proceed(shot_.raster.control, "clips", i, clips_.size());
       ++i) {
    renderer_.show_clip(clips_[i]);
    const raster::Picture picture = renderer_.shoot(renderer_.time());
    const bool nothing = is_empty_picture(picture.image, shot_.raster);
    complete = complete && picture.complete;
    empty_ = empty_ && nothing;
    const scene::Clip* clip = renderer_.clip();
    std::string text = clip == nullptr ? "rest pose"
                                       : shown(clip->name) + "  " + hundredths(clip->duration) + " s" +
                                             (clip->looping ? ", loops" : "");
    text += nothing ? ", nothing visible" : "";
    put(picture.image, i, text);
  }
  return {std::move(image_), complete};
}

void ClipSheet::put(const Image& picture, std::size_t cell, std::string_view text) {
  const auto number = static_cast<std::uint32_t>(cell);
  const std::uint32_t left = number % columns_ * shot_.width;
  const std::uint32_t top = number / columns_ * row_height_;
  const std::size_t row_size = std::size_t{picture.width} * 4;
  for (std::uint32_t row = 0; row < picture.height; ++row) {
    const auto from = picture.rgba.begin() + static_cast<std::ptrdiff_t>(row * row_size);
    const std::size_t to = (std::size_t{top + row} * image_.width + left) * 4;
    std::copy(from, from + static_cast<std::ptrdiff_t>(row_size),
              image_.rgba.begin() + static_cast<std::ptrdiff_t>(to));
  }
  const std::uint32_t dot = dot_for(shot_.width);
  put_text(image_, left + kMargin * dot, top + shot_.height + kMargin * dot, shot_.width - 2 * kMargin * dot,
           text, ink_on(shot_.raster.background), dot);
}

}  // namespace thaw
