#include "cli/commands/survey_merge.hpp"

#include <thaw/sources.hpp>
#include <thaw/value.hpp>

#include "bytes/text.hpp"
#include "cli/inputs/inputs.hpp"
#include "cli/report/console.hpp"
#include "cli/report/report.hpp"
#include "cli/report/survey_sums.hpp"
#include "cli/report/text.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace thaw::cli {
namespace {

std::optional<std::uint64_t> count_of(const Value& value) {
  const auto number = value.integer();
  return number && *number >= 0 ? std::optional(static_cast<std::uint64_t>(*number)) : std::nullopt;
}

Row row_of(const Value& object) {
  Row row;
  const std::string name = object["roundtrip"].text();
  const auto* const known = std::find(kRoundtripNames.begin(), kRoundtripNames.end(), name);
  row.roundtrip = known == kRoundtripNames.end() ? Roundtrip::failed
                                                 : static_cast<Roundtrip>(known - kRoundtripNames.begin());
  const std::string format = object["format"].text();
  row.kind =
      format.empty() ? "" : kind_text(format, object["dialect"].text(), count_of(object["format_version"]));
  row.first_difference = count_of(object["first_difference"]);
  const auto understood = count_of(object["understood_bytes"]);
  const auto raw = count_of(object["raw_bytes"]);
  if (understood && raw) {
    row.account = ByteAccount{*understood, *raw};
  }
  for (const Value& finding : object["diagnostics"].list()) {
    ++row.findings[finding["code"].text()];
  }
  return row;
}

void add_up(const Value& summary, Tally& tally) {
  const auto add = [&](std::size_t& target, std::string_view name) {
    target += static_cast<std::size_t>(count_of(summary[name]).value_or(0));
  };
  add(tally.ok, "succeeded");
  add(tally.warned, "warned");
  add(tally.failed, "failed");
  add(tally.skipped, "skipped");
  for (const auto& [format, count] : summary["skipped_formats"].object()) {
    tally.skipped_formats[format] += static_cast<std::size_t>(count_of(count).value_or(0));
  }
}

/// The lines of all parts.
class Parts {
 public:
  std::optional<Error> add(const std::string& name, ByteView bytes) {
    bool ended = false;
    std::size_t at = 0;
    while (at < bytes.size()) {
      const auto* const end = std::find(bytes.data() + at, bytes.data() + bytes.size(), '\n');
      const ByteView line(bytes.data() + at, static_cast<std::size_t>(end - bytes.data()) - at);
      auto object = parse_json(line);
      if (!object) {
        return broken(name, object.error().message, at + object.error().offset.value_or(0));
      }
      const std::string schema = (*object)["schema"].text();
      if (schema == "thaw.survey.summary/2") {
        add_up(*object, tally_);
        if (const auto shard = parse_shard((*object)["shard"].text()); shard && shard->parts > 1) {
          batches_[{shard->parts, (*object)["batch"].text()}].insert(shard->part);
        }
        ended = true;
      } else if (schema == "thaw.survey/2") {
        lines_.push_back({(*object)["input"].text(), row_of(*object), std::string(as_text(line))});
      } else {
        return broken(name, "not a line of `thaw survey --json`", at);
      }
      at += line.size() + 1;
    }
    return ended ? std::nullopt
                 : std::optional(broken(
                       name, "the file ends before its summary and is incomplete; run its survey again",
                       bytes.size()));
  }

  /// As one survey of a folder would have met them. The error names a file that two parts have.
  std::optional<Error> sort() {
    std::sort(lines_.begin(), lines_.end(), [](const Line& a, const Line& b) {
      return std::filesystem::path(a.input) < std::filesystem::path(b.input);
    });
    const auto twice = std::adjacent_find(lines_.begin(), lines_.end(),
                                          [](const Line& a, const Line& b) { return a.input == b.input; });
    return twice == lines_.end()
               ? std::nullopt
               : std::optional(Error{codes::kJsonMalformed,
                                     {},
                                     {},
                                     "two parts contain " + to_utf8(twice->input) + "; name each part once"});
  }

  /// Of a survey that was made in parts, all have to be there.
  [[nodiscard]] std::optional<Error> missing() const {
    for (const auto& [batch, there] : batches_) {
      const std::uint32_t parts = batch.first;
      if (there.size() < parts) {
        const std::string_view others = batches_.size() > 1 ? "; the others belong to another batch of files"
                                                            : "; name the files of all parts";
        return Error{codes::kJsonMalformed,
                     {},
                     {},
                     concat({"only ", std::to_string(there.size()), " of ", std::to_string(parts),
                             " parts are present", others})};
      }
    }
    return std::nullopt;
  }

  int report(const Settings& settings) {
    const bool color = use_color(settings, stdout_is_terminal());
    std::vector<Row> rows;
    tally_.exit = tally_.failed > 0 ? kPartly : kOk;
    for (const auto& line : lines_) {
      const bool quiet = settings.quiet && is_good(line.row.roundtrip);
      write_stdout(settings.json ? line.text + '\n' : quiet ? "" : row_text(line.input, line.row, color));
      tally_.exit = std::max(tally_.exit, line.row.roundtrip == Roundtrip::differs ? kDifferent : kOk);
      rows.push_back(line.row);
    }
    write_stdout(settings.json ? json_line(survey_json(rows, tally_)) : survey_text(rows, tally_));
    return flush_stdout() ? tally_.exit : kUnwritable;
  }

 private:
  struct Line {
    std::string input;
    Row row;
    std::string text;
  };

  static Error broken(const std::string& name, const std::string& why, std::uint64_t offset) {
    return {codes::kJsonMalformed, offset, {}, concat({to_utf8(name), ": ", why})};
  }

  std::vector<Line> lines_;
  Tally tally_;
  /// Parts that are there, of how many and of which batch.
  std::map<std::pair<std::uint32_t, std::string>, std::set<std::uint32_t>> batches_;
};

}  // namespace

int merge_surveys(const Settings& settings) {
  Parts parts;
  for (const auto& name : settings.inputs) {
    const auto bytes = read_file(name, read_options(settings).limits);
    if (!bytes) {
      return fail_with(name, bytes.error());
    }
    if (const auto error = parts.add(name, *bytes)) {
      return fail_with(name, *error);
    }
  }
  if (const auto error = parts.missing()) {
    return fail_with(settings.inputs.front(), *error);
  }
  if (const auto error = parts.sort()) {
    return fail_with(settings.inputs.front(), *error);
  }
  return parts.report(settings);
}

}  // namespace thaw::cli
