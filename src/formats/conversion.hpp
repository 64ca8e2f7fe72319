// Conversions of files of a format without a scene in between.
#pragma once

#include <thaw/format.hpp>

namespace thaw {

class Sources;
struct ConvertOptions;

/// A file on its way to another format: what decides what becomes of it.
struct FileContext {
  std::string_view target;      ///< of the conversions that share a function, the requested one
  ByteView bytes;               ///< the whole file
  const AnyDocument* document;  ///< the same as a document; null for pictures, which are decoded
  std::string_view path;        ///< of the file itself, after which the files that belong to it are named
  std::string_view name;        ///< of what is made, with its extension
  const Sources& sources;       ///< where files are that belong to it
  const ConvertOptions& options;
  Diagnostics& findings;
};

/// A way from a format to another.
struct Conversion {
  std::string_view target;     ///< as --to has it
  std::string_view extension;  ///< of what is made; empty: it is not known by one
  std::string_view made;       ///< for people, all that is made alike: "models to .mdx"
  bool adjacent = false;       ///< other files may belong next to what is made
  /// Null where one file becomes many, or many become one: the command plans those (maps).
  Result<Outputs> (*make)(const FileContext& file) = nullptr;
};

}  // namespace thaw
