// JSON that is read as it comes: a window over the text, which moves on with whoever reads it.
#pragma once

#include <thaw/diagnostics.hpp>

#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace thaw {

/// Fills the buffer with what comes next, or with some of it; 0 at the end.
using JsonSource = std::function<Result<std::size_t>(std::span<char> buffer)>;

class JsonWindow {
 public:
  /// All of a text, which stays where it is.
  explicit JsonWindow(std::string_view whole) : text_(whole), read_(whole.size()), ended_(true) {}
  /// `piece`: bytes that are added at once, at least.
  JsonWindow(JsonSource source, std::size_t piece) : source_(std::move(source)), piece_(piece) {}

  /// What is there of it.
  [[nodiscard]] std::string_view text() const { return text_; }
  /// Whether nothing comes after that.
  [[nodiscard]] bool ended() const { return ended_; }
  [[nodiscard]] std::size_t piece() const { return piece_; }
  /// Bytes of the text so far.
  [[nodiscard]] std::uint64_t size() const { return read_; }
  /// Why it could not be read to its end.
  [[nodiscard]] const std::optional<Error>& failure() const { return failure_; }

  /// Lets go of the first bytes of the window and adds some after it. Moves all of it.
  void advance(std::size_t drop);
  /// The end of the value that begins at this place of the window, by brackets and strings alone; none if
  /// it does not end in the window.
  [[nodiscard]] std::optional<std::size_t> end_of_value(std::size_t from) const;

  /// "3:14": line and column in the whole text.
  [[nodiscard]] std::string line_and_column(const char* at) const;

 private:
  JsonSource source_;
  std::size_t piece_ = 0;
  std::string buffer_;
  std::string_view text_;
  std::uint64_t read_ = 0;
  bool ended_ = false;
  std::optional<Error> failure_;
  std::uint64_t lines_ = 0;    ///< that were let go
  std::uint64_t columns_ = 0;  ///< of the last of them
};

}  // namespace thaw
