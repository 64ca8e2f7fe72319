// Files in one: ZIP, with the same bytes for the same files.
#pragma once

#include <thaw/bytes.hpp>
#include <thaw/diagnostics.hpp>

#include <string>
#include <utility>
#include <vector>

namespace thaw::cli {

/// Files by their names, with `/`, in the order given. write.failed if the sink says so, or for 4 GiB.
Result<void> write_zip(const std::vector<std::pair<std::string, Bytes>>& files, Sink& out);

}  // namespace thaw::cli
