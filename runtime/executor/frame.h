// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The explicit token store: frame instances, their window of iterations, and the cells in which
// tokens wait. A tag is a pointer to an iteration. Blocks are pooled, so nothing is allocated once
// a program has reached its high-water mark; the last one freed is the next one taken, because it
// is still in the cache.
#pragma once

#include "runtime/kernels/firing_number.h"
#include "runtime/program/program.h"
#include "runtime/trace/trace_buffer.h"

#include <memory>
#include <vector>

namespace sluice::rt {

class FrameInstance;

// Matching state of one node in one iteration.
struct NodeState {
  uint32_t pending = 0;    // tokens still to come; merge: control tokens only
  uint32_t deadInputs = 0; // merge: dead values so far
  bool dead = false;       // some input or control was dead
  bool live = false;       // merge: a live value has come; recv: its message has come
  bool fired = false;
  uint32_t liveInput = 0; // merge: which value was live
};

// One iteration of a frame instance: the cells of every node of the frame.
struct Iteration {
  Iteration(const StaticFrame &info, FrameInstance *frame);

  FrameInstance *const frame;
  uint64_t number = 0;
  Iteration *following = nullptr; // the one with the next number, if it has been opened
  uint32_t outstanding = 0;       // nodes that are ready or running
  uint32_t liveChildren = 0;
  uint32_t fired = 0;                      // nodes that have fired
  uint32_t traceEvent = TraceEvent::kNone; // its own; in the root frame that of the call
  std::unique_ptr<NodeState[]> states;
  std::unique_ptr<Tensor[]> slots;
  std::unique_ptr<FrameInstance *[]> children; // by child position
};

// What an input of a node that fires is.
inline const Tensor &operandOf(const Input &input, const Iteration &iteration) {
  return input.constant ? *input.constant : iteration.slots[input.slot];
}

class FrameInstance {
public:
  explicit FrameInstance(const StaticFrame &frame);

  const StaticFrame &info;
  FrameInstance *parent = nullptr;
  Iteration *parentIteration = nullptr;
  uint64_t oldest = 0; // first iteration that has not retired
  uint64_t next = 0;   // number of the iteration that will be opened next
  uint32_t window = 1;
  uint32_t entersArrived = 0;
  bool live = false;
  // Of a function: the call, how many calls are around its ops, and the number that their firings
  // begin with.
  const Node *call = nullptr;
  uint32_t callDepth = 0;
  FiringNumber firing;

  struct ConstantToken {
    bool arrived = false, dead = false;
    Tensor value;
  };
  std::vector<ConstantToken> constants; // by Node::constantEnter
  // NextIteration tokens that wait for room in the window; all for iteration `next`.
  struct DeferredToken {
    const Node *node;
    Tensor value;
  };
  std::vector<DeferredToken> deferred;
  // NextIterations that were dead in the newest iteration: what they bring to the next one, if that
  // is opened.
  std::vector<const Node *> deadBacks;
  // Dead exits of the newest iteration.
  std::vector<const Node *> deadExits;
  std::vector<bool> hasLeft; // by Node::index: exits whose live token is in the parent

  // Messages for iterations that have not been opened here. There are not many: the window bounds
  // senders as well. One that sends a message twice is found when there are `earlyToCheck`.
  struct EarlyMessage {
    const Node *recv;
    std::vector<uint64_t> path; // iterations from below the root down to that of `recv`
    bool dead;
    Tensor value;
  };
  static constexpr size_t kEarlyToCheck = 256;
  std::vector<EarlyMessage> early;
  size_t earlyToCheck = kEarlyToCheck;
  // How many iterations each rank of StaticFrame::downstream has retired, and the least of them.
  std::vector<uint64_t> retiredBy;
  uint64_t retiredDownstream = 0;
  uint64_t retiredTold = 0; // what upstream knows of `oldest`

  void start(FrameInstance *parentFrame, Iteration *parentIter, uint32_t windowSize);
  bool hasRoom() const {
    return next - oldest < window && (retiredBy.empty() || next - retiredDownstream < window);
  }
  bool allEntersArrived() const { return entersArrived == info.numEnters; }
  // The live iterations are linked, from oldest to newest. Null if there is none.
  Iteration *oldestIteration() { return oldestIteration_; }
  // One of the live ones by number.
  Iteration *iteration(uint64_t number);
  void noteRetirement(uint32_t rank, uint64_t retired);
  Iteration &open();
  void retireOldest();

private:
  Iteration &takeBlock();

  std::vector<NodeState> initialStates_;
  std::vector<std::unique_ptr<Iteration>> blocks_;
  Iteration *oldestIteration_ = nullptr, *newestIteration_ = nullptr;
  Iteration *free_ = nullptr; // linked by `following`
};

// Free frame instances by static frame.
class FramePool {
public:
  explicit FramePool(const Signature &signature) : free_(signature.frames.size()) {}
  FrameInstance *take(const StaticFrame &info);
  void give(FrameInstance *instance);
  // Every instance ever made, to find the live ones after an error.
  std::span<const std::unique_ptr<FrameInstance>> all() const { return all_; }

private:
  std::vector<std::vector<FrameInstance *>> free_;
  std::vector<std::unique_ptr<FrameInstance>> all_;
};

} // namespace sluice::rt
