// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What stays in the executor: a branch whose token somebody waits for, an op that waits for a token.
// RUN: sluice-opt --codegen-choose-loops %s | FileCheck %s

// CHECK-NOT: codegen.collapse
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
