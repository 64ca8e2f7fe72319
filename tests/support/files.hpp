#pragma once

#include <thaw/bytes.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace thaw::test {

/// The whole file; a failed expectation and no bytes if it cannot be read.
Bytes load(const std::filesystem::path& path);

/// The sample models of Warcraft III, sorted by path. Those of World of Warcraft's alpha have the extension
/// too.
std::vector<std::filesystem::path> warcraft_samples();

/// All files below a directory with an extension (".mdx", any case), sorted by path.
std::vector<std::filesystem::path> files_below(const std::filesystem::path& directory,
                                               const std::string& extension);

}  // namespace thaw::test
