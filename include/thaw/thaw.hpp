// Everything: see the headers for what each room offers.
#pragma once

#include <thaw/bytes.hpp>        // IWYU pragma: export
#include <thaw/codes.hpp>        // IWYU pragma: export
#include <thaw/diagnostics.hpp>  // IWYU pragma: export
#include <thaw/image.hpp>        // IWYU pragma: export
#include <thaw/inspect.hpp>      // IWYU pragma: export
#include <thaw/mdx.hpp>          // IWYU pragma: export
#include <thaw/options.hpp>      // IWYU pragma: export
#include <thaw/scene.hpp>        // IWYU pragma: export
#include <thaw/sources.hpp>      // IWYU pragma: export
#include <thaw/value.hpp>        // IWYU pragma: export
#include <thaw/version.hpp>      // IWYU pragma: export
