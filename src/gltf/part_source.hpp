// What a file states of the source of its parts (scene::Source), and what else stands at them.
#pragma once

#include "gltf/input.hpp"

#include <algorithm>
#include <array>

namespace thaw::gltf {

/// Of a part of the file or of a list of the scene's: what stands under extras.thaw, of which the source's
/// own terms are the one object whose name is no field's.
template <class Part>
void take_source(const Value& stated, std::string_view number, Part& part) {
  constexpr std::array<std::string_view, 7> kFields = {"bounds",  "file", "inherit", "now",
                                                       "options", "rest", "surface"};
  scene::Source& source = part.source;
  source.stated = !stated.is_null();
  source.number = index(&stated, number);
  source.switches_parent = stated.find("visibilityOf") != nullptr;
  source.placed = stated["placed"] == Value(true);
  source.copy = stated.find("copy") != nullptr;
  source.loops_stated = stated.find("looping") != nullptr;
  for (const auto& [name, value] : stated.object()) {
    const bool field = std::find(kFields.begin(), kFields.end(), name) != kFields.end();
    if (source.format.empty() && !field && !value.object().empty()) {
      source.format = name;
      part.extras = value;
    }
  }
}

/// All that stands at a part of the file; `number` is the name of its number in the scene that was written.
template <class Part>
void take_extras(const Value* from, std::string_view number, Part& part) {
  take_source(thaw_extras(from), number, part);
  if (const Value* extras = member(from, "extras")) {
    Value::Object typed = extras->object();
    std::erase_if(typed, [](const auto& entry) { return entry.first == "thaw"; });
    part.properties = std::move(typed);
  }
}

}  // namespace thaw::gltf
