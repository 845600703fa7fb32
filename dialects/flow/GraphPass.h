// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The base of passes that work on one graph of tokens after the other.
#pragma once

#include "dialects/flow/Flow.h"

namespace sluice::flow {

// `Base` is the class that was generated for the pass, which is of no particular op: run on a graph
// it works on that, run on a module on all graphs and functions in it, those of ranks included.
template <typename Base> class GraphPass : public Base {
public:
  using Base::Base;

  virtual void runOnGraph(TokenGraph graph) = 0;

  void runOnOperation() final {
    this->getOperation()->template walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
      auto graph = mlir::dyn_cast<TokenGraph>(op);
      if (!graph)
        return mlir::WalkResult::advance();
      runOnGraph(graph);
      return mlir::WalkResult::skip();
    });
  }
};

} // namespace sluice::flow
