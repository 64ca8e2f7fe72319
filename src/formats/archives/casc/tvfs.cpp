#include "formats/archives/casc/tvfs.hpp"

#include <thaw/codes.hpp>

#include <algorithm>

namespace thaw::casc {
namespace {

constexpr std::size_t kManifestHeader = 0x26;
constexpr std::size_t kDeepestFolder = 256;
constexpr std::size_t kLongestPath = 4096;
constexpr std::size_t kMostSpans = 224;
constexpr std::uint8_t kNode = 0xFF;
constexpr std::uint32_t kFolder = 0x80000000U;

}  // namespace

/// Goes through the tree of names. A value that is no folder's leads to a file.
class Manifest::Walk {
 public:
  Walk(const Manifest& manifest, const std::function<void(std::string_view, std::uint32_t)>& each)
      : table_(ByteView(manifest.bytes_).subspan(manifest.paths_.offset, manifest.paths_.size)),
        each_(each) {}

  /// False if something did not make sense.
  bool run() {
    std::string path;
    std::size_t end = table_.size();
    std::size_t at = 0;
    // The root: a folder without a name that covers the table.
    if (table_.size() >= 5 && table_[0] == kNode && (big32(table_.data() + 1) & kFolder) != 0) {
      const std::uint64_t size = big32(table_.data() + 1) & ~kFolder;
      at = 5;
      good_ = size >= 4 && size - 4 <= end - at;
      end = good_ ? at + static_cast<std::size_t>(size) - 4 : end;
    }
    folder(at, end, path, 0);
    return good_;
  }

 private:
  void folder(std::size_t at, std::size_t end, std::string& path, std::size_t depth) {
    const std::size_t folder_length = path.size();
    if (depth > kDeepestFolder) {
      good_ = false;
      return;
    }
    while (at < end) {
      at = separator(at, end, path);
      if (at < end && table_[at] != kNode) {
        const std::size_t length = table_[at];
        if (length > end - at - 1 || path.size() + length > kLongestPath) {
          good_ = false;
          path.resize(folder_length);
          return;
        }
        path.append(reinterpret_cast<const char*>(table_.data() + at + 1), length);
        at += 1 + length;
      }
      at = separator(at, end, path);
      if (at >= end) {
        break;
      }
      if (table_[at] != kNode) {
        if (path.size() > kLongestPath) {
          good_ = false;
          break;
        }
        path += '/';
        continue;
      }
      if (end - at < 5) {
        good_ = false;
        break;
      }
      at = node(at, end, path, depth);
      path.resize(folder_length);
    }
    path.resize(folder_length);
  }

  std::size_t node(std::size_t at, std::size_t end, std::string& path, std::size_t depth) {
    const std::uint32_t value = big32(table_.data() + at + 1);
    at += 5;
    if ((value & kFolder) == 0) {
      each_(path, value);
      return at;
    }
    const std::uint64_t size = value & ~kFolder;
    if (size < 4 || size - 4 > end - at) {
      good_ = false;
      return end;
    }
    const std::size_t after = at + static_cast<std::size_t>(size) - 4;
    folder(at, after, path, depth + 1);
    return after;
  }

  std::size_t separator(std::size_t at, std::size_t end, std::string& path) const {
    if (at >= end || table_[at] != 0) {
      return at;
    }
    path += '/';
    return at + 1;
  }

  ByteView table_;
  const std::function<void(std::string_view, std::uint32_t)>& each_;
  bool good_ = true;
};

Result<Manifest> Manifest::read(Bytes bytes) {
  constexpr std::string_view kMagic = "TVFS";
  if (bytes.size() < kManifestHeader || !std::equal(kMagic.begin(), kMagic.end(), bytes.begin())) {
    return fail(codes::kCascTable,
                "a manifest of file names (TVFS) is too short or does not begin with TVFS");
  }
  if (bytes[4] != 1) {
    return fail(codes::kCascUnsupported,
                "unsupported version " + std::to_string(bytes[4]) + " of a manifest of file names (TVFS)");
  }
  if (bytes[5] < kManifestHeader || bytes[6] != std::tuple_size_v<ShortKey>) {
    return fail(codes::kCascUnsupported,
                "the header or the keys of a manifest of file names (TVFS) have an unsupported size");
  }
  Manifest manifest;
  std::size_t at = 0x0C;
  for (Table* table : {&manifest.paths_, &manifest.files_, &manifest.containers_}) {
    table->offset = big32(bytes.data() + at);
    table->size = big32(bytes.data() + at + 4);
    at += 8;
    if (!fits(table->offset, table->size, bytes.size())) {
      return fail(codes::kCascTable,
                  "a table extends past the end of the manifest of file names (TVFS). Repair the game with "
                  "its launcher.",
                  at - 8);
    }
  }
  const std::size_t size = manifest.containers_.size;
  manifest.width_ = size > 0xFFFFFF ? 4 : size > 0xFFFF ? 3 : size > 0xFF ? 2 : 1;
  manifest.bytes_ = std::move(bytes);
  return manifest;
}

void Manifest::walk(const std::function<void(std::string_view, std::uint32_t)>& each,
                    Diagnostics& diagnostics) const {
  if (!Walk(*this, each).run()) {
    diagnostics.add(codes::kCascTable,
                    "a manifest of file names (TVFS) has damaged names; their files are left out",
                    paths_.offset);
  }
}

std::size_t Manifest::count(std::uint32_t place) const {
  const std::size_t count = place < files_.size ? bytes_[files_.offset + place] : 0;
  return count <= kMostSpans ? count : 0;
}

std::optional<Span> Manifest::span(std::uint32_t place, std::size_t number) const {
  const std::size_t size = 8 + width_;
  const std::size_t at = place + 1 + size * number;
  if (!fits(at, size, files_.size)) {
    return std::nullopt;
  }
  const std::uint8_t* const from = bytes_.data() + files_.offset + at;
  const std::uint64_t container = big(from + 8, width_);
  if (!fits(container, std::tuple_size_v<ShortKey>, containers_.size)) {
    return std::nullopt;
  }
  const std::uint8_t* const key = bytes_.data() + containers_.offset + container;
  return Span{key_at<std::tuple_size_v<ShortKey>>(key), big32(from), big32(from + 4)};
}

std::vector<Span> Manifest::spans(std::uint32_t place) const {
  std::vector<Span> spans;
  for (std::size_t i = 0; i < count(place); ++i) {
    const auto one = span(place, i);
    if (!one) {
      return {};
    }
    spans.push_back(*one);
  }
  return spans;
}

std::optional<ShortKey> Manifest::single(std::uint32_t place) const {
  const auto one = count(place) == 1 ? span(place, 0) : std::nullopt;
  return one ? std::optional(one->key) : std::nullopt;
}

}  // namespace thaw::casc
