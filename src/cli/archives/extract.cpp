#include "bytes/text_encoding.hpp"
#include "cli/arguments/commands.hpp"
#include "cli/inputs/archives.hpp"
#include "cli/inputs/distinct.hpp"
#include "cli/inputs/inputs.hpp"
#include "cli/jobs/engine.hpp"
#include "cli/platform/isolation.hpp"
#include "cli/report/archive_report.hpp"
#include "cli/report/console.hpp"
#include "cli/report/report.hpp"
#include "cli/report/text.hpp"
#include "describe/limits.hpp"

#include <algorithm>
#include <mutex>

namespace thaw::cli {
namespace {

namespace fs = std::filesystem;

/// `unit.0409.txt` for a file of a language: the neutral one has the name for itself.
fs::path with_locale(const fs::path& path, std::uint16_t locale) {
  fs::path result = path.parent_path() / path.stem();
  result += '.' + hex_text(locale, 4) + path.extension().string();
  return result;
}

class Extraction {
 public:
  Extraction(const Settings& settings, ArchivePointer archive, const std::vector<ArchiveEntry>& entries)
      : settings_(settings), archive_(std::move(archive)), folder_(settings.output) {
    for (const auto& entry : entries) {
      Input input = member_input(archive_, entry);
      input.relative =
          names_.take(entry.locale == 0 ? input.relative : with_locale(input.relative, entry.locale));
      inputs_.push_back(std::move(input));
    }
  }

  std::vector<Job> jobs() {
    std::vector<Job> jobs;
    for (const auto& input : inputs_) {
      Job job{input};
      job.name = input.name;
      job.size = input.member->entry.size;
      job.output = folder_ / input.relative;
      job.json = {{"output", to_utf8(job.output.generic_string())}};
      note_name(job);
      job.make = [this](const Job& task, Diagnostics& findings) { return unpack(task, findings); };
      jobs.push_back(std::move(job));
    }
    refuse_excess(jobs);
    return jobs;
  }

 private:
  /// Together, files may not have more than any honest archive holds: many names may share a few bytes. The
  /// smallest come first, for entries that lie state the most.
  void refuse_excess(std::vector<Job>& jobs) const {
    constexpr std::uint64_t kBase = std::uint64_t{1} << 30U;
    constexpr std::uint64_t kRatio = 64;
    const std::uint64_t limit = settings_.max_input.value_or(kBase + kRatio * archive_->archive->file_size());
    std::vector<Job*> by_size;
    for (auto& job : jobs) {
      by_size.push_back(&job);
    }
    // Of equal sizes the first in the archive comes first.
    std::sort(by_size.begin(), by_size.end(),
              [](const Job* a, const Job* b) { return std::pair(a->size, a) < std::pair(b->size, b); });
    std::uint64_t total = 0;
    for (Job* job : by_size) {
      const std::uint64_t size = job->size.value_or(0);
      if (size > limit - total) {
        job->failure =
            Error{codes::kInputTooLarge,
                  {},
                  {},
                  concat({"not extracted: the file states ", human_size(size),
                          ", which with the smaller files exceeds the input limit of ", human_size(limit)})};
      } else {
        total += size;
      }
    }
  }

  void note_name(Job& job) const {
    const std::string name = entry_name(*archive_->archive, job.input.member->entry);
    if (safe_path(name).generic_string() != name) {
      job.findings.add(codes::kWriteName, concat({name, " is not a safe path; written as ",
                                                  to_utf8(job.input.relative.generic_string())}));
    }
  }

  Result<Product> unpack(const Job& job, Diagnostics& findings) {
    Diagnostics found;
    auto unpacked = archive_->archive->unpack(job.input.member->entry, found);
    if (!unpacked) {
      return tl::unexpected<Error>(std::move(unpacked.error()));
    }
    if (auto created = make_folder(job.output); !created) {
      created.error().message = concat({to_utf8(job.output.generic_string()), ": ", created.error().message});
      return tl::unexpected<Error>(std::move(created.error()));
    }
    Product product;
    product.files.push_back({job.output.filename().string(), std::move(unpacked->bytes)});
    return judged(std::move(product), found, read_options(settings_), findings);
  }

  /// Links that were there before may not lead out of the folder, nor be written through.
  Result<void> make_folder(const fs::path& output) {
    if (is_isolated()) {
      return {};  // the process that writes sees to both
    }
    const std::lock_guard lock(mutex_);
    std::error_code error;
    if (root_.empty()) {
      fs::create_directories(folder_, error);
      root_ = fs::canonical(folder_, error);
      if (error) {
        return fail(codes::kWriteFailed, error.message());
      }
    }
    fs::path folder = root_;
    for (const auto& part : output.lexically_relative(folder_).parent_path()) {
      folder /= part;
      fs::create_directory(folder, error);
      const fs::path real = error ? fs::path() : fs::canonical(folder, error);
      if (error) {
        return fail(codes::kWriteFailed, error.message());
      }
      if (std::mismatch(root_.begin(), root_.end(), real.begin(), real.end()).first != root_.end()) {
        return fail(codes::kWriteFailed,
                    "a symbolic link leads out of the folder that -o names; the file was not written");
      }
    }
    if (fs::is_symlink(fs::symlink_status(output, error))) {
      return fail(codes::kWriteFailed,
                  "the output is a symbolic link, which is not followed; the file was not written");
    }
    return {};
  }

  const Settings& settings_;
  ArchivePointer archive_;
  fs::path folder_;
  DistinctNames names_;
  std::vector<Input> inputs_;
  std::mutex mutex_;
  fs::path root_;  ///< the folder, without links
};

}  // namespace

int run_extract(const Settings& settings) {
  if (settings.output.empty() || settings.output == "-") {
    return usage_error("extract", "extract needs -o with a folder");
  }
  if (const std::string why = check_outputs(settings); !why.empty()) {
    return usage_error("extract", why);
  }
  Archives archives(settings);
  const auto archive = archives.open(settings.inputs.front());
  if (!archive) {
    return fail_with("extract", settings, archive.error());
  }
  write_stderr(finding_lines((*archive)->name, (*archive)->findings, settings,
                             use_color(settings, stderr_is_terminal())));
  const auto chosen = choose_entries(**archive, {settings.inputs.begin() + 1, settings.inputs.end()});
  if (!chosen) {
    return fail_with("extract", settings, chosen.error());
  }
  Settings batch = settings;
  batch.recursive = true;  // several files come out, however few there are
  Extraction extraction(batch, *archive, *chosen);
  Run run{"extract", "extracted", {}, extraction.jobs()};
  run.sums_up = true;
  run.brief = true;
  return carry_out(batch, std::move(run));
}

}  // namespace thaw::cli
