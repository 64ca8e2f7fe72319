// An installation as an archive.
#pragma once

#include <thaw/casc.hpp>

#include "formats/archives/casc/blte.hpp"
#include "formats/archives/casc/build.hpp"
#include "formats/archives/casc/encoding.hpp"
#include "formats/archives/casc/index.hpp"
#include "formats/archives/casc/listfile.hpp"
#include "formats/archives/casc/names.hpp"
#include "formats/archives/casc/root.hpp"
#include "formats/archives/casc/tree.hpp"

#include <map>
#include <mutex>
#include <utility>

namespace thaw::casc {

/// Tables are read when it opens, what only lists need when a list is requested.
class Installation : public Archive {
 public:
  Installation(std::shared_ptr<const Files> files, Options options)
      : files_(std::move(files)), options_(std::move(options)) {}

  Result<void> read(Diagnostics& diagnostics);

  [[nodiscard]] ArchiveKind kind() const override { return ArchiveKind::casc; }
  [[nodiscard]] std::uint64_t file_size() const override;
  [[nodiscard]] std::span<const ArchiveEntry> entries() const override;
  [[nodiscard]] std::optional<ArchiveEntry> find(std::string_view name) const override;
  [[nodiscard]] Result<UnpackedFile> unpack(const ArchiveEntry& entry, Diagnostics& diagnostics,
                                            std::uint64_t most) const override;
  [[nodiscard]] std::string summary() const override;
  [[nodiscard]] Value details() const override;

  /// As `find`, in other layers than those of the options.
  [[nodiscard]] std::optional<ArchiveEntry> find(std::string_view name,
                                                 const std::vector<std::string>& layers) const;
  /// Names of the files directly in a folder, in any of the layers, without these.
  [[nodiscard]] std::vector<std::string> files_in(std::string_view folder,
                                                  const std::vector<std::string>& layers) const;
  [[nodiscard]] const Variant& variant() const { return variant_; }
  [[nodiscard]] const std::vector<std::string>& layers() const { return layers_; }

 private:
  /// What a file is made of.
  struct Part {
    std::vector<ShortKey> keys;  ///< encoded forms of the same content
    std::optional<Key> full_key;
    std::optional<std::uint64_t> size;
  };
  struct Whole {
    std::vector<Part> parts;
    std::optional<Key> content;
  };
  /// A table that the build configuration names.
  struct Table {
    std::string name;
    std::optional<Key> content;
    std::optional<Key> encoded;
    std::optional<std::uint64_t> size;
  };

  Result<void> choose_product();
  Result<void> read_config(Diagnostics& diagnostics);
  void note_archives();
  void list_tables();
  Result<void> read_roots(Diagnostics& diagnostics);
  Result<void> read_tree(Diagnostics& diagnostics);
  Result<void> read_root(Diagnostics& diagnostics);
  [[nodiscard]] Result<Encoding> read_encoding(Diagnostics& diagnostics) const;
  [[nodiscard]] const Encoding* encoding() const;
  void report_names(Diagnostics& diagnostics) const;
  [[nodiscard]] Result<Bytes> read_table(const std::string& name, Diagnostics& diagnostics) const;

  [[nodiscard]] std::optional<std::uint32_t> row_of(std::string_view name,
                                                    const std::vector<std::string>& layers) const;
  [[nodiscard]] std::optional<std::uint32_t> numbered_row(std::string_view name) const;
  [[nodiscard]] const ListFile& list_file() const;
  [[nodiscard]] std::size_t row_count() const;
  [[nodiscard]] ArchiveEntry entry_of(std::uint32_t row, std::string name) const;
  [[nodiscard]] std::optional<ArchiveEntry> table_entry(std::string_view name) const;
  [[nodiscard]] Whole whole_of(const ArchiveEntry& entry) const;
  [[nodiscard]] Whole whole_of_key(const Key& content) const;
  [[nodiscard]] std::vector<ArchiveEntry> list_entries() const;
  [[nodiscard]] std::string numbered_name(
      std::uint32_t row, const std::vector<std::pair<std::uint32_t, std::uint64_t>>& hashes) const;
  [[nodiscard]] Result<Decoded> read_part(const Part& part, std::uint64_t most,
                                          Diagnostics& diagnostics) const;
  [[nodiscard]] Result<std::shared_ptr<const thaw::Storage>> archive(std::uint32_t number) const;
  [[nodiscard]] std::optional<DataLocation> place_of(const Part& part) const;

  std::shared_ptr<const Files> files_;
  Options options_;
  Variant variant_;
  std::vector<std::string> layers_;
  Product product_;
  std::unique_ptr<Config> config_;
  Index index_;
  std::vector<std::uint32_t> there_;  ///< numbers of the archives on this disk, sorted
  std::vector<Table> tables_;
  std::optional<Tree> tree_;
  std::optional<TextNames> text_;
  std::optional<NumberedRoot> numbered_;

  mutable std::once_flag encoding_once_;
  mutable std::optional<Encoding> encoding_;
  mutable std::mutex archives_mutex_;
  mutable std::map<std::uint32_t, std::shared_ptr<const thaw::Storage>> archives_;
  mutable std::once_flag list_file_once_;
  mutable std::unique_ptr<ListFile> list_file_;
  mutable std::once_flag entries_once_;
  mutable std::vector<ArchiveEntry> entries_;
  mutable std::once_flag folders_once_;
  mutable std::vector<std::pair<std::uint64_t, std::uint32_t>> folders_;  ///< hash of the folder, entry
  mutable std::once_flag size_once_;
  mutable std::uint64_t size_ = 0;
};

}  // namespace thaw::casc
