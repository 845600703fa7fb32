// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds out whether a call can still go on. Ranks that wait for each other look like ranks that
// wait for one that computes, so rank 0 asks all of them, twice (Mattern's counting of messages):
// if all were idle both times, as many messages had been received as sent, and none was sent in
// between, nothing can ever happen again.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sluice::rt {

struct IdleReport {
  bool idle = false;
  uint64_t sent = 0, received = 0; // messages about tokens since the start of the process
  std::string waiting;             // who waits for whom, if idle
};

class StallProbe {
public:
  static constexpr uint64_t kIntervalNs = 100'000'000;

  void reset(uint32_t ranks) {
    ranks_ = ranks;
    answers_ = ranks; // no round under way
    previous_ = Sums();
  }
  bool roundUnderWay() const { return answers_ < ranks_; }
  uint32_t round() const { return round_; }
  void begin() {
    ++round_;
    answers_ = 0;
    now_ = Sums{true, 0, 0};
    waiting_.assign(ranks_, {});
    answered_.assign(ranks_, false);
  }
  // True when this was the last answer and it is certain that nothing moves any more.
  bool add(uint32_t round, uint32_t rank, const IdleReport &report) {
    if (round != round_ || !roundUnderWay() || answered_[rank])
      return false;
    answered_[rank] = true;
    now_.idle &= report.idle;
    now_.sent += report.sent;
    now_.received += report.received;
    waiting_[rank] = report.waiting;
    if (++answers_ < ranks_)
      return false;
    bool stalled = now_.idle && previous_.idle && now_.sent == now_.received &&
                   now_.sent == previous_.sent && now_.received == previous_.received;
    previous_ = now_;
    return stalled;
  }
  const std::vector<std::string> &waiting() const { return waiting_; }

private:
  struct Sums {
    bool idle = false;
    uint64_t sent = 0, received = 0;
  };
  uint32_t ranks_ = 0, answers_ = 0, round_ = 0;
  Sums now_, previous_;
  std::vector<std::string> waiting_;
  std::vector<bool> answered_;
};

} // namespace sluice::rt
