#include "cli/platform/stdin.hpp"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace thaw::cli {

Result<std::optional<std::size_t>> read_stdin(std::span<std::uint8_t> buffer,
                                              std::chrono::milliseconds patience) {
  pollfd descriptor{STDIN_FILENO, POLLIN, 0};
  const int ready = ::poll(&descriptor, 1, static_cast<int>(patience.count()));
  if (ready == 0 || (ready < 0 && errno == EINTR)) {
    return std::nullopt;
  }
  const auto got = ::read(STDIN_FILENO, buffer.data(), buffer.size());
  if (got >= 0) {
    return static_cast<std::size_t>(got);
  }
  if (errno == EINTR) {
    return std::nullopt;
  }
  return fail(codes::kInputUnreadable, std::generic_category().message(errno));
}

}  // namespace thaw::cli
