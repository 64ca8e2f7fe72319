#include <thaw/adt.hpp>

#include "formats/list.hpp"
#include "formats/wow/terrain_facts.hpp"
#include "formats/wow/world_file.hpp"

namespace thaw::adt {
namespace {

/// A map with its tiles becomes one file.
constexpr std::array kConversions = {Conversion{"wdt", ".wdt", "later tiles to maps"}};

}  // namespace

const FormatDescriptor kMap = {
    .id = "wdt-lk",
    .name = "World of Warcraft map (WDT) next to its tiles",
    .extensions = ".wdt",
    .explanation = "this is a World of Warcraft map (WDT), whose terrain is in the tiles next to it (ADT)",
    .strongest = Evidence::magic,
    .recognise = [](ByteView bytes) { return if_found(is_map(bytes), Evidence::magic); },
    .report = report_world_version,
    .document = document_operations<Map, read_map>(),
    .facts = facts_of_any<Map, thaw::facts_of>,
    .conversions = kConversions,
    .holds_models = true,
};

const FormatDescriptor kTile = {
    .id = "adt",
    .name = "World of Warcraft map tile (ADT)",
    .extensions = ".adt",
    .explanation = "this is a World of Warcraft map tile (ADT)",
    .strongest = Evidence::magic,
    .recognise = [](ByteView bytes) { return if_found(is_adt(bytes), Evidence::magic); },
    .report = report_world_version,
    .document = document_operations<Document, read>(),
    .facts = facts_of_any<Document, thaw::facts_of>,
    .conversions = kConversions,
    .holds_models = true,
};

}  // namespace thaw::adt
