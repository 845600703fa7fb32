// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A call happens whenever its function runs unless it stands in a branch, in the body of a loop, or
// in a function with primitives, which may steer around it. A cycle of such calls never ends.
#include "compiler/import/functions/CallCycles.h"

#include "dialects/flow/CallGraph.h"

using namespace mlir;

namespace sluice::import {

static bool isPrimitive(Operation &op) { return isa<flow::SwitchOp, flow::EnterOp>(op); }

// Whether the call happens in each run of the function.
static bool isCertain(flow::CallOp call) {
  Operation *op = call;
  while (!isa<flow::TokenGraph>(op->getParentOp())) {
    Operation *around = op->getParentOp();
    auto loop = dyn_cast<flow::WhileOp>(around);
    if (!loop || op->getParentRegion() != &loop.getBefore())
      return false;
    op = around;
  }
  return llvm::none_of(*op->getBlock(), isPrimitive);
}

// The calls that are certain, of functions that call themselves, by caller.
using CertainCalls = llvm::DenseMap<Operation *, SmallVector<flow::CallOp, 1>>;

// Walks along the calls; a function that comes up a second time closes a cycle. Each function is
// left behind for good once no cycle has been found from it.
static LogicalResult refuseCycle(flow::FuncOp start, const CertainCalls &calls,
                                 const flow::CallGraph &graph, DenseSet<Operation *> &innocent) {
  struct Visit {
    flow::FuncOp function;
    size_t next = 0;
  };
  SmallVector<Visit> path{{start}};
  DenseSet<Operation *> isOpen{start};
  while (!path.empty()) {
    flow::FuncOp function = path.back().function;
    auto found = calls.find(function);
    if (found == calls.end() || path.back().next == found->second.size()) {
      innocent.insert(function);
      isOpen.erase(function);
      path.pop_back();
      continue;
    }
    flow::CallOp call = found->second[path.back().next++];
    flow::FuncOp callee = graph.calleeOf(call);
    if (isOpen.contains(callee)) {
      constexpr size_t kNamed = 8;
      std::string chain = "'" + callee.getSymName().str() + "'";
      auto first = llvm::find_if(path, [&](Visit &visit) { return visit.function == callee; });
      for (auto it = first + 1; it != path.end(); ++it)
        if (static_cast<size_t>(it - first) <= kNamed)
          chain += " calls '" + it->function.getSymName().str() + "', which";
      return call.emitError("calls never end: ")
             << chain << " calls '" << callee.getSymName()
             << "' again, whatever it is given; expected a branch or loop that decides";
    }
    if (!innocent.contains(callee)) {
      isOpen.insert(callee);
      path.push_back({callee});
    }
  }
  return success();
}

LogicalResult settleCallCycles(ModuleOp module) {
  if (module.getOps<flow::FuncOp>().empty())
    return success();
  flow::CallGraph graph(module);
  CertainCalls certain;
  int64_t number = 0;
  Builder builder(module.getContext());
  for (auto function : module.getOps<flow::FuncOp>())
    if (graph.isRecursive(function))
      function.walk([&](flow::CallOp call) {
        if (!graph.isRecursive(graph.calleeOf(call)))
          return;
        call.setRecursionAttr(builder.getI64IntegerAttr(++number));
        if (isCertain(call))
          certain[function].push_back(call);
      });
  DenseSet<Operation *> innocent;
  for (auto function : module.getOps<flow::FuncOp>())
    if (graph.isRecursive(function) && !innocent.contains(function))
      if (failed(refuseCycle(function, certain, graph, innocent)))
        return failure();
  return success();
}

} // namespace sluice::import
