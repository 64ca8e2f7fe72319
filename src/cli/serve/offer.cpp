#include "cli/serve/offer.hpp"

#include <thaw/sources.hpp>

#include "bytes/text.hpp"
#include "cli/inputs/distinct.hpp"
#include "cli/report/text.hpp"
#include "sources/listing.hpp"
#include "sources/path_fit.hpp"

#include <algorithm>
#include <utility>

namespace thaw::cli {
namespace {

namespace fs = std::filesystem;

/// Of an archive, and of what is listed without anyone looking into it.
constexpr std::size_t kMostMembers = 500000;
constexpr std::size_t kMostScanned = 1000000;

bool is_inside(const fs::path& folder, const fs::path& path) {
  return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first == folder.end();
}

/// What a game keeps its files in is no file for the page.
bool keeps_archives(const fs::path& folder) {
  std::error_code error;
  return fs::is_directory(folder / "data", error) && fs::is_directory(folder / "config", error);
}

/// As the page can write it.
std::string name_of(const fs::path& path) { return to_utf8(path.generic_string()); }

std::string_view folder_part(std::string_view path) {
  return path.substr(0, path.size() - last_part(path).size());
}

}  // namespace

bool is_hidden(const fs::path& path) {
  return std::any_of(path.begin(), path.end(),
                     [](const fs::path& part) { return !part.empty() && part.native().front() == '.'; });
}

Offer::Offer() { unlisted_.push_back(&top_); }

bool Offer::add(const fs::path& path) {
  std::error_code error;
  ++layers_;
  if (fs::is_regular_file(path, error)) {
    put(top_, name_of(path.filename()), {.name = fs::canonical(path, error).native(), .layer = layers_});
    return true;
  }
  if (!fs::is_directory(path, error)) {
    return false;
  }
  roots_.push_back(fs::canonical(path, error));
  top_.places.push_back({roots_.back(), &roots_.back(), layers_});
  return true;
}

void Offer::add_members(const ArchivePointer& archive) {
  ++layers_;
  const bool numbered = archive->archive->details()["root"].text() == "numbered";
  const std::size_t before = count_;
  for (const auto& entry : archive->archive->entries()) {
    cut_ = cut_ || count_ - before >= kMostMembers;
    if (cut_) {
      return;
    }
    const File file{.name = {}, .archive = archive, .entry = &entry, .layer = layers_};
    const std::string name = entry_name(*archive->archive, entry);
    const bool nameless = numbered && name.starts_with("unknown/");
    if (!nameless) {
      put_at(name, file);
    }
    if (nameless || (numbered && extension_of(name) == ".blp")) {
      File alias = file;
      alias.is_alias = true;
      put(top_, std::to_string(entry.hash) + ".blp", std::move(alias));
    }
  }
}

bool Offer::is_member(const std::string& name) {
  const File* file = find(name);
  return file != nullptr && file->entry != nullptr;
}

void Offer::prefer(const std::string& name, const Input& input) {
  if (input.member != nullptr) {
    const auto& archive = input.member->archive;
    put_at(
        name,
        {.name = {}, .archive = archive, .entry = &archive->archive->entries()[input.member->entry.index]});
  } else {
    std::error_code error;
    put_at(name, {.name = fs::canonical(input.path, error).native()});
  }
}

std::optional<Value> Offer::list(const std::string& name) {
  const Folder* folder = find_folder(name);
  if (folder == nullptr) {
    return std::nullopt;
  }
  Value folders = Value::List();
  for (const auto& [child, unused] : folder->folders) {
    folders.push(child);
  }
  Value files = Value::List();
  for (const auto& [child, file] : folder->files) {
    if (!file.is_alias) {
      files.push(child);
    }
  }
  return Value().set("folders", std::move(folders)).set("files", std::move(files));
}

Result<Bytes> Offer::read(const std::string& name) {
  const File* file = find(name);
  // A link may have changed since the list was made.
  if (file == nullptr || !stays_inside(*file)) {
    return fail(codes::kInputUnreadable, "no such file");
  }
  return file->entry == nullptr
             ? read_file(path_of(*file), Limits{})
             : file->archive->archive->unpack(*file->entry).map([](UnpackedFile&& unpacked) {
                 return std::move(unpacked.bytes);
               });
}

std::optional<Input> Offer::input_of(const std::string& name, const Settings& settings) {
  const File* file = find(name);
  if (file == nullptr || !stays_inside(*file)) {
    return std::nullopt;
  }
  return file->entry == nullptr ? named_input(path_of(*file).string(), settings)
                                : member_input(file->archive, *file->entry);
}

bool Offer::scan() {
  if (count_ >= kMostScanned) {
    cut_ = cut_ || !unlisted_.empty();
    unlisted_.clear();
  }
  if (!unlisted_.empty()) {
    open(*unlisted_.front());
  }
  return !unlisted_.empty();
}

std::optional<std::string> Offer::locate(const std::string& name, const std::string& model) {
  for (std::string_view above = folder_part(model); !is_whole();
       above = folder_part(above.substr(0, above.size() - 1))) {
    if (Folder* folder = find_folder(std::string(above.substr(0, above.find_last_not_of('/') + 1)))) {
      look_along(*folder, name);
    }
    if (above.empty()) {
      break;
    }
  }
  const auto same = by_last_part_.find(std::string(last_part(name)));
  if (same == by_last_part_.end()) {
    return std::nullopt;
  }
  const std::string asking = normalize_game_path(model);
  std::optional<std::string> best;
  PathFit best_fit{};
  for (const Known& known : same->second) {
    std::string path = known.folder->name + *known.name;
    const PathFit fit = fit_of(normalize_game_path(path), name, asking);
    if ((is_whole() || fit.is_above) && (!best || best_fit < fit || (best_fit == fit && path < *best))) {
      best = std::move(path);
      best_fit = fit;
    }
  }
  return best;
}

std::vector<std::string> Offer::search(const std::vector<std::string>& words,
                                       const std::vector<std::string>& endings, std::size_t most) const {
  std::vector<std::string> found;
  search_below(top_, words, endings, most, found);
  return found;
}

fs::path Offer::path_of(const File& file) {
  return file.place == nullptr ? fs::path(file.name) : file.place->path / file.name;
}

bool Offer::stays_inside(const File& file) {
  if (file.entry != nullptr) {
    return true;
  }
  std::error_code error;
  const fs::path path = path_of(file);
  const fs::path real = fs::canonical(path, error);
  return !error && (file.place == nullptr ? real == path : is_inside(*file.place->root, real));
}

Offer::Folder& Offer::below(Folder& folder, const std::string& name) {
  auto& child = folder.folders[name];
  if (child == nullptr) {
    child = std::make_unique<Folder>(Folder{.name = concat({folder.name, name, "/"}), .places = {}});
    unlisted_.push_back(child.get());
  }
  return *child;
}

void Offer::put(Folder& folder, const std::string& name, File file) {
  const auto [at, is_new] = folder.files.try_emplace(name);
  if (is_new) {
    ++count_;
    by_last_part_[normalize_game_path(name)].push_back({&folder, &at->first});
  }
  if (is_new || file.layer == 0 || file.layer < at->second.layer) {
    at->second = std::move(file);
  }
}

void Offer::put_at(const std::string& path, const File& file) {
  Folder* folder = &top_;
  std::string_view rest = path;
  for (auto slash = rest.find('/'); slash != std::string_view::npos; slash = rest.find('/')) {
    folder = &below(*folder, std::string(rest.substr(0, slash)));
    rest = rest.substr(slash + 1);
  }
  put(*folder, std::string(rest), file);
}

/// Folders are not followed where they are links.
void Offer::list_place(Folder& folder, const DiskFolder& place) {
  std::error_code error;
  if (!is_inside(*place.root, fs::canonical(place.path, error))) {
    return;
  }
  // What cannot be read of one folder does not end the list of the others.
  for (const auto& entry : entries_of(place.path, error)) {
    std::error_code unknown;
    const fs::path name = entry.path().filename();
    if (is_hidden(name)) {
      continue;
    }
    if (entry.symlink_status(unknown).type() == fs::file_type::directory) {
      if (!keeps_archives(entry.path())) {
        below(folder, name_of(name)).places.push_back({entry.path(), place.root, place.layer});
      }
    } else if (entry.is_regular_file(unknown)) {
      File file{.name = name.native(), .place = &place, .layer = place.layer};
      if (!entry.is_symlink(unknown) || stays_inside(file)) {
        put(folder, name_of(name), std::move(file));
      }
    }
  }
}

void Offer::open(Folder& folder) {
  if (!folder.is_listed) {
    folder.is_listed = true;
    for (const DiskFolder& place : folder.places) {
      list_place(folder, place);
    }
  }
  while (!unlisted_.empty() && unlisted_.front()->is_listed) {
    unlisted_.pop_front();
  }
}

Offer::Folder* Offer::find_folder(const std::string& name) {
  Folder* folder = &top_;
  open(*folder);
  for (std::string_view rest = name; !rest.empty();) {
    const auto slash = rest.find('/');
    const auto child = folder->folders.find(std::string(rest.substr(0, slash)));
    if (child == folder->folders.end()) {
      return nullptr;
    }
    folder = child->second.get();
    open(*folder);
    rest = slash == std::string_view::npos ? std::string_view() : rest.substr(slash + 1);
  }
  return folder;
}

const Offer::File* Offer::find(const std::string& name) {
  const std::string_view above = folder_part(name);
  const Folder* folder = find_folder(std::string(above.substr(0, above.find_last_not_of('/') + 1)));
  if (folder == nullptr) {
    return nullptr;
  }
  const auto file = folder->files.find(std::string(last_part(name)));
  return file == folder->files.end() ? nullptr : &file->second;
}

/// Lists the folders below `folder` in which a normalised path may be.
void Offer::look_along(Folder& folder, std::string_view path) {
  open(folder);
  const auto slash = path.find('/');
  if (slash == std::string_view::npos) {
    return;
  }
  for (const auto& [name, child] : folder.folders) {
    if (ascii::same(name, path.substr(0, slash))) {
      look_along(*child, path.substr(slash + 1));
    }
  }
}

void Offer::search_below(const Folder& folder, const std::vector<std::string>& words,
                         const std::vector<std::string>& endings, std::size_t most,
                         std::vector<std::string>& found) const {
  for (const auto& [name, file] : folder.files) {
    const std::string path = ascii::lowered(folder.name + name);
    const bool fits = !file.is_alias && std::all_of(words.begin(), words.end(), [&](const std::string& word) {
      return path.find(word) != std::string::npos;
    }) && std::any_of(endings.begin(), endings.end(), [&](const std::string& ending) {
      return path.ends_with(ending);
    });
    if (fits && found.size() < most) {
      found.push_back(folder.name + name);
    }
  }
  for (const auto& [name, child] : folder.folders) {
    if (found.size() < most) {
      search_below(*child, words, endings, most, found);
    }
  }
}

}  // namespace thaw::cli
