// Facts of files that a survey collects, and its totals at the end: also of surveys that were made in
// parts.
#pragma once

#include <thaw/inspect.hpp>
#include <thaw/value.hpp>

#include "cli/jobs/batch.hpp"

#include <array>
#include <map>
#include <optional>
#include <span>
#include <string>

namespace thaw::cli {

/// `same`: of a text, whose bytes nobody keeps, the content comes back to the last bit.
enum class Roundtrip : std::uint8_t { exact, same, differs, failed };
inline constexpr std::array<std::string_view, 4> kRoundtripNames = {"EXACT", "SAME", "DIFFERS", "FAILED"};
using Outcomes = std::array<std::size_t, kRoundtripNames.size()>;

inline bool is_good(Roundtrip roundtrip) {
  return roundtrip == Roundtrip::exact || roundtrip == Roundtrip::same;
}

/// What the survey learns of one file.
struct Row {
  Roundtrip roundtrip = Roundtrip::failed;
  std::uint64_t size = 0;  ///< in bytes; 0 where it could not be opened
  bool skipped = false;    ///< or not reached, in a batch that ended at its first failure
  std::string kind;        ///< "mdx wc3 800"
  std::string hash;        ///< of --hash; empty for maps, which are read tile by tile
  std::optional<std::uint64_t> first_difference;
  std::optional<ByteAccount> account;           ///< none for texts
  std::map<std::string, std::size_t> findings;  ///< by code
};

/// "mdx wc3 800"; parts that are not known are left out.
std::string kind_text(std::string_view format, std::string_view dialect,
                      std::optional<std::uint64_t> version);

std::string row_text(const std::string& name, const Row& row, bool color);
/// The heads of a table's columns, one of them `hash` if that is not empty, and a line of it, each with its
/// end (RFC 4180; lines end with LF).
std::string csv_head(const std::string& hash);
std::string csv_line(std::string_view name, const Row& row, const std::string& hash);
/// Adds what the survey knows to a file's envelope.
Value row_json(const Row& row, Value value);

std::string survey_text(std::span<const Row> rows, const Tally& tally);
Value survey_json(std::span<const Row> rows, const Tally& tally);

}  // namespace thaw::cli
