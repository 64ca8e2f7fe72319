// Plan of a new map, from its description (docs/user/worlds.md#a-new-map).
#include <thaw/codes.hpp>
#include <thaw/gltf.hpp>
#include <thaw/image.hpp>
#include <thaw/wmo.hpp>
#include <thaw/world.hpp>

#include "bytes/number_text.hpp"
#include "bytes/text.hpp"
#include "world/height_field.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace thaw::world {
namespace {

/// A mistake in the description, by its place.
struct Mistake {
  Error error;
};

class PlanReader {
 public:
  PlanReader(const Value& text, const LandFiles& files, const ReadOptions& options, Diagnostics& findings)
      : text_(text), files_(files), options_(options), findings_(findings) {}

  LandPlan read() {
    refuse_unknown(text_, "",
                   {"tile", "size", "heights", "range", "layers", "alpha", "shadow", "holes", "areas",
                    "zones", "area", "zone", "liquids", "doodads", "buildings"});
    const auto corner = numbers(text_, "tile", 2, {});
    plan_.corner = {static_cast<std::uint8_t>(within(corner[0], 0, 63, "tile")),
                    static_cast<std::uint8_t>(within(corner[1], 0, 63, "tile"))};
    const auto size = numbers(text_, "size", 2, {1, 1});
    plan_.columns = static_cast<std::uint32_t>(within(size[0], 1, 64, "size"));
    plan_.rows = static_cast<std::uint32_t>(within(size[1], 1, 64, "size"));
    if (is_scene(text_["heights"])) {
      sample(text_["heights"]);
    } else {
      plan_.heights = heights(text_["heights"]);
      const auto range = numbers(text_, "range", 2, {});
      plan_.low = static_cast<float>(range[0]);
      plan_.high = static_cast<float>(range[1]);
    }
    layers();
    plan_.shadow = picture_if(text_, "shadow", "shadow");
    plan_.holes = picture_if(text_, "holes", "holes");
    plan_.areas = picture_if(text_, "areas", "areas");
    plan_.zones = picture_if(text_, "zones", "zones");
    plan_.area = static_cast<std::uint16_t>(within(number(text_, "area", 0, ""), 0, 65535, "area"));
    plan_.zone = static_cast<std::uint16_t>(within(number(text_, "zone", 0, ""), 0, 65535, "zone"));
    liquids();
    objects("doodads", false);
    objects("buildings", true);
    return std::move(plan_);
  }

 private:
  [[noreturn]] static void refuse(const std::string& place, const std::string& why) {
    throw Mistake{Error{codes::kWriteUnsupported, {}, {}, place + ": " + why}};
  }

  static double within(double value, double low, double high, const std::string& place) {
    if (!(value >= low && value <= high) || value != std::floor(value)) {
      refuse(place, "expected a whole number from " + std::to_string(static_cast<int>(low)) + " to " +
                        std::to_string(static_cast<int>(high)));
    }
    return value;
  }

  static void refuse_unknown(const Value& value, const std::string& place,
                             std::initializer_list<std::string_view> known) {
    for (const auto& [key, member] : value.object()) {
      if (std::find(known.begin(), known.end(), key) == known.end()) {
        std::string all;
        for (const auto word : known) {
          all.append(all.empty() ? "" : ", ").append(word);
        }
        refuse(place + key, "unknown key; expected one of " + all);
      }
    }
  }

  static double number(const Value& from, const char* key, std::optional<double> otherwise,
                       const std::string& place) {
    const Value* value = from.find(key);
    const auto found = value == nullptr ? otherwise : value->number();
    if (!found || !std::isfinite(*found)) {
      refuse(place + key, "expected a number");
    }
    return *found;
  }

  static std::vector<double> numbers(const Value& from, const char* key, std::size_t count,
                                     std::vector<double> otherwise, const std::string& place = "") {
    const Value* value = from.find(key);
    if (value == nullptr && !otherwise.empty()) {
      return otherwise;
    }
    std::vector<double> result;
    for (const Value& item : value == nullptr ? Value::List() : value->list()) {
      if (const auto part = item.number(); part && std::isfinite(*part)) {
        result.push_back(*part);
      }
    }
    if (result.size() != count || value->list().size() != count) {
      refuse(place + key, "expected " + counted(count, "number"));
    }
    return result;
  }

  static std::string text(const Value& from, const char* key, const std::string& place) {
    if (from[key].text().empty()) {
      refuse(place + key, "expected a non-empty string");
    }
    return from[key].text();
  }

  // --- pictures

  Bytes content(const std::string& name, const std::string& place) {
    auto loaded = files_.open ? files_.open(name) : fail(codes::kInputUnreadable, "not found");
    if (!loaded) {
      refuse(place, name + ": " + loaded.error().message);
    }
    return std::move(*loaded);
  }

  /// PNG, or values of 16 bits without a header, the low byte first.
  GreyImage picture(const Value& value, const std::string& place) {
    refuse_unknown(value, place + ".", {"file", "size"});
    const std::string name = value.text().empty() ? text(value, "file", place + ".") : value.text();
    const Bytes bytes = content(name, place);
    const std::string extension = extension_of(name);
    if (extension == ".raw" || extension == ".r16") {
      return raw(value, bytes, place);
    }
    auto image = decode_grey(bytes, options_);
    if (!image) {
      refuse(place, name + ": " + image.error().message);
    }
    return std::move(*image);
  }

  static GreyImage raw(const Value& value, const Bytes& bytes, const std::string& place) {
    const std::size_t samples = bytes.size() / 2;
    const auto side = std::round(std::sqrt(static_cast<double>(samples)));
    const auto size = numbers(value, "size", 2, {side, side}, place + ".");
    GreyImage image;
    image.width = static_cast<std::uint32_t>(within(size[0], 1, 65535, place + ".size"));
    image.height = static_cast<std::uint32_t>(within(size[1], 1, 65535, place + ".size"));
    image.bits = 16;
    if (std::uint64_t{image.width} * image.height * 2 != bytes.size()) {
      refuse(place, std::to_string(bytes.size()) + " bytes are not " + std::to_string(image.width) + " × " +
                        std::to_string(image.height) + " 16-bit values; state the dimensions with \"size\"");
    }
    for (std::size_t i = 0; i + 1 < bytes.size(); i += 2) {
      image.values.push_back(static_cast<std::uint16_t>(bytes[i] | bytes[i + 1] << 8U));
    }
    return image;
  }

  std::optional<GreyImage> picture_if(const Value& from, const char* key, const std::string& place) {
    const Value* value = from.find(key);
    return value == nullptr ? std::nullopt : std::optional(picture(*value, place));
  }

  // --- meshes

  /// ".png", in lower case.
  static std::string extension_of(std::string_view name) {
    return ascii::lowered(name.substr(without_extension(name).size()));
  }

  static std::string file_of(const Value& value) {
    return value.text().empty() ? value["file"].text() : value.text();
  }

  static bool is_scene(const Value& value) {
    const std::string extension = extension_of(file_of(value));
    return extension == ".glb" || extension == ".gltf";
  }

  void sample(const Value& value) {
    refuse_unknown(value, "heights.", {"file", "at", "scale"});
    if (text_.find("range") != nullptr) {
      refuse("range", "\"range\" does not apply to a scene, whose heights are absolute");
    }
    const std::string name = file_of(value);
    GltfReadOptions options;
    options.limits = options_.limits;
    options.control = options_.control;
    options.base_colors = false;
    if (files_.open_sidecar) {
      options.open = [&](std::string_view uri) { return files_.open_sidecar(name, uri); };
    }
    const auto found =
        read_gltf(content(name, "heights"), options, findings_).and_then([&](const scene::Scene& scene) {
          const auto at = numbers(value, "at", 2, {0, 0}, "heights.");
          const SceneOrigin place{at[0], at[1], number(value, "scale", 1, "heights.")};
          return heights_of(scene, place, plan_.corner, plan_.columns, plan_.rows, options_.control);
        });
    if (!found) {
      refuse("heights", name + ": " + found.error().message);
    }
    const auto& field = found->field;
    if (found->missing == field.corners.size() + field.middles.size()) {
      refuse("heights", name + " has no triangle within these tiles; set its origin with \"at\"");
    }
    if (found->missing > 0) {
      findings_.add(codes::kSceneChanged,
                    counted(found->missing, "height") + " missing from the scene, set to 0");
    }
    plan_.ground = found->field;
  }

  /// One picture, or rows of them that meet at their edges.
  GreyImage heights(const Value& value) {
    if (value.is_null()) {
      refuse("heights", "expected an image, rows of images or a scene");
    }
    if (value.list().empty()) {
      return picture(value, "heights");
    }
    GreyImage all;
    std::uint32_t top = 0;
    for (std::size_t r = 0; r < value.list().size(); ++r) {
      std::uint32_t left = 0;
      std::uint32_t high = 0;
      for (std::size_t c = 0; c < value[r].list().size(); ++c) {
        const std::string place = "heights[" + std::to_string(r) + "][" + std::to_string(c) + "]";
        const GreyImage part = picture(value[r][c], place);
        if (r == 0 && c == 0) {
          all.bits = part.bits;
          all.width = static_cast<std::uint32_t>(value[r].list().size()) * (part.width - 1) + 1;
          all.height = static_cast<std::uint32_t>(value.list().size()) * (part.height - 1) + 1;
          check_pixels(all, place);
          all.values.assign(std::size_t{all.width} * all.height, 0);
        }
        if (part.bits != all.bits || left + part.width > all.width || top + part.height > all.height) {
          refuse(place, part.bits != all.bits
                            ? "the bit depth " + std::to_string(part.bits) + " differs from the " +
                                  std::to_string(all.bits) + " of the first image"
                            : "the images of a row or column must have the size of the first image");
        }
        for (std::uint32_t y = 0; y < part.height; ++y) {
          std::copy_n(part.values.data() + std::size_t{y} * part.width, part.width,
                      all.values.data() + std::size_t{top + y} * all.width + left);
        }
        left += part.width - 1;
        high = part.height - 1;
      }
      if (left + 1 != all.width) {
        refuse("heights[" + std::to_string(r) + "]", "all rows must have the same length");
      }
      top += high;
    }
    return all;
  }

  void check_pixels(const GreyImage& image, const std::string& place) const {
    const auto most = options_.limits.max_pixel_bytes;
    if (std::uint64_t{image.width} * image.height * sizeof(std::uint16_t) > most) {
      refuse(place, "the images together exceed the limit of --max-pixels");
    }
  }

  // --- the rest

  void layers() {
    const Value& list = text_["layers"];
    for (std::size_t i = 0; i < list.list().size(); ++i) {
      const std::string place = "layers[" + std::to_string(i) + "].";
      refuse_unknown(list[i], place, {"texture", "mask"});
      LandLayer layer;
      layer.texture = text(list[i], "texture", place);
      if (i > 0 && text_.find("alpha") == nullptr) {
        layer.mask = picture(list[i]["mask"], place + "mask");
      }
      plan_.layers.push_back(std::move(layer));
    }
    if (text_.find("alpha") != nullptr) {
      const std::string name = text(text_, "alpha", "");
      const auto image = decode_png(content(name, "alpha"), options_);
      if (!image) {
        refuse("alpha", name + ": " + image.error().message);
      }
      for (std::size_t i = 1; i < std::min<std::size_t>(plan_.layers.size(), 4); ++i) {
        plan_.layers[i].mask = channel(*image, i - 1);
      }
    }
  }

  static GreyImage channel(const Image& image, std::size_t number) {
    GreyImage grey{image.width, image.height, 8, {}};
    for (std::size_t at = number; at < image.rgba.size(); at += 4) {
      grey.values.push_back(image.rgba[at]);
    }
    return grey;
  }

  void liquids() {
    const Value& list = text_["liquids"];
    for (std::size_t i = 0; i < list.list().size(); ++i) {
      const std::string place = "liquids[" + std::to_string(i) + "].";
      refuse_unknown(list[i], place, {"kind", "level", "mask"});
      const std::string kind = text(list[i], "kind", place);
      LandLiquid liquid;
      std::size_t number = 0;
      while (number < wdt::kLiquidKinds && wdt::liquid_name(static_cast<wdt::LiquidKind>(number)) != kind) {
        ++number;
      }
      if (number == wdt::kLiquidKinds) {
        refuse(place + "kind", "expected river, ocean, magma or slime");
      }
      liquid.kind = static_cast<wdt::LiquidKind>(number);
      liquid.level = static_cast<float>(this->number(list[i], "level", {}, place));
      liquid.mask = picture_if(list[i], "mask", place + "mask");
      plan_.liquids.push_back(std::move(liquid));
    }
  }

  void objects(const char* key, bool building) {
    const Value& list = text_[key];
    for (std::size_t i = 0; i < list.list().size(); ++i) {
      const std::string place = std::string(key) + "[" + std::to_string(i) + "].";
      const Value& from = list[i];
      refuse_unknown(from, place,
                     building
                         ? std::initializer_list<std::string_view>{"model", "at", "turn", "doodadSet", "box"}
                         : std::initializer_list<std::string_view>{"model", "at", "turn", "scale"});
      LandObject object;
      object.name = text(from, "model", place);
      object.building = building;
      const auto at = numbers(from, "at", from["at"].list().size() == 3 ? 3 : 2, {}, place);
      object.north = at[0];
      object.west = at[1];
      if (at.size() == 3) {
        object.up = at[2];
      }
      object.rotation[1] = static_cast<float>(number(from, "turn", 0, place));
      if (building) {
        object.set = static_cast<std::uint16_t>(
            within(number(from, "doodadSet", 0, place), 0, 65535, place + "doodadSet"));
        set_box(object, from, place);
      } else {
        object.scale = number(from, "scale", 1, place);
      }
      plan_.objects.push_back(std::move(object));
    }
  }

  /// As the description says, or as the building's own file does.
  void set_box(LandObject& object, const Value& from, const std::string& place) {
    if (from.find("box") != nullptr) {
      const auto box = numbers(from, "box", 6, {}, place);
      for (std::size_t axis = 0; axis < 3; ++axis) {
        object.low.at(axis) = static_cast<float>(box[axis]);
        object.high.at(axis) = static_cast<float>(box[axis + 3]);
      }
      return;
    }
    const auto found = files_.open_building ? files_.open_building(object.name) : std::nullopt;
    const auto file = found ? wmo::read(*found, options_, findings_)
                            : Result<wmo::Document>(fail(codes::kInputUnreadable, "not found"));
    const auto* infos = file ? file->find<wmo::GroupInfos>(FourCC{"MOGI"}) : nullptr;
    if (infos == nullptr || infos->items.empty()) {
      refuse(place + "box", "expected six numbers, because no readable WMO root " + object.name +
                                " with groups is next to the description or in a folder of --source");
    }
    object.low = infos->items.front().box.minimum;
    object.high = infos->items.front().box.maximum;
    for (const auto& info : infos->items) {
      for (std::size_t axis = 0; axis < 3; ++axis) {
        object.low.at(axis) = std::min(object.low.at(axis), info.box.minimum.at(axis));
        object.high.at(axis) = std::max(object.high.at(axis), info.box.maximum.at(axis));
      }
    }
  }

  const Value& text_;
  const LandFiles& files_;
  const ReadOptions& options_;
  Diagnostics& findings_;
  LandPlan plan_;
};

}  // namespace

Result<LandPlan> read_land_plan(const Value& description, const LandFiles& files, const ReadOptions& options,
                                Diagnostics& diagnostics) {
  try {
    return PlanReader(description, files, options, diagnostics).read();
  } catch (const Mistake& mistake) {
    return tl::unexpected<Error>(mistake.error);
  }
}

}  // namespace thaw::world
