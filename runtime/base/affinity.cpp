// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a thread may run, as the system knows it.
#include "runtime/base/affinity.h"

namespace sluice::rt {

int presentProcessor() { return sched_getcpu(); }

cpu_set_t Affinity::nothing() {
  cpu_set_t set;
  CPU_ZERO(&set);
  return set;
}

Affinity::Affinity() : allowed_(nothing()) {}

void Affinity::isUsed(int processor) {
  if (processor >= 0 && processor < CPU_SETSIZE)
    CPU_SET(static_cast<size_t>(processor), &used_);
}

void Affinity::avoidUsed() {
  // Read each time: somebody else may have changed it. A narrowed one is not what was allowed.
  if (!isNarrowed_ && pthread_getaffinity_np(thread_, sizeof allowed_, &allowed_) != 0)
    return;
  cpu_set_t left;
  CPU_AND(&left, &allowed_, &used_);
  CPU_XOR(&left, &allowed_, &left);
  if (CPU_COUNT(&left) > 0 && !CPU_EQUAL(&left, &allowed_))
    isNarrowed_ = pthread_setaffinity_np(thread_, sizeof left, &left) == 0 || isNarrowed_;
}

void Affinity::restore() {
  if (isNarrowed_)
    pthread_setaffinity_np(thread_, sizeof allowed_, &allowed_);
  isNarrowed_ = false;
}

} // namespace sluice::rt
