// Made-up installations whose files lie in CASC, for tests and measurements.
#pragma once

#include <thaw/bytes.hpp>

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace thaw::samples {

/// Files of an installation by their paths below its folder, in lower case.
using InstallationFiles = std::map<std::string, Bytes>;

using CascKey = std::array<std::uint8_t, 16>;

/// A file that was put into the archives.
struct CascFile {
  CascKey content{};
  CascKey encoded{};
  std::uint32_t packed_size = 0;
  std::uint32_t size = 0;
};

/// A name in a manifest, and the parts of its file; none for one that is deleted.
struct CascName {
  std::string path;
  std::vector<CascFile> parts;
};

/// A file of a numbered root.
struct CascNumber {
  std::uint32_t id = 0;
  CascKey content{};
  std::string path;  ///< for its hash
};

/// Files of one locale and of the same flags.
struct CascBlock {
  std::uint32_t content = 0;
  std::uint32_t locale = 0;
  std::vector<CascNumber> files;
  bool named = true;
};

/// Encodes files and lays them out.
class CascBuilder {
 public:
  explicit CascBuilder(std::size_t archive_size = std::size_t{1} << 28U) : archive_size_(archive_size) {}

  /// A chunk for each letter: N stored, Z packed, F a file in a chunk, E with a key that nobody has; "-"
  /// before a single letter for a file without a table of chunks.
  CascFile add(ByteView content, std::string_view modes);
  CascFile add(std::string_view content, std::string_view modes);
  /// What the texts name: lines of the build configuration, products, and their tags.
  InstallationFiles finish(const std::vector<std::string>& config, const std::vector<std::string>& products);

 private:
  struct Place {
    std::uint32_t archive = 0;
    std::uint32_t offset = 0;
    std::uint32_t size = 0;
  };
  void put(const CascKey& key, ByteView encoded);
  [[nodiscard]] Bytes encoding() const;
  void write_indices(InstallationFiles& files) const;

  std::size_t archive_size_;
  std::vector<Bytes> archives_{1};
  std::map<CascKey, Place> places_;
  std::map<CascKey, CascFile> contents_;
};

/// A file as BLTE, as CascBuilder::add has modes; `header` is how many bytes its key is made of.
Bytes casc_encode(ByteView content, std::string_view modes, std::size_t& header);
/// A manifest (TVFS) of these names.
Bytes casc_tree(const std::vector<CascName>& names);
/// A root of World of Warcraft: "6.0", "8.2", "10.1.7" or "11.1".
Bytes casc_root(std::string_view generation, const std::vector<CascBlock>& blocks);

/// An installation with everything: manifests in manifests, HD and SD of one path, two locales, all ways to
/// pack, an encrypted chunk, a file of two parts and one that is deleted. `wanted` gets what its files are;
/// `tables` is how manifests and roots are packed.
InstallationFiles warcraft_installation(std::map<std::string, std::string>& requested,
                                        std::string_view tables = "Z");
/// The same of World of Warcraft, by number.
InstallationFiles world_installation(std::string_view generation,
                                     std::map<std::uint32_t, std::string>& requested,
                                     std::string_view tables = "Z");
/// So many small files, with names or with numbers.
InstallationFiles large_installation(std::uint32_t count, bool numbered);

}  // namespace thaw::samples
