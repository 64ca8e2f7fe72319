#include "cli/serve/http_server.hpp"

#include "bytes/text.hpp"
#include "cli/report/text.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <utility>
#include <vector>

namespace thaw::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMostHeader = 16384;
constexpr std::size_t kMostConnections = 64;
constexpr auto kTurn = std::chrono::milliseconds(200);
/// Until a request is complete, and then without a byte that could be sent. Browsers open connections that
/// they may never use.
constexpr auto kPatience = std::chrono::seconds(10);

struct Connection {
  Socket socket;
  std::string received = {};
  Clock::time_point since = Clock::now();  ///< of the request, then of the last byte that went
  bool answering = false;
  std::string head = {};
  Bytes body = {};
  std::size_t sent = 0;  ///< of both
};

std::string_view reason_of(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 204:
      return "No Content";
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
    answer(connection, text_response(400, "not an HTTP request\n"), true);
  } else if (parsed->method != "GET" && parsed->method != "HEAD") {
    answer(connection, text_response(405, "only GET and HEAD are supported\n"), true);
  } else {
    answer(connection, handler(parsed->request), parsed->method == "GET");
  }
}

/// False if the connection is over.
bool receive(Connection& connection, const HttpServer::Handler& handler) {
  std::array<char, 4096> buffer{};
  const auto came = connection.socket.receive(buffer);
  if (came.size == 0) {
    return !came.over;
  }
  connection.received.append(buffer.data(), came.size);
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
    const auto went = connection.socket.send(connection.sent < head
                                                 ? as_bytes(connection.head).subspan(connection.sent)
                                                 : ByteView(connection.body).subspan(connection.sent - head));
    if (went.size == 0) {
      return !went.over;
    }
    connection.sent += went.size;
    connection.since = Clock::now();
  }
  connection.socket.finish();
  return false;
}

/// Takes in who has come, a few at a time, so that each is heard before many others come. Where there is no
/// room, the connection that has been still for longest makes way.
void accept_some(const Socket& listener, std::vector<Connection>& connections) {
  constexpr int kMost = 16;
  for (int i = 0; i < kMost; ++i) {
    auto accepted = listener.accept();
    if (!accepted) {
      return;
    }
    if (connections.size() >= kMostConnections) {
      connections.erase(
          std::min_element(connections.begin(), connections.end(),
                           [](const Connection& a, const Connection& b) { return a.since < b.since; }));
    }
    connections.push_back({std::move(*accepted)});
  }
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

std::vector<std::string> query_values(std::string_view query, std::string_view name) {
  std::vector<std::string> values;
  while (!query.empty()) {
    const auto end = query.find('&');
    const std::string_view pair = query.substr(0, end);
    const auto equals = pair.find('=');
    std::string value;
    if (equals == name.size() && pair.substr(0, equals) == name &&
        decode_percent(pair.substr(equals + 1), value)) {
      values.push_back(std::move(value));
    }
    query = end == std::string_view::npos ? std::string_view() : query.substr(end + 1);
  }
  return values;
}

std::string query_value(std::string_view query, std::string_view name) {
  auto values = query_values(query, name);
  return values.empty() ? "" : std::move(values.front());
}

Result<HttpServer> HttpServer::open(std::uint16_t port) {
  auto listener = Socket::listen_on(port);
  if (!listener) {
    return fail(codes::kWriteFailed, concat({"port ", std::to_string(port),
                                             " of 127.0.0.1 is in use; choose another with --port"}));
  }
  return HttpServer(std::move(*listener));
}

void HttpServer::serve(const Handler& handler, const std::function<bool()>& ended,
                       const std::function<bool()>& work) const {
  std::vector<Connection> connections;
  while (!ended()) {
    std::vector<SocketWait> waiting;
    for (const auto& connection : connections) {
      waiting.push_back({&connection.socket, connection.answering});
    }
    waiting.push_back({&listener_});
    wait_for_sockets(waiting, work() ? std::chrono::milliseconds(0) : kTurn);
    std::vector<Connection> left;
    for (std::size_t i = 0; i < connections.size(); ++i) {
      if (go_on(connections[i], waiting[i].ready, handler)) {
        left.push_back(std::move(connections[i]));
      }
    }
    connections = std::move(left);
    accept_some(listener_, connections);
  }
}

}  // namespace thaw::cli
