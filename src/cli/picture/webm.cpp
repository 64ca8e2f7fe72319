#include "cli/picture/webm.hpp"

#include <thaw/codes.hpp>
#include <thaw/sources.hpp>

#include "cli/platform/job_control.hpp"
#include "cli/platform/process.hpp"
#include "cli/report/text.hpp"

#include <fstream>

namespace thaw::cli {
namespace {

namespace fs = std::filesystem;

/// A folder that is gone when the work is done, whatever comes of it.
class Workplace {
 public:
  Workplace() {
    std::error_code error;
    const fs::path among = fs::temp_directory_path(error);
    constexpr int kMost = 10000;
    for (int i = 0; !error && path_.empty() && i < kMost; ++i) {
      const fs::path path = among / concat({"thaw-film-", std::to_string(i)});
      path_ = fs::create_directory(path, error) ? path : fs::path();
    }
    fs::permissions(path_, fs::perms::owner_all, error);
  }
  ~Workplace() {
    std::error_code ignored;
    if (!path_.empty()) {
      fs::remove_all(path_, ignored);
    }
  }
  Workplace(const Workplace&) = delete;
  Workplace(Workplace&&) = delete;
  Workplace& operator=(const Workplace&) = delete;
  Workplace& operator=(Workplace&&) = delete;

  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

bool write_frames(const fs::path& path, std::span<const Image> images) {
  std::ofstream file(path, std::ios::binary);
  for (const Image& image : images) {
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): bytes as the stream takes them
    file.write(reinterpret_cast<const char*>(image.rgba.data()),
               static_cast<std::streamsize>(image.rgba.size()));
  }
  return static_cast<bool>(file.flush());
}

}  // namespace

fs::path find_ffmpeg() { return find_program("ffmpeg"); }

Result<Bytes> encode_webm(const fs::path& ffmpeg, std::span<const Image> images, std::uint64_t per_second) {
  const Workplace place;
  const fs::path frames = place.path() / "frames.rgba";
  const fs::path film = place.path() / "film.webm";
  if (place.path().empty() || !write_frames(frames, images)) {
    return fail(codes::kWriteFailed, "cannot write the frames to the temporary folder");
  }
  const Image& first = images.front();
  const auto status = run_program(ffmpeg,
                                  {"-v",
                                   "error",
                                   "-f",
                                   "rawvideo",
                                   "-pixel_format",
                                   "rgba",
                                   "-video_size",
                                   concat({std::to_string(first.width), "x", std::to_string(first.height)}),
                                   "-framerate",
                                   std::to_string(per_second),
                                   "-i",
                                   frames.string(),
                                   "-c:v",
                                   "libvpx-vp9",
                                   "-pix_fmt",
                                   "yuva420p",
                                   "-crf",
                                   "24",
                                   "-b:v",
                                   "0",
                                   "-flags",
                                   "+bitexact",
                                   "-fflags",
                                   "+bitexact",
                                   "-y",
                                   film.string()},
                                  current_control());
  stop_when_requested();
  auto bytes = status == 0 ? read_file(film, {}) : fail(codes::kWriteFailed, "");
  if (!bytes) {
    return fail(codes::kWriteFailed,
                concat({ffmpeg.string(), " did not write a video; write an animated .png instead"}));
  }
  return bytes;
}

}  // namespace thaw::cli
