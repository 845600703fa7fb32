// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A branch with a list of lists, which does not become code.
// RUN: sluice-opt --codegen-choose-loops %s | FileCheck %s

// CHECK-NOT: codegen.collapse

// A list of lists.
flow.graph @of_lists {
  %p = flow.feed {name = "p"} : () -> tensor<i1>
  %i = flow.feed {name = "i"} : () -> tensor<i32>
  %x = flow.feed {name = "x"} : () -> tensor<4xf32>
  %l = list.make %i {element_shape = !list.of<tensor<4xf32>>, identical = false} : (tensor<i32>) -> !list.of<!list.of<tensor<4xf32>>>
  %r = flow.cond %p (%l, %i, %x) : (tensor<i1>, !list.of<!list.of<tensor<4xf32>>>, tensor<i32>, tensor<4xf32>) -> tensor<i32> on_true {
  ^bb0(%l0: !list.of<!list.of<tensor<4xf32>>>, %i0: tensor<i32>, %x0: tensor<4xf32>):
    %n = list.length %l0 : (!list.of<!list.of<tensor<4xf32>>>) -> tensor<i32>
    flow.yield %n : (tensor<i32>) -> ()
  } on_false {
  ^bb0(%l0: !list.of<!list.of<tensor<4xf32>>>, %i0: tensor<i32>, %x0: tensor<4xf32>):
    flow.yield %i0 : (tensor<i32>) -> ()
  }
  flow.fetch %r {name = "r"} : (tensor<i32>) -> ()
}
