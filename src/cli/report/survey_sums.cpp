#include "cli/report/survey_sums.hpp"

#include "bytes/escape.hpp"
#include "bytes/text_encoding.hpp"
#include "cli/report/console.hpp"
#include "cli/report/report.hpp"
#include "cli/report/text.hpp"

namespace thaw::cli {
namespace {

std::string_view roundtrip_name(Roundtrip roundtrip) {
  return kRoundtripNames.at(static_cast<std::size_t>(roundtrip));
}

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

std::string percent(double share) {
  constexpr double kBasisPoints = 10000;
  // Rounded down: what is not wholly understood never reads as 100 %.
  const auto hundredths = static_cast<std::uint64_t>(share * kBasisPoints);
  const std::string fraction = std::to_string(hundredths % 100);
  return std::to_string(hundredths / 100) + '.' + (fraction.size() < 2 ? "0" + fraction : fraction) + " %";
}

struct Sums {
  std::map<std::string, Outcomes> kinds;                    ///< files by kind and outcome
  std::map<std::string, std::array<std::size_t, 2>> codes;  ///< findings and files by code
  Outcomes outcomes{};
  ByteAccount account;
};

Sums sums_of(std::span<const Row> rows) {
  Sums sums;
  for (const auto& row : rows) {
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

}  // namespace

std::string kind_text(std::string_view format, std::string_view dialect,
                      std::optional<std::uint64_t> version) {
  std::string kind(format);
  if (!dialect.empty()) {
    kind += ' ';
    kind += dialect;
  }
  return version ? kind + ' ' + std::to_string(*version) : kind;
}

std::string row_text(const std::string& name, const Row& row, bool color) {
  const Style style = is_good(row.roundtrip) ? Style::green : Style::red;
  std::string text = paint(style, roundtrip_name(row.roundtrip), color);
  text.append(9 - roundtrip_name(row.roundtrip).size(), ' ');
  if (row.account) {
    text += percent(row.account->share()) + "  ";
  }
  text += row.kind.empty() ? "" : row.kind + "  ";
  text += shown(name);
  if (row.first_difference) {
    text += "  first difference at " + offset_text(*row.first_difference);
  }
  return text + '\n';
}

namespace {

/// In quotes where it has to be. A spreadsheet takes what begins as a formula for one: names of files get a
/// blank before that.
std::string csv_cell(std::string_view text) {
  std::string cell = shown(text);
  if (!cell.empty() && std::string_view("=+-@").find(cell.front()) != std::string_view::npos) {
    cell.insert(0, " ");
  }
  if (cell.find_first_of(",\"\n\r") == std::string::npos) {
    return cell;
  }
  std::string quoted = "\"";
  for (const char letter : cell) {
    quoted.append(letter == '"' ? 2 : 1, letter);
  }
  return quoted + '"';
}

}  // namespace

std::string csv_head(const std::string& hash) {
  return concat({"file,kind,bytes,roundtrip,first difference,understood bytes,raw bytes,findings,codes",
                 hash.empty() ? "" : ",", hash, "\n"});
}

std::string csv_line(std::string_view name, const Row& row, const std::string& hash) {
  std::size_t findings = 0;
  std::string codes;
  for (const auto& [code, count] : row.findings) {
    findings += count;
    codes += codes.empty() ? "" : " ";
    codes += code;
  }
  const auto number = [](const auto& value) { return value ? std::to_string(*value) : std::string(); };
  std::string line = csv_cell(name) + ',' + csv_cell(row.kind) + ',' + std::to_string(row.size) + ',';
  line += row.skipped ? "SKIPPED" : roundtrip_name(row.roundtrip);
  line += ',' + number(row.first_difference) + ',';
  line +=
      row.account ? std::to_string(row.account->understood) + ',' + std::to_string(row.account->raw) : ",";
  return line + ',' + std::to_string(findings) + ',' + codes + (hash.empty() ? "" : "," + row.hash) + '\n';
}

Value row_json(const Row& row, Value value) {
  const auto number = [](std::uint64_t count) { return Value(static_cast<std::int64_t>(count)); };
  value.set("roundtrip", roundtrip_name(row.roundtrip));
  value.set("first_difference", row.first_difference ? number(*row.first_difference) : Value());
  value.set("understood", row.account ? Value(row.account->share()) : Value());
  value.set("understood_bytes", row.account ? number(row.account->understood) : Value());
  value.set("raw_bytes", row.account ? number(row.account->raw) : Value());
  return value;
}

std::string survey_text(std::span<const Row> rows, const Tally& tally) {
  const Sums all = sums_of(rows);
  std::string text = rows.empty() ? "" : "\n";
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

Value survey_json(std::span<const Row> rows, const Tally& tally) {
  const Sums all = sums_of(rows);
  const auto number = [](std::size_t count) { return Value(static_cast<std::int64_t>(count)); };
  const auto outcomes_json = [&](const Outcomes& outcomes) {
    Value value = Value::Object();
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
      value.set(kRoundtripNames.at(i), number(outcomes.at(i)));
    }
    return value;
  };
  Value value = summary_envelope("survey", tally.failed == 0);
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

}  // namespace thaw::cli
