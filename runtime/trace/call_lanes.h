// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls at the same time, each in a lane of its own: the first one on which no other call is under
// way. So spans in a lane are nested, and there are as many lanes as calls at a time.
#pragma once

#include "runtime/trace/trace_buffer.h"

#include <algorithm>
#include <unordered_map>

namespace sluice::rt {

class CallLanes {
public:
  // Events of calls are in the order in which these began.
  explicit CallLanes(const TraceBuffer &buffer) {
    std::vector<uint64_t> ends; // of the last call, by lane
    for (uint64_t i = 0; i < buffer.size(); ++i) {
      const TraceEvent &event = buffer[i];
      if (event.kind != TraceEvent::Kind::kCall)
        continue;
      auto lane =
          std::find_if(ends.begin(), ends.end(), [&](uint64_t end) { return end <= event.begin; });
      lanes_.emplace(i, static_cast<int>(lane - ends.begin()));
      if (lane == ends.end())
        lane = ends.insert(lane, 0);
      *lane = event.end ? event.end : UINT64_MAX;
    }
    count_ = std::max(static_cast<int>(ends.size()), 1);
  }

  int count() const { return count_; }
  // By the position of the call's event; of what is in no call that of a call alone.
  int of(uint64_t call) const {
    auto lane = lanes_.find(call);
    return lane == lanes_.end() ? 0 : lane->second;
  }

private:
  std::unordered_map<uint64_t, int> lanes_;
  int count_;
};

} // namespace sluice::rt
