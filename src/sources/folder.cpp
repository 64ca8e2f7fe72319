#include <thaw/archive.hpp>
#include <thaw/sources.hpp>

#include "sources/listing.hpp"

#include <algorithm>
#include <map>
#include <mutex>

namespace thaw {
namespace {

namespace fs = std::filesystem;

/// Real names of a directory's entries by normalised name. Two names may differ in case only.
using Index = std::multimap<std::string, std::string, std::less<>>;

Index make_index(const fs::path& directory, bool hidden) {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : entries_of(directory, error)) {
    if (hidden || !is_hidden(entry.path())) {
      names.push_back(entry.path().filename().string());
    }
  }
  // The order of a directory is the file system's affair; the same folder gives the same answer everywhere.
  std::sort(names.begin(), names.end());
  Index index;
  for (auto& name : names) {
    index.emplace(normalize_game_path(name), std::move(name));
  }
  return index;
}

bool is_inside(const fs::path& folder, const fs::path& path) {
  return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first == folder.end();
}

class Folder : public Source {
 public:
  /// With `whole`, hidden files are there, too, and those of any content.
  Folder(const fs::path& folder, bool whole) : folder_(folder), whole_(whole) {
    std::error_code error;
    root_ = fs::canonical(folder, error);
  }

  [[nodiscard]] std::optional<Bytes> read(std::string_view name) const override {
    return read_as(name, FileKind::any);
  }

  [[nodiscard]] std::optional<Bytes> read_as(std::string_view name, FileKind kind) const override {
    auto bytes = root_.empty() || name.empty() ? std::nullopt : read_any_kind(name);
    return bytes && (whole_ || is_asset(kind, *bytes, name)) ? std::move(bytes) : std::nullopt;
  }

  [[nodiscard]] std::string description() const override { return folder_.generic_string(); }

  [[nodiscard]] std::string place(std::string_view name) const override {
    auto path = locate(root_, name);
    if (!path) {
      path = locate(root_, std::string(name) + ".mpq");
    }
    return path ? (folder_ / path->lexically_relative(root_)).generic_string() : Source::place(name);
  }

  [[nodiscard]] std::vector<std::string> files_in(std::string_view folder) const override {
    std::vector<std::string> names;
    if (!root_.empty()) {
      list(root_, normalize_game_path(folder), "", names);
      std::sort(names.begin(), names.end());
      names.erase(std::unique(names.begin(), names.end()), names.end());
    }
    return names;
  }

 private:
  /// Adds the files of `folder`, which is relative to `directory`; both normalised, `prefix` with its slash.
  void list(const fs::path& directory, std::string_view folder, const std::string& prefix,
            std::vector<std::string>& names) const {
    const std::size_t slash = folder.find('/');
    for (const auto& [name, real] : index(directory)) {
      std::error_code error;
      const fs::path path = directory / real;
      const auto status = fs::status(path, error);
      if (error || !stays_inside(path)) {
        continue;
      }
      if (folder.empty() && fs::is_regular_file(status)) {
        names.push_back(prefix + name);
      } else if (!folder.empty() && name == folder.substr(0, slash) && fs::is_directory(status)) {
        const auto rest = slash == std::string_view::npos ? std::string_view() : folder.substr(slash + 1);
        list(path, rest, prefix + name + "/", names);
      }
    }
  }

  [[nodiscard]] std::optional<Bytes> read_any_kind(std::string_view name) const {
    const auto path = locate(root_, name);
    if (!path) {
      return read_one_file_archive(name);
    }
    auto bytes = read_file(*path, Limits{});
    return bytes ? std::optional(std::move(*bytes)) : std::nullopt;
  }

  /// What `name.mpq` holds.
  [[nodiscard]] std::optional<Bytes> read_one_file_archive(std::string_view name) const {
    const auto path = locate(root_, std::string(name) + ".mpq");
    auto storage = path ? open_storage(*path) : fail(codes::kInputUnreadable, "");
    if (!storage) {
      return std::nullopt;
    }
    Diagnostics findings;
    const auto archive = mpq::Archive::open(std::move(*storage), {}, findings);
    const auto entry = archive ? archive->find_single(name) : std::nullopt;
    auto unpacked = entry ? archive->unpack(*entry, findings) : fail(codes::kMpqNoEntry, "");
    return unpacked ? std::optional(std::move(unpacked->bytes)) : std::nullopt;
  }

  /// The regular file below `directory` that a normalised name means.
  [[nodiscard]] std::optional<fs::path> locate(const fs::path& directory, std::string_view name) const {
    const std::size_t slash = name.find('/');
    const Index& entries = index(directory);
    const auto [first, last] = entries.equal_range(name.substr(0, slash));
    for (auto entry = first; entry != last; ++entry) {
      fs::path path = directory / entry->second;
      std::error_code error;
      const auto status = fs::status(path, error);
      if (error || !stays_inside(path)) {
        continue;
      }
      if (slash == std::string_view::npos) {
        if (fs::is_regular_file(status)) {
          return path;
        }
      } else if (fs::is_directory(status)) {
        if (auto found = locate(path, name.substr(slash + 1))) {
          return found;
        }
      }
    }
    return std::nullopt;
  }

  /// Links may lead elsewhere within the folder, but neither out of it nor to what is hidden.
  [[nodiscard]] bool stays_inside(const fs::path& path) const {
    std::error_code error;
    if (!is_link(path, error)) {
      return !error;
    }
    const fs::path real = fs::canonical(path, error);
    return !error && is_inside(root_, real) && (whole_ || !is_below_hidden(real));
  }

  [[nodiscard]] bool is_below_hidden(const fs::path& real) const {
    for (fs::path at = real; at != root_ && at.has_relative_path(); at = at.parent_path()) {
      if (is_hidden(at)) {
        return true;
      }
    }
    return false;
  }

  [[nodiscard]] const Index& index(const fs::path& directory) const {
    const std::lock_guard lock(mutex_);
    const auto known = indexes_.find(directory);
    // References into a map outlive later insertions.
    return known != indexes_.end() ? known->second
                                   : indexes_.emplace(directory, make_index(directory, whole_)).first->second;
  }

  fs::path folder_;
  bool whole_;
  fs::path root_;
  mutable std::mutex mutex_;
  mutable std::map<fs::path, Index> indexes_;
};

/// Only what lies directly in a folder, whatever folder the name requests.
class FlatFolder : public Source {
 public:
  explicit FlatFolder(std::shared_ptr<const Source> folder) : folder_(std::move(folder)) {}

  [[nodiscard]] std::optional<Bytes> read(std::string_view name) const override {
    return folder_->read(last_part(name));
  }
  [[nodiscard]] std::optional<Bytes> read_as(std::string_view name, FileKind kind) const override {
    return folder_->read_as(last_part(name), kind);
  }
  [[nodiscard]] std::string description() const override { return folder_->description(); }
  [[nodiscard]] std::string place(std::string_view name) const override {
    return folder_->place(last_part(name));
  }

 private:
  static std::string_view last_part(std::string_view name) { return name.substr(name.find_last_of('/') + 1); }

  std::shared_ptr<const Source> folder_;
};

}  // namespace

std::shared_ptr<const Source> open_folder(const fs::path& folder) {
  return std::make_shared<Folder>(folder, false);
}

std::shared_ptr<const Source> open_whole_folder(const fs::path& folder) {
  return std::make_shared<Folder>(folder, true);
}

std::shared_ptr<const Source> flatten_folder(std::shared_ptr<const Source> folder) {
  return std::make_shared<FlatFolder>(std::move(folder));
}

}  // namespace thaw
