// sequences FILE.mdx: what a program sees that needs nothing but models.
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <thaw/mdx.hpp>

int main(int argc, char** argv) {
  if (argc != 2) return 1;
  std::ifstream file(argv[1], std::ios::binary);
  const thaw::Bytes bytes{std::istreambuf_iterator<char>(file), {}};
  const auto document = thaw::mdx::read(bytes);
  if (!document) return 1;
  for (const auto* sequence : document->all<thaw::mdx::Sequences>()) {
    const std::string name(sequence->name.view());
    std::printf("%s %u..%u\n", name.c_str(), sequence->start, sequence->end);
  }
  return 0;
}
