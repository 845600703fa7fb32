// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements that integers choose. The integers have no derivatives, but these need them.
// RUN: sluice-opt %s --split-input-file --differentiate-build-gradients | FileCheck %s

// A row of zeros.
// CHECK-LABEL: flow.graph @row
// CHECK: %[[I:.*]] = flow.feed {{.*}}"i"
// CHECK: nd.row
// CHECK: %[[ONES:.*]] = nd.constant {value = dense<1.0
// CHECK: %[[ZEROS:.*]] = nd.constant {value = dense<0.0
// CHECK: %[[DX:.*]] = nd.set_row %[[ZEROS]], %[[I]], %[[ONES]]
// CHECK: flow.fetch %[[DX]]
flow.graph @row {
  %i = flow.feed {name = "i"} : () -> tensor<i32>
  %0 = flow.feed {name = "x"} : () -> tensor<4x2xf32>
  %x = flow.independent %0 {name = "x"} : (tensor<4x2xf32>) -> tensor<4x2xf32>
  %y = nd.row %x, %i : (tensor<4x2xf32>, tensor<i32>) -> tensor<2xf32>
  %dx = flow.gradient of %y seeds wrt %x stops {name = "gradients"} : (tensor<2xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
  flow.fetch %dx {name = "dx"} : (tensor<4x2xf32>) -> ()
}

// -----

// What was overwritten has zeros; what was written, the row.
// CHECK-LABEL: flow.graph @set_row
// CHECK: %[[I:.*]] = flow.feed {{.*}}"i"
// CHECK: %[[DY:.*]] = nd.add
// CHECK: %[[ZEROS:.*]] = nd.constant {value = dense<0.0
// CHECK: %[[DX:.*]] = nd.set_row %[[DY]], %[[I]], %[[ZEROS]]
// CHECK: %[[DR:.*]] = nd.row %[[DY]], %[[I]]
// CHECK: flow.fetch %[[DX]]
// CHECK: flow.fetch %[[DR]]
flow.graph @set_row {
  %i = flow.feed {name = "i"} : () -> tensor<i32>
  %0 = flow.feed {name = "x"} : () -> tensor<4x2xf32>
  %x = flow.independent %0 {name = "x"} : (tensor<4x2xf32>) -> tensor<4x2xf32>
  %1 = flow.feed {name = "r"} : () -> tensor<2xf32>
  %r = flow.independent %1 {name = "r"} : (tensor<2xf32>) -> tensor<2xf32>
  %y = nd.set_row %x, %i, %r : (tensor<4x2xf32>, tensor<i32>, tensor<2xf32>) -> tensor<4x2xf32>
  %z = nd.mul %y, %y : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
  %dx, %dr = flow.gradient of %z seeds wrt %x, %r stops {name = "gradients"} : (tensor<4x2xf32>, tensor<4x2xf32>, tensor<2xf32>) -> (tensor<4x2xf32>, tensor<2xf32>)
  flow.fetch %dx {name = "dx"} : (tensor<4x2xf32>) -> ()
  flow.fetch %dr {name = "dr"} : (tensor<2xf32>) -> ()
}

// -----

// What was taken twice gets the sum.
// CHECK-LABEL: flow.graph @gather
// CHECK: %[[I:.*]] = flow.feed {{.*}}"i"
// CHECK: nd.gather
// CHECK: %[[ONES:.*]] = nd.constant {value = dense<1.0
// CHECK: %[[DX:.*]] = nd.unsorted_segment_sum %[[ONES]], %[[I]], %{{.*}} : {{.*}} -> tensor<4x2xf32>
// CHECK: flow.fetch %[[DX]]
flow.graph @gather {
  %axis = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %i = flow.feed {name = "i"} : () -> tensor<3xi32>
  %0 = flow.feed {name = "x"} : () -> tensor<4x2xf32>
  %x = flow.independent %0 {name = "x"} : (tensor<4x2xf32>) -> tensor<4x2xf32>
  %y = nd.gather %x, %i, %axis {batch_dims = 0 : i64} : (tensor<4x2xf32>, tensor<3xi32>, tensor<i32>) -> tensor<3x2xf32>
  %dx = flow.gradient of %y seeds wrt %x stops {name = "gradients"} : (tensor<3x2xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
  flow.fetch %dx {name = "dx"} : (tensor<4x2xf32>) -> ()
}

// -----

// CHECK-LABEL: flow.graph @gather_nd
// CHECK: %[[I:.*]] = flow.feed {{.*}}"i"
// CHECK: nd.gather_nd
// CHECK: %[[ONES:.*]] = nd.constant {value = dense<1.0
// CHECK: %[[DX:.*]] = nd.scatter_nd %[[I]], %[[ONES]], %{{.*}} : {{.*}} -> tensor<4x2xf32>
// CHECK: flow.fetch %[[DX]]
flow.graph @gather_nd {
  %i = flow.feed {name = "i"} : () -> tensor<3x1xi32>
  %0 = flow.feed {name = "x"} : () -> tensor<4x2xf32>
  %x = flow.independent %0 {name = "x"} : (tensor<4x2xf32>) -> tensor<4x2xf32>
  %y = nd.gather_nd %x, %i : (tensor<4x2xf32>, tensor<3x1xi32>) -> tensor<3x2xf32>
  %dx = flow.gradient of %y seeds wrt %x stops {name = "gradients"} : (tensor<3x2xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
  flow.fetch %dx {name = "dx"} : (tensor<4x2xf32>) -> ()
}

// -----

// Rows of an embedding in a loop: the word is looked up again, as the index of a capture by the counter, so nothing
// is saved. The derivative of the embedding is summed.
// CHECK-LABEL: flow.graph @in_a_loop
// CHECK-NOT: list.
// CHECK: flow.while({{.*}}"loop"
// CHECK: %[[ZEROS:.*]] = nd.constant {value = dense<0.0{{.*}}tensor<4x2xf32>
// CHECK: %[[MIRROR:.*]]:3 = flow.while(%{{.*}}, %{{.*}}, %[[ZEROS]]) (%{{.*}}) {frame = "loop/mirror"
// CHECK: } body {
// CHECK: %[[INDEX:.*]] = nd.sub
// CHECK: %[[WORD:.*]] = nd.row %{{.*}}, %[[INDEX]]
// CHECK: %[[PART:.*]] = nd.set_row %{{.*}}, %[[WORD]], %[[DS:.*]] :
// CHECK: %[[SUM:.*]] = nd.add %{{.*}}, %[[PART]]
// CHECK: flow.yield %{{.*}}, %[[DS]], %[[SUM]]
// CHECK-NOT: list.
// CHECK: flow.fetch %[[MIRROR]]#2
flow.graph @in_a_loop {
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %begin = nd.constant {value = dense<0.0> : tensor<2xf32>} : () -> tensor<2xf32>
  %words = flow.feed {name = "words"} : () -> tensor<7xi32>
  %0 = flow.feed {name = "x"} : () -> tensor<4x2xf32>
  %x = flow.independent %0 {name = "x"} : (tensor<4x2xf32>) -> tensor<4x2xf32>
  %r:2 = flow.while (%zero, %begin) (%words, %x) {frame = "loop", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<2xf32>, tensor<7xi32>, tensor<4x2xf32>) -> (tensor<i32>, tensor<2xf32>) before {
  ^bb0(%i: tensor<i32>, %s: tensor<2xf32>, %w: tensor<7xi32>, %e: tensor<4x2xf32>):
    %seven = nd.constant {value = dense<7> : tensor<i32>} : () -> tensor<i32>
    %p = nd.less %i, %seven : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %s) : (tensor<i1>, tensor<i32>, tensor<2xf32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %s: tensor<2xf32>, %w: tensor<7xi32>, %e: tensor<4x2xf32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %j = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %word = nd.row %w, %i : (tensor<7xi32>, tensor<i32>) -> tensor<i32>
    %row = nd.row %e, %word : (tensor<4x2xf32>, tensor<i32>) -> tensor<2xf32>
    %t = nd.add %s, %row : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    flow.yield %j, %t : (tensor<i32>, tensor<2xf32>) -> ()
  }
  %dx = flow.gradient of %r#1 seeds wrt %x stops {name = "gradients"} : (tensor<2xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
  flow.fetch %dx {name = "dx"} : (tensor<4x2xf32>) -> ()
}

// -----

// Rows that a loop chooses of what it captures: what comes back is added to these rows of the sum, and not to all.
// CHECK-LABEL: flow.graph @rows_in_loop
// CHECK: frame = "loop/mirror"
// CHECK: } body {
// CHECK-NEXT: ^bb0(%{{.*}}: tensor<i32>, %[[DS:.*]]: tensor<2xf32>, %[[SUM:.*]]: tensor<9x2xf32>
// CHECK-NOT: nd.unsorted_segment_sum
// CHECK: %[[POINTS:.*]] = nd.expand_dims %{{.*}} : (tensor<3xi32>, tensor<i32>) -> tensor<3x1xi32>
// CHECK: %[[NEXT:.*]] = nd.update_points %[[SUM]], %[[POINTS]], %{{.*}} {how = "add", ignore_bad_indices = false}
// CHECK-NOT: nd.unsorted_segment_sum
// CHECK: flow.yield %{{.*}}, %{{.*}}, %[[NEXT]]
flow.graph @rows_in_loop {
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %none = nd.constant {value = dense<0.0> : tensor<2xf32>} : () -> tensor<2xf32>
  %0 = flow.feed {name = "rows"} : () -> tensor<9x2xf32>
  %rows = flow.independent %0 {name = "rows"} : (tensor<9x2xf32>) -> tensor<9x2xf32>
  %ids = flow.feed {name = "ids"} : () -> tensor<3xi32>
  %r:2 = flow.while (%zero, %none) (%rows, %ids) {frame = "loop", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<2xf32>, tensor<9x2xf32>, tensor<3xi32>) -> (tensor<i32>, tensor<2xf32>) before {
  ^bb0(%i: tensor<i32>, %s: tensor<2xf32>, %a: tensor<9x2xf32>, %b: tensor<3xi32>):
    %limit = nd.constant {value = dense<3> : tensor<i32>} : () -> tensor<i32>
    %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %s) : (tensor<i1>, tensor<i32>, tensor<2xf32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %s: tensor<2xf32>, %a: tensor<9x2xf32>, %b: tensor<3xi32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %axis = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %j = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %chosen = nd.gather %a, %b, %axis {batch_dims = 0 : i64} : (tensor<9x2xf32>, tensor<3xi32>, tensor<i32>) -> tensor<3x2xf32>
    %sum = nd.reduce_sum %chosen, %axis {keep_dims = false} : (tensor<3x2xf32>, tensor<i32>) -> tensor<2xf32>
    %t = nd.add %s, %sum : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    flow.yield %j, %t : (tensor<i32>, tensor<2xf32>) -> ()
  }
  %d = flow.gradient of %r#1 seeds wrt %rows stops {name = "gradients"} : (tensor<2xf32>, tensor<9x2xf32>) -> tensor<9x2xf32>
  flow.fetch %d {name = "d"} : (tensor<9x2xf32>) -> ()
}
