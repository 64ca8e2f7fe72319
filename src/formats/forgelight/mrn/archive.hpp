// A network as an archive: its animations are files.
#pragma once

#include <thaw/archive.hpp>

namespace thaw::mrn {

/// Whether a file that begins so is a network.
bool holds_clips(ByteView start);

/// Each animation as an NSA by its name, to the byte what its packet holds.
Result<std::shared_ptr<const Archive>> open_clips(const Storage& storage, const ArchiveOptions& options,
                                                  Diagnostics& diagnostics);

}  // namespace thaw::mrn
