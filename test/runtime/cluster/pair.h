// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two ranks that a test drives by hand.
#pragma once

#include "runtime/cluster/member.h"
#include "runtime/transport/in_process/hub.h"
#include "test/runtime/executor/graph_builder.h"

namespace sluice::rt {

// Goes on by itself: whoever looks sees that time has passed.
class TestClock final : public Clock {
public:
  uint64_t now() override { return time += 10'000'000; }
  uint64_t time = 0;
};

class Pair {
public:
  Pair(GraphBuilder &first, GraphBuilder &second, Clock &clock = systemClock())
      : hub_(2), first_(first.buildProgram(), systemThreads(), clock),
        second_(second.buildProgram(), systemThreads(), clock), firstEnd_(hub_.endpoint(0)),
        secondEnd_(hub_.endpoint(1)) {
    RunOptions options;
    options.workers = 0;
    first_.executor().setOptions(options);
    second_.executor().setOptions(options);
    first_.attach(*firstEnd_);
    second_.attach(*secondEnd_);
  }
  Member &first() { return first_; }
  Member &second() { return second_; }
  // Until rank 0's call is over; far longer than any test needs.
  bool finishCall() {
    for (int i = 0; i < 100000 && !first_.callsOver(); ++i)
      act();
    return first_.callsOver();
  }
  void act() {
    (void)first_.progress();
    (void)second_.progress();
  }
  const StepCounters &counters(Member &member) { return member.executor().machine(0).counters(); }

private:
  Hub hub_;
  Member first_, second_;
  std::unique_ptr<Transport> firstEnd_, secondEnd_;
};

} // namespace sluice::rt
