// Positions of the packets of a file, some of whose headers may be damaged. See mrn.md#damaged-packets.
#pragma once

#include <thaw/mrn.hpp>

#include <string>

namespace thaw::mrn {

/// The words that every packet of a file begins with, and what follows from them.
struct Magic {
  std::uint32_t version = 0;
  std::uint32_t platform = 0;
  Layout layout = Layout::v26_le64;
};

/// That of most packets, if the file, or its beginning, is a network.
std::optional<Magic> magic_of(ByteView bytes);
/// The first packet begins with it, and its header makes sense.
bool begins_well(ByteView bytes, const Magic& magic);

/// A packet, and how it is read: damaged headers state other numbers.
struct PacketExtent {
  std::uint64_t at = 0;
  std::uint64_t damaged = 0;  ///< bytes in front of it that are no packet
  std::uint32_t alignment = 0;
  std::uint32_t size = 0;
  std::string odd;  ///< what its header has wrong; empty if nothing
};
/// Every packet that can be distinguished; what follows the last one is none.
std::vector<PacketExtent> packet_places(ByteView file, const Magic& magic);

}  // namespace thaw::mrn
