// Files whose parts have moved because one of them became longer or shorter: offsets, sizes and counts that
// the dump has as fields follow, as far as the description says what they follow from.
#pragma once

#include "patch/build.hpp"
#include "patch/json_tree.hpp"

namespace thaw {

/// The file of `after`, a dump that was edited; `copied` states what of it stands in the dump `before`, which
/// `shown` shows. Errors: as of lay_bytes; build.differs where parts that share bytes would have to move
/// apart.
Result<Built> build_edited(std::string_view before, std::string_view after,
                           const std::vector<CopiedText>& copied, const Inspection& shown);

/// Where in a dump the numbers stand that follow from where parts of the file lie, in their order; `shown`
/// shows what is dumped.
std::vector<std::size_t> following_numbers(std::string_view dump, const Inspection& shown);

}  // namespace thaw
