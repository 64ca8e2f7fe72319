// What EXT_meshopt_compression packs, by the specification's example, by what npm's meshoptimizer 1.3.0 made
// of numbers that are made again here, and damaged.
#include <thaw/gltf.hpp>

#include "bytes/text.hpp"
#include "bytes/text_encoding.hpp"
#include "gltf/meshopt.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace thaw::gltf {
namespace {

constexpr std::string_view kAttributes =
    "oKqqqqoGZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZm"
    "ZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZgAEEAAACAAAAAAC"
    "AFRVVVWAAAAAgAAAAIAAAACAAAAAgAAAAIAAAACAAAAAgAAAAIAAAACAAAAAgAAAAIAAAACAAAAAgAAAAIAAAAAAAAAAlaqq"
    "6gAAgIiIioqqqqrq7gQEBEJCQkRCRERERERERGREZGRkZGRmZGZmZmZmZmaGZoaGhoaGiIaIiIiIiIiIqIioqKioqKqoqqqq"
    "qqqqqsqqysrKysrMyszMzMzMzMzszOzs7Ozs7uzu7u7u7u7u/u7+/hAQEBAOEA4QDhAQEA4QEBAQEBAAAEEEgAAAAAAIAAAA"
    "AAAIAAAAAAAAAAAqZmZmZmZmZmZmZmZmZmZmZmZmZmZmZgAAAYAAAAAVgAAAAIAAAACAAAAAAD8QEBAQEBAQEBIQEBASEBIQ"
    "EhASEBIQEhISEBISEhISEhISEhISEhISFBISEgAAAAAFgAAAAAAAAAIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAcA"
    "AAAA";
constexpr std::string_view kTriangles =
    "4f4eEA4QDhAOEA7+HhkOGA4XDhYO/x4WDhYOFg4WDv8eFg4WDhYOFg7//w8MnwJfCQxfCQzxMxz/LktOAHaHVmd4qYZliWiY"
    "AWkAAA==";
constexpr std::string_view kIndices = "0QCdHxAHEAcQBxAHEAcQBxAHEAcQBxAHEAcQBxAHEAcQBxAHEAcQBxAHAAAAAA==";
constexpr std::string_view kOctahedron8 =
    "oAEz/wAA/f6R4PqjAT//AAD9/v5wp22dAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAfwB/fw==";
constexpr std::string_view kOctahedron16 =
    "oAEh/wAA3Ck5aQEz/wAADQ4HERAJASX/AADeX+cJAT//AAAPEA4XFgcJAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAP8H"
    "AAD/B/9/";
constexpr std::string_view kQuaternions =
    "oAEP/wAAv3+/9PMaAQ//AAAsWS4JChIBDP8AAL/ApqU0AQz/AAAsKz9AJAEP/wAAv39zqMCAAQ//AAAsWWQ/LVwBMNcAAAUE"
    "BgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAD/Hw==";
constexpr std::string_view kExponents =
    "oAEP/wAA///Mkwg/AQ//AABfYMzLvb4CB/3L5wAAAAAWAQ//AAASCCEoBiEBD/kAAI/8yMwBD/AAAA0c284CA172iAAAAAAZ"
    "AQ//AAASCCEoBiEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAADuAAAE7g==";

struct Sample {
  std::string_view text;
  Packing packing;
};
constexpr std::array kSamples = {Sample{kAttributes, {"ATTRIBUTES", "NONE", 300, 8}},
                                 Sample{kTriangles, {"TRIANGLES", "", 126, 4}},
                                 Sample{kIndices, {"INDICES", "", 40, 2}},
                                 Sample{kOctahedron8, {"ATTRIBUTES", "OCTAHEDRAL", 8, 4}},
                                 Sample{kOctahedron16, {"ATTRIBUTES", "OCTAHEDRAL", 8, 8}},
                                 Sample{kQuaternions, {"ATTRIBUTES", "QUATERNION", 8, 8}},
                                 Sample{kExponents, {"ATTRIBUTES", "EXPONENTIAL", 8, 8}}};

Bytes bytes_of(std::string_view text) { return decode_base64(text).value(); }

template <class T>
std::vector<T> numbers_of(const Sample& sample) {
  const auto bytes = unpack(bytes_of(sample.text), sample.packing);
  EXPECT_TRUE(bytes) << sample.packing.mode << ' ' << sample.packing.filter;
  std::vector<T> numbers(bytes ? bytes->size() / sizeof(T) : 0);
  if (!numbers.empty()) {
    std::memcpy(numbers.data(), bytes->data(), bytes->size());
  }
  return numbers;
}

TEST(Meshopt, TheExampleOfTheSpecification) {
  Bytes packed = {0xA0, 2, 0x17, 0x5F, 0xF0, 0xBC, 0x77, 0xA9, 0x21, 0, 0x34, 0xB5, 0, 0, 0};
  packed.insert(packed.end(), 32, 0);
  const auto bytes = unpack(packed, {"ATTRIBUTES", "NONE", 16, 4});
  ASSERT_TRUE(bytes);
  constexpr std::array<int, 16> kDeltas = {-1, -4, -3, 26, -91, 0, -6, 6, -4, -4, 5, -5, 1, -1, 0, 0};
  int sum = 0;
  for (std::size_t i = 0; i < kDeltas.size(); ++i) {
    sum += kDeltas.at(i);
    EXPECT_EQ((*bytes)[i * 4], static_cast<std::uint8_t>(sum)) << i;
    EXPECT_EQ((*bytes)[i * 4 + 1], 0);
  }
}

TEST(Meshopt, Attributes) {
  const auto bytes = numbers_of<std::uint8_t>(kSamples[0]);
  ASSERT_EQ(bytes.size(), 2400U);
  for (std::size_t i = 0; i < 300; ++i) {
    const std::uint8_t* at = bytes.data() + i * 8;
    EXPECT_EQ(at[0] | at[1] << 8, static_cast<int>(i * 3)) << i;
    EXPECT_EQ(at[2], i >> 4U);
    EXPECT_EQ(at[3], 7);
    EXPECT_EQ(std::uint32_t{at[4]} | std::uint32_t{at[5]} << 8U | std::uint32_t{at[6]} << 16U, i * i >> 6U)
        << i;
  }
}

TEST(Meshopt, Triangles) {
  constexpr std::uint32_t kWide = 6;
  std::vector<std::uint32_t> expected;
  for (std::uint32_t y = 0; y < 4; ++y) {
    for (std::uint32_t x = 0; x + 1 < kWide; ++x) {
      const std::uint32_t p = y * kWide + x;
      expected.insert(expected.end(), {p, p + 1, p + kWide, p + kWide, p + 1, p + kWide + 1});
    }
  }
  expected.insert(expected.end(), {3, 17, 29, 40, 2, 41});
  auto indices = numbers_of<std::uint32_t>(kSamples[1]);
  ASSERT_EQ(indices.size(), expected.size());
  // Triangles may come turned, not over.
  for (auto* all : {&indices, &expected}) {
    for (auto at = all->begin(); at != all->end(); at += 3) {
      std::rotate(at, std::min_element(at, at + 3), at + 3);
    }
  }
  EXPECT_EQ(indices, expected);
}

TEST(Meshopt, Indices) {
  const auto indices = numbers_of<std::uint16_t>(kSamples[2]);
  ASSERT_EQ(indices.size(), 40U);
  for (std::size_t i = 0; i < indices.size(); ++i) {
    EXPECT_EQ(indices[i], i % 2 == 1 ? 1000 - i : i * 2) << i;
  }
}

TEST(Meshopt, Octahedra) {
  constexpr std::array<std::array<double, 3>, 8> kVectors = {{{1, 0, 0},
                                                              {0, -1, 0},
                                                              {0, 0, 1},
                                                              {0, 0, -1},
                                                              {0.6, -0.8, 0},
                                                              {-0.36, 0.48, -0.8},
                                                              {0.48, 0.6, 0.64},
                                                              {-0.64, -0.48, 0.6}}};
  const auto small = numbers_of<std::int8_t>(kSamples[3]);
  const auto large = numbers_of<std::int16_t>(kSamples[4]);
  ASSERT_EQ(small.size(), 32U);
  ASSERT_EQ(large.size(), 32U);
  for (std::size_t i = 0; i < kVectors.size(); ++i) {
    for (std::size_t part = 0; part < 3; ++part) {
      EXPECT_NEAR(small[i * 4 + part] / 127.0, kVectors.at(i).at(part), 0.02) << i << ' ' << part;
      EXPECT_NEAR(large[i * 4 + part] / 32767.0, kVectors.at(i).at(part), 0.002) << i << ' ' << part;
    }
    EXPECT_EQ(small[i * 4 + 3], 127) << "the fourth stays";
  }
}

TEST(Meshopt, Quaternions) {
  constexpr std::array<std::array<double, 4>, 8> kTurns = {{{0, 0, 0, 1},
                                                            {1, 0, 0, 0},
                                                            {0.5, 0.5, 0.5, 0.5},
                                                            {-0.5, 0.5, -0.5, 0.5},
                                                            {0, 0.6, 0.8, 0},
                                                            {0.1, -0.7, 0.1, 0.7},
                                                            {0.8, 0, 0, -0.6},
                                                            {0.2, 0.4, 0.4, 0.8}}};
  const auto turns = numbers_of<std::int16_t>(kSamples[5]);
  ASSERT_EQ(turns.size(), 32U);
  for (std::size_t i = 0; i < kTurns.size(); ++i) {
    double dot = 0;  // a turn and its opposite are the same
    for (std::size_t part = 0; part < 4; ++part) {
      dot += turns[i * 4 + part] / 32767.0 * kTurns.at(i).at(part);
    }
    EXPECT_NEAR(std::abs(dot), 1, 1e-3) << i;
  }
}

TEST(Meshopt, Exponents) {
  constexpr std::array kNumbers = {0.0, 1.0,  -1.0, 0.5,      1000.25, -3.14159, 1e-6, 12345.678,
                                   0.1, -0.1, 7.0,  -65536.0, 1e6,     2.0,      3.0,  4.0};
  const auto numbers = numbers_of<float>(kSamples[6]);
  ASSERT_EQ(numbers.size(), kNumbers.size());
  for (std::size_t i = 0; i < kNumbers.size(); i += 2) {
    // Both of an element have one exponent.
    const double most = std::max(std::abs(kNumbers.at(i)), std::abs(kNumbers.at(i + 1)));
    EXPECT_NEAR(double{numbers[i]}, kNumbers.at(i), most * 1e-5) << i;
    EXPECT_NEAR(double{numbers[i + 1]}, kNumbers.at(i + 1), most * 1e-5) << i;
  }
}

TEST(Meshopt, WhatTheExtensionDoesNotAllow) {
  const Bytes attributes = bytes_of(kAttributes);
  for (const Packing& packing :
       {Packing{"ATTRIBUTES", "", 300, 6}, Packing{"ATTRIBUTES", "", 300, 0},
        Packing{"ATTRIBUTES", "", 300, 260}, Packing{"ATTRIBUTES", "COLOR", 300, 8},
        Packing{"ATTRIBUTES", "OCTAHEDRAL", 300, 12}, Packing{"TRIANGLES", "", 126, 8},
        Packing{"TRIANGLES", "EXPONENTIAL", 126, 4}, Packing{"", "", 300, 4},
        Packing{"ATTRIBUTES", "", 288, 8}, Packing{"TRIANGLES", "", 300, 4}, Packing{"INDICES", "", 300, 4},
        Packing{"ATTRIBUTES", "", 4000000000, 256}, Packing{"TRIANGLES", "", 3000000000, 4},
        Packing{"INDICES", "", 4000000000, 4}}) {
    const auto bytes = unpack(attributes, packing);
    ASSERT_FALSE(bytes) << packing.mode << ' ' << packing.filter << ' ' << packing.stride;
    EXPECT_EQ(bytes.error().code, codes::kGltfReference);
  }
}

/// Whatever the bytes: the stated size or an error.
TEST(Meshopt, DamagedStreams) {
  for (const Sample& sample : kSamples) {
    const Bytes whole = bytes_of(sample.text);
    const auto check = [&](ByteView bytes) {
      if (const auto result = unpack(bytes, sample.packing)) {
        EXPECT_EQ(result->size(), sample.packing.count * sample.packing.stride);
      }
    };
    for (std::size_t size = 0; size < whole.size(); ++size) {
      EXPECT_FALSE(unpack(ByteView(whole).first(size), sample.packing)) << sample.packing.mode << ' ' << size;
    }
    Bytes changed = whole;
    for (std::uint8_t& byte : changed) {
      const std::uint8_t before = byte;
      for (const unsigned mask : {0xFFU, 1U, 0x80U, 0x55U}) {
        byte = static_cast<std::uint8_t>(before ^ mask);
        check(changed);
      }
      byte = before;
    }
  }
}

/// A triangle whose positions are packed; `placeholder` is where they would be for others.
std::string packed_triangle(std::string_view placeholder, std::string_view views) {
  // (0,0,0) (1,0,0) (0,1,0), in whole numbers of 16 bits and four of them, as one group of deltas of bytes.
  Bytes packed = {0xA0};
  const std::array<std::array<std::uint8_t, 3>, 8> planes = {
      {{0, 2, 1}, {0, 0, 0}, {0, 0, 2}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}}};
  for (const auto& plane : planes) {
    packed.push_back(3);
    packed.insert(packed.end(), plane.begin(), plane.end());
    packed.insert(packed.end(), 13, 0);
  }
  packed.insert(packed.end(), 32, 0);
  std::string json =
      R"({"asset":{"version":"2.0"},"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],)"
      R"("extensionsRequired":["EXT_meshopt_compression","KHR_mesh_quantization"],)"
      R"("meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],)"
      R"("accessors":[{"bufferView":0,"componentType":5122,"count":3,"type":"VEC3"}],"buffers":[{"uri":"data:;base64,)";
  append_base64(json, packed);
  json += "\",\"byteLength\":" + std::to_string(packed.size()) + "}";
  json += placeholder;
  json += "],\"bufferViews\":[";
  json += views;
  return json + "]}";
}

constexpr std::string_view kPlaceholder =
    R"(,{"byteLength":24,"extensions":{"EXT_meshopt_compression":{"fallback":true}}})";
constexpr std::string_view kView =
    R"({"buffer":1,"byteLength":24,"byteStride":8,"extensions":{"EXT_meshopt_compression":)"
    R"({"buffer":0,"byteLength":169,"byteStride":8,"count":3,"mode":"ATTRIBUTES"}}})";

TEST(Meshopt, OfAFile) {
  const auto scene = read_gltf(as_bytes(packed_triangle(kPlaceholder, kView)));
  ASSERT_TRUE(scene) << scene.error().message;
  const auto& mesh = scene->meshes.at(0);
  ASSERT_EQ(mesh.positions.size(), 3U);
  EXPECT_EQ(mesh.positions[0], (Vec3{0, 0, 0}));
  EXPECT_EQ(mesh.positions[1], (Vec3{1, 0, 0}));
  EXPECT_EQ(mesh.positions[2], (Vec3{0, 1, 0}));
}

TEST(Meshopt, OfABrokenFile) {
  const auto error_of = [](std::string_view what, std::string_view with) {
    std::string view(kView);
    view.replace(view.find(what), what.size(), with);
    return read_gltf(as_bytes(packed_triangle(kPlaceholder, view))).error();
  };
  EXPECT_EQ(error_of("\"count\":3", "\"count\":4").message,
            "bufferViews[0] has a length other than count times byteStride of its compressed data");
  EXPECT_EQ(error_of("169", "168").message, "EXT_meshopt_compression: the compressed data is damaged");
  EXPECT_EQ(error_of("169", "168").path, "bufferViews[0]");
  EXPECT_EQ(error_of("169", "170").code, codes::kGltfReference);
  EXPECT_EQ(error_of("\"buffer\":0", "\"buffer\":7").code, codes::kGltfReference);
  EXPECT_EQ(error_of("ATTRIBUTES", "TOMORROW").code, codes::kGltfReference);
  // The same bytes for many views are no way to have much out of little.
  std::string many(kView);
  many += ",";
  many += kView;
  EXPECT_EQ(read_gltf(as_bytes(packed_triangle(kPlaceholder, many))).error().message,
            "bufferView 1 shares compressed bytes with other bufferViews");
  // A placeholder holds nothing.
  const auto bare =
      read_gltf(as_bytes(packed_triangle(kPlaceholder, R"({"buffer":1,"byteLength":24,"byteStride":8})")));
  ASSERT_FALSE(bare);
  EXPECT_EQ(bare.error().code, codes::kGltfReference);
}

}  // namespace
}  // namespace thaw::gltf
