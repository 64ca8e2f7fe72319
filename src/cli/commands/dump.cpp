#include <thaw/edit.hpp>

#include "cli/arguments/commands.hpp"
#include "cli/inputs/open.hpp"
#include "cli/report/console.hpp"

namespace thaw::cli {

int run_dump(const Settings& settings) {
  const Opened opened = open_input(settings.inputs.front(), settings);
  const Exit exit = report_findings(opened, settings);
  if (settings.json) {
    std::string object = to_json(opened_envelope("dump", opened));
    object.pop_back();  // the closing brace: the document comes as it is printed
    object += ",\"document\":";
    object += opened.document ? dump_any(*opened.document) : "null";
    write_stdout(object + "}\n");
  } else if (opened.document) {
    write_stdout(dump_any(*opened.document));
  }
  return exit;
}

}  // namespace thaw::cli
