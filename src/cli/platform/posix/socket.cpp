#include "cli/platform/socket.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <utility>
#include <vector>

namespace thaw::cli {
namespace {

int descriptor_of(SocketHandle handle) { return static_cast<int>(handle); }

// Flags of socket() and accept4() would do it in one call, but macOS has neither.
bool never_wait(int descriptor) {
#ifdef SO_NOSIGPIPE
  const int on = 1;
  ::setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof(on));
#endif
  return ::fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0 && ::fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0;
}

#ifdef MSG_NOSIGNAL
constexpr int kSendFlags = MSG_NOSIGNAL;
#else
constexpr int kSendFlags = 0;  // SO_NOSIGPIPE says it
#endif

Socket::Transfer transfer(ssize_t count) {
  if (count > 0) {
    return {static_cast<std::size_t>(count), false};
  }
  return {0, count == 0 || errno != EAGAIN};
}

}  // namespace

std::optional<Socket> Socket::listen_on(std::uint16_t port) {
  const int listener = ::socket(AF_INET, SOCK_STREAM, 0);
  if (listener < 0) {
    return std::nullopt;
  }
  Socket opened(static_cast<SocketHandle>(listener));
  const int on = 1;
  ::setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const auto* plain = reinterpret_cast<const sockaddr*>(&address);  // as the interface requires it
  if (::bind(listener, plain, sizeof(address)) != 0 || ::listen(listener, 64) != 0 || !never_wait(listener)) {
    return std::nullopt;
  }
  return opened;
}

Socket::Socket(Socket&& other) noexcept : handle_(std::exchange(other.handle_, kNone)) {}

Socket& Socket::operator=(Socket&& other) noexcept {
  std::swap(handle_, other.handle_);
  return *this;
}

Socket::~Socket() {
  if (handle_ != kNone) {
    ::close(descriptor_of(handle_));
  }
}

std::uint16_t Socket::port() const {
  sockaddr_in address{};
  socklen_t size = sizeof(address);
  ::getsockname(descriptor_of(handle_), reinterpret_cast<sockaddr*>(&address), &size);
  return ntohs(address.sin_port);
}

std::optional<Socket> Socket::accept() const {
  const int accepted = ::accept(descriptor_of(handle_), nullptr, nullptr);
  if (accepted < 0) {
    return std::nullopt;
  }
  Socket came(static_cast<SocketHandle>(accepted));
  return never_wait(accepted) ? std::optional(std::move(came)) : std::nullopt;
}

Socket::Transfer Socket::receive(std::span<char> buffer) const {
  return transfer(::recv(descriptor_of(handle_), buffer.data(), buffer.size(), 0));
}

Socket::Transfer Socket::send(ByteView bytes) const {
  return transfer(::send(descriptor_of(handle_), bytes.data(), bytes.size(), kSendFlags));
}

void Socket::finish() const { ::shutdown(descriptor_of(handle_), SHUT_WR); }

void wait_for_sockets(std::span<SocketWait> sockets, std::chrono::milliseconds patience) {
  std::vector<pollfd> waiting;
  waiting.reserve(sockets.size());
  for (const auto& one : sockets) {
    const auto events = static_cast<short>(one.to_send ? POLLOUT : POLLIN);
    waiting.push_back({descriptor_of(one.socket->handle()), events, 0});
  }
  ::poll(waiting.data(), waiting.size(), static_cast<int>(patience.count()));
  for (std::size_t i = 0; i < sockets.size(); ++i) {
    sockets[i].ready = waiting[i].revents != 0;
  }
}

}  // namespace thaw::cli
