#include <thaw/codes.hpp>
#include <thaw/edit.hpp>
#include <thaw/sources.hpp>
#include <thaw/wdt.hpp>

#include "bytes/number_text.hpp"
#include "cli/arguments/commands.hpp"
#include "cli/jobs/save.hpp"
#include "cli/jobs/save_archive.hpp"
#include "cli/jobs/single_output.hpp"
#include "cli/jobs/targets.hpp"
#include "cli/platform/interrupt.hpp"
#include "cli/platform/job_control.hpp"
#include "cli/platform/stdin.hpp"
#include "describe/limits.hpp"
#include "patch/build.hpp"

#include <algorithm>

namespace thaw::cli {
namespace {

constexpr JobKind kBuiltFiles{"built files"};

/// The input as it comes.
class ComingText {
 public:
  ComingText(std::shared_ptr<const Storage> file, const Limits& limits)
      : file_(std::move(file)), limits_(limits) {}

  Result<std::size_t> read(std::span<char> buffer) {
    stop_when_requested();
    if (!pending_.empty()) {
      const std::size_t size = std::min(buffer.size(), pending_.size());
      std::copy_n(pending_.begin(), size, buffer.begin());
      pending_.erase(0, size);
      return size;
    }
    const std::span<std::uint8_t> bytes(reinterpret_cast<std::uint8_t*>(buffer.data()), buffer.size());
    auto got = file_ != nullptr ? from_file(bytes) : from_stdin(bytes);
    read_ += got.value_or(0);
    if (read_ > limits_.max_input_bytes) {
      return input_too_large(read_, limits_);
    }
    const bool going = proceed(current_control(), "bytes", read_, file_ != nullptr ? file_->size() : 0);
    return going ? got : fail(codes::kStopped, "");
  }

  /// The first bytes, which stay to be read.
  Result<std::string_view> look() {
    constexpr std::size_t kEnough = 128;
    std::string start(kEnough, '\0');
    std::size_t size = 0;
    while (size < kEnough) {
      const auto got = read(std::span(start).subspan(size));
      if (!got) {
        return tl::unexpected<Error>(got.error());
      }
      if (*got == 0) {
        break;
      }
      size += *got;
    }
    start.resize(size);
    pending_ = std::move(start);
    return std::string_view(pending_);
  }

  Result<std::string> all() {
    std::string text;
    std::string piece(std::size_t{1} << 16U, '\0');
    while (true) {
      const auto got = read(piece);
      if (!got) {
        return tl::unexpected<Error>(got.error());
      }
      if (*got == 0) {
        return text;
      }
      text.append(piece, 0, *got);
    }
  }

 private:
  Result<std::size_t> from_file(std::span<std::uint8_t> buffer) const {
    const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size(), file_->size() - read_));
    return file_->read(read_, buffer.first(size)) ? Result<std::size_t>(size)
                                                  : fail(codes::kInputUnreadable, "cannot read the file");
  }

  /// In short turns: Ctrl-C may reach another thread than this one.
  static Result<std::size_t> from_stdin(std::span<std::uint8_t> buffer) {
    constexpr auto kTurn = std::chrono::milliseconds(100);
    while (!interrupted()) {
      stop_when_requested();
      const auto got = read_stdin(buffer, kTurn);
      if (!got || *got) {
        return got.map([](std::optional<std::size_t> size) { return *size; });
      }
    }
    return fail(codes::kInputUnreadable, "interrupted");
  }

  std::shared_ptr<const Storage> file_;  ///< none: stdin
  Limits limits_;
  std::uint64_t read_ = 0;
  std::string pending_;
};

/// What is neither stdin nor a file of its own is read at once, as is what cannot be read.
std::optional<ComingText> coming_text(const Settings& settings) {
  const Limits limits = read_options(settings).limits;
  const Input input = named_input(settings.inputs.front(), settings);
  if (input.name == "-") {
    return ComingText(nullptr, limits);
  }
  auto file = input.failure || input.member != nullptr || input.one_file ? fail(codes::kInputUnreadable, "")
                                                                         : open_storage(input.path);
  return file ? std::optional<ComingText>(std::in_place, std::move(*file), limits) : std::nullopt;
}

/// A map that was written has to show, tile by tile, the fields that were built.
Result<void> check_map(const std::shared_ptr<const Storage>& file, const PackedLeaves& leaves,
                       const Settings& settings, ArchiveReport& report) {
  Diagnostics findings;
  return wdt::Stream::open(file, read_options(settings), findings)
      .and_then([&](const wdt::Stream& map) -> Result<void> {
        const auto strange = first_strange_leaf(map.inspection(), leaves);
        stop_when_requested();
        if (auto failure = map.failure()) {
          return tl::unexpected<Error>(std::move(*failure));
        }
        if (strange) {
          return fail(codes::kBuildDiffers, std::string(kStrangeLeaf), {}, *strange);
        }
        report.facts = counted(map.world().tiles().size(), "tile");
        for (const Diagnostic& finding : findings.items()) {
          report.findings.add(in_what_is_written(finding));
        }
        return {};
      });
}

Exit build_map(ComingText& text, const Settings& settings) {
  PackedLeaves leaves;
  return save_archive(
      settings, settings.output,
      [&](Sink& out, ArchiveReport& /*report*/) {
        const auto source = [&](std::span<char> buffer) -> Result<std::size_t> {
          const std::uint64_t most = settings.max_output.value_or(~std::uint64_t{0});
          return out.size() <= most ? text.read(buffer)
                                    : fail(codes::kOutputTooLarge, "the output would exceed the limit of " +
                                                                       std::to_string(most) + " bytes");
        };
        return build_as_it_comes(source, out, std::size_t{8} << 20U, read_options(settings).code_page)
            .map([&](PackedLeaves&& built) { leaves = std::move(built); });
      },
      {"build", "built", ""},
      [&](const std::shared_ptr<const Storage>& file, ArchiveReport& report) {
        return check_map(file, leaves, settings, report);
      });
}

/// What is left for a map's text, whose parts are written as they come: a file, and not only in words.
bool goes_to_file(const Settings& settings) {
  std::error_code error;
  return !settings.output.empty() && !settings.dry_run && !settings.skip_existing &&
         !goes_to_stdout(settings) && !names_folder(settings, false) && !is_device(settings.output);
}

}  // namespace

int run_build(const Settings& settings) {
  auto text = goes_to_file(settings) ? coming_text(settings) : std::nullopt;
  if (text) {
    const auto start = text->look();
    const Format map = find_format("wdt");
    if (start && format_of_layout_in_front(*start) == map.id() &&
        !says_another_format(settings.output, map)) {
      return build_map(*text, settings);
    }
  }
  return make_file(settings, "build", "built", kBuiltFiles, settings.inputs, false, [&](OutputReport& file) {
    return (text ? text->all() : load_text(settings.inputs.front(), settings))
        .and_then([&](const std::string& json) {
          return build_any(json, read_options(settings), file.result).and_then([&](const AnyDocument& built) {
            return write_as_named(built, settings);
          });
        });
  });
}

}  // namespace thaw::cli
