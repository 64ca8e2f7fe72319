#include "cli/platform/isolation.hpp"

#include <thaw/budget_codes.hpp>

namespace thaw::cli {

Result<std::string> isolation_support() {
  return fail(codes::kDied, "--isolate needs Linux; it is not supported on Windows");
}

std::string end_text(const ProcessEnd& end) { return "exit code " + std::to_string(end.exit); }

Result<std::optional<ProcessEnd>> isolate(std::span<const Readable> /*readable*/,
                                          std::optional<double> /*seconds*/, std::uint64_t /*most*/,
                                          const Answer& /*answer*/, const Socket* /*listener*/) {
  return tl::unexpected<Error>(isolation_support().error());
}

bool is_isolated() { return false; }

void end_if_isolated(int /*exit*/) {}

Bytes ask_parent(ByteView /*request*/) { return {}; }

struct Workers::State {};

Workers::Workers(std::size_t /*count*/, std::optional<double> /*seconds*/, std::uint64_t /*most*/,
                 Work /*work*/) {}
Workers::~Workers() = default;
bool Workers::begin(std::size_t /*index*/) { return false; }
bool Workers::busy() const { return false; }
std::vector<Workers::Done> Workers::wait(std::chrono::milliseconds /*patience*/) { return {}; }

}  // namespace thaw::cli
