// An order of lists that is the same on every machine.
#pragma once

#include <algorithm>

namespace thaw {

/// For keys of maps. libstdc++ 12's own order of vectors in C++20 takes, on big-endian machines, as many
/// bytes into account as there are elements.
struct ListOrder {
  template <class List>
  bool operator()(const List& a, const List& b) const {
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
  }
};

}  // namespace thaw
