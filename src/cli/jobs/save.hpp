// Outputs on disk: every command writes them here.
#pragma once

#include <thaw/diagnostics.hpp>
#include <thaw/sources.hpp>

#include "cli/arguments/settings.hpp"
#include "cli/jobs/product.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

namespace thaw::cli {

/// Writes a file, and the folders that it lies in. The message of an error begins with the path. Nothing is
/// begun once the job shall end (throws Stopped). `expected` as in `write_file`.
Result<void> save_file(const std::filesystem::path& path, ByteView bytes, bool overwrite,
                       const std::optional<FileStamp>& expected = {});

/// Names the temporary files that killed runs have left where this run has written, unless it is quiet.
void report_abandoned(const Settings& settings);

/// Makes the folders that a file is to lie in.
Result<void> make_folder_of(const std::filesystem::path& path);

/// A device or pipe, also behind a link: /dev/stdout is one. It is written to and never replaced.
bool is_device(const std::filesystem::path& path);

struct Saved {
  std::filesystem::path path;
  std::optional<std::uint64_t> size;  ///< none: it is not made
  bool replaced = false;              ///< next to the output another file of its name existed
};
/// Where the files of a product go: the first under the name of the output, the others next to it.
std::vector<std::filesystem::path> paths_of(const std::filesystem::path& output, const Product& product);
/// Why a product of several files cannot go to stdout.
Error not_for_stdout(const Product& product);

/// A path for each file of the product. The output itself comes last: one that is there is complete. Files
/// next to it with just these bytes, as a run leaves them that was cut short, stay; others that
/// are there make it fail before anything is written, unless it is to overwrite them. A dry run finds out
/// whether it would fail, and writes nothing. What `stays` says of a file is true for one that another output
/// of the run writes. `expected` is of the output itself. In the order of the product.
Result<std::vector<Saved>> save_product(const std::vector<std::filesystem::path>& paths,
                                        const Product& product, bool overwrite, bool dry,
                                        std::vector<bool> stays = {},
                                        const std::optional<FileStamp>& expected = {});

}  // namespace thaw::cli
