#include <thaw/edit.hpp>
#include <thaw/mdx.hpp>

#include "bytes/escape.hpp"
#include "cli/arguments/commands.hpp"
#include "cli/inputs/open.hpp"
#include "cli/inputs/world_input.hpp"
#include "cli/platform/job_control.hpp"
#include "cli/report/console.hpp"

#include <limits>

namespace thaw::cli {
namespace {

constexpr std::uint64_t kDefaultLimit = 1000;

Value diff_json(const Opened& left, const Opened& right, const std::vector<Difference>& differences,
                bool equal, bool more) {
  Value value = opened_envelope("diff", left);
  const Value other = opened_envelope("diff", right);
  value.set("ok", left.is_read() && right.is_read());
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
  const auto is_model = [](const Opened& side) {
    return side.document && side.document->get_if<mdx::Document>() != nullptr;
  };
  return left.identity.format == right.identity.format || (is_model(left) && is_model(right));
}

}  // namespace

int run_diff(const Settings& settings) {
  if (settings.patch && (settings.json || settings.limit)) {
    return usage_error(
        "diff", "--patch writes the complete patch as JSON. It cannot be combined with --json or --limit.");
  }
  const std::vector<Input> inputs = {named_input(settings.inputs[0], settings),
                                     named_input(settings.inputs[1], settings)};
  if (const std::string why = check_tiles(settings, inputs); !why.empty()) {
    return usage_error("diff", why);
  }
  if (settings.patch && !settings.tiles.empty()) {
    return usage_error("diff", "--patch compares whole files and cannot be combined with --tiles");
  }
  const auto open = settings.patch ? open_document : open_input;
  const Opened left = open(settings.inputs[0], settings);
  const Opened right = open(settings.inputs[1], settings);
  const Exit exit = std::max(report_findings(left, settings), report_findings(right, settings));
  std::vector<Difference> differences;
  // One more than shown, to know whether there are more.
  const auto limit = static_cast<std::size_t>(
      std::min(settings.limit.value_or(kDefaultLimit), std::numeric_limits<std::uint64_t>::max() - 1));
  const bool both = left.is_read() && right.is_read();
  if (both && !comparable(left, right)) {
    differences.push_back({"format", std::string(left.identity.name), std::string(right.identity.name)});
  } else if (both) {
    differences = left.map && right.map
                      ? wdt::diff(*left.map, *right.map, limit + 1, current_control())
                      : diff(left.inspection(), right.inspection(), limit + 1, current_control());
  }
  for (const Opened* side : {&left, &right}) {
    if (const auto failed = failure_since(*side, settings)) {
      return *failed;
    }
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
      write_stderr("More differences follow. Raise --limit to show them.\n");
    }
  }
  return !both ? exit : equal ? kOk : kDifferent;
}

}  // namespace thaw::cli
