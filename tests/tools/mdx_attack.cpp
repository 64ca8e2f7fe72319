// mdx_attack: lists the names of the files that cost a reader of MDX the most.
// mdx_attack NAME SIZE FILE: writes the one of that name, of about SIZE bytes.
#include "support/mdx_attacks.hpp"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string_view>

int main(int argc, char** argv) {
  for (const auto& attack : thaw::test::mdx_attacks()) {
    if (argc == 1) {
      std::puts(attack.name);
    } else if (argc == 4 && std::string_view(argv[1]) == attack.name) {
      const auto file = attack.make(std::strtoul(argv[2], nullptr, 10));
      std::ofstream out(argv[3], std::ios::binary);
      out.write(reinterpret_cast<const char*>(file.view().data()), static_cast<std::streamsize>(file.size()));
      return out.flush() ? EXIT_SUCCESS : EXIT_FAILURE;
    }
  }
  return argc == 1 ? EXIT_SUCCESS : EXIT_FAILURE;
}
