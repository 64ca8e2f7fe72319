// What src/cli/platform and src/sources/file.cpp do, one call by a word: for a system on which building the
// whole command takes long (tests/scripts/windows_platform.sh).
#include <thaw/sources.hpp>

#include "bytes/text.hpp"
#include "cli/platform/command_line.hpp"
#include "cli/platform/file_identity.hpp"
#include "cli/platform/interrupt.hpp"
#include "cli/platform/process.hpp"
#include "cli/platform/socket.hpp"
#include "cli/platform/stdin.hpp"

#include <array>
#include <cstdio>

namespace {

using namespace thaw;
using namespace thaw::cli;
using Words = std::vector<std::string>;
using std::chrono::milliseconds;

void print(const Words& words) {
  for (const auto& word : words) {
    std::printf("[%s]\n", word.c_str());
  }
}

int copy_stdin() {
  std::array<std::uint8_t, 4096> buffer{};
  while (!interrupted()) {
    const auto got = read_stdin(buffer, milliseconds(100));
    if (!got) {
      return 3;
    }
    if (*got == std::size_t{0}) {
      return 0;
    }
    std::fwrite(buffer.data(), 1, got->value_or(0), stdout);
  }
  return 130;
}

void answer(const Socket& socket, const std::string& text) {
  std::size_t at = 0;
  while (at < text.size()) {
    std::array<SocketWait, 1> waits{SocketWait{&socket, true}};
    wait_for_sockets(waits, milliseconds(1000));
    const auto sent = socket.send(as_bytes(std::string_view(text).substr(at)));
    if (sent.over) {
      return;
    }
    at += sent.size;
  }
  socket.finish();
}

int serve() {
  const auto listener = Socket::listen_on(0);
  if (!listener || Socket::listen_on(listener->port())) {
    return 3;  // no port, or one that two may have
  }
  std::printf("%d\n", listener->port());
  std::fflush(stdout);
  while (!interrupted()) {
    std::array<SocketWait, 1> waits{SocketWait{&*listener}};
    wait_for_sockets(waits, milliseconds(100));
    if (const auto guest = waits[0].ready ? listener->accept() : std::nullopt) {
      answer(*guest, std::string(3000000, 'x'));
    }
  }
  return 130;
}

int run(const std::string& what, const Words& words) {
  if (what == "words") {
    print(words);
  } else if (what == "expand") {
    print(expand_word(words.at(0)));
  } else if (what == "path") {
    print({portable_path(words.at(0))});
  } else if (what == "same") {
    const auto one = file_identity(words.at(0));
    return one && one == file_identity(words.at(1)) ? 0 : 1;
  } else if (what == "read") {
    const auto bytes = read_file(words.at(0), {});
    print({bytes ? std::string(bytes->begin(), bytes->end()) : bytes.error().message});
  } else if (what == "write") {
    const auto done = write_file(words.at(0), as_bytes(words.at(1)), words.size() > 2);
    print({done ? "written" : done.error().message});
  } else if (what == "find") {
    print({portable_path(find_program(words.at(0)).string())});
  } else if (what == "run") {
    const auto status = run_program(words.at(0), {words.begin() + 1, words.end()}, nullptr);
    print({status ? std::to_string(*status) : "not run"});
  } else if (what == "copy") {
    return copy_stdin();
  } else if (what == "serve") {
    return serve();
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const Words words = begin_run(argc, argv);
  catch_interrupts();
  return words.empty() ? 2 : run(words.front(), {words.begin() + 1, words.end()});
}
