// KHR_draco_mesh_compression, as the library's own encoder writes it.
#include "gltf/draco.hpp"

#include <thaw/gltf.hpp>

#include "bytes/text.hpp"
#include "bytes/text_encoding.hpp"
#include "gltf/written.hpp"

#include <draco/compression/encode.h>
#include <draco/mesh/triangle_soup_mesh_builder.h>
#include <set>

namespace thaw::test {
namespace {

/// A strip of triangles that rises, with UVs that a seam divides in its middle.
struct Strip {
  static constexpr unsigned kTriangles = 8;

  static std::array<float, 3> position(unsigned corner) {
    return {static_cast<float>(corner) * 0.5F, static_cast<float>(corner % 2),
            static_cast<float>(corner) * 0.25F};
  }
  static std::array<float, 2> uv(unsigned triangle, unsigned corner) {
    const float turn = triangle < kTriangles / 2 ? 0.0F : 0.5F;
    return {static_cast<float>(corner) / 32 + turn, static_cast<float>(corner % 2)};
  }
};

struct Packed {
  Bytes bytes;
  std::size_t vertices = 0;
  std::uint32_t position_id = 0;
  std::uint32_t uv_id = 0;
};

Packed pack(draco::MeshEncoderMethod method) {
  draco::TriangleSoupMeshBuilder builder;
  builder.Start(Strip::kTriangles);
  const int positions = builder.AddAttribute(draco::GeometryAttribute::POSITION, 3, draco::DT_FLOAT32);
  const int uvs = builder.AddAttribute(draco::GeometryAttribute::TEX_COORD, 2, draco::DT_FLOAT32);
  for (unsigned i = 0; i < Strip::kTriangles; ++i) {
    const std::array corners = {i, i + 1 + i % 2, i + 2 - i % 2};
    std::array<std::array<float, 3>, 3> at{};
    std::array<std::array<float, 2>, 3> on{};
    for (std::size_t corner = 0; corner < 3; ++corner) {
      at.at(corner) = Strip::position(corners.at(corner));
      on.at(corner) = Strip::uv(i, corners.at(corner));
    }
    builder.SetAttributeValuesForFace(positions, draco::FaceIndex(i), at[0].data(), at[1].data(),
                                      at[2].data());
    builder.SetAttributeValuesForFace(uvs, draco::FaceIndex(i), on[0].data(), on[1].data(), on[2].data());
  }
  const auto mesh = builder.Finalize();
  draco::Encoder encoder;
  encoder.SetEncodingMethod(method);
  encoder.SetAttributeQuantization(draco::GeometryAttribute::POSITION, 14);
  encoder.SetAttributeQuantization(draco::GeometryAttribute::TEX_COORD, 12);
  encoder.SetTrackEncodedProperties(true);
  draco::EncoderBuffer buffer;
  EXPECT_TRUE(encoder.EncodeMeshToBuffer(*mesh, &buffer).ok());
  Packed packed;
  const auto written = as_bytes(std::string_view(buffer.data(), buffer.size()));
  packed.bytes.assign(written.begin(), written.end());
  packed.vertices = encoder.num_encoded_points();
  packed.position_id = mesh->GetNamedAttribute(draco::GeometryAttribute::POSITION)->unique_id();
  packed.uv_id = mesh->GetNamedAttribute(draco::GeometryAttribute::TEX_COORD)->unique_id();
  return packed;
}

std::string document(const Packed& packed, std::string_view more = "") {
  const std::string size = std::to_string(packed.bytes.size());
  const std::string count = std::to_string(packed.vertices);
  std::string json = R"({"asset":{"version":"2.0"},"extensionsRequired":["KHR_draco_mesh_compression"],)"
                     R"("scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],"buffers":[{"byteLength":)" +
                     size + R"(,"uri":"data:;base64,)";
  append_base64(json, packed.bytes);
  json += R"("}],"bufferViews":[{"buffer":0,"byteLength":)" + size +
          R"(}],"accessors":[{"componentType":5123,"type":"SCALAR","count":)" +
          std::to_string(Strip::kTriangles * 3) + R"(},{"componentType":5126,"type":"VEC3","count":)" +
          count + R"(},{"componentType":5126,"type":"VEC2","count":)" + count +
          R"(}],"meshes":[{"primitives":[{"indices":0,"attributes":{"POSITION":1,"TEXCOORD_0":2})" +
          std::string(more) +
          R"(,"extensions":{"KHR_draco_mesh_compression":{"bufferView":0,"attributes":{"POSITION":)" +
          std::to_string(packed.position_id) + R"(,"TEXCOORD_0":)" + std::to_string(packed.uv_id) +
          "}}}}]}]}";
  return json;
}

/// Corners of all triangles, positions and UVs, in thousandths.
std::multiset<std::array<long, 5>> corners_of(const scene::Scene& scene) {
  std::multiset<std::array<long, 5>> corners;
  const auto& mesh = scene.meshes.at(0);
  for (const auto index : mesh.indices) {
    const auto& at = mesh.positions.at(index);
    const auto& uv = mesh.uv_sets.at(0).at(index);
    corners.insert({std::lround(at[0] * 1000), std::lround(at[1] * 1000), std::lround(at[2] * 1000),
                    std::lround(uv[0] * 1000), std::lround(uv[1] * 1000)});
  }
  return corners;
}

TEST(GltfDraco, BothMethodsGiveTheTriangles) {
  std::multiset<std::array<long, 5>> expected;
  for (unsigned i = 0; i < Strip::kTriangles; ++i) {
    for (const unsigned corner : {i, i + 1 + i % 2, i + 2 - i % 2}) {
      const auto at = Strip::position(corner);
      const auto uv = Strip::uv(i, corner);
      expected.insert({std::lround(at[0] * 1000), std::lround(at[1] * 1000), std::lround(at[2] * 1000),
                       std::lround(uv[0] * 1000), std::lround(uv[1] * 1000)});
    }
  }
  for (const auto method : {draco::MESH_SEQUENTIAL_ENCODING, draco::MESH_EDGEBREAKER_ENCODING}) {
    Diagnostics diagnostics;
    const auto scene = read_gltf(as_bytes(document(pack(method))), {}, diagnostics);
    ASSERT_TRUE(scene) << scene.error().message;
    EXPECT_TRUE(diagnostics.items().empty());
    const auto found = corners_of(*scene);
    ASSERT_EQ(found.size(), expected.size());
    for (auto a = found.begin(), b = expected.begin(); a != found.end(); ++a, ++b) {
      for (std::size_t i = 0; i < 5; ++i) {
        EXPECT_NEAR(static_cast<double>(a->at(i)), static_cast<double>(b->at(i)), 1) << method;
      }
    }
  }
}

TEST(GltfDraco, NumbersThatDifferFromTheAccessorsAreRefused) {
  const auto packed = pack(draco::MESH_EDGEBREAKER_ENCODING);
  const auto error_of = [](const Packed& changed, std::string_view more = "") {
    const auto scene = read_gltf(as_bytes(document(changed, more)), {});
    EXPECT_FALSE(scene);
    return scene ? std::string() : scene.error().path + ": " + scene.error().message;
  };
  auto changed = packed;
  changed.vertices += 1;
  EXPECT_NE(error_of(changed).find("meshes[0].primitives[0]: the Draco data has 8 triangles"),
            std::string::npos)
      << error_of(changed);
  changed = packed;
  changed.uv_id = 9;
  EXPECT_NE(error_of(changed).find("no attribute 9"), std::string::npos);
  EXPECT_NE(error_of(packed, R"(,"mode":5)").find("only triangles"), std::string::npos);
  // A number of triangles by which the library would reserve memory.
  changed = packed;
  changed.bytes.at(13) = 0xFF;
  EXPECT_NE(error_of(changed).find("differs from its accessors"), std::string::npos) << error_of(changed);
}

TEST(GltfDraco, DamagedBytesAreAResultOrAnError) {
  for (const auto method : {draco::MESH_SEQUENTIAL_ENCODING, draco::MESH_EDGEBREAKER_ENCODING}) {
    const auto packed = pack(method);
    const gltf::DracoStream corners{0, 5125, 1, Strip::kTriangles * 3};
    const std::array vertices = {gltf::DracoStream{packed.position_id, 5126, 3, packed.vertices},
                                 gltf::DracoStream{packed.uv_id, 5126, 2, packed.vertices}};
    std::size_t refused = 0;
    const auto try_bytes = [&](ByteView bytes) {
      const auto unpacked = gltf::unpack_draco(bytes, corners, vertices);
      refused += unpacked ? 0U : 1U;
      if (unpacked) {
        EXPECT_EQ(unpacked->corners.size(), corners.count * 4);
        EXPECT_EQ(unpacked->vertices.at(1).size(), packed.vertices * 8);
      }
    };
    for (std::size_t size = 0; size < packed.bytes.size(); ++size) {
      try_bytes(ByteView(packed.bytes).first(size));
    }
    EXPECT_GT(refused, packed.bytes.size() / 2);
    for (std::size_t at = 0; at < packed.bytes.size(); ++at) {
      for (const unsigned flip : {1U, 0x80U, 0xFFU}) {
        Bytes bytes = packed.bytes;
        bytes[at] = static_cast<std::uint8_t>(bytes[at] ^ flip);
        try_bytes(bytes);
      }
    }
  }
}

}  // namespace
}  // namespace thaw::test
