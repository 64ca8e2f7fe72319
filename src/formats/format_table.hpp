// Every format that the library knows by name: one row each.
#pragma once

#include <thaw/format.hpp>

#include <array>

namespace thaw {

/// A format that is recognised, so that a finding can say what a file is.
constexpr FormatEntry recognized(Format format, std::string_view id, std::string_view name,
                                 std::string_view extensions, std::string_view explanation) {
  return {format, id, name, extensions, explanation, false, {}};
}

inline constexpr std::array kFormatEntries = {
    recognized(Format::unknown, "unknown", "unknown content", "",
               "its content is of no format that is known here"),
    recognized(Format::empty, "empty", "empty file", "",
               "it holds nothing but zeros: it was never filled, or it is encrypted and its key is missing"),
    FormatEntry{Format::mdx, "mdx", "Warcraft III model (MDX)", ".mdx", "this is a model of Warcraft III",
                true, "glb gltf mdx mdl"},
    FormatEntry{Format::mdl, "mdl", "Warcraft III model as text (MDL)", ".mdl",
                "this is a model of Warcraft III as text (MDL)", true, "glb gltf mdx mdl"},
    FormatEntry{Format::mrf, "mrf", "Warcraft III morph model (MRF)", ".mrf",
                "this is a morph model of Warcraft III (MRF)", true, "glb gltf"},
    FormatEntry{Format::blp1, "blp1", "Warcraft III texture (BLP1)", ".blp", "this is a texture (BLP1)", true,
                "png blp blp2 dds"},
    FormatEntry{Format::blp2, "blp2", "World of Warcraft texture (BLP2)", ".blp", "this is a texture (BLP2)",
                true, "png blp blp2 dds"},
    FormatEntry{Format::dds, "dds", "DirectDraw surface (DDS)", ".dds", "this is a texture (DDS)", true,
                "png blp blp2 dds"},
    FormatEntry{Format::tga, "tga", "Targa picture (TGA)", ".tga", "this is a picture (TGA)", true,
                "png blp blp2 dds"},
    FormatEntry{Format::png, "png", "PNG picture", ".png", "this is a picture (PNG)", true,
                "png blp blp2 dds"},
    FormatEntry{Format::mrn, "mrn", "Forgelight animation network (MRN)", ".mrn .nmb",
                "this is a Forgelight or Morpheme animation network (MRN)", true, "glb gltf"},
    FormatEntry{Format::nsa, "nsa", "Forgelight animation (NSA)", ".nsa",
                "this is a Forgelight or Morpheme animation (NSA), which needs a skeleton to be seen", true,
                "glb gltf"},
    FormatEntry{Format::wmo, "wmo", "World of Warcraft building (WMO)", ".wmo",
                "this is a building of World of Warcraft (WMO)", true, "glb gltf wmo-v14 wmo-v17"},
    recognized(
        Format::m2, "m2", "World of Warcraft model (M2)", ".m2 .mdx",
        "this is an M2 model of World of Warcraft, not an MDX, even if it is stored under an .mdx name"),
    FormatEntry{Format::m3_wow, "m3", "World of Warcraft model (M3)", ".m3",
                "this is an M3 model of World of Warcraft", true, "glb gltf"},
    FormatEntry{Format::m3_library,
                "mtl3lib",
                "World of Warcraft material library (M3)",
                ".mtl3lib",
                "this is a material library of World of Warcraft's M3 models: shaders, without a shape",
                true,
                {}},
    recognized(Format::m3_starcraft, "m3-starcraft", "StarCraft II model (M3)", ".m3",
               "this is an M3 model of StarCraft II or Heroes of the Storm, not one of World of Warcraft"),
    FormatEntry{Format::wdt, "wdt", "World of Warcraft alpha map (WDT)", ".wdt",
                "this is a map of World of Warcraft's alpha (WDT), with all its terrain", true,
                "glb gltf heightmap maps minimap adt-lk"},
    FormatEntry{Format::wdl, "wdl", "World of Warcraft far terrain (WDL)", ".wdl",
                "this is the far terrain of a World of Warcraft map (WDL)", true, "glb gltf heightmap"},
    FormatEntry{Format::wdt_later, "wdt-lk", "World of Warcraft map (WDT) beside its tiles", ".wdt",
                "this is a map of World of Warcraft (WDT), whose terrain is in the tiles beside it (ADT)",
                true, "wdt"},
    FormatEntry{Format::adt, "adt", "World of Warcraft map tile (ADT)", ".adt",
                "this is a tile of a World of Warcraft map (ADT)", true, "wdt"},
    recognized(Format::wow_chunked, "wow-world", "World of Warcraft world file (WDT, WDL, ADT or WMO)",
               ".wdt .wdl .adt .wmo",
               "this is a part of a World of Warcraft world (WDT, WDL, ADT or WMO), not a model"),
    FormatEntry{Format::lit,
                "lit",
                "World of Warcraft lights (LIT)",
                ".lit",
                "this is the lights and fog of a World of Warcraft map (lights.lit)",
                true,
                {}},
    recognized(
        Format::mpq, "mpq", "MPQ archive or Warcraft III map", ".mpq .w3x .w3m .w3n",
        "this is an archive (MPQ) that holds files: `thaw ls` lists them, and ARCHIVE//NAME is one of them"),
    FormatEntry{Format::dme, "dme", "Forgelight model (DME)", ".dme",
                "this is a model of the Forgelight engine (DME)", true, "glb gltf"},
    FormatEntry{Format::dma, "dma", "Forgelight material list (DMA)", ".dma",
                "this is a list of materials of the Forgelight engine (DMA)", true, ""},
    FormatEntry{Format::adr, "adr", "Forgelight actor (ADR)", ".adr",
                "this is a character or thing of the Forgelight engine (ADR)", true, "glb gltf"},
    FormatEntry{Format::forgelight_materials, "forgelight-materials", "Forgelight material definitions (XML)",
                ".xml", "these are definitions of materials of the Forgelight engine", true, ""},
    recognized(Format::pack1, "pack1", "Forgelight pack (PACK1)", ".pack",
               "this is a pack of the Forgelight engine (PACK1) that holds files: `thaw ls` lists them, and "
               "PACK//NAME is one of them"),
    recognized(Format::pack2, "pack2", "Forgelight pack (PACK2)", ".pack2",
               "this is a pack of the Forgelight engine (PACK2) that holds files: `thaw ls` lists them, and "
               "PACK//NAME is one of them"),
    recognized(Format::quake_mdl, "mdl-quake", "Quake model (MDL, MD2)", ".mdl .md2",
               "this is a model of Quake, not one of Warcraft III"),
    recognized(Format::source_mdl, "mdl-source", "Half-Life or Source model (MDL)", ".mdl",
               "this is a model of Half-Life or the Source engine, not one of Warcraft III"),
    recognized(Format::x68000_music, "mdx-music", "X68000 music (MDX)", ".mdx",
               "this is music for the X68000 computer, which shares the extension .mdx, not a model"),
    recognized(Format::markdown, "mdx-markdown", "Markdown text (MD, MDX)", ".md .mdx",
               "this is Markdown text, which shares the extension .mdx, not a model"),
    FormatEntry{Format::gltf, "gltf", "glTF scene", ".gltf",
                "this is a glTF scene, which becomes a model or an animation of a game", false,
                "mrf m3 nsa mrn"},
    FormatEntry{Format::glb, "glb", "glTF scene, binary (GLB)", ".glb",
                "this is a binary glTF scene, which becomes a model or an animation of a game", false,
                "mrf m3 nsa mrn"},
    recognized(Format::jpeg, "jpeg", "JPEG picture", ".jpg .jpeg",
               "this is a plain JPEG picture, which the games do not read"),
};

constexpr const FormatEntry& format_entry(Format format) {
  for (const auto& row : kFormatEntries) {
    if (row.format == format) {
      return row;
    }
  }
  return kFormatEntries.front();
}

}  // namespace thaw
