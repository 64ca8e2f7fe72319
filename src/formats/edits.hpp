// What can be asked of models of any format, each of which says which of it makes sense (`edit_options`).
#pragma once

#include <thaw/format.hpp>
#include <thaw/model_edit.hpp>

#include <utility>

namespace thaw {

/// Sequences out of another model.
struct ClipsToCopy {
  const AnyDocument* from = nullptr;
  std::string pattern;  ///< of their names
};

/// A model that becomes a part of another, at a node by name.
struct ModelToAttach {
  const AnyDocument* model = nullptr;
  std::string node;
};

/// In the order in which they are done.
struct ModelEdits {
  using Names = std::vector<std::pair<std::string, std::string>>;  ///< pattern and replacement

  std::vector<std::string> removals;
  Names sequence_names;
  Names paths;
  std::vector<ClipsToCopy> clips;
  Names bones;  ///< of the other model and of this one
  std::vector<std::string> attachments;
  std::vector<ModelToAttach> models;
  std::vector<std::string> team_colors;  ///< materials
  std::optional<Placement> placement;
  bool optimize = false;
};

/// A document after edits, and what they did.
struct Edited {
  AnyDocument document;
  std::vector<EditChange> changes;
};

}  // namespace thaw
