// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// With keep-names the name of a composite stays behind its ops, for who differentiates.
// RUN: sluice-opt %s --split-input-file --pass-pipeline='builtin.module(flow.graph(optimize-expand-composites{keep-names=true}))' --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s

// It has the parameters, the inputs and what is noted of the composite; whoever used that uses it.
// CHECK-LABEL: flow.graph @parameters
// CHECK-NOT: flow.composite
// CHECK: %[[X:.*]] = flow.feed
// CHECK-NEXT: %[[ALPHA:.*]] = nd.constant
// CHECK-NEXT: %[[SCALED:.*]] = nd.mul %[[X]], %[[ALPHA]] {wire.requested = "/task:1"}
// CHECK-NEXT: %[[LARGER:.*]] = nd.maximum %[[X]], %[[SCALED]] {wire.requested = "/task:1"}
// CHECK-NEXT: %[[Y:.*]] = flow.known_as "tf.LeakyRelu" with {alpha = 2.000000e-01 : f32} %[[LARGER]] of %[[X]] {wire.requested = "/task:1"} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32> loc("leaky")
// CHECK-NEXT: flow.fetch %[[Y]]
flow.graph @parameters {
  %x = flow.feed {name = "x"} : () -> tensor<*xf32>
  %y = flow.composite "tf.LeakyRelu" with {alpha = 0.2 : f32} (%x) {wire.requested = "/task:1"} : (tensor<*xf32>) -> tensor<*xf32> {
  ^bb0(%a: tensor<*xf32>):
    %alpha = nd.constant {value = dense<0.2> : tensor<f32>} : () -> tensor<f32>
    %scaled = nd.mul %a, %alpha : (tensor<*xf32>, tensor<f32>) -> tensor<*xf32>
    %larger = nd.maximum %a, %scaled : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    flow.yield %larger : (tensor<*xf32>) -> ()
  } loc("leaky")
  flow.fetch %y {name = "y"} : (tensor<*xf32>) -> ()
}

// -----

// Several results, one of them an input, behind each other and in a region.
// CHECK-LABEL: flow.graph @several
// CHECK: flow.cond
// CHECK-NEXT: ^bb0(%[[A:.*]]: tensor<f32> loc({{.*}})):
// CHECK-NEXT: %[[S:.*]] = nd.sin %[[A]]
// CHECK-NEXT: %[[P:.*]]:2 = flow.known_as "tf.Pair" %[[S]], %[[A]] of %[[A]] :
// CHECK-NEXT: %[[N:.*]] = nd.neg %[[P]]#1
// CHECK-NEXT: %[[Q:.*]] = flow.known_as "tf.Next" %[[N]] of %[[P]]#1 :
// CHECK-NEXT: flow.yield %[[P]]#0, %[[Q]]
flow.graph @several {
  %p = flow.feed {name = "p"} : () -> tensor<i1>
  %x = flow.feed {name = "x"} : () -> tensor<f32>
  %r:2 = flow.cond %p (%x) : (tensor<i1>, tensor<f32>) -> (tensor<f32>, tensor<f32>) on_true {
  ^bb0(%a: tensor<f32>):
    %s:2 = flow.composite "tf.Pair" (%a) : (tensor<f32>) -> (tensor<f32>, tensor<f32>) {
    ^bb0(%b: tensor<f32>):
      %s = nd.sin %b : (tensor<f32>) -> tensor<f32>
      flow.yield %s, %b : (tensor<f32>, tensor<f32>) -> ()
    }
    %t = flow.composite "tf.Next" (%s#1) : (tensor<f32>) -> tensor<f32> {
    ^bb0(%b: tensor<f32>):
      %n = nd.neg %b : (tensor<f32>) -> tensor<f32>
      flow.yield %n : (tensor<f32>) -> ()
    }
    flow.yield %s#0, %t : (tensor<f32>, tensor<f32>) -> ()
  } on_false {
  ^bb0(%a: tensor<f32>):
    flow.yield %a, %a : (tensor<f32>, tensor<f32>) -> ()
  }
  flow.fetch %r#0 {name = "r"} : (tensor<f32>) -> ()
  flow.fetch %r#1 {name = "s"} : (tensor<f32>) -> ()
}

// -----

// A composite of nothing but its input.
// CHECK-LABEL: flow.graph @empty
// CHECK-NEXT: %[[X:.*]] = flow.feed
// CHECK-NEXT: %[[Y:.*]] = flow.known_as "tf.PreventGradient" %[[X]] of %[[X]] :
// CHECK-NEXT: flow.fetch %[[Y]]
flow.graph @empty {
  %x = flow.feed {name = "x"} : () -> tensor<f32>
  %y = flow.composite "tf.PreventGradient" (%x) : (tensor<f32>) -> tensor<f32> {
  ^bb0(%a: tensor<f32>):
    flow.yield %a : (tensor<f32>) -> ()
  }
  flow.fetch %y {name = "y"} : (tensor<f32>) -> ()
}
