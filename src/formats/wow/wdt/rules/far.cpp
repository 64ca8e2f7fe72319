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
      report.add(at("MAOF.offsets", i), say("the MARE at offset ", document.offsets[i],
                                            " is missing, has an invalid size or overlaps another"));
    }
  }
  for (std::size_t i = 0; i < document.areas.size(); ++i) {
    if (!document.areas[i].frame.remainder.empty()) {
      report.add(say("areas[", i, "].MARE"), "the size of MARE is not 1090 bytes");
    }
  }
}

void unknown(const Far& subject, Report& report) {
  const auto& document = subject.document;
  for (const auto& [frame, tag] :
       {std::pair(&document.names_frame, "MWMO"), std::pair(&document.name_offsets_frame, "MWID"),
        std::pair(&document.placements_frame, "MODF")}) {
    if (frame->present) {
      report.add(tag, say(tag, " is a chunk of later versions"));
    }
  }
  for (std::size_t i = 0; i < document.areas.size(); ++i) {
    if (document.areas[i].holes_frame.present) {
      report.add(say("areas[", i, "].MAHO"), "MAHO is a chunk of later versions");
    }
  }
  for (std::size_t i = 0; i < document.gaps.size(); ++i) {
    report.add(at("gaps", i), say(counted(document.gaps[i].bytes.size(), "byte"), " outside of all chunks"));
  }
}

constexpr std::array kFarRules = {
    FarRule("wdl.version", always(kError), "version other than 18",
            "The client reads far terrain of version 18 only. Write the far terrain again.",
            once<"MVER.version">([](const wdl::Document& document) {
              return document.version_frame.present && document.version != 18
                         ? say("version ", document.version, " instead of 18")
                         : "";
            })),
    FarRule("wdl.table", always(kError), "wrong size of MAOF",
            "MAOF has an offset for each of the map's 4096 tiles. Write the far terrain again.",
            once<"MAOF">([](const wdl::Document& document) {
              return document.offsets.size() != wdl::kTiles || !document.offsets_frame.remainder.empty()
                         ? "the size of MAOF is not 16384 bytes"
                         : "";
            })),
    FarRule("wdl.area", always(kError), "MARE missing, used twice or of the wrong size",
            "Each offset in MAOF must refer to a different MARE of 1090 bytes; the tile has no far terrain "
            "otherwise. Write the far terrain again.",
            areas),
    FarRule("wdl.unknown", always(kInfo), "chunk or bytes unknown to WoW Alpha",
            "The WoW Alpha client skips them; later versions store WMO and holes in such chunks. Nothing "
            "needs to be done.",
            unknown),
};

}  // namespace

std::span<const FarRule> far_rules() { return kFarRules; }

}  // namespace thaw::wdt::rules
