#include "cli/platform/memory.hpp"

#include <windows.h>

namespace thaw::cli {

bool limit_memory(std::uint64_t bytes) {
  // The job is the process's own and ends with it: its handle stays open.
  const HANDLE job = ::CreateJobObjectW(nullptr, nullptr);
  if (job == nullptr) {
    return false;
  }
  JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits{};
  limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_PROCESS_MEMORY;
  limits.ProcessMemoryLimit = static_cast<SIZE_T>(bytes);
  return ::SetInformationJobObject(job, JobObjectExtendedLimitInformation, &limits, sizeof(limits)) != 0 &&
         ::AssignProcessToJobObject(job, ::GetCurrentProcess()) != 0;
}

}  // namespace thaw::cli
