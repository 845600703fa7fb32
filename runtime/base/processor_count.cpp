// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Waits in the kernel of the system, which knows a word by its address: other runtimes in the
// process may be built otherwise, and share nothing else.
#include "runtime/base/processor_count.h"

#include <ctime>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace sluice::rt {

static_assert(sizeof(std::atomic<int32_t>) == sizeof(int32_t));

// Returns when the word is another one, somebody says so, or after a while.
static void awaitChange(const std::atomic<int32_t> &word, int32_t known) {
  constexpr timespec kWhile{.tv_sec = 0, .tv_nsec = 20'000'000};
  ::syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, known, &kWhile, nullptr, 0);
}

static void tellOne(const std::atomic<int32_t> &word) {
  ::syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
}

void awaitProcessor(ProcessorCount &count) {
  int32_t computing = count.computing.load(std::memory_order_relaxed);
  while (true) {
    if (count.most <= 0 || computing < count.most) {
      if (count.computing.compare_exchange_weak(computing, computing + 1))
        return;
      continue;
    }
    count.waiting.fetch_add(1);
    awaitChange(count.computing, computing);
    count.waiting.fetch_sub(1);
    computing = count.computing.load(std::memory_order_relaxed);
  }
}

void leaveProcessor(ProcessorCount &count) {
  count.computing.fetch_sub(1);
  if (count.waiting.load() > 0)
    tellOne(count.computing);
}

} // namespace sluice::rt
