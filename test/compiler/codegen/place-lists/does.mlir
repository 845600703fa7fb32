// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lists of codelets become cells, in which ops work in their order.
// RUN: sluice-opt %s --allow-unregistered-dialect -split-input-file --codegen-place-lists | FileCheck %s

// A list that comes in and goes out round a loop, and one that is made and used up inside.
// CHECK-LABEL: @loop
flow.graph @loop {
  %l = "test.value"() : () -> !list.of<tensor<?xf32>>
  %n = "test.value"() : () -> tensor<i32>
  %x = "test.value"() : () -> tensor<?xf32>
  // CHECK: flow.codelet
  // CHECK-NEXT: ^bb0(%[[L:.*]]: !list.of<tensor<?xf32>>, %[[N:.*]]: tensor<i32>, %[[X:.*]]: tensor<?xf32>):
  // CHECK-NEXT: list.cell_open %[[L]] {cell = 0 : i64, element = tensor<?xf32>}
  // CHECK-NEXT: list.cell_open {cell = 1 : i64, element = tensor<f32>}
  // CHECK-NEXT: list.cell_make %[[N]] {cell = 1 : i64, zeros = true}
  // CHECK: %[[I:.*]] = flow.while(%[[N]]) (%[[X]]) {{.*}} : (tensor<i32>, tensor<?xf32>) -> tensor<i32>
  // CHECK: %[[LENGTH:.*]] = list.cell_length {cell = 0 : i64}
  // CHECK: flow.condition %{{.*}}(%{{.*}}) : (tensor<i1>, tensor<i32>)
  // CHECK: ^bb0(%[[J:.*]]: tensor<i32>, %[[V:.*]]: tensor<?xf32>):
  // CHECK-NEXT: list.cell_push %[[V]] {cell = 0 : i64, limit = 9 : i64}
  // CHECK-NEXT: %[[E:.*]] = list.cell_get %[[J]] {beyond = false, cell = 1 : i64, clear = true}
  // CHECK-NEXT: list.cell_set %[[J]], %[[E]] {cell = 1 : i64, grow = true, once = false}
  // CHECK-NEXT: list.cell_accumulate %[[J]], %[[E]] {cell = 1 : i64}
  // CHECK-NEXT: flow.yield %[[J]] : (tensor<i32>)
  // CHECK: %[[P:.*]] = list.cell_pop {cell = 0 : i64, zeros = false}
  // CHECK: %[[OUT:.*]] = list.cell_close {cell = 0 : i64} : () -> !list.of<tensor<?xf32>>
  // CHECK-NEXT: flow.yield %[[OUT]], %[[P]], %[[I]]
  %r:3 = flow.codelet (%l, %n, %x) : (!list.of<tensor<?xf32>>, tensor<i32>, tensor<?xf32>) -> (!list.of<tensor<?xf32>>, tensor<?xf32>, tensor<i32>) {
  ^bb0(%l0: !list.of<tensor<?xf32>>, %n0: tensor<i32>, %x0: tensor<?xf32>):
    %m0 = list.make %n0 {element_shape = tensor<f32>, identical = false} : (tensor<i32>) -> !list.of<tensor<f32>>
    %w:3 = flow.while (%n0, %l0, %m0) (%x0) {frame = "loop", parallel_iterations = 1 : i64} : (tensor<i32>, !list.of<tensor<?xf32>>, !list.of<tensor<f32>>, tensor<?xf32>) -> (tensor<i32>, !list.of<tensor<?xf32>>, !list.of<tensor<f32>>) before {
    ^bb0(%i: tensor<i32>, %l1: !list.of<tensor<?xf32>>, %m1: !list.of<tensor<f32>>, %v: tensor<?xf32>):
      %length = list.length %l1 : (!list.of<tensor<?xf32>>) -> tensor<i32>
      %p = nd.less %length, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
      flow.condition %p (%i, %l1, %m1) : (tensor<i1>, tensor<i32>, !list.of<tensor<?xf32>>, !list.of<tensor<f32>>) -> ()
    } body {
    ^bb0(%j: tensor<i32>, %l2: !list.of<tensor<?xf32>>, %m2: !list.of<tensor<f32>>, %v: tensor<?xf32>):
      %l3 = list.push %l2, %v {limit = 9 : i64} : (!list.of<tensor<?xf32>>, tensor<?xf32>) -> !list.of<tensor<?xf32>>
      %e, %m3 = list.get %m2, %j {beyond = false, clear = true} : (!list.of<tensor<f32>>, tensor<i32>) -> (tensor<f32>, !list.of<tensor<f32>>)
      %m4 = list.set %m3, %j, %e {grow = true, once = false} : (!list.of<tensor<f32>>, tensor<i32>, tensor<f32>) -> !list.of<tensor<f32>>
      %m5 = list.accumulate %m4, %j, %e : (!list.of<tensor<f32>>, tensor<i32>, tensor<f32>) -> !list.of<tensor<f32>>
      flow.yield %j, %l3, %m5 : (tensor<i32>, !list.of<tensor<?xf32>>, !list.of<tensor<f32>>) -> ()
    }
    %pop, %l4 = list.pop %w#1 {element_shape = tensor<*xf32>} : (!list.of<tensor<?xf32>>) -> (tensor<?xf32>, !list.of<tensor<?xf32>>)
    flow.yield %l4, %pop, %w#0 : (!list.of<tensor<?xf32>>, tensor<?xf32>, tensor<i32>) -> ()
  }
}

// -----

// A branch that leaves the list as it is, beside one that does not. An empty row of unknown shape cannot
// be read.
// CHECK-LABEL: @branch
flow.graph @branch {
  %p = "test.value"() : () -> tensor<i1>
  %x = "test.value"() : () -> tensor<f32>
  %n = "test.value"() : () -> tensor<i32>
  // CHECK: ^bb0(%[[P:.*]]: tensor<i1>, %[[X:.*]]: tensor<f32>, %[[N:.*]]: tensor<i32>):
  // CHECK-NEXT: list.cell_open {cell = 0 : i64, element = tensor<f32>}
  // CHECK-NEXT: list.cell_make %[[N]] {cell = 0 : i64, zeros = false}
  // CHECK-NEXT: flow.cond %[[P]](%[[X]]) : (tensor<i1>, tensor<f32>) -> () on_true
  // CHECK: list.cell_push
  // CHECK-NEXT: flow.yield {{.*}}() -> ()
  // CHECK: on_false
  // CHECK-NOT: list.
  // CHECK: flow.yield {{.*}}() -> ()
  // CHECK: list.cell_close {cell = 0 : i64}
  %r = flow.codelet (%p, %x, %n) : (tensor<i1>, tensor<f32>, tensor<i32>) -> !list.of<tensor<f32>> {
  ^bb0(%p0: tensor<i1>, %x0: tensor<f32>, %n0: tensor<i32>):
    %l0 = list.make %n0 {element_shape = tensor<*xf32>, identical = false} : (tensor<i32>) -> !list.of<tensor<f32>>
    %l1 = flow.cond %p0 (%l0, %x0) : (tensor<i1>, !list.of<tensor<f32>>, tensor<f32>) -> !list.of<tensor<f32>> on_true {
    ^bb0(%l2: !list.of<tensor<f32>>, %v: tensor<f32>):
      %l3 = list.push %l2, %v {limit = -1 : i64} : (!list.of<tensor<f32>>, tensor<f32>) -> !list.of<tensor<f32>>
      flow.yield %l3 : (!list.of<tensor<f32>>) -> ()
    } on_false {
    ^bb0(%l2: !list.of<tensor<f32>>, %v: tensor<f32>):
      flow.yield %l2 : (!list.of<tensor<f32>>) -> ()
    }
    flow.yield %l1 : (!list.of<tensor<f32>>) -> ()
  }
}

// -----

// Looks come ahead of the change, wherever they stand. A branch that only looks changes nothing.
// CHECK-LABEL: @looks
flow.graph @looks {
  %l = "test.value"() : () -> !list.of<tensor<2xf32>>
  %p = "test.value"() : () -> tensor<i1>
  %n = "test.value"() : () -> tensor<i32>
  %x = "test.value"() : () -> tensor<2xf32>
  // CHECK: list.cell_open
  // CHECK-NEXT: list.cell_peek %{{.*}} {cell = 0 : i64, zeros = true}
  // CHECK-NEXT: flow.cond
  // CHECK: list.cell_peek %{{.*}} {cell = 0 : i64, zeros = false}
  // CHECK: list.cell_length
  // CHECK: list.cell_set
  // CHECK-NEXT: list.cell_resize
  // CHECK-NEXT: list.cell_limit
  // CHECK-NEXT: list.cell_close
  %r:4 = flow.codelet (%l, %p, %n, %x) : (!list.of<tensor<2xf32>>, tensor<i1>, tensor<i32>, tensor<2xf32>) -> (!list.of<tensor<2xf32>>, tensor<2xf32>, tensor<2xf32>, tensor<i32>) {
  ^bb0(%l0: !list.of<tensor<2xf32>>, %p0: tensor<i1>, %n0: tensor<i32>, %x0: tensor<2xf32>):
    %l1 = list.set %l0, %n0, %x0 {grow = false, once = false} : (!list.of<tensor<2xf32>>, tensor<i32>, tensor<2xf32>) -> !list.of<tensor<2xf32>>
    %l2 = list.resize %l1, %n0 : (!list.of<tensor<2xf32>>, tensor<i32>) -> !list.of<tensor<2xf32>>
    %l3 = list.declare_limit %l2, %n0 : (!list.of<tensor<2xf32>>, tensor<i32>) -> !list.of<tensor<2xf32>>
    %v = list.peek %l0, %n0 {element_shape = tensor<2xf32>} : (!list.of<tensor<2xf32>>, tensor<i32>) -> tensor<2xf32>
    %w = flow.cond %p0 (%l0, %n0, %x0) : (tensor<i1>, !list.of<tensor<2xf32>>, tensor<i32>, tensor<2xf32>) -> tensor<2xf32> on_true {
    ^bb0(%a: !list.of<tensor<2xf32>>, %i: tensor<i32>, %b: tensor<2xf32>):
      %e = list.peek %a, %i {element_shape = tensor<?xf32>} : (!list.of<tensor<2xf32>>, tensor<i32>) -> tensor<2xf32>
      flow.yield %e : (tensor<2xf32>) -> ()
    } on_false {
    ^bb0(%a: !list.of<tensor<2xf32>>, %i: tensor<i32>, %b: tensor<2xf32>):
      flow.yield %b : (tensor<2xf32>) -> ()
    }
    %length = list.length %l0 : (!list.of<tensor<2xf32>>) -> tensor<i32>
    flow.yield %l3, %v, %w, %length : (!list.of<tensor<2xf32>>, tensor<2xf32>, tensor<2xf32>, tensor<i32>) -> ()
  }
}
