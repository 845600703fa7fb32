// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One call of a graph: tokens that wait for others, firings that may happen, and frames.
//
// The rules, each in one place below: an op fires when all its tokens of one tag are there, and is
// dead when any of them is (`arrive`); a merge fires on its first live value once its control
// tokens are there, or when no live value can come any more, and then it takes its first constant
// or is dead (`arriveAtMerge`, `makeReady`); constant enters reach every iteration
// (`openIteration`); iterations retire in order, and a frame that has no iteration left sends its
// dead exits (`settle`). Branches and loops with regions need none of the primitives' rules: they
// act on each operand as it comes (Structured.cpp).
#pragma once

#include "compiler/interpret/Graph.h"
#include "compiler/interpret/Tag.h"
#include "runtime/base/call_timer.h"
#include "runtime/kernels/environment.h"

#include <deque>
#include <random>
#include <set>

namespace sluice::interpret {

// A value or a control token.
struct Token {
  rt::Tensor value; // invalid in control tokens and dead ones
  bool dead = false;
};

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
  const rt::CallTimer *timer = nullptr;  // ends the call when it has passed
};

class Call {
public:
  Call(const Graph &graph, Schedule &schedule, rt::Environment &environment, Counters &counters)
      : graph_(graph), schedule_(schedule), environment_(environment), counters_(counters) {}

  rt::Result<std::vector<rt::Tensor>> run(std::span<const rt::Tensor> feeds);

private:
  // Tokens that have arrived at one op under one tag.
  struct Cell {
    std::vector<std::optional<Token>> operands; // nothing: not arrived, or a constant
    bool fired = false;                // only merges and what is piecewise are kept after that
    std::optional<unsigned> liveInput; // merge: the value that it takes
    std::optional<bool> decision;      // branch, condition: its predicate; nothing if that is dead
  };
  using CellKey = std::pair<Tag, unsigned>; // with the position of the node

  // An op with everything that it needs to fire; constants are filled in.
  struct Firing {
    unsigned node;
    Tag tag;
    std::vector<Token> operands;
    std::optional<unsigned> liveInput; // merge: the value that it takes; absent: it is dead
    // What is piecewise: the operand that has come, alone in `operands`; absent: all are constants.
    std::optional<unsigned> piece;
  };

  struct Iteration {
    unsigned outstanding = 0; // firings that are ready or running
    unsigned liveChildren = 0;
    bool runsBody = false; // of a flow.while
  };

  // Iterations oldest … next-1 exist.
  struct Frame {
    uint64_t oldest = 0, next = 0;
    uint64_t window = 1;
    unsigned numEnters = 0, entersArrived = 0;
    std::map<unsigned, Token> constants; // by constant enter, or by operand of the flow.while
    // Live values that wait for room in the window: all for iteration `next`, with their users.
    std::vector<std::pair<const std::vector<Use> *, Token>> deferred;
    std::vector<unsigned> deadExits; // of the newest iteration
    std::set<unsigned> liveExits;    // of any
    const Node *loop = nullptr;      // the flow.while whose frame it is
    bool dead = false;               // of a flow.while: nothing runs
    bool hasRoom() const { return next - oldest < window; }
  };

  // Call.cpp: tokens.
  void start();
  Firing takeReady();
  void send(const std::vector<Use> &uses, const Token &token, const Tag &tag);
  void send(const Node &from, unsigned result, const Token &token, const Tag &tag);
  void sendAll(const Node &from, const Token &token, const Tag &tag);
  void arrive(Use use, const Token &token, const Tag &tag);
  void arriveAtMerge(Use use, Cell &cell, const Tag &tag);
  void makeReady(unsigned position, Cell &cell, const Tag &tag);
  void makeReady(Firing firing);

  // Call.cpp: frames.
  void endInTime();
  void openIteration(const FrameId &id, Frame &frame);
  std::pair<const FrameId, Frame> &childFrame(const Node &enter, const Tag &tag);
  std::pair<const FrameId, Frame> &makeFrame(const FrameId &id, uint64_t window,
                                             unsigned numEnters);
  void goRound(const std::vector<Use> &uses, const Token &token, const Tag &tag);
  bool retireOldest(const FrameId &id, Frame &frame);
  void dropCells(const Tag &tag);
  void settle(Tag tag);

  // Firing.cpp: what each op does.
  void fire(Firing firing);
  bool fireControlFlow(const Node &node, Firing &firing, bool dead);
  void fireLive(const Node &node, Firing &firing);
  void fireMerge(const Node &node, const Firing &firing);
  void fireSwitch(const Node &node, const Firing &firing);
  void fireEnter(const Node &node, const Firing &firing, bool dead);
  void fireExit(const Node &node, const Firing &firing, bool dead);
  void fireNextIteration(const Node &node, const Firing &firing, bool dead);
  void fireFetch(const Node &node, const Firing &firing, bool dead);
  void fireKernel(const Node &node, Firing &firing);

  // Structured.cpp: branches and loops.
  void firePiece(const Firing &firing);
  void begin(const Region &region, const Tag &tag);
  void fireCond(const Node &cond, Cell &cell, std::optional<unsigned> piece, const Tag &tag);
  void fireCondition(const Node &condition, Cell &cell, std::optional<unsigned> piece,
                     const Tag &tag);
  void fireYield(const Node &yield, unsigned piece, const Token &token, const Tag &tag);
  void fireWhile(const Node &loop, Cell &cell, std::optional<unsigned> piece, const Tag &tag);
  void bringIn(const Node &loop, unsigned operand, const Token &token, const FrameId &id,
               Frame &frame);
  bool decide(const Node &node, Cell &cell);
  void beginIteration(const Frame &frame, const Tag &tag);
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
  std::map<CellKey, Cell> cells_;
  std::deque<Firing> ready_;
  std::map<Tag, Iteration> iterations_;
  std::map<FrameId, Frame> frames_; // without the root
};

} // namespace sluice::interpret
