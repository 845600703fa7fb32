// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A merge of one way of a predicate with what does not depend on it ends no branch; the branch around it is told.
// RUN: sluice-opt --raise-control-flow %s | FileCheck %s
// CHECK: flow.switch
// CHECK: flow.switch
// CHECK: flow.merge
// CHECK: flow.merge
// CHECK-NOT: flow.cond
flow.graph @main {
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %p = flow.feed {name = "p:0"} : () -> tensor<i1>
  %q = flow.feed {name = "q:0"} : () -> tensor<i1>
  %off, %on, %s = flow.switch %x, %p : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %no, %yes, %t = flow.switch %on, %q : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %neg = nd.neg %on : (tensor<f32>) -> tensor<f32>
  %m, %i, %u = flow.merge %yes, %neg : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  %n, %j, %v = flow.merge %off, %m : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  flow.fetch %n {name = "n:0"} : (tensor<f32>) -> ()
}
