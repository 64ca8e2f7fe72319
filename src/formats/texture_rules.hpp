// Rules of texture files.
#pragma once

#include "document/rules.hpp"

#include <span>

namespace thaw {

template <class Document>
struct TextureSubject {
  const Document& document;
  const ValidateOptions& options;
};
using BlpRule = Rule<TextureSubject<blp::Document>>;
using DdsRule = Rule<TextureSubject<dds::Document>>;

std::span<const BlpRule> blp_rules();
std::span<const DdsRule> dds_rules();

}  // namespace thaw
