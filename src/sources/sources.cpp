#include <thaw/sources.hpp>

namespace thaw {

std::string Source::place(std::string_view name) const { return description() + "/" + std::string(name); }

void Sources::add(std::shared_ptr<const Source> source) { layers_.push_back(std::move(source)); }

void Sources::add_folder(const std::filesystem::path& folder) { add(open_folder(folder)); }

std::optional<Found> Sources::find(std::string_view name) const {
  const std::string normal = normalize_game_path(name);
  if (normal.empty()) {
    return std::nullopt;
  }
  for (auto layer = layers_.rbegin(); layer != layers_.rend(); ++layer) {
    if (auto bytes = (*layer)->read(normal)) {
      return Found{std::move(*bytes), normal, (*layer)->place(normal)};
    }
  }
  return std::nullopt;
}

std::optional<Found> Sources::find_texture(std::string_view name) const {
  if (auto found = find(name)) {
    return found;
  }
  const std::string normal = normalize_game_path(name);
  const std::size_t dot = normal.find_last_of("./");
  const std::string stem = dot != std::string::npos && normal[dot] == '.' ? normal.substr(0, dot) : normal;
  for (const std::string_view extension : {".blp", ".dds", ".tga", ".png"}) {
    if (auto found = find(stem + std::string(extension))) {
      return found;
    }
  }
  return std::nullopt;
}

}  // namespace thaw
