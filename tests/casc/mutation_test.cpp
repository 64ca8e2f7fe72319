// Damaged installations: no crash, no hang, and memory in proportion to their files.
//
// THAW_CASC_MUTANTS in the environment sets the number of mutants (default 240).

#include "casc/opened.hpp"
#include "support/archive_tally.hpp"
#include "support/effort.hpp"

#include <gmock/gmock.h>

#include <random>
#include <set>

namespace thaw {
namespace {

using samples::InstallationFiles;
using test::ArchiveTally;
using test::damaged_byte;
using test::mutant_count;

std::size_t size_of(const InstallationFiles& files) {
  std::size_t size = 0;
  for (const auto& [path, bytes] : files) {
    size += bytes.size();
  }
  return size;
}

/// Opens, lists, finds and unpacks everything.
void read_all(const InstallationFiles& files, ArchiveTally& tally) {
  tally.measure(size_of(files), [&] {
    auto opened = open(files, {"wow"});
    if (opened.archive == nullptr) {
      opened = open(files);
    }
    tally.opened += opened.archive != nullptr ? 1U : 0U;
    EXPECT_EQ(opened.archive == nullptr, !opened.error.empty());
    for (const auto& entry :
         opened.archive == nullptr ? std::span<const ArchiveEntry>() : opened.archive->entries()) {
      ++tally.files;
      (void)opened.archive->find(entry.name);
      tally.unpacked += opened.archive->unpack(entry, opened.findings) ? 1U : 0U;
    }
  });
}

/// Tables lie there as they are, so that what is damaged in them is not caught by what packs them.
std::vector<InstallationFiles> originals() {
  std::map<std::string, std::string> names;
  std::map<std::uint32_t, std::string> numbers;
  std::vector<InstallationFiles> all = {samples::warcraft_installation(names, "-N")};
  for (const std::string_view generation : {"6.0", "8.2", "10.1.7", "11.1"}) {
    all.push_back(samples::world_installation(generation, numbers, "-N"));
  }
  return all;
}

/// Where something begins or ends: lines of texts, entries of an index, files and their headers in archives.
std::set<std::size_t> boundaries(const std::string& path, const Bytes& bytes) {
  constexpr std::size_t kEntries = 0x28;
  constexpr std::size_t kEntry = 18;
  std::set<std::size_t> places = {0, bytes.size() - 1};
  if (path.ends_with(".idx")) {
    const std::size_t entries = bytes[0x20] | std::size_t{bytes[0x21]} << 8U;
    for (std::size_t at = 0; at <= kEntries; at += 4) {
      places.insert(at);
    }
    for (std::size_t at = 0; at <= entries; at += kEntry) {
      places.insert(kEntries + at);
    }
    return places;
  }
  const std::string_view text = as_text(bytes);
  const std::string_view mark = path.find("/data.") != std::string::npos ? "BLTE" : "\n";
  for (std::size_t at = text.find(mark); at != std::string_view::npos; at = text.find(mark, at + 1)) {
    for (const std::size_t place : {at - std::min<std::size_t>(at, 30), at, at + 4, at + 8, at + 9}) {
      places.insert(std::min(place, bytes.size() - 1));
    }
  }
  return places;
}

/// Indices are alike: one of them, and everything else.
bool is_cut(const std::string& path) { return !path.ends_with(".idx") || path.ends_with("/0500000001.idx"); }

/// The places that decide most: the beginning of a file, that of what an archive holds, or anywhere.
std::size_t place_in(const Bytes& bytes, std::mt19937& dice) {
  const std::size_t at = dice() % bytes.size();
  if (dice() % 3 == 0) {
    return at % std::min<std::size_t>(bytes.size(), 512);
  }
  const std::size_t found = dice() % 2 == 0 ? as_text(bytes).find("BLTE", at) : std::string_view::npos;
  return found == std::string_view::npos ? at : std::min(found + 4 + dice() % 60, bytes.size() - 1);
}

void mutate(Bytes& bytes, std::mt19937& dice) {
  if (dice() % 16 == 0) {
    bytes.resize(dice() % (bytes.size() + 1));
  }
  for (unsigned i = 1 + dice() % 8; i > 0 && !bytes.empty(); --i) {
    bytes[place_in(bytes, dice)] = damaged_byte(dice);
  }
}

std::size_t mutants() { return mutant_count("THAW_CASC_MUTANTS", 240 / test::one_in()); }

TEST(Mutation, OfInstallations) {
  auto whole = originals();
  ArchiveTally sound;
  for (const auto& files : whole) {
    read_all(files, sound);
  }
  EXPECT_EQ(sound.unpacked, sound.files);
  std::mt19937 dice(40);
  ArchiveTally tally;
  for (std::size_t i = 0; i < mutants(); ++i) {
    auto& files = whole[i % whole.size()];
    const bool archive = dice() % 2 == 0;  // most lies there, and they are few among the files
    auto& bytes = archive
                      ? files.rbegin()->second
                      : std::next(files.begin(), static_cast<std::ptrdiff_t>(dice() % files.size()))->second;
    const Bytes sound_bytes = bytes;
    mutate(bytes, dice);
    read_all(files, tally);
    bytes = sound_bytes;
  }
  tally.report("installations", mutants());
  EXPECT_GT(tally.opened, mutants() / 4);
  EXPECT_LT(tally.slowest.count(), 20.0);
}

TEST(Mutation, CutAtEveryBoundary) {
  ArchiveTally tally;
  std::size_t cuts = 0;
  auto all = originals();
  for (auto* const whole : {&all.front(), &all.back()}) {
    for (auto& [path, bytes] : *whole) {
      const Bytes sound = bytes;
      for (const std::size_t size : is_cut(path) ? boundaries(path, sound) : std::set<std::size_t>()) {
        if (cuts++ % test::one_in() == 0) {
          bytes.assign(sound.begin(), sound.begin() + static_cast<std::ptrdiff_t>(size));
          read_all(*whole, tally);
          bytes = sound;
        }
      }
    }
  }
  tally.report("cut", cuts);
  EXPECT_GT(tally.opened, 0U);
}

}  // namespace
}  // namespace thaw
