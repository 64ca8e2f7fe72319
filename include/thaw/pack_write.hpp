// PACK1 of the Forgelight engine, written as a whole (docs/formats/pack.md).
#pragma once

#include <thaw/pack.hpp>
#include <thaw/sink.hpp>

#include <functional>

#pragma GCC visibility push(default)

namespace thaw::pack {

/// A file that comes into a pack.
struct NewFile {
  std::string name;
  std::function<Result<Bytes>()> read;  ///< called once, when it is its turn
};

/// Tables of 8 KiB, each followed by its files; sorted by name without regard to case. Errors: archive.name,
/// archive.full for more than 4 GiB, those of a file's `read`, write.failed.
Result<void> create_pack1(std::vector<NewFile> files, Sink& out);

}  // namespace thaw::pack

#pragma GCC visibility pop
