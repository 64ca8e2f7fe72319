#include "cli/inputs/archives.hpp"

#include "bytes/text.hpp"

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

struct Span {
  std::string_view first;
  std::string_view last;
};
/// Characters that nobody sees or that turn the writing around, in UTF-8: with them a name looks like
/// another.
// NOLINTBEGIN(misc-misleading-bidirectional): the table lists such characters
constexpr std::array kInvisible = {
    Span{"\xC2\x80", "\xC2\x9F"},                  // C1
    Span{"\xC2\xAD", "\xC2\xAD"},                  // soft hyphen
    Span{"\xCD\x8F", "\xCD\x8F"},                  // grapheme joiner
    Span{"\xD8\x9C", "\xD8\x9C"},                  // Arabic letter mark
    Span{"\xE1\x85\x9F", "\xE1\x85\xA0"},          // fillers
    Span{"\xE1\xA0\x8B", "\xE1\xA0\x8E"},          // Mongolian selectors and separator
    Span{"\xE2\x80\x8B", "\xE2\x80\x8F"},          // without width, marks of direction
    Span{"\xE2\x80\xA8", "\xE2\x80\xAE"},          // ends of lines, overrides of direction
    Span{"\xE2\x81\xA0", "\xE2\x81\xAF"},          // joiners, isolates of direction
    Span{"\xE3\x85\xA4", "\xE3\x85\xA4"},          // filler
    Span{"\xEF\xB8\x80", "\xEF\xB8\x8F"},          // selectors of variants
    Span{"\xEF\xBB\xBF", "\xEF\xBB\xBF"},          // byte order mark
    Span{"\xEF\xBE\xA0", "\xEF\xBE\xA0"},          // filler
    Span{"\xEF\xBF\xB9", "\xEF\xBF\xBB"},          // annotations
    Span{"\xF3\xA0\x80\x80", "\xF3\xA0\x87\xBF"},  // tags, selectors of variants
};
// NOLINTEND(misc-misleading-bidirectional)

std::string without_invisible(std::string_view part) {
  std::string result;
  while (!part.empty()) {
    const auto here = std::find_if(kInvisible.begin(), kInvisible.end(), [&](const Span& span) {
      const std::string_view start = part.substr(0, span.first.size());
      return start >= span.first && start <= span.last && start.size() == span.first.size();
    });
    result += here == kInvisible.end() ? part.front() : '_';
    part.remove_prefix(here == kInvisible.end() ? 1 : here->first.size());
  }
  return result;
}

template <std::size_t kCount>
bool is_one_of(std::string_view word, const std::array<std::string_view, kCount>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// CON, nul.txt, COM and a superscript and the like are devices on Windows, in every folder.
bool is_device_name(std::string_view part) {
  constexpr std::array<std::string_view, 6> kDevices = {"con", "prn", "aux", "nul", "conin$", "conout$"};
  constexpr std::array<std::string_view, 3> kSuperscripts = {"\xC2\xB9", "\xC2\xB2", "\xC2\xB3"};
  std::string stem = normalize_game_path(part.substr(0, part.find('.')));
  stem.resize(stem.find_last_not_of(' ') + 1);  // Windows drops them
  const bool port = stem.starts_with("com") || stem.starts_with("lpt");
  const std::string_view number = std::string_view(stem).substr(std::min<std::size_t>(3, stem.size()));
  const bool digit = number.size() == 1 && number[0] >= '0' && number[0] <= '9';
  return (port && (digit || is_one_of(number, kSuperscripts))) || is_one_of(stem, kDevices);
}

/// Names that programs obey as soon as a file has them: settings of this program, of versioning, shells,
/// editors and servers (hidden, all of them), of folders and disks on Windows.
bool is_obeyed(const std::string& part) {
  constexpr std::array<std::string_view, 6> kNames = {"thaw.toml",  "desktop.ini", "autorun.inf",
                                                      "folder.htt", "web.config",  "git~1"};
  return part.front() == '.' || is_one_of(ascii::lowered(part), kNames);
}

/// Names that file managers follow to other places, or run, when their folder is looked at or clicked.
bool is_shortcut(const std::string& part) {
  constexpr std::array<std::string_view, 8> kEndings = {
      ".lnk", ".url", ".scf", ".pif", ".desktop", ".library-ms", ".searchconnector-ms", ".settingcontent-ms"};
  return std::any_of(kEndings.begin(), kEndings.end(),
                     [&](std::string_view ending) { return ascii::lowered(part).ends_with(ending); });
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
  constexpr std::size_t kMost = kLongest - kLongestExtension;
  std::size_t cut = kMost;
  while (cut + 4 > kMost && (static_cast<unsigned char>(part[cut]) & 0xC0U) == 0x80U) {
    --cut;  // not within a character, which has no more than four bytes
  }
  return part.substr(0, cut) + (extension ? part.substr(dot) : std::string());
}

std::string safe_part(std::string part) {
  part =
      shortened(without_invisible(part));  // first, for what is cut off may end in what is looked for below
  std::replace_if(part.begin(), part.end(), is_forbidden, '_');
  if (part.back() == '.' || part.back() == ' ') {
    part.back() = '_';  // Windows drops them
  }
  if (is_device_name(part) || is_obeyed(part)) {
    part.insert(0, 1, '_');
  }
  part += is_shortcut(part) ? "_" : "";
  return part;
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
