#include "formats/forgelight/mrn/archive.hpp"

#include <thaw/codes.hpp>
#include <thaw/mrn.hpp>

#include "bytes/number_text.hpp"
#include "bytes/text.hpp"
#include "describe/limits.hpp"
#include "formats/forgelight/mrn/walk.hpp"

#include <algorithm>
#include <map>

namespace thaw::mrn {
namespace {

class Clips : public Archive {
 public:
  Clips(Document document, std::uint64_t size) : document_(std::move(document)), size_(size) {
    animations_ = animations(document_);
    std::map<std::string, std::size_t> used;
    std::uint64_t at = 0;
    std::size_t packet = 0;
    for (const Animation& animation : animations_) {
      for (; packet < animation.packet; ++packet) {
        at += size_of(document_.packets[packet]);
      }
      const Packet& stored = document_.packets[packet];
      ArchiveEntry& entry = entries_.emplace_back();
      const std::size_t again = ++used[ascii::lowered(animation.name)];
      entry.name = animation.name + (again > 1 ? " (" + std::to_string(again) + ")" : "") + ".nsa";
      entry.offset = at + stored.before.size() + Packet::kMinSize + stored.lead.size();
      entry.size = entry.packed_size = nsa::write(*animation.document).size();
      entry.index = static_cast<std::uint32_t>(entries_.size() - 1);
    }
  }

  [[nodiscard]] ArchiveKind kind() const override { return ArchiveKind::network; }
  [[nodiscard]] std::uint64_t file_size() const override { return size_; }
  [[nodiscard]] std::span<const ArchiveEntry> entries() const override { return entries_; }

  [[nodiscard]] std::optional<ArchiveEntry> find(std::string_view name) const override {
    const auto found = std::find_if(entries_.begin(), entries_.end(),
                                    [&](const ArchiveEntry& entry) { return ascii::same(entry.name, name); });
    return found == entries_.end() ? std::nullopt : std::optional(*found);
  }

  [[nodiscard]] Result<UnpackedFile> unpack(const ArchiveEntry& entry, Diagnostics& /*diagnostics*/,
                                            std::uint64_t most) const override {
    if (entry.index >= animations_.size()) {
      return fail(codes::kPackNoEntry, entry.name);
    }
    Bytes bytes = nsa::write(*animations_[entry.index].document);
    bytes.resize(static_cast<std::size_t>(std::min<std::uint64_t>(bytes.size(), most)));
    return UnpackedFile{std::move(bytes), "stored"};
  }

  [[nodiscard]] std::string summary() const override {
    return "network of " + counted(document_.packets.size(), "packet");
  }
  [[nodiscard]] Value details() const override {
    return Value().set("packets", static_cast<std::int64_t>(document_.packets.size()));
  }

 private:
  static std::uint64_t size_of(const Packet& packet) {
    return packet.before.size() + Packet::kMinSize + packet.lead.size() + packet.size + packet.tail.size();
  }

  Document document_;
  std::uint64_t size_;
  std::vector<Animation> animations_;
  std::vector<ArchiveEntry> entries_;
};

}  // namespace

bool holds_clips(ByteView start) {
  const auto magic = magic_of(start);
  return magic && begins_well(start, *magic);
}

Result<std::shared_ptr<const Archive>> open_clips(const Storage& storage, const ArchiveOptions& options,
                                                  Diagnostics& diagnostics) {
  if (storage.size() > options.limits.max_input_bytes) {
    return input_too_large(storage.size(), options.limits);
  }
  Bytes bytes(static_cast<std::size_t>(storage.size()));
  if (!storage.read(0, bytes)) {
    return fail(codes::kPackData, "the network file cannot be read");
  }
  ReadOptions reading;
  reading.limits = options.limits;
  reading.strict = options.strict;
  return read(bytes, reading, diagnostics).map([&](Document&& document) -> std::shared_ptr<const Archive> {
    return std::make_shared<Clips>(std::move(document), storage.size());
  });
}

}  // namespace thaw::mrn
