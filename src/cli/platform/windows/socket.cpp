#include "cli/platform/socket.hpp"

#include <winsock2.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace thaw::cli {
namespace {

static_assert(sizeof(SOCKET) == sizeof(SocketHandle));

/// The library of sockets is there from the first one on, until the process ends.
bool have_sockets() {
  static const bool kStarted = [] {
    WSADATA data{};
    return ::WSAStartup(MAKEWORD(2, 2), &data) == 0;
  }();
  return kStarted;
}

bool never_wait(SOCKET socket) {
  u_long on = 1;
  return ::ioctlsocket(socket, FIONBIO, &on) == 0;
}

Socket::Transfer transfer(int count) {
  if (count > 0) {
    return {static_cast<std::size_t>(count), false};
  }
  return {0, count == 0 || ::WSAGetLastError() != WSAEWOULDBLOCK};
}

/// One call takes no more.
int length_of(std::size_t size) { return static_cast<int>(std::min(size, std::size_t{1} << 24U)); }

}  // namespace

std::optional<Socket> Socket::listen_on(std::uint16_t port) {
  const SOCKET listener = have_sockets() ? ::socket(AF_INET, SOCK_STREAM, 0) : INVALID_SOCKET;
  if (listener == INVALID_SOCKET) {
    return std::nullopt;
  }
  Socket opened(listener);
  // SO_REUSEADDR would let two programs have the same port here; this keeps others out.
  const BOOL on = TRUE;
  ::setsockopt(listener, SOL_SOCKET, SO_EXCLUSIVEADDRUSE, reinterpret_cast<const char*>(&on), sizeof(on));
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
    ::closesocket(handle_);
  }
}

std::uint16_t Socket::port() const {
  sockaddr_in address{};
  int size = sizeof(address);
  ::getsockname(handle_, reinterpret_cast<sockaddr*>(&address), &size);
  return ntohs(address.sin_port);
}

std::optional<Socket> Socket::accept() const {
  const SOCKET accepted = ::accept(handle_, nullptr, nullptr);
  if (accepted == INVALID_SOCKET) {
    return std::nullopt;
  }
  Socket came(accepted);
  return never_wait(accepted) ? std::optional(std::move(came)) : std::nullopt;
}

Socket::Transfer Socket::receive(std::span<char> buffer) const {
  return transfer(::recv(handle_, buffer.data(), length_of(buffer.size()), 0));
}

Socket::Transfer Socket::send(ByteView bytes) const {
  return transfer(::send(handle_, reinterpret_cast<const char*>(bytes.data()), length_of(bytes.size()), 0));
}

void Socket::finish() const { ::shutdown(handle_, SD_SEND); }

void wait_for_sockets(std::span<SocketWait> sockets, std::chrono::milliseconds patience) {
  std::vector<WSAPOLLFD> waiting;
  waiting.reserve(sockets.size());
  for (const auto& one : sockets) {
    const auto events = static_cast<short>(one.to_send ? POLLWRNORM : POLLRDNORM);
    waiting.push_back({one.socket->handle(), events, 0});
  }
  ::WSAPoll(waiting.data(), static_cast<ULONG>(waiting.size()), static_cast<int>(patience.count()));
  for (std::size_t i = 0; i < sockets.size(); ++i) {
    sockets[i].ready = waiting[i].revents != 0;
  }
}

}  // namespace thaw::cli
