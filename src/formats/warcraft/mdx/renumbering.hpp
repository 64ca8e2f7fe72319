// Lists whose items others refer to by number, while items go.
#pragma once

#include "formats/warcraft/mdx/convert/conversion_job.hpp"

#include <algorithm>
#include <functional>
#include <vector>

namespace thaw::mdx {

/// Items are compared each with each only up to this many.
inline constexpr std::size_t kMaxCompared = 4096;
inline constexpr std::int32_t kNothing = -1;

/// What becomes of the indices of one list.
class Renumbering {
 public:
  explicit Renumbering(std::size_t count) : used_(count, false), number_(count, kNothing) {}

  void use(std::int64_t index) {
    if (known(index)) {
      used_[static_cast<std::size_t>(index)] = true;
    }
  }
  [[nodiscard]] bool known(std::int64_t index) const {
    return index >= 0 && static_cast<std::uint64_t>(index) < used_.size();
  }
  [[nodiscard]] bool used(std::size_t index) const { return used_[index]; }
  void never_use(std::size_t index) { used_[index] = false; }
  void use_all() { used_.assign(used_.size(), true); }

  /// Gives numbers to the items that stay: those in use that equal no earlier one. Returns how many go.
  template <class Equal>
  std::size_t number(const Equal& equal) {
    std::vector<std::size_t> staying;
    const bool compare = used_.size() <= kMaxCompared;
    for (std::size_t i = 0; i < used_.size(); ++i) {
      if (!used_[i]) {
        continue;
      }
      const auto same = std::find_if(staying.begin(), staying.end(),
                                     [&](std::size_t earlier) { return compare && equal(earlier, i); });
      number_[i] = static_cast<std::int32_t>(same - staying.begin());
      if (same == staying.end()) {
        staying.push_back(i);
        stays_.resize(i + 1, false);
        stays_[i] = true;
      }
    }
    stays_.resize(used_.size(), false);
    return used_.size() - staying.size();
  }
  [[nodiscard]] bool stays(std::size_t index) const { return stays_[index]; }
  /// Indices that named nothing stay as they are.
  template <class T>
  void apply(T& index, T otherwise) const {
    if (known(static_cast<std::int64_t>(index))) {
      const std::int32_t number = number_[static_cast<std::size_t>(index)];
      index = number == kNothing ? otherwise : static_cast<T>(number);
    }
  }

 private:
  std::vector<bool> used_;
  std::vector<bool> stays_;
  std::vector<std::int32_t> number_;
};

/// Leaves the items that stay.
template <class Body>
void keep(Document& document, const Renumbering& numbers) {
  std::size_t index = 0;
  for (auto& chunk : document.chunks) {
    if (auto* body = std::get_if<Body>(&chunk.body)) {
      auto& items = body->items;
      const auto is_removed = [&](const typename Body::Item&) { return !numbers.stays(index++); };
      std::vector<typename Body::Item> remaining;
      for (auto& item : items) {
        if (!is_removed(item)) {
          remaining.push_back(std::move(item));
        }
      }
      items = std::move(remaining);
    }
  }
}

/// The same of geosets, with what is theirs: animations and numbers of those that go.
void keep_geosets(Document& document, const Renumbering& geosets);

/// All layers of all materials.
void each_layer(Document& document, const std::function<void(Layer&)>& visit);

/// Every number of a texture in layers, flipbooks and emitters, and whether it counts.
void each_texture_id(Document& document, const std::function<void(std::int32_t& id, bool counts)>& visit);

}  // namespace thaw::mdx
