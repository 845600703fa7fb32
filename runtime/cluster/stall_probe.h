// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds out whether a call can still go on. Ranks that wait for each other look like ranks that
// wait for one that computes, so rank 0 asks all of them, twice (Mattern's counting of messages):
// if all were idle both times, each had received as many messages of the call as had been sent to
// it, and none was sent in between, nothing can happen any more, unless another call brings it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sluice::rt {

// What a rank says of its part of a call that is not over there.
struct PartReport {
  bool idle = false;
  bool awaitsOthers = false;  // another call may bring what it waits for
  uint64_t received = 0;      // messages about tokens of this call
  std::vector<uint64_t> sent; // the same, to each rank
  std::string waiting;        // who waits for whom, if idle
};

// Of one call.
class StallProbe {
public:
  static constexpr uint64_t kIntervalNs = 100'000'000;

  // A round begins. So many ranks have ended their part, which had sent so many messages to each.
  void begin(uint32_t over, std::span<const uint64_t> sent) {
    now_ = {over, true, {sent.begin(), sent.end()}, {}};
    now_.received.resize(sent.size());
    waiting_.assign(sent.size(), {});
    awaitsOthers_ = false;
    asked_ = true;
  }
  // Whether this call is part of the round that is under way.
  bool asked() const { return asked_; }
  void add(uint32_t rank, const PartReport &report) {
    now_.idle &= report.idle;
    for (size_t to = 0; to < report.sent.size(); ++to)
      now_.sent[to] += report.sent[to];
    now_.received[rank] = report.received;
    waiting_[rank] = report.waiting;
    awaitsOthers_ |= report.awaitsOthers;
  }
  // All ranks have said something that had not ended their part, as `over` ranks have now. True if
  // it is certain that nothing moves any more by itself.
  bool end(uint32_t over) {
    asked_ = false;
    bool still = now_.idle && over == now_.over;
    // What is on its way to a rank that has ended its part makes nothing move.
    size_t silent = 0;
    for (size_t rank = 0; rank < now_.received.size(); ++rank) {
      silent += !now_.received[rank];
      still &= !now_.received[rank] || now_.received[rank] == now_.sent[rank];
    }
    still &= silent == over;
    bool stalled = still && previous_ == now_;
    previous_ = still ? now_ : Sums();
    return stalled;
  }
  bool awaitsOthers() const { return awaitsOthers_; }
  // By rank; empty of those that have ended their part.
  const std::vector<std::string> &waiting() const { return waiting_; }

private:
  struct Sums {
    uint32_t over = 0;
    bool idle = false;
    std::vector<uint64_t> sent;                    // to each rank
    std::vector<std::optional<uint64_t>> received; // by each whose part is not over
    bool operator==(const Sums &) const = default;
  };
  Sums now_, previous_;
  bool asked_ = false, awaitsOthers_ = false;
  std::vector<std::string> waiting_;
};

} // namespace sluice::rt
