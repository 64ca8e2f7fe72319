// Positions of the parts of a new animation. See nsa.md#order-of-parts.
#include "describe/parts.hpp"
#include "formats/forgelight/nsa/description.hpp"
#include "formats/forgelight/nsa/quantise.hpp"

namespace thaw::nsa {
namespace {

constexpr std::uint64_t kAlignment = 16;

/// Segments end on the alignment and are followed by as much again: readers in use look past the end.
void end_segment(Placer& placer) {
  placer.fill(align_up(placer.here(), kAlignment) - placer.here() + kAlignment);
}

/// Null for nothing.
template <class Values>
std::uint64_t place_values(Placer& placer, std::uint64_t base, const Values& values,
                           std::uint64_t alignment) {
  return values.empty() ? 0 : placer.place(bytes_of(values), alignment) - base;
}

void place_lists(Document& document, Placer& placer) {
  const auto place = [&](const ChannelList& list) { return placer.place(2 + bytes_of(list.channels), 2); };
  for (std::size_t kind = 0; kind < kKinds; ++kind) {
    document.header.static_lists_at[kind] = place(*document.static_lists[kind]);
  }
  for (std::size_t kind = 0; kind < kKinds; ++kind) {
    document.header.dynamic_lists_at[kind] = place(*document.moving.front().lists[kind]);
  }
}

void place_factors(Document& document, Placer& placer) {
  for (std::size_t kind = 0; kind < kKinds; ++kind) {
    document.header.factor_counts[kind] = static_cast<std::uint32_t>(document.factors[kind].size());
    document.header.factors_at[kind] = place_values(placer, 0, document.factors[kind], kAlignment);
  }
  if (document.scale_means) {
    document.header.scale_means_at = placer.place(sizeof(Factors), kAlignment);
  }
}

void place_static(StaticSegment& segment, std::uint64_t& at, Placer& placer) {
  at = placer.place(static_size(Layout::v26, segment.records), kAlignment);
  for (std::size_t kind = 0; kind < kKinds; ++kind) {
    segment.data_at[kind] = place_values(placer, at, segment.values[kind], 2);
  }
  if (segment.scale_factors) {
    segment.scale_factors_at = placer.place(sizeof(Factors), 4) - at;
  }
  end_segment(placer);
}

void place_dynamic(DynamicSegment& segment, std::uint64_t& at, Placer& placer) {
  at = placer.place(dynamic_size(Layout::v26), kAlignment);
  for (std::size_t kind = 0; kind < kKinds; ++kind) {
    std::uint64_t& rows = segment.at[kind][0];
    rows = kind == kRotation ? place_values(placer, at, segment.rotations, 4)
           : kind == kScale  ? place_values(placer, at, segment.scales, 4)
                             : place_values(placer, at, segment.translations, 4);
    segment.at[kind][1] = place_values(placer, at, segment.infos[kind], 1);
  }
  end_segment(placer);
}

void place_root(RootSegment& segment, std::uint64_t& at, Placer& placer) {
  at = placer.place(root_size(Layout::v26), kAlignment);
  segment.translations_at = place_values(placer, at, segment.translations, 4);
  segment.rotations_at = place_values(placer, at, segment.rotations, 2);
  segment.size = static_cast<std::uint32_t>(placer.here() - at);
  end_segment(placer);
}

}  // namespace

void lay_out(Document& document) {
  document.gaps.clear();
  Placer placer(kHeaderSize, document.gaps);
  place_lists(document, placer);
  place_factors(document, placer);
  if (document.still) {
    place_static(*document.still, document.header.static_at, placer);
  }
  if (auto& segment = document.moving.front().segment) {
    place_dynamic(*segment, document.header.dynamic_at, placer);
  }
  if (document.root) {
    place_root(*document.root, document.header.root_at, placer);
  }
  placer.align(kAlignment);
  const std::uint32_t crc = computed_crc(write(document));
  for (unsigned i = 0; i < 4; ++i) {
    document.header.crc[i] = static_cast<std::uint8_t>(crc >> (24U - 8U * i));
  }
}

}  // namespace thaw::nsa
