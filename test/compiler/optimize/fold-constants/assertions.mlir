// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An assertion of what is so goes; what waited for it waits for what would have been shown. One that may fail stays.
// RUN: sluice-opt --optimize-fold-constants --optimize-fold-regions %s | FileCheck %s

// CHECK-LABEL: flow.graph @holds
// CHECK-NOT: state.assert
// CHECK: %[[X:.*]] = flow.feed {name = "x:0"}
// CHECK: %[[Y:.*]] = nd.neg %[[X]]
// CHECK: %[[SHOWN:.*]] = flow.after %[[Y]]
// CHECK: %[[GATED:.*]] = flow.gate %[[X]], %[[SHOWN]]
// CHECK: flow.fetch %[[X]] {name = "fed"}
// CHECK: flow.fetch %[[GATED]] {name = "computed"}
flow.graph @holds {
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %y = nd.neg %x : (tensor<f32>) -> tensor<f32>
  %yes = nd.constant {value = dense<true> : tensor<i1>} : () -> tensor<i1>
  %text = nd.constant {value = dense<"no"> : tensor<!nd.string>} : () -> tensor<!nd.string>
  %t = state.assert %yes, %text, %x {summarize = 3 : i64} : (tensor<i1>, tensor<!nd.string>, tensor<f32>) -> !flow.token
  %a = flow.gate %x, %t : (tensor<f32>, !flow.token) -> tensor<f32>
  %u = state.assert %yes, %text, %y {summarize = 3 : i64} : (tensor<i1>, tensor<!nd.string>, tensor<f32>) -> !flow.token
  %b = flow.gate %x, %u : (tensor<f32>, !flow.token) -> tensor<f32>
  flow.fetch %a {name = "fed"} : (tensor<f32>) -> ()
  flow.fetch %b {name = "computed"} : (tensor<f32>) -> ()
}

// CHECK-LABEL: flow.graph @fails
// CHECK: state.assert
flow.graph @fails {
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %no = nd.constant {value = dense<false> : tensor<i1>} : () -> tensor<i1>
  %t = state.assert %no, %x {summarize = 3 : i64} : (tensor<i1>, tensor<f32>) -> !flow.token
  %a = flow.gate %x, %t : (tensor<f32>, !flow.token) -> tensor<f32>
  flow.fetch %a {name = "a"} : (tensor<f32>) -> ()
}

// CHECK-LABEL: flow.graph @region
// CHECK: flow.cond
// CHECK-NOT: state.assert
// CHECK-NOT: flow.gate
// CHECK: nd.neg %{{[^:]*}} : (tensor<f32>)
flow.graph @region {
  %p = flow.feed {name = "p:0"} : () -> tensor<i1>
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %r = flow.cond %p (%x) : (tensor<i1>, tensor<f32>) -> tensor<f32> on_true {
  ^bb0(%v: tensor<f32>):
    %yes = nd.constant {value = dense<true> : tensor<i1>} : () -> tensor<i1>
    %t = state.assert %yes, %v {summarize = 3 : i64} : (tensor<i1>, tensor<f32>) -> !flow.token
    %g = flow.gate %v, %t : (tensor<f32>, !flow.token) -> tensor<f32>
    %n = nd.neg %g : (tensor<f32>) -> tensor<f32>
    flow.yield %n : (tensor<f32>) -> ()
  } on_false {
  ^bb0(%v: tensor<f32>):
    flow.yield %v : (tensor<f32>) -> ()
  }
  flow.fetch %r {name = "r"} : (tensor<f32>) -> ()
}
