// A file of any bytes is reported on: as text that steers no terminal, and as JSON that is JSON.
#include <thaw/value.hpp>

#include "bytes/text.hpp"
#include "checks.hpp"
#include "command.hpp"
#include "require.hpp"

#include <array>

namespace fs = std::filesystem;
using namespace thaw;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static constexpr std::array<const char*, 7> kCommands = {"info", "validate", "survey", "tree",
                                                           "ls",   "deps",     "dump"};
  const ByteView bytes(data, size);
  const std::size_t turn = fuzz::turn_of(bytes);
  const fs::path file = fuzz::workplace() / "x";
  fuzz::put_file(file, bytes);
  const std::string command = kCommands.at(turn % kCommands.size());
  const bool json = command == "dump" || turn / kCommands.size() % 2 == 0;
  std::vector<std::string> words = {command, file.string(), "-v"};
  if (json && command != "dump") {
    words.emplace_back("--json");
  }
  const auto ran = fuzz::run(words);
  fuzz::require(!fuzz::steers(ran.err), "a message steers the terminal\n");
  fuzz::require(json || !fuzz::steers(ran.out), "a report steers the terminal\n");
  for (std::size_t at = 0; json && command != "dump" && at < ran.out.size();) {
    const std::size_t end = std::min(ran.out.find('\n', at), ran.out.size());
    fuzz::require(parse_json(as_bytes(std::string_view(ran.out).substr(at, end - at))).has_value(),
                  "a line of --json is no JSON\n");
    at = end + 1;
  }
  return 0;
}
