// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls among each other, or one who sees the whole state: who saves it must not find half of a
// call.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>

namespace sluice::rt {

class StateGate {
public:
  // A call is under way. Without anybody who wants to be alone it costs two additions.
  class Among {
  public:
    explicit Among(StateGate &gate) : gate_(gate) {
      if (gate_.calls_.fetch_add(1) & kAlone) [[unlikely]]
        gate_.waitOutside();
    }
    ~Among() {
      if (gate_.calls_.fetch_sub(1) & kAlone) [[unlikely]]
        gate_.tell();
    }
    Among(const Among &) = delete;

  private:
    StateGate &gate_;
  };

  // No call is.
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
  void waitOutside();
  void tell();

  std::atomic<uint64_t> calls_{0};
  std::mutex turns_; // of those who are alone
  std::mutex mutex_;
  std::condition_variable changed_;
};

} // namespace sluice::rt
