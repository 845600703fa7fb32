// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Waiting without sleeping, for a little while: on a virtual machine, to wake a thread takes 10 to
// 30 us of whoever does it, and as much again until the thread is there.
#pragma once

#include "runtime/base/pause.h"

#include <mutex>

namespace sluice::rt {

// Turns that take about as long as being woken; a pause takes 20 to 50 ns.
inline constexpr int kTurnsOfWaking = 3000;

// Whether the condition holds within so many turns.
template <typename Condition> bool spinUntil(int turns, const Condition &condition) {
  for (int turn = 0; turn < turns; ++turn) {
    if (condition())
      return true;
    pauseSpinning();
  }
  return false;
}

// For mutexes that are held for some instructions: who sleeps for one has to be woken.
inline void lockSoon(std::unique_lock<std::mutex> &lock) {
  if (!spinUntil(kTurnsOfWaking / 3, [&] { return lock.try_lock(); }))
    lock.lock();
}
inline std::unique_lock<std::mutex> lockSoon(std::mutex &mutex) {
  std::unique_lock lock(mutex, std::defer_lock);
  lockSoon(lock);
  return lock;
}

} // namespace sluice::rt
