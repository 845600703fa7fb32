// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The firings of a machine that are parked on objects (runtime/state/parking.h). They end through
// the machine's inbox, like work that a worker has done.
#pragma once

#include "runtime/executor/firing.h"
#include "runtime/state/parking.h"
#include "runtime/workers/completion_inbox.h"

#include <vector>

namespace sluice::rt {

class ParkedFiring final : public Firing, public ParkedCall {
public:
  ParkedFiring(const Node &node, Iteration &iteration, const Cancellation &cancellation,
               CompletionInbox &inbox)
      : Firing(node, iteration, cancellation), inbox_(inbox) {}

  std::span<Tensor> outputs() override { return Firing::outputs(); }
  bool isParked() const override { return true; }

private:
  Status run() override { return okStatus(); } // whoever resumes it has done what there was to do
  void end(std::unique_ptr<ParkedCall> self, Status status) override;

  CompletionInbox &inbox_;
};

class ParkedFirings final : public Parking {
public:
  struct Parked {
    const ParkedFiring *firing;
    const Node *node;
    Ref<Waitable> object;
    const char *what;
    uint64_t since; // by the system's clock
  };

  explicit ParkedFirings(CompletionInbox &inbox) : inbox_(inbox) {}

  // Before a kernel runs that may park this firing.
  void begin(const Node &node, Iteration &iteration, const Cancellation &cancellation) {
    node_ = &node;
    iteration_ = &iteration;
    cancellation_ = &cancellation;
    parked_ = false;
  }
  // Afterwards: whether it has.
  bool parked() const { return parked_; }
  std::unique_ptr<ParkedCall> park(Waitable &object, const char *what) override;

  bool empty() const { return all_.empty(); }
  // Null if the firing is none of them.
  const Parked *find(const Firing &firing) const;
  // One has come back.
  void forget(const Firing &firing);
  // Nobody can resume any of them afterwards; what the inbox has of them is dropped.
  void withdrawAll();

  // In the order in which they were parked.
  std::span<const Parked> all() const { return all_; }

private:
  CompletionInbox &inbox_;
  const Node *node_ = nullptr;
  Iteration *iteration_ = nullptr;
  const Cancellation *cancellation_ = nullptr;
  bool parked_ = false;
  std::vector<Parked> all_;
};

// "parked on queue 'q', dequeue"
std::string describe(const ParkedFirings::Parked &parked);

} // namespace sluice::rt
