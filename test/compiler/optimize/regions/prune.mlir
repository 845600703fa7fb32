// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What branches and loops compute and carry for nobody is removed.
// RUN: sluice-opt %s -split-input-file -pass-pipeline='builtin.module(flow.graph(optimize-prune-regions))' | FileCheck %s

// %u goes round and only its own next value looks at it; %k is captured for it alone. What was asked
// for the others stays with them.
// CHECK-LABEL: @loop
// CHECK: %[[R:.*]] = flow.while(%{{[0-9]+}}) (%{{[0-9]+}})
// CHECK-SAME: enters = {{.}}{wire.requested = "/task:1"}]}} : (tensor<i32>, tensor<i32>) -> tensor<i32> before {
// CHECK-NOT: nd.mul
// CHECK: flow.fetch %[[R]]
flow.graph @loop {
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %n = flow.feed {name = "n"} : () -> tensor<i32>
  %k = flow.feed {name = "k"} : () -> tensor<i32>
  %r:2 = flow.while (%zero, %k) (%k, %n) {frame = "loop", parallel_iterations = 1 : i64, wire.steering = {enters = [{wire.requested = "/task:1"}, {wire.requested = "/task:2"}]}} : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>) before {
  ^bb0(%i: tensor<i32>, %u: tensor<i32>, %kk: tensor<i32>, %limit: tensor<i32>):
    %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %u) : (tensor<i1>, tensor<i32>, tensor<i32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %u: tensor<i32>, %kk: tensor<i32>, %limit: tensor<i32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %v = nd.mul %u, %kk : (tensor<i32>, tensor<i32>) -> tensor<i32>
    flow.yield %next, %v : (tensor<i32>, tensor<i32>) -> ()
  }
  flow.fetch %r#0 {name = "r"} : (tensor<i32>) -> ()
}

// -----

// An effect needs what it looks at, also when the loop's results are not needed.
// CHECK-LABEL: @effect
// CHECK: flow.while(%{{.*}}, %{{.*}}) (%{{.*}})
// CHECK: nd.mul
// CHECK: state.print
flow.graph @effect {
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %n = flow.feed {name = "n"} : () -> tensor<i32>
  %r:2 = flow.while (%zero, %n) (%n) {frame = "loop", parallel_iterations = 1 : i64} : (tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>) before {
  ^bb0(%i: tensor<i32>, %u: tensor<i32>, %limit: tensor<i32>):
    %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %u) : (tensor<i1>, tensor<i32>, tensor<i32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %u: tensor<i32>, %limit: tensor<i32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %v = nd.mul %u, %u : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %t = state.print %v {message = "", first_n = -1 : i64, summarize = 3 : i64} : (tensor<i32>) -> !flow.token
    flow.yield %next, %v : (tensor<i32>, tensor<i32>) -> ()
  }
}

// -----

// A result of a branch that nobody needs, and what only it takes. A branch of which nothing is needed
// goes as a whole.
// CHECK-LABEL: @branch
// CHECK: %[[R:.*]] = flow.cond %{{.*}}(%{{.*}}) : (tensor<i1>, tensor<f32>) -> tensor<f32>
// CHECK-NOT: flow.cond
// CHECK: flow.fetch %[[R]]
flow.graph @branch {
  %p = flow.feed {name = "p"} : () -> tensor<i1>
  %x = flow.feed {name = "x"} : () -> tensor<f32>
  %y = flow.feed {name = "y"} : () -> tensor<f32>
  %r:2 = flow.cond %p (%x, %y) : (tensor<i1>, tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>) on_true {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    flow.yield %a, %b : (tensor<f32>, tensor<f32>) -> ()
  } on_false {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %n = nd.neg %a : (tensor<f32>) -> tensor<f32>
    flow.yield %n, %b : (tensor<f32>, tensor<f32>) -> ()
  }
  %s = flow.cond %p (%r#1) : (tensor<i1>, tensor<f32>) -> tensor<f32> on_true {
  ^bb0(%a: tensor<f32>):
    flow.yield %a : (tensor<f32>) -> ()
  } on_false {
  ^bb0(%a: tensor<f32>):
    flow.yield %a : (tensor<f32>) -> ()
  }
  flow.fetch %r#0 {name = "r"} : (tensor<f32>) -> ()
}
