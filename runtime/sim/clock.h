// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vector clocks: what an operation knows to have happened before it.
//
// Each stream counts its operations; a clock has, for each stream, how many of them are known to be
// over. The host has a clock too, which grows when it waits; all its threads share one, since how
// they order their calls among each other cannot be seen.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace sluice::rt::sim {

class Clock {
public:
  uint32_t at(uint32_t stream) const { return stream < times_.size() ? times_[stream] : 0; }
  // Of none from this one on anything is known.
  uint32_t streams() const { return static_cast<uint32_t>(times_.size()); }
  // Whether all that the other one knows is known.
  bool covers(const Clock &other) const {
    for (uint32_t stream = 0; stream < other.streams(); ++stream)
      if (at(stream) < other.at(stream))
        return false;
    return true;
  }
  void join(const Clock &other) {
    if (times_.size() < other.times_.size())
      times_.resize(other.times_.size());
    for (size_t i = 0; i < other.times_.size(); ++i)
      times_[i] = std::max(times_[i], other.times_[i]);
  }
  // The stream's next operation: the time of that one.
  uint32_t tick(uint32_t stream) {
    if (times_.size() <= stream)
      times_.resize(stream + 1);
    return ++times_[stream];
  }

private:
  std::vector<uint32_t> times_;
};

} // namespace sluice::rt::sim
