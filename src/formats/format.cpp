// Formats as values, and what descriptors are made of; which formats there are is in list.cpp.
#include "bytes/text.hpp"
#include "describe/description.hpp"
#include "formats/descriptor.hpp"

namespace thaw {
namespace {

constexpr FormatDescriptor kUnknown = {"unknown", "unknown content", "", "its format is unknown"};

}  // namespace

const FormatDescriptor& Format::descriptor() const {
  return descriptor_ == nullptr ? kUnknown : *descriptor_;
}

std::string_view Format::id() const { return descriptor().id; }
std::string_view Format::name() const { return descriptor().name; }
std::string_view Format::extensions() const { return descriptor().extensions; }
std::string_view Format::explanation() const { return descriptor().explanation; }
bool Format::converts_to(std::string_view word) const { return contains_word(converts_to(), word); }
std::string_view Format::models() const { return descriptor().models; }
std::span<const std::uint32_t> Format::written_versions() const { return descriptor().written_versions; }
bool Format::reads() const { return descriptor().document.read != nullptr; }
bool Format::is_archive() const { return descriptor().open_archive != nullptr; }
bool Format::is_text() const { return descriptor().text; }
bool Format::is_interchange() const { return descriptor().interchange; }
bool Format::is_known() const { return descriptor_ != nullptr && *this != "empty"; }

const Conversion* find_conversion(const FormatDescriptor& format, std::string_view target) {
  const auto found = std::find_if(format.conversions.begin(), format.conversions.end(),
                                  [&](const Conversion& conversion) { return conversion.target == target; });
  return found == format.conversions.end() ? nullptr : &*found;
}

std::string_view scene_target(const FormatDescriptor& format) {
  const std::string_view stated = format.from_scene->target;
  return stated.empty() ? format.id : stated;
}

const FormatDescriptor* most_like(std::span<const FormatDescriptor* const> formats, ByteView bytes) {
  const FormatDescriptor* best = nullptr;
  Evidence most = Evidence::none;
  for (const auto* format : formats) {
    if (format->strongest > most) {
      const Evidence found = format->recognise(bytes);
      if (found > most) {
        best = format;
        most = found;
      }
    }
  }
  return best;
}

bool begins_with(ByteView bytes, std::string_view magic) { return as_text(bytes).starts_with(magic); }

std::string_view text_window(ByteView bytes) {
  return without_byte_order_mark(as_text(bytes).substr(0, kTextWindow));
}

std::optional<std::uint32_t> version_at(ByteView bytes, std::size_t offset) {
  return bytes.size() >= offset + sizeof(std::uint32_t)
             ? std::optional(load_plain<std::uint32_t>(bytes.data() + offset))
             : std::nullopt;
}

}  // namespace thaw
