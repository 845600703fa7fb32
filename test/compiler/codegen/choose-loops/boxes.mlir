// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops and branches that become code with boxes, each for one reason. Noted are the operands that are
// lists to be boxed, and the results that leave a box.
// RUN: sluice-opt --codegen-choose-loops %s | FileCheck %s

// Sizes that change.
// CHECK-LABEL: flow.graph @grows
// CHECK: codegen.boxed_operands = array<i64>, codegen.boxed_results = array<i64: 0>, codegen.collapse
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

// Nothing inside looks at the complex number, which is in a box.
// CHECK-LABEL: flow.graph @carries_complex
// CHECK: codegen.boxed_operands = array<i64>, codegen.boxed_results = array<i64: 1>, codegen.collapse
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

// Elements of unknown rank.
// CHECK-LABEL: flow.graph @unknown_rank
// CHECK: codegen.boxed_operands = array<i64: 1>, codegen.boxed_results = array<i64>, codegen.collapse
flow.graph @unknown_rank {
  %p = flow.feed {name = "p"} : () -> tensor<i1>
  %i = flow.feed {name = "i"} : () -> tensor<i32>
  %x = flow.feed {name = "x"} : () -> tensor<4xf32>
  %l = list.make %i {element_shape = tensor<*xf32>, identical = false} : (tensor<i32>) -> !list.of<tensor<*xf32>>
  %r = flow.cond %p (%l, %i, %x) : (tensor<i1>, !list.of<tensor<*xf32>>, tensor<i32>, tensor<4xf32>) -> tensor<4xf32> on_true {
  ^bb0(%l0: !list.of<tensor<*xf32>>, %i0: tensor<i32>, %x0: tensor<4xf32>):
    %m = list.push %l0, %x0 {limit = -1 : i64} : (!list.of<tensor<*xf32>>, tensor<4xf32>) -> !list.of<tensor<*xf32>>
    %v, %m1 = list.pop %m {element_shape = tensor<*xf32>} : (!list.of<tensor<*xf32>>) -> (tensor<4xf32>, !list.of<tensor<*xf32>>)
    flow.yield %v : (tensor<4xf32>) -> ()
  } on_false {
  ^bb0(%l0: !list.of<tensor<*xf32>>, %i0: tensor<i32>, %x0: tensor<4xf32>):
    flow.yield %x0 : (tensor<4xf32>) -> ()
  }
  flow.fetch %r {name = "r"} : (tensor<4xf32>) -> ()
}

// Nobody has seen to it that rows are alike.
// CHECK-LABEL: flow.graph @may_differ
// CHECK: codegen.boxed_operands = array<i64: 1>, codegen.boxed_results = array<i64>, codegen.collapse
flow.graph @may_differ {
  %p = flow.feed {name = "p"} : () -> tensor<i1>
  %i = flow.feed {name = "i"} : () -> tensor<i32>
  %x = flow.feed {name = "x"} : () -> tensor<4xf32>
  %made = list.make %i {element_shape = tensor<?xf32>, identical = false} : (tensor<i32>) -> !list.of<tensor<?xf32>>
  %l = list.push %made, %x {limit = -1 : i64} : (!list.of<tensor<?xf32>>, tensor<4xf32>) -> !list.of<tensor<?xf32>>
  %r = flow.cond %p (%l, %i, %x) : (tensor<i1>, !list.of<tensor<?xf32>>, tensor<i32>, tensor<4xf32>) -> tensor<i32> on_true {
  ^bb0(%l0: !list.of<tensor<?xf32>>, %i0: tensor<i32>, %x0: tensor<4xf32>):
    %n = list.length %l0 : (!list.of<tensor<?xf32>>) -> tensor<i32>
    flow.yield %n : (tensor<i32>) -> ()
  } on_false {
  ^bb0(%l0: !list.of<tensor<?xf32>>, %i0: tensor<i32>, %x0: tensor<4xf32>):
    flow.yield %i0 : (tensor<i32>) -> ()
  }
  flow.fetch %r {name = "r"} : (tensor<i32>) -> ()
}

// An op on a whole list.
// CHECK-LABEL: flow.graph @whole_list
// CHECK: codegen.boxed_operands = array<i64>, codegen.boxed_results = array<i64>, codegen.collapse
flow.graph @whole_list {
  %p = flow.feed {name = "p"} : () -> tensor<i1>
  %i = flow.feed {name = "i"} : () -> tensor<i32>
  %x = flow.feed {name = "x"} : () -> tensor<4xf32>
  %l = list.make %i {element_shape = tensor<4xf32>, identical = false} : (tensor<i32>) -> !list.of<tensor<4xf32>>
  %r = flow.cond %p (%l, %i, %x) : (tensor<i1>, !list.of<tensor<4xf32>>, tensor<i32>, tensor<4xf32>) -> tensor<i32> on_true {
  ^bb0(%l0: !list.of<tensor<4xf32>>, %i0: tensor<i32>, %x0: tensor<4xf32>):
    %m = list.zeros_like %l0 : (!list.of<tensor<4xf32>>) -> !list.of<tensor<4xf32>>
    %n = list.length %m : (!list.of<tensor<4xf32>>) -> tensor<i32>
    flow.yield %n : (tensor<i32>) -> ()
  } on_false {
  ^bb0(%l0: !list.of<tensor<4xf32>>, %i0: tensor<i32>, %x0: tensor<4xf32>):
    flow.yield %i0 : (tensor<i32>) -> ()
  }
  flow.fetch %r {name = "r"} : (tensor<i32>) -> ()
}

// A list that learns the shape of its elements.
// CHECK-LABEL: flow.graph @learns
// CHECK: codegen.boxed_operands = array<i64>, codegen.boxed_results = array<i64>, codegen.collapse
flow.graph @learns {
  %p = flow.feed {name = "p"} : () -> tensor<i1>
  %i = flow.feed {name = "i"} : () -> tensor<i32>
  %x = flow.feed {name = "x"} : () -> tensor<4xf32>
  %l = list.make %i {element_shape = tensor<4xf32>, identical = false} : (tensor<i32>) -> !list.of<tensor<4xf32>>
  %r = flow.cond %p (%l, %i, %x) : (tensor<i1>, !list.of<tensor<4xf32>>, tensor<i32>, tensor<4xf32>) -> tensor<i32> on_true {
  ^bb0(%l0: !list.of<tensor<4xf32>>, %i0: tensor<i32>, %x0: tensor<4xf32>):
    %m = list.make %i0 {element_shape = tensor<*xf32>, identical = true} : (tensor<i32>) -> !list.of<tensor<4xf32>>
    %n = list.length %m : (!list.of<tensor<4xf32>>) -> tensor<i32>
    flow.yield %n : (tensor<i32>) -> ()
  } on_false {
  ^bb0(%l0: !list.of<tensor<4xf32>>, %i0: tensor<i32>, %x0: tensor<4xf32>):
    flow.yield %i0 : (tensor<i32>) -> ()
  }
  flow.fetch %r {name = "r"} : (tensor<i32>) -> ()
}

// An element of another shape is written.
// CHECK-LABEL: flow.graph @writes_another
// CHECK: codegen.boxed_operands = array<i64>, codegen.boxed_results = array<i64>, codegen.collapse
flow.graph @writes_another {
  %p = flow.feed {name = "p"} : () -> tensor<i1>
  %i = flow.feed {name = "i"} : () -> tensor<i32>
  %x = flow.feed {name = "x"} : () -> tensor<4xf32>
  %l = list.make %i {element_shape = tensor<5xf32>, identical = false} : (tensor<i32>) -> !list.of<tensor<5xf32>>
  %r = flow.cond %p (%l, %i, %x) : (tensor<i1>, !list.of<tensor<5xf32>>, tensor<i32>, tensor<4xf32>) -> tensor<i32> on_true {
  ^bb0(%l0: !list.of<tensor<5xf32>>, %i0: tensor<i32>, %x0: tensor<4xf32>):
    %m = list.push %l0, %x0 {limit = -1 : i64} : (!list.of<tensor<5xf32>>, tensor<4xf32>) -> !list.of<tensor<5xf32>>
    %n = list.length %m : (!list.of<tensor<5xf32>>) -> tensor<i32>
    flow.yield %n : (tensor<i32>) -> ()
  } on_false {
  ^bb0(%l0: !list.of<tensor<5xf32>>, %i0: tensor<i32>, %x0: tensor<4xf32>):
    flow.yield %i0 : (tensor<i32>) -> ()
  }
  flow.fetch %r {name = "r"} : (tensor<i32>) -> ()
}

// An element of another shape is expected.
// CHECK-LABEL: flow.graph @reads_another
// CHECK: codegen.boxed_operands = array<i64>, codegen.boxed_results = array<i64>, codegen.collapse
flow.graph @reads_another {
  %p = flow.feed {name = "p"} : () -> tensor<i1>
  %i = flow.feed {name = "i"} : () -> tensor<i32>
  %x = flow.feed {name = "x"} : () -> tensor<4xf32>
  %l = list.make %i {element_shape = tensor<5xf32>, identical = false} : (tensor<i32>) -> !list.of<tensor<5xf32>>
  %r = flow.cond %p (%l, %i, %x) : (tensor<i1>, !list.of<tensor<5xf32>>, tensor<i32>, tensor<4xf32>) -> tensor<4xf32> on_true {
  ^bb0(%l0: !list.of<tensor<5xf32>>, %i0: tensor<i32>, %x0: tensor<4xf32>):
    %v, %m = list.get %l0, %i0 {beyond = false, clear = false} : (!list.of<tensor<5xf32>>, tensor<i32>) -> (tensor<4xf32>, !list.of<tensor<5xf32>>)
    flow.yield %v : (tensor<4xf32>) -> ()
  } on_false {
  ^bb0(%l0: !list.of<tensor<5xf32>>, %i0: tensor<i32>, %x0: tensor<4xf32>):
    flow.yield %x0 : (tensor<4xf32>) -> ()
  }
  flow.fetch %r {name = "r"} : (tensor<4xf32>) -> ()
}

// Two lists at a time.
// CHECK-LABEL: flow.graph @changed_before
// CHECK: codegen.boxed_operands = array<i64>, codegen.boxed_results = array<i64>, codegen.collapse
flow.graph @changed_before {
  %p = flow.feed {name = "p"} : () -> tensor<i1>
  %i = flow.feed {name = "i"} : () -> tensor<i32>
  %x = flow.feed {name = "x"} : () -> tensor<4xf32>
  %l = list.make %i {element_shape = tensor<4xf32>, identical = false} : (tensor<i32>) -> !list.of<tensor<4xf32>>
  %r = flow.cond %p (%l, %i, %x) : (tensor<i1>, !list.of<tensor<4xf32>>, tensor<i32>, tensor<4xf32>) -> tensor<i32> on_true {
  ^bb0(%l0: !list.of<tensor<4xf32>>, %i0: tensor<i32>, %x0: tensor<4xf32>):
    %m = list.push %l0, %x0 {limit = -1 : i64} : (!list.of<tensor<4xf32>>, tensor<4xf32>) -> !list.of<tensor<4xf32>>
    %k = list.push %l0, %x0 {limit = -1 : i64} : (!list.of<tensor<4xf32>>, tensor<4xf32>) -> !list.of<tensor<4xf32>>
    %n = list.length %k : (!list.of<tensor<4xf32>>) -> tensor<i32>
    %o = list.length %m : (!list.of<tensor<4xf32>>) -> tensor<i32>
    %s = nd.add %n, %o : (tensor<i32>, tensor<i32>) -> tensor<i32>
    flow.yield %s : (tensor<i32>) -> ()
  } on_false {
  ^bb0(%l0: !list.of<tensor<4xf32>>, %i0: tensor<i32>, %x0: tensor<4xf32>):
    flow.yield %i0 : (tensor<i32>) -> ()
  }
  flow.fetch %r {name = "r"} : (tensor<i32>) -> ()
}
