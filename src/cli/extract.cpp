#include "bytes/hex.hpp"
#include "cli/archive_report.hpp"
#include "cli/archives.hpp"
#include "cli/batch.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/distinct.hpp"
#include "cli/inputs.hpp"
#include "cli/report.hpp"
#include "cli/save.hpp"
#include "cli/summary.hpp"
#include "cli/text.hpp"

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

  /// More than any honest archive holds: many names may share a few bytes. Empty if all is well.
  [[nodiscard]] std::string excess() const {
    constexpr std::uint64_t kBase = std::uint64_t{1} << 30U;
    constexpr std::uint64_t kRatio = 64;
    std::uint64_t total = 0;
    for (const auto& input : inputs_) {
      total += input.member->entry.size;
    }
    const std::uint64_t limit = settings_.max_input.value_or(kBase + kRatio * archive_->archive->file_size());
    return total <= limit ? ""
                          : concat({"the files state ", human_size(total), " together; the limit is ",
                                    human_size(limit)});
  }

  int run() {
    const Tally tally =
        run_batch(settings_, inputs_,
                  {[this](std::size_t index) { return extract(inputs_[index]); },
                   [this](std::size_t index, const Error& error) {
                     const Input& input = inputs_[index];
                     return told(input, folder_ / input.relative, "failed", Diagnostics(), &error);
                   }});
    if (tally.exit != kInterrupted) {
      tell_summary(settings_, "extract", tally);
    }
    return tally.exit;
  }

 private:
  // --- one file
  // ------------------------------------------------------------------------------------------

  Outcome extract(const Input& input) {
    Diagnostics findings;
    const fs::path output = folder_ / input.relative;
    note_name(input, findings);
    std::error_code error;
    if (settings_.skip_existing && fs::exists(output, error)) {
      return told(input, output, "exists", findings, nullptr);
    }
    if (settings_.dry_run) {
      return told(input, output, "planned", findings, nullptr);
    }
    auto unpacked = archive_->archive->unpack(input.member->entry, findings);
    if (!unpacked) {
      return told(input, output, "failed", findings, &unpacked.error());
    }
    const auto saved = save(output, unpacked->bytes);
    return told(input, output, saved ? "extracted" : "failed", findings, saved ? nullptr : &saved.error());
  }

  void note_name(const Input& input, Diagnostics& findings) const {
    const std::string name = entry_name(*archive_->archive, input.member->entry);
    if (safe_path(name).generic_string() != name) {
      findings.add(codes::kWriteName,
                   concat({name, " is no safe path; written as ", to_utf8(input.relative.generic_string())}));
    }
  }

  [[nodiscard]] Result<void> save(const fs::path& output, const Bytes& bytes) {
    if (auto made = make_folder(output); !made) {
      made.error().message = concat({to_utf8(output.string()), ": ", made.error().message});
      return made;
    }
    return save_file(output, bytes, settings_.force);
  }

  /// Links that were there before may not lead out of the folder, nor be written through.
  Result<void> make_folder(const fs::path& output) {
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
        return fail(codes::kWriteFailed, "a link leads out of the folder");
      }
    }
    if (fs::is_symlink(fs::symlink_status(output, error))) {
      return fail(codes::kWriteFailed, "is a link");
    }
    return {};
  }

  // --- what is told
  // --------------------------------------------------------------------------------------

  [[nodiscard]] Outcome told(const Input& input, const fs::path& output, std::string_view status,
                             const Diagnostics& findings, const Error* error) const {
    const bool color = use_color(settings_, stderr_is_terminal());
    Outcome outcome;
    outcome.exit = error == nullptr ? kOk : exit_of(*error);
    outcome.warned = findings.count(Severity::warning) > 0;
    outcome.err = finding_lines(input.name, findings, settings_, color);
    if (error != nullptr) {
      outcome.err += finding_line(input.name, *error, color) + hint_line(*error);
    } else if (settings_.verbose || settings_.dry_run) {
      outcome.err += concat({to_utf8(input.name), " → ", to_utf8(output.string()),
                             status == "extracted" ? "\n" : concat({" (", status, ")\n"})});
    }
    if (settings_.json) {
      Value value = envelope("extract", input.name, nullptr, findings, error);
      value.set("status", status);
      value.set("output", to_utf8(output.string()));
      value.set("size", static_cast<std::int64_t>(input.member->entry.size));
      outcome.out = json_line(value);
    }
    return outcome;
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
  if (const std::string why = objection_to_overwriting(settings); !why.empty()) {
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
  if (const std::string excess = extraction.excess(); !excess.empty()) {
    return fail_with("extract", settings, {codes::kInputTooLarge, {}, {}, excess});
  }
  return extraction.run();
}

}  // namespace thaw::cli
