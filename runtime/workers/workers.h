// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who does work beside the thread that runs a call. Work that was enqueued runs elsewhere and comes
// back as a completion to whoever enqueued it. Several calls may share workers.
#pragma once

#include "runtime/base/status.h"

#include <memory>

namespace sluice::rt {

class CompletionInbox;

// Something to execute; owned by the workers from `enqueue` to its completion.
class Work {
public:
  virtual ~Work() = default;
  virtual Status run() = 0;
};

struct Completion {
  std::unique_ptr<Work> work;
  Status status;
  // Who did it, and when by the system's clock; worker 0 is the thread that enqueued it.
  uint16_t worker = 0;
  uint64_t begin = 0, end = 0;
};

class Workers {
public:
  virtual ~Workers() = default;
  // Work can proceed while the scheduler does something else.
  virtual bool hasConcurrency() const = 0;
  // Its completion is put into the inbox, which must stay until then. From any thread.
  virtual void enqueue(std::unique_ptr<Work> work, CompletionInbox &inbox) = 0;
};

} // namespace sluice::rt
