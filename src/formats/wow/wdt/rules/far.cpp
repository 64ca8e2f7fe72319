// Far terrain (WDL).
#include "formats/wow/wdt/rules/table.hpp"

namespace thaw::wdt::rules {
namespace {

using Far = DocumentSubject<wdl::Document>;

void areas(const Far& subject, Report& report) {
  const auto& document = subject.document;
  for (std::size_t i = 0; i < document.offsets.size(); ++i) {
    if (document.offsets[i] != 0 &&
        document.area(i % wdl::kTilesPerSide, i / wdl::kTilesPerSide) == nullptr) {
      report.add(at("MAOF.offsets", i), say("no MARE, or a shared one, at ", document.offsets[i]));
    }
  }
  for (std::size_t i = 0; i < document.areas.size(); ++i) {
    if (!document.areas[i].frame.remainder.empty()) {
      report.add(say("areas[", i, "].MARE"), "the size is not 1090");
    }
  }
}

void unknown(const Far& subject, Report& report) {
  const auto& document = subject.document;
  for (const auto& [frame, tag] :
       {std::pair(&document.names_frame, "MWMO"), std::pair(&document.name_offsets_frame, "MWID"),
        std::pair(&document.placements_frame, "MODF")}) {
    if (frame->present) {
      report.add(tag, "a chunk of later versions");
    }
  }
  for (std::size_t i = 0; i < document.areas.size(); ++i) {
    if (document.areas[i].holes_frame.present) {
      report.add(say("areas[", i, "].MAHO"), "a chunk of later versions");
    }
  }
  for (std::size_t i = 0; i < document.gaps.size(); ++i) {
    report.add(at("gaps", i), say(document.gaps[i].bytes.size(), " bytes outside of all chunks"));
  }
}

constexpr std::array kFarRules = {
    FarRule("wdl.version", always(kError), "version other than 18",
            "The client reads far terrain of version 18 only.",
            once<"MVER.version">([](const wdl::Document& document) {
              return document.version_frame.present && document.version != 18
                         ? say("version ", document.version)
                         : "";
            })),
    FarRule("wdl.table", always(kError), "wrong table size",
            "MAOF has an offset for each of the map's 4096 tiles.",
            once<"MAOF">([](const wdl::Document& document) {
              return document.offsets.size() != wdl::kTiles || !document.offsets_frame.remainder.empty()
                         ? "the size is not 16384"
                         : "";
            })),
    FarRule("wdl.area", always(kError), "area not at the table's offset",
            "Offsets must refer to a MARE of 1090 bytes.", areas),
    FarRule("wdl.unknown", always(kInfo), "chunk unknown to WoW Alpha",
            "The WoW Alpha client skips it; later versions store WMO and holes here.", unknown),
};

}  // namespace

std::span<const FarRule> far_rules() { return kFarRules; }

}  // namespace thaw::wdt::rules
