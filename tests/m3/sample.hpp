// The generated model of each version, and its parts to be changed.
#pragma once

#include <thaw/m3.hpp>

#include "support/files.hpp"
#include "support/paths.hpp"

#include <gtest/gtest.h>

namespace thaw::m3 {

inline Document sample(unsigned version = 3) {
  const auto name = "waystone_v" + std::to_string(version) + ".m3";
  Diagnostics diagnostics;
  auto document = read(test::load(test::samples_dir() / name), {}, diagnostics);
  EXPECT_TRUE(document);
  EXPECT_EQ(diagnostics.count(Severity::unused), 0U);
  return document ? std::move(*document) : Document();
}

inline Mesh& mesh_of(Document& document) {
  for (auto& chunk : document.chunks) {
    if (auto* mesh = std::get_if<Mesh>(&chunk.body)) {
      return *mesh;
    }
  }
  return std::get<Mesh>(document.chunks.emplace_back(Chunk{FourCC{"MES3"}, Mesh(), {}, {}}).body);
}

template <class Body>
Body& part(Document& document, FourCC tag) {
  for (auto& chunk : mesh_of(document).chunks) {
    if (chunk.tag == tag) {
      return std::get<Body>(chunk.body);
    }
  }
  ADD_FAILURE() << tag.text();
  static Body none;
  return none;
}

template <class Body>
Body& top(Document& document) {
  for (auto& chunk : document.chunks) {
    if (auto* body = std::get_if<Body>(&chunk.body)) {
      return *body;
    }
  }
  ADD_FAILURE();
  static Body none;
  return none;
}

}  // namespace thaw::m3
