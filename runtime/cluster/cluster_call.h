// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A call as rank 0 sees it: what all ranks have reported of their parts.
#pragma once

#include "runtime/base/status.h"
#include "runtime/base/threads.h"
#include "runtime/cluster/stall_probe.h"
#include "runtime/memory/tensor.h"

#include <algorithm>
#include <vector>

namespace sluice::rt {

struct ClusterCall {
  ClusterCall(uint32_t number, uint32_t ranks, uint64_t began)
      : number(number), lastActivity(began), owesReport(ranks, true), tokensSent(ranks),
        tokensReceived(ranks), messagesSent(ranks) {}

  bool isOver() const { return reports == owesReport.size(); }
  void setDeadline(double most) {
    constexpr double kLongest = 1e9; // some thirty years
    seconds = most;
    deadline = systemClock().now() + static_cast<uint64_t>(std::min(most, kLongest) * 1e9);
  }
  bool isLate() const { return deadline && systemClock().now() >= deadline; }
  // What was sent and not received by the end of the call would never have been.
  uint64_t tokensLeft() const {
    uint64_t left = leftover;
    for (size_t i = 0; i < tokensSent.size(); ++i)
      left += tokensSent[i] > tokensReceived[i] ? tokensSent[i] - tokensReceived[i]
                                                : tokensReceived[i] - tokensSent[i];
    return left;
  }

  const uint32_t number;
  double seconds = 0;           // that it may take
  uint64_t deadline = 0;        // 0: none
  uint64_t lastActivity;        // that rank 0 knows of
  std::vector<bool> owesReport; // by rank
  uint32_t reports = 0;
  bool aborting = false;
  uint64_t abortedAt = 0;
  Status status; // the first failure, which is the cause of the others
  std::vector<Tensor> fetches;
  std::vector<uint64_t> tokensSent, tokensReceived; // to each rank, by each rank
  std::vector<uint64_t> messagesSent; // about tokens: to each rank, by those that have reported
  uint64_t leftover = 0;
  StallProbe probe;
};

} // namespace sluice::rt
