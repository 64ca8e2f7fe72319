// All clips of a model in one picture, each with its name.
#pragma once

#include "cli/picture/shot.hpp"

#include <string_view>
#include <vector>

namespace thaw::cli {

class ClipSheet {
 public:
  /// `renderer` of that scene, and `shot`, must outlive the sheet. Each clip is as large as `shot` says.
  /// Loops that run beside all clips have no cell; a model without clips has one for its rest pose.
  ClipSheet(SceneRenderer& renderer, const scene::Scene& scene, const Shot& shot);

  [[nodiscard]] std::size_t cells() const { return clips_.size(); }
  /// Each clip at the moment that is asked for, or in its middle, framed by itself.
  raster::Picture draw();
  /// Whether nothing is visible in any of them.
  [[nodiscard]] bool empty() const { return empty_; }

 private:
  void put(const Image& picture, std::size_t cell, std::string_view text);

  SceneRenderer& renderer_;
  const Shot& shot_;
  std::vector<frame::Index> clips_;
  std::uint32_t columns_ = 1;
  std::uint32_t row_height_ = 0;
  Image image_;
  bool empty_ = true;
};

}  // namespace thaw::cli
