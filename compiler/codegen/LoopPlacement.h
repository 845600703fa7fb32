// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What of a loop lies where if a card runs it by itself: its numbers are computed there as well, as
// scalars of one thread, and everything else is in the card's memory.
#pragma once

#include "compiler/codegen/Obstacle.h"
#include "dialects/flow/Flow.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/SetVector.h"

namespace sluice::codegen {

class LoopPlacement {
public:
  // A loop that `findObstacleOnCard` accepts, without tokens inside, and which card it is for.
  LoopPlacement(flow::WhileOp loop, unsigned card);

  // What the card has no code for; nothing if it can run the loop.
  std::optional<Obstacle> findObstacle() const { return obstacle_; }
  // Whether the card has something to compute.
  bool hasWork() const { return launches_ > 0; }
  // Whether a host that runs the loop would wait for the card in each iteration.
  bool hostWaits() const { return !fetched_.empty(); }
  // Whether an iteration takes the card less time than a host takes to enqueue it.
  bool isShort() const;

  // Makes a codelet of the loop, with copies in front of it and behind it.
  flow::CodeletOp apply();

private:
  void tieRegions(mlir::Operation *op);
  void tie(mlir::Value a, mlir::Value b) { ties_.unionSets(key(a), key(b)); }
  static void *key(mlir::Value value) { return value.getAsOpaquePointer(); }
  bool isTiedToCard(mlir::Value value) const {
    return onCard_.contains(ties_.getLeaderValue(key(value)));
  }
  // What an op computes as a scalar, or a constant, is one wherever it is handed on to.
  bool isScalar(mlir::Value value) const;
  bool isOnCard(mlir::Value value) const { return isTiedToCard(value) && !isScalar(value); }
  bool put(mlir::Value value) { return onCard_.insert(ties_.getLeaderValue(key(value))).second; }
  bool isOutside(mlir::Value value) const;

  void placeAll();
  bool place(mlir::Operation *op);
  bool runsOnCard(mlir::Operation *op) const;
  void check(mlir::Operation *op);
  void checkOperand(mlir::OpOperand &operand);
  void checkHandedOn(mlir::OpOperand &operand);

  void copyConstants();
  void copyNumbers(const llvm::SetVector<mlir::OpOperand *> &operands, bool toCard);
  flow::CodeletOp makeCodelet();

  flow::WhileOp loop_;
  unsigned card_;
  llvm::SmallVector<mlir::Value> values_;    // of the regions
  llvm::SmallVector<mlir::Operation *> ops_; // that compute, of the regions
  llvm::EquivalenceClasses<void *> ties_;    // values that lie in one place
  llvm::DenseSet<void *> onCard_;            // leaders
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<unsigned>> eligible_; // with card operands
  llvm::SetVector<mlir::OpOperand *> fetched_;   // of the card, for scalars
  llvm::SetVector<mlir::OpOperand *> stored_;    // scalars that are handed on on the card
  llvm::SetVector<mlir::OpOperand *> constants_; // that kernels read
  std::optional<Obstacle> obstacle_;
  llvm::SmallDenseSet<llvm::ArrayRef<int64_t>> elementwise_; // shapes, each of which is a launch
  int64_t launches_ = 0, work_ = 0;                          // of an iteration
  int64_t loops_ = 1;                                        // with those within it
  bool workIsKnown_ = true;
};

} // namespace sluice::codegen
