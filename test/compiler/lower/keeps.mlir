// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What stays as it is: graphs of primitives, and branches and loops that will be part of a codelet.
// RUN: sluice-opt --lower-control-flow %s | FileCheck %s

// CHECK-LABEL: flow.graph @primitives
// CHECK-NEXT: flow.feed
// CHECK-NEXT: flow.feed
// CHECK-NEXT: flow.switch
// CHECK-NEXT: flow.fetch
// CHECK-NEXT: {{^ *}$}}
flow.graph @primitives {
  %p = flow.feed {name = "p"} : () -> tensor<i1>
  %x = flow.feed {name = "x"} : () -> tensor<f32>
  %f, %t, %s = flow.switch %x, %p : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  flow.fetch %f {name = "f"} : (tensor<f32>) -> ()
}

// The collapsed loop leaves the branch. It waits for all of its operands, so that one of them tells
// it that the branch is taken is enough, and its start stays a constant.
// CHECK-LABEL: flow.graph @collapsed
// CHECK: %[[X:.*]] = flow.feed  {name = "x"}
// CHECK-DAG: %[[C:.*]] = nd.constant
// CHECK-DAG: %[[F:.*]], %[[T:.*]], %{{.*}} = flow.switch %[[X]],
// CHECK-DAG: %[[L:.*]] = flow.while(%[[C]]) (%[[T]]) {codegen.collapse, frame = "loop"
// CHECK: flow.merge %[[F]], %[[L]]
flow.graph @collapsed {
  %p = flow.feed {name = "p"} : () -> tensor<i1>
  %x = flow.feed {name = "x"} : () -> tensor<i32>
  %r = flow.cond %p (%x) : (tensor<i1>, tensor<i32>) -> tensor<i32> on_true {
  ^bb0(%a: tensor<i32>):
    %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %last = flow.while (%zero) (%a) {codegen.collapse, frame = "loop", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<i32>) -> tensor<i32> before {
    ^bb0(%i: tensor<i32>, %limit: tensor<i32>):
      %q = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
      flow.condition %q (%i) : (tensor<i1>, tensor<i32>) -> ()
    } body {
    ^bb0(%i: tensor<i32>, %limit: tensor<i32>):
      %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
      %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
      flow.yield %next : (tensor<i32>) -> ()
    }
    flow.yield %last : (tensor<i32>) -> ()
  } on_false {
  ^bb0(%a: tensor<i32>):
    flow.yield %a : (tensor<i32>) -> ()
  }
  flow.fetch %r {name = "r"} : (tensor<i32>) -> ()
}
