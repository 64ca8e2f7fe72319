#pragma once

#include <thaw/wmo.hpp>

#include "support/files.hpp"

#include <gtest/gtest.h>

#include <filesystem>

namespace thaw::wmo {

/// Real buildings, below the corpus.
inline const std::filesystem::path kFixtures = "alpha/wowserhq+blizzardry/spec/fixtures";

inline Document load_document(const std::filesystem::path& path) {
  Diagnostics diagnostics;
  auto document = read(test::load(path), {}, diagnostics);
  EXPECT_TRUE(document) << path;
  return document ? std::move(*document) : Document{};
}

}  // namespace thaw::wmo
