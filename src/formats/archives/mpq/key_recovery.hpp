// Keys of encrypted files whose name is not known, from what their content must say.
#pragma once

#include <thaw/bytes.hpp>

#include <functional>
#include <optional>

namespace thaw::mpq {

/// The key with which the first word of `encrypted` becomes `first` and the words in clear satisfy `good`.
/// Tries the 256 keys for which the first word fits.
std::optional<std::uint32_t> recover_key(ByteView encrypted, std::uint32_t first,
                                         const std::function<bool(std::uint32_t key)>& good);

/// The key of a file that is encrypted but not packed, from how files of known formats begin.
std::optional<std::uint32_t> recover_key_from_content(ByteView encrypted, std::uint64_t file_size);

}  // namespace thaw::mpq
