// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The steps of a loop on a card: launches, and between them scalars, which one thread computes.
//
//   enter   once: the condition; if it holds, also the first scalars of the body
//   body    in each iteration: the rest of the body, the next values, the condition, and then
//           again the first scalars
//   exit    once: what follows the loop
//
// So where all scalars follow from other scalars there is one step of them in an iteration.
#pragma once

#include "compiler/codegen/gpu/LoopWords.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <vector>

namespace sluice::codegen {

// Something that one thread does.
struct LoopAction {
  enum class Kind {
    kOps,    // `ops`, which need no others in between
    kMove,   // all values on the left become what those on the right are, at once
    kEnd,    // `number` says whether the loop goes on
    kBranch, // `number` says which of the words `yes` and `no` is 1
  };
  Kind kind = Kind::kOps;
  llvm::SmallVector<mlir::Operation *> ops;
  bool ifGoesOn = false; // only then
  llvm::SmallVector<std::pair<mlir::Value, mlir::Value>> moves;
  mlir::Value number;
  bool isIteration = false; // that ends
  unsigned yes = 0, no = 0;
};

struct LoopStep {
  enum class Kind { kScalars, kLaunch, kBranch };
  Kind kind = Kind::kScalars;
  std::vector<LoopAction> actions;
  mlir::gpu::LaunchFuncOp launch;
  unsigned word = 0;          // of a branch: whether the steps in it are done
  std::vector<LoopStep> body; // those
};

class LoopSteps {
public:
  // Words that the runtime knows (runtime/codelet/abi.h), before all others.
  enum Word : unsigned { kGoesOn, kLive, kBudget, kStatus, kFailedMember, kNumKnown };

  // A loop in the entry block of a function; what follows it but the return is part of it.
  LoopSteps(mlir::scf::WhileOp loop, LoopWords &words);

  std::vector<LoopStep> enter, body, exit;

private:
  using Range = llvm::iterator_range<mlir::Block::iterator>;
  std::vector<LoopStep> stepsOf(Range ops);
  void addBranch(mlir::scf::IfOp branch, std::vector<LoopStep> &steps);

  LoopWords &words_;
};

// Adds a step, as part of the last one where both are scalars.
void addStep(std::vector<LoopStep> &steps, LoopStep step);

} // namespace sluice::codegen
