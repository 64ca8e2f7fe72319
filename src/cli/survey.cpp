#include "cli/batch.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/report.hpp"
#include "document/scalars.hpp"

#include <algorithm>
#include <array>
#include <map>

namespace thaw::cli {
namespace {

/// `same`: of a text, whose bytes nobody keeps, the content comes back to the last bit.
enum class Roundtrip : std::uint8_t { exact, same, differs, failed };
constexpr std::array<std::string_view, 4> kRoundtripNames = {"EXACT", "SAME", "DIFFERS", "FAILED"};
using Outcomes = std::array<std::size_t, kRoundtripNames.size()>;

std::string_view roundtrip_name(Roundtrip roundtrip) {
  return kRoundtripNames.at(static_cast<std::size_t>(roundtrip));
}

bool is_good(Roundtrip roundtrip) { return roundtrip == Roundtrip::exact || roundtrip == Roundtrip::same; }

std::string outcomes_text(const Outcomes& outcomes) {
  std::string text;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    // Only texts can be SAME.
    if (kRoundtripNames.at(i) != "SAME" || outcomes.at(i) > 0) {
      text += text.empty() ? "" : ", ";
      text += std::to_string(outcomes.at(i)) + ' ';
      text += kRoundtripNames.at(i);
    }
  }
  return text;
}

/// What the survey learns of one file.
struct Row {
  Roundtrip roundtrip = Roundtrip::failed;
  bool skipped = false;
  std::string kind;  ///< "mdx wc3 800"
  std::optional<std::uint64_t> first_difference;
  std::optional<ByteAccount> account;           ///< none for texts
  std::map<std::string, std::size_t> findings;  ///< by code
};

std::string kind_of(const Identity& identity) {
  std::string kind(format_id(identity.format));
  if (!identity.dialect.empty()) {
    kind += ' ';
    kind += identity.dialect;
  }
  return identity.version ? kind + ' ' + std::to_string(*identity.version) : kind;
}

std::optional<std::uint64_t> first_difference(ByteView a, ByteView b) {
  const std::size_t common = std::min(a.size(), b.size());
  const auto at = std::mismatch(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(common), b.begin());
  const auto offset = static_cast<std::size_t>(at.first - a.begin());
  return offset == a.size() && offset == b.size() ? std::nullopt : std::optional<std::uint64_t>(offset);
}

std::string percent(double share) {
  constexpr double kScale = 10000;
  // Rounded down: what is not wholly understood never reads as 100 %.
  const auto hundredths = static_cast<std::uint64_t>(share * kScale);
  const std::string fraction = std::to_string(hundredths % 100);
  return std::to_string(hundredths / 100) + '.' + (fraction.size() < 2 ? "0" + fraction : fraction) + " %";
}

std::string row_text(const Input& input, const Row& row, bool color) {
  const Style style = is_good(row.roundtrip) ? Style::green : Style::red;
  std::string text = paint(style, roundtrip_name(row.roundtrip), color);
  text.append(9 - roundtrip_name(row.roundtrip).size(), ' ');
  if (row.account) {
    text += percent(row.account->share()) + "  ";
  }
  text += row.kind.empty() ? "" : row.kind + "  ";
  text += to_utf8(input.name);
  if (row.first_difference) {
    text += "  first difference at " + offset_text(*row.first_difference);
  }
  return text + '\n';
}

class Survey {
 public:
  Survey(const Settings& settings, std::vector<Input> inputs)
      : settings_(settings), inputs_(std::move(inputs)), rows_(inputs_.size()) {}

  int run() {
    const Tally tally = run_batch(settings_, inputs_, [this](std::size_t index) { return examine(index); });
    if (tally.exit == kInterrupted) {
      return tally.exit;
    }
    write_stdout(settings_.json ? json_line(summary_json(tally)) : summary_text(tally));
    return tally.exit;
  }

 private:
  Outcome examine(std::size_t index) {
    const Input& input = inputs_[index];
    Row& row = rows_[index];
    Diagnostics findings;
    auto content = load(input, settings_);
    if (!content) {
      return failed(input, row, nullptr, findings, content.error());
    }
    row.kind = kind_of(content->identity);
    if (content->skipped) {
      row.skipped = true;
      Outcome outcome;
      outcome.skipped = true;
      outcome.format = content->identity.format;
      return outcome;
    }
    const auto document = read_any(content->bytes, read_options(settings_), findings);
    if (!document) {
      return failed(input, row, &content->identity, findings, document.error());
    }
    compare(*content, *document, row);
    return done(input, row, content->identity, findings);
  }

  void compare(const Content& content, const AnyDocument& document, Row& row) const {
    const Bytes written = write_any(document);
    if (is_text(content.identity.format)) {
      Diagnostics ignored(0);
      const auto again = read_any(written, read_options(settings_), ignored);
      row.roundtrip = again && same_content(document, *again) ? Roundtrip::same : Roundtrip::differs;
      return;
    }
    row.first_difference = first_difference(content.bytes, written);
    row.roundtrip = row.first_difference ? Roundtrip::differs : Roundtrip::exact;
    row.account = account_bytes(inspection_of(document));
  }

  Outcome done(const Input& input, Row& row, const Identity& identity, const Diagnostics& findings) {
    count_findings(row, findings);
    Outcome outcome;
    outcome.exit = is_good(row.roundtrip) ? kOk : kDifferent;
    outcome.warned = findings.count(Severity::warning) > 0;
    if (settings_.json) {
      outcome.out = json_line(row_json(row, envelope("survey", input.name, &identity, findings, nullptr)));
    } else {
      const bool tell = !settings_.quiet || !is_good(row.roundtrip);
      outcome.out = tell ? row_text(input, row, use_color(settings_, stdout_is_terminal())) : "";
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
    outcome.err =
        finding_line(input.name, error, use_color(settings_, stderr_is_terminal())) + hint_line(error);
    outcome.out = settings_.json
                      ? json_line(row_json(row, envelope("survey", input.name, identity, findings, &error)))
                      : row_text(input, row, use_color(settings_, stdout_is_terminal()));
    return outcome;
  }

  static void count_findings(Row& row, const Diagnostics& findings) {
    for (const auto& finding : findings.items()) {
      ++row.findings[std::string(finding.code.id)];
    }
  }

  static Value row_json(const Row& row, Value value) {
    value.set("roundtrip", roundtrip_name(row.roundtrip));
    value.set("first_difference",
              row.first_difference ? Value(static_cast<std::int64_t>(*row.first_difference)) : Value());
    value.set("understood", row.account ? Value(row.account->share()) : Value());
    return value;
  }

  struct Sums {
    std::map<std::string, Outcomes> kinds;                    ///< files by kind and outcome
    std::map<std::string, std::array<std::size_t, 2>> codes;  ///< findings and files by code
    Outcomes outcomes{};
    ByteAccount account;
  };

  [[nodiscard]] Sums sums() const {
    Sums sums;
    for (const auto& row : rows_) {
      if (row.skipped) {
        continue;
      }
      const auto outcome = static_cast<std::size_t>(row.roundtrip);
      ++sums.outcomes.at(outcome);
      ++sums.kinds[row.kind.empty() ? "unreadable" : row.kind].at(outcome);
      for (const auto& [code, count] : row.findings) {
        auto& numbers = sums.codes[code];
        numbers[0] += count;
        ++numbers[1];
      }
      const ByteAccount account = row.account.value_or(ByteAccount());
      sums.account.understood += account.understood;
      sums.account.raw += account.raw;
    }
    return sums;
  }

  [[nodiscard]] std::string summary_text(const Tally& tally) const {
    const Sums all = sums();
    std::string text = inputs_.empty() ? "" : "\n";
    for (const auto& [kind, outcomes] : all.kinds) {
      text += kind + ": " + outcomes_text(outcomes) + '\n';
    }
    for (const auto& [code, numbers] : all.codes) {
      text += code + ": " + counted(numbers[0], "finding") + " in " + counted(numbers[1], "file") + '\n';
    }
    text += counted(tally.ok + tally.failed, "file") + ": " + outcomes_text(all.outcomes);
    const bool accounted = all.account.understood + all.account.raw > 0;
    text += accounted ? "; " + percent(all.account.share()) + " of their bytes understood\n" : "\n";
    return text + tally_text(tally) + '\n';
  }

  [[nodiscard]] Value summary_json(const Tally& tally) const {
    const Sums all = sums();
    const auto number = [](std::size_t count) { return Value(static_cast<std::int64_t>(count)); };
    const auto outcomes_json = [&](const Outcomes& outcomes) {
      Value value = Value::Object();
      for (std::size_t i = 0; i < outcomes.size(); ++i) {
        value.set(kRoundtripNames.at(i), number(outcomes.at(i)));
      }
      return value;
    };
    Value value = summary_envelope("survey", tally.exit == kOk);
    add_tally(value, tally);
    value.set("roundtrip", outcomes_json(all.outcomes));
    value.set("understood", all.account.share());
    Value kinds = Value::Object();
    for (const auto& [kind, outcomes] : all.kinds) {
      kinds.set(kind, outcomes_json(outcomes));
    }
    value.set("kinds", std::move(kinds));
    Value codes = Value::Object();
    for (const auto& [code, numbers] : all.codes) {
      codes.set(code, Value().set("findings", number(numbers[0])).set("files", number(numbers[1])));
    }
    value.set("codes", std::move(codes));
    return value;
  }

  const Settings& settings_;
  std::vector<Input> inputs_;
  std::vector<Row> rows_;
};

}  // namespace

int run_survey(const Settings& settings) {
  auto inputs = collect_inputs(settings);
  if (!inputs) {
    write_stderr(finding_line(settings.files_from, inputs.error(), false));
    return exit_of(inputs.error());
  }
  return Survey(settings, std::move(*inputs)).run();
}

}  // namespace thaw::cli
