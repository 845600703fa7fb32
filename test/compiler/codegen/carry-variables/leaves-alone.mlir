// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops whose variables stay variables.
// RUN: sluice-opt %s --split-input-file --codegen-carry-variables | FileCheck %s

// Assigned before it is read: it may have no value, and needs none.
// CHECK-LABEL: flow.graph @first
// CHECK-NOT: state.take
// CHECK-NOT: state.give
// CHECK: flow.fetch
state.variable @u {key = "u", type = tensor<4xf32>}
flow.graph @first {
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %n = flow.feed {name = "n"} : () -> tensor<i32>
  %x = flow.feed {name = "x"} : () -> tensor<4xf32>
  %u, %ud = state.reference {variable = @u} : () -> (!state.ref<tensor<4xf32>>, !flow.token)
  %r:2 = flow.while (%zero, %x) (%n, %u) {frame = "first", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<4xf32>, tensor<i32>, !state.ref<tensor<4xf32>>) -> (tensor<i32>, tensor<4xf32>) before {
  ^bb0(%i: tensor<i32>, %s: tensor<4xf32>, %limit: tensor<i32>, %a: !state.ref<tensor<4xf32>>):
    %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %s) : (tensor<i1>, tensor<i32>, tensor<4xf32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %s: tensor<4xf32>, %limit: tensor<i32>, %a: !state.ref<tensor<4xf32>>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %t0 = state.assign %a, %s {validate_shape = true} : (!state.ref<tensor<4xf32>>, tensor<4xf32>) -> !flow.token
    %y, %t1 = state.read %a, %t0 : (!state.ref<tensor<4xf32>>, !flow.token) -> (tensor<4xf32>, !flow.token)
    flow.yield %next, %y : (tensor<i32>, tensor<4xf32>) -> ()
  }
  flow.fetch %r#1 {name = "y"} : (tensor<4xf32>) -> ()
}

// -----

// Something is printed: not a loop that becomes code.
// CHECK-LABEL: flow.graph @printed
// CHECK-NOT: state.take
// CHECK-NOT: state.give
// CHECK: flow.fetch
state.variable @u {key = "u", type = tensor<4xf32>}
flow.graph @printed {
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %n = flow.feed {name = "n"} : () -> tensor<i32>
  %x = flow.feed {name = "x"} : () -> tensor<4xf32>
  %u, %ud = state.reference {variable = @u} : () -> (!state.ref<tensor<4xf32>>, !flow.token)
  %r:2 = flow.while (%zero, %x) (%n, %u) {frame = "printed", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<4xf32>, tensor<i32>, !state.ref<tensor<4xf32>>) -> (tensor<i32>, tensor<4xf32>) before {
  ^bb0(%i: tensor<i32>, %s: tensor<4xf32>, %limit: tensor<i32>, %a: !state.ref<tensor<4xf32>>):
    %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %s) : (tensor<i1>, tensor<i32>, tensor<4xf32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %s: tensor<4xf32>, %limit: tensor<i32>, %a: !state.ref<tensor<4xf32>>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %value, %t0 = state.read %a : (!state.ref<tensor<4xf32>>) -> (tensor<4xf32>, !flow.token)
    %t2 = state.print %value {first_n = -1 : i64, message = "m", summarize = 3 : i64} : (tensor<4xf32>) -> !flow.token
    %t1 = state.assign_add %a, %s, %t0 : (!state.ref<tensor<4xf32>>, tensor<4xf32>, !flow.token) -> !flow.token
    %y = flow.gate %value, %t1 : (tensor<4xf32>, !flow.token) -> tensor<4xf32>
    flow.yield %next, %y : (tensor<i32>, tensor<4xf32>) -> ()
  }
  flow.fetch %r#1 {name = "y"} : (tensor<4xf32>) -> ()
}

// -----

// Written in rows, by no rule of arithmetic.
// CHECK-LABEL: flow.graph @rows
// CHECK-NOT: state.take
// CHECK-NOT: state.give
// CHECK: flow.fetch
state.variable @u {key = "u", type = tensor<4xf32>}
flow.graph @rows {
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %n = flow.feed {name = "n"} : () -> tensor<i32>
  %x = flow.feed {name = "x"} : () -> tensor<4xf32>
  %u, %ud = state.reference {variable = @u} : () -> (!state.ref<tensor<4xf32>>, !flow.token)
  %r:2 = flow.while (%zero, %x) (%n, %u) {frame = "rows", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<4xf32>, tensor<i32>, !state.ref<tensor<4xf32>>) -> (tensor<i32>, tensor<4xf32>) before {
  ^bb0(%i: tensor<i32>, %s: tensor<4xf32>, %limit: tensor<i32>, %a: !state.ref<tensor<4xf32>>):
    %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %s) : (tensor<i1>, tensor<i32>, tensor<4xf32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %s: tensor<4xf32>, %limit: tensor<i32>, %a: !state.ref<tensor<4xf32>>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %value, %t0 = state.read %a : (!state.ref<tensor<4xf32>>) -> (tensor<4xf32>, !flow.token)
    %which = nd.constant {value = dense<[1]> : tensor<1xi32>} : () -> tensor<1xi32>
    %by = nd.constant {value = dense<[1.0]> : tensor<1xf32>} : () -> tensor<1xf32>
    %t1 = state.scatter_add %a, %which, %by, %t0 : (!state.ref<tensor<4xf32>>, tensor<1xi32>, tensor<1xf32>, !flow.token) -> !flow.token
    %y = flow.gate %value, %t1 : (tensor<4xf32>, !flow.token) -> tensor<4xf32>
    flow.yield %next, %y : (tensor<i32>, tensor<4xf32>) -> ()
  }
  flow.fetch %r#1 {name = "y"} : (tensor<4xf32>) -> ()
}

// -----

// It may be written in a branch that may run while the loop does so.
// CHECK-LABEL: flow.graph @loose
// CHECK-NOT: state.take
// CHECK-NOT: state.give
// CHECK: flow.fetch
state.variable @u {key = "u", type = tensor<4xf32>}
flow.graph @loose {
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %n = flow.feed {name = "n"} : () -> tensor<i32>
  %x = flow.feed {name = "x"} : () -> tensor<4xf32>
  %u, %ud = state.reference {variable = @u} : () -> (!state.ref<tensor<4xf32>>, !flow.token)
  %r:2 = flow.while (%zero, %x) (%n, %u) {frame = "loose", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<4xf32>, tensor<i32>, !state.ref<tensor<4xf32>>) -> (tensor<i32>, tensor<4xf32>) before {
  ^bb0(%i: tensor<i32>, %s: tensor<4xf32>, %limit: tensor<i32>, %a: !state.ref<tensor<4xf32>>):
    %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %s) : (tensor<i1>, tensor<i32>, tensor<4xf32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %s: tensor<4xf32>, %limit: tensor<i32>, %a: !state.ref<tensor<4xf32>>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %value, %t0 = state.read %a : (!state.ref<tensor<4xf32>>) -> (tensor<4xf32>, !flow.token)
    %t1 = state.assign_add %a, %s, %t0 : (!state.ref<tensor<4xf32>>, tensor<4xf32>, !flow.token) -> !flow.token
    %y = flow.gate %value, %t1 : (tensor<4xf32>, !flow.token) -> tensor<4xf32>
    flow.yield %next, %y : (tensor<i32>, tensor<4xf32>) -> ()
  }
  %wanted = flow.feed {name = "wanted"} : () -> tensor<i1>
  %done = flow.cond %wanted (%u, %x) : (tensor<i1>, !state.ref<tensor<4xf32>>, tensor<4xf32>) -> tensor<i1> on_true {
  ^bb0(%c: !state.ref<tensor<4xf32>>, %v: tensor<4xf32>):
    %yes = nd.constant {value = dense<true> : tensor<i1>} : () -> tensor<i1>
    %t = state.assign %c, %v {validate_shape = true} : (!state.ref<tensor<4xf32>>, tensor<4xf32>) -> !flow.token
    %late = flow.gate %yes, %t : (tensor<i1>, !flow.token) -> tensor<i1>
    flow.yield %late : (tensor<i1>) -> ()
  } on_false {
  ^bb0(%c: !state.ref<tensor<4xf32>>, %v: tensor<4xf32>):
    %no = nd.constant {value = dense<false> : tensor<i1>} : () -> tensor<i1>
    flow.yield %no : (tensor<i1>) -> ()
  }
  flow.fetch %done {name = "done"} : (tensor<i1>) -> ()
  flow.fetch %r#1 {name = "y"} : (tensor<4xf32>) -> ()
}
