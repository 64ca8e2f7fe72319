// Edits of models of any format, what they did, and patterns of names.
#pragma once

#include <thaw/diagnostics.hpp>
#include <thaw/format.hpp>

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#pragma GCC visibility push(default)

namespace thaw {

/// One thing that an edit changed.
struct EditChange {
  std::string path;     ///< where, by the numbers that things had
  std::string message;  ///< for people: "Attack → Attack - 1"
};

/// What edits did, and what they could not do.
struct EditLog {
  std::vector<EditChange> changes;
  Diagnostics& findings;
};

/// Where all of a model goes: turned about the origin, then scaled, then moved, in the game's axes and units.
struct Placement {
  std::array<double, 4> turn{0, 0, 0, 1};  ///< unit quaternion, x y z w
  double scale = 1;                        ///< above 0
  std::array<double, 3> move{};
};

/// A name by a pattern in which `*` is any number of characters and case does not matter; stars of the
/// replacement stand for what those of the pattern met, in their order. In paths `/` and `\` are the same.
/// None where the pattern does not meet the whole text.
std::optional<std::string> renamed(std::string_view text, std::string_view pattern,
                                   std::string_view replacement);

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

/// What can be asked of models, in the order in which it is done. What a format has no use for does nothing.
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

/// Whether documents of a format can be edited so.
bool has_edits(Format format);

/// Edits a model. Edits that change nothing are findings (edit.nothing). Errors: format.unsupported for
/// formats without edits, those of the edits, and of models with damaged parts, which may refer to anything.
Result<Edited> edit_model(const AnyDocument& document, const ModelEdits& edits,
                          Diagnostics& diagnostics = Diagnostics::unwanted());

/// The portrait of a model of Warcraft III, as mdx::make_portrait. Errors as edit_model.
Result<Edited> portrait_of(const AnyDocument& document, Diagnostics& diagnostics = Diagnostics::unwanted());

}  // namespace thaw

#pragma GCC visibility pop
