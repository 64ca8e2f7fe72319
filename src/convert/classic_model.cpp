#include "convert/classic_model.hpp"

#include <thaw/convert.hpp>
#include <thaw/load.hpp>
#include <thaw/mdl.hpp>
#include <thaw/mdx.hpp>
#include <thaw/sources.hpp>

#include "bytes/number_text.hpp"

namespace thaw::conversion {
namespace {

void add_losses(const mdx::VersionConversion& conversion, const ClassicTextures& textures,
                Diagnostics& findings) {
  bool physical = false;
  for (const mdx::Loss& loss : conversion.losses) {
    if (loss.code == codes::kConvertMaterial) {
      physical = true;
    } else if (loss.code != codes::kConvertTexture) {
      findings.add(loss.code, loss.message, {}, loss.path);
    }
  }
  if (physical) {
    findings.add(codes::kConvertMaterial, "physically based materials reduced to their diffuse textures");
  }
  for (const std::string& path : textures.missing) {
    findings.add(codes::kConvertTexture,
                 "texture not found in any source, or unreadable; the model keeps its path: " + path);
  }
}

Outputs files_of(const mdx::VersionConversion& conversion, ClassicTextures&& textures,
                 const FileContext& file) {
  Outputs result;
  const bool text = file.target == "mdl";
  result.files.push_back(
      {std::string(file.name), text ? mdl::write(conversion.document, file.options.text, file.findings)
                                    : mdx::write(conversion.document)});
  result.note = "version 800 · " + counted(textures.pictures.size(), "texture");
  result.note += textures.masks > 0 ? ", " + std::to_string(textures.masks) + " with team colour" : "";
  result.note += textures.unused > 0 ? " · " + counted(textures.unused, "unused object") + " removed" : "";
  result.note +=
      textures.missing.empty() ? "" : " · " + counted(textures.missing.size(), "texture") + " missing";
  result.json = {{"pictures", static_cast<std::int64_t>(textures.pictures.size())},
                 {"masks", static_cast<std::int64_t>(textures.masks)},
                 {"unused", static_cast<std::int64_t>(textures.unused)},
                 {"textures_missing", static_cast<std::int64_t>(textures.missing.size())}};
  for (auto& [name, bytes] : textures.pictures) {
    result.files.push_back({std::move(name), std::move(bytes)});
  }
  return result;
}

}  // namespace

Result<Outputs> convert_to_classic(const FileContext& file) {
  if (file.options.model.version != 800U) {
    return fail(codes::kWriteUnsupported,
                "a classic model with its textures must be version 800; set --format-version 800");
  }
  const auto* model = file.document->get_if<mdx::Document>();
  if (model == nullptr) {
    return fail(codes::kFormatUnsupported,
                "only Warcraft III models can be converted to classic models with textures");
  }
  mdx::ConversionOptions options;
  return mdx::convert_version(*model, 800, options).and_then([&](mdx::VersionConversion&& conversion) {
    auto textures = make_classic(conversion.document, *model, file.sources);
    add_losses(conversion, textures, file.findings);
    return mdx::write_verified(conversion.document).map([&](const mdx::Verified&) {
      return files_of(conversion, std::move(textures), file);
    });
  });
}

}  // namespace thaw::conversion
