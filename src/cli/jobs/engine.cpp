#include "cli/jobs/engine.hpp"

#include <thaw/codes.hpp>

#include "bytes/escape.hpp"
#include "bytes/text.hpp"
#include "cli/inputs/distinct.hpp"
#include "cli/isolate/serialize.hpp"
#include "cli/jobs/batch.hpp"
#include "cli/jobs/run_files.hpp"
#include "cli/jobs/save.hpp"
#include "cli/jobs/summary.hpp"
#include "cli/jobs/targets.hpp"
#include "cli/jobs/unused_options.hpp"
#include "cli/platform/interrupt.hpp"
#include "cli/platform/isolation.hpp"
#include "cli/platform/job_control.hpp"
#include "cli/report/console.hpp"
#include "cli/report/report.hpp"
#include "cli/report/text.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <mutex>
#include <set>

namespace thaw::cli {
namespace {

namespace fs = std::filesystem;

/// The path with a number in front of its extension.
fs::path numbered(const fs::path& path, unsigned number) {
  fs::path result = path.parent_path() / path.stem();
  return result += concat({"-", std::to_string(number), path.extension().string()});
}

/// Files next to an output may meet where the outputs do not.
std::string meeting_key(const Job& job) {
  return job.more_sidecars ? output_key(job.output) : file_key(job.output);
}

/// Outputs that meet get -2, -3, … in their order; a number that another has in its own name is passed over.
void separate_equal_names(std::vector<Job>& jobs) {
  std::set<std::string> planned_keys;
  for (const auto& job : jobs) {
    planned_keys.insert(meeting_key(job));
  }
  std::set<std::string> used;
  for (auto& job : jobs) {
    if (job.output.empty()) {
      continue;
    }
    const fs::path plain = job.output;
    unsigned number = 2;
    while (!used.insert(meeting_key(job)).second) {
      do {
        job.output = numbered(plain, number++);
      } while (planned_keys.contains(meeting_key(job)));
    }
  }
}

Value list_of(const std::vector<Saved>& files, const Product& product) {
  Value list = Value::List();
  for (std::size_t i = 0; i < files.size(); ++i) {
    Value file = Value().set("path", to_utf8(files[i].path.generic_string()));
    file.set("size", files[i].size ? count_value(*files[i].size) : Value());
    for (const auto& [name, member] : i < product.of_files.size() ? product.of_files[i] : Value::Object()) {
      file.set(name, member);
    }
    list.push(std::move(file));
  }
  return list;
}

/// Files of which nothing is known but where they are.
std::vector<Saved> unwritten(const std::vector<fs::path>& paths) {
  std::vector<Saved> files;
  files.reserve(paths.size());
  for (const auto& path : paths) {
    files.push_back({path, std::nullopt});
  }
  return files;
}

/// What is reported by default about a result, although it is no error: losses, and pictures
/// of nothing.
bool is_reported(const Code& code) {
  constexpr std::array kReported = {codes::kSceneEmptyPicture, codes::kSceneLost,       codes::kSceneChanged,
                                    codes::kMrnNoDefinition,   codes::kGltfUnsupported, codes::kOptionEffect};
  const std::string_view group = code.id.substr(0, code.id.find('.'));
  return group == "convert" || group == "terrain" || group == "edit" ||
         std::find(kReported.begin(), kReported.end(), code) != kReported.end();
}

/// The reported ones of the findings that finding_lines leaves out: below error and from warning on, and what
/// was added, edited or left to the game. None with -q, and none with -v, which shows everything anyway. That
/// an option does nothing for one of `many` is usual (OptionEffects).
std::string loss_lines(std::string_view input, const Diagnostics& findings, const Settings& settings,
                       bool color, bool many) {
  std::string lines;
  for (const auto& finding : findings.items()) {
    const Severity severity = finding.code.severity;
    const bool reported =
        finding.code == codes::kSceneAdded || finding.code == codes::kSceneEdited ||
        finding.code == codes::kSceneGameFile ||
        (is_reported(finding.code) && severity >= Severity::warning && severity < Severity::error);
    const bool usual = many && names_option(finding);
    if (!settings.quiet && !settings.verbose && reported && !usual) {
      lines += finding_line(input, finding, color);
    }
  }
  return lines;
}

/// What was made of a job.
struct JobResult {
  Product product;
  std::optional<Error> failure;
  Diagnostics findings;
  std::optional<FileStamp> before;  ///< of an input that the output replaces
};

template <class A>
void carry(A& parcel, JobResult& result) {
  carry(parcel, result.product);
  carry(parcel, result.failure);
  carry(parcel, result.findings);
  carry(parcel, result.before);
}

class Engine {
 public:
  Engine(const Settings& settings, Run run)
      : settings_(settings), run_(std::move(run)), to_stdout_(run_.to_stdout) {}

  Exit carry_out() {
    if (const std::string why = unused_option(settings_, run_); !why.empty()) {
      return usage_error(run_.command, why);
    }
    name_outputs();
    Tally tally = do_jobs(false);
    const bool stopped = tally.exit == kInterrupted || (settings_.fail_fast && tally.exit > kDifferent);
    if (!stopped &&
        std::any_of(run_.jobs.begin(), run_.jobs.end(), [](const Job& job) { return job.last; })) {
      add(tally, do_jobs(true));
    }
    if (tally.failed > 0 && tally.ok > 0) {
      tally.exit = std::max(tally.exit, kPartly);
    }
    return tally.exit == kInterrupted ? kInterrupted : end(tally);
  }

 private:
  // --- the plan

  void name_outputs() {
    if (to_stdout_) {
      return;
    }
    separate_equal_names(run_.jobs);
    for (std::size_t i = 0; i < run_.jobs.size(); ++i) {
      Job& job = run_.jobs[i];
      if (!job.skipped || job.input.member != nullptr) {
        files_.add_input(job.input);
      }
      std::for_each(job.more.begin(), job.more.end(),
                    [this](const Input& input) { files_.add_input(input); });
      if (auto claimed = files_.take(job.outputs(), i); !claimed && !job.failure) {
        job.failure = std::move(claimed.error());
      }
    }
  }

  // --- the work

  Tally do_jobs(bool last) {
    std::vector<Input> inputs;  // what run_batch needs to know of them
    std::vector<std::size_t> indices;
    for (std::size_t i = 0; i < run_.jobs.size(); ++i) {
      if (run_.jobs[i].last == last) {
        indices.push_back(i);
        inputs.push_back({run_.jobs[i].name, {}, {}});
        inputs.back().elsewhere = run_.jobs[i].input.elsewhere;
      }
    }
    BatchJobs work{[&](std::size_t at) { return outcome_of(indices[at]); },
                   [&](std::size_t at, const Error& error) {
                     count_failure(run_.jobs[indices[at]]);
                     return failed(run_.jobs[indices[at]], Diagnostics(), error);
                   }};
    work.apart = [&](std::size_t at) { return apart(indices[at]); };
    work.join = [&](std::size_t at, Bytes bytes) { return join(indices[at], std::move(bytes)); };
    return run_batch(settings_, inputs, work);
  }

  Outcome outcome_of(std::size_t index) {
    Job& job = run_.jobs[index];
    auto known = known_outcome(job);
    Outcome outcome = known ? std::move(*known) : outcome_of_result(index, make(job));
    job.make = nullptr;  // what it shares with others is not kept longer than they need it
    job.content = nullptr;
    return outcome;
  }

  /// In a worker of --isolate: no bytes where there is nothing to make.
  Bytes apart(std::size_t index) const {
    const Job& job = run_.jobs[index];
    if (known_outcome(job)) {
      return {};
    }
    JobResult result = make(job);
    return packed(result);
  }

  Outcome join(std::size_t index, Bytes bytes) {
    Job& job = run_.jobs[index];
    job.make = nullptr;
    job.content = nullptr;
    if (auto known = known_outcome(job)) {
      return std::move(*known);
    }
    JobResult result;
    if (!unpack(bytes, result)) {
      result = JobResult();
      result.failure = Error{codes::kDied, {}, {}, "the converting process returned no usable result"};
    }
    bytes = Bytes();  // a second copy of large outputs
    return outcome_of_result(index, result);
  }

  /// Of a job for which nothing has to be made.
  [[nodiscard]] std::optional<Outcome> known_outcome(const Job& job) const {
    if (job.skipped) {
      return passed_over(job);
    }
    if (job.failure) {
      return failed(job, job.findings, *job.failure);
    }
    const bool writes = !job.output.empty() && !to_stdout_;
    if (writes && settings_.skip_existing && is_there(job)) {
      return left_alone(job);
    }
    if (auto why = writes ? obstacle(job) : std::nullopt) {
      return failed(job, job.findings, *why);
    }
    if (settings_.dry_run && !job.more_sidecars && !run_.works_dry) {
      return planned(job);
    }
    return std::nullopt;
  }

  [[nodiscard]] JobResult make(const Job& job) const {
    JobResult result;
    result.findings = job.findings;
    std::error_code error;
    const bool itself = job.in_place && fs::equivalent(job.input.path, job.output, error);
    result.before = itself ? stamp_of(job.output) : std::nullopt;
    auto product = job.make(job, result.findings);
    stop_when_requested();  // what was stopped is no product, and no failure of the input either
    product = std::move(product).and_then([&](Product output) { return bounded(std::move(output)); });
    if (product) {
      result.product = std::move(*product);
    } else {
      result.failure = std::move(product.error());
    }
    return result;
  }

  Outcome outcome_of_result(std::size_t index, const JobResult& result) {
    const Job& job = run_.jobs[index];
    if (!result.failure) {
      return deliver(index, result.product, result.findings, result.before);
    }
    count_failure(job);
    if (!is_foreign(job, *result.failure, result.findings)) {
      return failed(job, result.findings, *result.failure);
    }
    if (run_.on_result) {
      run_.on_result(index, nullptr);
    }
    return passed_over(job);
  }

  void count_failure(const Job& job) {
    if (job.failures != nullptr) {
      const std::lock_guard lock(failures_);
      ++*job.failures;
    }
  }

  [[nodiscard]] Result<Product> bounded(Product product) const {
    constexpr std::uint64_t kUsual = std::uint64_t{4} << 30U;
    const std::uint64_t bound = settings_.max_output.value_or(kUsual);
    std::uint64_t size = 0;
    for (const auto& file : product.files) {
      size += file.bytes.size();
      if (size > bound) {
        return fail(codes::kOutputTooLarge,
                    concat({"with ", file.name.empty() ? "the image" : file.name, " the output would have ",
                            std::to_string(size), " bytes, more than the limit of ", std::to_string(bound)}));
      }
    }
    return product;
  }

  /// The output itself is written last: where it is, all is, but for what may be made again.
  [[nodiscard]] static bool is_there(const Job& job) {
    const auto paths = job.refreshes ? job.outputs() : std::vector<fs::path>{job.output};
    return std::all_of(paths.begin(), paths.end(), [](const fs::path& path) {
      std::error_code error;
      return fs::is_regular_file(path, error);
    });
  }

  [[nodiscard]] bool overwrites(const Job& job) const {
    return settings_.force || (settings_.skip_existing && job.refreshes);
  }

  /// Why the output cannot be, as far as that is known before the work.
  [[nodiscard]] std::optional<Error> obstacle(const Job& job) const {
    std::error_code error;
    const std::string name = to_utf8(job.output.generic_string());
    const bool itself = fs::equivalent(job.input.path, job.output, error);
    if (itself && !job.in_place) {
      return Error{
          codes::kWriteFailed, {}, {}, concat({name, " is the input file; name another output with -o"})};
    }
    if (!overwrites(job) && fs::is_regular_file(job.output, error)) {
      return Error{codes::kWriteExists, {}, {}, concat({name, " exists"})};
    }
    return itself ? std::nullopt : files_.problem(job.output);
  }

  /// `before` is of an input that the output replaces.
  Outcome deliver(std::size_t index, const Product& product, const Diagnostics& findings,
                  const std::optional<FileStamp>& before) {
    const Job& job = run_.jobs[index];
    if (to_stdout_ && product.files.size() > 1) {
      return failed(job, findings, not_for_stdout(product));
    }
    if (to_stdout_) {
      const Bytes& bytes = product.files.front().bytes;
      Outcome outcome = succeeded(job, product, {{"-", bytes.size()}}, findings);
      outcome.out = settings_.dry_run ? std::move(outcome.out) : std::string(as_text(bytes));
      return outcome;
    }
    const auto known = job.outputs();
    const auto paths = job.more_sidecars || product.files.empty() ? paths_of(job.output, product) : known;
    for (const auto& path : paths) {
      if (auto why = job.in_place ? std::nullopt : files_.problem(path)) {
        return failed(job, findings, *why);
      }
    }
    const Product* shared_product = run_.jobs.size() > 1 ? &product : nullptr;
    auto saved = files_.take(paths, index, shared_product).and_then([&](const std::vector<bool>& shared) {
      return save_product(paths, product, overwrites(job), settings_.dry_run, shared, before);
    });
    return saved ? succeeded(job, product, *saved, with_replaced(job, *saved, findings))
                 : failed(job, findings, saved.error());
  }

  /// What lies next to the output under a name of its own may be another output's, too.
  [[nodiscard]] static Diagnostics with_replaced(const Job& job, const std::vector<Saved>& files,
                                                 const Diagnostics& findings) {
    Diagnostics all = findings;
    const std::string stem = to_utf8(job.output.stem().generic_string());
    for (const Saved& file : files) {
      const std::string name = to_utf8(file.path.filename().generic_string());
      if (file.replaced && !name.starts_with(stem)) {
        all.add(
            codes::kOptionEffect,
            concat(
                {"-f: ", name,
                 " existed with other content and was overwritten. Other models in the folder may use it."}));
      }
    }
    return all;
  }

  // --- report

  [[nodiscard]] std::size_t number_of(const Job& job) const {
    return static_cast<std::size_t>(&job - run_.jobs.data());
  }

  [[nodiscard]] Outcome reported(const Job& job, const Diagnostics& findings) const {
    Outcome outcome;
    outcome.warned = findings.count(Severity::warning) > 0;
    outcome.exit = exit_of(findings);
    const bool color = use_color(settings_, stderr_is_terminal());
    outcome.err = finding_lines(job.name, findings, settings_, color) +
                  loss_lines(job.name, findings, settings_, color, run_.jobs.size() > 1);
    return outcome;
  }

  [[nodiscard]] std::string report(const Job& job, std::string_view status, const std::vector<Saved>& files,
                                   const Product& product, const Diagnostics& findings,
                                   const Error* error) const {
    Value value = envelope(run_.command, job.name, job.identity ? &*job.identity : nullptr, findings, error);
    if (const auto size = product.input_size ? product.input_size : job.size) {
      value.set("size", count_value(*size));
    }
    value.set("outputs", list_of(files, product));
    value.set("status", status);
    for (const auto* members : {&job.json, &product.json}) {
      for (const auto& [name, member] : *members) {
        value.set(name, member);
      }
    }
    return json_line(value);
  }

  [[nodiscard]] bool reports_lines() const {
    return !settings_.quiet && (!run_.brief || settings_.verbose || settings_.dry_run);
  }

  [[nodiscard]] Outcome succeeded(const Job& job, const Product& product, const std::vector<Saved>& files,
                                  const Diagnostics& findings) {
    Outcome outcome = reported(job, findings);
    effects_.add(findings);
    if (run_.on_result) {
      run_.on_result(number_of(job), &product);
    }
    if (settings_.json) {
      outcome.out = report(job, settings_.dry_run ? "planned" : run_.done, files, product, findings, nullptr);
    } else if (reports_lines() && !files.empty()) {
      outcome.err += success_text(job, product, files, findings);
    }
    return outcome;
  }

  [[nodiscard]] std::string success_text(const Job& job, const Product& product,
                                         const std::vector<Saved>& files, const Diagnostics& findings) const {
    std::uint64_t size = 0;
    for (const auto& file : files) {
      size += file.size.value_or(0);
    }
    std::string text = shown(job.name);
    text += product.input_size ? concat({" (", human_size(*product.input_size), ")"}) : "";
    text += concat({" → ", shown(files.front().path.generic_string()), " (", human_size(size), ")"});
    text += files.size() > 1 ? concat({" and ", counted(files.size() - 1, "file")}) : "";
    text += product.note.empty() ? "" : concat({" · ", product.note});
    const auto answers =
        static_cast<std::size_t>(std::count_if(findings.items().begin(), findings.items().end(), is_answer));
    const std::size_t warnings = findings.count(Severity::warning) - answers;
    text += warnings > 0 ? concat({" · ", counted(warnings, "warning")}) : "";
    text += settings_.dry_run ? " (not written)\n" : "\n";
    return text + (run_.jobs.size() > 1 && !settings_.verbose ? "" : product.details);
  }

  [[nodiscard]] Outcome untouched(const Job& job, std::string_view status, const std::string& text) const {
    Outcome outcome = reported(job, job.findings);
    if (settings_.json) {
      const auto paths = to_stdout_ ? std::vector<fs::path>{"-"} : job.outputs();
      outcome.out = report(job, status, unwritten(paths), {}, job.findings, nullptr);
    } else if (reports_lines()) {
      outcome.err += concat({shown(job.name), text, "\n"});
    }
    return outcome;
  }

  [[nodiscard]] Outcome left_alone(const Job& job) const {
    if (run_.on_no_result) {
      run_.on_no_result(number_of(job), nullptr);
    }
    return untouched(job, "exists",
                     concat({": ", shown(job.output.generic_string()), " exists, not overwritten"}));
  }

  [[nodiscard]] Outcome planned(const Job& job) const {
    const std::size_t more = to_stdout_ ? 0 : job.outputs().size() - 1;
    return untouched(job, "planned",
                     concat({" → ", to_stdout_ ? "-" : shown(job.output.generic_string()),
                             more > 0 ? concat({" and ", counted(more, "file")}) : "", " (not written)"}));
  }

  [[nodiscard]] static Outcome passed_over(const Job& job) {
    Outcome outcome;
    outcome.skipped = true;
    outcome.format = job.identity ? job.identity->format : Format();
    return outcome;
  }

  [[nodiscard]] Outcome failed(const Job& job, const Diagnostics& findings, const Error& error) const {
    if (run_.on_no_result) {
      run_.on_no_result(number_of(job), &error);
    }
    Outcome outcome;
    outcome.exit = exit_of(error);
    outcome.err = failure_lines(job.name, findings, error, settings_);
    if (settings_.json) {
      outcome.out = report(job, "failed", {}, {}, findings, &error);
    }
    return outcome;
  }

  // --- the end

  static void add(Tally& tally, const Tally& more) {
    tally.ok += more.ok;
    tally.warned += more.warned;
    tally.failed += more.failed;
    tally.exit = std::max(tally.exit, more.exit);
  }

  Exit end(const Tally& tally) {
    std::vector<Saved> closing;
    const bool batch = is_batch(settings_);
    if (batch && run_.closing) {
      const Bytes bytes = settings_.dry_run ? Bytes() : run_.closing();
      if (auto done = settings_.dry_run ? Result<void>() : save_file(run_.closing_path, bytes, true); !done) {
        write_stderr(finding_line(run_.closing_path.filename().string(), done.error(), false));
        return kUnwritable;
      }
      closing.push_back({run_.closing_path, settings_.dry_run ? std::nullopt : std::optional(bytes.size())});
    }
    if (!batch && run_.jobs.size() < 2 && !run_.sums_up) {
      return tally.exit;
    }
    if (run_.jobs.size() > 1) {
      write_stderr(loss_lines("thaw", effects_.of_all(), settings_,
                              use_color(settings_, stderr_is_terminal()), false));
    }
    Sums sums = run_.sums ? run_.sums() : Sums();
    if (run_.closing) {
      sums.json.emplace_back("outputs", list_of(closing, {}));
    }
    if (!settings_.quiet && !settings_.json) {
      write_stderr(sums.text);
    }
    report_summary(settings_, run_.command, tally, sums.json);
    return tally.exit;
  }

  const Settings& settings_;
  Run run_;
  bool to_stdout_;
  RunFiles files_;
  OptionEffects effects_;
  std::mutex failures_;
};

}  // namespace

std::vector<fs::path> Job::outputs() const {
  std::vector<fs::path> paths;
  if (!output.empty()) {
    paths.push_back(output);
  }
  if (sidecars) {
    auto others = sidecars(output);
    std::move(others.begin(), others.end(), std::back_inserter(paths));
  }
  return paths;
}

bool is_foreign(const Job& job, const Error& error, const Diagnostics& findings) {
  const bool lacks_skeleton = error.code == codes::kMrnSkeleton && findings.count(Severity::error) == 0;
  return job.may_be_foreign && job.input.found && (lacks_skeleton || error.code == codes::kFormatUnsupported);
}

Job failed_job(const Input& input, Error error, std::optional<Identity> identity) {
  Job job{input};
  job.name = input.name;
  job.identity = identity;
  job.failure = std::move(error);
  return job;
}

Job skipped_job(const Input& input, const Identity& identity) {
  Job job{input};
  job.name = input.name;
  job.identity = identity;
  job.skipped = true;
  return job;
}

std::vector<Job> plan_jobs(const Settings& settings, std::vector<Input> inputs,
                           const std::function<std::vector<Job>(const Input& input)>& plan) {
  std::vector<bool> elsewhere;
  elsewhere.reserve(inputs.size());
  for (auto& input : inputs) {
    elsewhere.push_back(input.elsewhere);
    input.elsewhere = false;  // run_batch is to plan them all
  }
  std::vector<std::vector<Job>> planned(inputs.size());
  std::vector<std::optional<Error>> failures(inputs.size());
  if (is_isolated() && isolation_splits()) {  // a process that runs the command again plans for itself
    failures = rehearse(settings, inputs, [&](std::size_t index) { plan(inputs[index]); });
  }
  BatchJobs work{[&](std::size_t index) {
                   planned[index] = failures[index] ? std::vector{failed_job(inputs[index], *failures[index])}
                                                    : plan(inputs[index]);
                   return Outcome();
                 },
                 [&](std::size_t index, const Error& error) {
                   planned[index] = {failed_job(inputs[index], error)};
                   return Outcome();
                 }};
  work.here = true;
  const Tally tally = run_batch(settings, inputs, work);
  std::vector<Job> jobs;
  for (std::size_t i = 0; i < planned.size() && tally.exit != kInterrupted; ++i) {
    for (auto& job : planned[i]) {
      job.input.elsewhere = elsewhere[i];
      job.name = job.name.empty() ? job.input.name : std::move(job.name);
      jobs.push_back(std::move(job));
    }
  }
  return jobs;
}

Exit carry_out(const Settings& settings, Run run) { return Engine(settings, std::move(run)).carry_out(); }

std::string check_outputs(const Settings& settings) {
  if (settings.force && settings.skip_existing) {
    return "-f and --skip-existing cannot be combined";
  }
  if (settings.sd && settings.hd) {
    return "--sd and --hd cannot be combined";
  }
  if (goes_to_stdout(settings) && is_batch(settings)) {
    return "Only one output can be written to stdout. Name a folder with -o DIR/.";
  }
  if (goes_to_stdout(settings) && settings.json && !settings.dry_run) {
    return "--json and the output cannot both be written to stdout. Name a file with -o.";
  }
  return "";
}

}  // namespace thaw::cli
