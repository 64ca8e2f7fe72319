#include "cli/platform/messages.hpp"

#include <cstring>

namespace thaw::cli {

Word word_of(std::uint64_t value) {
  Word bytes{};
  std::memcpy(bytes.data(), &value, sizeof(value));
  return bytes;
}

std::uint64_t value_of(ByteView word) {
  std::uint64_t value = 0;
  std::memcpy(&value, word.data(), sizeof(value));
  return value;
}

bool send_message(PipeEnd pipe, ByteView bytes) {
  return send_all(pipe, word_of(bytes.size())) && send_all(pipe, bytes);
}

std::optional<Bytes> receive_message(PipeEnd pipe, std::uint64_t most) {
  Word size{};
  if (!receive_all(pipe, size) || value_of(size) > most) {
    return std::nullopt;
  }
  Bytes bytes(static_cast<std::size_t>(value_of(size)));
  return receive_all(pipe, bytes) ? std::optional(std::move(bytes)) : std::nullopt;
}

void ask_for_turn(PipeEnd orders, PipeEnd results) {
  Word answer{};
  if (send_all(results, word_of(kAsksForTurn))) {
    receive_all(orders, answer);  // without one there is nobody to wait for
  }
}

std::optional<std::chrono::steady_clock::time_point> end_after(std::optional<double> seconds) {
  using Clock = std::chrono::steady_clock;
  constexpr double kGrace = 5;
  return seconds ? std::optional(Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                                    std::chrono::duration<double>(*seconds + kGrace)))
                 : std::nullopt;
}

}  // namespace thaw::cli
