// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The steps of a loop on a card: launches, and between them scalars, which one thread computes.
//
//   enter   once: the condition; if it holds, also the first scalars of the body
//   body    in each iteration: the rest of the body, the next values, the condition, and then
//           again the first scalars
//   exit    once: what follows the loop
//   resume  whenever the host has looked: loops within it are live again if they have to go on
//
// So where all scalars follow from other scalars there is one step of them in an iteration.
//
// A loop within the loop is a step that is repeated, whose own entry is part of what precedes it.
// The card may stop in the middle of it, and then comes back from the top. So what precedes and
// what follows such a step are *segments*, each with a word that says whether it is its turn; what
// is in them does nothing else. The entry of the inner loop ends the turn of the segment before,
// its last iteration begins that of the one behind. So it is with branches that have loops in them.
#pragma once

#include "compiler/codegen/gpu/LoopWords.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <vector>

namespace sluice::codegen {

// The words of a loop.
struct LoopState {
  unsigned goesOn = 0; // whether there is another iteration
  unsigned live = 0;   // that, and it is the card's turn
};

// Something that one thread does.
struct LoopAction {
  enum class Kind {
    kOps,    // `ops`, which need no others in between
    kMove,   // all values on the left become what those on the right are, at once
    kEnd,    // `number` says whether the loop goes on
    kBranch, // `number` says which of the words `yes` and `no` is 1
    kSet,    // words become 0 or 1
    kResume, // the loops `resumed` are live if they go on
  };
  Kind kind = Kind::kOps;
  llvm::SmallVector<mlir::Operation *> ops;
  llvm::SmallVector<unsigned> onlyIf; // these words are 1
  llvm::SmallVector<std::pair<mlir::Value, mlir::Value>> moves;
  mlir::Value number;
  // Of an end: which loop's, and those around it, which stop with it; the word that is 1 once it is
  // over, if any.
  LoopState loop;
  llvm::SmallVector<LoopState> around, resumed;
  std::optional<unsigned> over;
  bool isIteration = false; // that ends
  unsigned yes = 0, no = 0;
  llvm::SmallVector<std::pair<unsigned, bool>> words; // that are set
};

struct LoopStep {
  enum class Kind { kScalars, kLaunch, kBranch, kLoop, kSegment };
  Kind kind = Kind::kScalars;
  std::vector<LoopAction> actions;
  mlir::gpu::LaunchFuncOp launch;
  unsigned word = 0;          // of the last three: whether the steps in it are done
  bool isElse = false;        // of a branch: the other side of the one before it
  std::vector<LoopStep> body; // those
};

class LoopSteps {
public:
  // Words that the runtime knows (runtime/codelet/abi.h), before all others.
  enum Word : unsigned { kGoesOn, kLive, kBudget, kStatus, kFailedMember, kNumKnown };

  // A loop in the entry block of a function; what follows it but the return is part of it.
  LoopSteps(mlir::scf::WhileOp loop, LoopWords &words);

  std::vector<LoopStep> enter, body, exit, resume;
  // What further words are before the first step.
  llvm::SmallVector<std::pair<unsigned, bool>> initial;

private:
  using Range = llvm::iterator_range<mlir::Block::iterator>;
  // Steps; with segments if one of them may stop in the middle. Then the first step is the first
  // segment, and the last one the last.
  struct Sequence {
    std::vector<LoopStep> steps;
    llvm::SmallVector<unsigned> segments; // words

    std::vector<LoopStep> &front() { return segments.empty() ? steps : steps.front().body; }
    std::vector<LoopStep> &back() { return segments.empty() ? steps : steps.back().body; }
  };

  Sequence sequenceOf(Range ops);
  void addBranch(mlir::scf::IfOp branch, Sequence &to);
  void addLoop(mlir::scf::WhileOp loop, Sequence &to);
  // The iterations; `enter` is what comes before them.
  LoopStep makeLoop(mlir::scf::WhileOp loop, LoopState state, std::optional<unsigned> over,
                    std::vector<LoopStep> &enter);
  void beginSegment(Sequence &sequence, unsigned word);
  unsigned addWord(bool value);

  LoopWords &words_;
  llvm::SmallVector<LoopState> around_; // loops around what is being made
  llvm::SmallVector<LoopState> inner_;
};

// Adds a step, as part of the last one where both are scalars.
void addStep(std::vector<LoopStep> &steps, LoopStep step);

} // namespace sluice::codegen
