// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which graphs of a module call which functions.
#pragma once

#include "dialects/flow/Flow.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"

#include <vector>

namespace sluice::optimize {

class CallGraph {
public:
  explicit CallGraph(mlir::ModuleOp module);

  // All signatures and functions; whoever is called comes before its callers, unless they call each
  // other.
  llvm::ArrayRef<flow::TokenGraph> calleesFirst() const { return order_; }
  flow::FuncOp calleeOf(flow::CallOp call) const { return functions_.lookup(call.getCallee()); }
  // Whether the function calls itself, directly or not.
  bool isRecursive(flow::FuncOp function) const { return recursive_.contains(function); }
  // How many calls of it there are.
  uint64_t numCalls(flow::FuncOp function) const { return numCalls_.lookup(function); }

private:
  struct Walk;
  void visit(flow::TokenGraph graph, Walk &walk);

  llvm::StringMap<flow::FuncOp> functions_;
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<flow::FuncOp>> callees_;
  llvm::DenseMap<mlir::Operation *, uint64_t> numCalls_;
  llvm::DenseSet<mlir::Operation *> recursive_;
  std::vector<flow::TokenGraph> order_;
};

} // namespace sluice::optimize
