#include "formats/wow/texture_files.hpp"

#include <thaw/format.hpp>

#include <algorithm>

namespace thaw::wow {
namespace {

constexpr std::uint32_t kLongestSide = 256;

bool is_blp2(ByteView bytes) {
  constexpr std::string_view kMagic = "BLP2";
  return bytes.size() >= kMagic.size() && std::equal(kMagic.begin(), kMagic.end(), bytes.begin());
}

}  // namespace

void TextureFiles::look(std::string place, std::string_view texture) {
  if (options_.sources == nullptr || texture.empty() || !seen_.insert(normalize_game_path(texture)).second) {
    return;
  }
  const auto found = options_.sources->find_texture(texture);
  if (!found) {
    return;
  }
  if (!is_blp2(found->bytes)) {
    report_.add(std::move(place), say("\"", found->name, "\" is not a BLP2: ", identify(found->bytes).name));
    return;
  }
  Diagnostics ignored(0);
  const auto file = read_any(found->bytes, options_.read, ignored);
  const auto picture = file ? summarize(*file).picture : std::nullopt;
  if (picture && std::max(picture->width, picture->height) > kLongestSide) {
    report_.add(std::move(place), say("\"", found->name, "\" has ", picture->width, " × ", picture->height,
                                      " pixels, more than ", kLongestSide, " on a side"));
  }
}

}  // namespace thaw::wow
