#include "cli/platform/memory.hpp"

#include <sys/resource.h>

namespace thaw::cli {

bool limit_memory(std::uint64_t bytes) {
  // Not the address space: allocators reserve much of it per thread without using it.
  rlimit limit{};
  if (::getrlimit(RLIMIT_DATA, &limit) != 0) {
    return false;
  }
  limit.rlim_cur = static_cast<rlim_t>(bytes);
  limit.rlim_cur = limit.rlim_cur < limit.rlim_max ? limit.rlim_cur : limit.rlim_max;
  return ::setrlimit(RLIMIT_DATA, &limit) == 0;
}

}  // namespace thaw::cli
