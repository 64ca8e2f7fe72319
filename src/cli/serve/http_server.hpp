// A server for one browser on the same machine: answers GET and HEAD on 127.0.0.1, one request per
// connection.
#pragma once

#include <thaw/bytes.hpp>
#include <thaw/diagnostics.hpp>

#include "cli/platform/socket.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace thaw::cli {

struct HttpRequest {
  std::string path;   ///< percent-decoded, without the query
  std::string query;  ///< as it stands
  std::string host;   ///< the header, empty without one
};

struct HttpResponse {
  int status = 200;
  std::string type = "text/plain; charset=utf-8";
  Bytes body;
  std::string location = {};  ///< of status 302
};

HttpResponse text_response(int status, std::string_view text);

/// Percent-decoded, `+` as it is; false if that cannot be or would hold a NUL.
bool decode_percent(std::string_view text, std::string& decoded);
/// The decoded value of `name` in a query; empty without one.
std::string query_value(std::string_view query, std::string_view name);

/// The decoded values of every `name` in a query.
std::vector<std::string> query_values(std::string_view query, std::string_view name);

/// Listens on 127.0.0.1 from the moment it is opened.
class HttpServer {
 public:
  using Handler = std::function<HttpResponse(const HttpRequest& request)>;

  /// `port` 0 takes a free one. The error is write.failed.
  static Result<HttpServer> open(std::uint16_t port);

  [[nodiscard]] std::uint16_t port() const { return port_; }
  [[nodiscard]] const Socket& listener() const { return listener_; }
  /// Answers until `ended` returns true, which is called a few times per second.
  /// In between it does `work`, a little at a time, for as long as that says that there is more.
  void serve(const Handler& handler, const std::function<bool()>& ended,
             const std::function<bool()>& work) const;

 private:
  explicit HttpServer(Socket listener) : listener_(std::move(listener)), port_(listener_.port()) {}

  Socket listener_;
  std::uint16_t port_;  // which a sandboxed process cannot request
};

}  // namespace thaw::cli
