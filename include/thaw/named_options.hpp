// Options of conversions and pictures by their names on the command line, with values as text: what programs
// in other languages, settings and pages give.
#pragma once

#include <thaw/convert.hpp>
#include <thaw/render.hpp>

#include <span>
#include <string_view>

#pragma GCC visibility push(default)

namespace thaw {

/// An option that has a name.
struct NamedOption {
  std::string_view name;    ///< without dashes: "team-color"
  std::string_view values;  ///< "on|off", "1 to 12", "above 0", "compat|rich|blender", "text"
};

/// The options of conversions and of scenes, sorted by name.
std::span<const NamedOption> convert_option_names();
/// Sets one of them. Errors: option.value for a name that none has and a value that it cannot have; the
/// message begins with the name.
Result<void> set_option(ConvertOptions& options, std::string_view name, std::string_view value);

/// The options of pictures, sorted by name.
std::span<const NamedOption> shot_option_names();
/// The same for a picture. A fog without a colour has that of the background as it is then.
Result<void> set_option(Shot& shot, std::string_view name, std::string_view value);

}  // namespace thaw

#pragma GCC visibility pop
