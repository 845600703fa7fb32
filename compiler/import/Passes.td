// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes of the import phase.
#ifndef SLUICE_IMPORT_PASSES
#define SLUICE_IMPORT_PASSES

include "mlir/Pass/PassBase.td"

def ImportOrderEffects : Pass<"import-order-effects", "::sluice::flow::GraphOp"> {
  let summary = "order reads and writes of one variable where the graph leaves a race";
  let description = [{
    Where a graph leaves reads and writes of one variable unordered within a frame, the order of ops
    in the block decides: a write waits for the reads since the write before it, or for that write
    itself; a read waits for the last write. The edges go through `flow.trigger`, so an access that
    is dead orders the others without killing them. References and handles are traced through all
    ops that forward them. An access that waits for another already gets no edge, as far as
    a bounded search finds out.

    *Requires* ops in topological order, edges out of `flow.next_iteration` aside; import builds
    graphs so, with ties broken by the order of the file. *Produces* the same ops, with triggers and
    order edges. Between frames and between iterations only the graph's own edges order.
  }];
  let dependentDialects = ["::sluice::flow::FlowDialect"];
  let statistics = [
    Statistic<"numEdges", "order-edges", "order edges added between accesses of one variable">,
  ];
}

#endif
