// Connections of programs on this machine. Nothing here waits but `wait_for_sockets`.
#pragma once

#include <thaw/bytes.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>

namespace thaw::cli {

/// What the system calls a socket: a descriptor here, a handle there.
using SocketHandle = std::uintptr_t;

class Socket {
 public:
  /// How much went over, and whether that was the last of it.
  struct Transfer {
    std::size_t size = 0;
    bool over = false;  ///< closed by the other side, or broken
  };

  /// Listens on 127.0.0.1; port 0 takes a free one. None if it is not free.
  static std::optional<Socket> listen_on(std::uint16_t port);
  Socket(const Socket&) = delete;
  Socket(Socket&& other) noexcept;
  Socket& operator=(const Socket&) = delete;
  Socket& operator=(Socket&& other) noexcept;
  ~Socket();

  [[nodiscard]] SocketHandle handle() const { return handle_; }
  /// Of one that listens.
  [[nodiscard]] std::uint16_t port() const;
  /// Whoever has come to one that listens; none if nobody has.
  [[nodiscard]] std::optional<Socket> accept() const;
  /// What has come, as much as there is room for.
  [[nodiscard]] Transfer receive(std::span<char> buffer) const;
  /// As much as the system takes now.
  [[nodiscard]] Transfer send(ByteView bytes) const;
  /// Signals to the other side that nothing more comes.
  void finish() const;

 private:
  static constexpr SocketHandle kNone = ~SocketHandle{0};

  explicit Socket(SocketHandle handle) : handle_(handle) {}

  SocketHandle handle_ = kNone;
};

/// A socket, and what is waited for.
struct SocketWait {
  const Socket* socket = nullptr;
  bool to_send = false;  ///< otherwise to receive or to accept
  bool ready = false;    ///< found by `wait_for_sockets`
};

/// Waits until one of them is ready, but at most so long.
void wait_for_sockets(std::span<SocketWait> sockets, std::chrono::milliseconds patience);

}  // namespace thaw::cli
