// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A constant that is too large for code comes into branches and loops from outside; others stay.
// RUN: sluice-opt %s -pass-pipeline='builtin.module(flow.graph(codegen-capture-constants))' | FileCheck %s

// CHECK-LABEL: @nested
flow.graph @nested {
  %i = flow.feed {name = "i"} : () -> tensor<i32>
  %x = flow.feed {name = "x"} : () -> tensor<2000xf32>
  // CHECK: %[[LARGE:.*]] = nd.constant {value = dense<1.000000e+00> : tensor<2000xf32>}
  // CHECK: flow.while(%{{.*}}, %{{.*}}) (%{{.*}}, %[[LARGE]])
  // CHECK-SAME: invariants = [{wire.requested = "/task:1"}, {}]
  %r:2 = flow.while (%i, %x) (%i) {frame = "loop", parallel_iterations = 10 : i64, wire.steering = {invariants = [{wire.requested = "/task:1"}]}} : (tensor<i32>, tensor<2000xf32>, tensor<i32>) -> (tensor<i32>, tensor<2000xf32>) before {
  // CHECK: ^bb0(%{{.*}}: tensor<i32>, %{{.*}}: tensor<2000xf32>, %{{.*}}: tensor<i32>, %{{.*}}: tensor<2000xf32>):
  ^bb0(%j: tensor<i32>, %y: tensor<2000xf32>, %k: tensor<i32>):
    // CHECK: nd.constant {value = dense<7> : tensor<i32>}
    %seven = nd.constant {value = dense<7> : tensor<i32>} : () -> tensor<i32>
    %p = nd.less %j, %seven : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%j, %y) : (tensor<i1>, tensor<i32>, tensor<2000xf32>) -> ()
  } body {
  // CHECK: ^bb0(%{{.*}}: tensor<i32>, %{{.*}}: tensor<2000xf32>, %{{.*}}: tensor<i32>, %[[IN:.*]]: tensor<2000xf32>):
  ^bb0(%j: tensor<i32>, %y: tensor<2000xf32>, %k: tensor<i32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %q = nd.less %j, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
    // CHECK: flow.cond %{{.*}}(%{{.*}}, %[[IN]])
    %z = flow.cond %q (%y) : (tensor<i1>, tensor<2000xf32>) -> tensor<2000xf32> on_true {
    // CHECK: ^bb0(%[[Y:.*]]: tensor<2000xf32>, %[[C:.*]]: tensor<2000xf32>):
    ^bb0(%a: tensor<2000xf32>):
      %large = nd.constant {value = dense<1.0> : tensor<2000xf32>} : () -> tensor<2000xf32>
      // CHECK-NEXT: nd.add %[[Y]], %[[C]]
      %sum = nd.add %a, %large : (tensor<2000xf32>, tensor<2000xf32>) -> tensor<2000xf32>
      flow.yield %sum : (tensor<2000xf32>) -> ()
    } on_false {
    ^bb0(%a: tensor<2000xf32>):
      flow.yield %a : (tensor<2000xf32>) -> ()
    }
    %next = nd.add %j, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    flow.yield %next, %z : (tensor<i32>, tensor<2000xf32>) -> ()
  }
  flow.fetch %r#1 {name = "y"} : (tensor<2000xf32>) -> ()
}

// Strings are not for code, whatever their size.
// CHECK-LABEL: @others
// CHECK: flow.cond %{{.*}}(%{{.*}}) : (tensor<i1>, tensor<i1>)
flow.graph @others {
  %p = flow.feed {name = "p"} : () -> tensor<i1>
  %r = flow.cond %p (%p) : (tensor<i1>, tensor<i1>) -> tensor<!nd.string> on_true {
  ^bb0(%a: tensor<i1>):
    %s = nd.constant {value = dense<"a"> : tensor<!nd.string>} : () -> tensor<!nd.string>
    flow.yield %s : (tensor<!nd.string>) -> ()
  } on_false {
  ^bb0(%a: tensor<i1>):
    %s = nd.constant {value = dense<"b"> : tensor<!nd.string>} : () -> tensor<!nd.string>
    flow.yield %s : (tensor<!nd.string>) -> ()
  }
  flow.fetch %r {name = "r"} : (tensor<!nd.string>) -> ()
}
