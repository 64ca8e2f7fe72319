// Sorting that keeps the order of equals. libstdc++ 12's own calls what it deprecates itself.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

namespace thaw::wmo {

/// Sorts by what `key` says of each item.
template <class T, class Key>
void sort_by(std::vector<T>& items, Key&& key) {
  using Position = std::pair<decltype(key(items.front())), std::size_t>;
  std::vector<Position> places;
  places.reserve(items.size());
  for (std::size_t i = 0; i < items.size(); ++i) {
    places.emplace_back(key(items[i]), i);
  }
  std::sort(places.begin(), places.end());
  std::vector<T> sorted;
  sorted.reserve(items.size());
  for (const Position& place : places) {
    sorted.push_back(std::move(items[place.second]));
  }
  items = std::move(sorted);
}

}  // namespace thaw::wmo
