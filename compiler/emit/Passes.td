// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes of the emit phase.
#ifndef SLUICE_EMIT_PASSES
#define SLUICE_EMIT_PASSES

include "mlir/Pass/PassBase.td"

def EmitBuildProgram : Pass<"emit-build-program", "::mlir::ModuleOp"> {
  let summary = "turn graphs into the tables of one device's program";
  let description = [{
    Every op that fires becomes one `exe.node`; gates, joins and triggers dissolve into control and
    order edges of the nodes that wait, where that does not multiply edges. Frames are numbered. A
    `flow.codelet` becomes a node and an `exe.codelet`, which lists its ops as kernels or, if it has
    loops or branches, who can fail and why.

    *Requires* a module of `flow.graph`, `state.variable` and `state.generator` ops, with no
    structured ops but codelets. Those with loops or branches must have been compiled
    (`codegen.symbol`).
    *Produces* a module of `exe.signature` and `exe.resource` ops. Fails on ops without a kernel for
    their element types, and where inputs come from different frames.
  }];
  let dependentDialects = ["::sluice::exe::ExeDialect"];
  let statistics = [
    Statistic<"numNodes", "nodes", "nodes of all signatures">,
    Statistic<"numFolded", "folded", "gates, joins, triggers and afters that became edges">,
    Statistic<"numCodelets", "codelets", "codelets of all signatures">,
  ];
}

#endif
