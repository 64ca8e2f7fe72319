#include "cli/inputs/archives.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace thaw::cli {
namespace {

bool is_forbidden(char c) {
  constexpr std::string_view kForbidden = "<>:\"|?*\x7F";
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0x20 || kForbidden.find(c) != std::string_view::npos;
}

/// CON, nul.txt and the like are devices on Windows, in every folder.
bool is_device_name(std::string_view part) {
  constexpr std::array<std::string_view, 4> kDevices = {"con", "prn", "aux", "nul"};
  const std::string stem = normalize_game_path(part.substr(0, part.find('.')));
  const bool numbered = stem.size() == 4 && (stem.substr(0, 3) == "com" || stem.substr(0, 3) == "lpt") &&
                        stem[3] >= '0' && stem[3] <= '9';
  return numbered || std::find(kDevices.begin(), kDevices.end(), stem) != kDevices.end();
}

/// No file system takes more than 255 bytes; a temporary name has some more.
std::string shortened(const std::string& part) {
  constexpr std::size_t kLongest = 200;
  constexpr std::size_t kLongestExtension = 16;
  if (part.size() <= kLongest) {
    return part;
  }
  const std::size_t dot = part.find_last_of('.');
  const bool extension = dot != std::string::npos && part.size() - dot <= kLongestExtension;
  std::size_t cut = kLongest - kLongestExtension;
  while (cut > 0 && (static_cast<unsigned char>(part[cut]) & 0xC0U) == 0x80U) {
    --cut;  // not within a character
  }
  return part.substr(0, cut) + (extension ? part.substr(dot) : std::string());
}

std::string safe_part(std::string part) {
  std::replace_if(part.begin(), part.end(), is_forbidden, '_');
  if (part.back() == '.' || part.back() == ' ') {
    part.back() = '_';  // Windows drops them
  }
  if (is_device_name(part)) {
    part.insert(0, 1, '_');
  }
  return shortened(part);
}

}  // namespace

std::filesystem::path safe_path(const std::string& name) {
  // Far below what systems take, since a folder to extract into comes in front.
  constexpr std::size_t kLongestFolder = 1024;
  std::vector<std::string> parts;
  std::size_t at = 0;
  while (at < name.size()) {
    const std::size_t end = std::min(name.find_first_of("/\\", at), name.size());
    const std::string part = name.substr(at, end - at);
    if (!part.empty() && part != "." && part != "..") {
      parts.push_back(safe_part(part));
    }
    at = end + 1;
  }
  if (parts.empty()) {
    return "_";
  }
  std::filesystem::path path;
  std::size_t length = 0;
  for (std::size_t i = 0; i + 1 < parts.size() && length + parts[i].size() < kLongestFolder; ++i) {
    path /= parts[i];
    length += parts[i].size() + 1;
  }
  return path / parts.back();
}

}  // namespace thaw::cli
