// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is known of all values of a graph with regions: shapes, dims that are equal, and elements of
// shapes that are computed.
//
// All at once, by abstract execution to a fixpoint. A value that nothing has reached yet has no
// fact here, and ops wait for it; so a variable of a loop is what it starts with until the end of
// the body gives it something else. Only what comes from several places gets vaguer there: each dim
// loses its number once, and then its name. That is how often an op is visited again for each of
// its operands, however deep the loop is that it is in.
#pragma once

#include "compiler/optimize/ListElements.h"
#include "dialects/state/State.h"

#include "llvm/ADT/SetVector.h"

#include <queue>
#include <vector>

namespace sluice::optimize {

class RegionTypes {
public:
  using Fact = ElementRules::Fact;

  explicit RegionTypes(flow::TokenGraph graph);

  // Null for what is no tensor, and for what nothing reaches.
  const Fact *factOf(mlir::Value value) const;
  // With names, which are equal where dims are.
  rt::Shape shapeOf(mlir::Value tensorOrList) const;
  // Of a number or a name in a shape.
  mlir::AffineExpr dimOf(int64_t size) const { return names_.dimOf(size); }
  // Names of dims that ops in loops would need to be equal to say more.
  const llvm::SetVector<std::pair<int64_t, int64_t>> &doubtedInLoops() const { return doubted_; }
  // The types of values say what is known. Returns the number of those that said less.
  unsigned refine();

private:
  struct Visited {
    Fact fact;
    unsigned changes = 0;
  };

  void enqueue(mlir::Operation *op);
  // The value is one with this fact, and of its declared type anyway.
  void learn(mlir::Value value, Fact fact);
  void learnDeclared(mlir::Operation *op);
  // One of these, of those that something has reached.
  void learnJoined(mlir::Value value, llvm::ArrayRef<mlir::Value> sources);
  void learnAll(mlir::ValueRange values, mlir::ValueRange from);

  void visit(mlir::Operation *op);
  void visitList(mlir::Operation *op);
  int64_t lengthFrom(mlir::Operation *maker);
  void visitShapeOfVariable(state::VariableShapeOp op);
  void visitKernel(mlir::Operation *op);
  void visitVariables(flow::WhileOp loop);
  void visitResults(flow::CondOp branch);
  void enterLoop(flow::WhileOp loop);

  DimNames names_;
  ListElements lists_;
  llvm::DenseMap<mlir::Operation *, int64_t> lengths_; // by what made them
  std::vector<mlir::Operation *> ops_; // operands first, those of regions after the op around them
  llvm::DenseMap<mlir::Operation *, unsigned> positions_;
  std::priority_queue<unsigned, std::vector<unsigned>, std::greater<>> queue_;
  std::vector<bool> queued_;
  llvm::DenseMap<mlir::Value, Visited> facts_;
  llvm::SetVector<std::pair<int64_t, int64_t>> doubted_;
};

} // namespace sluice::optimize
