// A model of any bytes is bundled: nothing of what lies hidden, behind a link or outside comes along, and
// nothing is written outside of the bundle.
#include "bytes/text.hpp"
#include "command.hpp"
#include "require.hpp"

#include <thaw/image.hpp>

#include <algorithm>
#include <fstream>
#include <iterator>

namespace fs = std::filesystem;
using namespace thaw;

namespace {

constexpr std::string_view kSecret = "the secret of the user, in a picture that a model can use";

/// A picture, so that its content is of a kind that models use.
Bytes picture(bool secret) {
  const Image image{1, 1, {1, 2, 3, 255}};
  Bytes png = encode_png(image);
  if (secret) {
    const ByteView bytes = as_bytes(kSecret);
    png.insert(png.end(), bytes.begin(), bytes.end());
  }
  return png;
}

/// A folder with a model, and what it may have and may not.
const fs::path& folder() {
  static const fs::path kFolder = [] {
    const fs::path path = fuzz::workplace() / "user" / "models";
    fs::create_directories(path / "Textures");
    fs::create_directories(path / ".ssh");
    fs::create_directories(fuzz::workplace() / "user" / "private");
    fuzz::put_file(path / "Textures" / "a.png", picture(false));
    fuzz::put_file(path / "a.blp", picture(false));
    fuzz::put_file(path / ".ssh" / "a.png", picture(true));
    fuzz::put_file(path / ".a.png", picture(true));
    fuzz::put_file(fuzz::workplace() / "user" / "private" / "a.png", picture(true));
    fs::create_symlink("../private", path / "link");
    fs::create_symlink("../private/a.png", path / "b.png");
    return path;
  }();
  return kFolder;
}

bool holds_secret(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  const std::string content{std::istreambuf_iterator<char>(stream), {}};
  return content.find(kSecret) != std::string::npos;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view content(reinterpret_cast<const char*>(data), size);
  if (content.find(kSecret.substr(0, 8)) != std::string_view::npos) {
    return 0;  // what the model holds itself is no secret
  }
  const fs::path model = folder() / "x.mdx";
  const fs::path out = fuzz::workplace() / "out";
  fuzz::put_file(model, ByteView(data, size));
  const auto before = fuzz::files_below(folder());
  const auto ran = fuzz::run({"bundle", model.string(), "-o", out.string() + "/"});
  fuzz::require(!fuzz::steers(ran.err) && !fuzz::steers(ran.out), "a message steers the terminal\n");
  for (const fs::path& file : fuzz::files_below(out)) {
    fuzz::require(!fs::is_symlink(file) && !holds_secret(file), "a bundle holds what is private\n");
  }
  fuzz::require(fuzz::files_below(folder()) == before, "files came or went beside the model\n");
  fs::remove_all(out);
  return 0;
}
