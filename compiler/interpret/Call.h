// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One call of a graph: tokens that wait for others, firings that may happen, and frames.
//
// The rules, each in one place below: an op fires when all its tokens of one place are there, and
// is dead when any of them is (`arrive`); a merge fires on its first live value once its control
// tokens are there, or when no live value can come any more, and then it takes its first constant
// or is dead (`arriveAtMerge`, `makeReady`); constant enters reach every iteration
// (`openIteration`); iterations retire in order, and a frame that has no iteration left sends its
// dead exits (`settle`). Branches and loops with regions need none of the primitives' rules: they
// act on each operand as it comes (Structured.cpp).
//
// A token costs the same however many operands its op has, and however deep its place is.
#pragma once

#include "compiler/interpret/Place.h"
#include "compiler/interpret/tape/Tape.h"
#include "runtime/base/call_timer.h"
#include "runtime/kernels/environment.h"
#include "runtime/state/parking.h"

#include <deque>
#include <random>

namespace sluice::interpret {

// Sums over calls, except for the leftover tokens.
struct Counters {
  uint64_t calls = 0;
  uint64_t firings = 0;
  uint64_t deadFirings = 0;
  uint64_t kernels = 0;
  uint64_t iterations = 0;
  uint64_t framesEntered = 0;
  uint64_t maxLiveIterations = 0; // of one frame instance
  uint64_t leftoverTokens = 0;    // of the last call
};

// How ready firings are picked and how many iterations of one frame may be live.
struct Schedule {
  std::optional<int> parallelIterations; // absent: as the enters say
  std::optional<std::mt19937_64> random; // absent: first in, first out
  uint64_t mostIterations = UINT64_MAX;  // of one frame instance
  uint64_t mostCalls = UINT64_MAX;       // of functions, within each other
  const rt::CallTimer *timer = nullptr;  // ends the call when it has passed
};

class Call final : public rt::Parking {
public:
  Call(const Graph &graph, Schedule &schedule, rt::Environment &environment, Counters &counters)
      : graph_(graph), schedule_(schedule), environment_(environment), counters_(counters) {
    if (graph.asksForDerivatives())
      tape_.emplace();
  }

  ~Call() override;

  rt::Result<std::vector<rt::Tensor>> run(std::span<const rt::Tensor> feeds);

private:
  // An op with everything that it needs to fire; constants are filled in.
  struct Firing {
    unsigned node;
    Place *place;
    std::vector<Token> operands;
    std::optional<unsigned> liveInput; // merge: the value that it takes; absent: it is dead
    // What is piecewise: the operand that has come, alone in `operands`; absent: all are constants.
    std::optional<unsigned> piece;
  };

  // Call.cpp: tokens.
  void start();
  void startBody(unsigned body, Place &place);
  Firing takeReady();
  void send(const std::vector<Use> &uses, const Token &token, Place &place);
  void send(const Node &from, unsigned result, const Token &token, Place &place);
  void sendAll(const Node &from, const Token &token, Place &place);
  void arrive(Use use, const Token &token, Place &place);
  void arriveAtMerge(Use use, Cell &cell, Place &place);
  void makeReady(unsigned position, Cell &cell, Place &place);
  void makeReady(Firing firing);

  // Parked.cpp: firings that wait for what others bring.
  class ParkedFiring;
  struct Parked {
    const ParkedFiring *firing;
    rt::Ref<rt::Waitable> object;
    const char *what;
  };
  std::unique_ptr<rt::ParkedCall> park(rt::Waitable &object, const char *what) override;
  void finishResumed();
  void withdrawParked();
  std::string describe(const Parked &parked) const;

  // Frames.cpp.
  void endInTime();
  Place &openIteration(Frame &frame);
  Frame &childFrame(const Node &enter, Place &place);
  Frame &makeFrame(Frame::Key key, Place &around, uint64_t window, unsigned numEnters);
  void goRound(const std::vector<Use> &uses, const Token &token, Place &place);
  void stayDead(const std::vector<Use> &uses, Place &place);
  void fireCall(const Node &call, Firing &firing);
  void enterLatestCall();
  void fireReturn(const Node &op, const Firing &firing);
  bool retireOldest(Frame &frame);
  void countLeftovers(const Place &iteration);
  void settle(Frame *frame);

  // Firing.cpp: what each op does.
  void fire(Firing firing);
  void finish(const Firing &firing);
  bool fireControlFlow(const Node &node, Firing &firing, bool dead);
  void fireLive(const Node &node, Firing &firing);
  void fireMerge(const Node &node, const Firing &firing);
  void fireSwitch(const Node &node, const Firing &firing);
  void fireEnter(const Node &node, const Firing &firing, bool dead);
  void fireExit(const Node &node, const Firing &firing, bool dead);
  void fireNextIteration(const Node &node, const Firing &firing, bool dead);
  void fireFetch(const Node &node, const Firing &firing, bool dead);
  void fireKernel(const Node &node, Firing &firing);
  rt::Result<std::vector<rt::Tensor>> runOnTape(const Node &composite,
                                                std::vector<TapeValue> &inputs);
  void fireGradient(const Node &node, const Firing &firing);
  void sendResults(const Node &node, const Firing &firing, std::vector<rt::Tensor> &values,
                   const std::vector<TapeValue> &inputs);

  // Structured.cpp: branches and loops.
  void firePiece(const Firing &firing);
  void begin(const Region &region, Place &place);
  void fireCond(const Node &cond, Cell &cell, std::optional<unsigned> piece, Place &place);
  void fireCondition(const Node &condition, Cell &cell, std::optional<unsigned> piece,
                     Place &place);
  void fireYield(const Node &yield, unsigned piece, const Token &token, Place &place);
  void fireWhile(const Node &loop, Cell &cell, std::optional<unsigned> piece, Place &place);
  void bringIn(const Node &loop, unsigned operand, const Token &token, Frame &frame);
  bool decide(const Node &node, Cell &cell);
  void beginIteration(const Frame &frame, Place &place);
  static std::optional<Token> operandOf(const Node &node, const Cell &cell, unsigned operand);

  // StallReport.cpp.
  rt::Status checkCompleteness() const;
  std::vector<std::string> describeWaiting() const;
  std::string missingTokens(const Node &node, const Cell &cell) const;

  const Node &node(unsigned position) const { return graph_.nodes()[position]; }
  unsigned positionOf(const Node &node) const {
    return static_cast<unsigned>(&node - graph_.nodes().data());
  }
  void fail(rt::Status status) {
    if (status_.ok())
      status_ = std::move(status);
  }

  const Graph &graph_;
  Schedule &schedule_;
  rt::Environment &environment_;
  Counters &counters_;
  std::span<const rt::Tensor> feeds_;
  std::vector<rt::Tensor> fetches_;
  std::set<unsigned> reached_; // fetches and targets, by node
  rt::Status status_;
  std::deque<Firing> ready_;
  // Entered when nothing else is ready, the latest first: instances are then as many as calls are
  // deep, not as there are calls.
  std::vector<Firing> calls_;
  std::vector<Parked> parked_;
  std::vector<std::unique_ptr<rt::ParkedCall>> resumed_; // each a ParkedFiring
  // The firing whose kernel runs, which may park it.
  Firing *running_ = nullptr;
  bool hasParked_ = false;
  std::optional<Tape> tape_; // only where derivatives are asked for
  Place root_;
};

} // namespace sluice::interpret
