// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The real clock and threads, on POSIX.
#include "runtime/base/threads.h"

#include "runtime/base/cgroup.h"

#include <algorithm>
#include <ctime>
#include <pthread.h>
#include <sched.h>

namespace sluice::rt {

namespace {
class MonotonicClock final : public Clock {
public:
  uint64_t now() override {
    timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return static_cast<uint64_t>(t.tv_sec) * 1000000000u + static_cast<uint64_t>(t.tv_nsec);
  }
};

class PosixThread final : public ThreadHandle {
public:
  explicit PosixThread(pthread_t thread) : thread_(thread) {}
  ~PosixThread() override { pthread_join(thread_, nullptr); }

private:
  pthread_t thread_;
};

class PosixThreads final : public Threads {
public:
  std::unique_ptr<ThreadHandle> start(const char *name, std::function<void()> body) override {
    auto *owned = new std::function<void()>(std::move(body));
    auto entry = [](void *argument) -> void * {
      std::unique_ptr<std::function<void()>> run(static_cast<std::function<void()> *>(argument));
      (*run)();
      return nullptr;
    };
    pthread_t thread;
    if (pthread_create(&thread, nullptr, entry, owned) != 0) {
      delete owned;
      return nullptr;
    }
    pthread_setname_np(thread, name);
    return std::make_unique<PosixThread>(thread);
  }
};
} // namespace

int usableProcessors() {
  int64_t allowed = processCgroupLimits().processors.value_or(INT64_MAX);
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) != 0)
    return 1; // more processors than the set can tell of
  int64_t count = std::min<int64_t>(CPU_COUNT(&set), allowed);
  return count > 0 ? static_cast<int>(count) : 1;
}

Clock &systemClock() {
  static MonotonicClock clock;
  return clock;
}

Threads &systemThreads() {
  static PosixThreads threads;
  return threads;
}

} // namespace sluice::rt
