// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In loops and branches without effects nobody waits for a value that others need as well. What is needed for nothing
// but that it is waited for stays: it may fail.
// RUN: sluice-opt %s -split-input-file -pass-pipeline='builtin.module(optimize-drop-waits)' | FileCheck %s

// CHECK-LABEL: @loop
// CHECK: body
// CHECK-NEXT: ^bb0(%[[X:[^:]*]]: tensor<f32>, %[[I:[^:]*]]: tensor<i32>, %[[N:[^:]*]]: tensor<i32>, %[[C:[^:]*]]: tensor<i32>
// CHECK-NOT: flow.gate
// CHECK: %[[Y:.*]] = nd.mul %[[X]], %[[X]]
// CHECK-NOT: flow.gate
// CHECK: flow.yield %[[Y]], %{{.*}} :
flow.graph @loop {
  %x = flow.feed {name = "x"} : () -> tensor<f32>
  %n = flow.feed {name = "n"} : () -> tensor<i32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %seven = nd.constant {value = dense<7> : tensor<i32>} : () -> tensor<i32>
  %r:2 = flow.while (%x, %zero) (%n, %seven) {frame = "loop", parallel_iterations = 1 : i64} : (tensor<f32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<f32>, tensor<i32>) before {
  ^bb0(%a: tensor<f32>, %i: tensor<i32>, %m: tensor<i32>, %c: tensor<i32>):
    %p = nd.less %i, %m : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%a, %i) : (tensor<i1>, tensor<f32>, tensor<i32>) -> ()
  } body {
  ^bb0(%a: tensor<f32>, %i: tensor<i32>, %m: tensor<i32>, %c: tensor<i32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %y = nd.mul %a, %a : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %j = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %0 = flow.after %y : (tensor<f32>) -> !flow.token
    %1 = flow.after %m : (tensor<i32>) -> !flow.token
    %2 = flow.after %c : (tensor<i32>) -> !flow.token
    %3 = flow.join %0, %1, %2 : (!flow.token, !flow.token, !flow.token) -> !flow.token
    %4 = flow.gate %y, %3 : (tensor<f32>, !flow.token) -> tensor<f32>
    %5 = flow.gate %j, %3, %0 : (tensor<i32>, !flow.token, !flow.token) -> tensor<i32>
    flow.yield %4, %5 : (tensor<f32>, tensor<i32>) -> ()
  }
  flow.fetch %r#0 {name = "r"} : (tensor<f32>) -> ()
}

// -----

// CHECK-LABEL: @may_fail
// CHECK: on_true
// CHECK-NEXT: ^bb0(%[[X:[^:]*]]: tensor<4xf32>, %[[I:[^:]*]]: tensor<i32>
// CHECK: %[[ROW:.*]] = nd.row
// CHECK: %[[TWICE:.*]] = nd.add
// CHECK: %[[READ:.*]] = flow.after %[[ROW]]
// CHECK: %[[WAIT:.*]] = flow.join %[[READ]] :
// CHECK: %[[LATE:.*]] = flow.gate %[[TWICE]], %[[WAIT]] :
// CHECK: flow.yield %[[LATE]]
flow.graph @may_fail {
  %x = flow.feed {name = "x"} : () -> tensor<4xf32>
  %i = flow.feed {name = "i"} : () -> tensor<i32>
  %p = flow.feed {name = "p"} : () -> tensor<i1>
  %r = flow.cond %p (%x, %i) : (tensor<i1>, tensor<4xf32>, tensor<i32>) -> tensor<4xf32> on_true {
  ^bb0(%a: tensor<4xf32>, %j: tensor<i32>):
    %row = nd.row %a, %j : (tensor<4xf32>, tensor<i32>) -> tensor<f32>
    %y = nd.add %a, %a : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %0 = flow.after %row : (tensor<f32>) -> !flow.token
    %1 = flow.after %y : (tensor<4xf32>) -> !flow.token
    %2 = flow.join %0, %1 : (!flow.token, !flow.token) -> !flow.token
    %3 = flow.gate %y, %2 : (tensor<4xf32>, !flow.token) -> tensor<4xf32>
    flow.yield %3 : (tensor<4xf32>) -> ()
  } on_false {
  ^bb0(%a: tensor<4xf32>, %j: tensor<i32>):
    flow.yield %a : (tensor<4xf32>) -> ()
  }
  flow.fetch %r {name = "r"} : (tensor<4xf32>) -> ()
}

// -----

// What reads a variable has an order.
// CHECK-LABEL: flow.graph @effects
// CHECK: state.read
// CHECK: flow.gate
state.variable @v {key = "v", type = tensor<f32>}
flow.graph @effects {
  %x = flow.feed {name = "x"} : () -> tensor<f32>
  %p = flow.feed {name = "p"} : () -> tensor<i1>
  %v, %there = state.handle {variable = @v} : () -> (!state.resource<tensor<f32>>, !flow.token)
  %r = flow.cond %p (%x, %v) : (tensor<i1>, tensor<f32>, !state.resource<tensor<f32>>) -> tensor<f32> on_true {
  ^bb0(%a: tensor<f32>, %w: !state.resource<tensor<f32>>):
    %b, %done = state.read %w : (!state.resource<tensor<f32>>) -> (tensor<f32>, !flow.token)
    %y = nd.mul %a, %b : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %1 = flow.after %b : (tensor<f32>) -> !flow.token
    %3 = flow.gate %y, %1 : (tensor<f32>, !flow.token) -> tensor<f32>
    flow.yield %3 : (tensor<f32>) -> ()
  } on_false {
  ^bb0(%a: tensor<f32>, %w: !state.resource<tensor<f32>>):
    flow.yield %a : (tensor<f32>) -> ()
  }
  flow.fetch %r {name = "r"} : (tensor<f32>) -> ()
}

// -----

// What a loop is given as a token is the order of effects around it.
// CHECK-LABEL: @token_from_outside
// CHECK: on_true
// CHECK: flow.gate
flow.graph @token_from_outside {
  %x = flow.feed {name = "x"} : () -> tensor<f32>
  %p = flow.feed {name = "p"} : () -> tensor<i1>
  %t = flow.after %x : (tensor<f32>) -> !flow.token
  %r = flow.cond %p (%x, %t) : (tensor<i1>, tensor<f32>, !flow.token) -> tensor<f32> on_true {
  ^bb0(%a: tensor<f32>, %w: !flow.token):
    %3 = flow.gate %a, %w : (tensor<f32>, !flow.token) -> tensor<f32>
    flow.yield %3 : (tensor<f32>) -> ()
  } on_false {
  ^bb0(%a: tensor<f32>, %w: !flow.token):
    flow.yield %a : (tensor<f32>) -> ()
  }
  flow.fetch %r {name = "r"} : (tensor<f32>) -> ()
}
