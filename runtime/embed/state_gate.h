// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls among each other, or one who is alone with the state: who saves it must not find half of
// what a call does in one go. A call that waits for others has done so much, and is not in the way.
#pragma once

#include "runtime/executor/calls_under_way.h"

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>

namespace sluice::rt {

class StateGate {
public:
  // A call is under way. Without anybody who wants to be alone it costs two additions.
  class Among final : public Workplace {
  public:
    // Where somebody is alone, or waits to be, it waits until `givesUp`, which is asked a hundred
    // times a second.
    template <typename GivesUp> Among(StateGate &gate, const GivesUp &givesUp) : gate_(gate) {
      if (gate_.calls_.fetch_add(1) & kAlone) [[unlikely]]
        hasEntered_ = gate_.waitOutside(givesUp);
    }
    ~Among() {
      if (hasEntered_)
        leave();
    }
    Among(const Among &) = delete;
    bool hasEntered() const { return hasEntered_; }
    void leave() override {
      hasEntered_ = false;
      if (gate_.calls_.fetch_sub(1) & kAlone) [[unlikely]]
        gate_.tell();
    }
    bool comeBack(const std::function<bool()> &givesUp) override {
      hasEntered_ = !(gate_.calls_.fetch_add(1) & kAlone) || gate_.waitOutside(givesUp);
      return hasEntered_;
    }

  private:
    StateGate &gate_;
    bool hasEntered_ = true;
  };

  // No call is: each is over, or waits for others and goes on later.
  class Alone {
  public:
    explicit Alone(StateGate &gate);
    ~Alone();
    Alone(const Alone &) = delete;

  private:
    StateGate &gate_;
    std::unique_lock<std::mutex> turn_;
  };

private:
  static constexpr uint64_t kAlone = uint64_t{1} << 32; // somebody is, or waits for it
  bool waitOutside(const std::function<bool()> &givesUp);
  void tell();

  std::atomic<uint64_t> calls_{0};
  std::mutex turns_; // of those who are alone
  std::mutex mutex_;
  std::condition_variable changed_;
};

} // namespace sluice::rt
