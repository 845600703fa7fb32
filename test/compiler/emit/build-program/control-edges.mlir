// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What orders becomes edges as long as these stay few; beyond that it stays a node.
// RUN: sluice-opt --emit-build-program %s | FileCheck %s

// Both joins of a rung wait for both of the rung before: each rung has twice as many ways to the
// feed, but only one edge.
// CHECK-LABEL: exe.signature @ladder
// CHECK-NOT: exe.node join
// CHECK: exe.node kernel "" in 0(%[[X:.*]]) control(%[[X]])
flow.graph @ladder {
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %0 = flow.after %x : (tensor<f32>) -> !flow.token
  %a1 = flow.join %0, %0 : (!flow.token, !flow.token) -> !flow.token
  %b1 = flow.join %0, %0 : (!flow.token, !flow.token) -> !flow.token
  %a2 = flow.join %a1, %b1 : (!flow.token, !flow.token) -> !flow.token
  %b2 = flow.join %a1, %b1 : (!flow.token, !flow.token) -> !flow.token
  %a3 = flow.join %a2, %b2 : (!flow.token, !flow.token) -> !flow.token
  %b3 = flow.join %a2, %b2 : (!flow.token, !flow.token) -> !flow.token
  %a4 = flow.join %a3, %b3 : (!flow.token, !flow.token) -> !flow.token
  %g = flow.gate %x, %a4 : (tensor<f32>, !flow.token) -> tensor<f32>
  %y = nd.neg %g : (tensor<f32>) -> tensor<f32>
  flow.fetch %y {name = "y:0"} : (tensor<f32>) -> ()
}

// One gate waits for many, and many wait for what comes after it.
// CHECK-LABEL: exe.signature @many_to_many
// CHECK: %[[G:.*]] = exe.node forward {{.*}} control(%{{.*}}, %{{.*}}, %{{.*}}) :
// CHECK-COUNT-3: exe.node kernel {{.*}} control(%[[G]])
// CHECK-NOT: forward
flow.graph @many_to_many {
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %a = flow.feed {name = "a:0"} : () -> tensor<f32>
  %b = flow.feed {name = "b:0"} : () -> tensor<f32>
  %c = flow.feed {name = "c:0"} : () -> tensor<f32>
  %ta = flow.after %a : (tensor<f32>) -> !flow.token
  %tb = flow.after %b : (tensor<f32>) -> !flow.token
  %tc = flow.after %c : (tensor<f32>) -> !flow.token
  %g = flow.gate %x, %ta, %tb, %tc : (tensor<f32>, !flow.token, !flow.token, !flow.token) -> tensor<f32>
  %t = flow.after %g : (tensor<f32>) -> !flow.token
  %d = flow.gate %a, %t : (tensor<f32>, !flow.token) -> tensor<f32>
  %e = flow.gate %b, %t : (tensor<f32>, !flow.token) -> tensor<f32>
  %f = flow.gate %c, %t : (tensor<f32>, !flow.token) -> tensor<f32>
  %u = nd.neg %d : (tensor<f32>) -> tensor<f32>
  %v = nd.neg %e : (tensor<f32>) -> tensor<f32>
  %w = nd.neg %f : (tensor<f32>) -> tensor<f32>
  flow.fetch %u {name = "u:0"} : (tensor<f32>) -> ()
  flow.fetch %v {name = "v:0"} : (tensor<f32>) -> ()
  flow.fetch %w {name = "w:0"} : (tensor<f32>) -> ()
}

// Four wait for two: eight edges are few enough.
// CHECK-LABEL: exe.signature @few_to_some
// CHECK: %[[A:.*]] = exe.node feed "a:0"
// CHECK: %[[B:.*]] = exe.node feed "b:0"
// CHECK-NOT: forward
// CHECK-COUNT-4: exe.node kernel {{.*}} control(%[[A]], %[[B]])
// CHECK-NOT: forward
flow.graph @few_to_some {
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %a = flow.feed {name = "a:0"} : () -> tensor<f32>
  %b = flow.feed {name = "b:0"} : () -> tensor<f32>
  %ta = flow.after %a : (tensor<f32>) -> !flow.token
  %tb = flow.after %b : (tensor<f32>) -> !flow.token
  %g = flow.gate %x, %ta, %tb : (tensor<f32>, !flow.token, !flow.token) -> tensor<f32>
  %u = nd.neg %g : (tensor<f32>) -> tensor<f32>
  %v = nd.abs %g : (tensor<f32>) -> tensor<f32>
  %w = nd.exp %g : (tensor<f32>) -> tensor<f32>
  %y = nd.sin %g : (tensor<f32>) -> tensor<f32>
  flow.fetch %u {name = "u:0"} : (tensor<f32>) -> ()
  flow.fetch %v {name = "v:0"} : (tensor<f32>) -> ()
  flow.fetch %w {name = "w:0"} : (tensor<f32>) -> ()
  flow.fetch %y {name = "y:0"} : (tensor<f32>) -> ()
}

// Tokens add up on their way: a join that two wait for keeps whether a trigger was among them, and
// orders stay apart from what may be dead.
// CHECK-LABEL: exe.signature @kinds
// CHECK: %[[A:.*]] = exe.node feed "a:0"
// CHECK: %[[B:.*]] = exe.node feed "b:0"
// CHECK: exe.node kernel {{.*}} control(%[[B]]) order(%[[A]])
// CHECK: exe.node kernel {{.*}} control(%[[B]]) order(%[[A]])
// CHECK: exe.node target {{.*}} order(%[[B]], %[[A]])
flow.graph @kinds {
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %a = flow.feed {name = "a:0"} : () -> tensor<f32>
  %b = flow.feed {name = "b:0"} : () -> tensor<f32>
  %ta = flow.after %a : (tensor<f32>) -> !flow.token
  %tb = flow.after %b : (tensor<f32>) -> !flow.token
  %order = flow.trigger %ta : (!flow.token) -> !flow.token
  %j = flow.join %order, %tb : (!flow.token, !flow.token) -> !flow.token
  %g = flow.gate %x, %j : (tensor<f32>, !flow.token) -> tensor<f32>
  %h = flow.gate %x, %j : (tensor<f32>, !flow.token) -> tensor<f32>
  %u = nd.neg %g : (tensor<f32>) -> tensor<f32>
  %v = nd.abs %h : (tensor<f32>) -> tensor<f32>
  %late = flow.trigger %j : (!flow.token) -> !flow.token
  flow.fetch %u {name = "u:0"} : (tensor<f32>) -> ()
  flow.fetch %v {name = "v:0"} : (tensor<f32>) -> ()
  flow.target %late {name = "late"} : (!flow.token) -> ()
}
