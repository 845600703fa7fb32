// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A device for tests whose work ends only when somebody waits for it, or not at all.
#pragma once

#include "runtime/device/device.h"

#include <cstring>
#include <deque>

namespace sluice::rt {

class LateDevice final : public Device {
public:
  std::string_view name() const override { return "LATE:0"; }
  Buffer *allocate(size_t bytes) override { return Buffer::allocate(bytes); }
  void copy(void *to, const void *from, size_t bytes) override { std::memcpy(to, from, bytes); }
  bool hasConcurrency() const override { return true; }
  void enqueue(std::unique_ptr<Work> work) override { queue_.push_back(std::move(work)); }
  void setCompletionNotifier(std::function<void()>) override {}
  bool tryComplete(Completion &) override { return false; }
  bool awaitCompletion(Completion &completion, uint64_t) override {
    if (ends == 0)
      return false;
    --ends;
    completion = {std::move(queue_.front()), {}, 1};
    queue_.pop_front();
    completion.status = completion.work->run();
    return true;
  }

  unsigned ends = ~0u; // how many more will end

private:
  std::deque<std::unique_ptr<Work>> queue_;
};

} // namespace sluice::rt
