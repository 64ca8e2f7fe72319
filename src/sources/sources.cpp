#include <thaw/sources.hpp>

namespace thaw {

std::string Source::place(std::string_view name) const { return description() + "/" + std::string(name); }

void UsedFiles::add(const std::string& where) {
  const std::lock_guard lock(mutex_);
  files_.insert(where);
}

std::vector<std::string> UsedFiles::all() const {
  const std::lock_guard lock(mutex_);
  return {files_.begin(), files_.end()};
}

void Sources::add(std::shared_ptr<const Source> source) { layers_.push_back({std::move(source)}); }

void Sources::add_outside(std::shared_ptr<const Source> source) {
  layers_.push_back({std::move(source), true});
}

void Sources::add_folder(const std::filesystem::path& folder) { add(open_folder(folder)); }

std::optional<FoundFile> Sources::find(std::string_view name, FileKind kind) const {
  const std::string normal = normalize_game_path(name);
  if (normal.empty()) {
    return std::nullopt;
  }
  for (auto layer = layers_.rbegin(); layer != layers_.rend(); ++layer) {
    if (auto bytes = layer->source->read_as(normal, kind)) {
      FoundFile found{std::move(*bytes), normal, layer->source->place(normal)};
      if (layer->outside && !normal.ends_with(".slk")) {
        used_->add(found.where);
      }
      return found;
    }
  }
  return std::nullopt;
}

std::optional<FoundFile> Sources::find_texture(std::string_view name) const {
  if (auto found = find(name, FileKind::texture)) {
    return found;
  }
  const std::string normal = normalize_game_path(name);
  const std::size_t dot = normal.find_last_of("./");
  const std::string stem = dot != std::string::npos && normal[dot] == '.' ? normal.substr(0, dot) : normal;
  for (const std::string_view extension : {".blp", ".dds", ".tga", ".png"}) {
    if (auto found = find(stem + std::string(extension), FileKind::texture)) {
      return found;
    }
  }
  return std::nullopt;
}

}  // namespace thaw
