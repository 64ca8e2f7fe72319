// Methods of MPQ archives for sound: ADPCM, of which a sample is a byte, and Huffman codes, whose tree
// changes with what comes (docs/formats/mpq.md#files). The numbers are those that every reader of these
// archives has.
#include "formats/archives/mpq/unpack_sound.hpp"

#include <thaw/codes.hpp>

#include "formats/archives/mpq/bits.hpp"

#include <algorithm>
#include <array>

namespace thaw::mpq {
namespace {

// --- Huffman

/// How often each byte is to be expected, by the first byte of the data: weights of bytes from `first` on.
struct Run {
  std::uint8_t table;
  std::uint8_t first;
  std::uint16_t count;
};
constexpr std::array<Run, 18> kRuns = {{
    {0, 0, 1},
    {0, 255, 1},
    {1, 0, 256},
    {2, 9, 2},
    {2, 13, 1},
    {2, 32, 95},
    {3, 0, 256},
    {4, 0, 16},
    {5, 0, 64},
    {6, 0, 8},
    {6, 64, 8},
    {6, 128, 2},
    {7, 0, 16},
    {7, 64, 16},
    {7, 128, 2},
    {8, 0, 32},
    {8, 64, 32},
    {8, 128, 2},
}};
/// Of all runs, one after the other.
constexpr std::array<std::uint8_t, 810> kWeights = {
    10,  2,   84,  22,  22,  13,  12,  8,   6,   5,   6,   5,   6,   3,   4,   4,   3,   5,   14,  11,  20,
    19,  19,  9,   11,  6,   5,   4,   3,   2,   3,   2,   2,   2,   13,  7,   9,   6,   6,   4,   3,   2,
    4,   3,   3,   3,   3,   3,   2,   2,   9,   6,   4,   4,   4,   4,   3,   2,   3,   2,   2,   2,   2,
    3,   2,   4,   8,   3,   4,   7,   9,   5,   3,   3,   3,   3,   2,   2,   2,   3,   2,   2,   3,   2,
    2,   2,   2,   2,   2,   2,   2,   1,   1,   1,   2,   1,   2,   2,   6,   10,  8,   8,   6,   7,   4,
    3,   4,   4,   2,   2,   4,   2,   3,   3,   4,   3,   7,   7,   9,   6,   4,   3,   3,   2,   1,   2,
    2,   2,   2,   2,   10,  2,   2,   3,   2,   2,   1,   1,   2,   2,   2,   6,   3,   5,   2,   3,   2,
    1,   1,   1,   1,   1,   1,   1,   1,   1,   1,   2,   3,   1,   1,   1,   2,   1,   1,   1,   1,   1,
    1,   2,   4,   4,   4,   7,   9,   8,   12,  2,   1,   1,   1,   1,   1,   1,   1,   1,   1,   1,   1,
    1,   2,   1,   1,   3,   4,   1,   2,   4,   5,   1,   1,   1,   1,   1,   1,   1,   2,   1,   1,   1,
    4,   1,   1,   1,   1,   1,   2,   1,   1,   1,   1,   1,   1,   1,   1,   1,   2,   1,   1,   1,   1,
    1,   1,   1,   3,   1,   1,   1,   1,   1,   1,   1,   2,   1,   1,   1,   1,   1,   1,   2,   2,   1,
    1,   2,   2,   2,   6,   75,  3,   39,  35,  255, 1,   1,   1,   1,   1,   1,   1,   2,   2,   1,   1,
    6,   14,  16,  4,   6,   8,   5,   4,   4,   3,   3,   2,   2,   3,   3,   1,   1,   2,   1,   1,   1,
    4,   2,   4,   2,   2,   2,   1,   1,   4,   1,   1,   2,   3,   3,   2,   3,   1,   3,   6,   4,   1,
    1,   1,   1,   1,   1,   2,   1,   2,   1,   1,   1,   41,  7,   22,  18,  64,  10,  10,  17,  37,  1,
    3,   23,  16,  38,  42,  16,  1,   35,  35,  47,  16,  6,   7,   2,   9,   1,   1,   1,   1,   1,   255,
    11,  7,   5,   11,  2,   2,   2,   6,   2,   2,   1,   4,   2,   1,   3,   9,   1,   1,   1,   3,   4,
    1,   1,   2,   1,   1,   1,   2,   1,   1,   1,   5,   1,   1,   1,   13,  1,   1,   1,   1,   1,   1,
    1,   1,   1,   1,   1,   2,   1,   1,   3,   1,   1,   1,   1,   1,   1,   1,   2,   1,   1,   1,   1,
    10,  4,   2,   1,   6,   3,   2,   1,   1,   1,   1,   1,   3,   1,   1,   1,   5,   2,   3,   4,   3,
    3,   3,   2,   1,   1,   1,   2,   1,   2,   3,   3,   1,   3,   1,   1,   2,   5,   1,   1,   4,   3,
    5,   1,   3,   1,   3,   3,   2,   1,   4,   3,   10,  6,   1,   1,   1,   1,   1,   1,   1,   1,   1,
    1,   2,   2,   1,   10,  2,   5,   1,   1,   2,   7,   2,   23,  1,   5,   1,   1,   14,  1,   1,   1,
    1,   1,   1,   1,   1,   1,   1,   1,   1,   1,   1,   1,   1,   1,   1,   1,   1,   1,   1,   1,   1,
    1,   1,   1,   1,   1,   1,   1,   1,   1,   1,   1,   1,   1,   1,   1,   1,   1,   1,   1,   1,   1,
    1,   1,   6,   2,   1,   4,   5,   1,   1,   2,   1,   1,   1,   1,   2,   1,   1,   1,   1,   1,   1,
    1,   1,   1,   1,   1,   1,   1,   1,   1,   1,   1,   1,   1,   1,   1,   1,   1,   1,   1,   1,   1,
    7,   1,   1,   2,   1,   1,   1,   1,   2,   1,   1,   1,   1,   1,   1,   1,   2,   1,   1,   1,   1,
    1,   1,   17,  255, 251, 152, 154, 132, 133, 99,  100, 62,  62,  34,  34,  19,  19,  24,  23,  255, 241,
    157, 158, 154, 155, 154, 151, 147, 147, 140, 142, 134, 136, 128, 130, 124, 124, 114, 115, 105, 107, 95,
    96,  85,  86,  74,  75,  64,  65,  55,  55,  47,  47,  39,  39,  33,  33,  27,  28,  23,  23,  19,  19,
    16,  16,  13,  13,  11,  11,  9,   9,   8,   8,   7,   7,   6,   5,   5,   4,   4,   4,   25,  24,  195,
    203, 245, 65,  255, 123, 247, 33,  191, 204, 242, 64,  253, 124, 247, 34,  122, 70,  195, 217, 239, 61,
    249, 124, 233, 30,  253, 171, 241, 44,  252, 91,  254, 23,  189, 217, 236, 61,  245, 125, 232, 29,  251,
    174, 240, 44,  251, 92,  255, 24,  112, 108, 186, 197, 218, 51,  227, 109, 216, 24,  229, 148, 218, 35,
    223, 74,  209, 16,  238, 175, 228, 44,  234, 90,  222, 21,  244, 135, 233, 33,  246, 67,  252, 18,  176,
    199, 216, 51,  227, 107, 214, 24,  231, 149, 216, 35,  219, 73,  208, 17,  233, 178, 226, 43,  232, 92,
    221, 21,  241, 135, 231, 32,  247, 68,  255, 19,  95,  158,
};
constexpr unsigned kTables = 9;

constexpr unsigned kNoMore = 0x100;   // no byte: the data ends
constexpr unsigned kNewByte = 0x101;  // a byte follows that has no code yet
constexpr unsigned kNothing = 0x1FF;

/// A code for each byte that came or was expected. All nodes stand in a list by weight, the heaviest first;
/// the children of a node are neighbours in it.
class Tree {
 public:
  explicit Tree(unsigned table) : counts_always_(table == 0) {
    leaves_.fill(kNone);
    std::size_t from = 0;
    for (const Run& run : kRuns) {
      for (unsigned i = 0; i < run.count; ++i, ++from) {
        if (run.table == table && kWeights.at(from) != 0) {
          const unsigned byte = run.first + i;
          leaves_.at(byte) = add(kHead, byte, kWeights.at(from));
          sort_in(leaves_.at(byte));
        }
      }
    }
    leaves_.at(kNoMore) = add(nodes_[kHead].previous, kNoMore, 1);
    leaves_.at(kNewByte) = add(nodes_[kHead].previous, kNewByte, 1);
    join_all();
  }

  /// The next byte, kNoMore, or kNothing where the data is broken.
  unsigned next(Bits& bits) {
    unsigned value = leaf(bits);
    if (value == kNewByte) {
      value = bits.take(8);
      if (leaves_.at(value) != kNone) {
        return kNothing;
      }
      grow(value);
      if (!counts_always_) {
        count(leaves_.at(value));
      }
    }
    if (counts_always_ && value < kNoMore) {
      count(leaves_.at(value));
    }
    return value;
  }

 private:
  using Index = std::uint16_t;
  static constexpr Index kHead = 0;  // of the list, before its first and after its last node
  static constexpr Index kNone = 0xFFFF;

  struct Node {
    unsigned weight = 0;
    unsigned value = kNothing;  ///< of a leaf
    Index previous = kHead;     ///< in the list: heavier, or as heavy
    Index next = kHead;
    Index parent = kNone;
    Index lighter = kNone;  ///< child, whose neighbour before it is the heavier; none of a leaf
  };

  void link(Index after, Index added) {
    nodes_[added].previous = after;
    nodes_[added].next = nodes_[after].next;
    nodes_[nodes_[after].next].previous = added;
    nodes_[after].next = added;
  }
  void unlink(Index node) {
    nodes_[nodes_[node].previous].next = nodes_[node].next;
    nodes_[nodes_[node].next].previous = nodes_[node].previous;
  }

  Index add(Index after, unsigned value, unsigned weight) {
    const auto node = static_cast<Index>(used_++);
    nodes_.at(node).value = value;
    nodes_.at(node).weight = weight;
    link(after, node);
    return node;
  }

  /// The last node up to this one that is not lighter, or the head.
  [[nodiscard]] Index not_lighter(Index node, unsigned weight) const {
    while (node != kHead && nodes_[node].weight < weight) {
      node = nodes_[node].previous;
    }
    return node;
  }

  /// A node that was put first goes after all that are not lighter, unless it is the heaviest so far.
  void sort_in(Index node) {
    if (nodes_[node].weight >= heaviest_) {
      heaviest_ = nodes_[node].weight;
      return;
    }
    const Index after = not_lighter(nodes_[kHead].previous, nodes_[node].weight);
    unlink(node);
    link(after, node);
  }

  /// Two by two from the lightest on.
  void join_all() {
    for (Index lighter = nodes_[kHead].previous; lighter != kHead;) {
      const Index heavier = nodes_[lighter].previous;
      if (heavier == kHead) {
        return;
      }
      const Index parent = add(kHead, kNothing, nodes_[heavier].weight + nodes_[lighter].weight);
      nodes_[lighter].parent = nodes_[heavier].parent = parent;
      nodes_[parent].lighter = lighter;
      sort_in(parent);
      lighter = nodes_[heavier].previous;
    }
  }

  unsigned leaf(Bits& bits) const {
    Index node = nodes_[kHead].next;
    while (nodes_[node].lighter != kNone) {
      const Index lighter = nodes_[node].lighter;
      node = bits.take(1) != 0 ? nodes_[lighter].previous : lighter;
    }
    return bits.overrun() ? kNothing : nodes_[node].value;
  }

  /// The lightest leaf becomes the parent of itself and the new byte.
  void grow(unsigned byte) {
    const Index parent = nodes_[kHead].previous;
    const Index heavier = add(parent, nodes_[parent].value, nodes_[parent].weight);
    const Index lighter = add(heavier, byte, 0);
    nodes_[heavier].parent = nodes_[lighter].parent = parent;
    nodes_[parent].lighter = lighter;
    leaves_.at(nodes_[heavier].value) = heavier;
    leaves_.at(byte) = lighter;
    count(lighter);
  }

  /// One more of a leaf. A node that became heavier than some before it changes places with the first of
  /// them.
  void count(Index node) {
    for (; node != kNone; node = nodes_[node].parent) {
      const unsigned weight = ++nodes_[node].weight;
      const Index before = not_lighter(nodes_[node].previous, weight);
      const Index other = nodes_[before].next;
      if (other == node) {
        continue;
      }
      unlink(other);
      link(node, other);
      unlink(node);
      link(before, node);
      Node& node_parent = nodes_[nodes_[node].parent];
      Node& other_parent = nodes_[nodes_[other].parent];
      const bool was_lighter = other_parent.lighter == other;
      node_parent.lighter = node_parent.lighter == node ? other : node_parent.lighter;
      other_parent.lighter = was_lighter ? node : other_parent.lighter;
      std::swap(nodes_[node].parent, nodes_[other].parent);
    }
  }

  static constexpr std::size_t kMostNodes = 1 + 2 * (kNewByte + 1);
  std::array<Node, kMostNodes> nodes_{};
  std::array<Index, kNewByte + 1> leaves_{};
  std::size_t used_ = 1;
  unsigned heaviest_ = 0;
  bool counts_always_;
};

// --- ADPCM

/// How much a sample may differ from the one before it, by the step that it is in.
constexpr std::array<int, 89> kSteps = {
    7,    8,     9,     10,    11,    12,    13,    14,    16,    17,    19,    21,    23,    25,    28,
    31,   34,    37,    41,    45,    50,    55,    60,    66,    73,    80,    88,    97,    107,   118,
    130,  143,   157,   173,   190,   209,   230,   253,   279,   307,   337,   371,   408,   449,   494,
    544,  598,   658,   724,   796,   876,   963,   1060,  1166,  1282,  1411,  1552,  1707,  1878,  2066,
    2272, 2499,  2749,  3024,  3327,  3660,  4026,  4428,  4871,  5358,  5894,  6484,  7132,  7845,  8630,
    9493, 10442, 11487, 12635, 13899, 15289, 16818, 18500, 20350, 22385, 24623, 27086, 29794, 32767,
};
/// Steps further, by the lowest five bits of a sample.
constexpr std::array<int, 32> kFurther = {-1, 0, -1, 4, -1, 2, -1, 6, -1, 1, -1, 5, -1, 3, -1, 7,
                                          -1, 1, -1, 5, -1, 3, -1, 7, -1, 2, -1, 4, -1, 6, -1, 8};
constexpr int kLastStep = static_cast<int>(kSteps.size()) - 1;
constexpr int kFirstStep = 44;
constexpr std::uint8_t kSame = 0x80;     // the sample again, a step lower
constexpr std::uint8_t kSteeper = 0x81;  // no sample: eight steps higher
constexpr unsigned kDown = 0x40;

struct Channel {
  int sample = 0;
  int step = kFirstStep;

  void take(std::uint8_t code, unsigned shift) {
    const int size = kSteps.at(static_cast<std::size_t>(step));
    int difference = size >> shift;
    for (unsigned bit = 0; bit < 6; ++bit) {
      difference += (code >> bit & 1U) != 0 ? size >> bit : 0;
    }
    sample = std::clamp((code & kDown) != 0 ? sample - difference : sample + difference, -32768, 32767);
    step = std::clamp(step + kFurther.at(code & 0x1FU), 0, kLastStep);
  }
};

void put_sample(Bytes& out, int sample) {
  out.push_back(static_cast<std::uint8_t>(sample & 0xFF));
  out.push_back(static_cast<std::uint8_t>(sample >> 8 & 0xFF));
}

Result<Bytes> unpack_adpcm(ByteView packed, std::size_t most, std::size_t channels) {
  constexpr unsigned kMostShift = 15;
  if (packed.size() < 2 + 2 * channels) {
    return fail(codes::kMpqData, "ADPCM data ends inside its header");
  }
  const unsigned shift = packed[1];
  if (shift > kMostShift) {
    return fail(codes::kMpqData, "invalid ADPCM level");
  }
  std::array<Channel, 2> states;
  Bytes out;
  for (std::size_t i = 0; i < channels; ++i) {
    states.at(i).sample = static_cast<std::int16_t>(packed[2 + 2 * i] | packed[3 + 2 * i] << 8);
    put_sample(out, states.at(i).sample);
  }
  std::size_t turn = 0;
  for (const std::uint8_t code : packed.subspan(2 + 2 * channels)) {
    Channel& channel = states.at(turn);
    if (code == kSteeper) {
      channel.step = std::min(channel.step + 8, kLastStep);
      continue;
    }
    if (out.size() + 2 > most) {
      break;
    }
    if (code == kSame) {
      channel.step = std::max(channel.step - 1, 0);
    } else {
      channel.take(code, shift);
    }
    put_sample(out, channel.sample);
    turn = (turn + 1) % channels;
  }
  out.resize(std::min(out.size(), most));
  return out;
}

}  // namespace

Result<Bytes> unpack_huffman(ByteView packed, std::size_t most) {
  Bits bits(packed);
  const unsigned table = bits.take(8);
  if (bits.overrun() || table >= kTables) {
    return fail(codes::kMpqData, "unknown Huffman table");
  }
  Tree tree(table);
  Bytes out;
  while (out.size() < most) {
    const unsigned value = tree.next(bits);
    if (value == kNothing) {
      return fail(codes::kMpqData, "damaged Huffman data");
    }
    if (value == kNoMore) {
      break;
    }
    out.push_back(static_cast<std::uint8_t>(value));
  }
  return out;
}

Result<Bytes> unpack_adpcm_mono(ByteView packed, std::size_t most) { return unpack_adpcm(packed, most, 1); }
Result<Bytes> unpack_adpcm_stereo(ByteView packed, std::size_t most) { return unpack_adpcm(packed, most, 2); }

}  // namespace thaw::mpq
