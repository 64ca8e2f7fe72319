// thaw_samples DIRECTORY: writes the sample files. Same program, same bytes.

#include "build.hpp"
#include "everything.hpp"

#include <thaw/bytes.hpp>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

namespace {

namespace fs = std::filesystem;
using namespace thaw;

bool save(const fs::path& path, ByteView bytes) {
  fs::create_directories(path.parent_path());
  std::ofstream stream(path, std::ios::binary);
  stream.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  stream.close();
  if (!stream) {
    std::fprintf(stderr, "cannot write %s\n", path.c_str());
  }
  return !stream.fail();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: thaw_samples DIRECTORY\n");
    return 2;
  }
  const fs::path root = argv[1];
  bool good = true;
  for (const auto version : samples::kVersions) {
    const auto name = "everything_v" + std::to_string(version) + ".mdx";
    good = save(root / name, mdx::write(samples::everything(version))) && good;
  }
  return good ? 0 : 1;
}
