#include "cli/isolate/isolate.hpp"

#include <thaw/codes.hpp>
#include <thaw/format.hpp>

#include "bytes/code_page.hpp"
#include "bytes/text.hpp"
#include "cli/inputs/archives.hpp"
#include "cli/inputs/inputs.hpp"
#include "cli/isolate/serialize.hpp"
#include "cli/jobs/save.hpp"
#include "cli/platform/interrupt.hpp"
#include "cli/report/console.hpp"
#include "cli/report/report.hpp"
#include "cli/report/text.hpp"
#include "sources/listing.hpp"

#include <algorithm>
#include <array>

namespace thaw::cli {
namespace {

namespace fs = std::filesystem;

/// The folder, and above it the highest of four that looks like a game's: where a model's files are looked
/// for.
fs::path reach_of(const fs::path& folder) {
  constexpr int kMost = 4;
  std::error_code error;
  const fs::path absolute = fs::absolute(folder.empty() ? "." : folder, error).lexically_normal();
  fs::path reach = absolute;
  fs::path above = absolute.parent_path();
  for (int i = 0; i < kMost && above != above.root_path(); ++i, above = above.parent_path()) {
    reach = looks_like_game(above) ? above : reach;
  }
  return reach;
}

/// Folders and files that the run may read: of inputs also what lies next to them.
class Reach {
 public:
  void add_input(const std::string& name) {
    const auto inside = split_archive_path(name);
    const fs::path path = inside ? inside->file : name;
    std::error_code error;
    if (fs::is_directory(path, error)) {
      add_folder(reach_of(path));
      readable_.push_back({path});
    } else if (fs::exists(path, error)) {  // else it is a word, as names of entries are
      add_folder(reach_of(path.parent_path()));
      readable_.push_back({path});
    }
  }
  /// `KEY=FILE`, too.
  void add_word(const std::string& word) {
    add_named(word);
    if (const std::size_t at = word.find('='); at != std::string::npos) {
      add_named(word.substr(at + 1));
    }
  }
  /// A folder without what is hidden in it: it may be somebody's home.
  void add_folder(const fs::path& folder) {
    std::error_code error;
    const auto entries = entries_of(folder, error);
    const auto hidden = [](const fs::directory_entry& entry) { return is_hidden(entry.path()); };
    const bool whole = std::none_of(entries.begin(), entries.end(), hidden);
    readable_.push_back({folder, !whole});
    for (std::size_t i = 0; i < entries.size() && !whole; ++i) {
      if (!hidden(entries[i]) && !is_link(entries[i].path(), error)) {
        readable_.push_back({entries[i].path()});
      }
    }
  }
  [[nodiscard]] const std::vector<Readable>& readable() const { return readable_; }

 private:
  void add_named(const std::string& name) {
    const auto inside = split_archive_path(name);
    const fs::path path = inside ? inside->file : name;
    std::error_code error;
    if (path.filename() == ".build.info") {
      readable_.push_back({path.parent_path()});  // what an installation is named by
    } else if (fs::exists(path, error)) {
      readable_.push_back({path});
    }
  }

  std::vector<Readable> readable_;
};

/// Without links; of what is not there, as it will be.
fs::path real_path(const fs::path& path) {
  std::error_code error;
  return fs::weakly_canonical(fs::absolute(path, error), error);
}

/// Which files the run can write at all. The requester may have been taken over by the file that it reads.
class AllowedOutputs {
 public:
  explicit AllowedOutputs(const Settings& settings)
      : stated_(settings.csv.empty() ? settings.output : settings.csv),
        writes_(std::find(kWriting.begin(), kWriting.end(), settings.command) != kWriting.end()),
        extracts_(settings.command == "extract"),
        replaces_(settings.force || settings.skip_existing) {
    std::error_code error;
    const fs::path output = settings.output;
    const bool folder =
        extracts_ || fs::is_directory(output, error) || !output.has_filename() || is_batch(settings);
    const fs::path root = folder ? output : output.parent_path();
    root_ = real_path(root.empty() ? "." : root);
    has_several_ = folder || output.extension() == ".gltf" || output.extension() == ".wmo";
  }

  /// What is there may be what the run would write: its folder is looked into, unless one file is all.
  void add_to(Reach& reach) const {
    if (writes_ && has_several_) {
      reach.add_folder(root_);
    } else {
      reach.add_word(stated_.string());
    }
  }

  [[nodiscard]] Result<void> save(const fs::path& path, ByteView bytes, bool overwrite,
                                  const std::optional<FileStamp>& expected) const {
    const bool sheet = path.filename() == "index.html";  // a page of thumbnails is made anew
    if (!may_be(path) || (overwrite && !replaces_ && !sheet)) {
      return fail(
          codes::kWriteFailed,
          concat({to_utf8(path.generic_string()),
                  ": not written, because --isolate allows writing only to the outputs that -o names"}));
    }
    return save_file(path, bytes, overwrite, expected);
  }

 private:
  [[nodiscard]] bool may_be(const fs::path& path) const {
    if (path == stated_) {
      return true;
    }
    std::error_code error;
    const fs::path below = real_path(path).lexically_relative(root_);
    const auto is_hidden = [](const fs::path& part) { return part.native().starts_with('.'); };
    return writes_ && !below.empty() && std::none_of(below.begin(), below.end(), is_hidden) &&
           safe_path(below.generic_string()) == below &&
           (extracts_ ? !fs::is_symlink(path, error) : is_output_extension(below.extension().string()));
  }

  static bool is_output_extension(const std::string& extension) {
    constexpr std::array<std::string_view, 7> kOthers = {".bin",  ".html", ".gif", ".apng",
                                                         ".json", ".raw",  ".dot"};
    const auto formats = known_formats();
    return std::find(kOthers.begin(), kOthers.end(), extension) != kOthers.end() ||
           std::any_of(formats.begin(), formats.end(),
                       [&](Format format) { return has_extension(format, extension); });
  }

  static constexpr std::array<std::string_view, 4> kWriting = {"convert", "extract", "render", "thumb"};

  fs::path stated_;
  bool writes_;
  bool extracts_;  ///< files of any name
  bool replaces_;
  fs::path root_;
  bool has_several_ = false;
};

/// The request of `save_outside`.
Bytes answer_of(const AllowedOutputs& outputs, ByteView request) {
  fs::path path;
  bool overwrite = false;
  std::optional<FileStamp> expected;
  ByteView content;
  std::optional<Error> error = Error{
      codes::kWriteFailed, {}, {}, "invalid write request of the reading process; the file was not written"};
  if (unpack(request, path, overwrite, expected, content)) {
    const auto saved = outputs.save(path, content, overwrite, expected);
    error = saved ? std::nullopt : std::optional(saved.error());
  }
  return packed(error);
}

/// The exit code of the run, or that of its end, which is reported.
int exit_after(const Settings& settings, const ProcessEnd& end) {
  if (end.signal == 0 && !end.late) {
    return end.exit;
  }
  if (interrupted()) {
    return kInterrupted;
  }
  const std::string subject = settings.inputs.size() == 1 ? settings.inputs.front() : "thaw";
  const Error error = error_of(end);
  write_stderr(failure_lines(subject, Diagnostics(), error, settings));
  if (settings.json) {
    write_stdout(json_line(envelope(settings.command, subject, nullptr, Diagnostics(), &error)));
  }
  return exit_of(error);
}

Reach reach_of_run(const Settings& settings, const std::vector<std::string>& words) {
  Reach reach;
  for (const auto& name : settings.inputs) {
    reach.add_input(name);
  }
  for (const auto& name : settings.listed.value_or(std::vector<std::string>())) {
    reach.add_input(name);
  }
  for (const auto& word : words) {
    if (word != settings.output) {  // of which `AllowedOutputs` knows
      reach.add_word(word);
    }
  }
  return reach;
}

/// What there is to return in either process.
std::optional<int> exit_of_part(const Settings& settings, const Result<std::optional<ProcessEnd>>& ended) {
  if (!ended) {
    return usage_error(settings.command, concat({"--isolate: ", ended.error().message}));
  }
  return *ended ? std::optional(exit_after(settings, **ended)) : std::nullopt;
}

}  // namespace

std::optional<int> run_isolated(const Settings& settings, const std::vector<std::string>& words, bool whole) {
  if (const auto support = isolation_support(); !support) {
    return usage_error(settings.command, support.error().message);
  }
  if (stdin_uses(settings) != 0 && !isolation_splits()) {
    return usage_error(settings.command, "--isolate cannot read stdin on this system. Name a file.");
  }
  load_code_pages();
  Reach reach = reach_of_run(settings, words);
  const AllowedOutputs outputs(settings);
  outputs.add_to(reach);
  constexpr std::uint64_t kUsual = std::uint64_t{4} << 30U;
  constexpr std::uint64_t kAdjacent = 1U << 20U;  // names and what else exists in addition to the bytes
  return exit_of_part(settings, isolate(reach.readable(), whole ? settings.timeout : std::nullopt,
                                        settings.max_output.value_or(kUsual) + kAdjacent,
                                        [&](ByteView request) { return answer_of(outputs, request); }));
}

std::optional<int> serve_isolated(const Settings& settings, const std::vector<std::string>& words,
                                  const fs::path& page, const Socket& listener,
                                  const std::function<void()>& on_ready) {
  load_code_pages();
  Reach reach = reach_of_run(settings, words);
  reach.add_folder(page);
  const auto answer = [&](ByteView /*request*/) {
    on_ready();
    return Bytes();
  };
  return exit_of_part(settings, isolate(reach.readable(), std::nullopt, 1, answer, &listener));
}

void report_ready() { ask_parent({}); }

Error error_of(const ProcessEnd& end) {
  if (end.late) {
    return {codes::kOutOfTime, {}, {}, ""};
  }
  return {codes::kDied,
          {},
          {},
          concat({"the reading process ended with ", end_text(end), "; its results are discarded"})};
}

Result<void> save_outside(const fs::path& path, ByteView bytes, bool overwrite,
                          const std::optional<FileStamp>& expected) {
  fs::path where = path;
  bool replaces = overwrite;
  std::optional<FileStamp> stamp = expected;
  std::optional<Error> error =
      Error{codes::kWriteFailed, {}, {}, "the writing process has ended; the file was not written"};
  unpack(ask_parent(packed(where, replaces, stamp, bytes)), error);
  return error ? tl::unexpected<Error>(std::move(*error)) : Result<void>();
}

}  // namespace thaw::cli
