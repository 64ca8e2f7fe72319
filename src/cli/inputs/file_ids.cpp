#include "cli/inputs/file_ids.hpp"

#include <thaw/sources.hpp>

#include "bytes/number_text.hpp"
#include "bytes/text.hpp"
#include "cli/report/text.hpp"

#include <algorithm>
#include <tuple>

namespace thaw::cli {

void FileIds::index(std::size_t file) {
  const Bytes& bytes = contents_[file];
  const std::string_view text = as_text(bytes);
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    std::string_view line = text.substr(start, end - start);
    line = line.substr(0, line.find_last_not_of(" \t\r") + 1);
    const std::size_t separator = line.find(';');
    const auto id = parse_whole(line.substr(0, separator));
    if (id && separator != std::string_view::npos && separator + 1 < line.size()) {
      entries_.push_back({*id, file, start + separator + 1, line.size() - separator - 1});
    }
    start = end + 1;
  }
}

std::string check_listfiles(const SourceSettings& settings) {
  constexpr std::uint64_t kLook = 4096;  // no text has a NUL in it
  const std::uint64_t most = Limits().max_input_bytes;
  for (const auto& name : settings.listfiles) {
    const auto storage = open_storage(name);
    if (!storage || (*storage)->size() > most) {
      const std::string why =
          storage
              ? concat({"the file has more than ", std::to_string(most), " bytes, the limit of a listfile"})
              : storage.error().message;
      return concat({"--listfile ", name, ": ", why});
    }
    Bytes start(static_cast<std::size_t>(std::min<std::uint64_t>((*storage)->size(), kLook)));
    if ((*storage)->read(0, start) && as_text(start).find('\0') != std::string_view::npos) {
      return concat({"--listfile ", name, ": not a text file with an id;path or a name on each line"});
    }
  }
  return "";
}

FileIds::FileIds(const SourceSettings& settings) {
  for (const std::string& name : settings.listfiles) {
    if (auto bytes = read_file(name, {})) {
      contents_.push_back(std::move(*bytes));
      index(contents_.size() - 1);
    }
  }
  std::sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) {
    return std::tie(a.id, a.file, a.offset) < std::tie(b.id, b.file, b.offset);
  });
}

std::string FileIds::path_of(std::uint32_t id) const {
  const auto after =
      std::upper_bound(entries_.begin(), entries_.end(), id,
                       [](std::uint32_t requested, const Entry& entry) { return requested < entry.id; });
  if (after == entries_.begin() || std::prev(after)->id != id) {
    return {};
  }
  const Entry& entry = *std::prev(after);
  return {reinterpret_cast<const char*>(contents_[entry.file].data()) + entry.offset, entry.size};
}

}  // namespace thaw::cli
