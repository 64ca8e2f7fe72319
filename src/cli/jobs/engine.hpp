// A run as a plan: inputs become jobs, and every job knows what it will write before the first of them
// begins. What is the same for all runs is said here: dry runs, outputs that exist or meet, options that
// nothing reads, threads, parts, reports and exit codes.
#pragma once

#include <thaw/diagnostics.hpp>
#include <thaw/value.hpp>

#include "cli/inputs/inputs.hpp"
#include "cli/jobs/product.hpp"

#include <array>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace thaw::cli {

/// Something that a command makes, and the options that apply to it.
struct JobKind {
  std::string_view what;  ///< for people: "textures to .blp"
  /// Long names, separated by blanks, of the options that are read for it, but for those that are about the
  /// run and not about what is made: --output, --json, --jobs.
  std::array<std::string_view, 4> options = {};
};
bool reads_option(const JobKind& kind, std::string_view option);

/// One step from inputs to outputs.
struct Job {
  Input input;                   ///< the first of them
  std::vector<Input> more = {};  ///< others that become the same output
  std::string name = {};         ///< as it is reported
  std::optional<Identity> identity = std::nullopt;
  std::optional<std::uint64_t> size = std::nullopt;  ///< of the input, where it is known without reading
  std::shared_ptr<const Content> content = nullptr;  ///< what can be read only once
  const JobKind* kind = nullptr;

  /// Where the output goes; of outputs that meet, the engine numbers the later ones. Empty: nothing is
  /// written.
  std::filesystem::path output = {};
  /// The files next to an output of that name; null: none. In the order of the product.
  std::function<std::vector<std::filesystem::path>(const std::filesystem::path& output)> sidecars = nullptr;
  bool more_sidecars = false;  ///< which files are next to it is known only after the work: a dry run does it
  bool in_place = false;       ///< the output may be the input
  bool refreshes = false;      ///< --skip-existing makes all outputs again where one is not there
  bool last = false;           ///< begun when all that are not are done
  /// Counts those of its group of which nothing could be made.
  std::shared_ptr<std::size_t> failures = nullptr;

  std::function<Result<Product>(const Job& job, Diagnostics& findings)> make = nullptr;
  bool may_be_foreign = false;  ///< what was found and `is_foreign` is passed over

  Diagnostics findings = Diagnostics();         ///< what was found when it was planned
  std::optional<Error> failure = std::nullopt;  ///< found out when it was planned
  bool skipped = false;                         ///< found, and of no use to the command
  Value::Object json = {};                      ///< further members of the report

  /// Everything that is known to be written, the output itself first.
  [[nodiscard]] std::vector<std::filesystem::path> outputs() const;
};

/// Does this error say of an input that was found that nothing becomes of it? Of a network without a skeleton
/// only if it is sound: what is damaged may have lost it.
bool is_foreign(const Job& job, const Error& error, const Diagnostics& findings);

Job failed_job(const Input& input, Error error, std::optional<Identity> identity = std::nullopt);
Job skipped_job(const Input& input, const Identity& identity);

/// What becomes of every input, worked out on --jobs threads and in the order of the inputs; with those of
/// other parts of a --shard, whose outputs have names, too. Nothing if the run is interrupted.
std::vector<Job> plan_jobs(const Settings& settings, std::vector<Input> inputs,
                           const std::function<std::vector<Job>(const Input& input)>& plan);

/// What jobs come to together: lines for people, members of the summary for machines.
struct Sums {
  std::string text = {};
  Value::Object json = {};
};

/// A plan, and how it is reported.
struct Run {
  std::string_view command;
  std::string_view done;              ///< status of what was made: "converted"
  std::vector<const JobKind*> kinds;  ///< all that the command has
  std::vector<Job> jobs;
  bool to_stdout = false;  ///< the one output is data for stdout
  bool sums_up = false;    ///< also if it is no batch
  bool brief = false;      ///< a line for each job only with -v and -n
  bool works_dry = false;  ///< a dry run does the work, for its report
  /// What a batch writes at its end, and what that is.
  std::filesystem::path closing_path = {};
  std::function<Bytes()> closing = nullptr;
  /// Reported at the end of a batch; null: there is nothing to add up.
  std::function<Sums()> sums = nullptr;
  /// Receives the product of a job, by its number; null if its input was found and is foreign.
  std::function<void(std::size_t index, const Product* product)> on_result = nullptr;
  /// Receives a job without a product, by its number: left as it is (no error) or failed.
  std::function<void(std::size_t index, const Error* error)> on_no_result = nullptr;
};

/// Refuses what cannot be, then does the jobs, or with --dry-run reports them. Returns the exit code.
Exit carry_out(const Settings& settings, Run run);

/// What the options on outputs say together that cannot be; empty if nothing does.
std::string check_outputs(const Settings& settings);

}  // namespace thaw::cli
