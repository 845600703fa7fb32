// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is computed twice in a region, or in it and around it, is computed once.
// RUN: sluice-opt %s -split-input-file -pass-pipeline='builtin.module(flow.graph(optimize-merge-regions))' | FileCheck %s

// Within a region, also of two captures of one value, and of what was equal only then. The product
// is there outside; the sum before it, which need not be captured, is equal as well.
// CHECK-LABEL: @branch
// CHECK: %[[M:.*]] = nd.matmul
// CHECK: flow.cond %{{.*}}(%{{.*}}, %{{.*}}, %[[M]])
// CHECK: ^bb0(%[[A:.*]]: tensor<4x4xf32>, %{{.*}}: tensor<4x4xf32>, %[[P:.*]]: tensor<4x4xf32>):
// CHECK-NEXT: nd.constant
// CHECK-NEXT: nd.add
// CHECK-NEXT: %[[E:.*]] = nd.exp %[[A]]
// CHECK-NEXT: %[[S:.*]] = nd.mul %[[E]], %[[E]]
// CHECK-NEXT: %[[R:.*]] = nd.sub %[[S]], %[[P]]
// CHECK-NEXT: flow.yield %[[R]]
flow.graph @branch {
  %p = flow.feed {name = "p"} : () -> tensor<i1>
  %x = flow.feed {name = "x"} : () -> tensor<4x4xf32>
  %one = nd.constant {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %sum = nd.add %x, %one : (tensor<4x4xf32>, tensor<f32>) -> tensor<4x4xf32>
  %m = nd.matmul %sum, %x {transpose_lhs = false, transpose_rhs = false, adjoint_lhs = false, adjoint_rhs = false} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %r = flow.cond %p (%x, %x) : (tensor<i1>, tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32> on_true {
  ^bb0(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>):
    %c = nd.constant {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
    %s = nd.add %a, %c : (tensor<4x4xf32>, tensor<f32>) -> tensor<4x4xf32>
    %q = nd.matmul %s, %b {transpose_lhs = false, transpose_rhs = false, adjoint_lhs = false, adjoint_rhs = false} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %e = nd.exp %a : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %f = nd.exp %b : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %g = nd.mul %e, %f : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %h = nd.sub %g, %q : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    flow.yield %h : (tensor<4x4xf32>) -> ()
  } on_false {
  ^bb0(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>):
    flow.yield %a : (tensor<4x4xf32>) -> ()
  }
  flow.fetch %r {name = "r"} : (tensor<4x4xf32>) -> ()
  flow.fetch %m {name = "m"} : (tensor<4x4xf32>) -> ()
}

// -----

// In a loop's body: with what the body of the loop around it computes. The regions of one loop stay
// apart, and so does what only looks alike: other operands in each iteration, other attributes.
// CHECK-LABEL: @loops
// CHECK: flow.while
// CHECK: } body {
// CHECK: nd.reduce_sum
// CHECK: flow.while(%{{.*}}) (%{{.*}}, %{{.*}}, %{{.*}})
// CHECK: nd.less
// CHECK: } body {
// CHECK-NOT: keep_dims = false
// CHECK: nd.reduce_sum {{.*}}keep_dims = true
// CHECK: nd.less
// CHECK: flow.yield
flow.graph @loops {
  %x = flow.feed {name = "x"} : () -> tensor<8xf32>
  %n = flow.feed {name = "n"} : () -> tensor<f32>
  %zero = nd.constant {value = dense<0.0> : tensor<f32>} : () -> tensor<f32>
  %r = flow.while (%zero) (%n, %x) {frame = "outer", parallel_iterations = 1 : i64} : (tensor<f32>, tensor<f32>, tensor<8xf32>) -> tensor<f32> before {
  ^bb0(%i: tensor<f32>, %limit: tensor<f32>, %v: tensor<8xf32>):
    %p = nd.less %i, %limit : (tensor<f32>, tensor<f32>) -> tensor<i1>
    flow.condition %p (%i) : (tensor<i1>, tensor<f32>) -> ()
  } body {
  ^bb0(%i: tensor<f32>, %limit: tensor<f32>, %v: tensor<8xf32>):
    %axis = nd.constant {value = dense<0> : tensor<1xi32>} : () -> tensor<1xi32>
    %sum = nd.reduce_sum %v, %axis {keep_dims = false} : (tensor<8xf32>, tensor<1xi32>) -> tensor<f32>
    %in = flow.while (%i) (%limit, %v) {frame = "inner", parallel_iterations = 1 : i64} : (tensor<f32>, tensor<f32>, tensor<8xf32>) -> tensor<f32> before {
    ^bb0(%j: tensor<f32>, %l: tensor<f32>, %w: tensor<8xf32>):
      %p = nd.less %j, %l : (tensor<f32>, tensor<f32>) -> tensor<i1>
      flow.condition %p (%j) : (tensor<i1>, tensor<f32>) -> ()
    } body {
    ^bb0(%j: tensor<f32>, %l: tensor<f32>, %w: tensor<8xf32>):
      %a = nd.constant {value = dense<0> : tensor<1xi32>} : () -> tensor<1xi32>
      %s = nd.reduce_sum %w, %a {keep_dims = false} : (tensor<8xf32>, tensor<1xi32>) -> tensor<f32>
      %k = nd.reduce_sum %w, %a {keep_dims = true} : (tensor<8xf32>, tensor<1xi32>) -> tensor<1xf32>
      %less = nd.less %j, %l : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %shape = nd.constant {value = dense<> : tensor<0xi32>} : () -> tensor<0xi32>
      %scalar = nd.reshape %k, %shape : (tensor<1xf32>, tensor<0xi32>) -> tensor<f32>
      %step = nd.select %less, %s, %scalar {leading = false} : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
      %next = nd.add %j, %step : (tensor<f32>, tensor<f32>) -> tensor<f32>
      flow.yield %next : (tensor<f32>) -> ()
    }
    %next = nd.add %in, %sum : (tensor<f32>, tensor<f32>) -> tensor<f32>
    flow.yield %next : (tensor<f32>) -> ()
  }
  flow.fetch %r {name = "r"} : (tensor<f32>) -> ()
}

// -----

// Left alone: what is cheap and outside as well, what is asked to be elsewhere, an op or a capture,
// and effects.
// CHECK-LABEL: @apart
// CHECK: flow.cond %{{.*}}(%{{[^,]*}}, %{{[^,]*}})
// CHECK: nd.exp
// CHECK: nd.neg {{.*}}task:1
// CHECK: nd.neg %{{[a-z0-9]+}} :
// CHECK: nd.neg %{{[a-z0-9]+}} :
// CHECK: nd.reduce_sum {{.*}}task:1
// CHECK: state.print
// CHECK: state.print
flow.graph @apart {
  %p = flow.feed {name = "p"} : () -> tensor<i1>
  %x = flow.feed {name = "x"} : () -> tensor<8xf32>
  %axis = nd.constant {value = dense<0> : tensor<1xi32>} : () -> tensor<1xi32>
  %exp = nd.exp %x : (tensor<8xf32>) -> tensor<8xf32>
  %sum = nd.reduce_sum %x, %axis {keep_dims = false} : (tensor<8xf32>, tensor<1xi32>) -> tensor<f32>
  %r = flow.cond %p (%x, %x) {wire.steering = {on_true = [{}, {wire.requested = "/task:2"}]}} : (tensor<i1>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32> on_true {
  ^bb0(%a: tensor<8xf32>, %b: tensor<8xf32>):
    %axes = nd.constant {value = dense<0> : tensor<1xi32>} : () -> tensor<1xi32>
    %e = nd.exp %a : (tensor<8xf32>) -> tensor<8xf32>
    %n1 = nd.neg %a {wire.requested = "/task:1"} : (tensor<8xf32>) -> tensor<8xf32>
    %n2 = nd.neg %a : (tensor<8xf32>) -> tensor<8xf32>
    %n3 = nd.neg %b : (tensor<8xf32>) -> tensor<8xf32>
    %s = nd.reduce_sum %a, %axes {keep_dims = false, wire.requested = "/task:1"} : (tensor<8xf32>, tensor<1xi32>) -> tensor<f32>
    %t1 = state.print %s {message = "s", first_n = -1 : i64, summarize = 3 : i64} : (tensor<f32>) -> !flow.token
    %t2 = state.print %s {message = "s", first_n = -1 : i64, summarize = 3 : i64} : (tensor<f32>) -> !flow.token
    %u = nd.add %e, %n1 : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %v = nd.mul %n2, %n3 : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %w = nd.sub %u, %v : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %g = flow.gate %w, %t1, %t2 : (tensor<8xf32>, !flow.token, !flow.token) -> tensor<8xf32>
    flow.yield %g : (tensor<8xf32>) -> ()
  } on_false {
  ^bb0(%a: tensor<8xf32>, %b: tensor<8xf32>):
    flow.yield %a : (tensor<8xf32>) -> ()
  }
  flow.fetch %r {name = "r"} : (tensor<8xf32>) -> ()
  flow.fetch %exp {name = "exp"} : (tensor<8xf32>) -> ()
  flow.fetch %sum {name = "sum"} : (tensor<f32>) -> ()
}
