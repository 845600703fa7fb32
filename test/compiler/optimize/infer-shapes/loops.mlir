// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop-carried shape is known unless the loop changes it, and then as far as it stays.
// RUN: sluice-opt --optimize-infer-shapes %s | FileCheck %s

// CHECK-LABEL: flow.graph @invariant
// CHECK: flow.enter {{.*}} -> tensor<2x3xf32>
// CHECK: flow.merge {{.*}} -> (tensor<2x3xf32>, tensor<i32>, !flow.token)
// CHECK: flow.switch {{.*}} -> (tensor<2x3xf32>, tensor<2x3xf32>, !flow.token)
// CHECK: nd.add {{.*}} -> tensor<2x3xf32>
// CHECK: flow.next_iteration {{.*}} -> tensor<2x3xf32>
// CHECK: flow.exit {{.*}} -> tensor<2x3xf32>
flow.graph @invariant {
  %x = flow.feed {name = "x:0"} : () -> tensor<2x3xf32>
  %p = flow.feed {name = "p:0"} : () -> tensor<i1>
  %n = nd.neg %x : (tensor<2x3xf32>) -> tensor<*xf32>
  %e = flow.enter %n {frame = "loop", constant = false, parallel_iterations = 10 : i64} : (tensor<*xf32>) -> tensor<*xf32>
  %q = flow.enter %p {frame = "loop", constant = true, parallel_iterations = 10 : i64} : (tensor<i1>) -> tensor<i1>
  %m, %i, %mt = flow.merge %e, %b : (tensor<*xf32>, tensor<*xf32>) -> (tensor<*xf32>, tensor<i32>, !flow.token)
  %no, %yes, %st = flow.switch %m, %q : (tensor<*xf32>, tensor<i1>) -> (tensor<*xf32>, tensor<*xf32>, !flow.token)
  %sum = nd.add %yes, %yes : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
  %b = flow.next_iteration %sum : (tensor<*xf32>) -> tensor<*xf32>
  %out = flow.exit %no : (tensor<*xf32>) -> tensor<*xf32>
  flow.fetch %out {name = "out:0"} : (tensor<*xf32>) -> ()
}

// Each iteration makes the second dim longer. The enter is more precise than the merge.
// CHECK-LABEL: flow.graph @growing
// CHECK: flow.enter {{.*}} -> tensor<2x3xf32>
// CHECK: flow.merge {{.*}} -> (tensor<2x?xf32>, tensor<i32>, !flow.token)
// CHECK: nd.concat {{.*}} -> tensor<2x?xf32>
// CHECK: flow.next_iteration {{.*}} -> tensor<2x?xf32>
// CHECK: flow.exit {{.*}} -> tensor<2x?xf32>
flow.graph @growing {
  %x = flow.feed {name = "x:0"} : () -> tensor<2x3xf32>
  %p = flow.feed {name = "p:0"} : () -> tensor<i1>
  %axis = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
  %e = flow.enter %x {frame = "loop", constant = false, parallel_iterations = 10 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %q = flow.enter %p {frame = "loop", constant = true, parallel_iterations = 10 : i64} : (tensor<i1>) -> tensor<i1>
  %m, %i, %mt = flow.merge %e, %b : (tensor<2x3xf32>, tensor<*xf32>) -> (tensor<*xf32>, tensor<i32>, !flow.token)
  %no, %yes, %st = flow.switch %m, %q : (tensor<*xf32>, tensor<i1>) -> (tensor<*xf32>, tensor<*xf32>, !flow.token)
  %two = nd.concat %yes, %yes, %axis : (tensor<*xf32>, tensor<*xf32>, tensor<i32>) -> tensor<*xf32>
  %b = flow.next_iteration %two : (tensor<*xf32>) -> tensor<*xf32>
  %out = flow.exit %no : (tensor<*xf32>) -> tensor<*xf32>
  flow.fetch %out {name = "out:0"} : (tensor<*xf32>) -> ()
}

// The rank changes from iteration to iteration.
// CHECK-LABEL: flow.graph @rank
// CHECK: flow.merge {{.*}} -> (tensor<*xf32>, tensor<i32>, !flow.token)
flow.graph @rank {
  %x = flow.feed {name = "x:0"} : () -> tensor<2xf32>
  %p = flow.feed {name = "p:0"} : () -> tensor<i1>
  %axis = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %e = flow.enter %x {frame = "loop", constant = false, parallel_iterations = 10 : i64} : (tensor<2xf32>) -> tensor<2xf32>
  %q = flow.enter %p {frame = "loop", constant = true, parallel_iterations = 10 : i64} : (tensor<i1>) -> tensor<i1>
  %m, %i, %mt = flow.merge %e, %b : (tensor<2xf32>, tensor<*xf32>) -> (tensor<*xf32>, tensor<i32>, !flow.token)
  %no, %yes, %st = flow.switch %m, %q : (tensor<*xf32>, tensor<i1>) -> (tensor<*xf32>, tensor<*xf32>, !flow.token)
  %two = nd.expand_dims %yes, %axis : (tensor<*xf32>, tensor<i32>) -> tensor<*xf32>
  %b = flow.next_iteration %two : (tensor<*xf32>) -> tensor<*xf32>
  %out = flow.exit %no : (tensor<*xf32>) -> tensor<*xf32>
  flow.fetch %out {name = "out:0"} : (tensor<*xf32>) -> ()
}

// The size of what is filled is 1, 2, 3, …: the counter's first value must not be believed.
// CHECK-LABEL: flow.graph @counter
// CHECK: nd.fill {{.*}} -> tensor<?xf32>
flow.graph @counter {
  %p = flow.feed {name = "p:0"} : () -> tensor<i1>
  %one = nd.constant {value = dense<1> : tensor<1xi32>} : () -> tensor<1xi32>
  %zero = nd.constant {value = dense<0.0> : tensor<f32>} : () -> tensor<f32>
  %e = flow.enter %one {frame = "loop", constant = false, parallel_iterations = 10 : i64} : (tensor<1xi32>) -> tensor<1xi32>
  %q = flow.enter %p {frame = "loop", constant = true, parallel_iterations = 10 : i64} : (tensor<i1>) -> tensor<i1>
  %m, %i, %mt = flow.merge %e, %b : (tensor<1xi32>, tensor<1xi32>) -> (tensor<1xi32>, tensor<i32>, !flow.token)
  %no, %yes, %st = flow.switch %m, %q : (tensor<1xi32>, tensor<i1>) -> (tensor<1xi32>, tensor<1xi32>, !flow.token)
  %next = nd.add %yes, %one : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  %b = flow.next_iteration %next : (tensor<1xi32>) -> tensor<1xi32>
  %f = nd.fill %no, %zero : (tensor<1xi32>, tensor<f32>) -> tensor<*xf32>
  %out = flow.exit %f : (tensor<*xf32>) -> tensor<*xf32>
  flow.fetch %out {name = "out:0"} : (tensor<*xf32>) -> ()
}
