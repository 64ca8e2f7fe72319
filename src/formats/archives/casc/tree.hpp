// The names of Warcraft III's files: manifests within manifests, or the older list as text (casc.md#tvfs,
// casc.md#text-root).
#pragma once

#include "formats/archives/casc/root.hpp"
#include "formats/archives/casc/tvfs.hpp"

#include <map>
#include <memory>

namespace thaw::casc {

/// Rows by the hash of their names, in two arrays: twelve bytes for a name.
class NameIndex {
 public:
  void reserve(std::size_t count);
  void add(std::uint64_t hash, std::uint32_t row) { found_.emplace_back(hash, row); }
  /// Of equal names the first counts.
  void settle();
  [[nodiscard]] std::optional<std::uint32_t> find(std::uint64_t hash) const;

 private:
  std::vector<std::pair<std::uint64_t, std::uint32_t>> found_;  ///< until it is settled
  std::vector<std::uint64_t> hashes_;
  std::vector<std::uint32_t> rows_;
};

/// A file as a walk reports it: its row, and its whole name in the game's form.
using EachName = std::function<void(std::uint32_t row, std::string_view name)>;

class Tree {
 public:
  /// How the bytes of a manifest are come by.
  using Fetch = std::function<Result<Bytes>(const ShortKey& key)>;

  /// `nested` are the keys of files that are manifests themselves, sorted.
  static Result<Tree> read(Bytes root, std::vector<ShortKey> nested, const Fetch& fetch,
                           Diagnostics& diagnostics);

  /// Files first, then the manifests themselves, which lists leave out.
  [[nodiscard]] std::size_t size() const { return files_; }
  [[nodiscard]] std::size_t manifests() const { return parts_.size(); }
  [[nodiscard]] std::vector<Span> spans(std::uint32_t row) const;
  [[nodiscard]] std::optional<std::uint32_t> find(std::uint64_t hash) const { return names_.find(hash); }
  void walk(const EachName& each) const;

 private:
  struct Row {
    std::uint32_t manifest = 0;
    std::uint32_t place = 0;
  };
  class Walker;

  std::vector<std::unique_ptr<const Manifest>> parts_;
  std::map<ShortKey, std::optional<std::uint32_t>> part_of_;  ///< none for what cannot be read
  std::vector<Row> rows_;
  std::size_t files_ = 0;
  NameIndex names_;
};

/// The list as text.
class TextNames {
 public:
  explicit TextNames(Bytes bytes);

  [[nodiscard]] std::size_t size() const { return keys_.size(); }
  [[nodiscard]] const Key& key(std::uint32_t row) const { return keys_[row]; }
  [[nodiscard]] std::optional<std::uint32_t> find(std::uint64_t hash) const { return names_.find(hash); }
  void walk(const EachName& each) const;

 private:
  Bytes bytes_;
  std::vector<Key> keys_;
  NameIndex names_;
};

}  // namespace thaw::casc
