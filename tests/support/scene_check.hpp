// What every scene must keep, whatever file it was made from.
#pragma once

#include <thaw/scene.hpp>

#include <string>
#include <vector>

namespace thaw::test {

/// Sentences about everything that is wrong, at most some twenty; empty for a sound scene.
std::vector<std::string> problems_of(const scene::Scene& scene);

}  // namespace thaw::test
