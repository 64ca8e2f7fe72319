#include "human_model.hpp"

#include "build.hpp"
#include "humanoid.hpp"
#include "mesh.hpp"

#include <thaw/dma.hpp>
#include <thaw/forgelight.hpp>

#include <algorithm>
#include <bit>
#include <cmath>

namespace thaw::samples {
namespace {

constexpr std::string_view kColors = "Human_C.dds";
constexpr std::string_view kNormals = "Human_N.dds";
constexpr std::string_view kSpecular = "Human_S.dds";

// --- shapes
// -----------------------------------------------------------------------------------------------------

std::int32_t bone(std::string_view name) {
  const auto& bones = human_bones();
  for (std::size_t i = 0; i < bones.size(); ++i) {
    if (bones[i].name == name) {
      return static_cast<std::int32_t>(i);
    }
  }
  return 0;
}

Point place(std::string_view name) {
  const Vec3& at = human_bones()[static_cast<std::size_t>(bone(name))].position;
  return {double{at[0]}, double{at[1]}, double{at[2]}};
}

/// From the room of surfaces of revolution, where Z is up and +X is in the middle of the texture, to the
/// character's: Y up, looking along +Z.
Shape upright(Shape shape) {
  return [shape = std::move(shape)](double u, double v) -> Point {
    const Point p = shape(u, v);
    return {p[1], p[2], p[0]};
  };
}

/// `half` is width, height and depth.
Shape box(const Point& half, double power, const Point& at) {
  return moved(upright(rounded_box({half[2], half[0], half[1]}, power)), at);
}

/// From one bone at the start of a limb to another at its end, with a soft bend between.
Binding bend(std::string_view first, std::string_view second, double at, double softness) {
  const std::int32_t a = bone(first);
  const std::int32_t b = bone(second);
  return [=](double /*u*/, double v) {
    const double share = std::round(ramp(at - softness, at + softness, v) * 16) / 16;
    if (share <= 0 || share >= 1) {
      return Bind{{{share <= 0 ? a : b, 1.0}}};
    }
    return Bind{{{a, 1 - share}, {b, share}}};
  };
}

// Parts of the textures.
constexpr UvRect kCloth{0.02, 0.02, 0.48, 0.48};
constexpr UvRect kArmor{0.52, 0.02, 0.98, 0.48};
constexpr UvRect kHelmet{0.02, 0.52, 0.48, 0.98};
constexpr UvRect kBoot{0.52, 0.52, 0.98, 0.98};

void add_torso(Mesh& mesh) {
  const Shape trunk = upright(scaled(lathe({{0.03, 1.53},
                                            {0.12, 1.52},
                                            {0.185, 1.46},
                                            {0.19, 1.38},
                                            {0.165, 1.26},
                                            {0.15, 1.14},
                                            {0.165, 1.04},
                                            {0.14, 0.96},
                                            {0.03, 0.93}}),
                                     {0.62, 1, 1}));
  const std::int32_t upper = bone("spineUpper");
  const std::int32_t middle = bone("spineMiddle");
  const std::int32_t pelvis = bone("pelvis");
  mesh.add(trunk, 20, 16, kCloth, [=](double /*u*/, double v) {
    if (v < 0.45) {
      return Bind{{{upper, 1.0}}};
    }
    return v < 0.65 ? Bind{{{middle, 1.0}}} : Bind{{{pelvis, 1.0}}};
  });
  mesh.add(box({0.165, 0.13, 0.07}, 0.55, {0, 1.4, 0.065}), 16, 10, kArmor, rigid(upper));
  mesh.add(box({0.13, 0.15, 0.06}, 0.4, {0, 1.38, -0.125}), 14, 10, kArmor, rigid(upper));
  mesh.add(box({0.175, 0.035, 0.115}, 0.5, {0, 1.03, 0}), 16, 6, kBoot, rigid(pelvis));
}

void add_head(Mesh& mesh) {
  const std::int32_t head = bone("head");
  mesh.add(tube({{0, 1.5, -0.005}, {0, 1.55, 0}, {0, 1.62, 0.01}}, {0.06, 0.052, 0.055}), 12, 3, kCloth,
           rigid(bone("neck")));
  mesh.add(box({0.1, 0.135, 0.12}, 0.8, {0, 1.7, 0.015}), 20, 16, kHelmet, rigid(head));
}

void add_arm(Mesh& mesh, const std::string& side) {
  const Point shoulder = place(side + "_shoulder");
  const Point elbow = place(side + "_elbow");
  const Point wrist = place(side + "_wrist");
  const Point reach = wrist - elbow;
  mesh.add(tube({shoulder + (shoulder - elbow) * 0.1, shoulder + (elbow - shoulder) * 0.5, elbow,
                 elbow + reach * 0.5, wrist},
                {0.058, 0.056, 0.046, 0.048, 0.036}),
           12, 12, kCloth, bend(side + "_shoulder", side + "_elbow", 0.5, 0.12));
  mesh.add(box({0.078, 0.06, 0.085}, 0.7, shoulder + Point{shoulder[0] * 0.12, 0.02, 0}), 12, 8, kArmor,
           rigid(bone(side + "_shoulder")));
  mesh.add(tube({elbow + reach * 0.2, elbow + reach * 0.45, elbow + reach * 0.85}, {0.05, 0.06, 0.046}), 12,
           4, kArmor, rigid(bone(side + "_elbow")));
  mesh.add(tube({wrist - reach * 0.05, wrist + reach * 0.15, wrist + reach * 0.35, wrist + reach * 0.4},
                {0.036, 0.046, 0.034, 0.004}),
           10, 6, kBoot, rigid(bone(side + "_wrist")));
}

void add_leg(Mesh& mesh, const std::string& side) {
  const Point hip = place(side + "_hip");
  const Point knee = place(side + "_knee");
  const Point ankle = place(side + "_ankle");
  mesh.add(tube({hip + Point{0, 0.03, 0}, hip + (knee - hip) * 0.5, knee, knee + (ankle - knee) * 0.4, ankle},
                {0.092, 0.088, 0.062, 0.066, 0.05}),
           14, 14, kCloth, bend(side + "_hip", side + "_knee", 0.5, 0.1));
  mesh.add(box({0.062, 0.07, 0.05}, 0.7, knee + Point{0, 0, 0.04}), 12, 8, kArmor,
           rigid(bone(side + "_knee")));
  mesh.add(tube({knee + (ankle - knee) * 0.3, knee + (ankle - knee) * 0.55, ankle}, {0.07, 0.072, 0.058}), 12,
           4, kArmor, rigid(bone(side + "_knee")));
  mesh.add(box({0.056, 0.05, 0.13}, 0.6, {ankle[0], 0.05, 0.045}), 14, 8, kBoot,
           rigid(bone(side + "_ankle")));
}

// --- the file
// ---------------------------------------------------------------------------------------------------

void put(Bytes& bytes, const void* from, std::size_t size) {
  const auto* first = static_cast<const std::uint8_t*>(from);
  bytes.insert(bytes.end(), first, first + size);
}

/// The lowest byte first, whatever machine this is.
template <class Unsigned>
void put_number(Bytes& bytes, Unsigned number) {
  for (std::size_t i = 0; i < sizeof number; ++i) {
    bytes.push_back(static_cast<std::uint8_t>(number >> (8 * i)));
  }
}

std::uint8_t signed_byte(double value) {
  return static_cast<std::uint8_t>(std::lround((std::clamp(value, -1.0, 1.0) + 1) * 127.5));
}

/// Of numbers from 0 to 1, which is all that texture coordinates here need.
std::uint16_t half(double value) {
  if (value < 1.0 / 16384) {
    return 0;
  }
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);
  const auto bits = static_cast<unsigned>(std::lround((fraction * 2 - 1) * 1024));
  return static_cast<std::uint16_t>(static_cast<unsigned>(exponent + 14) * 1024 + bits);
}

/// The bones that geosets use, and for each geoset its palette.
class Bones {
 public:
  /// Place of a bone in the palette that is being built.
  std::uint8_t place_of(std::uint8_t bone) {
    const auto found = std::find(palette_.begin(), palette_.end(), bone);
    if (found != palette_.end()) {
      return static_cast<std::uint8_t>(found - palette_.begin());
    }
    palette_.push_back(bone);
    return static_cast<std::uint8_t>(palette_.size() - 1);
  }
  std::vector<std::uint8_t> take() { return std::exchange(palette_, {}); }

 private:
  std::vector<std::uint8_t> palette_;
};

void put_directions(Bytes& stream, const Vec3& normal, const Vec4& tangent) {
  const Point n = {double{normal[0]}, double{normal[1]}, double{normal[2]}};
  const Point t = normalized({double{tangent[0]}, double{tangent[1]}, double{tangent[2]}});
  const Point b = normalized(cross(n, t));
  for (const Point& axis : {t, b}) {
    for (const double part : axis) {
      stream.push_back(signed_byte(part));
    }
    stream.push_back(255);
  }
}

void add_call(dme::Document& document, dme::Mesh& mesh, const mdx::Geoset& geoset) {
  Bones bones;
  dme::DrawCall call;
  call.first_bone = static_cast<std::uint32_t>(document.bone_map.size());
  call.first_vertex = mesh.vertex_count;
  call.vertex_count = static_cast<std::uint32_t>(geoset.positions.size());
  call.first_index = static_cast<std::uint32_t>(mesh.indices16.size());
  call.index_count = static_cast<std::uint32_t>(geoset.indices.size());
  for (std::size_t i = 0; i < geoset.positions.size(); ++i) {
    Bytes& first = mesh.streams[0].data;
    for (const float part : geoset.positions[i]) {
      put_number(first, std::bit_cast<std::uint32_t>(part));
    }
    const auto& skin = (*geoset.skin)[i];
    put(first, skin.data() + 4, 4);
    for (std::size_t k = 0; k < 4; ++k) {
      first.push_back(skin.at(4 + k) > 0 ? bones.place_of(skin.at(k)) : 0);
    }
    Bytes& second = mesh.streams[1].data;
    put_directions(second, geoset.normals[i], (*geoset.tangents)[i]);
    for (int set = 0; set < 2; ++set) {
      for (const float part : geoset.uv_sets[0].coordinates[i]) {
        put_number(second, half(double{part}));
      }
    }
  }
  // Clockwise from outside.
  for (std::size_t i = 0; i + 2 < geoset.indices.size(); i += 3) {
    for (const std::size_t corner : {i, i + 2, i + 1}) {
      mesh.indices16.push_back(static_cast<std::uint16_t>(mesh.vertex_count + geoset.indices[corner]));
    }
  }
  mesh.vertex_count += call.vertex_count;
  const auto palette = bones.take();
  for (std::size_t i = 0; i < palette.size(); ++i) {
    document.bone_map.push_back({palette[i], static_cast<std::uint16_t>(i)});
  }
  call.bone_count = static_cast<std::uint32_t>(palette.size());
  mesh.bone_transform_count = std::max(mesh.bone_transform_count, call.bone_count);
  document.draw_calls.push_back(call);
}

/// Axes of a bone in the character's space.
std::array<Point, 3> axes_of(std::size_t index) {
  const Vec4 q = human_rotation(index);
  const double angle = 2 * std::atan2(double{q[2]}, double{q[3]});
  const double c = double{snap(std::cos(angle))};
  const double s = double{snap(std::sin(angle))};
  return {{{c, s, 0}, {-s, c, 0}, {0, 0, 1}}};
}

/// The file's matrices have their axes as rows of three: those of the world seen from the bone.
dme::BoneMatrix inverse_bind(std::size_t index) {
  const auto axes = axes_of(index);
  const Vec3& at = human_bones()[index].position;
  dme::BoneMatrix matrix{};
  for (std::size_t row = 0; row < 3; ++row) {
    double along = 0;
    for (std::size_t column = 0; column < 3; ++column) {
      matrix.at(column * 3 + row) = static_cast<float>(axes.at(row).at(column));
      along += axes.at(row).at(column) * double{at.at(column)};
    }
    matrix.at(9 + row) = static_cast<float>(-along);
  }
  return matrix;
}

/// The skeleton's bones that the model uses, in their order; the bone map comes to count in these.
void add_bones(dme::Document& document) {
  std::vector<std::uint16_t> used;
  for (const auto& entry : document.bone_map) {
    used.push_back(entry[0]);
  }
  std::sort(used.begin(), used.end());
  used.erase(std::unique(used.begin(), used.end()), used.end());
  for (auto& entry : document.bone_map) {
    entry[0] = static_cast<std::uint16_t>(std::find(used.begin(), used.end(), entry[0]) - used.begin());
  }
  for (const std::uint16_t index : used) {
    document.bone_inverse_binds.push_back(inverse_bind(index));
    document.bone_bounds.push_back({Vec3{-0.25F, -0.25F, -0.25F}, Vec3{0.25F, 0.25F, 0.25F}});
    document.bone_hashes.push_back(forgelight::hash_upper(human_bones()[index].name));
  }
}

dma::Parameter texture_parameter(std::string_view semantic, std::string_view name) {
  dma::Parameter parameter;
  parameter.semantic = forgelight::hash(semantic);
  parameter.parameter_class = dma::Parameter::kObject;
  parameter.type = dma::Parameter::kTexture;
  put_number(parameter.data, forgelight::hash_upper(name));
  return parameter;
}

dma::Document human_palette() {
  dma::Document palette;
  for (const auto name : {kColors, kNormals, kSpecular}) {
    palette.names.insert(palette.names.end(), name.begin(), name.end());
    palette.names.push_back('\0');
  }
  dma::Material& material = palette.materials.emplace_back();
  material.name_hash = forgelight::hash("Human");
  material.definition = forgelight::hash("Character");
  material.parameters = {texture_parameter("BaseDiffuse", kColors), texture_parameter("Bump", kNormals),
                         texture_parameter("Spec", kSpecular)};
  return palette;
}

// --- textures
// ---------------------------------------------------------------------------------------------------

constexpr unsigned kSide = 256;

bool in_visor(double u, double v) { return std::fabs(u - 0.5) < 0.17 && std::fabs(v - 0.46) < 0.085; }

/// Grooves between plates: 0 in them, 1 elsewhere.
double plates(double u, double v) {
  const double across = std::fabs(std::fmod(u * 4, 1.0) - 0.5);
  const double down = std::fabs(std::fmod(v * 3, 1.0) - 0.5);
  return 1 - ramp(0.44, 0.48, std::max(across, down));
}

double weave(double u, double v) { return 0.5 + 0.25 * std::sin(u * 90) + 0.25 * std::sin(v * 90); }

/// One painter per quarter, in the order of the parts.
template <class F>
void quarters(Canvas& canvas, F&& paint) {
  for (unsigned quarter = 0; quarter < 4; ++quarter) {
    canvas.paint(quarter % 2 * kSide / 2, quarter / 2 * kSide / 2, kSide / 2, kSide / 2,
                 [&](double u, double v) { return paint(quarter, u, v); });
  }
}

double height(unsigned quarter, double u, double v) {
  switch (quarter) {
    case 0:
      return 0.25 * weave(u, v);
    case 1:
    case 3:
      return plates(u, v);
    default:
      return in_visor(u, v) ? 0.2 : 0.9;
  }
}

std::string text_actor() {
  return "<ActorRuntime>\r\n"
         "    <AnimationNetwork fileName=\"Human.mrn\" animSetName=\"Human\" />\r\n"
         "    <Base fileName=\"Human_LOD0.dme\" paletteName=\"Human_Lod0.dma\" updateRadius=\"400.000000\" "
         "/>\r\n"
         "    <TextureAliases>\r\n"
         "        <Alias aliasName=\"default0\" textureName=\"Human_C.dds\" modelType=\"0\" "
         "materialIndex=\"0\" "
         "semanticHash=\"-1295769314\" defaultTextureAlias=\"1\" occlusionSlotBitmask=\"0\" />\r\n"
         "    </TextureAliases>\r\n"
         "    <Usage actorUsage=\"1\" borrowSkeleton=\"0\" validatePcNpc=\"0\" />\r\n"
         "</ActorRuntime>\r\n";
}

Bytes bytes_of(std::string_view text) {
  Bytes bytes;
  put(bytes, text.data(), text.size());
  return bytes;
}

}  // namespace

dme::Document human_model() {
  Mesh upper;
  add_torso(upper);
  add_head(upper);
  add_arm(upper, "L");
  add_arm(upper, "R");
  Mesh legs;
  add_leg(legs, "L");
  add_leg(legs, "R");
  dme::Document document;
  document.palette = human_palette();
  dme::Mesh& mesh = document.meshes.emplace_back();
  mesh.streams.resize(2);
  mesh.streams[0].stride = 20;
  mesh.streams[1].stride = 16;
  for (const Mesh* part : {&upper, &legs}) {
    add_call(document, mesh, part->skin_geoset(0, static_cast<std::uint32_t>(human_bones().size())));
  }
  mesh.draw_call_count = static_cast<std::uint32_t>(document.draw_calls.size());
  for (auto& call : document.draw_calls) {
    call.unknown_count = mesh.bone_transform_count;
  }
  add_bones(document);
  document.bounds = {Vec3{-0.75F, 0, -0.25F}, Vec3{0.75F, 1.875F, 0.25F}};
  document.unknown_count = 0;
  return document;
}

Canvas human_colors() {
  const Color cloth{0.16, 0.19, 0.24, 1};
  const Color armor{0.52, 0.12, 0.1, 1};
  const Color helmet{0.46, 0.11, 0.1, 1};
  const Color leather{0.2, 0.17, 0.15, 1};
  const Color light{0.25, 0.85, 1, 1};
  Canvas canvas(kSide, kSide);
  quarters(canvas, [&](unsigned quarter, double u, double v) {
    const double grain = 0.85 + 0.2 * noise(u * 9, v * 9, quarter + 3);
    switch (quarter) {
      case 0:
        return shaded(cloth, grain * (0.8 + 0.2 * weave(u, v)));
      case 1:
        return shaded(armor, grain * (0.35 + 0.65 * plates(u, v)));
      case 2:
        return in_visor(u, v) ? light : shaded(helmet, grain);
      default:
        return shaded(leather, grain * (0.5 + 0.5 * plates(u, v)));
    }
  });
  return canvas;
}

Canvas human_normals() {
  Canvas canvas(kSide, kSide);
  quarters(canvas, [&](unsigned quarter, double u, double v) {
    constexpr double kStep = 2.0 / kSide;
    const double x = height(quarter, u - kStep, v) - height(quarter, u + kStep, v);
    const double y = height(quarter, u, v + kStep) - height(quarter, u, v - kStep);
    const auto channel = [](double slope) { return std::clamp(0.5 + 0.35 * slope, 0.0, 1.0); };
    return Color{0.5, channel(y), 0.5, channel(x)};
  });
  return canvas;
}

Canvas human_specular() {
  Canvas canvas(kSide, kSide);
  quarters(canvas, [&](unsigned quarter, double u, double v) {
    switch (quarter) {
      case 0:
        return Color{0, 0, 0, 0.9};
      case 1:
        return Color{0.75, 0, 0, 0.35 + 0.25 * (1 - plates(u, v))};
      case 2:
        return in_visor(u, v) ? Color{0, 0, 1, 0.1} : Color{0.7, 0, 0, 0.35};
      default:
        return Color{0, 0, 0, 0.7};
    }
  });
  return canvas;
}

Bytes human_actor() { return bytes_of(text_actor()); }

std::vector<PackFile> human_files() {
  dma::Document palette = human_palette();
  return {{"Human.adr", human_actor()},
          {"Human_LOD0.dme", dme::write(human_model())},
          {"Human_Lod0.dma", dma::write(palette)},
          {"Human.mrn", mrn::write(human_network())},
          {std::string(kColors), write_dds(human_colors(), true)},
          {std::string(kNormals), write_dds(human_normals(), true)},
          {std::string(kSpecular), write_dds(human_specular(), true)}};
}

}  // namespace thaw::samples
