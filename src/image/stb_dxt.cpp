// The implementation of a header-only library, compiled once and unseen by the warnings of this project.
#include <cstdlib>
#include <cstring>  // which the header forgets

#define STB_DXT_IMPLEMENTATION
#include <stb/stb_dxt.h>
