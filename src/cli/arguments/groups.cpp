#include "cli/arguments/groups.hpp"

#include "cli/report/text.hpp"

#include <array>

namespace thaw::cli {
namespace {

struct Heading {
  std::string_view name;
  std::string_view options;  ///< their names, each between blanks
};

/// In the order of the help.
constexpr std::array kHeadings = {
    Heading{"Output",
            " output to csv profile extras quantize instances compress force yes skip-existing dry-run flat "
            "format "
            "no-sheet "},
    Heading{"Inputs",
            " recursive into-archives include exclude files-from null source listfile variant "
            "no-default-sources encoding-of-names strict "
            "manifest "},
    Heading{
        "Models",
        " scale lod lods collision doodad-set portals materials format-version sd hd weights with-textures "
        "tolerance bare swap-inheritance "
        "texture-path onto front every max-error skip except "},
    Heading{"Edits",
            " remove rename-sequence repath copy-clips bone-map add-attachment attach team-color-layer "
            "rotate move "
            "optimize "},
    Heading{"Animation",
            " clip animations skeleton animation rate root-motion bones bake-global turntable play path "
            "sheet frames fps "},
    Heading{"Textures",
            " replaceable team-color texture-format png-level encoding quality no-mipmaps disabled "},
    Heading{"Models as text", " precision indent line-ending mdl-dialect plain "},
    Heading{"Archives", " store single-unit checksums archive-version "},
    Heading{"Maps",
            " tiles move-tiles chunks move-chunks layers terrain bake-size grid height-range lights far-clip "
            "wdl storm under-water "
            "texture-detail eye look hour "},
    Heading{"Picture", " size time camera fog background light samples seed wireframe extents no-emitters "},
    Heading{"Rules", " target kind only ignore fail-on fix list-rules explain "},
    Heading{"Report", " depth limit patch paths decoded unused hash "},
    Heading{"Trust", " trust untrust "},
    Heading{"Page", " port no-browser "},
    Heading{"Batch", " jobs fail-fast shard merge "},
    Heading{"Limits", " max-input max-memory max-pixels max-scene max-output timeout isolate "},
    Heading{"Messages", " json quiet verbose color progress help "},
};

/// Where one name means different things, the command decides which.
std::string_view name_of(const CommandSpec& command, const OptionSpec& option) {
  const bool draws = command.name == "render" || command.name == "thumb";
  if (draws && (option.name == "bones" || option.name == "collision" || option.name == "grid")) {
    return "wireframe";
  }
  if (command.name == "edit" && option.name == "scale") {
    return "move";
  }
  if (option.name == "max-size") {
    return "encoding";
  }
  if (command.name == "convert" && option.name == "bone-map") {
    return "skeleton";
  }
  if (command.name == "world" && option.name == "camera") {
    return "hour";
  }
  return command.name == "optimize" && option.name == "only" ? "skip" : option.name;
}

bool holds(const Heading& heading, std::string_view name) {
  return heading.options.find(concat({" ", name, " "})) != std::string_view::npos;
}

}  // namespace

std::vector<OptionGroup> grouped_options(const CommandSpec& command) {
  std::vector<OptionGroup> groups;
  for (const auto& heading : kHeadings) {
    OptionGroup group{heading.name, {}};
    for (const auto* option : command.options) {
      if (holds(heading, name_of(command, *option))) {
        group.second.push_back(option);
      }
    }
    if (!group.second.empty()) {
      groups.push_back(std::move(group));
    }
  }
  return groups;
}

}  // namespace thaw::cli
