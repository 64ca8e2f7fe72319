// Files in, documents out, and back: where most programs begin.
#pragma once

#include <thaw/format.hpp>

#include <filesystem>

#pragma GCC visibility push(default)

namespace thaw {

/// A document, and what was found while it was read.
struct Loaded {
  AnyDocument document;
  Diagnostics findings;
};

/// Reads a file of any format, which its content tells. Errors: input.unreadable, and those of `read_any`.
Result<Loaded> load(const std::filesystem::path& path, const ReadOptions& options = {});
/// The same of a file that is in memory.
Result<Loaded> load(ByteView bytes, const ReadOptions& options = {});

/// What `save` does where a file is.
enum class Overwrite : std::uint8_t { no, yes };

/// Writes a document's file, which is complete or not there. Errors: write.exists, write.failed.
Result<void> save(const AnyDocument& document, const std::filesystem::path& path,
                  Overwrite overwrite = Overwrite::no);

/// The same of a document of one format, as it was read or made: `thaw::save(model, "knight.mdx")`.
template <class Document>
Result<void> save(const Document& document, const std::filesystem::path& path,
                  Overwrite overwrite = Overwrite::no) {
  return save(AnyDocument(Identity{}, document), path, overwrite);
}

}  // namespace thaw

#pragma GCC visibility pop
