// A thaw.toml of any bytes: it is taken, or the line is named. In a folder that was trusted no path leads
// out.
#include "bytes/text.hpp"
#include "command.hpp"
#include "require.hpp"

#include <thaw/value.hpp>

namespace fs = std::filesystem;
using namespace thaw;

namespace {

/// A folder that is trusted, beside one that is nobody's business.
const fs::path& folder() {
  static const fs::path kFolder = [] {
    const fs::path path = fuzz::workplace() / "mod";
    fs::create_directories(path / "inside");
    fs::create_directories(fuzz::workplace() / "private");
    fs::create_symlink(fuzz::workplace() / "private", path / "link");
    fuzz::require(fuzz::run({"config", "--trust", path.string()}).exit == 0, "the folder is not trusted\n");
    return path;
  }();
  return kFolder;
}

void paths_stay_inside(const Value& reported) {
  for (const Value& setting : reported["settings"].list()) {
    const std::string& origin = setting["origin"].text();
    const std::string& key = setting["key"].text();
    if ((key != "sources" && key != "listfiles") || origin.find("mod/thaw.toml") == std::string::npos) {
      continue;
    }
    std::error_code error;
    const fs::path named = setting["value"].text();
    fs::path real = fs::weakly_canonical(named, error);
    if (error) {  // JSON has bytes that are no UTF-8 as longer ones, too long for a name
      real = named.lexically_normal();
    }
    const std::string path = real.string();
    fuzz::require((path + '/').starts_with(fs::canonical(folder()).string() + '/'),
                  "a path of a thaw.toml leads out\n");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const fs::path file = folder() / "thaw.toml";
  fuzz::put_file(file, ByteView(data, size));
  const auto ran = fuzz::run({"config", "--json", folder().string()});
  fuzz::require(ran.exit == 0 || ran.exit == 2, "settings are taken or refused\n");
  fuzz::require(!fuzz::steers(ran.err), "a message steers the terminal\n");
  if (ran.exit == 0) {
    const auto reported = parse_json(as_bytes(ran.out));
    fuzz::require(reported.has_value(), "config --json is no JSON\n");
    paths_stay_inside(*reported);
  }
  return 0;
}
