// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Strongly connected components by Tarjan's algorithm, with a stack of its own: chains of calls may
// be long.
#include "dialects/flow/CallGraph.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace sluice::flow {

struct CallGraph::Walk {
  struct Node {
    unsigned number = 0, lowest = 0;
    bool isOpen = false; // of a component that is not complete
  };
  struct Visit {
    TokenGraph graph;
    size_t next = 0; // callee
  };
  DenseMap<Operation *, Node> nodes;
  SmallVector<Visit> path;
  SmallVector<TokenGraph> open;
};

CallGraph::CallGraph(ModuleOp module) {
  for (auto function : module.getOps<FuncOp>())
    functions_[function.getSymName()] = function;
  SmallVector<TokenGraph> graphs(module.getOps<TokenGraph>());
  for (TokenGraph graph : graphs) {
    llvm::SmallSetVector<FuncOp, 4> callees;
    graph->walk([&](CallOp call) {
      callees.insert(calleeOf(call));
      ++numCalls_[{graph.getOperation(), calleeOf(call).getOperation()}];
    });
    callees_[graph] = callees.takeVector();
  }
  Walk walk;
  for (TokenGraph graph : graphs)
    if (!walk.nodes.contains(graph))
      visit(graph, walk);
}

void CallGraph::visit(TokenGraph root, Walk &walk) {
  auto begin = [&](TokenGraph graph) {
    auto number = static_cast<unsigned>(walk.nodes.size() + 1);
    walk.nodes[graph] = {number, number, true};
    walk.path.push_back({graph});
    walk.open.push_back(graph);
  };
  begin(root);
  while (!walk.path.empty()) {
    TokenGraph graph = walk.path.back().graph;
    ArrayRef<FuncOp> callees = callees_[graph];
    if (size_t &next = walk.path.back().next; next < callees.size()) {
      FuncOp callee = callees[next++];
      if (callee.getOperation() == graph.getOperation())
        recursive_.insert(graph);
      if (!walk.nodes.contains(callee))
        begin(callee);
      else if (walk.nodes[callee].isOpen)
        walk.nodes[graph].lowest = std::min(walk.nodes[graph].lowest, walk.nodes[callee].number);
      continue;
    }
    walk.path.pop_back();
    unsigned lowest = walk.nodes[graph].lowest;
    if (!walk.path.empty()) {
      Walk::Node &caller = walk.nodes[walk.path.back().graph];
      caller.lowest = std::min(caller.lowest, lowest);
    }
    if (lowest != walk.nodes[graph].number)
      continue;
    bool isAlone = walk.open.back() == graph;
    for (bool isLast = false; !isLast;) {
      TokenGraph member = walk.open.pop_back_val();
      walk.nodes[member].isOpen = false;
      if (!isAlone)
        recursive_.insert(member);
      order_.push_back(member);
      isLast = member == graph;
    }
  }
}

} // namespace sluice::flow
