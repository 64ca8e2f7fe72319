// What can be downloaded of a model: the files that the command would write of it.
#pragma once

#include <thaw/open_scene.hpp>
#include <thaw/validate.hpp>
#include <thaw/value.hpp>

#include <string>
#include <utility>
#include <vector>

namespace thaw::page {

/// A file and what is wanted of it.
struct Wish {
  const AnyDocument& document;
  ByteView bytes;
  std::string name;  ///< of the file, without folders
  const Sources& sources;
  const SceneRequest& request;  ///< of its scene
  /// {"to": a word of --to, "version": as --format-version has it} or {"fix": "safe" or "all"}.
  const Value& how;
};

struct Download {
  /// Names and content; the first is what was asked for, others belong beside it.
  std::vector<std::pair<std::string, Bytes>> files;
  std::string note;      ///< for people
  Diagnostics findings;  ///< losses; of what was mended, what is still wrong
  std::vector<AppliedFix> fixed;
};

/// What there is for a document: its ways, and what mends it. A list of objects like Wish::how, with a name.
Value ways_of(const AnyDocument& document);

Result<Download> make_download(const Wish& wish);

}  // namespace thaw::page
