// Files that end too early. Inside any part of any sample the cut is an error of strict reading and of
// `validate`; where one part ends and the next begins, unless what is left is a whole file (kMayEnd). Prints
// a table.
#include "hostile/fail_points.hpp"

#include <thaw/archive.hpp>
#include <thaw/validate.hpp>

#include "bytes/text.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <iomanip>
#include <iostream>
#include <map>

namespace thaw::test {
namespace {

bool is_archive_sample(const Sample& sample) { return sample.format == "mpq" || sample.format == "pack"; }

Result<void> strictly_read(const Sample& sample, ByteView bytes) {
  Diagnostics findings;
  if (is_archive_sample(sample)) {
    ArchiveOptions options;
    options.strict = true;
    return open_archive(memory_storage(Bytes(bytes.begin(), bytes.end())), options, findings).map([](auto&&) {
    });
  }
  ReadOptions options;
  options.strict = true;
  return read_any(bytes, options, findings).map([](auto&&) {});
}

/// What `thaw validate` makes of it: unreadable, or a finding on which it fails.
bool validation_fails(const Sample& sample, ByteView bytes) {
  Diagnostics reading;
  if (is_archive_sample(sample)) {
    return !open_archive(memory_storage(Bytes(bytes.begin(), bytes.end())), {}, reading) ||
           reading.count(kBroken) > 0;
  }
  const auto document = read_any(bytes, {}, reading);
  return !document || reading.count(kBroken) > 0 || validate(*document, {}).count(kBroken) > 0;
}

/// Of one format.
struct Row {
  std::size_t samples = 0;
  std::size_t inside = 0;
  std::size_t boundaries = 0;
  std::vector<std::string> unnoticed;  ///< cuts inside a part
  std::vector<std::string> whole;      ///< cuts between parts that leave a whole file
};

/// Formats whose files may end between two parts, and are whole.
struct MayEnd {
  std::string_view format;
  std::string_view why;
};
constexpr std::array kMayEnd = {
    MayEnd{"adt", "of a map beside its tiles, which has names and placements only if it needs them"},
    MayEnd{"m3", "behind the mesh, with which a model is whole; a library is a row of chunks"},
    MayEnd{"mdl", "between blocks that nothing refers to"},
    MayEnd{"mdx", "between chunks that nothing refers to"},
    MayEnd{"mdx_alpha", "between chunks that nothing refers to"},
    MayEnd{"mrn", "between packets, which nothing counts"},
    MayEnd{"nsa", "behind the last part, before its padding"},
    MayEnd{"tga", "behind the pixels: files of the first version have nothing else"},
    MayEnd{"wdl", "before the holes of an area, which are optional"},
    MayEnd{"wdt", "of a map of one building, before its placement, which is optional"},
    MayEnd{"wmo", "of a root file, before what its header does not count"},
};

class Cuts {
 public:
  Cuts(const Sample& sample, Row& row) : sample_(sample), row_(row), layout_(layout_of(sample)) {}

  void run() {
    const auto& places = layout_.boundaries;
    const std::size_t step = 1 + places.size() / kMost;
    for (std::size_t i = 0; i + 1 < places.size(); i += step) {
      inside(places[i], places[i + 1]);
      if (places[i] < sample_.bytes.size()) {
        between(places[i]);
      }
    }
  }

 private:
  static constexpr std::size_t kMost = 400;  ///< of places in a file; a few have many thousands

  [[nodiscard]] ByteView cut_at(std::uint64_t at) const {
    return ByteView(sample_.bytes).first(static_cast<std::size_t>(at));
  }
  void inside(std::uint64_t from, std::uint64_t to) {
    std::uint64_t last = from;
    for (const std::uint64_t at : {from + 1, (from + to) / 2, to - 1}) {
      if (at > last && at < to && !is_between_blocks(at)) {
        ++row_.inside;
        check(at);
        last = at;
      }
    }
  }
  /// Of a text: behind a block, with or without blank space.
  [[nodiscard]] bool is_between_blocks(std::uint64_t at) const {
    const auto text = as_text(cut_at(at));
    const std::size_t last = text.find_last_not_of(" \t\r\n");
    return sample_.identity.format.is_text() && last != std::string_view::npos && text[last] == '}';
  }
  void check(std::uint64_t at) {
    const bool read = strictly_read(sample_, cut_at(at)).has_value();
    if (read || !validation_fails(sample_, cut_at(at))) {
      row_.unnoticed.push_back(sample_.name + " at " + std::to_string(at) + (read ? " strict" : " validate"));
    }
  }
  void between(std::uint64_t at) {
    ++row_.boundaries;
    if (strictly_read(sample_, cut_at(at))) {
      row_.whole.push_back(sample_.name + " at " + std::to_string(at));
    }
  }

  const Sample& sample_;
  Row& row_;
  Layout layout_;
};

TEST(Truncations, AreNoticed) {
  constexpr std::size_t kLargest = 1U << 20U;
  std::map<std::string, Row> rows;
  for (const auto& [name, format] : sample_names()) {
    const Sample sample = load_sample(name, format);
    if (sample.bytes.size() <= kLargest && strictly_read(sample, sample.bytes)) {
      Row& row = rows[format];
      ++row.samples;
      Cuts(sample, row).run();
    }
  }
  std::cout << "format     samples  cuts inside  unnoticed  between parts  whole\n";
  for (const auto& [format, row] : rows) {
    std::cout << std::left << std::setw(11) << format << std::right << std::setw(7) << row.samples
              << std::setw(13) << row.inside << std::setw(11) << row.unnoticed.size() << std::setw(15)
              << row.boundaries << std::setw(7) << row.whole.size() << '\n';
    EXPECT_GT(row.inside, 0U) << format;
    EXPECT_EQ(row.unnoticed, std::vector<std::string>());
    const bool may_end = std::any_of(kMayEnd.begin(), kMayEnd.end(),
                                     [&](const MayEnd& item) { return item.format == format; });
    EXPECT_EQ(!row.whole.empty(), may_end) << format << ": " << testing::PrintToString(row.whole);
  }
  EXPECT_GE(rows.size(), 21U);
}

}  // namespace
}  // namespace thaw::test
