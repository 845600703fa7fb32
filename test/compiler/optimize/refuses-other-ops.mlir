// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes on modules do not run on graphs, and what is no option is told.
// RUN: not sluice-opt --pass-pipeline="builtin.module(flow.graph(optimize-infer-shapes))" %s 2>&1 | FileCheck %s --check-prefix=MODULE
// RUN: not sluice-opt --pass-pipeline="builtin.module(flow.graph(optimize-inline-calls))" %s 2>&1 | FileCheck %s --check-prefix=MODULE
// RUN: not sluice-opt --pass-pipeline="builtin.module(optimize-prune-graph{all=true})" %s 2>&1 | FileCheck %s --check-prefix=OPTION
// MODULE: error: {{.*}}restricted to 'builtin.module'
// OPTION: no such option all
flow.graph @empty {
}
