#include "cli/convert/convert_kinds.hpp"

#include <thaw/convert.hpp>

#include "bytes/text.hpp"
#include "cli/arguments/applies.hpp"
#include "cli/report/text.hpp"

#include <algorithm>
#include <list>
#include <string>

namespace thaw::cli {
namespace {

bool has(std::string_view words, std::string_view word) {
  const auto list = split(words, ' ');
  return std::find(list.begin(), list.end(), word) != list.end();
}

/// What formats say of themselves, once for all that say the same.
class Kinds {
 public:
  Kinds() {
    for (const Format format : known_formats()) {
      for (const std::string_view word : split(format.converts_to(), ' ')) {
        if (const auto target = find_target(format, word)) {
          add(format, word, kind_of(format, *target));
        }
      }
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
    std::string options;
    JobKind kind;
  };

  static std::string kind_of(Format format, const TargetInfo& target) {
    return target.of_scenes ? concat({"glTF to ", target.label.empty() ? target.extension : target.label})
           : target.label.empty() ? concat({format.models(), " to .glb and .gltf"})
                                  : std::string(target.label);
  }

  void add(Format format, std::string_view target, std::string what) {
    const std::string_view id = format.is_interchange() ? kScenes : format.id();
    const auto known =
        std::find_if(kinds_.begin(), kinds_.end(), [&](const Named& named) { return named.what == what; });
    if (known != kinds_.end()) {
      known->formats += concat({" ", id});
      known->targets += concat({" ", target});
      return;
    }
    Named& named = kinds_.emplace_back(
        Named{std::move(what), std::string(id), std::string(target), options_for(format, target), {}});
    named.kind = {named.what, {named.options}};
  }

  std::list<Named> kinds_;  // whose texts stay where they are
};

const Kinds& kinds() {
  static const Kinds kKinds;
  return kKinds;
}

}  // namespace

const JobKind* convert_kind(Format format, std::string_view target) { return kinds().find(format, target); }

std::vector<const JobKind*> convert_kinds() { return kinds().all(); }

}  // namespace thaw::cli
