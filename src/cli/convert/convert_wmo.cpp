#include "cli/convert/convert_wmo.hpp"

#include <thaw/wmo_convert.hpp>
#include <thaw/wmo_scene.hpp>

#include "cli/inputs/distinct.hpp"
#include "cli/report/console.hpp"
#include "cli/report/text.hpp"
#include "open/parts.hpp"

namespace thaw::cli {
namespace {

/// The building's own name, without the archive that it may be in. What a map places has only its name in the
/// game.
std::filesystem::path building_path(const Work& work) {
  const auto& named = work.input.relative.empty() ? work.input.path : work.input.relative;
  return extension_of(named) == ".wmo" ? named.filename() : work.output;
}

open::GroupDocuments load_groups(const Work& work, const wmo::Document& root) {
  return open::load_groups(root, building_path(work).generic_string(), work.folders.for_model(work.input),
                           read_options(work.settings), work.findings);
}

}  // namespace

Result<Product> make_wmo(const Work& work, const wmo::Document& document) {
  const std::string name = work.output.filename().string();
  Product product;
  if (work.target == targets::kWmoV14) {
    if (document.version() == wmo::kAlphaVersion) {
      return fail(codes::kFormatUnsupported, "the building is of version 14 already");
    }
    const auto files = load_groups(work, document);
    auto building = wmo::to_alpha(document, open::pointers_to(files), work.findings);
    if (!building) {
      return tl::unexpected<Error>(std::move(building.error()));
    }
    product.facts = concat({"version 14 · ", counted(building->groups().size(), "group")});
    product.files.push_back({name, wmo::write(*building)});
    return product;
  }
  if (document.version() >= wmo::kLaterVersion) {
    return fail(codes::kFormatUnsupported, "the building is of version 17 already");
  }
  const auto files = load_groups(work, document);
  auto split = wmo::to_later(document, open::pointers_to(files), work.findings);
  if (!split) {
    return tl::unexpected<Error>(std::move(split.error()));
  }
  product.facts = concat({"version 17 · ", counted(split->groups.size(), "group")});
  product.files.push_back({name, wmo::write(split->root)});
  for (std::size_t i = 0; i < split->groups.size(); ++i) {
    product.files.push_back({wmo::group_file_name(name, i), wmo::write(split->groups[i])});
  }
  return product;
}

}  // namespace thaw::cli
