// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ends calls that take too long. After the time given, `passed` is true, and whoever runs the call
// should end it with a message that says where it was. Kernels that do not ask for long whether
// they are cancelled remain: a call that has not ended a second later ends the process, with an
// error and exit code prepared before.
//
// Works by SIGALRM: nothing has to be started, and nothing can be too busy to notice. Only one
// timer of a process can be under way.
#pragma once

#include "runtime/base/cancellation.h"
#include "runtime/base/status.h"

#include <string>

namespace sluice::rt {

class CallTimer {
public:
  static constexpr double kGrace = 1; // seconds

  CallTimer(double seconds, std::string lastWords, int exitCode);
  ~CallTimer() { end(); }
  CallTimer(const CallTimer &) = delete;
  CallTimer &operator=(const CallTimer &) = delete;

  void begin();
  void end();
  bool passed() const;
  double seconds() const { return seconds_; }
  // What is cancelled as soon as the time has passed; null: nothing any more.
  void cancels(Cancellation *work);
  // DEADLINE_EXCEEDED. `where` is what went on.
  Status status(const std::string &where) const;

private:
  double seconds_;
  std::string lastWords_;
  int exitCode_;
};

// Begins and ends the timer, if there is one, with a scope.
class TimedCall {
public:
  explicit TimedCall(CallTimer *timer) : timer_(timer) {
    if (timer_)
      timer_->begin();
  }
  ~TimedCall() {
    if (timer_)
      timer_->end();
  }
  TimedCall(const TimedCall &) = delete;
  TimedCall &operator=(const TimedCall &) = delete;

private:
  CallTimer *timer_;
};

} // namespace sluice::rt
