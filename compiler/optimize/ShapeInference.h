// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shapes of all values of one graph, by abstract execution to a fixpoint.
//
// Ops are evaluated on facts about their operands, operands first, and again whenever a fact has
// become vaguer. An op with an operand that no token has reached is not evaluated; a merge joins
// what has reached it. Facts form a lattice of small height, so each op is evaluated a few times.
// An array or a stack has a fact about its elements, which every write widens and every read sees.
#pragma once

#include "compiler/optimize/Containers.h"
#include "compiler/optimize/ShapeFact.h"
#include "dialects/flow/Flow.h"
#include "dialects/state/State.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

#include <map>
#include <queue>
#include <string>
#include <vector>

namespace sluice::optimize {

class ShapeInference {
public:
  // Variables with values of these types may hold values of other shapes.
  using LooseTypes = llvm::DenseSet<mlir::Type>;
  // With `forgetClaims`, what the type of a result says is no fact, unless it is that of a feed,
  // whose shape is checked, of a constant, or of a variable, whose assignments are checked.
  ShapeInference(flow::TokenGraph graph, const LooseTypes &loose, bool forgetClaims);

  void run();
  const ShapeFact &factOf(mlir::Value value) const { return facts_[indexOf(value)]; }
  // Ops whose shape rules fail on what is known, operands first, with the message.
  std::vector<std::pair<mlir::Operation *, std::string>> mismatches() const;

private:
  struct Place {
    unsigned position;    // in order_
    unsigned firstResult; // in facts_
  };

  size_t indexOf(mlir::Value value) const;
  void enqueue(mlir::Operation *op);
  void drain();
  void settleMismatches();

  void visit(mlir::Operation *op);
  void visitMerge(flow::MergeOp merge);
  void visitRead(state::ReadOp read);
  void visitKernel(mlir::Operation *op);
  // An op writes elements of the given shapes.
  void learnElements(mlir::Value handle, rt::Shape shape);
  void writeElements(mlir::Operation *op);
  // What the elements of its array or stack say of a result; false if none was ever written.
  bool readElements(mlir::Operation *op, rt::Shape &result) const;
  void learn(mlir::Value result, ShapeFact fact);
  // All results are just what their types say.
  void learnDeclared(mlir::Operation *op);
  // The results may have any shapes.
  void learnNothing(mlir::Operation *op);
  void learnValues(mlir::Operation *op, mlir::ArrayRef<mlir::Value> inputs,
                   std::vector<ShapeFact> &outputs);

  const LooseTypes &loose_;
  std::vector<mlir::Operation *> order_;
  Containers containers_;
  std::vector<ShapeFact> elements_;                           // by container
  std::vector<llvm::SmallVector<mlir::Operation *>> readers_; // by container
  llvm::DenseMap<mlir::Operation *, Place> places_;
  std::vector<ShapeFact> facts_;
  std::priority_queue<unsigned, std::vector<unsigned>, std::greater<>> queue_;
  std::vector<bool> queued_;
  std::map<unsigned, std::string> mismatches_; // by position
  bool optimistic_ = true;
  bool believesTypes_;
};

} // namespace sluice::optimize
