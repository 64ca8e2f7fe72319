// register, unregister: pictures of models in the file manager.

#include "cli/arguments/commands.hpp"
#include "cli/platform/file_manager.hpp"
#include "cli/report/console.hpp"
#include "cli/report/report.hpp"

namespace thaw::cli {
namespace {

int report(std::string_view command, const Result<std::vector<std::string>>& done) {
  if (!done) {
    return fail_with(std::string(command), done.error());
  }
  for (const auto& line : *done) {
    write_stdout(line + '\n');
  }
  return kOk;
}

}  // namespace

int run_register(const Settings& /*settings*/) { return report("register", register_thumbnailer()); }
int run_unregister(const Settings& /*settings*/) { return report("unregister", unregister_thumbnailer()); }

}  // namespace thaw::cli
