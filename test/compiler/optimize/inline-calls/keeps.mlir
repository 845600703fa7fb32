// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls stay of functions that call themselves, and of functions with primitives where the call is in a region.
// RUN: sluice-opt --optimize-inline-calls %s | FileCheck %s
// CHECK-LABEL: flow.graph @main
// CHECK: flow.call @down(%{{.*}})
// CHECK: flow.cond
// CHECK: flow.call @primitive(
// CHECK: flow.switch
// CHECK-LABEL: flow.func @down
// CHECK: flow.call @down(%{{.*}}) {recursion = 1 : i64}
// CHECK-LABEL: flow.func @primitive
flow.graph @main {
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %p = flow.feed {name = "p:0"} : () -> tensor<i1>
  %y, %s = flow.call @down (%x) : (tensor<f32>) -> (tensor<f32>, !flow.token)
  %z = flow.cond %p (%y, %p) : (tensor<i1>, tensor<f32>, tensor<i1>) -> tensor<f32> on_true {
  ^bb0(%v: tensor<f32>, %q: tensor<i1>):
    %r, %t = flow.call @primitive (%v, %q) : (tensor<f32>, tensor<i1>) -> (tensor<f32>, !flow.token)
    flow.yield %r : (tensor<f32>) -> ()
  } on_false {
  ^bb0(%v: tensor<f32>, %q: tensor<i1>):
    flow.yield %v : (tensor<f32>) -> ()
  }
  flow.fetch %z {name = "z:0"} : (tensor<f32>) -> ()
  %w, %t = flow.call @primitive (%x, %p) : (tensor<f32>, tensor<i1>) -> (tensor<f32>, !flow.token)
  flow.fetch %w {name = "w:0"} : (tensor<f32>) -> ()
}
flow.func @down : (tensor<f32>) -> tensor<f32> {
  %x = flow.argument {index = 0 : i64} : () -> tensor<f32>
  %zero = nd.constant {value = dense<0.0> : tensor<f32>} : () -> tensor<f32>
  %p = nd.less %zero, %x : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %r = flow.cond %p (%x) : (tensor<i1>, tensor<f32>) -> tensor<f32> on_true {
  ^bb0(%v: tensor<f32>):
    %one = nd.constant {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
    %n = nd.sub %v, %one : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %d, %t = flow.call @down (%n) {recursion = 1 : i64} : (tensor<f32>) -> (tensor<f32>, !flow.token)
    flow.yield %d : (tensor<f32>) -> ()
  } on_false {
  ^bb0(%v: tensor<f32>):
    flow.yield %v : (tensor<f32>) -> ()
  }
  flow.return %r : (tensor<f32>) -> ()
}
flow.func @primitive : (tensor<f32>, tensor<i1>) -> tensor<f32> {
  %x = flow.argument {index = 0 : i64} : () -> tensor<f32>
  %p = flow.argument {index = 1 : i64} : () -> tensor<i1>
  %f, %t, %s = flow.switch %x, %p : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %n = nd.neg %t : (tensor<f32>) -> tensor<f32>
  %v, %i, %m = flow.merge %f, %n : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  flow.return %v : (tensor<f32>) -> ()
}
