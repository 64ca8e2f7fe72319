#include "describe/offsets.hpp"

#include <thaw/control.hpp>

#include "describe/naming.hpp"

#include <algorithm>
#include <charconv>
#include <map>

namespace thaw {
namespace {

std::optional<std::uint64_t> index_at_end(std::string_view path) {
  const std::size_t open = path.rfind('[');
  if (open == std::string_view::npos || path.back() != ']') {
    return std::nullopt;
  }
  std::uint64_t index = 0;
  const char* from = path.data() + open + 1;
  const char* last = path.data() + path.size() - 1;
  const auto [end, error] = std::from_chars(from, last, index);
  return error == std::errc() && end == last ? std::optional(index) : std::nullopt;
}

/// An object, list or field that some path names or lies in.
struct Location {
  std::uint64_t offset = 0;
  std::uint64_t element = 0;  ///< bytes of one element of an array
  std::uint64_t count = 0;
};

/// Remembers the places of all requested paths and of what is around them.
class Finder : public Inspector {
 public:
  Finder(const std::vector<std::string>& paths, const Control* control) : control_(control) {
    for (std::string_view path : paths) {
      for (; !path.empty() && requested_.emplace(path, std::nullopt).second; path = parent_path(path)) {
      }
    }
    open_.push_back({});
  }

  void begin(std::string_view name, bool is_list, std::uint64_t offset) override {
    Open inner;
    Open& outer = open_.back();
    inner.is_list = is_list;
    inner.is_element = outer.is_list;
    inner.offset = offset;
    const std::size_t index = outer.children++;
    inner.alive = outer.alive && enter(outer);
    if (inner.alive) {
      const std::string_view segment = is_transparent(name) ? std::string_view{} : name;
      inner.path =
          outer.is_list ? outer.path + bracketed(std::to_string(index)) : joined(outer.path, segment);
      inner.transparent = is_list && is_transparent(name);
    }
    open_.push_back(std::move(inner));
  }

  void end(std::uint64_t /*offset*/) override {
    enter(open_.back());
    open_.pop_back();
  }

  void leaf(const Leaf& leaf) override {
    Open& level = open_.back();
    if (!level.alive || leaf.role == LeafRole::structure) {
      return;
    }
    if (leaf.role == LeafRole::tag && level.is_element) {
      rename(tag_text(leaf));
      return;
    }
    if (!enter(level)) {
      return;
    }
    const std::size_t index = level.children++;
    const auto found = requested_.find(level.is_list ? level.path + bracketed(std::to_string(index))
                                                     : joined(level.path, leaf.name));
    if (found != requested_.end() && !found->second) {
      found->second =
          Location{leaf.offset, leaf.array && leaf.count > 0 ? leaf.size / leaf.count : 0, leaf.count};
    }
  }

  [[nodiscard]] std::optional<std::uint64_t> offset_of(std::string_view path) const {
    for (; !path.empty(); path = parent_path(path)) {
      const auto place = requested_.find(path);
      if (place != requested_.end() && place->second) {
        return place->second->offset;
      }
      const auto index = index_at_end(path);
      const auto array = requested_.find(parent_path(path));
      if (index && array != requested_.end() && array->second && *index < array->second->count) {
        return array->second->offset + *index * array->second->element;
      }
    }
    return std::nullopt;
  }

  [[nodiscard]] bool stopped() const override { return is_stopped(control_); }

 private:
  struct Open {
    std::string path;
    bool is_list = false;
    bool is_element = false;
    bool transparent = false;
    bool alive = true;     ///< a requested path may lie in here
    bool entered = false;  ///< its path is final: the tag, which comes first, has been seen
    std::uint64_t offset = 0;
    std::size_t children = 0;
    NamesByTag names;  ///< of a list's elements
  };

  /// Settles whether anything in this object is requested; called once its path is known.
  bool enter(Open& level) {
    if (!level.entered && level.alive) {
      level.entered = true;
      if (!level.path.empty()) {
        const auto found = requested_.find(level.path);
        level.alive = found != requested_.end();
        if (level.alive && !found->second) {
          found->second = Location{level.offset, 0, 0};
        }
      }
    }
    return level.alive;
  }

  void rename(const std::string& tag) {
    Open& element = open_.back();
    Open& list = open_[open_.size() - 2];
    const std::string name = list.names.next(tag);
    element.path = list.transparent ? joined(list.path, name) : list.path + bracketed(name);
  }

  std::map<std::string, std::optional<Location>, std::less<>> requested_;
  std::vector<Open> open_;
  const Control* control_;
};

}  // namespace

std::vector<std::optional<std::uint64_t>> find_offsets(const Inspection& inspection,
                                                       const std::vector<std::string>& paths,
                                                       const Control* control) {
  Finder finder(paths, control);
  inspection(finder);
  std::vector<std::optional<std::uint64_t>> offsets;
  offsets.reserve(paths.size());
  for (const auto& path : paths) {
    offsets.push_back(finder.offset_of(path));
  }
  return offsets;
}

}  // namespace thaw
