// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums of products that a loop carries.
//
// The chains of a sum go on from one iteration to the next, so its products may come later: the
// rows and columns of several of them are kept until they are a block, and multiplied at once. The
// sum, which is often much larger than what is added to it, is read and written once for each
// block.
#pragma once

#include "compiler/codegen/plan/FusionPlan.h"
#include "dialects/flow/Flow.h"

namespace sluice::codegen {

class Emitter;

class ProductSums {
public:
  explicit ProductSums(Emitter &emitter) : emitter_(emitter) {}

  // In front of a loop that carries the matrix `sum` at a position and adds to it in place. Nothing
  // if its products cannot come later.
  void open(flow::WhileOp loop, unsigned position, mlir::Value sum);
  // Behind the loop: adds what is kept.
  void close(flow::WhileOp loop);
  // Where what is to be added later is kept, as `!llvm.ptr`; null if it is to be added at once.
  mlir::Value keptFor(mlir::Operation *product) const { return kept_.lookup(product); }

private:
  struct Open {
    mlir::Operation *loop;
    mlir::Value sum, kept;
  };

  Emitter &emitter_;
  llvm::SmallVector<Open> open_;
  llvm::DenseMap<mlir::Operation *, mlir::Value> kept_;
};

} // namespace sluice::codegen
