// Installations of Warcraft III (1.30 and later) and World of Warcraft, which keep their files in CASC. See
// docs/formats/casc.md. Read only: nothing is ever written to an installation, and no network is used.
#pragma once

#include <thaw/archive.hpp>
#include <thaw/sources.hpp>

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#pragma GCC visibility push(default)

/// Installations whose files lie in CASC.
namespace thaw::casc {

/// The files of an installation itself, by paths below its folder ("data/data/data.000"), lower case.
/// Implementations may be used by several threads at once.
class Files {
 public:
  Files() = default;
  Files(const Files&) = delete;
  Files(Files&&) = delete;
  Files& operator=(const Files&) = delete;
  Files& operator=(Files&&) = delete;
  virtual ~Files() = default;

  /// A file to be read in parts.
  [[nodiscard]] virtual Result<std::shared_ptr<const thaw::Storage>> open(std::string_view path) const = 0;
  /// A file to be looked at as a whole.
  [[nodiscard]] virtual Result<MappedFile> map(std::string_view path) const = 0;
  /// Paths of the files directly in a folder.
  [[nodiscard]] virtual std::vector<std::string> files_in(std::string_view folder) const = 0;
};

/// Those of a folder on disk, found without regard to case.
std::shared_ptr<const Files> files_of(const std::filesystem::path& folder);

/// What to open, and which of the files that share a name.
struct Options {
  Limits limits;
  /// As ReadOptions::strict: no installation with damaged tables, and all checksums of content are looked at.
  bool strict = false;
  /// Words in any order and case: a product ("w3", "wow_classic"); a locale ("deDE"); and of Warcraft III
  /// "sd", "hd" or "definitive", "teen", "tileset:l", "balance:melee_v1".
  std::vector<std::string> variants;
  /// Texts of list files: a path per line, or `id;path`.
  std::vector<std::shared_ptr<const Bytes>> listfiles;
};

/// Whether a folder is an installation, or the `Data` of one: `.build.info` states it, or data and
/// configurations without one, which do not open.
bool is_installation(const std::filesystem::path& folder);

/// A product of an installation that can be opened.
struct Product {
  std::string name;  ///< "w3", "wow_classic"; empty in files of 2015 and before
  std::string version;
  std::string tags;    ///< words for what was installed, its languages among them
  std::string config;  ///< 32 digits: the name of its build configuration
};

/// The active products that `.build.info` names, in its order. casc.installation if it cannot be read or
/// names none, casc.unsupported for a storage of another kind.
Result<std::vector<Product>> products(const Files& files);
/// The same of a folder, or its `Data`.
Result<std::vector<Product>> products(const std::filesystem::path& folder);

/// An installation as an archive. Errors: casc.installation, casc.choice, casc.unsupported. Findings:
/// casc.index, casc.table, casc.names and casc.locale; of files that are unpacked casc.encrypted and
/// casc.checksum, else they fail with casc.absent or casc.data.
///
/// Names are paths in the game's own form or with `/` for `:`, with the layer or without it:
/// `war3.w3mod:_hd.w3mod:units/x.mdx`, `_hd.w3mod/units/x.mdx`, and `units/x.mdx` for the first layer that
/// has it, in the order of the variant. `ENCODING`, `ROOT` and other tables of the build configuration, 32
/// digits of a content or encoded key, and of World of Warcraft `<id>` with any extension are names, too.
Result<std::shared_ptr<const Archive>> open(std::shared_ptr<const Files> files, const Options& options = {},
                                            Diagnostics& diagnostics = Diagnostics::discarded());

/// The same of a folder, or its `Data`.
Result<std::shared_ptr<const Archive>> open_folder(const std::filesystem::path& folder,
                                                   const Options& options = {},
                                                   Diagnostics& diagnostics = Diagnostics::discarded());

/// An installation, which `open` made, as a layer of sources. Where a model of the HD layer requests files,
/// `near` is the model's name: its layer comes first.
std::shared_ptr<const Source> source(std::shared_ptr<const Archive> installation, std::string description,
                                     std::string_view near = {});

/// Any bytes as a part of an installation, for programs that look for faults: read as far as they can be,
/// and what could be counted of them.
std::size_t read_part(std::string_view part, ByteView bytes);

}  // namespace thaw::casc

#pragma GCC visibility pop
