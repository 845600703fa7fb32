// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A second version of graphs for feeds with equal dims.
// RUN: sluice-opt %s --optimize-version-dims --split-input-file | FileCheck %s

// A sum in a loop has the dims of both, if these are equal. What is fetched comes from the branch.
// CHECK-LABEL: @sums
// CHECK-DAG: %[[X:.*]] = flow.feed {name = "x"}
// CHECK-DAG: %[[Y:.*]] = flow.feed {name = "y"}
// CHECK-DAG: flow.fetch %[[R:[0-9]+]] {name = "r"}
// CHECK-DAG: flow.fetch %[[X]] {name = "x"}
// CHECK: %[[EQUAL:.*]] = nd.equal {{.*}} -> tensor<1xi1>
// CHECK: %[[P:.*]] = nd.reshape %[[EQUAL]], {{.*}} -> tensor<i1>
// CHECK: %[[R]] = flow.cond %[[P]](%[[X]], %[[Y]]
// CHECK: on_true
// CHECK-NEXT: ^bb0(%[[A:.*]]: tensor<?x2xf32>, %[[B:.*]]: tensor<?x?xf32>
// CHECK: %[[SIZES:.*]] = nd.concat
// CHECK: %[[SAME:.*]] = nd.reshape %[[B]], %[[SIZES]]
// CHECK: flow.while(%[[A]]) (%[[SAME]]
// CHECK: on_false
// CHECK-NEXT: ^bb0(%[[C:.*]]: tensor<?x2xf32>, %[[D:.*]]: tensor<?x?xf32>
// CHECK-NOT: nd.reshape
// CHECK: flow.while(%[[C]]) (%[[D]]
flow.graph @sums {
  %x = flow.feed {name = "x"} : () -> tensor<?x2xf32>
  %y = flow.feed {name = "y"} : () -> tensor<?x?xf32>
  %p = flow.feed {name = "p"} : () -> tensor<i1>
  %r = flow.while (%x) (%y, %p) {frame = "loop", parallel_iterations = 1 : i64} : (tensor<?x2xf32>, tensor<?x?xf32>, tensor<i1>) -> tensor<?x2xf32> before {
  ^bb0(%a: tensor<?x2xf32>, %c: tensor<?x?xf32>, %q: tensor<i1>):
    flow.condition %q (%a) : (tensor<i1>, tensor<?x2xf32>) -> ()
  } body {
  ^bb0(%a: tensor<?x2xf32>, %c: tensor<?x?xf32>, %q: tensor<i1>):
    %d = nd.constant {value = dense<1.0> : tensor<2x2xf32>} : () -> tensor<2x2xf32>
    %m = nd.matmul %a, %d {adjoint_lhs = false, adjoint_rhs = false, transpose_lhs = false, transpose_rhs = false} : (tensor<?x2xf32>, tensor<2x2xf32>) -> tensor<?x2xf32>
    %b = nd.add %m, %c : (tensor<?x2xf32>, tensor<?x?xf32>) -> tensor<?x2xf32>
    flow.yield %b : (tensor<?x2xf32>) -> ()
  }
  flow.fetch %r {name = "r"} : (tensor<?x2xf32>) -> ()
  flow.fetch %x {name = "x"} : (tensor<?x2xf32>) -> ()
}

// -----

// Sums outside of loops are nobody's trouble, and within none whose dims are equal anyway.
// CHECK-LABEL: @outside
// CHECK-NOT: flow.cond %
// CHECK-LABEL: @same
// CHECK-NOT: flow.cond %
flow.graph @outside {
  %x = flow.feed {name = "x"} : () -> tensor<?xf32>
  %y = flow.feed {name = "y"} : () -> tensor<?xf32>
  %p = flow.feed {name = "p"} : () -> tensor<i1>
  %s = nd.add %x, %y : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %r = flow.while (%p) () {frame = "loop", parallel_iterations = 1 : i64} : (tensor<i1>) -> tensor<i1> before {
  ^bb0(%a: tensor<i1>):
    flow.condition %a (%a) : (tensor<i1>, tensor<i1>) -> ()
  } body {
  ^bb0(%a: tensor<i1>):
    %b = nd.logical_not %a : (tensor<i1>) -> tensor<i1>
    flow.yield %b : (tensor<i1>) -> ()
  }
  flow.fetch %s {name = "s"} : (tensor<?xf32>) -> ()
  flow.fetch %r {name = "r"} : (tensor<i1>) -> ()
}
flow.graph @same {
  %x = flow.feed {name = "x"} : () -> tensor<?xf32>
  %p = flow.feed {name = "p"} : () -> tensor<i1>
  %r = flow.while (%x) (%x, %p) {frame = "loop", parallel_iterations = 1 : i64} : (tensor<?xf32>, tensor<?xf32>, tensor<i1>) -> tensor<?xf32> before {
  ^bb0(%a: tensor<?xf32>, %c: tensor<?xf32>, %q: tensor<i1>):
    flow.condition %q (%a) : (tensor<i1>, tensor<?xf32>) -> ()
  } body {
  ^bb0(%a: tensor<?xf32>, %c: tensor<?xf32>, %q: tensor<i1>):
    %b = nd.add %a, %c : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    flow.yield %b : (tensor<?xf32>) -> ()
  }
  flow.fetch %r {name = "r"} : (tensor<?xf32>) -> ()
}

// -----

// What multiplies nothing stays, and so does what would go on being doubted, here the number of places in a mask.
// CHECK-LABEL: @no_product
// CHECK-NOT: flow.cond %
// CHECK-LABEL: @places
// CHECK-NOT: flow.cond %
flow.graph @no_product {
  %x = flow.feed {name = "x"} : () -> tensor<?x2xf32>
  %y = flow.feed {name = "y"} : () -> tensor<?x2xf32>
  %p = flow.feed {name = "p"} : () -> tensor<i1>
  %r = flow.while (%x) (%y, %p) {frame = "loop", parallel_iterations = 1 : i64} : (tensor<?x2xf32>, tensor<?x2xf32>, tensor<i1>) -> tensor<?x2xf32> before {
  ^bb0(%a: tensor<?x2xf32>, %c: tensor<?x2xf32>, %q: tensor<i1>):
    flow.condition %q (%a) : (tensor<i1>, tensor<?x2xf32>) -> ()
  } body {
  ^bb0(%a: tensor<?x2xf32>, %c: tensor<?x2xf32>, %q: tensor<i1>):
    %b = nd.add %a, %c : (tensor<?x2xf32>, tensor<?x2xf32>) -> tensor<?x2xf32>
    flow.yield %b : (tensor<?x2xf32>) -> ()
  }
  flow.fetch %r {name = "r"} : (tensor<?x2xf32>) -> ()
}
flow.graph @places {
  %x = flow.feed {name = "x"} : () -> tensor<?x2xf32>
  %y = flow.feed {name = "y"} : () -> tensor<?x2xf32>
  %mask = flow.feed {name = "mask"} : () -> tensor<?x?xi1>
  %p = flow.feed {name = "p"} : () -> tensor<i1>
  %where = nd.where %mask : (tensor<?x?xi1>) -> tensor<?x2xi64>
  %places = nd.cast %where : (tensor<?x2xi64>) -> tensor<?x2xf32>
  %r = flow.while (%x) (%y, %places, %p) {frame = "loop", parallel_iterations = 1 : i64} : (tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x2xf32>, tensor<i1>) -> tensor<?x2xf32> before {
  ^bb0(%a: tensor<?x2xf32>, %c: tensor<?x2xf32>, %d: tensor<?x2xf32>, %q: tensor<i1>):
    flow.condition %q (%a) : (tensor<i1>, tensor<?x2xf32>) -> ()
  } body {
  ^bb0(%a: tensor<?x2xf32>, %c: tensor<?x2xf32>, %d: tensor<?x2xf32>, %q: tensor<i1>):
    %e = nd.constant {value = dense<1.0> : tensor<2x2xf32>} : () -> tensor<2x2xf32>
    %m = nd.matmul %a, %e {adjoint_lhs = false, adjoint_rhs = false, transpose_lhs = false, transpose_rhs = false} : (tensor<?x2xf32>, tensor<2x2xf32>) -> tensor<?x2xf32>
    %b = nd.add %m, %c : (tensor<?x2xf32>, tensor<?x2xf32>) -> tensor<?x2xf32>
    %f = nd.add %b, %d : (tensor<?x2xf32>, tensor<?x2xf32>) -> tensor<?x2xf32>
    flow.yield %f : (tensor<?x2xf32>) -> ()
  }
  flow.fetch %r {name = "r"} : (tensor<?x2xf32>) -> ()
}

// -----

// Graphs that write something stay as they are.
// CHECK-LABEL: @writes
// CHECK-NOT: flow.cond %
state.variable @v {key = "v", type = tensor<?x2xf32>}
flow.graph @writes {
  %x = flow.feed {name = "x"} : () -> tensor<?x2xf32>
  %y = flow.feed {name = "y"} : () -> tensor<?x2xf32>
  %p = flow.feed {name = "p"} : () -> tensor<i1>
  %r = flow.while (%x) (%y, %p) {frame = "loop", parallel_iterations = 1 : i64} : (tensor<?x2xf32>, tensor<?x2xf32>, tensor<i1>) -> tensor<?x2xf32> before {
  ^bb0(%a: tensor<?x2xf32>, %c: tensor<?x2xf32>, %q: tensor<i1>):
    flow.condition %q (%a) : (tensor<i1>, tensor<?x2xf32>) -> ()
  } body {
  ^bb0(%a: tensor<?x2xf32>, %c: tensor<?x2xf32>, %q: tensor<i1>):
    %e = nd.constant {value = dense<1.0> : tensor<2x2xf32>} : () -> tensor<2x2xf32>
    %m = nd.matmul %a, %e {adjoint_lhs = false, adjoint_rhs = false, transpose_lhs = false, transpose_rhs = false} : (tensor<?x2xf32>, tensor<2x2xf32>) -> tensor<?x2xf32>
    %b = nd.add %m, %c : (tensor<?x2xf32>, tensor<?x2xf32>) -> tensor<?x2xf32>
    flow.yield %b : (tensor<?x2xf32>) -> ()
  }
  %v, %t = state.handle {variable = @v} : () -> (!state.resource<tensor<?x2xf32>>, !flow.token)
  %done = state.assign %v, %r {validate_shape = true} : (!state.resource<tensor<?x2xf32>>, tensor<?x2xf32>) -> !flow.token
  flow.target %done {name = "done"} : (!flow.token) -> ()
}
