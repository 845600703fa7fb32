// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the executor needs of a device: memory, copies, and work that is enqueued and completes.
//
// Several calls may share a device, each run by a thread of its own. Work that was enqueued runs
// elsewhere (a worker thread, a stream) and comes back as a completion to whoever enqueued it.
#pragma once

#include "runtime/base/status.h"
#include "runtime/memory/buffer.h"

#include <memory>
#include <string_view>

namespace sluice::rt {

class CompletionInbox;

class Device {
public:
  // Something to execute; owned by the device from `enqueue` to its completion.
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

  virtual ~Device() = default;
  // "CPU:0"
  virtual std::string_view name() const = 0;

  // Memory for tensors that live on the device; null when it is exhausted.
  virtual Buffer *allocate(size_t bytes) = 0;
  // Between host memory and the device's, in either direction; complete on return.
  virtual void copy(void *to, const void *from, size_t bytes) = 0;

  // Work can proceed while the scheduler does something else.
  virtual bool hasConcurrency() const = 0;
  // Its completion is put into the inbox, which must stay until then. From any thread.
  virtual void enqueue(std::unique_ptr<Work> work, CompletionInbox &inbox) = 0;
};

} // namespace sluice::rt
