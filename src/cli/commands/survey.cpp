#include <thaw/codes.hpp>
#include <thaw/wdt.hpp>

#include "bytes/difference.hpp"
#include "bytes/escape.hpp"
#include "bytes/hash.hpp"
#include "bytes/number_text.hpp"
#include "bytes/text.hpp"
#include "bytes/text_encoding.hpp"
#include "cli/arguments/commands.hpp"
#include "cli/commands/survey_merge.hpp"
#include "cli/inputs/world_input.hpp"
#include "cli/isolate/serialize.hpp"
#include "cli/jobs/batch.hpp"
#include "cli/jobs/save.hpp"
#include "cli/platform/job_control.hpp"
#include "cli/report/console.hpp"
#include "cli/report/report.hpp"
#include "cli/report/survey_sums.hpp"
#include "cli/report/text.hpp"

#include <algorithm>

namespace thaw::cli {

// NOLINTBEGIN(misc-use-internal-linkage): templates find them by the namespace of what they carry
template <class A>
void carry(A& parcel, ByteAccount& account) {
  carry(parcel, account.understood);
  carry(parcel, account.raw);
}

template <class A>
void carry(A& parcel, Row& row) {
  carry(parcel, row.roundtrip);
  row.roundtrip = std::min(row.roundtrip, Roundtrip::failed);
  carry(parcel, row.size);
  carry(parcel, row.skipped);
  carry(parcel, row.kind);
  carry(parcel, row.hash);
  carry(parcel, row.first_difference);
  carry(parcel, row.account);
  carry(parcel, row.findings);
}
// NOLINTEND(misc-use-internal-linkage)

namespace {

std::string kind_of(const Identity& identity) {
  return kind_text(identity.format.id(), identity.dialect, identity.version);
}

/// The same for all parts of a batch, wherever it lies, and another for other files.
std::string batch_name(const std::vector<Input>& inputs) {
  std::vector<std::string> names;
  names.reserve(inputs.size());
  for (const auto& input : inputs) {
    names.push_back(input.relative.generic_string());
  }
  std::sort(names.begin(), names.end());
  std::string all;
  for (const auto& name : names) {
    all += name;
    all += '\0';
  }
  return md5_text(md5(as_bytes(all)));
}

class Survey {
 public:
  Survey(const Settings& settings, std::vector<Input> inputs)
      : settings_(settings), inputs_(std::move(inputs)), rows_(inputs_.size()) {
    for (auto& row : rows_) {
      row.skipped = true;
    }
  }

  int run() {
    BatchJobs work{[this](std::size_t index) { return examine(index); },
                   [this](std::size_t index, const Error& error) {
                     rows_[index] = {};
                     return failed(inputs_[index], rows_[index], nullptr, Diagnostics(), error);
                   }};
    work.apart = [this](std::size_t index) {
      Outcome outcome = examine(index);
      return packed(outcome, rows_[index]);
    };
    work.join = [this, &work](std::size_t index, const Bytes& bytes) {
      Outcome outcome;
      return unpack(bytes, outcome, rows_[index])
                 ? outcome
                 : work.give_up(index, Error{codes::kDied, {}, {}, "the reading process returned no result"});
    };
    const Tally tally = run_batch(settings_, inputs_, work);
    if (tally.exit == kInterrupted) {
      return tally.exit;
    }
    Value summary = survey_json(rows_, tally);
    if (!settings_.shard.empty()) {
      summary.set("shard", settings_.shard).set("batch", batch_name(inputs_));
    }
    if (!settings_.hash.empty()) {
      summary.set("duplicates", duplicates_json());
    }
    write_stdout(settings_.json ? json_line(summary) : survey_text(rows_, tally) + duplicates_text());
    return settings_.csv.empty() ? tally.exit : write_table(tally.exit);
  }

 private:
  Exit write_table(Exit exit) const {
    std::string table = csv_head(settings_.hash);
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (!inputs_[i].elsewhere) {
        table += csv_line(inputs_[i].name, rows_[i], settings_.hash);
      }
    }
    const auto saved = save_file(settings_.csv, as_bytes(table), settings_.force);
    return saved ? exit : fail_with(settings_.csv, saved.error());
  }

  [[nodiscard]] Value json_of(const Row& row, Value file) const {
    Value value = row_json(row, std::move(file));
    return settings_.hash.empty() ? value
                                  : value.set(settings_.hash, row.hash.empty() ? Value() : Value(row.hash));
  }

  [[nodiscard]] std::string hash_of(ByteView bytes) const {
    if (settings_.hash == "md5") {
      return md5_text(md5(bytes));
    }
    std::string text;
    append_hex(text, sha256(bytes));
    return text;
  }

  /// Files of the same bytes, each list in the order of the inputs; the lists that waste most first.
  [[nodiscard]] std::vector<std::vector<std::size_t>> duplicates() const {
    std::map<std::string_view, std::vector<std::size_t>> by_hash;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (!rows_[i].hash.empty()) {
        by_hash[rows_[i].hash].push_back(i);
      }
    }
    std::vector<std::vector<std::size_t>> lists;
    for (auto& [hash, files] : by_hash) {
      if (files.size() > 1) {
        lists.push_back(std::move(files));
      }
    }
    std::sort(lists.begin(), lists.end(), [&](const auto& a, const auto& b) {
      return std::pair(wasted(b), a.front()) < std::pair(wasted(a), b.front());
    });
    return lists;
  }
  /// Bytes of all but one.
  [[nodiscard]] std::uint64_t wasted(const std::vector<std::size_t>& files) const {
    return (files.size() - 1) * rows_[files.front()].size;
  }

  [[nodiscard]] Value duplicates_json() const {
    Value::List all;
    for (const auto& files : duplicates()) {
      Value names;
      for (const std::size_t file : files) {
        names.push(inputs_[file].name);
      }
      Value list;
      list.set(settings_.hash, rows_[files.front()].hash).set("files", std::move(names));
      all.push_back(std::move(list));
    }
    return {std::move(all)};
  }

  [[nodiscard]] std::string duplicates_text() const {
    if (settings_.hash.empty()) {
      return {};
    }
    constexpr std::size_t kShown = 20;
    const auto lists = duplicates();
    std::size_t copies = 0;
    std::uint64_t bytes = 0;
    std::string text;
    for (std::size_t i = 0; i < lists.size(); ++i) {
      copies += lists[i].size() - 1;
      bytes += wasted(lists[i]);
      for (const std::size_t file : lists[i]) {
        if (i < kShown || settings_.verbose) {
          text += concat({file == lists[i].front() ? "  " : "    = ", shown(inputs_[file].name), "\n"});
        }
      }
    }
    if (lists.size() > kShown && !settings_.verbose) {
      text += concat({"  and ", counted(lists.size() - kShown, "more group"), "; -v lists all\n"});
    }
    return concat(
        {"duplicates: ", std::to_string(copies), ", ", counted(bytes, "byte"), " in total\n", text});
  }

  Outcome examine(std::size_t index) {
    const Input& input = inputs_[index];
    Row& row = rows_[index];
    row = {};
    if (is_streamed(input)) {
      return examine_map(input, row);
    }
    Diagnostics findings;
    auto content = load(input, settings_);
    if (!content) {
      return failed(input, row, nullptr, findings, content.error());
    }
    row.kind = kind_of(content->identity);
    row.size = content->bytes.size();
    if (!settings_.hash.empty() && !content->skipped) {
      row.hash = hash_of(content->bytes);
    }
    if (content->skipped) {
      row.skipped = true;
      Outcome outcome;
      outcome.skipped = true;
      outcome.format = content->identity.format;
      return outcome;
    }
    const auto document = read_content(*content, settings_, findings);
    stop_when_requested();
    if (!document) {
      return failed(input, row, &content->identity, findings, document.error());
    }
    compare(*content, *document, row);
    stop_when_requested();
    return done(input, row, content->identity, findings);
  }

  /// As any other file, but tile by tile.
  Outcome examine_map(const Input& input, Row& row) {
    Diagnostics findings;
    const Identity identity = identify_file(input);
    row.kind = kind_of(identity);
    if (const auto storage = input_storage(input, settings_)) {
      row.size = (*storage)->size();
    }
    const auto map = open_stream(input, settings_, findings);
    if (!map) {
      return failed(input, row, &identity, findings, map.error());
    }
    row.first_difference = map->first_difference();
    row.roundtrip = row.first_difference ? Roundtrip::differs : Roundtrip::exact;
    row.account = account_bytes(map->inspection(), current_control());
    stop_when_requested();
    if (const auto failure = map->failure()) {
      return failed(input, row, &identity, findings, *failure);
    }
    return done(input, row, identity, findings);
  }

  void compare(const Content& content, const AnyDocument& document, Row& row) const {
    const Bytes written = write_any(document);
    if (content.identity.format.is_text()) {
      Diagnostics ignored(0);
      const auto again = read_any(written, read_options(settings_), ignored);
      row.roundtrip = again && same_content(document, *again) ? Roundtrip::same : Roundtrip::differs;
      return;
    }
    row.first_difference = first_difference(content.bytes, written);
    row.roundtrip = row.first_difference ? Roundtrip::differs : Roundtrip::exact;
    row.account = account_bytes(inspection_of(document), current_control());
  }

  Outcome done(const Input& input, Row& row, const Identity& identity, const Diagnostics& findings) {
    count_findings(row, findings);
    Outcome outcome;
    outcome.exit = is_good(row.roundtrip) ? kOk : kDifferent;
    outcome.warned = findings.count(Severity::warning) > 0;
    if (settings_.json) {
      outcome.out = json_line(json_of(row, envelope("survey", input.name, &identity, findings, nullptr)));
    } else {
      const bool report = !settings_.quiet || !is_good(row.roundtrip);
      outcome.out = report ? row_text(input.name, row, use_color(settings_, stdout_is_terminal())) : "";
    }
    if (settings_.verbose) {
      outcome.err =
          finding_lines(input.name, findings, settings_, use_color(settings_, stderr_is_terminal()));
    }
    return outcome;
  }

  Outcome failed(const Input& input, Row& row, const Identity* identity, const Diagnostics& findings,
                 const Error& error) {
    count_findings(row, findings);
    ++row.findings[std::string(error.code.id)];
    Outcome outcome;
    outcome.exit = exit_of(error);
    outcome.err = failure_lines(input.name, Diagnostics(), error, settings_);
    outcome.out = settings_.json
                      ? json_line(json_of(row, envelope("survey", input.name, identity, findings, &error)))
                      : row_text(input.name, row, use_color(settings_, stdout_is_terminal()));
    return outcome;
  }

  static void count_findings(Row& row, const Diagnostics& findings) {
    for (const auto& finding : findings.items()) {
      ++row.findings[std::string(finding.code.id)];
    }
  }

  const Settings& settings_;
  std::vector<Input> inputs_;
  std::vector<Row> rows_;
};

}  // namespace

int run_survey(const Settings& settings) {
  if (settings.merge && !settings.hash.empty()) {
    return usage_error("survey", "--hash cannot be combined with --merge, which reads no files");
  }
  if (settings.merge) {
    if (!settings.csv.empty()) {
      return usage_error("survey", "--csv cannot be combined with --merge, which reads no files");
    }
    return merge_surveys(settings);
  }
  auto inputs = collect_inputs(settings, Others::marked);
  if (!inputs) {
    return fail_with(settings.files_from, inputs.error());
  }
  std::error_code error;
  if (!settings.csv.empty() && !settings.force && std::filesystem::exists(settings.csv, error)) {
    return fail_with(settings.csv, Error{codes::kWriteExists, {}, {}, ""});
  }
  if (const std::string why = check_tiles(settings, *inputs); !why.empty()) {
    return usage_error("survey", why);
  }
  return Survey(settings, std::move(*inputs)).run();
}

}  // namespace thaw::cli
