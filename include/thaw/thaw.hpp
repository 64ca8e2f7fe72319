// Everything: see the headers for what each room offers.
#pragma once

#include <thaw/blp.hpp>               // IWYU pragma: export
#include <thaw/bytes.hpp>             // IWYU pragma: export
#include <thaw/chunk_frame.hpp>       // IWYU pragma: export
#include <thaw/codes.hpp>             // IWYU pragma: export
#include <thaw/dds.hpp>               // IWYU pragma: export
#include <thaw/diagnostics.hpp>       // IWYU pragma: export
#include <thaw/encode.hpp>            // IWYU pragma: export
#include <thaw/forgelight_codes.hpp>  // IWYU pragma: export
#include <thaw/format.hpp>            // IWYU pragma: export
#include <thaw/gltf.hpp>              // IWYU pragma: export
#include <thaw/gltf_read.hpp>         // IWYU pragma: export
#include <thaw/image.hpp>             // IWYU pragma: export
#include <thaw/inspect.hpp>           // IWYU pragma: export
#include <thaw/m3_codes.hpp>          // IWYU pragma: export
#include <thaw/mdl.hpp>               // IWYU pragma: export
#include <thaw/mdx.hpp>               // IWYU pragma: export
#include <thaw/mdx_convert.hpp>       // IWYU pragma: export
#include <thaw/mdx_optimize.hpp>      // IWYU pragma: export
#include <thaw/mdx_scene.hpp>         // IWYU pragma: export
#include <thaw/mpq.hpp>               // IWYU pragma: export
#include <thaw/mrf.hpp>               // IWYU pragma: export
#include <thaw/mrf_scene.hpp>         // IWYU pragma: export
#include <thaw/options.hpp>           // IWYU pragma: export
#include <thaw/png.hpp>               // IWYU pragma: export
#include <thaw/scene.hpp>             // IWYU pragma: export
#include <thaw/sources.hpp>           // IWYU pragma: export
#include <thaw/storage.hpp>           // IWYU pragma: export
#include <thaw/tga.hpp>               // IWYU pragma: export
#include <thaw/validate.hpp>          // IWYU pragma: export
#include <thaw/value.hpp>             // IWYU pragma: export
#include <thaw/version.hpp>           // IWYU pragma: export
#include <thaw/wdl.hpp>               // IWYU pragma: export
#include <thaw/wdt.hpp>               // IWYU pragma: export
#include <thaw/wow_codes.hpp>         // IWYU pragma: export
