// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Types of handles that come off a stack, and of variants that come out of an array.
//
// Gradients of nested loops push handles of inner stacks and arrays. A pop says only that it gives
// a resource; what kind is found by tracing back to what was pushed on that stack.
#pragma once

#include "compiler/import/Graph.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Types.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace sluice::import {

class HandleTypes {
public:
  // `arguments` are the types of what the graph is given, if it is the body of a function.
  HandleTypes(const Graph &graph, llvm::ArrayRef<mlir::Type> arguments, mlir::MLIRContext *context)
      : graph_(graph), arguments_(arguments), context_(context) {}

  // The type of the handles that the stack made by `stack` holds, or that one at the endpoint.
  // Null when it cannot be found out.
  mlir::Type elementOfStack(uint32_t stack) { return elementOfStack(stack, 0); }
  mlir::Type handleAt(Endpoint endpoint) { return handleAt(endpoint, 0); }
  // Whether output 0 of the node is a variant that holds a ragged or sparse tensor, as something
  // wants it that tells what is in it. Such are strings; others are lists.
  bool isDecoded(uint32_t node);
  // The node that made the handle at the endpoint, seen through forwarding ops.
  std::optional<uint32_t> originOf(Endpoint endpoint) const;

private:
  mlir::Type elementOfStack(uint32_t stack, int depth);
  mlir::Type handleAt(Endpoint endpoint, int depth);
  void collect();

  const Graph &graph_;
  llvm::SmallVector<mlir::Type> arguments_;
  mlir::MLIRContext *context_;
  llvm::DenseMap<uint32_t, uint32_t> firstPush_; // stack node -> a node that pushes on it
  llvm::DenseSet<uint32_t> decoded_;
  bool collected_ = false;
};

} // namespace sluice::import
