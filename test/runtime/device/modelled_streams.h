// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Streams of which a test knows everything: what has completed, and what comes after what.
#pragma once

#include "runtime/device/memory_pool.h"

#include <algorithm>
#include <array>
#include <map>
#include <vector>

namespace sluice::rt {

class ModelledStreams final : public MemoryPool::Backing {
public:
  // For each stream the latest ticket that comes before.
  using Clock = std::array<uint64_t, kMostStreams>;

  Moment enqueue(StreamId stream) {
    Clock &now = clocks_[indexOf(stream)];
    ++now[indexOf(stream)];
    history_[indexOf(stream)].push_back(now);
    return {stream, now[indexOf(stream)]};
  }
  // All that comes before it as well.
  void complete(Moment moment) {
    for (size_t i = 0; i < kMostStreams; ++i)
      completed[i] = std::max(completed[i], clockOf(moment)[i]);
  }
  void completeAll() {
    for (size_t i = 0; i < kMostStreams; ++i)
      completed[i] = clocks_[i][i];
  }
  // Whether what is enqueued on the stream now comes after that.
  bool comesAfter(StreamId stream, Moment moment) const {
    return completed[indexOf(moment.stream)] >= moment.ticket ||
           clocks_[indexOf(stream)][indexOf(moment.stream)] >= moment.ticket;
  }

  Result<void *> obtain(size_t bytes) override {
    if (broken)
      return internalError("broken");
    if (bytes > memory - given)
      return resourceExhausted("no more");
    given += bytes;
    ++obtained;
    mostObtained = std::max(mostObtained, bytes);
    void *chunk = reinterpret_cast<void *>(next_);
    next_ += bytes + MemoryPool::kAlignment; // chunks do not touch
    chunks[chunk] = bytes;
    return chunk;
  }
  void giveBack(void *chunk, size_t bytes) override {
    given -= bytes;
    wrongGifts += chunks.count(chunk) == 0 || chunks[chunk] != bytes;
    chunks.erase(chunk);
  }
  Moment lastMoment(StreamId stream) const override {
    return {stream, clocks_[indexOf(stream)][indexOf(stream)]};
  }
  bool isOver(Moment moment) override {
    ++questions;
    return completed[indexOf(moment.stream)] >= moment.ticket;
  }
  Status order(StreamId later, Moment earlier) override {
    if (broken)
      return internalError("broken");
    ++orders;
    Clock before = clockOf(earlier);
    for (size_t i = 0; i < kMostStreams; ++i)
      if (i != indexOf(later))
        clocks_[indexOf(later)][i] = std::max(clocks_[indexOf(later)][i], before[i]);
    enqueue(later);
    return okStatus();
  }
  Status awaitIdle() override {
    if (broken)
      return internalError("broken");
    ++waits;
    completeAll();
    return okStatus();
  }

  size_t memory = size_t(1) << 40, given = 0, mostObtained = 0;
  int obtained = 0, orders = 0, waits = 0, wrongGifts = 0;
  int questions = 0; // whether a moment is over
  bool broken = false;
  Clock completed = {};
  std::map<void *, size_t> chunks;

private:
  Clock clockOf(Moment moment) const {
    return moment.ticket ? history_[indexOf(moment.stream)][moment.ticket - 1] : Clock{};
  }
  std::array<Clock, kMostStreams> clocks_ = {};
  std::array<std::vector<Clock>, kMostStreams> history_;
  uintptr_t next_ = uintptr_t(1) << 32;
};

} // namespace sluice::rt
