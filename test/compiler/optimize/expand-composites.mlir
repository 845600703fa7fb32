// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ops of a composite take its place, wherever it stands.
// RUN: sluice-opt %s --split-input-file --pass-pipeline='builtin.module(flow.graph(optimize-expand-composites))' --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s

// They keep their places in the order, and the name of the node. What the composite asks for its ops
// ask for, constants aside.
// CHECK-LABEL: flow.graph @ops
// CHECK-NOT: flow.composite
// CHECK: %[[X:.*]] = flow.feed
// CHECK-NEXT: %[[ZERO:.*]] = nd.constant {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32> loc("relu")
// CHECK-NEXT: %[[R:.*]] = nd.maximum %[[X]], %[[ZERO]] {wire.colocate = "v", wire.requested = "/task:1"} : {{.*}} loc("relu")
// CHECK-NEXT: flow.after %[[R]]
// CHECK-NEXT: flow.fetch %[[R]]
flow.graph @ops {
  %x = flow.feed {name = "x:0"} : () -> tensor<*xf32>
  %y = flow.composite "tf.Relu" (%x) {wire.colocate = "v", wire.requested = "/task:1"} : (tensor<*xf32>) -> tensor<*xf32> {
  ^bb0(%a: tensor<*xf32>):
    %zero = nd.constant {value = dense<0.0> : tensor<f32>} : () -> tensor<f32> loc("relu")
    %m = nd.maximum %a, %zero : (tensor<*xf32>, tensor<f32>) -> tensor<*xf32> loc("relu")
    flow.yield %m : (tensor<*xf32>) -> () loc("relu")
  } loc("relu")
  %t = flow.after %y : (tensor<*xf32>) -> !flow.token
  flow.fetch %y {name = "y:0"} : (tensor<*xf32>) -> ()
  flow.target %t {name = "t"} : (!flow.token) -> ()
}

// -----

// One of another one, several results, one of them an input, and one in a region.
// CHECK-LABEL: flow.graph @nested
// CHECK-NOT: flow.composite
// CHECK: %[[P:.*]] = flow.feed {{.*}}"p"
// CHECK: %[[X:.*]] = flow.feed {{.*}}"x"
// CHECK: %[[N:.*]] = nd.neg %[[X]]
// CHECK: %[[E:.*]] = nd.exp %[[N]]
// CHECK: flow.cond %[[P]](%[[E]])
// CHECK: ^bb0(%[[A:.*]]: tensor<f32> loc({{.*}})):
// CHECK-NEXT: %[[S:.*]] = nd.sin %[[A]]
// CHECK-NEXT: flow.yield %[[S]], %[[A]]
flow.graph @nested {
  %p = flow.feed {name = "p"} : () -> tensor<i1>
  %x = flow.feed {name = "x"} : () -> tensor<f32>
  %n = flow.composite "tf.A" (%x) : (tensor<f32>) -> tensor<f32> {
  ^bb0(%a: tensor<f32>):
    %r = nd.neg %a : (tensor<f32>) -> tensor<f32>
    flow.yield %r : (tensor<f32>) -> ()
  }
  %e = flow.composite "tf.B" (%n) : (tensor<f32>) -> tensor<f32> {
  ^bb0(%a: tensor<f32>):
    %r = nd.exp %a : (tensor<f32>) -> tensor<f32>
    flow.yield %r : (tensor<f32>) -> ()
  }
  %r:2 = flow.cond %p (%e) : (tensor<i1>, tensor<f32>) -> (tensor<f32>, tensor<f32>) on_true {
  ^bb0(%a: tensor<f32>):
    %s:2 = flow.composite "tf.C" (%a) : (tensor<f32>) -> (tensor<f32>, tensor<f32>) {
    ^bb0(%b: tensor<f32>):
      %s = nd.sin %b : (tensor<f32>) -> tensor<f32>
      flow.yield %s, %b : (tensor<f32>, tensor<f32>) -> ()
    }
    flow.yield %s#0, %s#1 : (tensor<f32>, tensor<f32>) -> ()
  } on_false {
  ^bb0(%a: tensor<f32>):
    flow.yield %a, %a : (tensor<f32>, tensor<f32>) -> ()
  }
  flow.fetch %r#0 {name = "r"} : (tensor<f32>) -> ()
  flow.fetch %r#1 {name = "s"} : (tensor<f32>) -> ()
}

// -----

// A graph without composites stays as it is.
// CHECK-LABEL: flow.graph @none
// CHECK-NEXT: flow.feed
// CHECK-NEXT: nd.neg
// CHECK-NEXT: flow.fetch
flow.graph @none {
  %x = flow.feed {name = "x"} : () -> tensor<f32>
  %n = nd.neg %x : (tensor<f32>) -> tensor<f32>
  flow.fetch %n {name = "n"} : (tensor<f32>) -> ()
}
