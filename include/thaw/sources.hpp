// Where bytes come from: layered, later layers win. Names are game paths: case does not matter, `\` is `/`.
#pragma once

#include <thaw/bytes.hpp>
#include <thaw/diagnostics.hpp>
#include <thaw/options.hpp>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace thaw {

/// One layer.
class Source {
 public:
  Source() = default;
  Source(const Source&) = delete;
  Source(Source&&) = delete;
  Source& operator=(const Source&) = delete;
  Source& operator=(Source&&) = delete;
  virtual ~Source() = default;

  /// `name` is normalised: lower case, `/`, no leading slash, no `.` or `..` parts. None if the layer does
  /// not have it.
  [[nodiscard]] virtual std::optional<Bytes> read(std::string_view name) const = 0;
  /// The layer in the words of the user, e.g. the folder's path.
  [[nodiscard]] virtual std::string description() const = 0;
};

struct Found {
  Bytes bytes;
  std::string name;   ///< normalised, with the extension that was found
  std::string where;  ///< description of the layer
};

class Sources {
 public:
  /// Adds a layer above all that are there. Safe to share between threads once complete.
  void add(std::shared_ptr<const Source> source);
  void add_folder(const std::filesystem::path& folder);

  [[nodiscard]] std::optional<Found> find(std::string_view name) const;
  /// As `find`, but if no layer has the name, the stem is tried with .blp, .dds, .tga and .png, as the game
  /// does.
  [[nodiscard]] std::optional<Found> find_texture(std::string_view name) const;
  [[nodiscard]] bool empty() const { return layers_.empty(); }

 private:
  std::vector<std::shared_ptr<const Source>> layers_;
};

/// Lower case, `/` for `\`, without empty, `.` and `..` parts: what `Source::read` expects.
std::string normalize_game_path(std::string_view name);

/// A folder, files found without regard to case. Never leaves the folder. An index of a directory is made
/// when it is first looked into.
std::shared_ptr<const Source> open_folder(const std::filesystem::path& folder);

/// The whole file; input.unreadable or input.too-large otherwise.
Result<Bytes> read_file(const std::filesystem::path& path, const Limits& limits);

/// Writes to a temporary file beside the target and renames it: the target is complete or untouched.
Result<void> write_file(const std::filesystem::path& path, ByteView bytes, bool overwrite);

}  // namespace thaw
