// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An object on which firings wait for what others bring.
#pragma once

#include "runtime/kernels/environment.h"
#include "runtime/kernels/kernel.h"

#include <deque>
#include <mutex>

namespace sluice::rt {

// Values that are put in come out in their order; who finds none waits.
class Mailbox final : public Waitable {
public:
  Mailbox() : Waitable(Kind::kStack) {}

  void put(Tensor value) {
    std::unique_lock<std::mutex> lock(mutex_);
    if (waiting_.empty()) {
      values_.push_back(std::move(value));
      return;
    }
    std::unique_ptr<ParkedCall> first = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    first->outputs()[0] = std::move(value);
    ParkedCall::resume(std::move(first), okStatus());
  }
  void take(KernelCall &call) {
    std::lock_guard<std::mutex> lock(mutex_);
    if (values_.empty()) {
      waiting_.push_back(call.environment()->parking->park(*this, "take"));
      return;
    }
    call.output(0) = std::move(values_.front());
    values_.pop_front();
  }
  bool withdraw(const ParkedCall &call) override {
    std::lock_guard<std::mutex> lock(mutex_);
    return std::erase_if(waiting_, [&](const auto &one) { return one.get() == &call; }) > 0;
  }
  std::string title() const override { return "mailbox 'm'"; }
  size_t numWaiting() {
    std::lock_guard<std::mutex> lock(mutex_);
    return waiting_.size();
  }

private:
  std::mutex mutex_;
  std::deque<Tensor> values_;
  std::deque<std::unique_ptr<ParkedCall>> waiting_;
};

inline Mailbox &mailboxOf(KernelCall &call) {
  return static_cast<Mailbox &>(*call.input(0).object());
}

} // namespace sluice::rt
