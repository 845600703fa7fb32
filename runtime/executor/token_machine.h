// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tagged-token machine of one signature: delivers tokens, fires nodes, opens and retires
// iterations. One scheduler thread owns it; nothing in here is atomic.
//
// Rules (docs/architecture.md tells the story): a node fires when all its tokens of one tag are
// there; it is dead if any is dead. A switch makes one output dead, a merge takes the live one.
// Iterations retire in order; a frame is done when all its enters have arrived and all iterations
// have retired; then its dead exits fire in the parent.
#pragma once

#include "runtime/base/limits.h"
#include "runtime/executor/cards.h"
#include "runtime/executor/codelet_firing.h"
#include "runtime/executor/frame.h"
#include "runtime/executor/held_objects.h"
#include "runtime/executor/kernel_firing.h"
#include "runtime/executor/parked_firings.h"
#include "runtime/executor/ready_ring.h"
#include "runtime/kernels/environment.h"
#include "runtime/workers/workers.h"

#include <optional>

namespace sluice::rt {

// What tokens of a machine leave through for other ranks.
class TokenExchange {
public:
  virtual ~TokenExchange() = default;
  // `value` is null for control tokens and dead values.
  virtual void sendToken(const Node &send, const Iteration &tag, const Tensor *value,
                         bool dead) = 0;
  // An iteration of the instance has retired; FrameInstance::retiredTold says what upstream knows.
  virtual void noteRetirement(FrameInstance &frame) = 0;
  // The thread that runs the machine may compute for long now.
  virtual void stepAside() = 0;
};

struct StepCounters {
  uint64_t firings = 0;
  uint64_t deadFirings = 0;
  uint64_t kernels = 0;
  // Of these, without effects and with a float result; also members of codelets that bailed.
  uint64_t floatKernels = 0;
  uint64_t codelets = 0;
  uint64_t codeletBails = 0;    // their members' kernels ran instead
  uint64_t codeletFloatOps = 0; // ops with a float result that ran as compiled code
  uint64_t offloaded = 0;       // kernels and codelets that were enqueued
  uint64_t iterations = 0;
  uint64_t maxLiveIterations = 0; // of one frame instance
  uint64_t framesEntered = 0;
  uint64_t leftoverTokens = 0;
  uint64_t tokensSent = 0;
  uint64_t deadTokensSent = 0;
  uint64_t tokensReceived = 0;
  uint64_t maxEarlyTokens = 0; // received before their iteration was opened here
  uint64_t trace = 0;          // hash of all firings in their order; only with a schedule seed

  void add(const StepCounters &other);
};

class TokenMachine {
public:
  // `exchange` is null for a program that runs alone, `trace` if nothing is recorded, `shared` if
  // no other machine can be at work; else they must outlive the machine.
  TokenMachine(const Signature &signature, std::optional<int> window,
               std::optional<uint64_t> scheduleSeed, Workers &workers,
               TokenExchange *exchange = nullptr, TraceBuffer *trace = nullptr,
               const Limits &limits = Limits(), SharedObjects *shared = nullptr);

  // One call, in pieces. The arguments must live until `finish`.
  void begin(std::span<const Tensor> feeds, std::span<Tensor> fetches, Environment &environment);
  // Fires up to `firings` nodes. False if nothing was ready: all is done, failed, or waits.
  bool advance(unsigned firings);
  // The call is over on this rank, well or not.
  bool done() const { return !status_.ok() || root_->oldest == root_->next; }
  bool failed() const { return !status_.ok(); }
  // Workers have not ended in time what they still may touch: no other call can run, and what the
  // machine uses must not be destroyed.
  bool stuck() const { return stuck_; }
  // The same, or waits a moment for workers if only that is left to do.
  bool step(unsigned firings) {
    return status_.ok() && (advance(firings) || (enqueued_ && awaitCompletion()));
  }
  // Nothing can be done until a message comes, or a firing of another call brings something.
  bool idle() const { return !hasReady() && enqueued_ == 0 && inbox_.empty(); }
  // Whether firings wait for what those of other calls may bring.
  bool awaitsOthers() const { return !parked_.empty() || held_.anyWaits(); }
  // Where that comes, and what workers have done.
  CompletionInbox &inbox() { return inbox_; }
  bool hasReady() const { return !ready_.empty() || !calls_.empty(); }
  // Those of the rank, which outlive the machine.
  void setCards(Cards *cards) { cards_ = cards; }
  // Where its calls begin to count the cards' streams.
  void setFirstStream(size_t stream) { firstStream_ = stream; }
  size_t firstStream() const { return firstStream_; }
  // Of a call that is over: whether workers still use what it has. `finish` waits for that.
  bool lingers() const { return enqueued_ && !stuck_; }
  // Looks, without waiting, at what workers have ended of a call that is over.
  void noteEnded();
  // The outcome; every token is dropped.
  Status finish();
  void abort(Status status) { fail(std::move(status)); }
  // Ends the call's work, from any thread and from signal handlers; the call then fails as
  // CANCELLED.
  Cancellation &cancellation() { return cancellation_; }
  // A token from another rank: `path` holds the iteration numbers of the frames from below the
  // root. The edge must be one of the signature's.
  Status receiveToken(const Node &recv, std::span<const uint64_t> path, bool dead, Tensor value);
  // `rank`, one of the frame's downstream, has retired that many iterations of the instance in the
  // parent's iteration `path`.
  Status receiveRetirement(uint32_t frame, uint32_t rank, std::span<const uint64_t> path,
                           uint64_t retired);
  // The rank whose message has made the call fail, long after it came.
  std::optional<uint32_t> offender() const { return offender_; }
  // Who waits for whom, in one line.
  std::string describeWaiting() const;
  // Which iterations are live, and if nothing can be done, who waits for whom; one line.
  std::string describeProgress() const;
  const StepCounters &counters() const { return counters_; }

private:
  friend class OpenedCards; // fires what is for cards
  // Delivery.
  void deliver(const Node &from, size_t port, Tensor *value, bool dead, Iteration &to);
  void arriveAtMerge(const Edge &edge, Tensor *value, bool moves, bool dead, Iteration &to);
  void arriveAtRecv(const Node &recv, Iteration &to);
  Status takeToken(const Node &recv, std::span<const uint64_t> path, bool dead, Tensor value);
  Status deliverMessage(const Node &recv, Iteration &to, bool dead, Tensor value);
  Status keepEarly(FrameInstance &frame, const Node &recv, std::span<const uint64_t> path,
                   bool dead, Tensor value);
  void deliverEarly(FrameInstance &frame);
  void fireMergeIfReady(const Node &merge, NodeState &state, Iteration &iteration);
  void markReady(const Node *node, Iteration *iteration) {
    ++iteration->outstanding;
    ready_.push(node, iteration);
  }
  // Whether something would have to wait if this thread computed for long, and need not.
  bool othersWait() const {
    return workers_.hasConcurrency() &&
           (exchange_ || enqueued_ || hasReady() || inlineOperations_ == 1);
  }
  // Passes an operand on to the consumers of a port.
  void pass(const Node &node, size_t input, size_t port, Iteration &from, Iteration &to);
  void deliverToAllPorts(const Node &node, bool dead, Iteration &iteration);

  template <bool kTraced> bool advanceWith(unsigned firings);

  // Firing.
  void fire(const Node &node, Iteration &iteration);
  void fireLive(const Node &node, Iteration &iteration);
  void fireDead(const Node &node, Iteration &iteration);
  void fireKernel(const Node &node, Iteration &iteration);
  void fireStatefulKernel(const Node &node, Iteration &iteration);
  Status runHere(KernelFiring &firing);
  void fireHereOrElsewhere(const Node &node, Iteration &iteration, const Environment *environment);
  void endKernel(KernelFiring &firing, Status status);
  void fireScalarKernel(const Node &node, Iteration &iteration);
  void fireCodelet(const Node &node, Iteration &iteration);
  // Whether the firing has ended well; else it has failed or ends on a worker.
  bool fireSmallCodelet(const Node &node, Iteration &iteration);
  bool fireLargeCodelet(const Node &node, Iteration &iteration);
  bool fireCodeletHere(const Node &node, Iteration &iteration);
  bool isWorthAWorker(const Node &node, const Iteration &iteration) const;
  bool endCodelet(CodeletFiring &firing, Status status);
  void countCodelet(const CodeletCounts &counts);
  void finishFiring(Firing &firing);
  void fireSwitch(const Node &node, Iteration &iteration);
  void fireMerge(const Node &node, Iteration &iteration);
  void fireExit(const Node &node, Iteration &iteration);
  void fireEnter(const Node &node, Iteration &iteration, bool dead);
  void fireNextIteration(const Node &node, Iteration &iteration);
  void fireFetch(const Node &node, Iteration &iteration);
  void fireCall(const Node &node, Iteration &iteration);
  void enterFunction(const Node &node, Iteration &iteration);
  bool enterLatestCall();
  void fireReturn(const Node &node, Iteration &iteration);
  void fireSend(const Node &node, Iteration &iteration, bool dead);
  void fireRecv(const Node &node, Iteration &iteration);
  // The operand's value; a slot's token is moved out.
  Tensor takeInput(const Node &node, size_t input, Iteration &iteration);

  // Frames.
  Iteration &openIteration(FrameInstance &frame);
  FrameInstance &childFrame(uint32_t frame, Iteration &iteration);
  // The iteration, or null if it is not open; then `frame` is the instance that has not opened it.
  Iteration *locate(std::span<const uint32_t> frames, std::span<const uint64_t> path,
                    FrameInstance *&frame);
  void openDeferred(FrameInstance &frame);
  void settle(Iteration &iteration) {
    if (!iteration.outstanding && !iteration.liveChildren)
      retireUpwards(iteration);
  }
  void retireUpwards(Iteration &iteration);
  bool retireOldest(FrameInstance &frame);
  void releaseLeftovers(Iteration &iteration);
  void dropEverything();

  // Work that ends elsewhere (token_machine_enqueued_work.cpp).
  void enqueue(std::unique_ptr<Firing> firing);
  void noteEnqueued(Firing &firing);
  bool tryCompletion();
  bool awaitCompletion();
  void endWork(Completion &completion);
  bool countCompletion(const Completion &completion);
  void releaseObjects(const Firing &firing);
  void retryWaiting();
  void drainWorkers();
  void forget(Completion &completion);
  void checkWorkers();

  // What is recorded in a trace (token_machine_trace.cpp). Only when there is one.
  void fireTraced(const Node &node, Iteration &iteration);
  TraceEvent describeFiring(const Node &node, const Iteration &iteration) const;
  void traceBegin();
  void traceEnd(const Status &outcome);
  void traceOpening(Iteration &iteration);
  void traceCompletion(const Completion &completion);
  void traceArrival(const Node &recv, std::span<const uint64_t> path, bool dead, uint64_t bytes,
                    uint64_t begin);
  // `node` is what was waited for, null for room in a window. The position of the event.
  uint32_t endWait(const Node *node);
  // Waking a worker costs some microseconds; what takes no longer had better be done here.
  static constexpr uint64_t kLong = 50; // microseconds

  void fail(Status status) {
    if (status_.ok())
      status_ = std::move(status);
    cancellation_.request();
  }
  bool everythingReached() const {
    return fetchesDone_ == fetches_.size() && targetsDone_ == signature_.info.targets.size();
  }
  void addToDigest(const Node &node, const Iteration &iteration);
  static FiringNumber firingNumber(const Iteration &iteration);
  Status checkOutcome();

  const Signature &signature_;
  std::optional<int> window_;
  FramePool pool_;
  ReadyRing ready_;
  // Calls that have fired and wait until nothing else is ready. The latest is entered first, so
  // that a function that calls itself several times has as many instances as calls are deep, not as
  // there are calls.
  std::vector<std::pair<const Node *, Iteration *>> calls_;
  Workers &workers_;
  Cards *cards_ = nullptr;
  size_t firstStream_ = 0;
  TokenExchange *exchange_;
  FrameInstance *root_ = nullptr;
  Status status_;
  Cancellation cancellation_;
  std::optional<uint32_t> offender_;
  Environment *environment_ = nullptr;
  std::span<const Tensor> feeds_;
  std::span<Tensor> fetches_;
  uint32_t fetchesDone_ = 0, targetsDone_ = 0;
  CompletionInbox inbox_;
  ParkedFirings parked_{inbox_};
  HeldObjects held_;                   // after the inbox
  const uint32_t othersTell_;          // 1 if other calls may put something into the inbox
  uint32_t elsewhere_;                 // that, and how many firings come back through it
  uint32_t enqueued_ = 0;              // firings that have not completed
  std::vector<const Node *> underWay_; // of these, oldest first
  uint64_t enqueuedSince_ = 0;         // or since the last one has completed
  bool stuck_ = false;
  const uint64_t mostIterations_, mostCalls_, mostEarly_, mostEarlyBytes_, mostKernelSeconds_,
      inlineOperations_;
  uint64_t early_ = 0, earlyBytes_ = 0; // of tokens that wait for iterations, in all frames
  StepCounters counters_;
  TraceBuffer *trace_;
  uint32_t callEvent_ = TraceEvent::kNone;
  uint64_t waitingSince_ = 0; // 0: it is not waiting, or nothing is recorded
};

// Of the elements of a token that another rank sends or has sent; 0 without a value.
uint64_t messageBytes(const Tensor *value);

// Who waits for what, for a call that cannot go on: one line.
std::string describeStall(const Signature &signature, const FramePool &pool,
                          const ParkedFirings &parked);

} // namespace sluice::rt
