#include "cli/convert_wmo.hpp"

#include <thaw/wmo_convert.hpp>
#include <thaw/wmo_scene.hpp>
#include <thaw/wow_codes.hpp>

#include "cli/console.hpp"
#include "cli/text.hpp"

namespace thaw::cli {
namespace {

/// The building's own name, without the archive that it may be in. What a map places has only its name in the
/// game.
std::filesystem::path building_path(const Work& work) {
  const auto& named = work.input.relative.empty() ? work.input.path : work.input.relative;
  const std::string extension = normalize_game_path(named.extension().string());
  return extension == ".wmo" ? named.filename() : work.output;
}

/// Documents of the groups of a root file, null where there is none.
struct GroupFiles {
  std::vector<std::optional<wmo::Document>> documents;

  [[nodiscard]] std::vector<const wmo::Document*> pointers() const {
    std::vector<const wmo::Document*> result;
    for (const auto& document : documents) {
      result.push_back(document ? &*document : nullptr);
    }
    return result;
  }
};

GroupFiles load_groups(const Work& work, const wmo::Document& root) {
  // A file can ask for more groups than any client takes.
  constexpr std::size_t kMostGroups = 4096;
  GroupFiles files;
  const auto* infos = root.find<wmo::GroupInfos>(FourCC{"MOGI"});
  if (!root.groups().empty() || infos == nullptr) {
    return files;
  }
  const Sources sources = work.folders.for_model(work.input);
  const auto own = building_path(work);
  for (std::size_t i = 0; i < std::min(infos->items.size(), kMostGroups); ++i) {
    auto& document = files.documents.emplace_back();
    const std::string name =
        (own.parent_path() / wmo::group_file_name(own.filename().string(), i)).generic_string();
    const auto found = sources.find(name);
    if (!found) {
      work.findings.add(codes::kWmoGroupFile, name);
      continue;
    }
    auto read = wmo::read(found->bytes, read_options(work.settings), work.findings);
    if (read) {
      document = std::move(*read);
    } else {
      work.findings.add(codes::kWmoGroupFile, concat({name, ": ", read.error().message}));
    }
  }
  return files;
}

}  // namespace

Result<Product> make_wmo(const Work& work, const wmo::Document& document) {
  const std::string name = work.output.filename().string();
  Product product;
  if (work.target == Target::wmo_v14) {
    if (document.version() == wmo::kAlphaVersion) {
      return fail(codes::kFormatUnsupported, "the building is of version 14 already");
    }
    const GroupFiles files = load_groups(work, document);
    auto building = wmo::to_alpha(document, files.pointers(), work.findings);
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
  const GroupFiles files = load_groups(work, document);
  auto split = wmo::to_later(document, files.pointers(), work.findings);
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
