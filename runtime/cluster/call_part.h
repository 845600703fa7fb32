// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a rank has of one call while its part in it is under way: a machine, and what its messages
// about tokens add up to.
#pragma once

#include "runtime/base/deadline_watch.h"
#include "runtime/cluster/messages.h"
#include "runtime/executor/call.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

namespace sluice::rt {

struct ClusterCall;

struct CallPart {
  CallPart(std::unique_ptr<Call> call, uint32_t number, uint32_t ranks, uint64_t began)
      : call(std::move(call)), number(number), began(began), tokensSent(ranks), newsSent(ranks) {}

  TokenMachine &machine() { return call->machine(); }
  const TokenMachine &machine() const { return call->machine(); }

  std::unique_ptr<Call> call;
  const uint32_t number;
  const uint64_t began;
  ClusterCall *whole = nullptr;               // on rank 0
  bool moved = false;                         // since somebody has looked
  std::vector<uint64_t> tokensSent, newsSent; // to each rank; news are of retired iterations
  uint64_t tokensReceived = 0;
  uint64_t messagesReceived = 0; // tokens and news
  std::optional<DeadlineWatch::Scope> deadline;
};

// The parts that are under way on a rank, by the number of their call. Calls begin in the order of
// their numbers on all ranks.
class CallParts {
public:
  bool empty() const { return parts_.empty(); }
  size_t size() const { return parts_.size(); }
  CallPart &operator[](size_t position) { return *parts_[position]; }
  const CallPart &operator[](size_t position) const { return *parts_[position]; }
  // The number of the call that was begun last.
  uint32_t latest() const { return latest_; }
  bool hasBegun(uint32_t call) const { return !isLaterCall(call, latest_); }

  CallPart &add(std::unique_ptr<CallPart> part) {
    latest_ = part->number;
    parts_.push_back(std::move(part));
    return *parts_.back();
  }
  // Null if there is none: it is over here, or has not begun.
  CallPart *find(uint32_t call) {
    auto at = std::partition_point(parts_.begin(), parts_.end(), [&](const auto &part) {
      return isLaterCall(call, part->number);
    });
    return at != parts_.end() && (*at)->number == call ? at->get() : nullptr;
  }
  std::unique_ptr<CallPart> take(const CallPart &part) {
    auto at = std::find_if(parts_.begin(), parts_.end(),
                           [&](const auto &one) { return one.get() == &part; });
    std::unique_ptr<CallPart> taken = std::move(*at);
    parts_.erase(at);
    return taken;
  }

private:
  std::vector<std::unique_ptr<CallPart>> parts_;
  uint32_t latest_ = 0;
};

} // namespace sluice::rt
