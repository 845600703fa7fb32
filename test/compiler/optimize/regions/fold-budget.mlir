// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All regions of a graph share what may be stored and computed, with earlier passes as well.
// RUN: sluice-opt %s -split-input-file -pass-pipeline='builtin.module(flow.graph(optimize-fold-regions))' | FileCheck %s
// RUN: sluice-opt %s -split-input-file -pass-pipeline='builtin.module(flow.graph(optimize-fold-constants,optimize-fold-regions))' | FileCheck %s --check-prefix=TWICE

// There is work for one product.
// CHECK-LABEL: flow.graph @work attributes {optimize.folded = array<i64: 1048576, {{[0-9]+}}>}
// CHECK: on_true {
// CHECK-NOT: nd.matmul
// CHECK: on_false {
// CHECK: nd.matmul
// The second one of the graph finds nothing left.
// TWICE-LABEL: flow.graph @work attributes {optimize.folded = array<i64: 1048576, {{[0-9]+}}>}
// TWICE-NOT: nd.matmul
// TWICE: on_true {
// TWICE: nd.matmul
// TWICE: on_false {
// TWICE: nd.matmul
flow.graph @work {
  %p = flow.feed {name = "p"} : () -> tensor<i1>
  %c = nd.constant {value = dense<1.0> : tensor<512x500xf32>} : () -> tensor<512x500xf32>
  %d = nd.constant {value = dense<3.0> : tensor<500x512xf32>} : () -> tensor<500x512xf32>
  %r = flow.cond %p () : (tensor<i1>) -> tensor<512x512xf32> on_true {
    %a = nd.constant {value = dense<1.0> : tensor<512x500xf32>} : () -> tensor<512x500xf32>
    %b = nd.constant {value = dense<1.0> : tensor<500x512xf32>} : () -> tensor<500x512xf32>
    %m = nd.matmul %a, %b {adjoint_lhs = false, adjoint_rhs = false, transpose_lhs = false, transpose_rhs = false} : (tensor<512x500xf32>, tensor<500x512xf32>) -> tensor<512x512xf32>
    flow.yield %m : (tensor<512x512xf32>) -> ()
  } on_false {
    %a = nd.constant {value = dense<1.0> : tensor<512x500xf32>} : () -> tensor<512x500xf32>
    %b = nd.constant {value = dense<2.0> : tensor<500x512xf32>} : () -> tensor<500x512xf32>
    %m = nd.matmul %a, %b {adjoint_lhs = false, adjoint_rhs = false, transpose_lhs = false, transpose_rhs = false} : (tensor<512x500xf32>, tensor<500x512xf32>) -> tensor<512x512xf32>
    flow.yield %m : (tensor<512x512xf32>) -> ()
  }
  %m = nd.matmul %c, %d {adjoint_lhs = false, adjoint_rhs = false, transpose_lhs = false, transpose_rhs = false} : (tensor<512x500xf32>, tensor<500x512xf32>) -> tensor<512x512xf32>
  flow.fetch %r {name = "r"} : (tensor<512x512xf32>) -> ()
  flow.fetch %m {name = "m"} : (tensor<512x512xf32>) -> ()
}

// -----

// 32 MiB were stored; what the constants here take was made then, as far as is known.
// CHECK-LABEL: flow.graph @spent
// CHECK: nd.add
flow.graph @spent attributes {optimize.folded = array<i64: 33554432, 0>} {
  %p = flow.feed {name = "p"} : () -> tensor<i1>
  %r = flow.cond %p () : (tensor<i1>) -> tensor<i32> on_true {
    %a = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %b = nd.add %a, %a : (tensor<i32>, tensor<i32>) -> tensor<i32>
    flow.yield %b : (tensor<i32>) -> ()
  } on_false {
    %a = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    flow.yield %a : (tensor<i32>) -> ()
  }
  flow.fetch %r {name = "r"} : (tensor<i32>) -> ()
}

// -----

// Little was done, so there is nothing to tell.
// CHECK-LABEL: flow.graph @little {
// CHECK-NOT: nd.add
flow.graph @little {
  %p = flow.feed {name = "p"} : () -> tensor<i1>
  %r = flow.cond %p () : (tensor<i1>) -> tensor<i32> on_true {
    %a = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %b = nd.add %a, %a : (tensor<i32>, tensor<i32>) -> tensor<i32>
    flow.yield %b : (tensor<i32>) -> ()
  } on_false {
    %a = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    flow.yield %a : (tensor<i32>) -> ()
  }
  flow.fetch %r {name = "r"} : (tensor<i32>) -> ()
}
