#include "scene/clips.hpp"

namespace thaw::scene {

std::optional<SourceInterval> source_interval(const Clip& clip) {
  const Value* interval = clip.extras.find("interval");
  const auto* list = interval == nullptr ? nullptr : std::get_if<Value::List>(&interval->storage());
  if (list == nullptr || list->size() != 2) {
    return std::nullopt;
  }
  const auto* first = std::get_if<std::int64_t>(&(*list)[0].storage());
  const auto* last = std::get_if<std::int64_t>(&(*list)[1].storage());
  if (first == nullptr || last == nullptr) {
    return std::nullopt;
  }
  return SourceInterval{*first, *last};
}

}  // namespace thaw::scene
