#pragma once

#include <thaw/mrn.hpp>

#include "support/files.hpp"
#include "support/paths.hpp"

#include <gtest/gtest.h>

namespace thaw::mrn {

/// The sample's network.
inline Document human() {
  Diagnostics diagnostics;
  auto document = read(test::load(test::samples_dir() / "forgelight" / "human.mrn"), {}, diagnostics);
  EXPECT_TRUE(document);
  return document ? std::move(*document) : Document{};
}

}  // namespace thaw::mrn
