// What is wrong with a glTF file as far as its container and the references in its JSON tell.
#pragma once

#include <thaw/gltf_document.hpp>
#include <thaw/value.hpp>

#include "document/rules.hpp"

#include <span>

namespace thaw::gltf {

using FileRule = Rule<DocumentSubject<Document>>;

std::span<const FileRule> rules();

}  // namespace thaw::gltf
