// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is known of a loop's iterations before they run: of loops that count down to 0, as mirrors
// do.
//
// An op is known ahead if it computes from captures, the counter, and elements of lists of which
// each iteration pops one. So the product of such a value and a captured matrix can be computed for
// several iterations at once.
#pragma once

#include "dialects/flow/Flow.h"
#include "dialects/nd/Nd.h"

namespace sluice::codegen {

class KnownAhead {
public:
  // `loop` stands in a codelet, whose lists are cells.
  explicit KnownAhead(flow::WhileOp loop);

  // Products that are worth being computed ahead, in their order; none if the loop does not count
  // down.
  llvm::ArrayRef<nd::MatmulOp> products() const { return products_; }
  // What the left operand of one of them is made of, in the order of the body.
  llvm::SmallVector<mlir::Operation *> neededFor(nd::MatmulOp product) const;
  // How many iterations are one block, so that its products have some hundred rows.
  int64_t iterations() const { return iterations_; }

  // The position of the counter among the arguments of the body.
  unsigned counter() const { return counter_; }
  // The position among what the loop carries of what the condition forwards at a position.
  unsigned initOf(unsigned forwarded) const { return initOf_[forwarded]; }

private:
  bool countsDown();
  bool isNextOfCounter(mlir::Value value) const;
  bool isPoppedAlone(mlir::Operation *op) const;
  bool isCapture(mlir::Value value) const;
  bool isKnown(mlir::Operation *op) const;
  bool isWorthwhile(nd::MatmulOp product) const;

  flow::WhileOp loop_;
  mlir::Block &body_;
  unsigned counter_ = 0;
  llvm::SmallVector<unsigned> initOf_;
  llvm::DenseMap<int64_t, unsigned> cellUses_;
  llvm::DenseSet<mlir::Operation *> known_;
  llvm::SmallVector<nd::MatmulOp> products_;
  int64_t iterations_ = 0;
};

} // namespace sluice::codegen
