#include "formats/wow/lit/rules.hpp"

#include "bytes/finite.hpp"
#include "describe/rules.hpp"

#include <algorithm>

namespace thaw::lit {
namespace {

constexpr auto kLights = [](const Document& document, const auto& use) {
  walk(document.lights, "lights", use);
};
constexpr auto kSets = [](const Document& document, const auto& use) {
  walk(document.values, "values", use);
};

void length(const Document& document, Report& report) {
  const std::int64_t count = document.light_count;
  const bool alone = count == -1 && document.version != kVersion2;
  const std::uint64_t requested = document.version == kVersion2 ? 2
                                  : alone
                                      ? 1
                                      : static_cast<std::uint64_t>(count < 0 ? -count : count) * kWeathers;
  if (document.values.size() != requested) {
    report.add("lightCount",
               say(counted_noun(document.values.size(), "set"), " of values instead of ", requested));
  } else if (!document.gaps.empty()) {
    report.add("gaps[0]",
               say(counted(document.gaps.front().bytes.size(), "byte"), " after the last set of values"));
  }
}

void marker_count(const Document& document, Report& report) {
  kSets(document, [&](const Values& values, const auto& path) {
    for (std::size_t track = 0; track < values.counts.size(); ++track) {
      if (values.counts[track] < 0 || values.counts[track] > static_cast<std::int32_t>(kSlots)) {
        report.add(say(path(), ".counts[", track, "]"),
                   say(values.counts[track], " markers of ", track_name(track), "; 0 to 32 are possible"));
      }
    }
  });
}

void marker_times(const Document& document, Report& report) {
  kSets(document, [&](const Values& values, const auto& path) {
    for (std::size_t track = 0; track < values.tracks.size(); ++track) {
      std::int32_t last = 0;
      for (std::size_t i = 0; i < values.markers(track); ++i) {
        const std::int32_t time = values.tracks[track].time(i);
        if (time < last || time > kDay) {
          report.add(say(path(), ".tracks[", track, "].markers"),
                     say("marker ", i, " of ", track_name(track), " is at ", time, ", ",
                         time > kDay ? "after the day's end at 2880"
                         : i == 0    ? "before the day's start at 0"
                                     : "before the previous marker"));
          break;
        }
        last = time;
      }
    }
  });
}

constexpr std::array kRules = {
    LitRule("lit.length", always(kError), "wrong number of value sets for the lights, or bytes after them",
            "Each light has four sets of values; a count of −1 means a single set. The oldest version has "
            "two sets. Add the missing sets, or remove the bytes.",
            length),
    LitRule("lit.marker-count", always(kError), "invalid number of markers in a track",
            "A track holds up to 32 markers; the count states how many are used. Set it to that number.",
            marker_count),
    LitRule("lit.marker-time", always(kWarning), "markers out of order or outside the day",
            "Times are half-minutes from 0 to 2880 in ascending order. Sort or correct them.", marker_times),
    LitRule("lit.fog", always(kWarning), "invalid start or end of the fog",
            "The fog's end is a length, and its start a fraction of the end, up to 1. Correct the values.",
            each<kSets, "fogEnd">([](const Values& values) -> Fault {
              for (std::size_t i = 0; i < kSlots; ++i) {
                const float end = values.fog_end.at(i);
                const float scaler = values.fog_start_scaler.at(i);
                if (!std::isfinite(end) || end < 0 || !std::isfinite(scaler) || scaler > 1) {
                  return say("the fog of slot ", i, " ends at ", end, " and starts at ", scaler,
                             " times that; the end must be 0 or more, the factor at most 1");
                }
              }
              return {};
            })),
    LitRule("lit.light-place", always(kWarning), "invalid position, radius or dropoff of a light",
            "The position must be finite; radius and dropoff are lengths in 1/36 yard, 0 or more. Correct "
            "the values.",
            each<kLights>([](const Light& light) {
              const bool finite =
                  all_finite(light.position) && std::isfinite(light.radius) && std::isfinite(light.dropoff);
              if (!all_finite(light.position)) {
                return std::string("the position is not finite");
              }
              return !finite || light.radius < 0 || light.dropoff < 0
                         ? say("the radius is ", light.radius, " and the dropoff ", light.dropoff,
                               "; both must be finite and 0 or more")
                         : "";
            })),
    LitRule("lit.default-light", always(kInfo), "no light for the whole map",
            "Outside all other lights, colours and fog are undefined. Add one.",
            once<"lights">([](const Document& document) {
              const auto has = [](const Light& light) { return light.is_default(); };
              return !document.lights.empty() &&
                             std::none_of(document.lights.begin(), document.lights.end(), has)
                         ? "no light has the chunk −1, −1, which applies to the whole map"
                         : "";
            })),
};

}  // namespace

std::span<const LitRule> rules() { return kRules; }

}  // namespace thaw::lit
