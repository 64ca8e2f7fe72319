// Textures next to models and WMOs of WoW Alpha, as the sources have them (wow-alpha-world.md#textures).
#pragma once

#include <thaw/sources.hpp>
#include <thaw/validate.hpp>

#include "describe/rules.hpp"

#include <set>
#include <string>
#include <string_view>

namespace thaw::wow {

/// Looks at each file once.
class TextureFiles {
 public:
  TextureFiles(const ValidateOptions& options, Report& report) : options_(options), report_(report) {}

  /// Reports at `place` what the client of WoW Alpha does not load of the file of `texture`.
  void look(std::string place, std::string_view texture);

 private:
  const ValidateOptions& options_;
  Report& report_;
  std::set<std::string> seen_;
};

}  // namespace thaw::wow
