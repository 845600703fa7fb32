// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes of the lower phase.
#ifndef SLUICE_LOWER_PASSES
#define SLUICE_LOWER_PASSES

include "mlir/Pass/PassBase.td"

def LowerControlFlow : Pass<"lower-control-flow"> {
  let summary = "turn branches and loops with regions into primitives";
  let description = [{
    `flow.cond` becomes a switch for each capture that a branch uses, and a merge for each result;
    `flow.while` becomes a frame (`docs/rationale/structured-control-flow.md`). Ops of a region that
    would fire although the region is not run, because constants, loop invariants and triggers are
    all they wait for, get a `flow.gate`. What is not used is not forwarded. Frames under one parent
    get different names.

    Ops that carry `codegen.collapse` stay as they are, but leave the regions around them.

    *Requires* nothing. *Produces* a graph without other `flow.cond`, `flow.while`.
  }];
  let dependentDialects = ["::sluice::nd::NDDialect"];
  let statistics = [
    Statistic<"numBranches", "branches", "flow.cond ops that became primitives">,
    Statistic<"numLoops", "loops", "flow.while ops that became primitives">,
    Statistic<"numGates", "gates", "values gated by the start of their region">,
  ];
}

#endif
