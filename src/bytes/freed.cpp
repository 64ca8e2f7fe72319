#include "bytes/freed.hpp"

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace thaw {

void Freed::add(std::size_t bytes) {
  constexpr std::size_t kEnough = std::size_t{64} << 20U;
  bytes_ += bytes;
  if (bytes_ >= kEnough) {
    bytes_ = 0;
#ifdef __GLIBC__
    ::malloc_trim(0);
#endif
  }
}

}  // namespace thaw
