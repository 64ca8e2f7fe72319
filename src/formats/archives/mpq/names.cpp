#include "formats/archives/mpq/names.hpp"

#include <thaw/archive.hpp>

namespace thaw::mpq {
namespace {

constexpr std::array<std::string_view, 58> kNames = {
    kListfile,
    kAttributes,
    kSignature,
    "(user data)",
    "war3map.j",
    "war3map.lua",
    "scripts\\war3map.j",
    "scripts\\war3map.lua",
    "war3map.w3a",
    "war3map.w3b",
    "war3map.w3c",
    "war3map.w3d",
    "war3map.w3e",
    "war3map.w3f",
    "war3map.w3g",
    "war3map.w3h",
    "war3map.w3i",
    "war3map.w3l",
    "war3map.w3o",
    "war3map.w3p",
    "war3map.w3q",
    "war3map.w3r",
    "war3map.w3s",
    "war3map.w3t",
    "war3map.w3u",
    "war3map.wai",
    "war3map.wct",
    "war3map.wpm",
    "war3map.wtg",
    "war3map.wts",
    "war3map.doo",
    "war3map.imp",
    "war3map.mmp",
    "war3map.shd",
    "war3mapUnits.doo",
    "war3mapMap.blp",
    "war3mapMap.b00",
    "war3mapMap.tga",
    "war3mapPath.tga",
    "war3mapPreview.tga",
    "war3mapPreview.blp",
    "war3mapPreview.dds",
    "war3mapMisc.txt",
    "war3mapSkin.txt",
    "war3mapExtra.txt",
    "war3mapSkin.w3a",
    "war3mapSkin.w3b",
    "war3mapSkin.w3d",
    "war3mapSkin.w3h",
    "war3mapSkin.w3q",
    "war3mapSkin.w3t",
    "war3mapSkin.w3u",
    "war3campaign.w3f",
    "war3campaign.imp",
    "war3campaign.wts",
    "war3campaign.w3u",
    "war3campaign.w3t",
    "war3campaign.w3a",
};

}  // namespace

std::span<const std::string_view> usual_names() { return kNames; }

}  // namespace thaw::mpq
