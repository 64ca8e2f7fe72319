// Any bytes sent to the server of `thaw view`: it answers or hangs up, without the token it gives nothing,
// and with it nothing that is hidden or lies outside. `$T` stands for the token, `$H` for the server's own
// name.
#include "bytes/text.hpp"
#include "cli/main.hpp"
#include "cli/platform/process.hpp"
#include "command.hpp"
#include "require.hpp"

#include <arpa/inet.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <thread>

namespace fs = std::filesystem;
using namespace thaw;

namespace {

constexpr std::string_view kSecret = "the secret of the user";

/// What is shown, what is hidden in it, and what lies outside.
fs::path make_folder() {
  const fs::path path = fuzz::workplace() / "shown";
  fs::create_directories(path / "models");
  fs::create_directories(path / ".hidden");
  fuzz::put_file(path / "models" / "a.mdx", as_bytes("MDLX"));
  fuzz::put_file(path / ".hidden" / "a.blp", as_bytes(kSecret));
  fuzz::put_file(fuzz::workplace() / "outside.blp", as_bytes(kSecret));
  fs::create_symlink("../outside.blp", path / "link.blp");
  const fs::path page = cli::command_path().parent_path() / "web";
  fs::create_directories(page);
  for (const char* name : {"index.html", "thaw-module.wasm"}) {
    fuzz::put_file(page / name, as_bytes("page"));
  }
  return path;
}

/// The server, which runs as long as the process.
class Server {
 public:
  Server() : stdout_(dup(STDOUT_FILENO)), reported_(memfd_create("told", 0)) {
    const std::string folder = make_folder().string();
    std::fflush(stdout);
    dup2(reported_, STDOUT_FILENO);
    thread_ = std::thread([folder] { cli::run_words({"view", folder, "--no-browser", "-q"}); });
    std::string address;
    while (address.find('\n') == std::string::npos) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      std::array<char, 256> buffer{};
      const ssize_t got = pread(reported_, buffer.data(), buffer.size(), 0);
      address.assign(buffer.data(), static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    }
    dup2(stdout_, STDOUT_FILENO);
    const std::size_t host = address.find("//") + 2;
    const std::size_t token = address.find('/', host) + 1;
    host_ = address.substr(host, token - 1 - host);
    token_ = address.substr(token, address.find('/', token) - token);
  }
  Server(const Server&) = delete;
  Server(Server&&) = delete;
  Server& operator=(const Server&) = delete;
  Server& operator=(Server&&) = delete;
  ~Server() {
    std::raise(SIGINT);
    thread_.join();
  }

  [[nodiscard]] const std::string& host() const { return host_; }
  [[nodiscard]] const std::string& token() const { return token_; }

  /// All that comes back.
  [[nodiscard]] std::string ask(std::string_view request) const {
    const int connection = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(static_cast<std::uint16_t>(std::stoul(host_.substr(host_.find(':') + 1))));
    const auto connects = [&] {
      // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): as the system takes it
      return connect(connection, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    };
    bool there = connects();
    while (!there && errno == EADDRNOTAVAIL) {  // the ports of so many connections have to become free
      std::this_thread::sleep_for(std::chrono::seconds(1));
      there = connects();
    }
    fuzz::require(there, "nothing listens\n");
    std::string answer;
    const bool sent = send(connection, request.data(), request.size(), MSG_NOSIGNAL) >= 0;
    shutdown(connection, SHUT_WR);
    std::array<char, 4096> buffer{};
    for (ssize_t got = 1; sent && got > 0;) {
      got = recv(connection, buffer.data(), buffer.size(), 0);
      answer.append(buffer.data(), static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    }
    close(connection);
    return answer;
  }

 private:
  int stdout_;
  int reported_;
  std::thread thread_;
  std::string host_;
  std::string token_;
};

void replace_all(std::string& text, std::string_view what, const std::string& with) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size())) {
    text.replace(at, what.size(), with);
  }
}

}  // namespace

/// In the place of cli::isolation_splits under libFuzzer (fuzz/CMakeLists.txt), which counts the edges of its
/// own process alone: the server does not answer in a child there.
bool answers_in_a_child() __asm__("__wrap__ZN4thaw3cli16isolation_splitsEv");
bool answers_in_a_child() { return false; }

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Server kServer;
  std::string request(reinterpret_cast<const char*>(data), size);
  replace_all(request, "$T", kServer.token());
  replace_all(request, "$H", kServer.host());
  const std::string answer = kServer.ask(request);
  fuzz::require(answer.empty() || answer.starts_with("HTTP/1.1 "), "an answer that is none\n");
  fuzz::require(answer.find(kSecret) == std::string::npos, "an answer with what nobody may see\n");
  const bool given = answer.starts_with("HTTP/1.1 2") || answer.starts_with("HTTP/1.1 3");
  fuzz::require(!given || request.find(kServer.token()) != std::string::npos,
                "an answer without the token\n");
  return 0;
}
