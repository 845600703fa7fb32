// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CallTimer: the first alarm asks, the second one ends the process.
#include "runtime/base/call_timer.h"

#include <atomic>
#include <cmath>
#include <csignal>
#include <sys/time.h>
#include <unistd.h>

namespace sluice::rt {

namespace {

// What the signal handler sees; set while no timer is under way.
std::atomic<int> alarms;
std::atomic<Cancellation *> cancelled;
const char *lastWords;
size_t lastWordsSize;
int exitCode;

void onAlarm(int) {
  if (alarms.fetch_add(1) == 0) {
    if (Cancellation *work = cancelled)
      work->request();
    return;
  }
  (void)!::write(2, lastWords, lastWordsSize);
  ::_exit(exitCode);
}

void setAlarms(double first, double interval) {
  auto time = [](double seconds) {
    double whole = std::floor(seconds);
    return timeval{static_cast<time_t>(whole), static_cast<suseconds_t>((seconds - whole) * 1e6)};
  };
  itimerval timer{time(interval), time(first)};
  ::setitimer(ITIMER_REAL, &timer, nullptr);
}

} // namespace

CallTimer::CallTimer(double seconds, std::string words, int code)
    : seconds_(seconds), lastWords_(std::move(words)), exitCode_(code) {}

void CallTimer::begin() {
  setAlarms(0, 0);
  alarms = 0;
  lastWords = lastWords_.data();
  lastWordsSize = lastWords_.size();
  exitCode = exitCode_;
  struct sigaction action{};
  action.sa_handler = onAlarm;
  action.sa_flags = SA_RESTART;
  ::sigaction(SIGALRM, &action, nullptr);
  setAlarms(seconds_, kGrace);
}

void CallTimer::end() { setAlarms(0, 0); }

void CallTimer::cancels(Cancellation *work) {
  cancelled = work;
  if (work && passed()) // before the handler could see it
    work->request();
}

bool CallTimer::passed() const { return alarms.load(std::memory_order_relaxed) > 0; }

Status CallTimer::status(const std::string &where) const {
  return {Code::kDeadlineExceeded,
          format("the call has taken longer than the %g s of --timeout: ", seconds_) + where};
}

} // namespace sluice::rt
