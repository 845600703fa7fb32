// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the nodes of a file ask to be: device strings and colocation.
//
// Import keeps these only when asked. They become attributes of the ops built for a node, for the
// place phase: `wire.requested` is the node's device string, `wire.colocate` names the first node
// of the set of nodes that want to be together.
#pragma once

#include "compiler/import/Graph.h"

#include "mlir/IR/Operation.h"

#include <vector>

namespace sluice::import {

class Placement {
public:
  // Checks the device strings and colocation of all nodes, needed or not. Nothing, after
  // diagnostics, when one is wrong. A function's nodes may name one that only a caller has, or had:
  // those that name it want to be together.
  enum class Of { kGraph, kFunction };
  static std::optional<Placement> read(const Graph &graph, DiagnosticList &diagnostics,
                                       Of of = Of::kGraph);

  // Gives an op that was built for a node the node's attributes. Constants and flow.start are left
  // alone, as they are everywhere, and so are reads of references: they belong to the variable, and
  // a reader on another device gets the value from there.
  void annotate(mlir::Operation *op, uint32_t node) const;
  // The same for all ops of a block that stand behind one; null: for all of them.
  void annotateAfter(mlir::Operation *last, mlir::Block &block, uint32_t node) const;

private:
  Placement(const Graph &graph, Of of) : graph_(&graph), of_(of) {}
  void checkDevices(DiagnosticList &diagnostics) const;
  void joinColocated(DiagnosticList &diagnostics);

  const Graph *graph_;
  Of of_;
  // By node: the first node of its set, and whether that has further members.
  std::vector<uint32_t> first_;
  std::vector<bool> isShared_;
};

} // namespace sluice::import
