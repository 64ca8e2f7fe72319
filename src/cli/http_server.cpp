#include "cli/http_server.hpp"

#include "bytes/ascii.hpp"
#include "cli/text.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <optional>
#include <utility>
#include <vector>

namespace thaw::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMostHeader = 16384;
constexpr std::size_t kMostConnections = 64;
constexpr int kPollMilliseconds = 200;
/// Until a request is complete, and then without a byte that could be sent. Browsers open connections that
/// they may never use.
constexpr auto kPatience = std::chrono::seconds(10);

struct Connection {
  int socket = -1;
  std::string received;
  Clock::time_point since = Clock::now();  ///< of the request, then of the last byte that went
  bool answering = false;
  std::string head;
  Bytes body;
  std::size_t sent = 0;  ///< of both
};

std::string_view reason_of(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 302:
      return "Found";
    case 400:
      return "Bad Request";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    default:
      return "Error";
  }
}

/// Nothing is kept by the browser, nothing comes from elsewhere, and no other page may embed this one.
constexpr std::string_view kGuards =
    "\r\nConnection: close\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff"
    "\r\nReferrer-Policy: no-referrer\r\nCross-Origin-Resource-Policy: same-origin"
    "\r\nContent-Security-Policy: default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; "
    "style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; frame-ancestors 'none'";

std::string head_of(const HttpResponse& response) {
  return concat({"HTTP/1.1 ", std::to_string(response.status), " ", reason_of(response.status),
                 "\r\nContent-Type: ", response.type,
                 "\r\nContent-Length: ", std::to_string(response.body.size()), kGuards,
                 response.location.empty() ? "" : "\r\nLocation: ", response.location, "\r\n\r\n"});
}

void answer(Connection& connection, HttpResponse response, bool with_body) {
  connection.answering = true;
  connection.since = Clock::now();
  connection.head = head_of(response);
  connection.body = with_body ? std::move(response.body) : Bytes();
}

/// The value of a header.
std::string header_value(std::string_view head, std::string_view name) {
  for (std::size_t at = head.find("\r\n"); at != std::string_view::npos; at = head.find("\r\n", at + 2)) {
    const std::string_view line = head.substr(at + 2, head.find("\r\n", at + 2) - at - 2);
    const auto colon = line.find(':');
    if (colon != std::string_view::npos && ascii::same(line.substr(0, colon), name)) {
      const auto start = line.find_first_not_of(" \t", colon + 1);
      return start == std::string_view::npos ? "" : std::string(line.substr(start));
    }
  }
  return "";
}

struct Parsed {
  std::string method;
  HttpRequest request;
};

std::optional<Parsed> parse(std::string_view head) {
  const std::string_view line = head.substr(0, head.find("\r\n"));
  const auto first = line.find(' ');
  const auto second = line.find(' ', first + 1);
  if (first == std::string_view::npos || second == std::string_view::npos ||
      line.substr(second + 1, 7) != "HTTP/1.") {
    return std::nullopt;
  }
  const std::string_view target = line.substr(first + 1, second - first - 1);
  const auto question = target.find('?');
  Parsed parsed;
  parsed.method = line.substr(0, first);
  if (!decode_percent(target.substr(0, question), parsed.request.path)) {
    return std::nullopt;
  }
  parsed.request.query = question == std::string_view::npos ? "" : target.substr(question + 1);
  parsed.request.host = header_value(head, "host");
  return parsed;
}

void respond(Connection& connection, const HttpServer::Handler& handler) {
  const auto parsed = parse(connection.received);
  if (!parsed) {
    answer(connection, text_response(400, "this is no request\n"), true);
  } else if (parsed->method != "GET" && parsed->method != "HEAD") {
    answer(connection, text_response(405, "only GET and HEAD\n"), true);
  } else {
    answer(connection, handler(parsed->request), parsed->method == "GET");
  }
}

/// False if the connection is over.
bool receive(Connection& connection, const HttpServer::Handler& handler) {
  std::array<char, 4096> buffer{};
  const ssize_t count = recv(connection.socket, buffer.data(), buffer.size(), 0);
  if (count <= 0) {
    return count < 0 && errno == EAGAIN;
  }
  connection.received.append(buffer.data(), static_cast<std::size_t>(count));
  if (connection.received.find("\r\n\r\n") != std::string::npos) {
    respond(connection, handler);
    return true;
  }
  return connection.received.size() <= kMostHeader;
}

/// As much as the socket takes now; false if the connection is over.
bool send_more(Connection& connection) {
  const std::size_t head = connection.head.size();
  const std::size_t total = head + connection.body.size();
  while (connection.sent < total) {
    const bool in_head = connection.sent < head;
    const void* data = in_head ? static_cast<const void*>(connection.head.data() + connection.sent)
                               : connection.body.data() + (connection.sent - head);
    const std::size_t size = (in_head ? head : total) - connection.sent;
    const ssize_t sent = send(connection.socket, data, size, MSG_NOSIGNAL);
    if (sent <= 0) {
      return sent < 0 && errno == EAGAIN;
    }
    connection.sent += static_cast<std::size_t>(sent);
    connection.since = Clock::now();
  }
  shutdown(connection.socket, SHUT_WR);
  return false;
}

/// False if the connection is over.
bool go_on(Connection& connection, bool ready, const HttpServer::Handler& handler) {
  if (ready && !connection.answering && !receive(connection, handler)) {
    return false;
  }
  if (connection.answering && !send_more(connection)) {
    return false;
  }
  return Clock::now() - connection.since < kPatience;
}

}  // namespace

HttpResponse text_response(int status, std::string_view text) {
  HttpResponse response;
  response.status = status;
  response.body.resize(text.size());
  std::copy(text.begin(), text.end(), response.body.begin());
  return response;
}

bool decode_percent(std::string_view text, std::string& decoded) {
  decoded.clear();
  for (std::size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '%') {
      const unsigned high = i + 2 < text.size() ? ascii::hex_value(text[i + 1]) : 16U;
      const unsigned low = i + 2 < text.size() ? ascii::hex_value(text[i + 2]) : 16U;
      if (high > 15 || low > 15) {
        return false;
      }
      c = static_cast<char>(high * 16 + low);
      i += 2;
    }
    if (c == '\0') {
      return false;
    }
    decoded.push_back(c);
  }
  return true;
}

std::string query_value(std::string_view query, std::string_view name) {
  while (!query.empty()) {
    const auto end = query.find('&');
    const std::string_view pair = query.substr(0, end);
    const auto equals = pair.find('=');
    std::string value;
    if (equals == name.size() && pair.substr(0, equals) == name &&
        decode_percent(pair.substr(equals + 1), value)) {
      return value;
    }
    query = end == std::string_view::npos ? std::string_view() : query.substr(end + 1);
  }
  return "";
}

Result<HttpServer> HttpServer::open(std::uint16_t port) {
  const auto failed = [port] {
    return fail(codes::kWriteFailed, concat({"port ", std::to_string(port), " of 127.0.0.1 is not free"}));
  };
  const int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (listener < 0) {
    return failed();
  }
  HttpServer server(listener, port);
  const int on = 1;
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  auto* plain = reinterpret_cast<sockaddr*>(&address);  // as the interface wants it
  if (bind(listener, plain, size) != 0 || listen(listener, 64) != 0 ||
      getsockname(listener, plain, &size) != 0) {
    return failed();
  }
  server.port_ = ntohs(address.sin_port);
  return server;
}

HttpServer::HttpServer(HttpServer&& other) noexcept
    : socket_(std::exchange(other.socket_, -1)), port_(other.port_) {}

HttpServer::~HttpServer() {
  if (socket_ >= 0) {
    close(socket_);
  }
}

void HttpServer::serve(const Handler& handler, const std::function<bool()>& ended) const {
  std::vector<Connection> connections;
  while (!ended()) {
    // A negative socket is passed over: whoever comes waits until there is room.
    const bool room = connections.size() < kMostConnections;
    std::vector<pollfd> waiting{{room ? socket_ : -1, POLLIN, 0}};
    for (const auto& connection : connections) {
      waiting.push_back({connection.socket, static_cast<short>(connection.answering ? POLLOUT : POLLIN), 0});
    }
    poll(waiting.data(), waiting.size(), kPollMilliseconds);
    std::vector<Connection> left;
    for (std::size_t i = 0; i < connections.size(); ++i) {
      if (go_on(connections[i], waiting[i + 1].revents != 0, handler)) {
        left.push_back(std::move(connections[i]));
      } else {
        close(connections[i].socket);
      }
    }
    connections = std::move(left);
    while (connections.size() < kMostConnections) {
      const int accepted = accept4(socket_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
      if (accepted < 0) {
        break;
      }
      connections.emplace_back().socket = accepted;
    }
  }
  for (const auto& connection : connections) {
    close(connection.socket);
  }
}

}  // namespace thaw::cli
