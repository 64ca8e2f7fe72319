#include <cstdio>
#include <string>
#include <thaw/thaw.hpp>
#include <thaw/version.hpp>

int main() {
  // A call into the library, not only its headers.
  if (thaw::version() != thaw::kVersion) return 1;
  std::printf("thaw %s\n", std::string(thaw::version()).c_str());
  return 0;
}
