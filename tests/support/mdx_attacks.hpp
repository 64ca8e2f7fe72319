// MDX files that are as dense in objects of one kind as the format allows: what a reader pays the most for.
#pragma once

#include "support/raw_bytes.hpp"

#include <cstddef>
#include <vector>

namespace thaw::test {

struct MdxAttack {
  const char* name;
  /// A file of about `size` bytes.
  RawBytes (*make)(std::size_t size);
};

const std::vector<MdxAttack>& mdx_attacks();

}  // namespace thaw::test
