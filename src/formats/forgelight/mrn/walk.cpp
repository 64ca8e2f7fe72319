#include "formats/forgelight/mrn/walk.hpp"

#include "formats/forgelight/mrn/description.hpp"

#include <algorithm>
#include <bit>

namespace thaw::mrn {
namespace {

constexpr std::size_t kMagicSize = 8;
constexpr std::uint32_t kFirstVersion = 16;
constexpr std::uint32_t kLastVersion = 40;
constexpr std::uint32_t kMostAlignment = 4096;
constexpr std::uint32_t kUsualAlignment = 16;
/// Types of packets are small numbers; far larger ones are another format.
constexpr std::uint32_t kMostTypes = 256;
/// A damaged first packet is no reason to look through files of any size for others.
constexpr std::size_t kLookedThrough = std::size_t{1} << 20U;

std::uint32_t word32(ByteView bytes, std::uint64_t at) {
  return load_plain<std::uint32_t>(bytes.data() + at);
}

std::uint32_t swapped(std::uint32_t value) {
  return value >> 24U | (value >> 8U & 0xFF00U) | (value << 8U & 0xFF0000U) | value << 24U;
}

bool is_version(std::uint32_t version) { return version >= kFirstVersion && version <= kLastVersion; }

bool is_platform(std::uint32_t flags, std::uint32_t order) {
  return flags == (order | Platform::k32Bit) || flags == (order | Platform::k64Bit);
}

bool is_alignment(std::uint32_t alignment) {
  return alignment != 0 && alignment <= kMostAlignment && (alignment & (alignment - 1)) == 0;
}

std::uint64_t alignment_at(Layout layout) { return layout == Layout::v24_le64 ? 0x28 : 0x24; }

/// Where packets can begin.
std::uint64_t grid(Layout layout) { return layout == Layout::v26_le64 ? 16 : 4; }

std::optional<Magic> little_endian_magic(ByteView bytes, std::uint64_t at) {
  const std::uint32_t version = word32(bytes, at);
  const std::uint32_t platform = word32(bytes, at + 4);
  if (!is_version(version) || !is_platform(platform, Platform::kLittleEndian)) {
    return std::nullopt;
  }
  const Layout layout = (platform & Platform::k32Bit) != 0 ? Layout::le32
                        : version <= 24                    ? Layout::v24_le64
                                                           : Layout::v26_le64;
  return Magic{version, platform, layout};
}

bool has_magic(ByteView bytes, std::uint64_t at, const Magic& magic) {
  return word32(bytes, at) == magic.version && word32(bytes, at + 4) == magic.platform;
}

/// A header in which nothing is odd but perhaps the size.
bool is_sound(ByteView bytes, std::uint64_t at, const Magic& magic) {
  return at <= bytes.size() && bytes.size() - at >= header_size(magic.layout) &&
         has_magic(bytes, at, magic) && word32(bytes, at + 8) < kMostTypes &&
         is_alignment(word32(bytes, at + alignment_at(magic.layout))) &&
         (magic.layout != Layout::v24_le64 || word32(bytes, at + 0x24) == 0);
}

/// The header of a packet, if one word of its magic were fixed.
bool resembles(ByteView bytes, std::uint64_t at, const Magic& magic) {
  return at <= bytes.size() && bytes.size() - at >= header_size(magic.layout) &&
         (word32(bytes, at) == magic.version || word32(bytes, at + 4) == magic.platform);
}

struct Extent {
  std::uint64_t end = 0;   ///< of the data
  std::uint64_t next = 0;  ///< packet
};

Extent extent(std::uint64_t at, const PacketExtent& place, Layout layout) {
  const std::uint64_t end = align_up(header_size(layout), place.alignment) + place.size;
  return {at + end, at + next_packet(layout, end, place.alignment)};
}

/// A packet alone that fills the file to its end, even if its alignment or its type is odd.
bool fills(ByteView bytes, const Magic& magic) {
  if (bytes.size() < header_size(magic.layout) ||
      (magic.layout == Layout::v24_le64 && word32(bytes, 0x24) != 0)) {
    return false;
  }
  PacketExtent place;
  place.size = word32(bytes, 0x20);
  place.alignment = word32(bytes, alignment_at(magic.layout));
  if (!is_alignment(place.alignment)) {
    place.alignment = kUsualAlignment;
  }
  const auto [end, next] = extent(0, place, magic.layout);
  return place.size > 0 && end <= bytes.size() && next >= bytes.size();
}

struct Tally {
  Magic magic;
  std::size_t count = 0;
};

/// The magic that most headers have, of the first that are there to be seen.
Tally most_frequent(ByteView bytes) {
  std::vector<Tally> found;
  const std::size_t end = std::min(bytes.size(), kLookedThrough);
  for (std::size_t at = 0; at + kMagicSize <= end; at += 4) {
    const auto magic = little_endian_magic(bytes, at);
    if (magic && at % grid(magic->layout) == 0 && is_sound(bytes, at, *magic)) {
      const auto same = std::find_if(found.begin(), found.end(), [&](const Tally& tally) {
        return tally.magic.version == magic->version && tally.magic.platform == magic->platform;
      });
      ++(same == found.end() ? found.emplace_back(Tally{*magic, 0}) : *same).count;
    }
  }
  const auto most = std::max_element(found.begin(), found.end(),
                                     [](const Tally& a, const Tally& b) { return a.count < b.count; });
  return most == found.end() ? Tally{} : *most;
}

/// Looks for packets from the start to the end, each place once.
class Walk {
 public:
  Walk(ByteView file, const Magic& magic) : file_(file), magic_(magic), step_(grid(magic.layout)) {}

  std::vector<PacketExtent> run() {
    while (at_ < file_.size() && file_.size() - at_ >= header_size(magic_.layout)) {
      const std::uint64_t sound = next_sound();
      if (!take_packet(sound)) {
        if (sound >= file_.size()) {
          break;
        }
        at_ = sound;
      }
    }
    return std::move(places_);
  }

 private:
  /// The first sound header after that of the packet here; the file's end if there is none.
  std::uint64_t next_sound() {
    const std::uint64_t from = align_up(at_ + header_size(magic_.layout), step_);
    if (sound_ < from) {
      for (sound_ = from; sound_ < file_.size() && !is_sound(file_, sound_, magic_); sound_ += step_) {
      }
    }
    return std::min<std::uint64_t>(sound_, file_.size());
  }

  bool take_packet(std::uint64_t sound) {
    if (!resembles(file_, at_, magic_)) {
      return false;
    }
    PacketExtent place;
    place.at = at_;
    place.damaged = at_ - free_;
    place.size = word32(file_, at_ + 0x20);
    place.alignment = word32(file_, at_ + alignment_at(magic_.layout));
    if (!has_magic(file_, at_, magic_)) {
      place.odd = "its first bytes differ from those of the other packets";
    }
    if (!is_alignment(place.alignment)) {
      place.odd = "alignment " + std::to_string(place.alignment) + ", read as 16";
      place.alignment = kUsualAlignment;
    }
    if (!settle_size(place, sound)) {
      return false;
    }
    at_ = free_ = extent(at_, place, magic_.layout).next;
    places_.push_back(std::move(place));
    return true;
  }

  /// As stated, or up to the next packet if what is stated leads elsewhere.
  bool settle_size(PacketExtent& place, std::uint64_t sound) {
    const bool last = sound >= file_.size();
    if (fits(place, sound)) {
      const std::uint64_t next = extent(at_, place, magic_.layout).next;
      if (next == sound || next >= file_.size() || resembles(file_, next, magic_)) {
        return true;
      }
      if (last || !missed_by_a_bit(place, sound)) {
        return place.odd.empty();
      }
    }
    const std::uint64_t data = at_ + align_up(header_size(magic_.layout), place.alignment);
    constexpr std::uint64_t kMost = 0xFFFFFFFFU;
    if (last || sound < data || sound - data > kMost ||
        next_packet(magic_.layout, sound - at_, place.alignment) != sound - at_) {
      return false;
    }
    place.odd = "the stated size of " + std::to_string(place.size) +
                " bytes does not lead to the next packet; " + std::to_string(sound - data) +
                " bytes are used";
    place.size = static_cast<std::uint32_t>(sound - data);
    return true;
  }

  /// Whether the packet as stated ends before the next one begins.
  [[nodiscard]] bool fits(const PacketExtent& place, std::uint64_t sound) const {
    if (magic_.layout == Layout::v24_le64 && word32(file_, at_ + 0x24) != 0) {
      return false;
    }
    const auto [end, next] = extent(at_, place, magic_.layout);
    return end <= file_.size() && (sound >= file_.size() || next <= sound);
  }

  /// Whether one bit of the size is all that keeps the packet from the next one.
  [[nodiscard]] bool missed_by_a_bit(const PacketExtent& place, std::uint64_t sound) const {
    PacketExtent other = place;
    for (std::uint32_t bit = 0; bit < 32; ++bit) {
      other.size = place.size ^ (1U << bit);
      if (extent(at_, other, magic_.layout).next == sound) {
        return true;
      }
    }
    return false;
  }

  ByteView file_;
  const Magic& magic_;
  std::uint64_t step_;
  std::uint64_t at_ = 0;     ///< where a packet is expected
  std::uint64_t free_ = 0;   ///< after the last packet
  std::uint64_t sound_ = 0;  ///< what was found last
  std::vector<PacketExtent> places_;
};

}  // namespace

std::vector<PacketExtent> packet_places(ByteView file, const Magic& magic) { return Walk(file, magic).run(); }

bool begins_well(ByteView bytes, const Magic& magic) {
  return magic.layout == Layout::big_endian || is_sound(bytes, 0, magic);
}

std::optional<Magic> magic_of(ByteView bytes) {
  if (bytes.size() < kMagicSize) {
    return std::nullopt;
  }
  const std::uint32_t version = swapped(word32(bytes, 0));
  const std::uint32_t platform = swapped(word32(bytes, 4));
  if (is_version(version) && is_platform(platform, Platform::kBigEndian)) {
    return Magic{version, platform, Layout::big_endian};
  }
  const auto magic = little_endian_magic(bytes, 0);
  const bool sound = magic && is_sound(bytes, 0, *magic);
  if (sound) {
    PacketExtent first;
    first.size = word32(bytes, 0x20);
    first.alignment = word32(bytes, alignment_at(magic->layout));
    const std::uint64_t next = extent(0, first, magic->layout).next;
    if (next >= bytes.size() || is_sound(bytes, next, *magic)) {
      return magic;
    }
  }
  if (!magic && !is_version(word32(bytes, 0)) && !is_platform(word32(bytes, 4), Platform::kLittleEndian)) {
    return std::nullopt;
  }
  const Tally most = most_frequent(bytes);
  if (most.count > 1 && resembles(bytes, 0, most.magic)) {
    return most.magic;
  }
  return sound || (magic && fills(bytes, *magic)) ? magic : std::nullopt;
}

}  // namespace thaw::mrn
