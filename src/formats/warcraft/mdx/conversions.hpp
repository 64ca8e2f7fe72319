// Models as MDX and MDL, of any version of Warcraft III.
#pragma once

#include <thaw/mdx.hpp>

#include "formats/conversion.hpp"

#include <array>
#include <optional>
#include <string_view>

namespace thaw::mdx {

/// What a model was before it became one of Warcraft III.
struct Earlier {
  std::uint32_t version = 0;
  std::string_view of;     ///< " of World of Warcraft's alpha"
  std::size_t losses = 0;  ///< on the way, findings already
};

/// A model as the target's file, of another version if one is requested: then it is written and read again,
/// and what was lost is added to the findings.
Result<Outputs> convert_model(const Document& model, const FileContext& file,
                              const std::optional<Earlier>& earlier = {});

using MakeModel = Result<Outputs> (*)(const FileContext& file);
constexpr Conversion to_binary(MakeModel make) { return {"mdx", ".mdx", "models to .mdx", false, make}; }
constexpr Conversion to_text(MakeModel make) { return {"mdl", ".mdl", "models to .mdl", false, make}; }

/// Of documents of MDX, which are those of MDL, too.
extern const std::array<Conversion, 3> kConversions;

}  // namespace thaw::mdx
