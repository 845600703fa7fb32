// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Token store: creation and reuse of blocks.
#include "runtime/executor/frame.h"

#include <algorithm>

namespace sluice::rt {

Iteration::Iteration(const StaticFrame &frame)
    : states(new NodeState[frame.nodes.size()]), slots(new Tensor[frame.numSlots]),
      children(new FrameInstance *[frame.numChildren]()) {}

void Iteration::reset(uint64_t n) {
  number = n;
  outstanding = liveChildren = fired = 0;
  const auto &nodes = frame->info.nodes;
  for (size_t i = 0; i < nodes.size(); ++i) {
    states[i] = NodeState();
    states[i].pending = nodes[i]->pending;
  }
}

FrameInstance::FrameInstance(const StaticFrame &frame)
    : info(frame), constants(frame.constantEnters.size()) {
  deferred.reserve(frame.numNextIterations);
  deadExits.reserve(frame.exits.size());
}

void FrameInstance::start(FrameInstance *parentFrame, Iteration *parentIter, uint32_t windowSize) {
  parent = parentFrame;
  parentIteration = parentIter;
  oldest = next = 0;
  if (window != windowSize) {
    ring_.clear();
    window = windowSize;
  }
  entersArrived = 0;
  live = true;
  for (ConstantToken &token : constants)
    token = ConstantToken();
  deferred.clear();
  deadExits.clear();
}

Iteration &FrameInstance::open() {
  size_t position = next % window;
  // Slots are made when first touched: windows of nested loops multiply.
  if (ring_.size() <= position)
    ring_.resize(position + 1);
  if (!ring_[position]) {
    ring_[position] = std::make_unique<Iteration>(info);
    ring_[position]->frame = this;
  }
  ring_[position]->reset(next++);
  deadExits.clear();
  return *ring_[position];
}

FrameInstance *FramePool::take(const StaticFrame &info) {
  auto &list = free_[info.id];
  if (!list.empty()) {
    FrameInstance *instance = list.back();
    list.pop_back();
    return instance;
  }
  all_.push_back(std::make_unique<FrameInstance>(info));
  return all_.back().get();
}

void FramePool::give(FrameInstance *instance) {
  instance->live = false;
  for (auto &token : instance->constants)
    token.value.reset();
  free_[instance->info.id].push_back(instance);
}

} // namespace sluice::rt
