// What files of a format become without being a scene on the way.
#pragma once

#include <thaw/encode.hpp>
#include <thaw/format.hpp>
#include <thaw/options.hpp>
#include <thaw/value.hpp>

#include <functional>

namespace thaw {

class Sources;
namespace mdl {
struct WriteOptions;
}
namespace mrn {
struct Document;
}

/// A file on its way, with everything that decides what becomes of it.
struct FileToConvert {
  std::string_view target;      ///< of the conversions that share a function, the one that is asked for
  ByteView bytes;               ///< the whole file
  const AnyDocument* document;  ///< the same as a document; null for pictures, which are decoded
  std::string file_name;        ///< of what is made
  std::string path;             ///< of the file itself, after which the files that belong to it are named
  std::function<Sources()> sources;  ///< where those are
  ReadOptions read;
  Diagnostics& findings;
  std::optional<std::uint32_t> version = std::nullopt;
  bool weights = false;                     ///< mdx::ConversionOptions::weights
  const mdl::WriteOptions* text = nullptr;  ///< of a format that is text
  EncodeOptions encode = {};
  int png_level = 6;
  std::uint32_t longest_side = 0;                         ///< of pictures, as `fitted` takes it
  std::string own_name = {};                              ///< of the file itself, without extension
  std::function<bool(std::string_view name)> clips = {};  ///< animations that are asked for; all without it
  const mrn::Document* network = nullptr;                 ///< in which an animation comes to stand
};

/// What it became.
struct ConvertedFiles {
  /// Names and content; the first is what was asked for, others belong beside it.
  std::vector<std::pair<std::string, Bytes>> files;
  std::string note;    ///< for people: "version 800 → 1000 · nothing lost"
  Value::Object json;  ///< the same for machines
};

/// A way from a format to another.
struct Conversion {
  std::string_view target;     ///< as --to has it
  std::string_view extension;  ///< of what is made; empty: it is not known by one
  std::string_view made;       ///< for people, all that is made alike: "models to .mdx"
  std::string_view options;    ///< of the command line that have a say in it, separated by blanks
  bool beside = false;         ///< other files may belong beside what is made
  /// Null where one file becomes many, or many become one: the command plans those (maps).
  Result<ConvertedFiles> (*make)(const FileToConvert& file) = nullptr;
};

}  // namespace thaw
