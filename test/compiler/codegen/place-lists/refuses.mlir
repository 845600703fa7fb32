// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Codelets with more than one of a list at a time, which have no place.
// RUN: sluice-opt %s --allow-unregistered-dialect -split-input-file -verify-diagnostics --codegen-place-lists

flow.graph @two_changes {
  %l = "test.value"() : () -> !list.of<tensor<f32>>
  %x = "test.value"() : () -> tensor<f32>
  %r:2 = flow.codelet (%l, %x) : (!list.of<tensor<f32>>, tensor<f32>) -> (!list.of<tensor<f32>>, !list.of<tensor<f32>>) {
  ^bb0(%l0: !list.of<tensor<f32>>, %x0: tensor<f32>):
    %l1 = list.push %l0, %x0 {limit = -1 : i64} : (!list.of<tensor<f32>>, tensor<f32>) -> !list.of<tensor<f32>>
    // expected-error @+1 {{expected lists of which there is one at a time, but this looks at a list that was changed before}}
    %l2 = list.push %l0, %x0 {limit = -1 : i64} : (!list.of<tensor<f32>>, tensor<f32>) -> !list.of<tensor<f32>>
    flow.yield %l1, %l2 : (!list.of<tensor<f32>>, !list.of<tensor<f32>>) -> ()
  }
}

// -----

flow.graph @element_of_what_was {
  %l = "test.value"() : () -> !list.of<tensor<f32>>
  %x = "test.value"() : () -> tensor<f32>
  %r:2 = flow.codelet (%l, %x) : (!list.of<tensor<f32>>, tensor<f32>) -> (!list.of<tensor<f32>>, tensor<f32>) {
  ^bb0(%l0: !list.of<tensor<f32>>, %x0: tensor<f32>):
    %l1 = list.push %l0, %x0 {limit = -1 : i64} : (!list.of<tensor<f32>>, tensor<f32>) -> !list.of<tensor<f32>>
    %n = list.length %l1 : (!list.of<tensor<f32>>) -> tensor<i32>
    // expected-error @+1 {{but this looks at a list that was changed before}}
    %v = list.peek %l0, %n {element_shape = tensor<*xf32>} : (!list.of<tensor<f32>>, tensor<i32>) -> tensor<f32>
    flow.yield %l1, %v : (!list.of<tensor<f32>>, tensor<f32>) -> ()
  }
}

// -----

flow.graph @one_of_two {
  %l = "test.value"() : () -> !list.of<tensor<f32>>
  %p = "test.value"() : () -> tensor<i1>
  %n = "test.value"() : () -> tensor<i32>
  %r = flow.codelet (%l, %p, %n) : (!list.of<tensor<f32>>, tensor<i1>, tensor<i32>) -> !list.of<tensor<f32>> {
  ^bb0(%l0: !list.of<tensor<f32>>, %p0: tensor<i1>, %n0: tensor<i32>):
    // expected-error @+1 {{but this makes one of several lists that take each other's place}}
    %m0 = list.make %n0 {element_shape = tensor<f32>, identical = false} : (tensor<i32>) -> !list.of<tensor<f32>>
    %l1 = flow.cond %p0 (%l0, %m0) : (tensor<i1>, !list.of<tensor<f32>>, !list.of<tensor<f32>>) -> !list.of<tensor<f32>> on_true {
    ^bb0(%a: !list.of<tensor<f32>>, %b: !list.of<tensor<f32>>):
      flow.yield %a : (!list.of<tensor<f32>>) -> ()
    } on_false {
    ^bb0(%a: !list.of<tensor<f32>>, %b: !list.of<tensor<f32>>):
      flow.yield %b : (!list.of<tensor<f32>>) -> ()
    }
    flow.yield %l1 : (!list.of<tensor<f32>>) -> ()
  }
}
