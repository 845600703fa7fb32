// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// StateGate: the ways that are rarely taken.
#include "runtime/embed/state_gate.h"

#include <chrono>

namespace sluice::rt {

// Goes out again, so that who waits to be alone can be, and comes back unless it gives up.
bool StateGate::waitOutside(const std::function<bool()> &givesUp) {
  constexpr std::chrono::milliseconds kLook(10);
  std::unique_lock lock(mutex_);
  do {
    calls_.fetch_sub(1);
    changed_.notify_all();
    while (calls_.load() & kAlone) {
      if (givesUp())
        return false;
      changed_.wait_for(lock, kLook);
    }
  } while (calls_.fetch_add(1) & kAlone);
  return true;
}

void StateGate::tell() {
  std::lock_guard lock(mutex_);
  changed_.notify_all();
}

StateGate::Alone::Alone(StateGate &gate) : gate_(gate), turn_(gate.turns_) {
  std::unique_lock lock(gate_.mutex_);
  gate_.calls_.fetch_or(kAlone);
  gate_.changed_.wait(lock, [this] { return gate_.calls_.load() == kAlone; });
}

StateGate::Alone::~Alone() {
  std::lock_guard lock(gate_.mutex_);
  gate_.calls_.fetch_and(~kAlone);
  gate_.changed_.notify_all();
}

} // namespace sluice::rt
