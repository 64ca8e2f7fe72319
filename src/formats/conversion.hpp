// Conversions of files of a format without a scene in between.
#pragma once

#include <thaw/format.hpp>

namespace thaw {

class Sources;
struct ConvertOptions;

/// A file to convert, with everything that the conversion depends on.
struct FileContext {
  std::string_view target;      ///< of the conversions that share a function, the requested one
  ByteView bytes;               ///< the whole file
  const AnyDocument* document;  ///< the same as a document; null for pictures, which are decoded
  std::string_view path;        ///< of the file itself, after which the files that belong to it are named
  std::string_view name;        ///< of the output, with its extension
  const Sources& sources;       ///< where files are that belong to it
  const ConvertOptions& options;
  Diagnostics& findings;
};

/// A conversion from one format to another.
struct Conversion {
  std::string_view target;     ///< as --to has it
  std::string_view extension;  ///< of the output; empty: it has none
  std::string_view label;      ///< shown to people, shared by similar targets: "models to .mdx"
  bool adjacent = false;       ///< other files may belong next to the output
  /// Null where one file becomes many, or many become one: the command plans those (maps).
  Result<Outputs> (*make)(const FileContext& file) = nullptr;
};

}  // namespace thaw
