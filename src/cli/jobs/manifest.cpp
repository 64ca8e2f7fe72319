#include "cli/jobs/manifest.hpp"

#include <thaw/sources.hpp>

#include "bytes/text.hpp"

#include <algorithm>

namespace thaw::cli {
namespace {

constexpr std::size_t kHashDigits = 32;

/// The digits in lower case, or empty if they are none.
std::string digits_of(std::string_view text) {
  std::string digits;
  for (const char c : text) {
    if (ascii::hex_value(c) > 0xF) {
      return "";
    }
    digits += ascii::lower(c);
  }
  return digits.size() == kHashDigits ? digits : "";
}

}  // namespace

Result<Manifest> Manifest::load(const std::filesystem::path& path, const Limits& limits) {
  auto bytes = read_file(path, limits);
  if (!bytes) {
    return tl::unexpected<Error>(std::move(bytes.error()));
  }
  Manifest manifest;
  std::string_view rest = as_text(*bytes);
  while (!rest.empty()) {
    std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    line = line.substr(0, line.find_last_not_of("\r \t") + 1);
    const std::size_t tab = line.find('\t');
    const std::string digits = tab == std::string_view::npos ? "" : digits_of(line.substr(tab + 1));
    if (!digits.empty()) {
      manifest.files_.emplace_back(digits, line.substr(0, tab));
    }
  }
  if (manifest.files_.empty()) {
    return fail(codes::kFormatUnknown, "not a manifest: no line has a path, a tab and an MD5");
  }
  std::sort(manifest.files_.begin(), manifest.files_.end());
  return manifest;
}

std::vector<std::string> Manifest::find(ByteView content) const {
  const std::string digits = md5_text(md5(content));
  std::vector<std::string> paths;
  for (auto at = std::lower_bound(files_.begin(), files_.end(), std::pair(digits, std::string()));
       at != files_.end() && at->first == digits; ++at) {
    paths.push_back(at->second);
  }
  return paths;
}

}  // namespace thaw::cli
