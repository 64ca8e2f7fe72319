// Rules of animations, in files of their own and in networks.
#pragma once

#include <thaw/mrn.hpp>
#include <thaw/nsa.hpp>

#include "describe/rules.hpp"

#include <span>

namespace thaw::nsa {

using FileRule = Rule<DocumentSubject<Document>>;
using NetworkRule = Rule<DocumentSubject<mrn::Document>>;

std::span<const FileRule> rules();
/// The same rules over every animation of a network.
std::span<const NetworkRule> rules_in_networks();

}  // namespace thaw::nsa
