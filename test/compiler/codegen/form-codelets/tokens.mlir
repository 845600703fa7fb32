// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Control tokens and codelets.
// RUN: sluice-opt --codegen-form-codelets %s | FileCheck %s

// Between ops of one codelet they say nothing new.
// CHECK-LABEL: flow.graph @inside
// CHECK-NOT: flow.gate
// CHECK: %[[C:.*]] = flow.codelet(%{{.*}}) : (tensor<16xf32>) -> tensor<16xf32> {
// CHECK: nd.exp
// CHECK: nd.mul
// CHECK-NEXT: flow.yield
// CHECK-NEXT: }
// CHECK-NEXT: flow.fetch %[[C]]
flow.graph @inside {
  %x = flow.feed {name = "x"} : () -> tensor<16xf32>
  %two = nd.constant {value = dense<2.0> : tensor<f32>} : () -> tensor<f32>
  %a = nd.exp %x : (tensor<16xf32>) -> tensor<16xf32>
  %t = flow.after %a : (tensor<16xf32>) -> !flow.token
  %g = flow.gate %two, %t : (tensor<f32>, !flow.token) -> tensor<f32>
  %b = nd.mul %a, %g : (tensor<16xf32>, tensor<f32>) -> tensor<16xf32>
  flow.fetch %b {name = "b"} : (tensor<16xf32>) -> ()
}

// One from outside gates an input of the whole codelet; one that others use is made of a result.
// CHECK-LABEL: flow.graph @outside
// CHECK: %[[X:.*]] = flow.feed  {name = "x"}
// CHECK: %[[Y:.*]] = flow.feed  {name = "y"}
// CHECK: %[[T:.*]] = flow.after %[[Y]]
// CHECK: %[[G:.*]] = flow.gate %[[X]], %[[T]]
// CHECK: %[[C:.*]]:2 = flow.codelet(%[[G]]) : (tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>)
// CHECK: nd.exp
// CHECK: nd.mul
// CHECK: %[[A:.*]] = flow.after %[[C]]#0
// CHECK: flow.target %[[A]]
flow.graph @outside {
  %x = flow.feed {name = "x"} : () -> tensor<16xf32>
  %y = flow.feed {name = "y"} : () -> tensor<16xf32>
  %two = nd.constant {value = dense<2.0> : tensor<f32>} : () -> tensor<f32>
  %a = nd.exp %x : (tensor<16xf32>) -> tensor<16xf32>
  %t = flow.after %y : (tensor<16xf32>) -> !flow.token
  %g = flow.gate %two, %t : (tensor<f32>, !flow.token) -> tensor<f32>
  %b = nd.mul %a, %g : (tensor<16xf32>, tensor<f32>) -> tensor<16xf32>
  %u = flow.after %a : (tensor<16xf32>) -> !flow.token
  flow.target %u {name = "done"} : (!flow.token) -> ()
  flow.fetch %b {name = "b"} : (tensor<16xf32>) -> ()
}

// A token that gates a constant gates another operand instead, so that the compiler sees the
// constant; the second one waits for its operand anyway.
// CHECK-LABEL: flow.graph @constant
// CHECK: %[[X:.*]] = flow.feed  {name = "x"}
// CHECK: %[[T:.*]] = flow.after
// CHECK: %[[G:.*]] = flow.gate %[[X]], %[[T]]
// CHECK-NOT: flow.gate
// CHECK: flow.codelet(%[[G]]) : (tensor<16xf32>) -> tensor<f32>
// CHECK: %[[AXES:.*]] = nd.constant
// CHECK: nd.reduce_sum %{{.*}}, %[[AXES]]
flow.graph @constant {
  %x = flow.feed {name = "x"} : () -> tensor<16xf32>
  %y = flow.feed {name = "y"} : () -> tensor<16xf32>
  %axes = nd.constant {value = dense<0> : tensor<1xi32>} : () -> tensor<1xi32>
  %t = flow.after %y : (tensor<16xf32>) -> !flow.token
  %g = flow.gate %axes, %t : (tensor<1xi32>, !flow.token) -> tensor<1xi32>
  %s = nd.reduce_sum %x, %g {keep_dims = false} : (tensor<16xf32>, tensor<1xi32>) -> tensor<f32>
  %two = nd.constant {value = dense<2.0> : tensor<f32>} : () -> tensor<f32>
  %st = flow.after %s : (tensor<f32>) -> !flow.token
  %h = flow.gate %two, %st : (tensor<f32>, !flow.token) -> tensor<f32>
  %m = nd.mul %s, %h : (tensor<f32>, tensor<f32>) -> tensor<f32>
  flow.fetch %m {name = "m"} : (tensor<f32>) -> ()
}

// All operands are constants, and one of them waits: the op finds those that it depends on all the same.
// CHECK-LABEL: flow.graph @constants_alone
// CHECK: flow.codelet(
// CHECK: %[[TIMES:.*]] = nd.constant {value = dense<2> : tensor<1xi32>}
// CHECK: nd.tile %{{.*}}, %[[TIMES]]
flow.graph @constants_alone {
  %x = flow.feed {name = "x"} : () -> tensor<f32>
  %token = flow.after %x : (tensor<f32>) -> !flow.token
  %three = nd.constant {value = dense<3> : tensor<i32>} : () -> tensor<i32>
  %times = nd.constant {value = dense<2> : tensor<1xi32>} : () -> tensor<1xi32>
  %late = flow.gate %three, %token : (tensor<i32>, !flow.token) -> tensor<i32>
  %c = nd.pack %late, %late {axis = 0 : i64} : (tensor<i32>, tensor<i32>) -> tensor<2xi32>
  %y = nd.tile %c, %times : (tensor<2xi32>, tensor<1xi32>) -> tensor<4xi32>
  %z = nd.neg %y : (tensor<4xi32>) -> tensor<4xi32>
  flow.fetch %z {name = "z"} : (tensor<4xi32>) -> ()
}

// What is an input anyway needs no token; what is not is waited for once, whoever asks for it.
// CHECK-LABEL: flow.graph @awaited
// CHECK: %[[X:.*]] = flow.feed  {name = "x"}
// CHECK: %[[Y:.*]] = flow.feed  {name = "y"}
// CHECK: %[[Z:.*]] = flow.feed  {name = "z"}
// CHECK-NOT: flow.after %[[Y]]
// CHECK: %[[T:.*]] = flow.after %[[Z]]
// CHECK-NOT: flow.after
// CHECK: %[[G:.*]] = flow.gate %[[X]], %[[T]] : (tensor<16xf32>, !flow.token)
// CHECK-NOT: flow.gate
// CHECK: flow.codelet(%[[G]], %[[Y]])
// CHECK-NOT: flow.gate
// CHECK: flow.fetch
flow.graph @awaited {
  %x = flow.feed {name = "x"} : () -> tensor<16xf32>
  %y = flow.feed {name = "y"} : () -> tensor<16xf32>
  %z = flow.feed {name = "z"} : () -> tensor<16xf32>
  %two = nd.constant {value = dense<2.0> : tensor<f32>} : () -> tensor<f32>
  %ty = flow.after %y : (tensor<16xf32>) -> !flow.token
  %tz = flow.after %z : (tensor<16xf32>) -> !flow.token
  %both = flow.join %ty, %tz : (!flow.token, !flow.token) -> !flow.token
  %a = nd.exp %x : (tensor<16xf32>) -> tensor<16xf32>
  %g = flow.gate %two, %both : (tensor<f32>, !flow.token) -> tensor<f32>
  %b = nd.mul %a, %g : (tensor<16xf32>, tensor<f32>) -> tensor<16xf32>
  %h = flow.gate %b, %tz : (tensor<16xf32>, !flow.token) -> tensor<16xf32>
  %c = nd.add %h, %y : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  flow.fetch %c {name = "c"} : (tensor<16xf32>) -> ()
}
