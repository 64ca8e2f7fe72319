// war3map.imp and war3campaign.imp: the list of imported files, from which the game's editor knows them
// (mpq.md#imported-files).
#pragma once

#include <thaw/archive.hpp>

namespace thaw::mpq {

inline constexpr std::string_view kMapImports = "war3map.imp";
inline constexpr std::string_view kCampaignImports = "war3campaign.imp";

/// The list, each entry with its bytes as they stand in the file.
class Imports {
 public:
  /// A new list.
  Imports() = default;
  /// None if the bytes are no such list.
  static std::optional<Imports> read(ByteView bytes);

  /// Adds a file that is not in the list; true if it was not.
  bool add(std::string_view name);
  /// Takes a file out; true if it was in the list.
  bool remove(std::string_view name);
  [[nodiscard]] Bytes write() const;

 private:
  struct Entry {
    std::uint8_t kind = 0;
    std::string path;

    /// The file's name in the archive.
    [[nodiscard]] std::string name() const;
  };

  [[nodiscard]] std::vector<Entry>::iterator find(std::string_view name);

  std::uint32_t version_ = 1;
  std::vector<Entry> entries_;
  Bytes rest_;
};

/// Whether a file is one that somebody imported: neither the archive's own nor one that every map has.
bool is_import(std::string_view name);

}  // namespace thaw::mpq
