// Outputs on disk: every command writes them here.
#pragma once

#include <thaw/diagnostics.hpp>

#include "cli/product.hpp"
#include "cli/settings.hpp"

#include <cstdint>
#include <filesystem>
#include <vector>

namespace thaw::cli {

/// Writes a file, and the folders that it lies in. The message of an error begins with the path. Nothing is
/// begun once the run is interrupted (write.failed) or out of time (throws OutOfTime).
Result<void> save_file(const std::filesystem::path& path, ByteView bytes, bool overwrite);

/// What the options on files that exist say together; empty if they agree.
std::string objection_to_overwriting(const Settings& settings);

struct Saved {
  std::filesystem::path path;
  std::uint64_t size = 0;
};
/// The first file under the name of the output, the others beside it, and before it: an output that is there
/// is complete. In the order of the product.
Result<std::vector<Saved>> save_product(const std::filesystem::path& output, const Product& product,
                                        bool overwrite);

}  // namespace thaw::cli
