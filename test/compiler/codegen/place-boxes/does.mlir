// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values of codelets that code does not hold, and the ops on them.
// RUN: sluice-opt %s --allow-unregistered-dialect -split-input-file --codegen-place-boxes | FileCheck %s

// A tensor that grows is moved round the loop; its counter is code.
// CHECK-LABEL: flow.graph @grows
// CHECK: ^bb0(%[[X:.*]]: tensor<?xf32>, %[[N:.*]]: tensor<i32>):
// CHECK-NEXT: flow.box_put %[[X]] {box = [[CARRIED:[0-9]+]] : i64, last = true}
// CHECK-NEXT: flow.while(%[[N]]) () {{.*}} : (tensor<i32>) -> tensor<i32> before
// CHECK: nd.less
// CHECK-NEXT: flow.box_move {{.*}}from = [[CARRIED]] : i64, last = true, to = [[LAST:[0-9]+]] : i64
// CHECK-NEXT: flow.condition
// CHECK: flow.box_run {{.*}}inputs = array<i64: [[LAST]]>, last = array<i64>, results = array<i64: [[LONGER:[0-9]+]]>}
// CHECK: ^bb0(%[[A:.*]]: tensor<?xf32>):
// CHECK-NEXT: %[[AXIS:.*]] = nd.constant
// CHECK-NEXT: %[[B:.*]] = nd.concat %[[A]], %[[A]], %[[AXIS]]
// CHECK-NEXT: flow.yield %[[B]]
// CHECK: flow.box_move {{.*}}from = [[LONGER]] : i64, last = true, to = [[CARRIED]] : i64
// CHECK-NEXT: flow.yield %{{.*}} : (tensor<i32>)
// CHECK: %[[R:.*]] = flow.box_get {{.*}}box = [[LAST]] : i64} : () -> tensor<?xf32>
// CHECK-NEXT: flow.yield %[[R]]
flow.graph @grows {
  %x = "test.value"() : () -> tensor<?xf32>
  %n = "test.value"() : () -> tensor<i32>
  %r = flow.codelet (%x, %n) : (tensor<?xf32>, tensor<i32>) -> tensor<?xf32> {
  ^bb0(%x0: tensor<?xf32>, %n0: tensor<i32>):
    %l:2 = flow.while (%x0, %n0) () {codegen.boxed_operands = array<i64>, codegen.boxed_results = array<i64: 0>, frame = "f", parallel_iterations = 1 : i64} : (tensor<?xf32>, tensor<i32>) -> (tensor<?xf32>, tensor<i32>) before {
    ^bb0(%x1: tensor<?xf32>, %n1: tensor<i32>):
      %z = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
      %p = nd.less %z, %n1 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      flow.condition %p (%x1, %n1) : (tensor<i1>, tensor<?xf32>, tensor<i32>) -> ()
    } body {
    ^bb0(%x2: tensor<?xf32>, %n2: tensor<i32>):
      %z = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
      %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
      %x3 = nd.concat %x2, %x2, %z : (tensor<?xf32>, tensor<?xf32>, tensor<i32>) -> tensor<?xf32>
      %n3 = nd.sub %n2, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
      flow.yield %x3, %n3 : (tensor<?xf32>, tensor<i32>) -> ()
    }
    flow.yield %l#0 : (tensor<?xf32>) -> ()
  }
}

// -----

// What code holds goes into a box once, where it is made; what a kernel gives of a known size is read.
// CHECK-LABEL: flow.graph @reads
// CHECK: ^bb0(%[[P:.*]]: tensor<i1>, %[[T:.*]]: tensor<6xf32>, %[[I:.*]]: tensor<1xi32>):
// CHECK-NEXT: flow.box_put %[[I]] {box = [[BI:[0-9]+]] : i64, last = false}
// CHECK-NEXT: flow.box_put %[[T]] {box = [[BT:[0-9]+]] : i64, last = false}
// CHECK: flow.cond
// CHECK: flow.box_run {{.*}}inputs = array<i64: [[BT]], [[BI]]>, last = array<i64>, results = array<i64: [[R:[0-9]+]]>}
// CHECK: %[[E:.*]] = flow.box_get {{.*}}box = [[R]] : i64} : () -> tensor<f32>
// CHECK-NEXT: flow.box_run {{.*}}inputs = array<i64: [[BT]], [[BI]]>
// CHECK: %[[F:.*]] = flow.box_get
// CHECK-NEXT: nd.add %[[E]], %[[F]]
flow.graph @reads {
  %p = "test.value"() : () -> tensor<i1>
  %t = "test.value"() : () -> tensor<6xf32>
  %i = "test.value"() : () -> tensor<1xi32>
  %r = flow.codelet (%p, %t, %i) : (tensor<i1>, tensor<6xf32>, tensor<1xi32>) -> tensor<f32> {
  ^bb0(%p0: tensor<i1>, %t0: tensor<6xf32>, %i0: tensor<1xi32>):
    %c = flow.cond %p0 (%t0, %i0) {codegen.boxed_operands = array<i64>, codegen.boxed_results = array<i64>} : (tensor<i1>, tensor<6xf32>, tensor<1xi32>) -> tensor<f32> on_true {
    ^bb0(%t1: tensor<6xf32>, %i1: tensor<1xi32>):
      %e = nd.gather_nd %t1, %i1 : (tensor<6xf32>, tensor<1xi32>) -> tensor<f32>
      %f = nd.gather_nd %t1, %i1 : (tensor<6xf32>, tensor<1xi32>) -> tensor<f32>
      %s = nd.add %e, %f : (tensor<f32>, tensor<f32>) -> tensor<f32>
      flow.yield %s : (tensor<f32>) -> ()
    } on_false {
    ^bb0(%t1: tensor<6xf32>, %i1: tensor<1xi32>):
      %one = nd.constant {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
      flow.yield %one : (tensor<f32>) -> ()
    }
    flow.yield %c : (tensor<f32>) -> ()
  }
}

// -----

// Two values change places; what a loop carries and what it forwards are in different boxes. A list that
// nobody asks for again is `last`, so that it is changed where it lies, in a branch as well.
// CHECK-LABEL: flow.graph @swaps
// CHECK: flow.while
// CHECK: flow.box_move {{.*}}from = [[A:[0-9]+]] : i64, last = true, to = [[C:[0-9]+]] : i64
// CHECK-NEXT: flow.box_move {{.*}}from = [[B:[0-9]+]] : i64, last = true, to = [[D:[0-9]+]] : i64
// CHECK-NEXT: flow.condition
// CHECK: flow.box_move {{.*}}from = [[D]] : i64, last = true, to = [[A]] : i64
// CHECK-NEXT: flow.box_move {{.*}}from = [[C]] : i64, last = true, to = [[B]] : i64
// CHECK: flow.cond
// CHECK: flow.box_run {{.*}}inputs = array<i64: {{[0-9]+}}, {{[0-9]+}}>, last = array<i64: 0, 1>,
// CHECK: list.declare_shape
flow.graph @swaps {
  %p = "test.value"() : () -> tensor<i1>
  %x = "test.value"() : () -> tensor<*xf32>
  %l = "test.value"() : () -> !list.of<tensor<4xf32>>
  %n = "test.value"() : () -> tensor<i32>
  %r:3 = flow.codelet (%p, %x, %l, %n) : (tensor<i1>, tensor<*xf32>, !list.of<tensor<4xf32>>, tensor<i32>) -> (tensor<*xf32>, tensor<*xf32>, !list.of<tensor<4xf32>>) {
  ^bb0(%p0: tensor<i1>, %x0: tensor<*xf32>, %l0: !list.of<tensor<4xf32>>, %n0: tensor<i32>):
    %w:2 = flow.while (%x0, %x0) (%p0) {codegen.boxed_operands = array<i64>, codegen.boxed_results = array<i64>, frame = "f", parallel_iterations = 1 : i64} : (tensor<*xf32>, tensor<*xf32>, tensor<i1>) -> (tensor<*xf32>, tensor<*xf32>) before {
    ^bb0(%a: tensor<*xf32>, %b: tensor<*xf32>, %q: tensor<i1>):
      flow.condition %q (%a, %b) : (tensor<i1>, tensor<*xf32>, tensor<*xf32>) -> ()
    } body {
    ^bb0(%a: tensor<*xf32>, %b: tensor<*xf32>, %q: tensor<i1>):
      flow.yield %b, %a : (tensor<*xf32>, tensor<*xf32>) -> ()
    }
    %c = flow.cond %p0 (%l0, %n0) {codegen.boxed_operands = array<i64>, codegen.boxed_results = array<i64>} : (tensor<i1>, !list.of<tensor<4xf32>>, tensor<i32>) -> !list.of<tensor<4xf32>> on_true {
    ^bb0(%l1: !list.of<tensor<4xf32>>, %n1: tensor<i32>):
      %l2 = list.declare_shape %l1, %n1 : (!list.of<tensor<4xf32>>, tensor<i32>) -> !list.of<tensor<4xf32>>
      flow.yield %l2 : (!list.of<tensor<4xf32>>) -> ()
    } on_false {
    ^bb0(%l1: !list.of<tensor<4xf32>>, %n1: tensor<i32>):
      flow.yield %l1 : (!list.of<tensor<4xf32>>) -> ()
    }
    flow.yield %w#0, %w#1, %c : (tensor<*xf32>, tensor<*xf32>, !list.of<tensor<4xf32>>) -> ()
  }
}

// -----

// What changes in a few elements stays in its box, although code could hold it; else all of it would go to the
// kernel and back in each iteration.
// CHECK-LABEL: flow.graph @changes
// CHECK: ^bb0(%[[X:.*]]: tensor<900x8xf32>, %[[U:.*]]: tensor<8xf32>, %[[N:.*]]: tensor<i32>):
// CHECK: flow.box_put %[[X]] {box = [[CARRIED:[0-9]+]] : i64, last = true}
// CHECK: flow.while(%[[N]])
// CHECK-NOT: flow.box_put %{{.*}} : (tensor<900x8xf32>)
// CHECK: nd.update_points
// CHECK-NOT: flow.box_get {{.*}} tensor<900x8xf32>
// CHECK: flow.box_move {{.*}}to = [[CARRIED]] : i64
// CHECK: flow.box_get {{.*}} -> tensor<900x8xf32>
flow.graph @changes {
  %x = "test.value"() : () -> tensor<900x8xf32>
  %u = "test.value"() : () -> tensor<8xf32>
  %n = "test.value"() : () -> tensor<i32>
  %r = flow.codelet (%x, %u, %n) : (tensor<900x8xf32>, tensor<8xf32>, tensor<i32>) -> tensor<900x8xf32> {
  ^bb0(%x0: tensor<900x8xf32>, %u0: tensor<8xf32>, %n0: tensor<i32>):
    %l:2 = flow.while (%x0, %n0) (%u0) {codegen.boxed_operands = array<i64>, codegen.boxed_results = array<i64>, frame = "f", parallel_iterations = 1 : i64} : (tensor<900x8xf32>, tensor<i32>, tensor<8xf32>) -> (tensor<900x8xf32>, tensor<i32>) before {
    ^bb0(%x1: tensor<900x8xf32>, %n1: tensor<i32>, %u1: tensor<8xf32>):
      %z = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
      %p = nd.less %z, %n1 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      flow.condition %p (%x1, %n1) : (tensor<i1>, tensor<900x8xf32>, tensor<i32>) -> ()
    } body {
    ^bb0(%x2: tensor<900x8xf32>, %n2: tensor<i32>, %u2: tensor<8xf32>):
      %one = nd.constant {value = dense<1> : tensor<1xi32>} : () -> tensor<1xi32>
      %less = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
      %x3 = nd.update_points %x2, %one, %u2 {how = "add", ignore_bad_indices = false} : (tensor<900x8xf32>, tensor<1xi32>, tensor<8xf32>) -> tensor<900x8xf32>
      %n3 = nd.sub %n2, %less : (tensor<i32>, tensor<i32>) -> tensor<i32>
      flow.yield %x3, %n3 : (tensor<900x8xf32>, tensor<i32>) -> ()
    }
    flow.yield %l#0 : (tensor<900x8xf32>) -> ()
  }
}
