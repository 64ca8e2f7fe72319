// List of the formats, by family. A new format has a line here and none anywhere else.
#pragma once

#include "formats/descriptor.hpp"

#include <array>

#define THAW_FORMAT(room, name)       \
  namespace thaw::room {              \
  extern const FormatDescriptor name; \
  }

THAW_FORMAT(mdx, kFormat)
THAW_FORMAT(mdl, kFormat)
THAW_FORMAT(mrf, kFormat)
THAW_FORMAT(blp, kBlp1)
THAW_FORMAT(blp, kBlp2)
THAW_FORMAT(dds, kFormat)
THAW_FORMAT(tga, kFormat)
THAW_FORMAT(png, kFormat)
THAW_FORMAT(jpeg, kFormat)
THAW_FORMAT(mdx_alpha, kFormat)
THAW_FORMAT(wmo, kFormat)
THAW_FORMAT(m3, kModel)
THAW_FORMAT(m3, kLibrary)
THAW_FORMAT(wdt, kFormat)
THAW_FORMAT(wdl, kFormat)
THAW_FORMAT(adt, kMap)
THAW_FORMAT(adt, kTile)
THAW_FORMAT(lit, kFormat)
THAW_FORMAT(mrn, kFormat)
THAW_FORMAT(nsa, kFormat)
THAW_FORMAT(dme, kFormat)
THAW_FORMAT(dma, kFormat)
THAW_FORMAT(adr, kFormat)
THAW_FORMAT(materials, kFormat)
THAW_FORMAT(mpq, kFormat)
THAW_FORMAT(pack, kPack1)
THAW_FORMAT(pack, kPack2)
THAW_FORMAT(casc, kFormat)
THAW_FORMAT(gltf, kText)
THAW_FORMAT(gltf, kBinary)
#undef THAW_FORMAT

namespace thaw {

/// Those whose files are made of scenes.
std::vector<const FormatDescriptor*> formats_of_scenes();
/// How scenes become what this word of --to means; null if they do not.
const SceneWriter* find_writer(std::string_view target);

/// What is recognised and not read (formats/foreign).
std::span<const FormatDescriptor> foreign_formats();

/// The formats of pictures; alone in a list of their own, so that who decodes a texture needs no others.
inline constexpr std::array kPictureFormats = {&blp::kBlp1,   &blp::kBlp2,   &dds::kFormat,
                                               &tga::kFormat, &png::kFormat, &jpeg::kFormat};
inline constexpr std::array kWarcraftFormats = {&mdx::kFormat, &mdl::kFormat, &mrf::kFormat};
inline constexpr std::array kWowFormats = {&mdx_alpha::kFormat, &wmo::kFormat, &m3::kModel,
                                           &m3::kLibrary,       &wdt::kFormat, &wdl::kFormat,
                                           &adt::kMap,          &adt::kTile,   &lit::kFormat};
inline constexpr std::array kForgelightFormats = {&mrn::kFormat, &nsa::kFormat, &dme::kFormat,
                                                  &dma::kFormat, &adr::kFormat, &materials::kFormat};
inline constexpr std::array kArchiveFormats = {&mpq::kFormat, &pack::kPack1, &pack::kPack2, &casc::kFormat};
inline constexpr std::array kInterchangeFormats = {&gltf::kText, &gltf::kBinary};

}  // namespace thaw
