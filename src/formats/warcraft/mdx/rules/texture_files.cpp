// Textures that a model names, as the sources have them.
#include "formats/warcraft/mdx/rules/table.hpp"

#include <thaw/image.hpp>
#include <thaw/sources.hpp>

#include "formats/descriptor.hpp"

#include <set>

namespace thaw::mdx::rules {
namespace {

/// Calls `use(item, found or none)` once for each path.
template <class F>
void for_each_file(const Model& model, F&& use) {
  std::set<std::string> seen;
  for (const auto& texture : model.textures) {
    const auto path = texture->path.view();
    if (model.options.sources != nullptr && !path.empty() && seen.insert(normalize_game_path(path)).second) {
      use(texture, model.options.sources->find_texture(path));
    }
  }
}

void missing(const Model& model, Report& report) {
  for_each_file(model, [&](const Item<Texture>& texture, const std::optional<FoundFile>& found) {
    if (!found) {
      report.add(texture.path + ".path",
                 say("texture \"", texture->path.view(), "\" not found in any source"));
    }
  });
}

/// Why the game of this version cannot load it, or empty.
std::string_view unsuitable(const Model& model, Format format) {
  const auto* picture = format.descriptor().picture;
  return picture != nullptr ? picture->refused_by_warcraft(model.version) : "not a texture";
}

void wrong_format(const Model& model, Report& report) {
  for_each_file(model, [&](const Item<Texture>& texture, const std::optional<FoundFile>& found) {
    if (found) {
      if (const auto what = unsuitable(model, identify(found->bytes).format); !what.empty()) {
        report.add(texture.path + ".path", say("\"", found->name, "\" is ", what));
      }
    }
  });
}

void damaged(const Model& model, Report& report) {
  for_each_file(model, [&](const Item<Texture>& texture, const std::optional<FoundFile>& found) {
    if (!found || !identify(found->bytes).readable) {
      return;
    }
    Diagnostics ignored;
    if (const auto image = decode_texture(found->bytes, model.options.read, ignored); !image) {
      report.add(texture.path + ".path",
                 say("\"", found->name, "\" cannot be decoded: ", image.error().message));
    }
  });
}

/// The texture files have rules of their own; a model tells only that there is something.
void problems(const Model& model, Report& report) {
  for_each_file(model, [&](const Item<Texture>& texture, const std::optional<FoundFile>& found) {
    Diagnostics ignored;
    const auto file = found ? read_any(found->bytes, model.options.read, ignored)
                            : Result<AnyDocument>(fail(codes::kInputUnreadable, ""));
    if (!file || file->get_if<mdx::Document>() != nullptr) {
      return;
    }
    const Diagnostics file_findings = validate(*file, model.options);
    for (const auto& finding : file_findings.items()) {
      if (finding.code.severity >= Severity::warning) {
        report.add(texture.path + ".path",
                   say("\"", found->name, "\": ", finding.message, " (", finding.code.id, ")"));
        return;
      }
    }
  });
}

constexpr std::array kTextureFileRules = {
    ModelRule(
        codes::kTextureMissing.id, always(kWarning), "texture not found in any source",
        "Import the file under this path, or give its folder with --source. Case does not matter, and .blp, "
        ".dds, .tga and .png are tried.",
        missing),
    ModelRule(codes::kTextureUndecodable.id, always(kSevere), "texture cannot be decoded",
              "The file is damaged, too large or of an unsupported kind. Export it again.", damaged),
    ModelRule(
        "texture.unsuitable", always(kSevere), "texture format not supported by the game",
        "Models of version 800 use BLP1 or TGA, later ones also DDS. Convert the file with `thaw convert`.",
        wrong_format),
    ModelRule("texture.problems", {kWarning, kInfo, kWarning}, "texture file with findings",
              "Run `thaw validate` on the file to list all of them.", problems),
};

}  // namespace

std::span<const ModelRule> texture_file_rules() { return kTextureFileRules; }

}  // namespace thaw::mdx::rules
