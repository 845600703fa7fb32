// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes on graphs do not run on modules, nor the pass on modules on graphs.
// RUN: not sluice-opt --pass-pipeline="builtin.module(optimize-prune-graph)" %s 2>&1 | FileCheck %s --check-prefix=GRAPH
// RUN: not sluice-opt --pass-pipeline="builtin.module(optimize-fold-constants)" %s 2>&1 | FileCheck %s --check-prefix=GRAPH
// RUN: not sluice-opt --pass-pipeline="builtin.module(optimize-merge-duplicates)" %s 2>&1 | FileCheck %s --check-prefix=GRAPH
// RUN: not sluice-opt --pass-pipeline="builtin.module(optimize-expand-composites)" %s 2>&1 | FileCheck %s --check-prefix=GRAPH
// RUN: not sluice-opt --pass-pipeline="builtin.module(optimize-merge-regions)" %s 2>&1 | FileCheck %s --check-prefix=GRAPH
// RUN: not sluice-opt --pass-pipeline="builtin.module(optimize-hoist-invariants)" %s 2>&1 | FileCheck %s --check-prefix=GRAPH
// RUN: not sluice-opt --pass-pipeline="builtin.module(flow.graph(optimize-infer-shapes))" %s 2>&1 | FileCheck %s --check-prefix=MODULE
// GRAPH: error: {{.*}}restricted to 'flow.graph'
// MODULE: error: {{.*}}restricted to 'builtin.module'
flow.graph @empty {
}
