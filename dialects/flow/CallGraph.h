// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which graphs of a module call which functions.
#pragma once

#include "dialects/flow/Flow.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"

#include <vector>

namespace sluice::flow {

class CallGraph {
public:
  explicit CallGraph(mlir::ModuleOp module);

  // All signatures and functions; whoever is called comes before its callers, unless they call each
  // other.
  llvm::ArrayRef<TokenGraph> calleesFirst() const { return order_; }
  FuncOp calleeOf(CallOp call) const { return functions_.lookup(call.getCallee()); }
  // Whether the function calls itself, directly or not.
  bool isRecursive(FuncOp function) const { return recursive_.contains(function); }
  // The functions that it calls, and how many calls of each there are.
  llvm::ArrayRef<FuncOp> calleesOf(TokenGraph graph) const {
    return callees_.find(graph.getOperation())->second;
  }
  uint64_t numCalls(TokenGraph graph, FuncOp callee) const {
    return numCalls_.lookup({graph.getOperation(), callee.getOperation()});
  }

private:
  struct Walk;
  void visit(TokenGraph graph, Walk &walk);

  llvm::StringMap<FuncOp> functions_;
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<FuncOp>> callees_;
  llvm::DenseMap<std::pair<mlir::Operation *, mlir::Operation *>, uint64_t> numCalls_;
  llvm::DenseSet<mlir::Operation *> recursive_;
  std::vector<TokenGraph> order_;
};

} // namespace sluice::flow
