// Processes with nothing in reach but the files that they read: what --isolate runs the work in.
#pragma once

#include <thaw/bytes.hpp>
#include <thaw/diagnostics.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace thaw::cli {

class Socket;

/// What this system has for isolation, for people: "seccomp, Landlock 7". The error says what is missing.
Result<std::string> isolation_support();
/// Whether `isolate` goes on in a copy of this process, with all that it has; otherwise in one that runs the
/// command line again from its start, with the same streams.
bool isolation_splits();

/// A file, or a folder with all below it.
struct Readable {
  std::filesystem::path path;
  bool names_only = false;  ///< which files there are, not what is in them
};

/// How a process ended.
struct ProcessEnd {
  int exit = 0;
  int signal = 0;     ///< that ended it, or 0
  bool late = false;  ///< its time was over
};
/// "signal 11 (Segmentation fault)", or "exit code 3".
std::string end_text(const ProcessEnd& end);

/// Answers the requests of an isolated process.
using Answer = std::function<Bytes(ByteView request)>;

/// Splits this process, which must have a single thread. In the child, returns none: it reads what is
/// `readable`, writes nothing but its open output, starts no program, and has no network. In the
/// parent, answers the child's requests until it ends, and returns how it ended; after `seconds`, if any, the
/// child is killed. Requests of more than `most` bytes end it, too. With a `listener` the child accepts and
/// answers connections to that socket. The error is of the child: it is not isolated and must do nothing.
Result<std::optional<ProcessEnd>> isolate(std::span<const Readable> readable, std::optional<double> seconds,
                                          std::uint64_t most, const Answer& answer,
                                          const Socket* listener = nullptr);

/// Whether this is the child of `isolate`, or a worker of it.
bool is_isolated();

/// Ends an isolated process at once, when all is written: what looks for leaks at the end may not open /proc
/// there.
void end_if_isolated(int exit);
/// What the parent of an isolated process answers; empty if it is gone.
Bytes ask_parent(ByteView request);

/// Children of an isolated process, each of which works on one piece after the other. They start no
/// processes; what they make comes back as bytes. The process must have a single thread.
class Workers {
 public:
  using Work = std::function<Bytes(std::size_t index)>;
  struct Done {
    std::size_t index = 0;
    std::optional<Bytes> result;  ///< none: the worker ended
    ProcessEnd end;
  };

  /// At most `count` children; each piece has so many seconds, and a result so many bytes at most.
  Workers(std::size_t count, std::optional<double> seconds, std::uint64_t most, Work work);
  /// Kills those that are at work.
  ~Workers();
  Workers(const Workers&) = delete;
  Workers(Workers&&) = delete;
  Workers& operator=(const Workers&) = delete;
  Workers& operator=(Workers&&) = delete;

  /// In a child at work: waits until no other has its turn, and has it until its piece is done.
  static void take_turn();

  /// Gives a piece to a child; false if all are at work or none can be started.
  bool begin(std::size_t index);
  [[nodiscard]] bool busy() const;
  /// Waits for at most so long for pieces that are done.
  std::vector<Done> wait(std::chrono::milliseconds patience);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace thaw::cli
