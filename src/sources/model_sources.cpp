#include <thaw/sources.hpp>

namespace thaw {

namespace fs = std::filesystem;

Sources model_sources(const fs::path& model,
                      const std::vector<std::shared_ptr<const Source>>& explicit_layers,
                      const OpenFolder& open) {
  constexpr int kParents = 4;
  std::error_code error;
  const fs::path absolute = fs::absolute(model, error).lexically_normal();
  const fs::path own = absolute.parent_path();
  std::vector<std::shared_ptr<const Source>> layers;  // nearest first
  fs::path folder = own;
  for (int level = 0; level <= kParents && folder != folder.root_path(); ++level) {
    layers.push_back(open(folder));
    folder = folder.parent_path();
  }
  Sources sources;
  if (!own.empty()) {
    sources.add(flatten_folder(open(own)));
  }
  for (auto layer = layers.rbegin(); layer != layers.rend(); ++layer) {
    sources.add(*layer);
  }
  for (const auto& layer : explicit_layers) {
    sources.add(layer);
  }
  return sources;
}

}  // namespace thaw
