// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Merges that nothing has to be decided for.
// RUN: sluice-opt %s --import-settle-merges | FileCheck %s

// Both ways of a branch, a constant beside one of them, and two predicates that decide nothing
// about each other: if both values are live then, the call fails.
// CHECK-LABEL: flow.graph @branches
// CHECK-COUNT-2: flow.switch
// CHECK-NOT: flow.switch
// CHECK: flow.merge %{{.*}}, %{{.*}} : (tensor<f32>, tensor<f32>)
// CHECK: flow.merge %{{.*}}, %{{.*}} : (tensor<f32>, tensor<f32>)
// CHECK: flow.merge %{{.*}}, %{{.*}} : (tensor<f32>, tensor<f32>)
// CHECK-NOT: flow.merge
flow.graph @branches {
  %p = flow.feed {name = "p:0"} : () -> tensor<i1>
  %q = flow.feed {name = "q:0"} : () -> tensor<i1>
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %c = nd.constant {value = dense<4.0> : tensor<f32>} : () -> tensor<f32>
  %f, %t, %s = flow.switch %x, %p : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %g, %v, %vs = flow.switch %x, %q : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %a, %ai, %am = flow.merge %f, %t : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  %b, %bi, %bm = flow.merge %c, %t : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  %d, %di, %dm = flow.merge %f, %v : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  flow.fetch %a {name = "a:0"} : (tensor<f32>) -> ()
  flow.fetch %b {name = "b:0"} : (tensor<f32>) -> ()
  flow.fetch %d {name = "d:0"} : (tensor<f32>) -> ()
}

// A loop's merge takes its values in different iterations.
// CHECK-LABEL: flow.graph @loop
// CHECK: flow.merge %{{.*}}, %{{.*}} : (tensor<f32>, tensor<f32>)
// CHECK-COUNT-1: flow.switch
// CHECK-NOT: flow.switch
flow.graph @loop {
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %x0 = flow.enter %x {frame = "loop", constant = false, parallel_iterations = 10 : i64} : (tensor<f32>) -> tensor<f32>
  %v, %i, %m = flow.merge %x0, %x1 : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  %less = nd.less %v, %v : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %go = flow.loop_cond %less : (tensor<i1>) -> tensor<i1>
  %f, %t, %s = flow.switch %v, %go : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %x1 = flow.next_iteration %t : (tensor<f32>) -> tensor<f32>
  %y = flow.exit %f : (tensor<f32>) -> tensor<f32>
  flow.fetch %y {name = "y:0"} : (tensor<f32>) -> ()
}

// A constant beside what is always live: a merge takes it last anyway.
// CHECK-LABEL: flow.graph @constant_last
// CHECK: flow.merge %{{.*}}, %{{.*}} : (tensor<f32>, tensor<f32>)
// CHECK-NOT: flow.merge
flow.graph @constant_last {
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %c = nd.constant {value = dense<4.0> : tensor<f32>} : () -> tensor<f32>
  %y, %i, %m = flow.merge %c, %x : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  flow.fetch %y {name = "y:0"} : (tensor<f32>) -> ()
}

// What an enter brings comes in the first iteration only, so nothing waits for it in the others.
// CHECK-LABEL: flow.graph @first_iteration
// CHECK-COUNT-1: flow.switch
// CHECK-NOT: flow.switch
flow.graph @first_iteration {
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %x0 = flow.enter %x {frame = "loop", constant = false, parallel_iterations = 10 : i64} : (tensor<f32>) -> tensor<f32>
  %z0 = flow.enter %x {frame = "loop", constant = false, parallel_iterations = 10 : i64} : (tensor<f32>) -> tensor<f32>
  %v, %i, %m = flow.merge %x0, %x1 : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  %less = nd.less %v, %v : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %go = flow.loop_cond %less : (tensor<i1>) -> tensor<i1>
  %both, %bi, %bm = flow.merge %v, %z0 : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  %f, %t, %s = flow.switch %both, %go : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %x1 = flow.next_iteration %t : (tensor<f32>) -> tensor<f32>
  %y = flow.exit %f : (tensor<f32>) -> tensor<f32>
  flow.fetch %y {name = "y:0"} : (tensor<f32>) -> ()
}

// More values than are compared with each other.
// CHECK-LABEL: flow.graph @many
// CHECK: flow.merge
flow.graph @many {
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %y, %i, %m = flow.merge %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x : (tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  flow.fetch %y {name = "y:0"} : (tensor<f32>) -> ()
}
