#include "cli/convert/convert_kinds.hpp"

#include "cli/report/text.hpp"
#include "formats/list.hpp"

#include <algorithm>
#include <list>
#include <string>

namespace thaw::cli {
namespace {

bool has(std::string_view words, std::string_view word) {
  const auto list = split(words, ' ');
  return std::find(list.begin(), list.end(), word) != list.end();
}

constexpr std::string_view kTextures = "source no-default-sources png-level";
/// How glTF is written, whatever it is made of.
constexpr std::string_view kGltf = "profile";
constexpr std::string_view kToScenes = "glb gltf";

/// What formats say of themselves, once for all that say the same.
class Kinds {
 public:
  Kinds() {
    for (const Format format : known_formats()) {
      const FormatDescriptor& descriptor = format.descriptor();
      if (!descriptor.models.empty()) {
        add(descriptor.id, kToScenes, concat({descriptor.models, " to .glb and .gltf"}),
            descriptor.textured ? JobKind{{}, {kGltf, kTextures, descriptor.scene_options}}
                                : JobKind{{}, {kGltf, descriptor.scene_options}});
      }
      for (const Conversion& way : descriptor.conversions) {
        add(descriptor.id, way.target, std::string(way.made), {{}, {way.options}});
      }
    }
    for (const FormatDescriptor* format : formats_of_scenes()) {
      const SceneWriter& writer = *format->from_scene;
      add(kScenes, scene_target(*format),
          concat({"glTF to ", writer.made.empty() ? concat({".", format->id}) : writer.made}),
          {{}, {writer.options}});
    }
  }

  /// Null if it does not become that.
  [[nodiscard]] const JobKind* find(Format format, std::string_view target) const {
    const auto id = format.is_interchange() ? kScenes : format.id();
    const auto found = std::find_if(kinds_.begin(), kinds_.end(), [&](const Named& named) {
      return has(named.formats, id) && has(named.targets, target);
    });
    return found == kinds_.end() ? nullptr : &found->kind;
  }
  [[nodiscard]] std::vector<const JobKind*> all() const {
    std::vector<const JobKind*> kinds;
    for (const Named& named : kinds_) {
      kinds.push_back(&named.kind);
    }
    return kinds;
  }

 private:
  /// In the place of a format: scenes of glTF, which become files of others.
  static constexpr std::string_view kScenes = "scene";

  struct Named {
    std::string what;
    std::string formats;  // separated by blanks, as targets
    std::string targets;
    JobKind kind;
  };

  void add(std::string_view format, std::string_view target, std::string what, JobKind kind) {
    const auto known =
        std::find_if(kinds_.begin(), kinds_.end(), [&](const Named& named) { return named.what == what; });
    if (known != kinds_.end()) {
      known->formats += concat({" ", format});
      known->targets += concat({" ", target});
      return;
    }
    Named& named =
        kinds_.emplace_back(Named{std::move(what), std::string(format), std::string(target), kind});
    named.kind.what = named.what;
  }

  std::list<Named> kinds_;  // whose texts stay where they are
};

const Kinds& kinds() {
  static const Kinds kMade;
  return kMade;
}

}  // namespace

const JobKind* convert_kind(Format format, std::string_view target) { return kinds().find(format, target); }

std::vector<const JobKind*> convert_kinds() { return kinds().all(); }

}  // namespace thaw::cli
