// Choice of the file that a model means among several.
#pragma once

#include <algorithm>
#include <compare>
#include <string_view>

namespace thaw {

/// How well a file matches the path by which a model requests it: the better, the greater.
struct PathFit {
  bool is_above = false;     ///< it lies at that path in the model's folder or one above it
  bool ends_so = false;      ///< else its own path ends so; else it has the bare name alone
  std::size_t nearness = 0;  ///< how many characters it shares with the model's path

  constexpr auto operator<=>(const PathFit&) const = default;
};

/// All three normalised; the last parts of `path` and `name` are the same.
constexpr PathFit fit_of(std::string_view path, std::string_view name, std::string_view model) {
  const auto ends = std::mismatch(path.begin(), path.end(), model.begin(), model.end());
  const bool ends_so = path == name || (path.ends_with(name) && path[path.size() - name.size() - 1] == '/');
  return {ends_so && model.starts_with(path.substr(0, path.size() - name.size())), ends_so,
          static_cast<std::size_t>(ends.first - path.begin())};
}

}  // namespace thaw
