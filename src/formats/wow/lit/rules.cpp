#include "formats/wow/lit/rules.hpp"

#include "bytes/finite.hpp"
#include "describe/rules.hpp"

#include <algorithm>

namespace thaw::lit {
namespace {

/// Calls `use(path, values)` for every set.
template <class F>
void for_each_set(const Document& document, F&& use) {
  for (std::size_t i = 0; i < document.values.size(); ++i) {
    use(at("values", i), document.values[i]);
  }
}

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
    report.add("gaps[0]", say(document.gaps.front().bytes.size(), " bytes after the last set of values"));
  }
}

void marker_count(const Document& document, Report& report) {
  for_each_set(document, [&](const std::string& path, const Values& values) {
    for (std::size_t track = 0; track < values.counts.size(); ++track) {
      if (values.counts[track] < 0 || values.counts[track] > static_cast<std::int32_t>(kSlots)) {
        report.add(say(path, ".counts[", track, "]"),
                   say(values.counts[track], " markers of ", track_name(track), "; the limit is 32"));
      }
    }
  });
}

void marker_times(const Document& document, Report& report) {
  for_each_set(document, [&](const std::string& path, const Values& values) {
    for (std::size_t track = 0; track < values.tracks.size(); ++track) {
      std::int32_t last = 0;
      for (std::size_t i = 0; i < values.markers(track); ++i) {
        const std::int32_t time = values.tracks[track].time(i);
        if (time < last || time > kDay) {
          report.add(say(path, ".tracks[", track, "].markers"),
                     say("marker ", i, " of ", track_name(track), " is at ", time));
          break;
        }
        last = time;
      }
    }
  });
}

void fog(const Document& document, Report& report) {
  for_each_set(document, [&](const std::string& path, const Values& values) {
    for (std::size_t i = 0; i < kSlots; ++i) {
      const float end = values.fog_end.at(i);
      const float scaler = values.fog_start_scaler.at(i);
      if (!std::isfinite(end) || end < 0 || !std::isfinite(scaler) || scaler > 1) {
        report.add(path + ".fogEnd",
                   say("slot ", i, " ends at ", end, " and starts at ", scaler, " of that"));
        break;
      }
    }
  });
}

void light_place(const Document& document, Report& report) {
  for (std::size_t i = 0; i < document.lights.size(); ++i) {
    const Light& light = document.lights[i];
    const bool finite =
        all_finite(light.position) && std::isfinite(light.radius) && std::isfinite(light.dropoff);
    if (!finite || light.radius < 0 || light.dropoff < 0) {
      report.add(at("lights", i), say("radius ", light.radius, ", dropoff ", light.dropoff));
    }
  }
}

void default_light(const Document& document, Report& report) {
  const auto has = [](const Light& light) { return light.is_default(); };
  if (!document.lights.empty() && std::none_of(document.lights.begin(), document.lights.end(), has)) {
    report.add("lights", "no light has the chunk −1, −1");
  }
}

constexpr std::array kRules = {
    LitRule{{"lit.length",
             {kError, kError, kError},
             "file size does not match its value sets",
             "Each light has four sets of values; a count of −1 means a single set."},
            length},
    LitRule{{"lit.marker-count",
             {kError, kError, kError},
             "too many markers in a track",
             "A track holds up to 32 markers; the count states how many are used."},
            marker_count},
    LitRule{{"lit.marker-time",
             {kWarning, kWarning, kWarning},
             "markers out of order or past the day's end",
             "Times are half-minutes from 0 to 2880 in ascending order."},
            marker_times},
    LitRule{{"lit.fog",
             {kWarning, kWarning, kWarning},
             "invalid fog",
             "The end is a length, and the start a fraction of it up to 1."},
            fog},
    LitRule{{"lit.light-place",
             {kWarning, kWarning, kWarning},
             "invalid light position or radius",
             "Radius and dropoff are lengths in 1/36 yard."},
            light_place},
    LitRule{{"lit.default-light",
             {kInfo, kInfo, kInfo},
             "no light for the whole map",
             "Outside all other lights, colours and fog are undefined."},
            default_light},
};

}  // namespace

std::span<const LitRule> rules() { return kRules; }

}  // namespace thaw::lit
