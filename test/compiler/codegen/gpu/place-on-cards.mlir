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
// code for: the C library's functions and integer divisions, which may fail.
// CHECK-LABEL: flow.graph @host
// CHECK-NOT:     wire.copy
module attributes {codegen.has_card} {
flow.graph @host {
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %s = flow.feed {name = "s:0"} : () -> tensor<3xi32>
  %d = flow.feed {name = "d:0"} : () -> tensor<100xf64>
  %i = flow.feed {name = "i:0"} : () -> tensor<100xi32>
  %a = nd.add %x, %x : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %b = nd.mul %s, %s : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
  %c = nd.exp %d : (tensor<100xf64>) -> tensor<100xf64>
  %e = nd.floor_div %i, %i : (tensor<100xi32>, tensor<100xi32>) -> tensor<100xi32>
  flow.fetch %a {name = "a:0"} : (tensor<f32>) -> ()
  flow.fetch %b {name = "b:0"} : (tensor<3xi32>) -> ()
  flow.fetch %c {name = "c:0"} : (tensor<100xf64>) -> ()
  flow.fetch %e {name = "e:0"} : (tensor<100xi32>) -> ()
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
