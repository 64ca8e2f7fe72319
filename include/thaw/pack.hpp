// Packs of the Forgelight engine. PACK1 (.pack) is big-endian, a chain of tables with names; PACK2 (.pack2)
// is little-endian and knows its files by hashes of their names. See docs/formats/pack.md. Read only.
#pragma once

#include <thaw/archive.hpp>

#pragma GCC visibility push(default)

/// Packs of the Forgelight engine.
namespace thaw::pack {

/// PACK1 has no magic: the first table of a chain, as far as it is there, has to make sense.
bool is_pack1(ByteView start);

/// The hash by which PACK2 knows a file: CRC-64 of its name in upper case (ASCII).
std::uint64_t name_hash(std::string_view name);

/// Findings: pack.table for a table that is cut off or leads nowhere, and for entries that do not lie in the
/// file, which are left out; pack.header for a stated size that is wrong. The error is pack.header. Files do
/// not unpack with pack.data; pack.checksum tells of those whose CRC-32 does not fit.
Result<std::shared_ptr<const Archive>> open_pack1(std::shared_ptr<const Storage> storage,
                                                  const ArchiveOptions& options = {},
                                                  Diagnostics& diagnostics = Diagnostics::unwanted());

/// As `open_pack1`. Names come from the pack's own `{NAMELIST}` and from the options; pack.names tells how
/// many are missing.
Result<std::shared_ptr<const Archive>> open_pack2(std::shared_ptr<const Storage> storage,
                                                  const ArchiveOptions& options = {},
                                                  Diagnostics& diagnostics = Diagnostics::unwanted());

}  // namespace thaw::pack

#pragma GCC visibility pop
