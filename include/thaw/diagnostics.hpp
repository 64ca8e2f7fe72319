// Findings as values: the library prints nothing and throws nothing across its interface but std::bad_alloc.
#pragma once

#include <thaw/codes.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#pragma GCC visibility push(default)

namespace thaw {

/// One finding about one place of one input.
struct Diagnostic {
  Code code;
  /// Bytes from the start of the input; none where a finding has no single place.
  std::optional<std::uint64_t> offset;
  /// Field path, e.g. `GEOS[2].vertices`; empty for the whole input.
  std::string path;
  /// One sentence for people. Not stable; test for `code.id` instead.
  std::string message;
};

/// An operation that could not give a result.
using Error = Diagnostic;

/// What a function gives, or why it cannot.
template <class T>
using Result = tl::expected<T, Error>;

/// An error to return from a function that gives a Result.
inline tl::unexpected<Error> fail(Code code, std::string message, std::optional<std::uint64_t> offset = {},
                                  std::string path = {}) {
  return tl::unexpected<Error>(Error{code, offset, std::move(path), std::move(message)});
}

/// Collects findings up to a limit, so that a hostile input cannot make the list itself large.
class Diagnostics {
 public:
  static constexpr std::size_t kDefaultLimit = 1000;

  /// Keeps up to `limit` findings and counts the others.
  explicit Diagnostics(std::size_t limit = kDefaultLimit) : limit_(limit) {}

  /// For calls whose findings are discarded: keeps none, and lives as long as the call.
  // NOLINTNEXTLINE(cppcoreguidelines-rvalue-reference-param-not-moved): the temporary is what callers get
  static Diagnostics& discarded(Diagnostics&& sink = Diagnostics(0)) { return sink; }

  /// Keeps a finding if there is room, else counts it.
  void add(Diagnostic diagnostic);
  /// Adds a finding made of its parts, as Diagnostic has them.
  void add(Code code, std::string message, std::optional<std::uint64_t> offset = {}, std::string path = {}) {
    add(Diagnostic{code, offset, std::move(path), std::move(message)});
  }
  /// True while another finding would be stored: lets callers skip building a text that is thrown away.
  [[nodiscard]] bool has_room() const { return items_.size() < limit_; }

  /// The findings that were kept, in the order in which they were added.
  [[nodiscard]] const std::vector<Diagnostic>& items() const { return items_; }
  /// Findings that were counted but not kept.
  [[nodiscard]] std::size_t suppressed() const { return suppressed_; }
  /// Number of kept findings at or above a severity.
  [[nodiscard]] std::size_t count(Severity at_least) const;

 private:
  std::vector<Diagnostic> items_;
  std::size_t limit_;
  std::size_t suppressed_ = 0;
};

}  // namespace thaw

#pragma GCC visibility pop
