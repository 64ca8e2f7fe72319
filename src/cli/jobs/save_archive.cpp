#include "cli/jobs/save_archive.hpp"

#include <thaw/codes.hpp>
#include <thaw/sources.hpp>

#include "bytes/escape.hpp"
#include "cli/inputs/inputs.hpp"
#include "cli/jobs/save.hpp"
#include "cli/platform/interrupt.hpp"
#include "cli/platform/job_control.hpp"
#include "cli/report/console.hpp"
#include "cli/report/report.hpp"
#include "cli/report/text.hpp"

namespace thaw::cli {
namespace {

/// A dry run needs only the size.
class Counter : public Sink {
 public:
  [[nodiscard]] bool append(ByteView bytes) override {
    size_ += bytes.size();
    return true;
  }
  [[nodiscard]] bool patch(std::uint64_t offset, ByteView bytes) override {
    return offset <= size_ && bytes.size() <= size_ - offset;
  }
  [[nodiscard]] std::uint64_t size() const override { return size_; }

 private:
  std::uint64_t size_ = 0;
};

/// Stops in the middle when the run is to end.
class Stoppable : public Sink {
 public:
  explicit Stoppable(Sink& out) : out_(out) {}

  [[nodiscard]] bool append(ByteView bytes) override {
    stop_when_requested();
    return !interrupted() && out_.append(bytes);
  }
  [[nodiscard]] bool patch(std::uint64_t offset, ByteView bytes) override {
    return !interrupted() && out_.patch(offset, bytes);
  }
  [[nodiscard]] std::uint64_t size() const override { return out_.size(); }

 private:
  Sink& out_;
};

std::string warning_lines(const std::string& input, const ArchiveReport& report, const Settings& settings) {
  const bool color = use_color(settings, stderr_is_terminal());
  std::string lines = finding_lines(input, report.findings, settings, color);
  for (const auto& finding : report.findings.items()) {
    if (!settings.quiet && !settings.verbose && finding.code.severity == Severity::warning &&
        finding.code != codes::kNamesCodePage) {
      lines += finding_line(input, finding, color);
    }
  }
  return lines;
}

Value report_json(const std::string& input, const std::string& output, const Settings& settings,
                  const ArchiveReport& report, std::uint64_t size, const Error* error) {
  const Input file_of = named_input(input, settings);
  const Identity identity = input == "-" ? Identity{} : identify_file(file_of);
  Value value = envelope(report.command, input, identity.format.is_known() ? &identity : nullptr,
                         report.findings, error);
  Value file = Value().set("path", to_utf8(output));
  file.set("size", error == nullptr && !settings.dry_run ? count_value(size) : Value());
  value.set("outputs", Value(Value::List()).push(std::move(file)));
  value.set("status", error != nullptr ? "failed" : settings.dry_run ? "planned" : report.done);
  for (const auto& [name, member] : report.json) {
    value.set(name, member);
  }
  return value;
}

/// The error of the sink says more than that of who writes to it.
Error explained(Error error, const FileSink* file, const std::string& output) {
  if (error.code == codes::kWriteFailed && file != nullptr) {
    error = file->failure();
  }
  const std::string what = error.message;
  if (error.code == codes::kWriteFailed || error.code == codes::kWriteExists ||
      error.code == codes::kWriteChanged) {
    error.message = concat({to_utf8(output), ": ", what});
  }
  return error;
}

}  // namespace

Exit save_archive(const Settings& settings, const std::string& output,
                  const std::function<Result<void>(Sink& out, ArchiveReport& report)>& make,
                  ArchiveReport report, const CheckFile& check, const std::optional<FileStamp>& expected) {
  const std::string& input = settings.inputs.front();
  std::error_code ignored;
  const std::filesystem::path folder = std::filesystem::path(output).parent_path();
  const bool planned = settings.dry_run && !folder.empty() && !std::filesystem::exists(folder, ignored);
  Result<void> done = settings.dry_run ? Result<void>() : make_folder_of(output);
  std::unique_ptr<FileSink> file;
  if (done && !planned) {
    done = open_output(output, settings.force, expected).map([&](std::unique_ptr<FileSink> opened) {
      file = std::move(opened);
    });
  }
  Counter counter;
  FileSink* const written = file.get();
  Sink& target = settings.dry_run || written == nullptr ? static_cast<Sink&>(counter) : *written;
  if (done) {
    Stoppable out(target);
    done = make(out, report);
  }
  if (done && check && written != nullptr) {
    done = written->written().and_then(
        [&](const std::shared_ptr<const Storage>& storage) { return check(storage, report); });
  }
  if (done && !settings.dry_run) {
    done = written->commit();
  }
  const std::uint64_t size = target.size();
  if (!done) {
    const Error error = explained(done.error(), interrupted() ? nullptr : written, output);
    write_stderr(warning_lines(input, report, settings) + finding_line(input, error, false) +
                 hint_line(error, settings));
    if (settings.json) {
      write_stdout(json_line(report_json(input, output, settings, report, 0, &error)));
    }
    return exit_of(error);
  }
  std::string text = warning_lines(input, report, settings);
  if (!settings.quiet && !settings.json) {
    text += concat({shown(input), " → ", shown(output), " (", human_size(size), ")",
                    report.facts.empty() ? "" : " · ", report.facts,
                    settings.dry_run ? " (not written)\n" : "\n"});
  }
  write_stderr(text);
  if (settings.json) {
    write_stdout(json_line(report_json(input, output, settings, report, size, nullptr)));
  }
  return kOk;
}

}  // namespace thaw::cli
