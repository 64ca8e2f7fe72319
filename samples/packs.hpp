// Packs of the Forgelight engine, put together (docs/formats/pack.md).
#pragma once

#include <thaw/bytes.hpp>

#include <string>
#include <vector>

namespace thaw::samples {

struct PackFile {
  std::string name;
  Bytes bytes;
};

/// A chain of tables; each holds as many entries as fit into its 8 KiB.
Bytes write_pack1(const std::vector<PackFile>& files);
/// Every other file is a zlib stream. With `names`, the pack has a list of them.
Bytes write_pack2(std::vector<PackFile> files, bool names);

}  // namespace thaw::samples
