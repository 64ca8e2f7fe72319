#include "formats/forgelight/mrn/names.hpp"

#include <algorithm>

namespace thaw::mrn {

FileNames* names_of(Document& document) {
  for (Packet& packet : document.packets) {
    if (auto* names = packet.get_if<FileNames>()) {
      return names;
    }
  }
  return nullptr;
}

std::size_t name_entry(const FileNames& names, const Packet& packet, std::size_t order) {
  return packet.asset_id < std::max(names.takes.size(), names.files.size()) ? packet.asset_id : order;
}

std::vector<AnimationName> listed(const FileNames& names) {
  std::vector<AnimationName> list(
      std::max({names.files.size(), names.types.size(), names.sources.size(), names.takes.size()}));
  for (std::size_t i = 0; i < list.size(); ++i) {
    list[i] = {std::string(names.files.text(i)), std::string(names.types.text(i)),
               std::string(names.sources.text(i)), std::string(names.takes.text(i))};
  }
  return list;
}

}  // namespace thaw::mrn
