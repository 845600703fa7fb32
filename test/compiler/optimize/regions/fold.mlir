// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constants are folded in branches and loops; what a constant was gated by gates what is made of it.
// RUN: sluice-opt %s -pass-pipeline='builtin.module(flow.graph(optimize-fold-regions))' | FileCheck %s

// CHECK-LABEL: @loop
// CHECK: body {
// CHECK: %[[THREE:.*]] = nd.constant {value = dense<3> : tensor<i32>}
// CHECK: %[[GATED:.*]] = flow.gate %[[THREE]], %{{.*}}
// CHECK: nd.add %{{.*}}, %[[GATED]]
// A list is no constant.
// CHECK: list.make
flow.graph @loop {
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %n = flow.feed {name = "n"} : () -> tensor<i32>
  %r = flow.while (%zero) (%n) {frame = "loop", parallel_iterations = 1 : i64} : (tensor<i32>, tensor<i32>) -> tensor<i32> before {
  ^bb0(%i: tensor<i32>, %limit: tensor<i32>):
    %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i) : (tensor<i1>, tensor<i32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %limit: tensor<i32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %two = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
    %t = flow.after %limit : (tensor<i32>) -> !flow.token
    %gated = flow.gate %two, %t : (tensor<i32>, !flow.token) -> tensor<i32>
    %three = nd.add %one, %gated : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %next = nd.add %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %l = list.make %one {element_shape = tensor<i32>, identical = false} : (tensor<i32>) -> !list.of<tensor<i32>>
    %length = list.length %l : (!list.of<tensor<i32>>) -> tensor<i32>
    %more = nd.add %next, %length : (tensor<i32>, tensor<i32>) -> tensor<i32>
    flow.yield %more : (tensor<i32>) -> ()
  }
  flow.fetch %r {name = "r"} : (tensor<i32>) -> ()
}

// A capture has the type of what comes in.
// CHECK-LABEL: @captured
// CHECK: body {
// CHECK: %[[TWO:.*]] = nd.constant {value = dense<2> : tensor<i32>}
// CHECK: flow.while(%{{.*}}) (%[[TWO]]) {{.*}} : (tensor<*xi32>, tensor<i32>) -> tensor<*xi32> before {
// CHECK-NEXT: ^bb0(%{{.*}}: tensor<*xi32>, %{{.*}}: tensor<i32>):
// CHECK: body {
// CHECK-NEXT: ^bb0(%{{.*}}: tensor<*xi32>, %[[IN:.*]]: tensor<i32>):
// CHECK: flow.cond %{{.*}}(%[[IN]], %{{.*}})
// CHECK-NEXT: ^bb0(%{{.*}}: tensor<i32>, %{{.*}}: tensor<*xi32>):
flow.graph @captured {
  %x = flow.feed {name = "x"} : () -> tensor<*xi32>
  %n = flow.feed {name = "n"} : () -> tensor<i32>
  %r = flow.while (%x) (%n) {frame = "outer", parallel_iterations = 1 : i64} : (tensor<*xi32>, tensor<i32>) -> tensor<*xi32> before {
  ^bb0(%i: tensor<*xi32>, %limit: tensor<i32>):
    %p = nd.less %limit, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i) : (tensor<i1>, tensor<*xi32>) -> ()
  } body {
  ^bb0(%i: tensor<*xi32>, %limit: tensor<i32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %two = nd.add %one, %one : (tensor<i32>, tensor<i32>) -> tensor<*xi32>
    %s = flow.while (%i) (%two) {frame = "inner", parallel_iterations = 1 : i64} : (tensor<*xi32>, tensor<*xi32>) -> tensor<*xi32> before {
    ^bb0(%j: tensor<*xi32>, %t: tensor<*xi32>):
      %q = nd.less %j, %t : (tensor<*xi32>, tensor<*xi32>) -> tensor<i1>
      flow.condition %q (%j) : (tensor<i1>, tensor<*xi32>) -> ()
    } body {
    ^bb0(%j: tensor<*xi32>, %t: tensor<*xi32>):
      %q = nd.less %j, %t : (tensor<*xi32>, tensor<*xi32>) -> tensor<i1>
      %c = flow.cond %q (%t, %j) : (tensor<i1>, tensor<*xi32>, tensor<*xi32>) -> tensor<*xi32> on_true {
      ^bb0(%u: tensor<*xi32>, %v: tensor<*xi32>):
        %w = nd.add %u, %v : (tensor<*xi32>, tensor<*xi32>) -> tensor<*xi32>
        flow.yield %w : (tensor<*xi32>) -> ()
      } on_false {
      ^bb0(%u: tensor<*xi32>, %v: tensor<*xi32>):
        flow.yield %v : (tensor<*xi32>) -> ()
      }
      flow.yield %c : (tensor<*xi32>) -> ()
    }
    flow.yield %s : (tensor<*xi32>) -> ()
  }
  flow.fetch %r {name = "r"} : (tensor<*xi32>) -> ()
}
