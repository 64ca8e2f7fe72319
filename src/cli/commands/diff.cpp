#include <thaw/edit.hpp>
#include <thaw/mdx.hpp>

#include "bytes/shown.hpp"
#include "cli/arguments/commands.hpp"
#include "cli/inputs/open.hpp"
#include "cli/report/console.hpp"

#include <limits>

namespace thaw::cli {
namespace {

constexpr std::uint64_t kDefaultLimit = 1000;

Value diff_json(const Opened& left, const Opened& right, const std::vector<Difference>& differences,
                bool equal, bool more) {
  Value value = opened_envelope("diff", left);
  const Value other = opened_envelope("diff", right);
  value.set("ok", left.document.has_value() && right.document.has_value());
  value.set("other", Value()
                         .set("input", to_utf8(right.name))
                         .set("format", *other.find("format"))
                         .set("dialect", *other.find("dialect"))
                         .set("format_version", *other.find("format_version"))
                         .set("diagnostics", *other.find("diagnostics")));
  value.set("equal", equal);
  Value list = Value::List();
  for (const auto& difference : differences) {
    list.push(Value()
                  .set("path", difference.path)
                  .set("left", difference.left.empty() ? Value() : Value(difference.left))
                  .set("right", difference.right.empty() ? Value() : Value(difference.right)));
  }
  value.set("differences", std::move(list));
  value.set("more", more);
  return value;
}

std::string difference_text(const Difference& difference, bool color) {
  const auto side = [&](const std::string& text) {
    return text.empty() ? paint(Style::dim, "(absent)", color) : shown(text);
  };
  return paint(Style::bold, shown(difference.path), color) + ": " + side(difference.left) + " → " +
         side(difference.right) + '\n';
}

/// A model as text and one as MDX are the same kind of document.
bool comparable(const Opened& left, const Opened& right) {
  return left.identity.format == right.identity.format ||
         (left.document->get_if<mdx::Document>() != nullptr &&
          right.document->get_if<mdx::Document>() != nullptr);
}

}  // namespace

int run_diff(const Settings& settings) {
  if (settings.patch && (settings.json || settings.limit)) {
    return usage_error("diff", "--patch is whole and JSON already: --json and --limit do not go with it");
  }
  const Opened left = open_input(settings.inputs[0], settings);
  const Opened right = open_input(settings.inputs[1], settings);
  const Exit exit = std::max(report_findings(left, settings), report_findings(right, settings));
  std::vector<Difference> differences;
  // One more than shown tells whether there are more.
  const auto limit = static_cast<std::size_t>(
      std::min(settings.limit.value_or(kDefaultLimit), std::numeric_limits<std::uint64_t>::max() - 1));
  const bool both = left.document && right.document;
  if (both && !comparable(left, right)) {
    differences.push_back({"format", std::string(left.identity.name), std::string(right.identity.name)});
  } else if (both) {
    differences = diff(inspection_of(*left.document), inspection_of(*right.document), limit + 1);
  }
  const bool equal = both && differences.empty();
  const bool more = differences.size() > limit;
  differences.resize(std::min(differences.size(), limit));
  if (settings.patch && both) {
    write_stdout(left.document->same_type(*right.document) ? diff_patch(*left.document, *right.document)
                                                           : "");
  } else if (settings.json) {
    write_stdout(json_line(diff_json(left, right, differences, equal, more)));
  } else {
    const bool color = use_color(settings, stdout_is_terminal());
    for (const auto& difference : differences) {
      write_stdout(difference_text(difference, color));
    }
    if (more && !settings.quiet) {
      write_stderr("more differences follow; --limit shows them\n");
    }
  }
  return !both ? exit : equal ? kOk : kDifferent;
}

}  // namespace thaw::cli
