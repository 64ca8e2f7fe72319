// consumer IN OUT: the first page of the library, as a program that knows no format.
#include <cstdio>
#include <string>
#include <thaw/thaw.hpp>

int main(int argc, char** argv) {
  if (argc != 3 || thaw::version() != thaw::kVersion) return 1;
  const auto loaded = thaw::load(argv[1]);
  if (!loaded) {
    std::printf("%s\n", loaded.error().message.c_str());
    return 1;
  }
  const auto& identity = loaded->document.identity();
  std::printf("thaw %s: %s, %zu findings\n", std::string(thaw::version()).c_str(),
              std::string(identity.name).c_str(), thaw::validate(loaded->document).items().size());
  if (!thaw::save(loaded->document, argv[2])) return 1;
  const auto again = thaw::save(loaded->document, argv[2]);
  return !again && again.error().code == thaw::codes::kWriteExists ? 0 : 1;
}
