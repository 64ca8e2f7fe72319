#include "cli/inputs/open.hpp"

#include <thaw/edit.hpp>

#include "cli/inputs/inputs.hpp"
#include "cli/inputs/world_input.hpp"
#include "cli/platform/job_control.hpp"
#include "cli/report/console.hpp"

namespace thaw::cli {

namespace {

void open_map(const Input& input, const Settings& settings, Opened& opened) {
  opened.identity = identify_file(input);
  opened.identified = true;
  auto map = open_stream(input, settings, opened.findings);
  if (map) {
    opened.map = std::move(*map);
    opened.size = opened.map->size();
  } else {
    opened.failure = std::move(map.error());
  }
}

}  // namespace

Inspection Opened::inspection() const { return map ? map->inspection() : inspection_of(*document); }

void Opened::dump(const TextSink& sink, const Control* control) const {
  if (map && !map->is_whole()) {
    dump_json(map->inspection(), sink, control);  // nothing is built of some tiles
  } else if (map) {
    dump_any(map->inspection(), map->storage(), identity.format.id(), sink, control);
  } else {
    dump_any(*document, sink, control, findings);
  }
}

Opened open_input(const std::string& name, const Settings& settings) {
  if (const Input input = named_input(name, settings); is_streamed(input)) {
    Opened opened;
    opened.name = name;
    open_map(input, settings, opened);
    return opened;
  }
  return open_document(name, settings);
}

Opened open_document(const std::string& name, const Settings& settings) {
  Opened opened;
  opened.name = name;
  const Input input = named_input(name, settings);
  auto content = load(input, settings);
  if (!content) {
    opened.failure = std::move(content.error());
    return opened;
  }
  opened.identity = content->identity;
  opened.identified = true;
  opened.size = content->bytes.size();
  auto document = read_content(*content, settings, opened.findings);
  stop_when_requested();
  if (document) {
    opened.document = std::move(*document);
  } else {
    opened.failure = std::move(document.error());
  }
  return opened;
}

std::optional<Exit> failure_since(const Opened& opened, const Settings& settings) {
  stop_when_requested();
  const auto failure = opened.map ? opened.map->failure() : std::nullopt;
  if (!failure) {
    return std::nullopt;
  }
  write_stderr(failure_lines(opened.name, Diagnostics(), *failure, settings));
  return exit_of(*failure);
}

Exit report_findings(const Opened& opened, const Settings& settings) {
  if (const Error* error = opened.error()) {
    write_stderr(failure_lines(opened.name, opened.findings, *error, settings));
    return exit_of(*error);
  }
  write_stderr(
      finding_lines(opened.name, opened.findings, settings, use_color(settings, stderr_is_terminal())));
  return exit_of(opened.findings);
}

Value opened_envelope(std::string_view command, const Opened& opened) {
  return envelope(command, opened.name, opened.identity_if_known(), opened.findings, opened.error());
}

}  // namespace thaw::cli
