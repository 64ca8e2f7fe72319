// Models as MDX and MDL, of any version of Warcraft III.
#pragma once

#include <thaw/mdx.hpp>

#include "formats/conversion.hpp"

#include <array>

namespace thaw::mdx {

/// A model as the target's file, of another version if one is asked for: then it is written and read again,
/// and what was lost is added to the findings.
Result<ConvertedFiles> convert_model(const Document& model, const FileToConvert& file);

using MakeModel = Result<ConvertedFiles> (*)(const FileToConvert& file);
constexpr Conversion to_binary(MakeModel make) {
  return {"mdx", ".mdx", "models to .mdx", "format-version weights with-textures", false, make};
}
constexpr Conversion to_text(MakeModel make) {
  return {"mdl",
          ".mdl",
          "models to .mdl",
          "format-version weights with-textures precision indent line-ending mdl-dialect plain",
          false,
          make};
}

/// Of documents of MDX, which are those of MDL, too.
extern const std::array<Conversion, 3> kConversions;

}  // namespace thaw::mdx
