// Class of the library that draws pictures of models for Windows, and the types that it is registered for.
#pragma once

#include <guiddef.h>

namespace thaw::explorer {

constexpr GUID kClassId = {0xA9137B7A, 0x71F2, 0x47C9, {0x83, 0x18, 0xCE, 0xAB, 0xBC, 0x8D, 0x51, 0xF3}};

/// The same as the registry writes it, and the kind of handler that gives pictures.
constexpr wchar_t kClass[] = L"{A9137B7A-71F2-47C9-8318-CEABBC8D51F3}";
constexpr wchar_t kThumbnailHandler[] = L"{E357FCCD-A995-4576-B01F-234630154E96}";

}  // namespace thaw::explorer
