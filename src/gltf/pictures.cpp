#include "gltf/pictures.hpp"

#include <thaw/codes.hpp>
#include <thaw/control.hpp>
#include <thaw/image.hpp>

#include "bytes/freed.hpp"
#include "bytes/text.hpp"
#include "bytes/text_encoding.hpp"
#include "gltf/pixels.hpp"
#include "image/jpeg.hpp"
#include "image/pixels.hpp"
#include "image/webp.hpp"

#include <algorithm>

namespace thaw::gltf {
namespace {

using scene::BlendMode;

std::string_view suffix(Recipe::Kind kind) {
  switch (kind) {
    case Recipe::Kind::plain:
      return "";
    case Recipe::Kind::stack:
      return " baked";
    case Recipe::Kind::light:
      return " light";
    case Recipe::Kind::glow:
      return " glow";
    case Recipe::Kind::filter:
      return " filter";
    case Recipe::Kind::normals:
      return " normals";
    case Recipe::Kind::opaque:
      return " opaque";
    case Recipe::Kind::team:
      return " team";
    case Recipe::Kind::below:
    case Recipe::Kind::share:
      return " team color";
  }
  return "";
}

}  // namespace

Index Pictures::image_of(Index texture, const scene::ImageVariant* variant) const {
  if (texture >= scene_.textures.size()) {
    return kNone;
  }
  Index image = scene_.textures[texture].image;
  if (variant != nullptr) {
    for (const auto& [varied, other] : variant->images) {
      image = varied == texture ? other : image;
    }
  }
  return image < scene_.images.size() && is_complete(pixels(image)) ? image : kNone;
}

bool Pictures::is_uniform(Index image) {
  const auto [entry, fresh] = uniform_.emplace(image, false);
  if (fresh) {
    entry->second = gltf::is_uniform(pixels(image));
  }
  return entry->second;
}

Index Pictures::texture(const Recipe& recipe, bool wrap_u, bool wrap_v) {
  const std::pair key{sampler(wrap_u, wrap_v), image(recipe)};
  const auto [entry, fresh] = textures_.emplace(key, static_cast<Index>(document_.textures.size()));
  if (fresh) {
    document_.textures.push_back({key.first, key.second});
  }
  return entry->second;
}

Index Pictures::sampler(bool wrap_u, bool wrap_v) {
  const auto [entry, fresh] =
      samplers_.emplace(std::pair{wrap_u, wrap_v}, static_cast<Index>(document_.samplers.size()));
  if (fresh) {
    document_.samplers.push_back({wrap_u, wrap_v});
  }
  return entry->second;
}

Index Pictures::image(const Recipe& recipe) {
  const auto [entry, fresh] = images_.emplace(recipe, static_cast<Index>(document_.images.size()));
  if (fresh) {
    Image image;
    image.name = names_.add(name_of(recipe), "texture");
    pending_.push_back({recipe, reserve(image)});
    document_.images.push_back(std::move(image));
  }
  return entry->second;
}

Bytes Pictures::encoded(const thaw::Image& image) {
  if (options_.texture_format == GltfTextureFormat::webp) {
    if (auto webp = encode_webp(image, options_.control)) {
      ++files_->as_requested;
      return std::move(*webp);
    }
  }
  Bytes png = encode_png(image, options_.png_level, options_.control);
  if (options_.texture_format != GltfTextureFormat::jpeg) {
    files_->others += options_.texture_format == GltfTextureFormat::png ? 0 : 1;
    return png;
  }
  if (!is_opaque(image)) {
    ++files_->translucent;
    return png;
  }
  auto jpeg = encode_jpeg(image, options_.jpeg_quality);
  const bool is_smaller = jpeg && jpeg->size() < png.size();
  ++(is_smaller ? files_->as_requested : files_->others);
  return is_smaller ? std::move(*jpeg) : std::move(png);
}

Bytes Pictures::file_of(const Recipe& recipe) {
  // A picture that is used as it is need not be copied.
  const scene::NamedImage& source = scene_.images[recipe.steps.front().image];
  if (recipe.kind != Recipe::Kind::plain &&
      !(recipe.kind == Recipe::Kind::opaque && is_opaque(source.image))) {
    return encoded(make(recipe));
  }
  if (options_.texture_format == GltfTextureFormat::keep && source.file != nullptr) {
    ++files_->as_requested;
    return *source.file;
  }
  return encoded(source.image);
}

void Pictures::report(Diagnostics& diagnostics) const {
  const auto text = [](std::size_t count) { return std::to_string(count); };
  const std::size_t png = files_->translucent + files_->others;
  const std::string of_all = " of " + text(files_->as_requested + png);
  if (options_.texture_format == GltfTextureFormat::jpeg && png + files_->as_requested > 0) {
    diagnostics.add(codes::kSceneChanged,
                    "textures written as JPEG, which is lossy: " + text(files_->as_requested) + of_all +
                        "; PNG because of alpha: " + text(files_->translucent) +
                        ", because it is smaller: " + text(files_->others));
  } else if (png > 0) {
    diagnostics.add(codes::kSceneChanged,
                    "textures written as PNG: " + text(png) + of_all +
                        (options_.texture_format == GltfTextureFormat::webp
                             ? "; WebP has at most 16,383 pixels a side"
                             : "; only unmodified PNG and JPEG files can be preserved"));
  }
}

void Pictures::encode(scene::Scene* spent) {
  std::vector<std::size_t> uses(scene_.images.size());
  for (const Pending& one : pending_) {
    for (const auto& step : one.recipe.steps) {
      ++uses[step.image];
    }
  }
  Freed freed;
  for (std::size_t i = 0; i < pending_.size(); ++i) {
    if (!proceed(options_.control, "pictures", i, pending_.size())) {
      return;
    }
    Bytes bytes = file_of(pending_[i].recipe);
    Image& image = document_.images[i];
    image.type = is_jpeg(bytes) ? "jpeg" : is_webp(bytes) ? "webp" : "png";
    if (options_.embed_images) {
      buffer_.fill_picture(pending_[i].place, std::move(bytes));
    } else {
      OutputFile& file = files_->list[pending_[i].place];
      file.name += image.type == "jpeg" ? ".jpg" : "." + std::string(image.type);
      file.bytes = std::move(bytes);
      image.uri = percent_encoded(file.name);
    }
    for (const auto& step : pending_[i].recipe.steps) {
      if (--uses[step.image] == 0 && spent != nullptr) {
        freed.add(spent->images[step.image].image.rgba.size());
        spent->images[step.image].image = {};
      }
    }
  }
}

Index Pictures::reserve(Image& image) {
  if (options_.embed_images) {
    image.view = buffer_.add_picture();
    return image.view;
  }
  // The last `_` of the name is the one after the output's stem, so that no other output has such a file:
  // not `knight_body.gltf` with its picture `x` the one of `knight.gltf` with its picture `body_x`.
  std::string part = gltf_side_stem(image.name);
  std::replace(part.begin(), part.end(), '_', '-');
  const std::string stem = gltf_side_stem(options_.name) + '_' + part;
  std::string name = stem;
  // Some file systems do not distinguish `A` from `a`.
  for (unsigned number = 2; !files_->names.insert(ascii::lowered(name)).second; ++number) {
    name = stem + "-" + std::to_string(number);
  }
  files_->list.push_back({std::move(name), {}});
  return static_cast<Index>(files_->list.size() - 1);
}

std::string Pictures::name_of(const Recipe& recipe) const {
  // Named after what is drawn last: that is the picture which people know, not the colour below it.
  const Index named =
      recipe.kind == Recipe::Kind::stack ? recipe.steps.back().image : recipe.steps.front().image;
  return scene_.images[named].name + std::string(suffix(recipe.kind));
}

thaw::Image Pictures::make(const Recipe& recipe) const {
  using Kind = Recipe::Kind;
  const auto step_image = [&](std::size_t step) -> const thaw::Image& {
    return pixels(recipe.steps[step].image);
  };
  thaw::Image image;
  switch (recipe.kind) {
    case Kind::stack:
      return make_stack(recipe);
    case Kind::light:
      return make_light(recipe);
    case Kind::glow:
      image = make_light(recipe);
      light_to_blend(image);
      return image;
    case Kind::filter:
      image = step_image(0);
      filter_to_blend(image, recipe.steps[0].mode == BlendMode::modulate2x);
      return image;
    case Kind::normals:
      image = step_image(0);
      rebuild_normals(image);
      return image;
    case Kind::opaque:
      image = step_image(0);
      set_opaque(image);
      return image;
    case Kind::team:
      image = step_image(0);
      apply_team_color(image, resized(step_image(1), image.width, image.height),
                       resized(step_image(2), image.width, image.height));
      return image;
    case Kind::below:
      image = step_image(0);
      show_below(image, recipe.steps[0].alpha);
      return image;
    case Kind::share:
      image = step_image(0);
      take_alpha(image, resized(step_image(1), image.width, image.height), recipe.steps[0].mode);
      return image;
    case Kind::plain:
      break;
  }
  return step_image(0);
}

thaw::Image Pictures::make_stack(const Recipe& recipe) const {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  for (const auto& step : recipe.steps) {
    width = std::max(width, pixels(step.image).width);
    height = std::max(height, pixels(step.image).height);
  }
  const BlendMode use = recipe.steps.front().mode;
  const bool translucent = use != BlendMode::opaque && use != BlendMode::mask;
  thaw::Image image = resized(pixels(recipe.steps.front().image), width, height);
  if (use == BlendMode::opaque) {
    set_opaque(image);
  }
  for (std::size_t i = 1; i < recipe.steps.size(); ++i) {
    const auto& step = recipe.steps[i];
    draw_over(image, resized(pixels(step.image), width, height), step.mode, step.alpha, translucent);
  }
  return image;
}

thaw::Image Pictures::make_light(const Recipe& recipe) const {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  for (const auto& step : recipe.steps) {
    width = std::max(width, pixels(step.image).width);
    height = std::max(height, pixels(step.image).height);
  }
  thaw::Image image{width, height, {}};
  image.rgba.resize(image.pixels() * 4, 0);
  set_opaque(image);
  for (const auto& step : recipe.steps) {
    accumulate(image, resized(pixels(step.image), width, height), step.alpha);
  }
  return image;
}

}  // namespace thaw::gltf
