#include <thaw/sources.hpp>

#include <algorithm>
#include <map>

namespace thaw {
namespace {

class ArchiveSource : public Source {
 public:
  ArchiveSource(std::shared_ptr<const Archive> archive, std::string description)
      : archive_(std::move(archive)), description_(std::move(description)) {
    // Names that are not ASCII cannot be hashed without knowing how the author wrote them.
    const auto entries = archive_->entries();
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const std::string& name = entries[i].name;
      if (std::any_of(name.begin(), name.end(),
                      [](char c) { return static_cast<unsigned char>(c) >= 0x80; })) {
        by_name_.emplace(normalize_game_path(name), i);
      }
    }
  }

  [[nodiscard]] std::optional<Bytes> read(std::string_view name) const override {
    const auto listed = by_name_.find(name);
    const auto entry =
        listed != by_name_.end() ? std::optional(archive_->entries()[listed->second]) : archive_->find(name);
    if (!entry) {
      return std::nullopt;
    }
    Diagnostics findings;
    auto unpacked = archive_->unpack(*entry, findings);
    return unpacked ? std::optional(std::move(unpacked->bytes)) : std::nullopt;
  }

  [[nodiscard]] std::string description() const override { return description_; }

  [[nodiscard]] std::string place(std::string_view name) const override {
    return description_ + "//" + std::string(name);
  }

  [[nodiscard]] std::vector<std::string> files_in(std::string_view folder) const override {
    const std::string start = folder.empty() ? std::string() : normalize_game_path(folder) + "/";
    std::vector<std::string> names;
    for (const auto& entry : archive_->entries()) {
      const std::string name = normalize_game_path(entry.name);
      const bool below = name.size() > start.size() && name.starts_with(start);
      if (below && name.find('/', start.size()) == std::string::npos) {
        names.push_back(name);
      }
    }
    std::sort(names.begin(), names.end());
    return names;
  }

 private:
  std::shared_ptr<const Archive> archive_;
  std::string description_;
  std::map<std::string, std::size_t, std::less<>> by_name_;
};

}  // namespace

std::shared_ptr<const Source> archive_source(std::shared_ptr<const Archive> archive,
                                             std::string description) {
  return std::make_shared<ArchiveSource>(std::move(archive), std::move(description));
}

}  // namespace thaw
