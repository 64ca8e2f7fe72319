// The layout of animations. See docs/formats/nsa.md.
#pragma once

#include <thaw/nsa.hpp>

#include "describe/parts.hpp"

namespace thaw::nsa {

inline constexpr std::uint64_t kHeaderSize = 0xC0;
/// A set of channels of version 24 takes far more memory than its pointer.
inline constexpr std::size_t kMostSets = 256;

constexpr std::uint64_t static_size(Layout layout, unsigned records) {
  constexpr std::uint64_t kRecord = sizeof(Factors);
  return layout == Layout::v24 ? 0x48 : 0x30 + kRecord * records;
}
constexpr std::uint64_t dynamic_size(Layout layout) { return layout == Layout::v24 ? 0x30 : 0x40; }
constexpr std::uint64_t root_size(Layout layout) { return layout == Layout::v24 ? 0x68 : 0x60; }
constexpr std::uint64_t info_entries(std::uint64_t channels) { return align_up(channels, 4); }

/// How many sets of factors a static segment of version 26 has (nsa.md#static-segment): the usual two, unless
/// only fewer give pointers that make sense. `file` begins where pointers of the file do.
unsigned factor_records(ByteView file, std::uint64_t at);

template <class V>
void describe(V& v, As<V, Header>& header) {
  v.field("crc", header.crc);
  v.field("version", header.version);
  v.field("reserved", header.reserved);
  v.field("staticSize", header.static_size);
  v.field("alignment", header.alignment);
  v.field("duration", header.duration);
  v.field("rate", header.rate);
  v.field("channels", header.channels);
  v.field("animatedChannels", header.animated_channels);
  v.field("staticListPointers", header.static_lists_at);
  v.field("dynamicListPointers", header.dynamic_lists_at);
  v.field("translationMeans", header.translation_means);
  v.field("scaleMeansPointer", header.scale_means_at);
  v.field("factorCounts", header.factor_counts);
  v.field("padding", header.padding);
  v.field("factorPointers", header.factors_at);
  v.field("staticPointer", header.static_at);
  v.field("dynamicPointer", header.dynamic_at);
  v.field("rootPointer", header.root_at);
  v.field("end", header.end);
}

template <class V>
void describe(V& v, As<V, HeaderV24>& header) {
  v.field("start", header.start);
  v.field("dynamicPointer", header.dynamic_at);
  v.field("alignment", header.alignment);
  v.field("size", header.size);
  v.field("unknown", header.unknown);
  v.field("duration", header.duration);
  v.field("rate", header.rate);
  v.field("channels", header.channels);
  v.field("unknown2", header.unknown2);
  v.field("sets", header.sets);
  v.field("staticListPointers", header.static_lists_at);
  v.field("dynamicListPointers", header.dynamic_lists_at);
  v.field("translationMeans", header.translation_means);
  v.field("factorCounts", header.factor_counts);
  v.field("factorPointers", header.factors_at);
  v.field("staticPointer", header.static_at);
  v.field("dynamicSize", header.dynamic_size);
  v.field("unknown3", header.unknown3);
  v.field("segmentSizesPointer", header.segment_sizes_at);
  v.field("segmentPointers", header.segments_at);
  v.field("rootPointer", header.root_at);
}

/// Runs `body` on what an optional part holds, as a block. Absent if null, or where it does not fit.
template <class V, class Part, class F>
void part_at(V& v, const char* name, const std::uint64_t& at, std::uint64_t size, Part& part, F&& body) {
  if constexpr (V::kReads) {
    if (at == 0 || v.failed() || !reaches(v, name, at, size)) {
      return;
    }
    part.emplace();
  } else if (!part) {
    return;
  }
  points(v, at, at);
  v.block(name, at, size, [&] { std::forward<F>(body)(*part); });
}

template <class V, class List>
void describe_list(V& v, const char* name, const std::uint64_t& at, List& list) {
  std::uint64_t size = sizeof(std::uint16_t);
  if constexpr (V::kReads) {
    if (at != 0 && holds(v, at, size)) {
      size += 2 * std::uint64_t{load_plain<std::uint16_t>(v.region_bytes().data() + at)};
    }
  }
  part_at(v, name, at, size, list, [&](auto& there) {
    v.field("count", there.count);
    counts(v, there.count, there.channels);
    v.bulk("channels", there.channels, there.count);
  });
}

template <class V, class Segment>
void describe_static_header(V& v, Layout layout, Segment& segment) {
  const bool v26 = layout == Layout::v26;
  v.field("translations", segment.counts[kTranslation]);
  v.field("rotations", segment.counts[kRotation]);
  if (v26) {
    v.field("scales", segment.counts[kScale]);
  }
  const bool single = segment.records == 1;
  if (segment.records == 2 || (single && segment.counts[kTranslation] > 0)) {
    v.field("translationFactors", segment.translation_factors);
  }
  if (segment.records == 2 || (single && segment.counts[kTranslation] == 0)) {
    v.field("rotationFactors", segment.rotation_factors);
  }
  if (v26) {
    v.field("reserved", segment.reserved);
    v.field("scaleFactorsPointer", segment.scale_factors_at);
  }
  v.field("translationPointer", segment.data_at[kTranslation]);
  v.field("rotationPointer", segment.data_at[kRotation]);
  if (v26) {
    v.field("scalePointer", segment.data_at[kScale]);
  }
}

inline constexpr std::array<const char*, kKinds> kKindNames = {"translations", "rotations", "scales"};

template <class V, class Part>
void describe_static(V& v, Layout layout, const std::uint64_t& at, Part& part) {
  unsigned records = part ? part->records : 2U;
  if constexpr (V::kReads) {
    records = layout == Layout::v26 && at != 0 ? factor_records(v.region_bytes(), at) : 2U;
  }
  part_at(v, "static", at, static_size(layout, records), part, [&](auto& segment) {
    if constexpr (V::kReads) {
      segment.records = static_cast<std::uint8_t>(records);
    }
    describe_static_header(v, layout, segment);
  });
  if (!part) {
    return;
  }
  auto& segment = *part;
  points(v, segment.scale_factors_at, pointed(at, segment.scale_factors_at));
  part_at(v, "staticScaleFactors", segment.scale_factors_at == 0 ? 0 : pointed(at, segment.scale_factors_at),
          sizeof(Factors), segment.scale_factors, [&](auto& factors) { v.field("factors", factors); });
  constexpr std::array<const char*, kKinds> kNames = {"staticTranslations", "staticRotations",
                                                      "staticScales"};
  for (std::size_t kind = 0; kind < kKinds; ++kind) {
    array_after(v, kNames[kind], at, segment.data_at[kind], segment.counts[kind], segment.values[kind]);
  }
}

template <class V, class Segment>
void describe_rows(V& v, std::uint64_t at, Segment& segment) {
  const auto data = [&](Kind kind) {
    points(v, segment.at[kind][0], pointed(at, segment.at[kind][0]));
    return pointed(at, segment.at[kind][0]);
  };
  if (segment.at[kTranslation][0] != 0) {
    array_at(v, "translations", data(kTranslation), product(segment.samples, segment.counts[kTranslation]),
             segment.translations);
  }
  if (segment.at[kRotation][0] != 0) {
    const std::uint64_t words = rotation_row(segment) / 2;
    if constexpr (V::kReads) {
      if (words * 2 != align_up(product(segment.counts[kRotation], 6), 4)) {
        v.note(codes::kUnproven, "rotations", "rotation rows have an unusual width; please share the file");
      }
    }
    array_at(v, "rotations", data(kRotation), product(segment.samples, words), segment.rotations);
  }
  if (segment.at[kScale][0] != 0) {
    array_at(v, "scales", data(kScale), product(segment.samples, segment.counts[kScale]), segment.scales);
  }
}

template <class V, class Segment>
void describe_infos(V& v, std::uint64_t at, Segment& segment) {
  constexpr std::array<const char*, kKinds> kNames = {"translationInfos", "rotationInfos", "scaleInfos"};
  for (std::size_t kind = 0; kind < kKinds; ++kind) {
    if (segment.at[kind][1] == 0) {
      continue;
    }
    const std::uint64_t place = pointed(at, segment.at[kind][1]);
    points(v, segment.at[kind][1], place);
    std::uint64_t count = segment.infos[kind].size();
    if constexpr (V::kReads) {
      count = info_entries(segment.counts[kind]);
      if (!holds(v, place, product(count, sizeof(Info)))) {
        count = segment.counts[kind];
      }
    }
    array_at(v, kNames[kind], place, count, segment.infos[kind]);
  }
}

template <class V, class Part>
void describe_dynamic(V& v, Layout layout, const std::uint64_t& at, Part& part) {
  part_at(v, "dynamic", at, dynamic_size(layout), part, [&](auto& segment) {
    v.field("samples", segment.samples);
    v.field("counts", segment.counts);
    for (std::size_t kind = 0; kind < (layout == Layout::v26 ? kKinds : 2); ++kind) {
      v.field(kKindNames[kind], segment.at[kind]);
    }
  });
  if (part) {
    describe_rows(v, at, *part);
    describe_infos(v, at, *part);
  }
}

template <class V, class Part>
void describe_root(V& v, Layout layout, const std::uint64_t& at, Part& part) {
  part_at(v, "root", at, root_size(layout), part, [&](auto& segment) {
    v.field("version", segment.version);
    v.field("unknown", segment.unknown);
    if (layout == Layout::v24) {
      v.field("unknown2", segment.unknown_v24);
    }
    v.field("size", segment.size);
    v.field("alignment", segment.alignment);
    v.field("rate", segment.rate);
    v.field("samples", segment.samples);
    v.field("translationFactors", segment.translation_factors);
    v.field("rotation", segment.rotation);
    v.field("translationPointer", segment.translations_at);
    v.field("rotationPointer", segment.rotations_at);
  });
  if (!part) {
    return;
  }
  auto& segment = *part;
  array_after(v, "rootTranslations", at, segment.translations_at, segment.samples, segment.translations);
  array_after(v, "rootRotations", at, segment.rotations_at, segment.samples, segment.rotations);
}

inline constexpr std::array<const char*, kKinds> kStaticListNames = {
    "staticTranslationChannels", "staticRotationChannels", "staticScaleChannels"};
inline constexpr std::array<const char*, kKinds> kDynamicListNames = {
    "dynamicTranslationChannels", "dynamicRotationChannels", "dynamicScaleChannels"};
inline constexpr std::array<const char*, kKinds> kFactorNames = {"translationFactors", "rotationFactors",
                                                                 "scaleFactors"};

template <class V, class Any>
void describe_v26(V& v, Any& document) {
  v.object("header", document.header);
  const Header& header = document.header;
  if constexpr (V::kReads) {
    document.moving.resize(1);
  }
  for (std::size_t kind = 0; kind < kKinds; ++kind) {
    describe_list(v, kStaticListNames[kind], header.static_lists_at[kind], document.static_lists[kind]);
  }
  for (std::size_t kind = 0; kind < kKinds && !document.moving.empty(); ++kind) {
    describe_list(v, kDynamicListNames[kind], header.dynamic_lists_at[kind],
                  document.moving.front().lists[kind]);
  }
  part_at(v, "scaleMeans", header.scale_means_at, sizeof(Factors), document.scale_means,
          [&](auto& factors) { v.field("factors", factors); });
  for (std::size_t kind = 0; kind < kKinds; ++kind) {
    array_after(v, kFactorNames[kind], 0, header.factors_at[kind], header.factor_counts[kind],
                document.factors[kind]);
  }
  describe_static(v, Layout::v26, header.static_at, document.still);
  if (!document.moving.empty()) {
    describe_dynamic(v, Layout::v26, header.dynamic_at, document.moving.front().segment);
  }
  describe_root(v, Layout::v26, header.root_at, document.root);
}

template <class V, class Any>
void describe_sets_v24(V& v, Any& document) {
  const HeaderV24& header = document.header_v24;
  constexpr std::array<const char*, 3> kNames = {"translationListPointers", "rotationListPointers",
                                                 "segmentPointers"};
  const std::array<std::uint64_t, 3> at = {header.dynamic_lists_at[0], header.dynamic_lists_at[1],
                                           header.segments_at};
  for (std::size_t i = 0; i < at.size(); ++i) {
    array_after(v, kNames[i], 0, at[i], header.sets, document.pointers_v24[i]);
  }
  const auto& pointers = document.pointers_v24;
  if constexpr (V::kReads) {
    const std::size_t sets = std::max({pointers[0].size(), pointers[1].size(), pointers[2].size()});
    document.moving.resize(std::min(std::max<std::size_t>(sets, header.dynamic_at != 0 ? 1 : 0), kMostSets));
  }
  v.blocks("sets", document.moving.size(), [&](std::size_t i) {
    group(v, "", [&] {
      for (std::size_t kind = 0; kind < 2; ++kind) {
        const std::uint64_t list = i < pointers[kind].size() ? pointers[kind][i] : 0;
        describe_list(v, kDynamicListNames[kind], list, document.moving[i].lists[kind]);
      }
      const std::uint64_t first = i == 0 ? header.dynamic_at : 0;
      describe_dynamic(v, Layout::v24, i < pointers[2].size() ? pointers[2][i] : first,
                       document.moving[i].segment);
    });
  });
}

template <class V, class Any>
void describe_v24(V& v, Any& document) {
  v.object("header", document.header_v24);
  const HeaderV24& header = document.header_v24;
  for (std::size_t kind = 0; kind < 2; ++kind) {
    describe_list(v, kStaticListNames[kind], header.static_lists_at[kind], document.static_lists[kind]);
    array_after(v, kFactorNames[kind], 0, header.factors_at[kind], header.factor_counts[kind],
                document.factors[kind]);
  }
  describe_static(v, Layout::v24, header.static_at, document.still);
  describe_sets_v24(v, document);
  describe_root(v, Layout::v24, header.root_at, document.root);
}

/// Takes the whole region: pointers count from its start.
template <class V>
void describe(V& v, As<V, Document>& document) {
  if (document.layout == Layout::v26) {
    describe_v26(v, document);
  } else {
    describe_v24(v, document);
  }
  padded_gaps(v, document.gaps);
  if (document.layout == Layout::v26) {
    checks(v, document.header.crc);
  }
}

}  // namespace thaw::nsa
