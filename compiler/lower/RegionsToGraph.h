// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Takes structured ops of a graph apart, the outer ones first: the ops of a region move into the
// graph, and what stands for the region is the primitives around them.
//
// The one difficulty: in a region, an op that has nothing but constants to wait for runs when its
// branch is taken, or once in each iteration of its loop. In a graph it would run at the start of
// the call. So such an op is tied to its region by a gate. The same goes for loop invariants, which
// are there in every iteration even though the body is not run in the last one, and for triggers,
// which are live whatever happened. These values are called *loose*.
#pragma once

#include "dialects/flow/FrameAnalysis.h"
#include "dialects/wire/Steering.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseSet.h"

#include <functional>
#include <vector>

namespace sluice::lower {

class RegionsToGraph {
public:
  // Of a graph that FrameAnalysis accepts.
  RegionsToGraph(flow::TokenGraph graph, const flow::FrameAnalysis &frames);

  void run();

  unsigned numBranches() const { return numBranches_; }
  unsigned numLoops() const { return numLoops_; }
  unsigned numGates() const { return numGates_; }

private:
  // A region on its way into the graph.
  struct Scope {
    unsigned frame;
    // Makes the token that says that the region runs: live exactly when it does.
    std::function<mlir::Value()> start;
    mlir::Value token{}; // what `start` made
    llvm::DenseMap<mlir::Value, mlir::Value> gated{};
  };
  // A structured op that stands in the graph.
  struct Work {
    mlir::Operation *op;
    unsigned frame;
  };
  // What a predicate steers: one switch for each value and what the switch asks for.
  struct Switches {
    mlir::Value predicate;
    const wire::Steering &asked; // by the primitives that were there once
    llvm::DenseMap<std::pair<mlir::Value, mlir::Attribute>, flow::SwitchOp> made{};
  };
  // A loop variable that somebody uses.
  struct Variable {
    unsigned position;
    flow::MergeOp merge;
  };

  // RegionsToGraph.cpp.
  void moveOut(mlir::Block &block, Scope &scope);
  void tie(mlir::Operation *op, Scope &scope);
  mlir::Value tied(mlir::Value value, Scope &scope);
  mlir::Value startOf(Scope &scope);
  mlir::Value after(mlir::Value value, mlir::Location location);
  mlir::Value join(mlir::Value token, mlir::Value other, mlir::Location location);
  mlir::Value gate(mlir::Value value, mlir::Value token, mlir::Location location);
  bool isLoose(mlir::Value value) const;
  void replaceBySharedConstant(mlir::Operation *constant);
  mlir::Value steer(Switches &switches, mlir::Value value, bool way, mlir::Location location,
                    mlir::DictionaryAttr wishes = {});

  // LowerBranch.cpp.
  void lowerBranch(flow::CondOp cond, unsigned frame);
  void connectCaptures(flow::CondOp cond, bool way, Switches &switches, Scope &scope);
  mlir::Value mergeResults(flow::CondOp cond, unsigned result, Switches &switches,
                           llvm::MutableArrayRef<Scope> scopes);

  // LowerLoop.cpp.
  void lowerLoop(flow::WhileOp loop, unsigned frame);
  void ensureVariable(flow::WhileOp loop);
  mlir::StringAttr uniqueFrame(flow::WhileOp loop, unsigned frame);
  mlir::Value enter(flow::WhileOp loop, mlir::Value value, mlir::StringAttr frame, bool constant,
                    mlir::Location location);
  void enterCaptures(flow::WhileOp loop, mlir::StringAttr frame, const wire::Steering &asked);
  llvm::SmallVector<Variable> enterVariables(flow::WhileOp loop, mlir::StringAttr frame,
                                             const wire::Steering &asked,
                                             const llvm::DenseSet<mlir::Value> &deciding);
  // Gives the token of the body.
  std::function<mlir::Value()> leave(flow::WhileOp loop, Switches &switches,
                                     const llvm::DenseSet<mlir::Value> &deciding);

  mlir::OpBuilder builder_;
  mlir::Type tokenType_, indexType_;
  flow::TokenGraph graph_;
  const flow::FrameAnalysis &analysis_;
  std::vector<Work> open_;
  llvm::DenseSet<mlir::Value> loose_;                               // without constants
  llvm::DenseMap<mlir::Attribute, mlir::Operation *> constants_;    // by their attributes
  llvm::DenseSet<std::pair<unsigned, mlir::Attribute>> frameNames_; // under a parent
  unsigned numFrames_;
  unsigned numBranches_ = 0, numLoops_ = 0, numGates_ = 0;
};

} // namespace sluice::lower
