// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All passes together, and each one switched off.
// RUN: sluice-opt --optimize %s | FileCheck %s --check-prefix=ALL
// RUN: sluice-opt --optimize="prune=false" %s | FileCheck %s --check-prefix=UNPRUNED
// RUN: sluice-opt --optimize="infer-shapes=false" %s | FileCheck %s --check-prefix=UNKNOWN
// RUN: sluice-opt --optimize="fold-constants=false" %s | FileCheck %s --check-prefix=UNFOLDED
// RUN: sluice-opt --optimize="merge-duplicates=false" %s | FileCheck %s --check-prefix=UNMERGED
// RUN: sluice-opt --optimize="prune=false infer-shapes=false fold-constants=false merge-duplicates=false" %s > %t
// RUN: sluice-opt %s | diff - %t

// ALL: %[[X:.*]] = flow.feed
// ALL-NEXT: %[[C:.*]] = nd.constant {{.*}}dense<5.000000e-01>
// ALL-NEXT: %[[A:.*]] = nd.mul %[[X]], %[[C]] : {{.*}} -> tensor<2x2xf32>
// ALL-NEXT: %[[S:.*]] = nd.sub %[[A]], %[[A]] : {{.*}} -> tensor<2x2xf32>
// ALL-NEXT: flow.fetch %[[S]]
// ALL-NEXT: {{^ *}$}}

// UNPRUNED: nd.neg
// UNKNOWN: nd.mul {{.*}} -> tensor<*xf32>
// UNFOLDED: nd.reduce_prod
// UNMERGED-COUNT-2: nd.mul
flow.graph @main {
  %x = flow.feed {name = "x:0"} : () -> tensor<2x2xf32>
  %unused = nd.neg %x : (tensor<2x2xf32>) -> tensor<*xf32>
  %half = nd.constant {value = dense<[0.25, 2.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %axes = nd.constant {value = dense<0> : tensor<1xi32>} : () -> tensor<1xi32>
  %p0 = nd.reduce_prod %half, %axes {keep_dims = false} : (tensor<2xf32>, tensor<1xi32>) -> tensor<f32>
  %p1 = nd.reduce_prod %half, %axes {keep_dims = false} : (tensor<2xf32>, tensor<1xi32>) -> tensor<f32>
  %a = nd.mul %x, %p0 : (tensor<2x2xf32>, tensor<f32>) -> tensor<*xf32>
  %b = nd.mul %x, %p1 : (tensor<2x2xf32>, tensor<f32>) -> tensor<*xf32>
  %s = nd.sub %a, %b : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
  flow.fetch %s {name = "s:0"} : (tensor<*xf32>) -> ()
}
