#include "cli/inputs/replaceables.hpp"

#include "bytes/number_text.hpp"
#include "cli/report/text.hpp"

#include <algorithm>
#include <map>
#include <optional>

namespace thaw::cli {
namespace {

namespace fs = std::filesystem;

struct Choice {
  std::uint32_t id = 0;
  std::string file;
};

std::optional<Choice> parse(const std::string& text) {
  const std::size_t equals = text.find('=');
  const auto id = parse_whole(std::string_view(text).substr(0, equals));
  if (!id || equals == std::string::npos || equals + 1 == text.size()) {
    return std::nullopt;
  }
  return Choice{*id, text.substr(equals + 1)};
}

/// Single files under names of their own.
class NamedFiles : public Source {
 public:
  explicit NamedFiles(std::map<std::string, fs::path, std::less<>> files) : files_(std::move(files)) {}

  [[nodiscard]] std::optional<Bytes> read(std::string_view name) const override {
    const auto found = files_.find(name);
    if (found == files_.end()) {
      return std::nullopt;
    }
    auto bytes = read_file(found->second, Limits{});
    return bytes ? std::optional(std::move(*bytes)) : std::nullopt;
  }
  [[nodiscard]] std::string description() const override { return "--replaceable"; }
  [[nodiscard]] std::string place(std::string_view name) const override {
    const auto found = files_.find(name);
    return found == files_.end() ? Source::place(name) : found->second.generic_string();
  }

 private:
  std::map<std::string, fs::path, std::less<>> files_;
};

}  // namespace

Replaceables chosen_replaceables(const SceneSettings& settings) {
  Replaceables result;
  std::map<std::string, fs::path, std::less<>> files;
  for (const auto& text : settings.replaceables) {
    const auto choice = parse(text);
    if (!choice) {
      continue;
    }
    std::string path = choice->file;
    std::error_code error;
    if (fs::is_regular_file(choice->file, error)) {
      const std::string folder = concat({"replaceable ", std::to_string(choice->id), "/"});
      path = folder + fs::path(choice->file).filename().string();
      files[normalize_game_path(path)] = choice->file;
    }
    result.paths.insert(result.paths.begin(), {choice->id, std::move(path)});
  }
  if (!files.empty()) {
    result.files = std::make_shared<NamedFiles>(std::move(files));
  }
  return result;
}

tl::expected<scene::TeamColor, std::string> requested_team_color(const SceneSettings& settings) {
  if (settings.team_color.empty()) {
    return scene::TeamColor{};
  }
  if (const auto color = scene::parse_team_color(settings.team_color)) {
    return *color;
  }
  return tl::unexpected<std::string>("--team-color " + settings.team_color +
                                     ": expected 0 to 23, a colour such as red, or #RRGGBB");
}

std::string check_replaceables(const SceneSettings& settings) {
  for (const auto& text : settings.replaceables) {
    if (!parse(text)) {
      return concat({"--replaceable ", text, ": expected an id and a file, such as 11=Skin.blp"});
    }
  }
  return "";
}

}  // namespace thaw::cli
