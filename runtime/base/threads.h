// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads and clocks as the runtime sees them. Whatever starts a thread takes one of these, and so
// does what transport and cluster decide by the time, so that tests and the simulator can put their
// own in place. How long work on a worker takes is asked of the system's clock: it really runs.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

namespace sluice::rt {

class Clock {
public:
  virtual ~Clock() = default;
  // Monotonic, in nanoseconds; only differences mean anything.
  virtual uint64_t now() = 0;
};

// A started thread; joins when destroyed.
class ThreadHandle {
public:
  virtual ~ThreadHandle() = default;
};

class Threads {
public:
  virtual ~Threads() = default;
  // Null when the system refuses another thread.
  virtual std::unique_ptr<ThreadHandle> start(const char *name, std::function<void()> body) = 0;
};

// Processors that this process may use at a time, or time on so many; at least 1. Of control groups
// what they said when this was first asked.
int usableProcessors();

Clock &systemClock();
Threads &systemThreads();

} // namespace sluice::rt
