// See nsa.md#checks. Pointers that lead nowhere are the reader's to tell.
#include "formats/forgelight/mrn/animation_rules.hpp"

#include "bytes/finite.hpp"

#include <algorithm>
#include <string>

namespace thaw::nsa {
namespace {

constexpr std::array<std::string_view, kKinds> kStaticLists = {
    "staticTranslationChannels", "staticRotationChannels", "staticScaleChannels"};
constexpr std::array<std::string_view, kKinds> kDynamicLists = {
    "dynamicTranslationChannels", "dynamicRotationChannels", "dynamicScaleChannels"};
constexpr std::array<std::string_view, kKinds> kInfos = {"translationInfos", "rotationInfos", "scaleInfos"};
constexpr std::array<std::string_view, kKinds> kFactors = {"translationFactors", "rotationFactors",
                                                           "scaleFactors"};

std::size_t listed(const std::optional<ChannelList>& list) { return list ? list->channels.size() : 0; }

bool finite(const Factors& factors) {
  return std::all_of(factors.begin(), factors.end(), [](const Vec3& part) { return all_finite(part); });
}

/// Version 24 has any number of sets, each under its number.
template <class F>
void each_set(const Document& document, const std::string& prefix, const F& use) {
  for (std::size_t i = 0; i < document.moving.size(); ++i) {
    use(document.moving[i], document.layout == Layout::v24 ? at(prefix + "sets", i) + "." : prefix);
  }
}

/// Calls `use(set, segment, path)` for each set that has a segment.
template <class F>
void each_segment(const Document& document, const std::string& prefix, const F& use) {
  each_set(document, prefix, [&](const DynamicSet& set, const std::string& path) {
    if (set.segment) {
      use(*set.segment, path);
    }
  });
}

/// Calls `use(kind, list, path)`.
template <class F>
void each_list(const Document& document, const std::string& prefix, const F& use) {
  for (std::size_t kind = 0; kind < kKinds; ++kind) {
    use(kind, document.static_lists[kind], say(prefix, kStaticLists.at(kind)));
    each_set(document, prefix, [&](const DynamicSet& set, const std::string& path) {
      use(kind, set.lists[kind], say(path, kDynamicLists.at(kind)));
    });
  }
}

// --- rules: `prefix` is the path of the animation

void crc(const Document& document, const std::string& prefix, Report& report) {
  if (document.layout == Layout::v26 && computed_crc(write(document)) != stated_crc(document)) {
    report.add(prefix + "header.crc", "the checksum does not match the data");
  }
}

void list_counts(const Document& document, const std::string& prefix, Report& report) {
  const auto compare = [&](const std::optional<ChannelList>& list, std::size_t stated, std::string path) {
    if (listed(list) != stated) {
      report.add(std::move(path), say("the list has ", counted_noun(listed(list), "channel"),
                                      ", but the segment states ", stated));
    }
  };
  for (std::size_t kind = 0; kind < kKinds; ++kind) {
    compare(document.static_lists[kind], document.still ? document.still->counts[kind] : 0,
            say(prefix, kStaticLists.at(kind)));
    each_set(document, prefix, [&](const DynamicSet& set, const std::string& path) {
      const bool scales_v24 = kind == kScale && document.layout == Layout::v24;
      if (!scales_v24) {
        compare(set.lists[kind], set.segment ? set.segment->counts[kind] : 0,
                say(path, kDynamicLists.at(kind)));
      }
    });
  }
}

void channels(const Document& document, const std::string& prefix, Report& report) {
  each_list(document, prefix,
            [&](std::size_t /*kind*/, const std::optional<ChannelList>& list, const std::string& path) {
              for (std::size_t i = 0; i < listed(list); ++i) {
                if (list->channels[i] >= document.channels()) {
                  report.add(path, say("channel ", list->channels[i], " does not exist; the count is ",
                                       document.channels()));
                }
              }
            });
}

void twice(const Document& document, const std::string& prefix, Report& report) {
  std::array<std::vector<bool>, kKinds> seen;
  each_list(document, prefix,
            [&](std::size_t kind, const std::optional<ChannelList>& list, const std::string& path) {
              auto& marks = seen.at(kind);
              for (std::size_t i = 0; i < listed(list); ++i) {
                const std::size_t channel = list->channels[i];
                marks.resize(std::max(marks.size(), channel + 1), false);
                if (marks[channel]) {
                  report.add(path, say("channel ", channel, " occurs twice"));
                }
                marks[channel] = true;
              }
            });
}

void infos(const Document& document, const std::string& prefix, Report& report) {
  each_segment(document, prefix, [&](const DynamicSegment& segment, const std::string& path) {
    for (std::size_t kind = 0; kind < kKinds; ++kind) {
      const bool scales_v24 = kind == kScale && document.layout == Layout::v24;
      if (!scales_v24 && segment.infos[kind].size() < segment.counts[kind]) {
        report.add(path + "dynamic", say(kInfos.at(kind), " exist for ", segment.infos[kind].size(), " of ",
                                         counted(segment.counts[kind], "channel")));
      }
    }
  });
}

void factor_index(const Document& document, const std::string& prefix, Report& report) {
  each_segment(document, prefix, [&](const DynamicSegment& segment, const std::string& path) {
    for (std::size_t kind = 0; kind < kKinds; ++kind) {
      const auto& list = segment.infos[kind];
      const std::size_t count = std::min<std::size_t>(list.size(), segment.counts[kind]);
      for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
          if (list[i][3 + axis] >= document.factors[kind].size()) {
            report.add(say(path, kInfos.at(kind)),
                       say("entry ", i, " uses factor set ", list[i][3 + axis],
                           ", which does not exist; the count is ", document.factors[kind].size()));
          }
        }
      }
    }
  });
}

void rows(const Document& document, const std::string& prefix, Report& report) {
  each_segment(document, prefix, [&](const DynamicSegment& segment, const std::string& path) {
    const std::uint64_t samples = segment.samples;
    const std::array<std::uint64_t, kKinds> widths = {4 * std::uint64_t{segment.counts[kTranslation]},
                                                      rotation_row(segment),
                                                      4 * std::uint64_t{segment.counts[kScale]}};
    for (std::size_t kind = 0; kind < kKinds; ++kind) {
      const auto [rows_at, infos_at] = segment.at[kind];
      if (rows_at != 0 && infos_at > rows_at && samples > 0 &&
          (infos_at - rows_at) / samples < widths[kind]) {
        report.add(path + "dynamic",
                   say(samples, " rows of ", widths[kind], " bytes overlap the ", kInfos.at(kind)));
      }
    }
  });
}

void sample_count(const Document& document, const std::string& prefix, Report& report) {
  const double steps = double{document.duration()} * double{document.rate()};
  each_segment(document, prefix, [&](const DynamicSegment& segment, const std::string& path) {
    if (std::abs(static_cast<double>(segment.samples) - 1 - steps) > 1) {
      report.add(path + "dynamic.samples",
                 say(counted(segment.samples, "sample"), " for ", document.duration(), " s at ",
                     document.rate(), " Hz; expected ", std::round(steps) + 1));
    }
  });
}

void timing(const Document& document, const std::string& prefix, Report& report) {
  if (!(document.duration() >= 0) || !std::isfinite(document.duration())) {
    report.add(prefix + "header.duration",
               say("the duration is ", document.duration(), " s; it must be finite and 0 or more"));
  }
  if (!(document.rate() > 0) || !std::isfinite(document.rate())) {
    report.add(prefix + "header.rate",
               say("the rate is ", document.rate(), " Hz; it must be finite and above 0"));
  }
}

void factors(const Document& document, const std::string& prefix, Report& report) {
  const auto check = [&](const Factors& set, const std::string& path) {
    if (!finite(set)) {
      report.add(prefix + path, "a decoding factor is not finite");
    }
  };
  const bool v26 = document.layout == Layout::v26;
  check(v26 ? document.header.translation_means : document.header_v24.translation_means,
        "header.translationMeans");
  if (document.scale_means) {
    check(*document.scale_means, "scaleMeans");
  }
  for (std::size_t kind = 0; kind < kKinds; ++kind) {
    for (const Factors& set : document.factors[kind]) {
      check(set, std::string(kFactors.at(kind)));
    }
  }
  if (document.still) {
    check(document.still->translation_factors, "static.translationFactors");
    check(document.still->rotation_factors, "static.rotationFactors");
    if (document.still->scale_factors) {
      check(*document.still->scale_factors, "staticScaleFactors");
    }
  }
  if (document.root) {
    check(document.root->translation_factors, "root.translationFactors");
  }
}

void scales(const Document& document, const std::string& prefix, Report& report) {
  if (document.still && document.still->counts[kScale] > 0) {
    report.add(prefix + "static.scales", say(counted_noun(document.still->counts[kScale], "channel"),
                                             " with scales, which are read like translations"));
  }
  each_segment(document, prefix, [&](const DynamicSegment& segment, const std::string& path) {
    if (document.layout == Layout::v26 && segment.counts[kScale] > 0) {
      report.add(path + "dynamic.counts", say(counted_noun(segment.counts[kScale], "channel"),
                                              " with scales, which are read like translations"));
    }
  });
}

/// What the header of every animation that is described has otherwise (nsa.md#header).
void header_words(const Document& document, const std::string& prefix, Report& report) {
  const bool v26 = document.layout == Layout::v26;
  const std::uint32_t alignment = v26 ? document.header.alignment : document.header_v24.alignment;
  if (alignment != 4 && alignment != 16) {
    report.add(prefix + "header.alignment", say("the alignment is ", alignment, ", neither 4 nor 16"));
  }
  if (v26 && document.header.reserved != 0) {
    report.add(prefix + "header.reserved", say("the reserved word is ", document.header.reserved, ", not 0"));
  }
  if (v26 && document.header.animated_channels > document.header.channels) {
    report.add(prefix + "header.animatedChannels",
               say(document.header.animated_channels, " channels are animated, but the animation has only ",
                   document.header.channels));
  }
}

void root_timing(const Document& document, const std::string& prefix, Report& report) {
  if (document.root &&
      (document.root->samples != document.samples() || document.root->rate != document.rate())) {
    report.add(prefix + "root.samples",
               say("root motion has ", document.root->samples, " samples at ", document.root->rate,
                   " Hz, the bones have ", document.samples(), " at ", document.rate(), " Hz"));
  }
}

// --- the table

template <auto kCheck>
void in_file(const DocumentSubject<Document>& subject, Report& report) {
  kCheck(subject.document, "", report);
}

template <auto kCheck>
void in_network(const DocumentSubject<mrn::Document>& subject, Report& report) {
  const auto& packets = subject.document.packets;
  for (std::size_t i = 0; i < packets.size(); ++i) {
    if (const auto* animation = packets[i].get_if<Document>()) {
      kCheck(*animation, at("packets", i) + ".data.", report);
    }
  }
}

struct Row {
  FileRule file;
  NetworkRule network;
};

template <auto kCheck>
constexpr Row row(std::string_view code, Severities severities, std::string_view title,
                  std::string_view help) {
  return {{code, severities, title, help, in_file<kCheck>},
          {code, severities, title, help, in_network<kCheck>}};
}

constexpr std::array kRows = {
    row<crc>("nsa.crc", always(kWarning), "checksum mismatch",
             "The range that the checksum covers in the games' files is not proven; thaw computes it over "
             "everything after the checksum. Nothing needs to be done."),
    row<list_counts>("nsa.list-count", always(kError), "number of listed channels differs from the segment",
                     "Channels without a value, and values without a channel, are not decoded. Export the "
                     "animation again."),
    row<channels>("nsa.channel-range", always(kError), "channel out of range",
                  "The channel must be below the number of channels in the header; it is not decoded. Export "
                  "the animation again."),
    row<twice>("nsa.channel-twice", always(kError), "duplicate channel",
               "A channel must be listed once, as animated or as static. If it is both, the animated one is "
               "used. Export the animation again."),
    row<infos>("nsa.infos", always(kError), "animated channels without decoding data",
               "Each animated channel needs three initial bytes and three factor set indices. Export the "
               "animation again."),
    row<factor_index>("nsa.factor-index", always(kError), "factor set out of range",
                      "The channel cannot be decoded. Export the animation again."),
    row<rows>("nsa.rows", always(kError), "sample rows overlap the following data",
              "The number of samples or of channels is wrong. Export the animation again."),
    row<sample_count>("nsa.samples", always(kWarning), "number of samples does not match the duration",
                      "The expected number is duration times rate plus one. Correct the duration, or export "
                      "the animation again."),
    row<timing>("nsa.timing", always(kError), "invalid duration or rate",
                "The duration must be 0 (a pose) or more, and the rate above 0. Correct them."),
    row<factors>("nsa.factors", always(kError), "decoding factors not finite",
                 "Values that are computed with such a factor are unusable. Export the animation again."),
    row<scales>("nsa.scale", always(kWarning), "scales, which no published file uses",
                "Scales are read like translations. Please share the file."),
    row<header_words>("nsa.header", always(kWarning), "unusual header",
                      "Known animations are aligned to 4 or 16 bytes, have zeros at 0x08 and at most as many "
                      "animated channels as channels. The file is read like these."),
    row<root_timing>("nsa.root-timing", always(kInfo), "root motion with a different sampling",
                     "This is valid, but some tools use the bones' times for both."),
};

template <class RuleType, RuleType Row::* kMember>
constexpr auto column() {
  std::array<RuleType, kRows.size()> rules{};
  for (std::size_t i = 0; i < kRows.size(); ++i) {
    rules[i] = kRows[i].*kMember;
  }
  return rules;
}

constexpr auto kFileRules = column<FileRule, &Row::file>();
constexpr auto kNetworkRules = column<NetworkRule, &Row::network>();

}  // namespace

std::span<const FileRule> rules() { return kFileRules; }
std::span<const NetworkRule> rules_in_networks() { return kNetworkRules; }

}  // namespace thaw::nsa
