// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What one flow.cond is made of, as found in a graph.
//
//                       inside, if true
//    capture ──▶ switch ──▶ op ──▶ op ──────────────▶ merge ──▶
//                  │                └── its token ──▶ trigger
//                  │    inside, if false
//                  └──────▶ op ──────────────────▶ the same merge
//
// A branch is known by its predicate and by its context, which is the condition of what is around
// it. Inside is what is live only if the predicate goes one way. It ends at merges of both ways,
// and at ops that wait for a control token but do not care whether it is dead.
#pragma once

#include "compiler/raise/GraphFacts.h"

#include "llvm/ADT/SetVector.h"

#include <array>

namespace sluice::raise {

// Where the branch gives something to what is around it.
struct BranchEnd {
  mlir::Operation *user; // a merge of both ways, or else what takes a token
  unsigned operand = 0;  // the position of the token
  // What each way gives. Null for one that gives no token: there is a dead one then.
  std::array<mlir::Value, 2> values;

  bool isMerge() const { return values[0] && values[1]; }
};

// A value from outside. One that came through a switch on a gated predicate waits for that.
struct Capture {
  mlir::Value value;
  mlir::Value awaited; // may be null

  bool operator==(const Capture &other) const {
    return value == other.value && awaited == other.awaited;
  }
};

struct BranchKey {
  unsigned frame = 0;
  unsigned context = 0;
  mlir::Value predicate;
  std::array<unsigned, 2> literals = {};   // by way: that the predicate goes this way
  std::array<unsigned, 2> conditions = {}; // and that the context holds
};

struct Branch : BranchKey {
  llvm::SmallVector<BranchEnd> ends;
  std::array<llvm::SetVector<mlir::Operation *>, 2> inside;
  llvm::SmallVector<Capture> captures;
  std::string obstacle; // why it cannot be a region; empty if it can

  // What a value stands for on one way: what came through the switches on the predicate.
  Capture originOf(const GraphFacts &facts, mlir::Value value, bool way) const;
  // The predicate itself, behind a switch on it.
  bool isDecided(const Capture &origin, mlir::Value value) const;
  // Whether the value is live on one way only, so that it is dead on the other one.
  bool isInside(const GraphFacts &facts, mlir::Value value, bool way) const;
  bool needsCapture(const GraphFacts &facts, const Capture &origin, mlir::Value value,
                    bool way) const;

  // What a value of one way waits for from outside, whether it is live or dead in the end.
  llvm::SmallVector<Capture> awaitedBy(const GraphFacts &facts, mlir::Value value, bool way) const;

  // Fills in `inside`, `captures` and `obstacle` from `ends`; drops ends that turn out to be
  // inside.
  void explore(const GraphFacts &facts);

private:
  void explore(const GraphFacts &facts, mlir::Value end, bool way);
  bool belongs(const GraphFacts &facts, mlir::Value value, bool way) const;
  void findCaptures(const GraphFacts &facts);
  std::string findObstacle(const GraphFacts &facts) const;
  bool isNeverLive(const GraphFacts &facts, mlir::Value value, bool way) const;
  // Whether the user is inside, or the branch ends there.
  bool isPart(const mlir::OpOperand &use) const;
  std::string findLeak() const;
};

} // namespace sluice::raise
