// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An assertion that holds vanishes from a region, and what waited for it waits for what it waited for.
// RUN: sluice-opt --optimize-fold-regions %s | FileCheck %s
// CHECK: on_true
// CHECK: %[[SHOWN:.*]] = state.print
// CHECK-NOT: state.assert
// CHECK: flow.gate %{{[^,]*}}, %[[SHOWN]] :
flow.graph @main {
  %p = flow.feed {name = "p:0"} : () -> tensor<i1>
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %y = flow.cond %p (%x) : (tensor<i1>, tensor<f32>) -> tensor<f32> on_true {
  ^bb0(%a: tensor<f32>):
    %yes = nd.constant {value = dense<true> : tensor<i1>} : () -> tensor<i1>
    %shown = state.print %a {message = "a", first_n = -1 : i64, summarize = 3 : i64} : (tensor<f32>) -> !flow.token
    %one = state.assert %yes, %a, %shown {summarize = 3 : i64} : (tensor<i1>, tensor<f32>, !flow.token) -> !flow.token
    %two = state.assert %yes, %a, %one {summarize = 3 : i64} : (tensor<i1>, tensor<f32>, !flow.token) -> !flow.token
    %g = flow.gate %a, %two : (tensor<f32>, !flow.token) -> tensor<f32>
    flow.yield %g : (tensor<f32>) -> ()
  } on_false {
  ^bb0(%a: tensor<f32>):
    flow.yield %a : (tensor<f32>) -> ()
  }
  flow.fetch %y {name = "y:0"} : (tensor<f32>) -> ()
}

// Tokens that are joined go on without it; where nothing else is joined, a token is there anyway.
// CHECK-LABEL: @joined
// CHECK: on_true
// CHECK-NOT: state.assert
// CHECK: %[[START:.*]] = flow.start
// CHECK: flow.gate %{{[^,]*}}, %[[START]] :
flow.graph @joined {
  %p = flow.feed {name = "p:0"} : () -> tensor<i1>
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %y = flow.cond %p (%x) : (tensor<i1>, tensor<f32>) -> tensor<f32> on_true {
  ^bb0(%a: tensor<f32>):
    %yes = nd.constant {value = dense<true> : tensor<i1>} : () -> tensor<i1>
    %one = state.assert %yes, %a {summarize = 3 : i64} : (tensor<i1>, tensor<f32>) -> !flow.token
    %both = flow.join %one : (!flow.token) -> !flow.token
    %g = flow.gate %a, %both : (tensor<f32>, !flow.token) -> tensor<f32>
    flow.yield %g : (tensor<f32>) -> ()
  } on_false {
  ^bb0(%a: tensor<f32>):
    flow.yield %a : (tensor<f32>) -> ()
  }
  flow.fetch %y {name = "y:0"} : (tensor<f32>) -> ()
}
