// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nodes that may fire, first in first out, or in a random order drawn from a seed.
#pragma once

#include "runtime/base/splitmix.h"
#include "runtime/executor/frame.h"

#include <optional>
#include <vector>

namespace sluice::rt {

class ReadyRing {
public:
  struct Entry {
    const Node *node;
    Iteration *iteration;
  };

  explicit ReadyRing(std::optional<uint64_t> seed)
      : entries_(64), mask_(63), shuffled_(seed.has_value()), random_(seed.value_or(0)) {}

  bool empty() const { return head_ == tail_; }
  bool shuffled() const { return shuffled_; }
  void push(const Node *node, Iteration *iteration) {
    if (tail_ - head_ > mask_)
      grow();
    entries_[tail_++ & mask_] = {node, iteration};
  }
  // Ahead of all others.
  void pushFirst(const Node *node, Iteration *iteration) {
    if (tail_ - head_ > mask_)
      grow();
    entries_[--head_ & mask_] = {node, iteration};
  }
  Entry pop() {
    if (shuffled_)
      std::swap(entries_[head_ & mask_],
                entries_[(head_ + random_.next() % (tail_ - head_)) & mask_]);
    return entries_[head_++ & mask_];
  }
  void clear() { head_ = tail_ = 0; }

private:
  void grow() {
    std::vector<Entry> larger(entries_.size() * 2);
    for (size_t i = head_; i != tail_; ++i)
      larger[i - head_] = entries_[i & mask_];
    tail_ -= head_;
    head_ = 0;
    entries_.swap(larger);
    mask_ = entries_.size() - 1;
  }
  std::vector<Entry> entries_; // size is a power of two
  size_t mask_;                // size - 1
  size_t head_ = 0, tail_ = 0;
  bool shuffled_;
  SplitMix64 random_;
};

} // namespace sluice::rt
