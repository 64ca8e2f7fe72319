// Sources of bytes: layered, later layers win. Names are game paths: case does not matter, `\` is `/`.
#pragma once

#include <thaw/archive.hpp>
#include <thaw/bytes.hpp>
#include <thaw/diagnostics.hpp>
#include <thaw/options.hpp>

#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#pragma GCC visibility push(default)

namespace thaw {

/// What a file is requested for. Of a folder, a file counts only if its content is of that kind: a path that
/// a stranger's model names leads to nothing else.
enum class FileKind : std::uint8_t {
  any,      ///< any of the following, or a table of a game (SLK)
  texture,  ///< pixels: BLP, DDS, TGA, PNG, JPEG
  model,    ///< every other document that the library reads
  sound,    ///< WAV, MP3, Ogg, FLAC
  effect,   ///< what models of version 900 and later hand to other programs: known by the extension alone
  data,     ///< of no kind that can be recognised, such as a buffer of glTF
};

/// Whether the content of a file with this name is of that kind.
bool is_asset(FileKind kind, ByteView bytes, std::string_view name);

/// One layer.
class Source {
 public:
  Source() = default;
  Source(const Source&) = delete;
  Source(Source&&) = delete;
  Source& operator=(const Source&) = delete;
  Source& operator=(Source&&) = delete;
  virtual ~Source() = default;

  /// `name` is normalised: lower case, forward slashes, none in front, no parts of dots alone. None if the
  /// layer does not have it.
  [[nodiscard]] virtual std::optional<Bytes> read(std::string_view name) const = 0;
  /// The same, and none if the layer holds files of all kinds and this one is not of the kind.
  [[nodiscard]] virtual std::optional<Bytes> read_as(std::string_view name, FileKind /*kind*/) const {
    return read(name);
  }
  /// The layer in the words of the user, e.g. the folder's path.
  [[nodiscard]] virtual std::string description() const = 0;
  /// Where what `read` gives for a name lies, in the words of the user: the path of a file as it is called on
  /// disk, ARCHIVE//NAME for a file of an archive.
  [[nodiscard]] virtual std::string place(std::string_view name) const;
  /// Normalised names of the files directly in a folder ("" for the topmost one), sorted, as far as the layer
  /// knows them.
  [[nodiscard]] virtual std::vector<std::string> files_in(std::string_view /*folder*/) const { return {}; }
};

/// A file, and where it was.
struct FoundFile {
  Bytes bytes;
  std::string name;   ///< normalised, with the extension that was found
  std::string where;  ///< as Source::place
};

/// Files that were used, by where they lie. Safe to share between threads.
class UsedFiles {
 public:
  /// Adds one.
  void add(const std::string& where);
  /// All of them, sorted.
  [[nodiscard]] std::vector<std::string> all() const;

 private:
  mutable std::mutex mutex_;
  std::set<std::string> files_;
};

/// Layers of files, of which the last one that has a name gives it.
class Sources {
 public:
  /// Adds a layer above all that are there. Safe to share between threads once complete.
  void add(std::shared_ptr<const Source> source);
  /// The same for a layer outside the model's own folder: what is found there is among `used_outside`.
  void add_outside(std::shared_ptr<const Source> source);
  /// Adds a folder as `open_folder` gives it.
  void add_folder(const std::filesystem::path& folder);

  /// The file of a game path, normalised here; none if no layer has it.
  [[nodiscard]] std::optional<FoundFile> find(std::string_view name, FileKind kind = FileKind::any) const;
  /// As `find`, but if no layer has the name, the stem is tried with .blp, .dds, .tga and .png, as the game
  /// does: models of version 900 and later say .tif, .tga or .blp of what is a .dds on disk.
  [[nodiscard]] std::optional<FoundFile> find_texture(std::string_view name) const;
  /// True if there are no layers.
  [[nodiscard]] bool empty() const { return layers_.empty(); }
  /// Where the files lie that were found outside the model's own folder until now, sorted; without tables.
  [[nodiscard]] std::vector<std::string> used_outside() const { return used_->all(); }

 private:
  struct Layer {
    std::shared_ptr<const Source> source;
    bool outside = false;
  };
  std::vector<Layer> layers_;
  std::shared_ptr<UsedFiles> used_ = std::make_shared<UsedFiles>();
};

/// Lower case (ASCII), UTF-8, `/` for `\`, without empty, `.` and `..` parts: what `Source::read` expects.
std::string normalize_game_path(std::string_view name);
/// The same without the extension of its last part: names of models that differ in it mean the same model.
std::string game_path_without_extension(std::string_view name);

/// A folder, files found without regard to case. Where `x` is not there but a one-file archive `x.mpq` is, as
/// in World of Warcraft's alpha, its file is found. Never leaves the folder, neither by `..` nor by a
/// symbolic link; never gives a file that is hidden, lies in a hidden folder or is of no kind of FileKind.
/// An index of a directory is made when it is first looked into; what changes later goes unnoticed. A folder
/// that does not exist has no files, one of more than the default Limits counts as absent. Safe to share
/// between threads.
std::shared_ptr<const Source> open_folder(const std::filesystem::path& folder);

/// The same with hidden files and with those of any content: for names that no stranger chooses.
std::shared_ptr<const Source> open_whole_folder(const std::filesystem::path& folder);

/// The same folder, without its sub-folders: of a name, only the last part counts.
std::shared_ptr<const Source> flatten_folder(std::shared_ptr<const Source> folder);

/// A file as the bytes of an archive: read where it is needed, never as a whole. input.unreadable as
/// read_file.
Result<std::shared_ptr<const Storage>> open_storage(const std::filesystem::path& path);

/// Bytes of a file, for as long as `keeper` lives.
struct MappedFile {
  ByteView bytes;
  std::shared_ptr<const void> keeper;
};

/// The whole file, read and never mapped: whoever looks at mapped bytes of a file that another program makes
/// shorter is ended by the system (SIGBUS). Errors as open_storage.
Result<MappedFile> map_file(const std::filesystem::path& path);

/// The files of an archive. `description` is what a user knows it as.
std::shared_ptr<const Source> archive_source(std::shared_ptr<const Archive> archive, std::string description);

/// How `model_sources` comes to its folders: lets a batch index each folder once.
using OpenFolder = std::function<std::shared_ptr<const Source>(const std::filesystem::path&)>;

/// What else decides where a model's files are looked for.
struct ModelLocation {
  std::vector<std::shared_ptr<const Source>> archives = {};  ///< that it lies in, the innermost last
  std::vector<std::filesystem::path> stated = {};            ///< folders that the user named
};

/// Whether a folder has what only the topmost folder of a game or of its files has, such as `Textures`,
/// `war3mapImported` or `.build.info`. The home folder of a user never does.
bool looks_like_game(const std::filesystem::path& folder);

/// Where a model's files are looked for. From the strongest: `layers` (the last wins), the archives that the
/// model lies in, its own folder, its parents, and of last resort the bare file name in its own folder.
/// Parents count up to the highest of four levels that the user named or that looks like a game's. Of a model
/// in an archive, the archive's folder is such a parent, too.
Sources model_sources(const std::filesystem::path& model,
                      const std::vector<std::shared_ptr<const Source>>& layers,
                      const OpenFolder& open = open_folder, const ModelLocation& place = {});

/// The whole file; input.unreadable (also for folders and whatever else is no regular file) or
/// input.too-large otherwise.
Result<Bytes> read_file(const std::filesystem::path& path, const Limits& limits);

/// Which content a file has: another after each time that it is written, by whatever program.
struct FileStamp {
  std::uint64_t volume = 0;
  std::uint64_t index = 0;  ///< of the file on its volume
  std::uint64_t size = 0;
  std::int64_t time = 0;  ///< of the last change, in the system's units

  friend bool operator==(const FileStamp&, const FileStamp&) = default;
};

/// Links are followed; none for what is no regular file, or is not there.
std::optional<FileStamp> stamp_of(const std::filesystem::path& path);

/// The temporary files in a folder that no process has open, sorted: write_file makes such files, and removes
/// them unless the process is killed.
std::vector<std::filesystem::path> abandoned_files(const std::filesystem::path& folder);

/// Writes to a temporary file next to the target and renames it: the target is complete or untouched. A file
/// that is replaced keeps its mode, and a link to it stays one. Devices and pipes are written to directly.
/// write.exists if the target is there, or is a link that leads nowhere, and `overwrite` is false;
/// write.changed if the target is not the one of the stamp that is `expected` (two programs that change one
/// file at once do not lose what the other wrote); write.failed otherwise.
Result<void> write_file(const std::filesystem::path& path, ByteView bytes, bool overwrite,
                        const std::optional<FileStamp>& expected = {});

// --- a file that is written piece by piece and exists as a whole or not at all

/// Writes to a temporary file next to the target, as `write_file` does.
class FileSink : public Sink {
 public:
  /// Gives the file its name. Without it, nothing is left behind.
  [[nodiscard]] virtual Result<void> commit() = 0;
  /// What was written so far, to be read again before it has its name.
  [[nodiscard]] virtual Result<std::shared_ptr<const Storage>> written() = 0;
  /// Why a write failed.
  [[nodiscard]] virtual Error failure() const = 0;
};

/// The errors are those of `write_file`. Devices are refused: what is written is patched later.
Result<std::unique_ptr<FileSink>> open_output(const std::filesystem::path& path, bool overwrite,
                                              const std::optional<FileStamp>& expected = {});

}  // namespace thaw

#pragma GCC visibility pop
