#include "formats/archives/mpq/imports.hpp"

#include "bytes/text.hpp"
#include "describe/description.hpp"
#include "formats/archives/mpq/names.hpp"
#include "formats/archives/mpq/pack_file.hpp"

#include <algorithm>

namespace thaw::mpq {
namespace {

constexpr std::string_view kFolder = "war3mapImported\\";
constexpr std::uint8_t kWholePath = 13;
constexpr std::size_t kListHead = 8;

bool same(std::string_view a, std::string_view b) { return entry_hash(a) == entry_hash(b); }

/// 5 and 8 leave the usual folder out; 10, 13 and whatever else there is say the whole path.
bool leaves_folder_out(std::uint8_t kind) { return kind == 5 || kind == 8; }

}  // namespace

std::string Imports::Entry::name() const {
  return leaves_folder_out(kind) ? std::string(kFolder) + path : path;
}

std::optional<Imports> Imports::read(ByteView bytes) {
  if (bytes.size() < kListHead) {
    return std::nullopt;
  }
  Imports imports;
  imports.version_ = load_plain<std::uint32_t>(bytes.data());
  const auto count = load_plain<std::uint32_t>(&bytes[4]);
  std::size_t at = kListHead;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::string_view left = as_text(bytes.subspan(at));
    const std::size_t end = left.empty() ? std::string_view::npos : left.find('\0', 1);
    if (end == std::string_view::npos) {
      return std::nullopt;
    }
    imports.entries_.push_back({bytes[at], std::string(left.substr(1, end - 1))});
    at += end + 1;
  }
  imports.rest_.assign(bytes.begin() + static_cast<std::ptrdiff_t>(at), bytes.end());
  return imports;
}

std::vector<Imports::Entry>::iterator Imports::find(std::string_view name) {
  return std::find_if(entries_.begin(), entries_.end(),
                      [&](const Entry& entry) { return same(entry.name(), name) || same(entry.path, name); });
}

bool Imports::add(std::string_view name) {
  if (find(name) != entries_.end()) {
    return false;
  }
  entries_.push_back({kWholePath, std::string(name)});
  return true;
}

bool Imports::remove(std::string_view name) {
  const auto found = find(name);
  if (found == entries_.end()) {
    return false;
  }
  entries_.erase(found);
  return true;
}

Bytes Imports::write() const {
  Bytes bytes;
  append_u32(bytes, version_);
  append_u32(bytes, static_cast<std::uint32_t>(entries_.size()));
  for (const auto& entry : entries_) {
    bytes.push_back(entry.kind);
    const ByteView path = as_bytes(entry.path);
    bytes.insert(bytes.end(), path.begin(), path.end());
    bytes.push_back(0);
  }
  bytes.insert(bytes.end(), rest_.begin(), rest_.end());
  return bytes;
}

bool is_import(std::string_view name) {
  const auto standard_names = usual_names();
  return !name.starts_with('(') && std::none_of(standard_names.begin(), standard_names.end(),
                                                [&](std::string_view usual) { return same(usual, name); });
}

}  // namespace thaw::mpq
