// Messages between the processes of --isolate: a size in eight bytes, then as many bytes.
#pragma once

#include <thaw/bytes.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <span>

namespace thaw::cli {

#ifdef _WIN32
using PipeEnd = void*;
#else
using PipeEnd = int;
#endif

// Each system's own; false when the other end is gone.
bool send_all(PipeEnd pipe, ByteView bytes);
bool receive_all(PipeEnd pipe, std::span<std::uint8_t> bytes);

using Word = std::array<std::uint8_t, sizeof(std::uint64_t)>;
Word word_of(std::uint64_t value);
std::uint64_t value_of(ByteView word);

/// In place of the size of a result: the worker requests its turn (`Workers::take_turn`).
constexpr std::uint64_t kAsksForTurn = ~std::uint64_t{0};

bool send_message(PipeEnd pipe, ByteView bytes);
/// None when the other end is gone, or sends more than `most` bytes.
std::optional<Bytes> receive_message(PipeEnd pipe, std::uint64_t most);
/// In a worker: sends a request, and waits for the answer.
void ask_for_turn(PipeEnd orders, PipeEnd results);

/// When a process that has so many seconds is killed: later, since it ends by itself if it can.
std::optional<std::chrono::steady_clock::time_point> end_after(std::optional<double> seconds);

/// Gives the turn to a worker that requests it, unless another has it.
template <class Workers>
void pass_turn(Workers& workers) {
  auto next = std::find_if(workers.begin(), workers.end(), [](const auto& one) { return one.has_turn; });
  if (next == workers.end()) {
    next = std::find_if(workers.begin(), workers.end(), [](const auto& one) { return one.asks; });
  }
  if (next != workers.end() && next->asks) {
    next->asks = false;
    next->has_turn = true;
    next->order(1);
  }
}

}  // namespace thaw::cli
