// Files that `thaw view` offers to its page.
#pragma once

#include "cli/inputs/inputs.hpp"

#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace thaw::cli {

/// The files that a page may have, by the names under which it knows them. A folder is listed when someone
/// looks into it. What is in no list cannot be requested, whatever a request says: nothing hidden, and
/// nothing outside by links. Of files with the same name that was added first which counts.
class Offer {
 public:
  Offer();

  /// A file, or a folder with everything below; false if there is nothing.
  bool add(const std::filesystem::path& path);
  /// All files of an archive that is looked into. A root that knows files by number is searched by it, too.
  void add_members(const ArchivePointer& archive);
  /// Whether an archive had more files than a page can know.
  [[nodiscard]] bool is_cut() const { return cut_; }

  /// What is directly in a folder: {folders, files}. None if there is no such folder.
  std::optional<Value> list(const std::string& name);
  Result<Bytes> read(const std::string& name);
  /// Whether a file is one of an archive.
  [[nodiscard]] bool is_member(const std::string& name);
  /// A file that counts for more under a name than all that are there.
  void prefer(const std::string& name, const Input& input);
  /// As a command knows it, to look around it.
  std::optional<Input> input_of(const std::string& name, const Settings& settings);

  /// Lists one more folder that nobody has looked into; false if there is none.
  bool scan();
  /// Whether everything has been listed.
  [[nodiscard]] bool is_whole() const { return unlisted_.empty(); }
  /// How many files have been.
  [[nodiscard]] std::size_t count() const { return count_; }

  /// The file that a model means by a normalised path: in the folders above it, else, when everything has
  /// been listed, of any name that ends so, else of any with the bare name; of several the one nearest to the
  /// model.
  std::optional<std::string> locate(const std::string& name, const std::string& model);
  /// Listed files of which the name ends so and holds all words, both in lower case, in order.
  [[nodiscard]] std::vector<std::string> search(const std::vector<std::string>& words,
                                                const std::vector<std::string>& endings,
                                                std::size_t most) const;

 private:
  /// A folder on disk.
  struct DiskFolder {
    std::filesystem::path path;
    const std::filesystem::path* root;  ///< what was added; nothing outside of it is offered
    std::size_t layer;                  ///< the lower one counts
  };
  struct File {
    std::filesystem::path::string_type name;  ///< on disk
    const DiskFolder* place = nullptr;  ///< none of a file that was added itself, whose name is its real path
    ArchivePointer archive = nullptr;   ///< none of a file on disk
    const ArchiveEntry* entry = nullptr;
    std::size_t layer = 0;
    bool is_alias = false;  ///< not in lists
  };
  struct Folder {
    std::string name;               ///< with a slash at the end; empty of the topmost one
    std::deque<DiskFolder> places;  ///< all of them known once the folder above is listed
    bool is_listed = false;
    std::map<std::string, File> files = {};
    std::map<std::string, std::unique_ptr<Folder>> folders = {};
  };
  struct Known {
    const Folder* folder;
    const std::string* name;
  };

  static std::filesystem::path path_of(const File& file);
  static bool stays_inside(const File& file);
  Folder& below(Folder& folder, const std::string& name);
  void put(Folder& folder, const std::string& name, File file);
  void put_at(const std::string& path, const File& file);
  void list_place(Folder& folder, const DiskFolder& place);
  void open(Folder& folder);
  Folder* find_folder(const std::string& name);
  const File* find(const std::string& name);
  void look_along(Folder& folder, std::string_view path);
  void search_below(const Folder& folder, const std::vector<std::string>& words,
                    const std::vector<std::string>& endings, std::size_t most,
                    std::vector<std::string>& found) const;

  Folder top_;
  std::deque<std::filesystem::path> roots_;
  std::deque<Folder*> unlisted_;
  std::unordered_map<std::string, std::vector<Known>> by_last_part_;
  std::size_t layers_ = 0;
  std::size_t count_ = 0;
  bool cut_ = false;
};

/// What begins with a dot is not for others.
bool is_hidden(const std::filesystem::path& path);

}  // namespace thaw::cli
