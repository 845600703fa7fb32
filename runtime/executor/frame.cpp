// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Token store: creation and reuse of blocks.
#include "runtime/executor/frame.h"

#include <algorithm>

namespace sluice::rt {

Iteration::Iteration(const StaticFrame &info, FrameInstance *frame)
    : frame(frame), states(new NodeState[info.nodes.size()]), slots(new Tensor[info.numSlots]),
      children(new FrameInstance *[info.numChildren]()) {}

FrameInstance::FrameInstance(const StaticFrame &frame)
    : info(frame), constants(frame.constantEnters.size()), hasLeft(frame.nodes.size()),
      retiredBy(frame.downstream.size()), initialStates_(frame.nodes.size()) {
  deferred.reserve(frame.numNextIterations);
  deadBacks.reserve(frame.numNextIterations);
  deadExits.reserve(frame.exits.size());
  for (size_t i = 0; i < frame.nodes.size(); ++i)
    initialStates_[i].pending = frame.nodes[i]->pending;
}

void FrameInstance::start(FrameInstance *parentFrame, Iteration *parentIter, uint32_t windowSize) {
  parent = parentFrame;
  parentIteration = parentIter;
  callDepth = parentFrame ? parentFrame->callDepth : 0;
  while (oldestIteration_) // after a call that failed
    retireOldest();
  oldest = next = 0;
  window = windowSize;
  entersArrived = 0;
  live = true;
  for (ConstantToken &token : constants)
    token = ConstantToken();
  deadBacks.clear();
  std::fill(hasLeft.begin(), hasLeft.end(), false);
  earlyToCheck = kEarlyToCheck;
  std::fill(retiredBy.begin(), retiredBy.end(), 0);
  retiredDownstream = 0;
  retiredTold = 0;
}

Iteration *FrameInstance::iteration(uint64_t number) {
  if (newestIteration_ && newestIteration_->number == number && oldestIteration_)
    return newestIteration_; // what a token is for most of the time
  Iteration *found = oldestIteration_;
  while (found && found->number != number)
    found = found->following;
  return found;
}

void FrameInstance::noteRetirement(uint32_t rank, uint64_t retired) {
  for (size_t i = 0; i < retiredBy.size(); ++i)
    if (info.downstream[i] == rank)
      retiredBy[i] = std::max(retiredBy[i], retired);
  retiredDownstream = *std::min_element(retiredBy.begin(), retiredBy.end());
}

Iteration &FrameInstance::takeBlock() {
  // Made when first needed: windows of nested loops multiply.
  if (!free_) {
    blocks_.push_back(std::make_unique<Iteration>(info, this));
    return *blocks_.back();
  }
  Iteration &block = *free_;
  free_ = block.following;
  return block;
}

Iteration &FrameInstance::open() {
  Iteration &iteration = takeBlock();
  iteration.number = next++;
  iteration.following = nullptr;
  iteration.outstanding = iteration.liveChildren = iteration.fired = 0;
  std::copy(initialStates_.begin(), initialStates_.end(), iteration.states.get());
  (oldestIteration_ ? newestIteration_->following : oldestIteration_) = &iteration;
  newestIteration_ = &iteration;
  deadExits.clear();
  return iteration;
}

void FrameInstance::retireOldest() {
  Iteration *retired = oldestIteration_;
  oldestIteration_ = retired->following;
  ++oldest;
  retired->following = free_;
  free_ = retired;
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
  instance->early.clear();
  free_[instance->info.id].push_back(instance);
}

} // namespace sluice::rt
