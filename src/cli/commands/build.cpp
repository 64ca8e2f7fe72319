#include <thaw/edit.hpp>

#include "cli/arguments/commands.hpp"
#include "cli/jobs/made_file.hpp"

namespace thaw::cli {
namespace {

constexpr JobKind kBuiltFiles{"files that are built"};

}  // namespace

int run_build(const Settings& settings) {
  return make_file(
      settings, "build", "built", kBuiltFiles, settings.inputs, false, [&](Diagnostics& findings) {
        return load_text(settings.inputs.front(), settings).and_then([&](const std::string& json) {
          return build_any(json, read_options(settings), findings).map(write_any);
        });
      });
}

}  // namespace thaw::cli
