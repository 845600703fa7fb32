// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a thread is put that is woken while others go on. On a virtual machine, Linux takes a
// processor that its host has halted for one that is busy, and puts who is woken there where the
// one who wakes it is: both then share a processor, for tens of milliseconds, while others idle.
#pragma once

#include <pthread.h>
#include <sched.h>

namespace sluice::rt {

// Where the calling thread is.
int presentProcessor();

// Of one thread: keeps it away from some processors until it says that it is awake. Not locked: it
// is the waking thread's while the other one sleeps.
class Affinity {
public:
  Affinity(); // of the thread that makes it

  void startOver() { used_ = nothing(); }
  void isUsed(int processor);
  // What is said to be used, unless the thread may run nowhere else.
  void avoidUsed();
  // Puts the calling thread, whose this is, back where it may be; it stays where it is.
  void restore();

private:
  static cpu_set_t nothing();

  pthread_t thread_ = pthread_self();
  cpu_set_t allowed_, used_ = nothing();
  bool isNarrowed_ = false;
};

} // namespace sluice::rt
