// The mutations that know structure, over the seeds: the same seed gives the same mutant, none is too long,
// and most of what is removed, doubled or exchanged leaves a file that still reads to its end.
#include <thaw/format.hpp>

#include "structure.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;
using thaw::Bytes;

Bytes load(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  const std::vector<char> content{std::istreambuf_iterator<char>(stream), {}};
  Bytes bytes(content.size());
  std::copy(content.begin(), content.end(), bytes.begin());
  return bytes;
}

struct Tally {
  unsigned mutants = 0;
  unsigned changed = 0;
  unsigned sound = 0;
  unsigned faults = 0;
};

bool reads_whole(const Bytes& bytes) {
  thaw::ReadOptions strict;
  strict.strict = true;
  thaw::Diagnostics diagnostics;
  return thaw::read_any(bytes, strict, diagnostics).has_value();
}

void fault(Tally& tally, const char* what, unsigned seed) {
  std::printf("  %s, seed %u\n", what, seed);
  ++tally.faults;
}

void try_seed(const Bytes& file, const Bytes& other, unsigned seed, Tally& tally) {
  const std::size_t most = file.size() + (seed % 3 == 0 ? 0 : 4096);
  const auto mutate = [&] {
    return seed % 4 == 0 ? thaw::fuzz::cross_over(file, other, most, seed)
                         : thaw::fuzz::mutate(file, most, seed);
  };
  const auto mutant = mutate();
  if (mutant != mutate()) {
    fault(tally, "another mutant from the same seed", seed);
  }
  if (mutant) {
    ++tally.mutants;
    tally.changed += static_cast<unsigned>(*mutant != file);
    tally.sound += static_cast<unsigned>(*mutant != file && reads_whole(*mutant));
    if (mutant->size() > most) {
      fault(tally, "too long a mutant", seed);
    }
  }
}

/// Of one format. Those without a structure that is known have no mutants.
Tally try_format(const fs::path& directory) {
  std::vector<fs::path> seeds;
  for (const auto& entry : fs::directory_iterator(directory)) {
    seeds.push_back(entry.path());
  }
  std::sort(seeds.begin(), seeds.end());
  Tally tally;
  constexpr std::size_t kFiles = 12;
  constexpr unsigned kTurns = 48;
  for (std::size_t i = 0; i < std::min(seeds.size(), kFiles); ++i) {
    const Bytes file = load(seeds[i]);
    const Bytes other = load(seeds[(i + 1) % seeds.size()]);
    for (unsigned turn = 0; turn < kTurns; ++turn) {
      try_seed(file, other, static_cast<unsigned>(i) * kTurns + turn, tally);
    }
  }
  return tally;
}

bool check(const std::string& format, const fs::path& corpus) {
  const Tally tally = try_format(corpus / format);
  std::printf("%s: %u mutants, %u changed, %u read strictly\n", format.c_str(), tally.mutants, tally.changed,
              tally.sound);
  // Of packs nothing reads as a document.
  const bool is_pack = format == "pack";
  return tally.faults == 0 && tally.changed * 2 > tally.mutants &&
         (is_pack || tally.sound * 10 > tally.changed);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    return 2;
  }
  bool fine = thaw::fuzz::mutate({}, 100, 1) == std::nullopt;
  for (const char* format :
       {"mdx", "mdx_alpha", "mrf", "wdt", "wdl", "adt", "wmo", "m3", "mrn", "nsa", "dme", "pack", "lit"}) {
    fine = check(format, argv[1]) && fine;
  }
  return fine ? 0 : 1;
}
