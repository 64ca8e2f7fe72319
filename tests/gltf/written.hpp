// Scenes small enough to be built by hand, and what was written of them.
#pragma once

#include <thaw/gltf.hpp>

#include "support/json_value.hpp"

#include <gmock/gmock.h>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace thaw::test {

inline std::uint32_t word_at(const Bytes& bytes, std::size_t offset) {
  std::uint32_t word = 0;
  for (std::size_t i = 4; i-- > 0;) {
    word = word << 8U | bytes.at(offset + i);
  }
  return word;
}

/// A written .glb, taken apart.
struct Written {
  Value json;
  Bytes buffer;
  Diagnostics diagnostics;

  /// The numbers of an accessor, whatever their type.
  [[nodiscard]] std::vector<double> accessor(const Value& index) const {
    const Value& accessor = at(json, "accessors", static_cast<int>(number(index)));
    const Value& view = at(json, "bufferViews", static_cast<int>(number(at(accessor, "bufferView"))));
    const auto offset_of = [](const Value& value) {
      return has(value, "byteOffset") ? static_cast<std::size_t>(number(at(value, "byteOffset"))) : 0;
    };
    const std::size_t start = offset_of(view) + offset_of(accessor);
    const std::string type = text(at(accessor, "type"));
    const std::size_t width = type == "SCALAR" ? 1
                              : type == "MAT4" ? 16
                                               : static_cast<std::size_t>(type[3] - '0');
    const std::size_t count = static_cast<std::size_t>(number(at(accessor, "count"))) * width;
    const int component = static_cast<int>(number(at(accessor, "componentType")));
    const std::size_t size = component == 5121 ? 1 : component == 5123 ? 2 : 4;
    std::vector<double> result;
    for (std::size_t i = 0; i < count; ++i) {
      std::uint32_t bits = 0;
      for (std::size_t byte = size; byte-- > 0;) {
        bits = bits << 8U | buffer.at(start + i * size + byte);
      }
      float real = 0;
      std::memcpy(&real, &bits, sizeof(real));
      result.push_back(component == 5126 ? double{real} : static_cast<double>(bits));
    }
    return result;
  }

  /// The file of an image.
  [[nodiscard]] ByteView image_file(int image) const {
    const Value& view =
        at(json, "bufferViews", static_cast<int>(number(at(json, "images", image, "bufferView"))));
    const auto start = static_cast<std::size_t>(has(view, "byteOffset") ? number(at(view, "byteOffset")) : 0);
    return ByteView(buffer).subspan(start, static_cast<std::size_t>(number(at(view, "byteLength"))));
  }

  /// The picture behind an index into `textures`.
  [[nodiscard]] Image picture(const Value& texture) const {
    auto decoded = decode_png(image_file(static_cast<int>(
                                  number(at(json, "textures", static_cast<int>(number(texture)), "source")))),
                              {});
    EXPECT_TRUE(decoded.has_value());
    return decoded ? *decoded : Image{};
  }

  /// The channel of an animation that moves this; null if there is none.
  [[nodiscard]] const Value* channel(int animation, int node, std::string_view path) const {
    const Value& channels = at(json, "animations", animation, "channels");
    for (int i = 0; i < size_of(channels); ++i) {
      const Value& target = at(channels, i, "target");
      if (has(target, "node") && number(at(target, "node")) == node && text(at(target, "path")) == path) {
        return &at(channels, i);
      }
    }
    return nullptr;
  }
  [[nodiscard]] const Value& sampler(int animation, const Value& channel) const {
    return at(json, "animations", animation, "samplers", static_cast<int>(number(at(channel, "sampler"))));
  }
};

/// With THAW_GLTF_OUT set, every written file is left in that folder for other validators.
inline void keep(const std::vector<OutputFile>& files) {
  const char* folder = std::getenv("THAW_GLTF_OUT");  // NOLINT(concurrency-mt-unsafe): tests have one thread
  if (folder == nullptr) {
    return;
  }
  const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
  static int number_of_file = 0;
  const std::string prefix =
      std::string(info->test_suite_name()) + "." + info->name() + "." + std::to_string(number_of_file++);
  const std::filesystem::path place = std::filesystem::path(folder) / prefix;
  std::filesystem::create_directories(place);
  for (const auto& file : files) {
    std::ofstream stream(place / file.name, std::ios::binary);
    stream.write(reinterpret_cast<const char*>(file.bytes.data()),
                 static_cast<std::streamsize>(file.bytes.size()));
  }
}

inline Written write(const scene::Scene& scene, GltfOptions options) {
  Written written;
  options.generator = "test";
  const auto files = write_gltf(scene, options, written.diagnostics);
  EXPECT_TRUE(files.has_value());
  if (!files) {
    return written;
  }
  keep(*files);
  EXPECT_EQ(files->size(), 1U);
  const Bytes& glb = files->front().bytes;
  const std::uint32_t json_size = word_at(glb, 12);
  written.json = parse_json({reinterpret_cast<const char*>(glb.data()) + 20, json_size});
  if (glb.size() > 20 + json_size) {
    const auto start = glb.begin() + 28 + static_cast<std::ptrdiff_t>(json_size);
    written.buffer.assign(start, glb.end());
  }
  return written;
}

inline Written write(const scene::Scene& scene, GltfProfile profile = GltfProfile::compat) {
  GltfOptions options;
  options.profile = profile;
  return write(scene, options);
}

/// A root without anything.
inline scene::Scene empty_scene() {
  scene::Scene scene;
  scene.name = "test";
  scene.source_format = "mdx";
  scene::Node root;
  root.name = "test";
  root.kind = scene::NodeKind::root;
  scene.nodes.push_back(root);
  return scene;
}

inline scene::Index add_node(scene::Scene& scene, const std::string& name, scene::Index parent = 0,
                             const Vec3& translation = {}) {
  scene::Node node;
  node.name = name;
  node.parent = parent;
  node.kind = scene::NodeKind::bone;
  node.rest.translation = translation;
  scene.nodes.push_back(node);
  return static_cast<scene::Index>(scene.nodes.size() - 1);
}

/// Two triangles on a node of their own.
inline scene::Index add_quad(scene::Scene& scene, scene::Index material = scene::kNone) {
  scene::Mesh mesh;
  mesh.name = "quad";
  mesh.positions = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0.5F}};
  mesh.normals = {{0, 0, 1}, {0, 0, 1}, {0, 0, 1}, {0, 0, 1}};
  mesh.uv_sets = {{{0, 1}, {1, 1}, {1, 0}, {0, 0}}};
  mesh.indices = {0, 1, 2, 0, 2, 3};
  mesh.parts = {{0, 6, material}};
  mesh.node = add_node(scene, "quad");
  scene.nodes[mesh.node].kind = scene::NodeKind::mesh;
  scene.meshes.push_back(mesh);
  return static_cast<scene::Index>(scene.meshes.size() - 1);
}

/// Binds all vertices of a mesh to joints in equal shares.
inline void add_skin(scene::Scene& scene, scene::Index mesh, const std::vector<scene::Index>& joints) {
  scene::Skin skin;
  skin.joints = joints;
  for (const scene::Index joint : joints) {
    scene::Mat4 matrix = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    for (std::size_t i = 0; i < 3; ++i) {
      matrix[12 + i] = -scene.nodes[joint].rest.translation[i];
    }
    skin.inverse_bind.push_back(matrix);
  }
  scene::Mesh& target = scene.meshes[mesh];
  target.skin = static_cast<scene::Index>(scene.skins.size());
  target.influences = static_cast<unsigned>(joints.size());
  for (std::size_t vertex = 0; vertex < target.positions.size(); ++vertex) {
    for (std::uint16_t joint = 0; joint < joints.size(); ++joint) {
      target.joints.push_back(joint);
      target.weights.push_back(1.0F / static_cast<float>(joints.size()));
    }
  }
  scene.skins.push_back(skin);
}

/// A texture of `pixels` in rows of two.
inline scene::Index add_texture(scene::Scene& scene, const std::string& name,
                                const std::vector<std::array<std::uint8_t, 4>>& pixels) {
  scene::NamedImage image;
  image.name = name;
  image.source = name + ".blp";
  image.image.width = 2;
  image.image.height = static_cast<std::uint32_t>(pixels.size() / 2);
  for (const auto& pixel : pixels) {
    image.image.rgba.insert(image.image.rgba.end(), pixel.begin(), pixel.end());
  }
  scene::Texture texture;
  texture.path = name + ".blp";
  texture.image = static_cast<scene::Index>(scene.images.size());
  scene.images.push_back(image);
  scene.textures.push_back(texture);
  return static_cast<scene::Index>(scene.textures.size() - 1);
}

inline scene::Layer layer(scene::BlendMode blend, scene::Index texture) {
  scene::Layer result;
  result.blend = blend;
  result.texture = texture;
  return result;
}

inline scene::Index add_material(scene::Scene& scene, const std::vector<scene::Layer>& layers) {
  scene::Material material;
  material.name = "material";
  material.layers = layers;
  scene.materials.push_back(material);
  return static_cast<scene::Index>(scene.materials.size() - 1);
}

inline scene::Clip& add_clip(scene::Scene& scene, const std::string& name, float duration) {
  scene::Clip clip;
  clip.name = name;
  clip.duration = duration;
  scene.clips.push_back(clip);
  return scene.clips.back();
}

inline scene::Curve curve(scene::CurveMode mode, unsigned components, const std::vector<float>& times,
                          const std::vector<float>& values) {
  scene::Curve result;
  result.mode = mode;
  result.components = components;
  result.times.assign(times.begin(), times.end());
  result.values.assign(values.begin(), values.end());
  return result;
}

inline void add_channel(scene::Clip& clip, scene::Target::Kind kind, scene::Index index,
                        scene::Property property, scene::Curve keys, scene::Index sub = 0) {
  clip.channels.push_back({{kind, index, sub}, property, std::move(keys)});
}

}  // namespace thaw::test
