// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is the same in every iteration is computed before the loop, if it is in memory anyway.
// RUN: sluice-opt %s -split-input-file -pass-pipeline='builtin.module(flow.graph(optimize-hoist-invariants))' --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s

// A product, with the name of its node and what it asks for. The sum, which is for it alone, goes
// along with the constant in it; the exponential, which the loop needs as well, is copied.
// CHECK-LABEL: @product
// CHECK: %[[X:.*]] = flow.feed {{.*}}"x"
// CHECK: %[[Y:.*]] = flow.feed {{.*}}"y"
// CHECK: %[[E:.*]] = nd.exp %[[X]]
// CHECK: %[[C:.*]] = nd.constant {{.*}}2.0
// CHECK: %[[S:.*]] = nd.add %[[Y]], %[[C]]
// CHECK: %[[P:.*]] = nd.matmul %[[E]], %[[S]] {{.*}}wire.requested = "/task:1"} : {{.*}} loc("product")
// CHECK: flow.while({{.*}}) ({{.*}}, %[[P]]) {
// CHECK: } body {
// CHECK: ^bb0({{.*}}, %[[IN:[a-z0-9]+]]: tensor<4x4xf32> loc({{.*}})):
// CHECK: %[[EXP:.*]] = nd.exp
// CHECK-NEXT: %[[SUM:.*]] = nd.add %{{.*}}, %[[IN]]
// CHECK-NEXT: nd.mul %[[SUM]], %[[EXP]]
// CHECK-NEXT: flow.yield
flow.graph @product {
  %x = flow.feed {name = "x"} : () -> tensor<4x4xf32>
  %y = flow.feed {name = "y"} : () -> tensor<4x4xf32>
  %n = nd.constant {value = dense<3> : tensor<i32>} : () -> tensor<i32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %r:2 = flow.while (%zero, %x) (%n, %x, %y) {frame = "loop", parallel_iterations = 1 : i64} : (tensor<i32>, tensor<4x4xf32>, tensor<i32>, tensor<4x4xf32>, tensor<4x4xf32>) -> (tensor<i32>, tensor<4x4xf32>) before {
  ^bb0(%i: tensor<i32>, %v: tensor<4x4xf32>, %limit: tensor<i32>, %a: tensor<4x4xf32>, %b: tensor<4x4xf32>):
    %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %v) : (tensor<i1>, tensor<i32>, tensor<4x4xf32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %v: tensor<4x4xf32>, %limit: tensor<i32>, %a: tensor<4x4xf32>, %b: tensor<4x4xf32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %two = nd.constant {value = dense<2.0> : tensor<f32>} : () -> tensor<f32>
    %e = nd.exp %a : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %s = nd.add %b, %two : (tensor<4x4xf32>, tensor<f32>) -> tensor<4x4xf32>
    %q = nd.matmul %e, %s {transpose_lhs = false, transpose_rhs = false, adjoint_lhs = false, adjoint_rhs = false, wire.requested = "/task:1"} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32> loc("product")
    %u = nd.add %v, %q : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %w = nd.mul %u, %e : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    flow.yield %next, %w : (tensor<i32>, tensor<4x4xf32>) -> ()
  }
  flow.fetch %r#1 {name = "r"} : (tensor<4x4xf32>) -> ()
}

// -----

// What is made element by element for a product that stays is in memory in any case.
// CHECK-LABEL: @operand
// CHECK: %[[T:.*]] = nd.tanh
// CHECK: flow.while({{.*}}) ({{.*}}, %[[T]]) {
// CHECK: } body {
// CHECK-NOT: nd.tanh
// CHECK: nd.matmul
flow.graph @operand {
  %x = flow.feed {name = "x"} : () -> tensor<4x4xf32>
  %y = flow.feed {name = "y"} : () -> tensor<4x4xf32>
  %n = nd.constant {value = dense<3> : tensor<i32>} : () -> tensor<i32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %r:2 = flow.while (%zero, %x) (%n, %x, %y) {frame = "loop", parallel_iterations = 1 : i64} : (tensor<i32>, tensor<4x4xf32>, tensor<i32>, tensor<4x4xf32>, tensor<4x4xf32>) -> (tensor<i32>, tensor<4x4xf32>) before {
  ^bb0(%i: tensor<i32>, %v: tensor<4x4xf32>, %limit: tensor<i32>, %a: tensor<4x4xf32>, %b: tensor<4x4xf32>):
    %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %v) : (tensor<i1>, tensor<i32>, tensor<4x4xf32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %v: tensor<4x4xf32>, %limit: tensor<i32>, %a: tensor<4x4xf32>, %b: tensor<4x4xf32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %t = nd.tanh %a : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %w = nd.matmul %v, %t {transpose_lhs = false, transpose_rhs = false, adjoint_lhs = false, adjoint_rhs = false} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    flow.yield %next, %w : (tensor<i32>, tensor<4x4xf32>) -> ()
  }
  flow.fetch %r#1 {name = "r"} : (tensor<4x4xf32>) -> ()
}

// -----

// The condition is computed at least once, however often the body runs.
// CHECK-LABEL: @condition
// CHECK: nd.matmul
// CHECK: flow.while
// CHECK: nd.less
// CHECK-NEXT: %[[U:.*]] = nd.add
// CHECK-NEXT: flow.condition
flow.graph @condition {
  %x = flow.feed {name = "x"} : () -> tensor<4x4xf32>
  %y = flow.feed {name = "y"} : () -> tensor<4x4xf32>
  %n = flow.feed {name = "n"} : () -> tensor<i32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %r:2 = flow.while (%zero, %x) (%n, %x, %y) {frame = "loop", parallel_iterations = 1 : i64} : (tensor<i32>, tensor<4x4xf32>, tensor<i32>, tensor<4x4xf32>, tensor<4x4xf32>) -> (tensor<i32>, tensor<4x4xf32>) before {
  ^bb0(%i: tensor<i32>, %v: tensor<4x4xf32>, %limit: tensor<i32>, %a: tensor<4x4xf32>, %b: tensor<4x4xf32>):
    %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %q = nd.matmul %a, %b {transpose_lhs = false, transpose_rhs = false, adjoint_lhs = false, adjoint_rhs = false} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %u = nd.add %v, %q : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    flow.condition %p (%i, %u) : (tensor<i1>, tensor<i32>, tensor<4x4xf32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %v: tensor<4x4xf32>, %limit: tensor<i32>, %a: tensor<4x4xf32>, %b: tensor<4x4xf32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %w = nd.exp %v : (tensor<4x4xf32>) -> tensor<4x4xf32>
    flow.yield %next, %w : (tensor<i32>, tensor<4x4xf32>) -> ()
  }
  flow.fetch %r#1 {name = "r"} : (tensor<4x4xf32>) -> ()
}

// -----

// Out of both loops.
// CHECK-LABEL: @nest
// CHECK: nd.matmul
// CHECK: flow.while
// CHECK: } body {
// CHECK-NOT: nd.matmul
// CHECK: flow.while
// CHECK-NOT: nd.matmul
flow.graph @nest {
  %x = flow.feed {name = "x"} : () -> tensor<4x4xf32>
  %y = flow.feed {name = "y"} : () -> tensor<4x4xf32>
  %n = nd.constant {value = dense<3> : tensor<i32>} : () -> tensor<i32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %r:2 = flow.while (%zero, %x) (%n, %x, %y) {frame = "loop", parallel_iterations = 1 : i64} : (tensor<i32>, tensor<4x4xf32>, tensor<i32>, tensor<4x4xf32>, tensor<4x4xf32>) -> (tensor<i32>, tensor<4x4xf32>) before {
  ^bb0(%i: tensor<i32>, %v: tensor<4x4xf32>, %limit: tensor<i32>, %a: tensor<4x4xf32>, %b: tensor<4x4xf32>):
    %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %v) : (tensor<i1>, tensor<i32>, tensor<4x4xf32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %v: tensor<4x4xf32>, %limit: tensor<i32>, %a: tensor<4x4xf32>, %b: tensor<4x4xf32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %zero_ = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %in:2 = flow.while (%zero_, %v) (%a, %b) {frame = "inner", parallel_iterations = 1 : i64} : (tensor<i32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) -> (tensor<i32>, tensor<4x4xf32>) before {
    ^bb0(%j: tensor<i32>, %vv: tensor<4x4xf32>, %aa: tensor<4x4xf32>, %bb: tensor<4x4xf32>):
      %five = nd.constant {value = dense<5> : tensor<i32>} : () -> tensor<i32>
      %q = nd.less %j, %five : (tensor<i32>, tensor<i32>) -> tensor<i1>
      flow.condition %q (%j, %vv) : (tensor<i1>, tensor<i32>, tensor<4x4xf32>) -> ()
    } body {
    ^bb0(%j: tensor<i32>, %vv: tensor<4x4xf32>, %aa: tensor<4x4xf32>, %bb: tensor<4x4xf32>):
      %1 = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
      %jj = nd.add %j, %1 : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %q = nd.matmul %aa, %bb {transpose_lhs = false, transpose_rhs = false, adjoint_lhs = false, adjoint_rhs = false} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
      %z = nd.add %vv, %q : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
      flow.yield %jj, %z : (tensor<i32>, tensor<4x4xf32>) -> ()
    }
    %w = nd.exp %in#1 : (tensor<4x4xf32>) -> tensor<4x4xf32>
    flow.yield %next, %w : (tensor<i32>, tensor<4x4xf32>) -> ()
  }
  flow.fetch %r#1 {name = "r"} : (tensor<4x4xf32>) -> ()
}

// -----

// What the condition forwards to the body, the body captures, unless the switch in between is to be
// in a place of its own.
// CHECK-LABEL: @forwarded
// CHECK: nd.matmul
// CHECK: flow.while
// CHECK: } body {
// CHECK-NEXT: ^bb0(%[[V:[a-z0-9]+]]: tensor<4x4xf32> loc({{[^)]*}}), %[[F:[a-z0-9]+]]: tensor<4x4xf32> {{.*}}, %[[IN:[a-z0-9]+]]: tensor<4x4xf32> loc({{[^)]*}})):
// CHECK-NEXT: %[[S:.*]] = nd.add %[[V]], %[[IN]]
// CHECK-NEXT: nd.mul %[[S]], %[[F]]
flow.graph @forwarded {
  %x = flow.feed {name = "x"} : () -> tensor<4x4xf32>
  %p = flow.feed {name = "p"} : () -> tensor<i1>
  %r:3 = flow.while (%x) (%p, %x) {frame = "loop", parallel_iterations = 1 : i64, wire.steering = {switches = [{}, {wire.requested = "/task:1"}, {}]}} : (tensor<4x4xf32>, tensor<i1>, tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) before {
  ^bb0(%v: tensor<4x4xf32>, %g: tensor<i1>, %a: tensor<4x4xf32>):
    %q = nd.matmul %a, %a {transpose_lhs = false, transpose_rhs = false, adjoint_lhs = false, adjoint_rhs = false} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    flow.condition %g (%v, %a, %q) : (tensor<i1>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) -> ()
  } body {
  ^bb0(%v: tensor<4x4xf32>, %f: tensor<4x4xf32>, %q: tensor<4x4xf32>, %g: tensor<i1>, %a: tensor<4x4xf32>):
    %s = nd.add %v, %q : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %w = nd.mul %s, %f : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    flow.yield %w : (tensor<4x4xf32>) -> ()
  }
  flow.fetch %r#0 {name = "r"} : (tensor<4x4xf32>) -> ()
}
