// What is wrong with a glTF file: its container, its JSON, and what its scene is made of.
#pragma once

#include <thaw/gltf.hpp>
#include <thaw/value.hpp>

#include "describe/rules.hpp"

#include <span>

namespace thaw::gltf {

using FileRule = Rule<DocumentSubject<Document>>;

std::span<const FileRule> rules();

}  // namespace thaw::gltf
