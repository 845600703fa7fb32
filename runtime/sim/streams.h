// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Streams: queues of operations, and when they run.
//
// Nothing runs by itself: operations run inside calls of the driver, as many of them as the policy
// says, in an order that the seed draws. Only for hosts that wait without calling (for a host
// function, for example) there is a thread, which goes on when no call has come for a while.
#pragma once

#include "runtime/base/splitmix.h"
#include "runtime/device/cuda/cuda_abi.h"
#include "runtime/sim/access_history.h"
#include "runtime/sim/clock.h"
#include "runtime/sim/options.h"
#include "runtime/sim/trace.h"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace sluice::rt::sim {

class Capture;

// What a kernel, a copy, an allocation does when its turn comes. Graphs run theirs many times.
struct Work {
  std::string name;
  std::function<void(OperationId)> run;
};

// An event, as it was recorded once. The clock is known when it is recorded, before that happens.
struct Recording {
  cuda::Stream stream = nullptr;
  Clock clock;
  Clock ordered; // of its stream, see there
  bool done = false;
  std::chrono::steady_clock::time_point when;
  uint64_t asked = 0; // the number of the question for it, see Omissions
};

struct Operation {
  enum Kind { kWork, kWait, kRecord, kHostFunction };
  Kind kind = kWork;
  OperationId id = 0;
  Work work;
  std::shared_ptr<Recording> recording;
  cuda::HostFunction function = nullptr;
  void *data = nullptr;
  Clock clock;           // of a host function, which tells the host so much; for the trace of work
  bool underWay = false; // a host function that its thread has begun
};

} // namespace sluice::rt::sim

struct sluice::rt::cuda::StreamObject {
  int device = 0;
  uint32_t index = 0; // in clocks
  unsigned flags = 0;
  rt::sim::Clock clock;
  rt::sim::Clock ordered; // what waits say alone, whatever the host has learnt
  std::deque<rt::sim::Operation> queue;
  std::shared_ptr<rt::sim::Capture> capture; // while what is enqueued becomes a graph
};

struct sluice::rt::cuda::EventObject {
  std::shared_ptr<rt::sim::Recording> last;
  unsigned flags = 0;
  std::shared_ptr<rt::sim::Capture> capture; // where it was recorded, if a stream captured
  std::vector<GraphNode> captured;           // what it stands for there
};

namespace sluice::rt::sim {

class Streams {
public:
  using Lock = std::unique_lock<std::mutex>;
  static constexpr uint32_t kHost = 0; // its index in clocks

  Streams(Policy policy, uint64_t seed, AccessHistory &history, const std::string &trace = {})
      : policy_(policy), random_(seed), history_(history), trace_(trace) {}
  // Not while the lock is held, as the thread ends first.
  ~Streams();

  cuda::Stream create(int device, unsigned flags);
  // What is enqueued runs first.
  void destroy(Lock &lock, cuda::Stream stream);
  bool knows(cuda::Stream stream) const;
  bool anyCaptures() const;
  // A place in clocks for what runs beside all streams, as nodes of graphs do.
  uint32_t newIndex() { return nextIndex_++; }

  OperationId enqueue(cuda::Stream stream, Work work);
  void enqueueWait(cuda::Stream stream, std::shared_ptr<Recording> recording);
  std::shared_ptr<Recording> enqueueRecord(cuda::Stream stream);
  void enqueueHostFunction(cuda::Stream stream, cuda::HostFunction function, void *data);
  // Runs at once, for the host, which waits for it.
  void runForHost(Work work);

  // Some of what can run, as the policy says.
  void pump();
  // At least what the stream waits for gets nearer. False: it waits for a host function.
  bool demand(cuda::Stream stream);
  void finish(Lock &lock, cuda::Stream stream);
  void finish(Lock &lock, const std::shared_ptr<Recording> &recording);
  void finishAll(Lock &lock);
  // For queries: a host that asks again and again gets an answer one day.
  bool flip() { return random_.below(2); }
  // The host has learnt that all this is over.
  void learn(const Clock &clock) { host_.join(clock); }
  void learnAll();
  bool hostKnows(const Clock &clock) const { return host_.covers(clock); }
  // After an error nothing runs any more.
  void cancel() { cancelled_ = true; }
  uint64_t draw() { return random_.next(); }

private:
  bool step(cuda::Stream stream);
  bool stepAny();
  void callHostFunctions();
  bool isIdle() const;

  Policy policy_;
  SplitMix64 random_;
  AccessHistory &history_;
  Trace trace_;
  std::vector<std::unique_ptr<cuda::StreamObject>> streams_;
  uint32_t nextIndex_ = kHost + 1;
  Clock host_;
  std::deque<std::pair<cuda::Stream, Operation *>> hostFunctions_;
  std::condition_variable changed_;
  std::thread thread_;
  bool asleep_ = false, stopping_ = false; // the thread
  bool cancelled_ = false;
  uint64_t calls_ = 0; // so that the thread sees whether the host is quiet
};

} // namespace sluice::rt::sim
