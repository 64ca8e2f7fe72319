// What edits of models have in common: a change of place, what was done, and patterns of names.
#pragma once

#include <thaw/diagnostics.hpp>

#include <array>
#include <optional>
#include <string>
#include <string_view>
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

}  // namespace thaw

#pragma GCC visibility pop
