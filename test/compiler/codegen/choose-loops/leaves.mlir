// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What stays in the executor: a tensor that grows, a branch whose token somebody waits for, an op that
// waits for a token, a complex number on its way.
// RUN: sluice-opt --codegen-choose-loops %s | FileCheck %s

// CHECK-NOT: codegen.collapse
flow.graph @grows {
  %x = flow.feed {name = "x"} : () -> tensor<?xf32>
  %last = flow.while (%x) () {frame = "grows", parallel_iterations = 10 : i64} : (tensor<?xf32>) -> tensor<?xf32> before {
  ^bb0(%x1: tensor<?xf32>):
    %p = nd.constant {value = dense<false> : tensor<i1>} : () -> tensor<i1>
    flow.condition %p (%x1) : (tensor<i1>, tensor<?xf32>) -> ()
  } body {
  ^bb0(%x2: tensor<?xf32>):
    %axis = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %x3 = nd.concat %x2, %x2, %axis : (tensor<?xf32>, tensor<?xf32>, tensor<i32>) -> tensor<?xf32>
    flow.yield %x3 : (tensor<?xf32>) -> ()
  }
  flow.fetch %last {name = "x"} : (tensor<?xf32>) -> ()
}

flow.graph @gives_token {
  %p = flow.feed {name = "p"} : () -> tensor<i1>
  %x = flow.feed {name = "x"} : () -> tensor<f32>
  %token = flow.cond %p (%x) : (tensor<i1>, tensor<f32>) -> !flow.token on_true {
  ^bb0(%t: tensor<f32>):
    %after = flow.after %t : (tensor<f32>) -> !flow.token
    flow.yield %after : (!flow.token) -> ()
  } on_false {
  ^bb0(%t: tensor<f32>):
    %after = flow.after %t : (tensor<f32>) -> !flow.token
    flow.yield %after : (!flow.token) -> ()
  }
  flow.target %token {name = "t"} : (!flow.token) -> ()
}

// An op that is not compiled waits for a token that is made inside.
flow.graph @waits_inside {
  %p = flow.feed {name = "p"} : () -> tensor<i1>
  %n = flow.feed {name = "n"} : () -> tensor<i32>
  %r = flow.cond %p (%n) : (tensor<i1>, tensor<i32>) -> tensor<i32> on_true {
  ^bb0(%t: tensor<i32>):
    %token = flow.after %t : (tensor<i32>) -> !flow.token
    %a, %flow, %done = array.create %t, %token {clear_after_read = true, dtype = f32, dynamic_size = false, element_shape = tensor<*xf32>, identical_element_shapes = true, name = "a"} : (tensor<i32>, !flow.token) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
    flow.yield %t : (tensor<i32>) -> ()
  } on_false {
  ^bb0(%t: tensor<i32>):
    flow.yield %t : (tensor<i32>) -> ()
  }
  flow.fetch %r {name = "r"} : (tensor<i32>) -> ()
}

// Nothing inside looks at the complex number, but code could not even keep it.
flow.graph @carries_complex {
  %n = flow.feed {name = "n"} : () -> tensor<i32>
  %z = flow.feed {name = "z"} : () -> tensor<complex<f32>>
  %last:2 = flow.while (%n, %z) () {frame = "complex", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<complex<f32>>) -> (tensor<i32>, tensor<complex<f32>>) before {
  ^bb0(%i: tensor<i32>, %z1: tensor<complex<f32>>):
    %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %p = nd.less %zero, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %z1) : (tensor<i1>, tensor<i32>, tensor<complex<f32>>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %z2: tensor<complex<f32>>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.sub %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    flow.yield %next, %z2 : (tensor<i32>, tensor<complex<f32>>) -> ()
  }
  flow.fetch %last#1 {name = "z"} : (tensor<complex<f32>>) -> ()
}
