#pragma once

#include <thaw/wmo.hpp>

#include "support/files.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

namespace thaw::wmo {

using Lines = std::vector<std::string>;

/// The first chunk of a tag in a list that has one.
template <class Body>
Body& chunk_in(std::vector<Chunk>& chunks, FourCC tag) {
  for (auto& chunk : chunks) {
    if (chunk.tag == tag) {
      return std::get<Body>(chunk.body);
    }
  }
  throw std::logic_error(tag.text());
}

/// Of a building in one file, as the sample is.
inline std::vector<Chunk>& root_of(Document& document) {
  return std::get<Root>(document.chunks.at(1).body).chunks;
}
inline Group& group_of(Document& document, std::size_t number) {
  return std::get<Group>(document.chunks.at(2 + number).body);
}

/// Real buildings, below the corpus.
inline const std::filesystem::path kFixtures = "alpha/wowserhq+blizzardry/spec/fixtures";

inline Document load_document(const std::filesystem::path& path) {
  Diagnostics diagnostics;
  auto document = read(test::load(path), {}, diagnostics);
  EXPECT_TRUE(document) << path;
  return document ? std::move(*document) : Document{};
}

}  // namespace thaw::wmo
