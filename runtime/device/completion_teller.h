// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread that looks at moments of a device until they are over and then tells the inboxes of
// those who wait. It is started with the first one, and sleeps while there are none.
#pragma once

#include "runtime/base/threads.h"
#include "runtime/device/device.h"
#include "runtime/workers/completion_inbox.h"

#include <condition_variable>
#include <vector>

namespace sluice::rt {

class CompletionTeller {
public:
  // Where no thread can be started, `tell` waits itself, for at most so long.
  CompletionTeller(Device &device, Threads &threads, uint64_t mostNanoseconds)
      : device_(device), threads_(threads), mostNanoseconds_(mostNanoseconds) {}
  ~CompletionTeller() { stop(); }

  void tell(Moment moment, std::unique_ptr<Work> work, CompletionInbox &inbox);
  // What is still awaited is told to be cancelled. Nothing may be told afterwards.
  void stop();

private:
  struct Awaited {
    Moment moment;
    Completion completion;
    CompletionInbox *inbox;
  };
  void run();
  // Takes out those that are over, or can never be.
  static std::vector<Awaited> takeEnded(Device &device, std::vector<Awaited> &awaited);
  static void put(Awaited &awaited, Status status);

  Device &device_;
  Threads &threads_;
  const uint64_t mostNanoseconds_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Awaited> news_;
  bool stopping_ = false;
  std::unique_ptr<ThreadHandle> thread_;
};

} // namespace sluice::rt
