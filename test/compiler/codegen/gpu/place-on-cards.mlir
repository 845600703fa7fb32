// What a card is for goes there, with copies where somebody needs a value in the other memory.
// RUN: sluice-opt --codegen-place-on-cards --split-input-file %s | FileCheck %s

// Constants are in the memory in which they are needed; the loss, a number computed of what is on
// the card, stays there until it is fetched.
// CHECK-LABEL: flow.graph @dense
// CHECK-DAG:     %[[X:.*]] = flow.feed
// CHECK-DAG:     %[[ONCARD:.*]] = wire.copy %[[X]] : (tensor<64x32xf32>) -> tensor<64x32xf32, #wire.memory<0>>
// CHECK-DAG:     %[[W:.*]] = nd.constant {{.*}}tensor<32x4xf32, #wire.memory<0>>
// CHECK-NOT:     nd.constant {{.*}}-> tensor<32x4xf32>{{$}}
// CHECK-DAG:     %[[P:.*]] = nd.matmul %[[ONCARD]], %[[W]]
// CHECK-DAG:     %[[M:.*]] = nd.reduce_sum %[[P]], %{{.*}} {keep_dims = false} : (tensor<64x4xf32, #wire.memory<0>>, tensor<2xi32>) -> tensor<f32, #wire.memory<0>>
// CHECK-DAG:     %[[L:.*]] = nd.mul %[[M]], %{{.*}} : (tensor<f32, #wire.memory<0>>, tensor<f32>) -> tensor<f32, #wire.memory<0>>
// CHECK-DAG:     %[[BACK:.*]] = wire.copy %[[L]] : (tensor<f32, #wire.memory<0>>) -> tensor<f32>
// CHECK-DAG:     flow.fetch %[[BACK]]
module attributes {codegen.has_card} {
flow.graph @dense {
  %x = flow.feed {name = "x:0"} : () -> tensor<64x32xf32>
  %w = nd.constant {value = dense<0.5> : tensor<32x4xf32>} : () -> tensor<32x4xf32>
  %axes = nd.constant {value = dense<[0, 1]> : tensor<2xi32>} : () -> tensor<2xi32>
  %two = nd.constant {value = dense<2.0> : tensor<f32>} : () -> tensor<f32>
  %p = nd.matmul %x, %w {transpose_lhs = false, transpose_rhs = false, adjoint_lhs = false, adjoint_rhs = false} : (tensor<64x32xf32>, tensor<32x4xf32>) -> tensor<64x4xf32>
  %m = nd.reduce_sum %p, %axes {keep_dims = false} : (tensor<64x4xf32>, tensor<2xi32>) -> tensor<f32>
  %l = nd.mul %m, %two : (tensor<f32>, tensor<f32>) -> tensor<f32>
  flow.fetch %l {name = "l:0"} : (tensor<f32>) -> ()
}
}

// -----

// Single numbers and the few integers of shapes stay on the host, and so does what a card has no
// code for, the C library's functions.
// CHECK-LABEL: flow.graph @host
// CHECK-NOT:     wire.copy
module attributes {codegen.has_card} {
flow.graph @host {
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %s = flow.feed {name = "s:0"} : () -> tensor<3xi32>
  %d = flow.feed {name = "d:0"} : () -> tensor<100xf64>
  %a = nd.add %x, %x : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %b = nd.mul %s, %s : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
  %c = nd.trunc_mod %d, %d : (tensor<100xf64>, tensor<100xf64>) -> tensor<100xf64>
  flow.fetch %a {name = "a:0"} : (tensor<f32>) -> ()
  flow.fetch %b {name = "b:0"} : (tensor<3xi32>) -> ()
  flow.fetch %c {name = "c:0"} : (tensor<100xf64>) -> ()
}
}

// -----

// A loop carries on the card what its body computes there; its counter stays on the host. What it
// needs on the card is copied in front of it.
// CHECK-LABEL: flow.graph @loop
// CHECK-DAG:     %[[X:.*]] = flow.feed
// CHECK-DAG:     %[[ONCARD:.*]] = wire.copy %[[X]]
// CHECK-DAG:     flow.enter %[[ONCARD]]
// CHECK-NOT:     flow.enter %[[X]]
// CHECK-DAG:     flow.merge %{{.*}}, %{{.*}} : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>,
// CHECK-DAG:     flow.merge %{{.*}}, %{{.*}} : (tensor<100xf32, #wire.memory<0>>, tensor<100xf32, #wire.memory<0>>) -> (tensor<100xf32, #wire.memory<0>>, tensor<i32>,
// CHECK-DAG:     flow.exit %{{.*}} : (tensor<100xf32, #wire.memory<0>>) -> tensor<100xf32, #wire.memory<0>>
module attributes {codegen.has_card} {
flow.graph @loop {
  %x = flow.feed {name = "x:0"} : () -> tensor<100xf32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
  %ten = nd.constant {value = dense<10> : tensor<i32>} : () -> tensor<i32>
  %i0 = flow.enter %zero {frame = "f", constant = false, parallel_iterations = 10 : i64} : (tensor<i32>) -> tensor<i32>
  %x0 = flow.enter %x {frame = "f", constant = false, parallel_iterations = 10 : i64} : (tensor<100xf32>) -> tensor<100xf32>
  %i, %wi, %ti = flow.merge %i0, %in : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, !flow.token)
  %v, %wv, %tv = flow.merge %x0, %vn : (tensor<100xf32>, tensor<100xf32>) -> (tensor<100xf32>, tensor<i32>, !flow.token)
  %less = nd.less %i, %ten : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %c = flow.loop_cond %less : (tensor<i1>) -> tensor<i1>
  %if, %it, %tsi = flow.switch %i, %c : (tensor<i32>, tensor<i1>) -> (tensor<i32>, tensor<i32>, !flow.token)
  %vf, %vt, %tsv = flow.switch %v, %c : (tensor<100xf32>, tensor<i1>) -> (tensor<100xf32>, tensor<100xf32>, !flow.token)
  %i1 = nd.add %it, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %v1 = nd.tanh %vt : (tensor<100xf32>) -> tensor<100xf32>
  %in = flow.next_iteration %i1 : (tensor<i32>) -> tensor<i32>
  %vn = flow.next_iteration %v1 : (tensor<100xf32>) -> tensor<100xf32>
  %out = flow.exit %vf : (tensor<100xf32>) -> tensor<100xf32>
  flow.fetch %out {name = "v:0"} : (tensor<100xf32>) -> ()
}
}

// -----

// What may come of unknown rank from one side stays on the host.
// CHECK-LABEL: flow.graph @unknown_rank
// CHECK:         %[[T:.*]] = nd.tanh
// CHECK:         %[[BACK:.*]] = wire.copy %[[T]] : (tensor<100xf32, #wire.memory<0>>) -> tensor<100xf32>
// CHECK:         flow.merge %[[BACK]], %{{.*}} : (tensor<100xf32>, tensor<*xf32>) -> (tensor<*xf32>,
module attributes {codegen.has_card} {
flow.graph @unknown_rank {
  %x = flow.feed {name = "x:0"} : () -> tensor<100xf32>
  %y = flow.feed {name = "y:0"} : () -> tensor<*xf32>
  %p = flow.feed {name = "p:0"} : () -> tensor<i1>
  %a, %b, %s = flow.switch %x, %p : (tensor<100xf32>, tensor<i1>) -> (tensor<100xf32>, tensor<100xf32>, !flow.token)
  %c, %d, %t = flow.switch %y, %p : (tensor<*xf32>, tensor<i1>) -> (tensor<*xf32>, tensor<*xf32>, !flow.token)
  %h = nd.tanh %a : (tensor<100xf32>) -> tensor<100xf32>
  %m, %i, %u = flow.merge %h, %d : (tensor<100xf32>, tensor<*xf32>) -> (tensor<*xf32>, tensor<i32>, !flow.token)
  flow.fetch %m {name = "m:0"} : (tensor<*xf32>) -> ()
}
}

// -----

// Where there is no card nothing changes.
// CHECK-LABEL: flow.graph @nowhere
// CHECK-NOT:     #wire.memory
flow.graph @nowhere {
  %x = flow.feed {name = "x:0"} : () -> tensor<100xf32>
  %t = nd.tanh %x : (tensor<100xf32>) -> tensor<100xf32>
  flow.fetch %t {name = "t:0"} : (tensor<100xf32>) -> ()
}

// -----

// What is pushed on a stack stays on the card, and comes back from there; a list that is looked at as a
// whole is the host's.
// CHECK-LABEL: flow.graph @stacks
// CHECK-DAG:     list.push %{{.*}}, %{{.*}} {{.*}} : (!list.of<tensor<100xf32, #wire.memory<0>>>, tensor<100xf32, #wire.memory<0>>)
// CHECK-DAG:     list.pop {{.*}} -> (tensor<100xf32, #wire.memory<0>>, !list.of<tensor<100xf32, #wire.memory<0>>>)
// CHECK-DAG:     list.push %{{.*}}, %{{.*}} {{.*}} : (!list.of<tensor<100xf32>>, tensor<100xf32>)
// CHECK-DAG:     list.stack %{{.*}} : (!list.of<tensor<100xf32>>)
module attributes {codegen.has_card} {
flow.graph @stacks {
  %x = flow.feed {name = "x:0"} : () -> tensor<100xf32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %a = nd.tanh %x : (tensor<100xf32>) -> tensor<100xf32>
  %l0 = list.make %zero {element_shape = tensor<100xf32>, identical = false} : (tensor<i32>) -> !list.of<tensor<100xf32>>
  %l1 = list.push %l0, %a {limit = -1 : i64} : (!list.of<tensor<100xf32>>, tensor<100xf32>) -> !list.of<tensor<100xf32>>
  %b, %l2 = list.pop %l1 {element_shape = tensor<*xf32>} : (!list.of<tensor<100xf32>>) -> (tensor<100xf32>, !list.of<tensor<100xf32>>)
  %m0 = list.make %zero {element_shape = tensor<100xf32>, identical = false} : (tensor<i32>) -> !list.of<tensor<100xf32>>
  %m1 = list.push %m0, %a {limit = -1 : i64} : (!list.of<tensor<100xf32>>, tensor<100xf32>) -> !list.of<tensor<100xf32>>
  %c = list.stack %m1 {element_shape = tensor<100xf32>, num_elements = -1 : i64} : (!list.of<tensor<100xf32>>) -> tensor<?x100xf32>
  flow.fetch %b {name = "b:0"} : (tensor<100xf32>) -> ()
  flow.fetch %c {name = "c:0"} : (tensor<?x100xf32>) -> ()
}
}

// -----

// Large rows are read and written where they are used; rows of a number are where they are. What is only
// waited for is not copied, and a gate is no reason to copy in each iteration.
// CHECK-LABEL: flow.graph @rows
// CHECK-DAG:     %[[R:.*]] = flow.feed {name = "rows:0"}
// CHECK-DAG:     %[[RC:.*]] = wire.copy %[[R]] : (tensor<10x100xf32>)
// CHECK-DAG:     nd.row %[[RC]], %{{.*}} -> tensor<100xf32, #wire.memory<0>>
// CHECK-DAG:     nd.set_row {{.*}} -> tensor<10x100xf32, #wire.memory<0>>
// CHECK-DAG:     nd.row %{{.*}}, %{{.*}} : (tensor<10xf32>, tensor<i32>) -> tensor<f32>
// CHECK-DAG:     %[[G:.*]] = flow.gate %[[RC]], %{{.*}}
// CHECK-DAG:     nd.tanh %[[G]]
// CHECK-DAG:     flow.after %{{.*}} : (tensor<100xf32, #wire.memory<0>>) -> !flow.token
module attributes {codegen.has_card} {
flow.graph @rows {
  %rows = flow.feed {name = "rows:0"} : () -> tensor<10x100xf32>
  %numbers = flow.feed {name = "numbers:0"} : () -> tensor<10xf32>
  %i = flow.feed {name = "i:0"} : () -> tensor<i32>
  %row = nd.row %rows, %i : (tensor<10x100xf32>, tensor<i32>) -> tensor<100xf32>
  %t = nd.tanh %row : (tensor<100xf32>) -> tensor<100xf32>
  %written = nd.set_row %rows, %i, %t : (tensor<10x100xf32>, tensor<i32>, tensor<100xf32>) -> tensor<10x100xf32>
  %number = nd.row %numbers, %i : (tensor<10xf32>, tensor<i32>) -> tensor<f32>
  %token = flow.after %t : (tensor<100xf32>) -> !flow.token
  %gated = flow.gate %rows, %token : (tensor<10x100xf32>, !flow.token) -> tensor<10x100xf32>
  %u = nd.tanh %gated : (tensor<10x100xf32>) -> tensor<10x100xf32>
  flow.fetch %written {name = "written:0"} : (tensor<10x100xf32>) -> ()
  flow.fetch %number {name = "number:0"} : (tensor<f32>) -> ()
  flow.fetch %u {name = "u:0"} : (tensor<10x100xf32>) -> ()
}
}

// -----

// Who asks for a shape only takes the value where it is.
// CHECK-LABEL: flow.graph @shape
// CHECK:         %[[T:.*]] = nd.tanh %{{.*}} : (tensor<?x8xf32, #wire.memory<0>>) -> tensor<?x8xf32, #wire.memory<0>>
// CHECK-NEXT:    %[[S:.*]] = nd.shape %[[T]] : (tensor<?x8xf32, #wire.memory<0>>) -> tensor<2xi32>
// CHECK-NEXT:    flow.fetch %[[S]]
module attributes {codegen.has_card} {
flow.graph @shape {
  %x = flow.feed {name = "x:0"} : () -> tensor<?x8xf32>
  %t = nd.tanh %x : (tensor<?x8xf32>) -> tensor<?x8xf32>
  %s = nd.shape %t : (tensor<?x8xf32>) -> tensor<2xi32>
  flow.fetch %s {name = "s:0"} : (tensor<2xi32>) -> ()
}
}

// -----

// A card passes over bad indices, so the host looks at them: those that it has, and copies of those
// that the card has computed, whose tensors it only asks for their shape.
// CHECK-LABEL: flow.graph @gathered
// CHECK-DAG:     %[[T:.*]] = wire.copy %{{.*}} : (tensor<50x8xf32>) -> tensor<50x8xf32, #wire.memory<0>>
// CHECK-DAG:     %[[I:.*]] = flow.feed {name = "i:0"}
// CHECK-DAG:     %[[G:.*]] = nd.gather %[[T]], %{{.*}}, %{{.*}} {batch_dims = 0 : i64} : (tensor<50x8xf32, #wire.memory<0>>, tensor<20xi32, #wire.memory<0>>, tensor<i32>)
// CHECK-DAG:     state.check_range %[[I]], %{{[0-9]+}} {allows_negative = false, dim = 0 : i64, fails = "is not in", name = "indices"}
// CHECK-DAG:     %[[A:.*]] = nd.arg_max %[[G]], %{{.*}} -> tensor<20xi32, #wire.memory<0>>
// CHECK-DAG:     %[[B:.*]] = wire.copy %[[A]] : (tensor<20xi32, #wire.memory<0>>) -> tensor<20xi32>
// CHECK-DAG:     %[[S:.*]] = nd.unsorted_segment_sum %[[G]], %[[A]], %{{.*}} : (tensor<20x8xf32, #wire.memory<0>>, tensor<20xi32, #wire.memory<0>>, tensor<i32>)
// CHECK-DAG:     state.check_range %[[B]], %[[S]] {allows_negative = true, dim = 0 : i64, fails = "is out of range", name = "segment_ids"} : (tensor<20xi32>, tensor<8x8xf32, #wire.memory<0>>)
module attributes {codegen.has_card} {
flow.graph @gathered {
  %t = flow.feed {name = "t:0"} : () -> tensor<50x8xf32>
  %i = flow.feed {name = "i:0"} : () -> tensor<20xi32>
  %axis = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %last = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
  %count = nd.constant {value = dense<8> : tensor<i32>} : () -> tensor<i32>
  %g = nd.gather %t, %i, %axis {batch_dims = 0 : i64} : (tensor<50x8xf32>, tensor<20xi32>, tensor<i32>) -> tensor<20x8xf32>
  %a = nd.arg_max %g, %last : (tensor<20x8xf32>, tensor<i32>) -> tensor<20xi32>
  %s = nd.unsorted_segment_sum %g, %a, %count : (tensor<20x8xf32>, tensor<20xi32>, tensor<i32>) -> tensor<8x8xf32>
  flow.fetch %s {name = "s:0"} : (tensor<8x8xf32>) -> ()
}
}

// -----

// So it is with index vectors, and with divisors; not with those that are known, nor where bad
// vectors are to be passed over.
// CHECK-LABEL: flow.graph @points
// CHECK-DAG:     %[[I:.*]] = flow.feed {name = "i:0"}
// CHECK-DAG:     %[[D:.*]] = flow.feed {name = "d:0"}
// CHECK-DAG:     %[[U:.*]] = nd.update_points %{{.*}} {how = "add", ignore_bad_indices = false}
// CHECK-DAG:     state.check_points %[[I]], %[[U]] {columns = true, fails = "does not index into shape"}
// CHECK-DAG:     nd.update_points %{{.*}} {how = "max", ignore_bad_indices = true} : (tensor<50x8xi32, #wire.memory<0>>, tensor<20x1xi32, #wire.memory<0>>, tensor<20x8xi32, #wire.memory<0>>)
// CHECK-DAG:     %[[G:.*]] = nd.gather_nd
// CHECK-DAG:     state.check_points %[[I]], %{{.*}} {columns = false, fails = "does not index into param shape"}
// CHECK-DAG:     %[[Q:.*]] = nd.floor_div %[[G]], %{{.*}} : (tensor<20x8xi32, #wire.memory<0>>
// CHECK-DAG:     state.check_numbers %[[D]], %[[Q]] {refused = "zero"} : (tensor<20x8xi32>
// CHECK-DAG:     nd.floor_mod %[[Q]], %{{.*}} -> tensor<20x8xi32, #wire.memory<0>>
// CHECK-NOT:     state.check_
// CHECK:         flow.fetch
module attributes {codegen.has_card} {
flow.graph @points {
  %x = flow.feed {name = "x:0"} : () -> tensor<50x8xi32>
  %i = flow.feed {name = "i:0"} : () -> tensor<20x1xi32>
  %d = flow.feed {name = "d:0"} : () -> tensor<20x8xi32>
  %three = nd.constant {value = dense<3> : tensor<i32>} : () -> tensor<i32>
  %u = nd.update_points %x, %i, %d {how = "add", ignore_bad_indices = false} : (tensor<50x8xi32>, tensor<20x1xi32>, tensor<20x8xi32>) -> tensor<50x8xi32>
  %v = nd.update_points %u, %i, %d {how = "max", ignore_bad_indices = true} : (tensor<50x8xi32>, tensor<20x1xi32>, tensor<20x8xi32>) -> tensor<50x8xi32>
  %g = nd.gather_nd %v, %i : (tensor<50x8xi32>, tensor<20x1xi32>) -> tensor<20x8xi32>
  %q = nd.floor_div %g, %d : (tensor<20x8xi32>, tensor<20x8xi32>) -> tensor<20x8xi32>
  %r = nd.floor_mod %q, %three : (tensor<20x8xi32>, tensor<i32>) -> tensor<20x8xi32>
  flow.fetch %r {name = "r:0"} : (tensor<20x8xi32>) -> ()
}
}

// -----

// The host counts where random numbers are, and the card makes them.
// CHECK-LABEL: flow.graph @random
// CHECK:         %[[P:[a-z0-9]*]], %{{.*}} = state.random_position %{{.*}} {generator = @g, seed = 1 : i64, seed2 = 2 : i64} : (tensor<2xi32>, !flow.token) -> (tensor<3xi64>, !flow.token)
// CHECK:         nd.random_uniform %[[P]], %{{.*}} : (tensor<3xi64>, tensor<2xi32>) -> tensor<30x9xf32, #wire.memory<0>>
// CHECK-NOT:     state.random_uniform
module attributes {codegen.has_card} {
state.generator @g {key = "g"}
flow.graph @random {
  %x = flow.feed {name = "x:0"} : () -> tensor<30x9xf32>
  %start = flow.start : () -> !flow.token
  %sizes = nd.constant {value = dense<[30, 9]> : tensor<2xi32>} : () -> tensor<2xi32>
  %r, %t = state.random_uniform %sizes, %start {generator = @g, seed = 1 : i64, seed2 = 2 : i64} : (tensor<2xi32>, !flow.token) -> (tensor<30x9xf32>, !flow.token)
  %y = nd.mul %x, %r : (tensor<30x9xf32>, tensor<30x9xf32>) -> tensor<30x9xf32>
  flow.fetch %y {name = "y:0"} : (tensor<30x9xf32>) -> ()
}
}

// -----

// Special functions that are a fixed sequence of operations have code, and so has half the sum of
// squares. What is summed up is the host's.
// CHECK-LABEL: flow.graph @special
// CHECK-DAG:     sci.erf %{{.*}} : (tensor<64x32xf32, #wire.memory<0>>)
// CHECK-DAG:     sci.lgamma %{{.*}} : (tensor<64x32xf32, #wire.memory<0>>)
// CHECK-DAG:     %[[A:.*]] = sci.atan2 %{{.*}} -> tensor<64x32xf32, #wire.memory<0>>
// CHECK-DAG:     nd.l2_loss %[[A]] : (tensor<64x32xf32, #wire.memory<0>>) -> tensor<f32, #wire.memory<0>>
// CHECK-DAG:     sci.dawsn %{{.*}} : (tensor<64x32xf32>) -> tensor<64x32xf32>
module attributes {codegen.has_card} {
flow.graph @special {
  %x = flow.feed {name = "x:0"} : () -> tensor<64x32xf32>
  %w = nd.constant {value = dense<0.5> : tensor<32x32xf32>} : () -> tensor<32x32xf32>
  %p = nd.matmul %x, %w {transpose_lhs = false, transpose_rhs = false, adjoint_lhs = false, adjoint_rhs = false} : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>
  %e = sci.erf %p : (tensor<64x32xf32>) -> tensor<64x32xf32>
  %g = sci.lgamma %e : (tensor<64x32xf32>) -> tensor<64x32xf32>
  %a = sci.atan2 %g, %p : (tensor<64x32xf32>, tensor<64x32xf32>) -> tensor<64x32xf32>
  %l = nd.l2_loss %a : (tensor<64x32xf32>) -> tensor<f32>
  %d = sci.dawsn %a : (tensor<64x32xf32>) -> tensor<64x32xf32>
  flow.fetch %l {name = "l:0"} : (tensor<f32>) -> ()
  flow.fetch %d {name = "d:0"} : (tensor<64x32xf32>) -> ()
}
}
