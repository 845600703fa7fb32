// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shapes come from operands and from the values of small integer tensors.
// RUN: sluice-opt --optimize-infer-shapes %s | FileCheck %s

// CHECK-LABEL: flow.graph @chain
// CHECK: nd.add {{.*}} -> tensor<2x3xf32>
// CHECK: nd.less {{.*}} -> tensor<2x3xi1>
flow.graph @chain {
  %x = flow.feed {name = "x:0"} : () -> tensor<2x1xf32>
  %y = flow.feed {name = "y:0"} : () -> tensor<3xf32>
  %s = nd.add %x, %y : (tensor<2x1xf32>, tensor<3xf32>) -> tensor<*xf32>
  %l = nd.less %s, %y : (tensor<*xf32>, tensor<3xf32>) -> tensor<*xi1>
  flow.fetch %l {name = "l:0"} : (tensor<*xi1>) -> ()
}

// What is known of a dim stays known when another is not.
// CHECK-LABEL: flow.graph @partly
// CHECK: nd.neg {{.*}} -> tensor<?x3xf32>
flow.graph @partly {
  %x = flow.feed {name = "x:0"} : () -> tensor<?x3xf32>
  %y = nd.neg %x : (tensor<?x3xf32>) -> tensor<*xf32>
  flow.fetch %y {name = "y:0"} : (tensor<*xf32>) -> ()
}

// The target of the reshape is computed from a shape, behind a gate.
// CHECK-LABEL: flow.graph @values
// CHECK: nd.shape {{.*}} -> tensor<2xi32>
// CHECK: nd.mul {{.*}} -> tensor<2xi32>
// CHECK: nd.fill {{.*}} -> tensor<4x6xf32>
// CHECK: nd.reshape {{.*}} -> tensor<2x12xf32>
flow.graph @values {
  %x = flow.feed {name = "x:0"} : () -> tensor<2x3xf32>
  %t = flow.after %x : (tensor<2x3xf32>) -> !flow.token
  %c = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
  %to = nd.constant {value = dense<[2, -1]> : tensor<2xi32>} : () -> tensor<2xi32>
  %zero = nd.constant {value = dense<0.0> : tensor<f32>} : () -> tensor<f32>
  %s = nd.shape %x : (tensor<2x3xf32>) -> tensor<?xi32>
  %d = nd.mul %s, %c : (tensor<?xi32>, tensor<i32>) -> tensor<?xi32>
  %f = nd.fill %d, %zero : (tensor<?xi32>, tensor<f32>) -> tensor<*xf32>
  %g = flow.gate %to, %t : (tensor<2xi32>, !flow.token) -> tensor<2xi32>
  %r = nd.reshape %f, %g : (tensor<*xf32>, tensor<2xi32>) -> tensor<*xf32>
  flow.fetch %r {name = "r:0"} : (tensor<*xf32>) -> ()
}

// What forwards keeps operand and results of one type.
// CHECK-LABEL: flow.graph @branch
// CHECK: nd.neg {{.*}} -> tensor<2xf32>
// CHECK: flow.switch {{.*}} -> (tensor<2xf32>, tensor<2xf32>, !flow.token)
// CHECK: flow.merge {{.*}} -> (tensor<2xf32>, tensor<i32>, !flow.token)
flow.graph @branch {
  %x = flow.feed {name = "x:0"} : () -> tensor<2xf32>
  %p = flow.feed {name = "p:0"} : () -> tensor<i1>
  %y = nd.neg %x : (tensor<2xf32>) -> tensor<*xf32>
  %f, %t, %k = flow.switch %y, %p : (tensor<*xf32>, tensor<i1>) -> (tensor<*xf32>, tensor<*xf32>, !flow.token)
  %a = nd.abs %t : (tensor<*xf32>) -> tensor<*xf32>
  %m, %i, %mk = flow.merge %f, %a : (tensor<*xf32>, tensor<*xf32>) -> (tensor<*xf32>, tensor<*xi32>, !flow.token)
  flow.fetch %m {name = "m:0"} : (tensor<*xf32>) -> ()
}

// Both ways bring the same sizes, in the first case; not the same, and as another type, in the others.
// CHECK-LABEL: flow.graph @merged_values
// CHECK: nd.fill {{.*}} -> tensor<2x3xf32>
// CHECK: nd.fill {{.*}} -> tensor<?x?xf32>
// CHECK: nd.fill {{.*}} -> tensor<?xf32>
flow.graph @merged_values {
  %p = flow.feed {name = "p:0"} : () -> tensor<i1>
  %zero = nd.constant {value = dense<0.0> : tensor<f32>} : () -> tensor<f32>
  %a = nd.constant {value = dense<[2, 3]> : tensor<2xi32>} : () -> tensor<2xi32>
  %b = nd.constant {value = dense<[2, 3]> : tensor<2xi32>} : () -> tensor<2xi32>
  %c = nd.constant {value = dense<[2, 4]> : tensor<2xi32>} : () -> tensor<2xi32>
  %d = nd.constant {value = dense<[2]> : tensor<1xi32>} : () -> tensor<1xi32>
  %f, %t, %k = flow.switch %p, %p : (tensor<i1>, tensor<i1>) -> (tensor<i1>, tensor<i1>, !flow.token)
  %yes = flow.after %t : (tensor<i1>) -> !flow.token
  %no = flow.after %f : (tensor<i1>) -> !flow.token
  %ga = flow.gate %a, %yes : (tensor<2xi32>, !flow.token) -> tensor<2xi32>
  %gb = flow.gate %b, %no : (tensor<2xi32>, !flow.token) -> tensor<2xi32>
  %gc = flow.gate %c, %no : (tensor<2xi32>, !flow.token) -> tensor<2xi32>
  %gd = flow.gate %d, %yes : (tensor<1xi32>, !flow.token) -> tensor<1xi32>
  %ge = flow.gate %d, %no : (tensor<1xi32>, !flow.token) -> tensor<1xi32>
  %m, %i, %mt = flow.merge %ga, %gb : (tensor<2xi32>, tensor<2xi32>) -> (tensor<2xi32>, tensor<i32>, !flow.token)
  %n, %j, %nt = flow.merge %ga, %gc : (tensor<2xi32>, tensor<2xi32>) -> (tensor<2xi32>, tensor<i32>, !flow.token)
  %w = nd.add %ge, %d : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  %o, %l, %ot = flow.merge %gd, %w : (tensor<1xi32>, tensor<1xi32>) -> (tensor<1xi32>, tensor<i32>, !flow.token)
  %x = nd.fill %m, %zero : (tensor<2xi32>, tensor<f32>) -> tensor<*xf32>
  %y = nd.fill %n, %zero : (tensor<2xi32>, tensor<f32>) -> tensor<*xf32>
  %z = nd.fill %o, %zero : (tensor<1xi32>, tensor<f32>) -> tensor<*xf32>
  flow.fetch %x {name = "x:0"} : (tensor<*xf32>) -> ()
  flow.fetch %y {name = "y:0"} : (tensor<*xf32>) -> ()
  flow.fetch %z {name = "z:0"} : (tensor<*xf32>) -> ()
}

// Values of up to 1024 elements are looked at.
// CHECK-LABEL: flow.graph @large_values
// CHECK: nd.fill {{.*}} -> tensor<7xf32>
// CHECK: nd.fill {{.*}} -> tensor<?xf32>
flow.graph @large_values {
  %zero = nd.constant {value = dense<0.0> : tensor<f32>} : () -> tensor<f32>
  %first = nd.constant {value = dense<0> : tensor<1xi32>} : () -> tensor<1xi32>
  %axis = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %a = nd.constant {value = dense<7> : tensor<1024xi32>} : () -> tensor<1024xi32>
  %b = nd.constant {value = dense<7> : tensor<1025xi32>} : () -> tensor<1025xi32>
  %i = nd.gather %a, %first, %axis {batch_dims = 0 : i64} : (tensor<1024xi32>, tensor<1xi32>, tensor<i32>) -> tensor<1xi32>
  %j = nd.gather %b, %first, %axis {batch_dims = 0 : i64} : (tensor<1025xi32>, tensor<1xi32>, tensor<i32>) -> tensor<1xi32>
  %x = nd.fill %i, %zero : (tensor<1xi32>, tensor<f32>) -> tensor<*xf32>
  %y = nd.fill %j, %zero : (tensor<1xi32>, tensor<f32>) -> tensor<*xf32>
  flow.fetch %x {name = "x:0"} : (tensor<*xf32>) -> ()
  flow.fetch %y {name = "y:0"} : (tensor<*xf32>) -> ()
}
