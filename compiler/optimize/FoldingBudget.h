// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How much constant folding may store and compute.
//
// A few bytes of a file can ask for any amount of constants: what is filled, tiled or concatenated
// with itself grows with each step. What is not folded runs, so a budget costs no result. It bounds
//   - each result: 1 MiB, or what its operands take, each counted once and a splat as one element;
//   - all results together: 32 MiB, and as much again as the graph's own constants take; here each
//     element counts, for programs hold them all;
//   - the work: 2^28 elementary operations, and 4 for each byte of the graph's own constants.
// All passes over a graph share it: what one has made is no constant of the graph's own for the
// next.
#pragma once

#include "compiler/optimize/KernelEvaluation.h"
#include "dialects/flow/Flow.h"

#include "llvm/ADT/ArrayRef.h"

namespace sluice::optimize {

// Bytes of all elements of a constant, also if it is a splat.
uint64_t bytesOf(mlir::ElementsAttr value);

class FoldingBudget {
public:
  // What is left for the graph, whose constants are all there already.
  explicit FoldingBudget(flow::TokenGraph graph);
  // Tells later passes what has been spent, by an attribute of the graph if it is worth mentioning.
  void note(flow::TokenGraph graph) const;

  // Whether all elements of these may be in memory at once.
  bool mayHold(llvm::ArrayRef<mlir::ElementsAttr> operands) const;
  // Whether an op may be run on constants. If so, its work is spent.
  bool allows(mlir::Operation *op, llvm::ArrayRef<mlir::ElementsAttr> operands,
              const TensorPointers &inputs);
  void store(uint64_t bytes) { stored_ += bytes; }
  void release(uint64_t bytes) { stored_ -= bytes; }

private:
  uint64_t own_ = 0, stored_ = 0; // bytes
  uint64_t work_ = 0;             // elementary operations
};

} // namespace sluice::optimize
