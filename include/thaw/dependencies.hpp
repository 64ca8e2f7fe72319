// Which other files a model needs, and where they are.
#pragma once

#include <thaw/format.hpp>
#include <thaw/mdx.hpp>
#include <thaw/open_scene.hpp>
#include <thaw/sources.hpp>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#pragma GCC visibility push(default)

namespace thaw {

/// One file that another asks for.
struct Dependency {
  /// What became of it.
  enum class State : std::uint8_t {
    found,
    missing,   ///< no source has it
    supplied,  ///< the game puts it there: team colours and the like
    unknown,   ///< the game's table that says which file it is, is in no source
  };

  std::string kind;  ///< "texture", "attached model", "sound"
  std::string path;  ///< as it is asked for, UTF-8 with `/`; of events of unknown files the event's name
  std::string by;    ///< who asks: the model's path, or that of the model within it
  State state = State::missing;
  FileKind asset = FileKind::any;  ///< what it is requested for
  std::string name;                ///< as the sources know what was found
  std::string where;               ///< where that lies, as Source::place
  bool by_table =
      false;  ///< a table of the game says so, and not the model: its path cannot be changed there
};

/// The word for a state: "found", "missing", "supplied", "unknown".
std::string_view state_name(Dependency::State state);

/// Everything that a document needs and what the models within it need, each once, in the order in which it
/// is asked for. Sounds, splats and spawned models of events are found by the game's tables (SLK) if the
/// sources have them (mdx.md#event-objects). A portrait is among them if it is there.
std::vector<Dependency> dependencies(const AnyDocument& document, const Sources& sources,
                                     const OpenSceneOptions& request);

namespace mdx {

/// Calls `each` with what kind of file a path of the model leads to, and with the path, which may be changed.
/// Empty ones are left out.
void for_each_path(Document& document,
                   const std::function<void(std::string_view kind, FixedText<260>& path)>& each);

}  // namespace mdx
}  // namespace thaw

#pragma GCC visibility pop
