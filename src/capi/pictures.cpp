#include <thaw/codes.hpp>
#include <thaw/render.hpp>

#include "capi/handles.hpp"

namespace thaw::capi {
namespace {

Result<std::unique_ptr<thaw_image>> draw(const thaw_document& document, PictureOptions options,
                                         const Sources& sources, Diagnostics& found) {
  OpenSceneOptions requested;
  auto opened = open_to_draw(document, sources, options.convert, requested, found);
  if (!opened) {
    return tl::unexpected<Error>(std::move(opened.error()));
  }
  options.shot.raster.control = requested.read.control;
  const auto models = models_within(opened->scene, sources, requested);
  if (!models) {
    return tl::unexpected<Error>(models.error());
  }
  auto renderer = SceneRenderer::open(opened->scene, *models, requested.name, options.shot);
  if (!renderer) {
    return tl::unexpected<Error>(std::move(renderer.error()));
  }
  raster::Picture picture = renderer->picture();
  renderer->report_ends(found);
  if (picture.stopped) {
    return fail(codes::kStopped, "");
  }
  return std::make_unique<thaw_image>(std::move(picture.image));
}

}  // namespace

/// With what emitters throw, and shapes for a skeleton where there is nothing else.
Result<OpenedScene> open_to_draw(const thaw_document& document, const Sources& sources,
                                 const ConvertOptions& options, OpenSceneOptions& request,
                                 Diagnostics& found) {
  request = options.scene;
  request.emitter_pictures = true;
  request.bones = true;
  request.longest_side = options.texture.longest_side;
  const std::size_t dot = document.file_name.find_last_of('.');
  request.name = document.file_name.substr(0, dot == 0 ? std::string::npos : dot);
  return open_scene(document.document, sources, request, found)
      .and_then([&](OpenedScene opened) -> Result<OpenedScene> {
        if (auto checked = check_replaceables(opened.scene, sources, request, found); !checked) {
          return tl::unexpected<Error>(std::move(checked.error()));
        }
        return opened;
      });
}

}  // namespace thaw::capi

thaw_image::thaw_image(thaw::Image pixels) : image(std::move(pixels)) {
  view = {sizeof(thaw_pixels), "", "", image.rgba.data(), image.width, image.height, 0};
}

#pragma GCC visibility push(default)
namespace thaw {
extern "C" {

thaw_image* thaw_render(const thaw_document* document, const thaw_request* request, thaw_error** error) {
  return capi::give<thaw_image>(error, [&] {
    const thaw_request requested = capi::request_of(request);
    return capi::picture_options(*document, requested).and_then([&](capi::PictureOptions options) {
      Diagnostics found;
      auto image = capi::draw(*document, std::move(options), capi::sources_of(*document, requested), found);
      capi::hand_over(requested, found);
      return image;
    });
  });
}

thaw_image* thaw_document_image(const thaw_document* document, const thaw_request* request,
                                thaw_error** error) {
  return capi::give<thaw_image>(error, [&] {
    const thaw_request requested = capi::request_of(request);
    return capi::convert_options(*document, requested).and_then([&](const ConvertOptions& options) {
      Diagnostics found;
      auto decoded = decode_fitted(write_any(document->document), options.texture.longest_side,
                                   options.scene.read, found);
      capi::hand_over(requested, found);
      return std::move(decoded).map(
          [](Image image) { return std::make_unique<thaw_image>(std::move(image)); });
    });
  });
}

const thaw_pixels* thaw_image_pixels(const thaw_image* image) { return &image->view; }

thaw_blob* thaw_image_png(const thaw_image* image, int level, thaw_error** error) {
  return capi::give<thaw_blob>(error, [&] {
    constexpr int kSmallest = 12;
    const int requested = level > 0 && level <= kSmallest ? level : TextureOptions().png_level;
    return capi::bytes_blob(encode_png(image->image, requested));
  });
}

void thaw_image_free(thaw_image* image) { delete image; }

}  // extern "C"
}  // namespace thaw
#pragma GCC visibility pop
