#include "cli/jobs/progress.hpp"

#include "bytes/shown.hpp"
#include "cli/report/console.hpp"

namespace thaw::cli {
namespace {

/// The last bytes of a text in UTF-8, from the beginning of a character on.
std::string tail_of(const std::string& text, std::size_t width) {
  if (text.size() <= width) {
    return text;
  }
  std::size_t begin = text.size() - width;
  while (begin < text.size() && (static_cast<unsigned char>(text[begin]) & 0xC0U) == 0x80U) {
    ++begin;
  }
  return "…" + text.substr(begin);
}

}  // namespace

Progress::Progress(const Settings& settings, std::size_t total)
    : enabled_(settings.progress == "always" ||
               (settings.progress == "auto" && !settings.quiet && total > 1 && stderr_is_terminal())),
      total_(total) {}

void Progress::show(std::size_t done, const std::string& name) {
  constexpr std::chrono::milliseconds kPatience(500);
  constexpr std::size_t kWidth = 60;
  constexpr std::chrono::milliseconds kPause(100);
  const auto now = Clock::now();
  const auto elapsed = now - start_;
  if (!enabled_ || elapsed < kPatience || now - last_ < kPause) {
    return;
  }
  last_ = now;
  std::string line = std::string(kClearLine) + std::to_string(done) + '/' + std::to_string(total_);
  if (done > 0) {
    const auto left = elapsed * static_cast<Clock::rep>(total_ - done) / static_cast<Clock::rep>(done);
    line +=
        " · " + std::to_string(std::chrono::duration_cast<std::chrono::seconds>(left).count()) + " s left";
  }
  // The end of a path tells more than its beginning.
  write_stderr(line + " · " + tail_of(shown(name), kWidth));
  visible_ = true;
}

void Progress::clear() {
  if (visible_) {
    write_stderr(kClearLine);
    visible_ = false;
  }
}

}  // namespace thaw::cli
