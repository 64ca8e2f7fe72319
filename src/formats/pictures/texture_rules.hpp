// Rules of texture files.
#pragma once

#include <thaw/blp.hpp>
#include <thaw/dds.hpp>

#include "describe/rules.hpp"

#include <span>

namespace thaw {

using BlpRule = Rule<DocumentSubject<blp::Document>>;
using DdsRule = Rule<DocumentSubject<dds::Document>>;

std::span<const BlpRule> blp_rules();
std::span<const DdsRule> dds_rules();

}  // namespace thaw
