// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A codelet waits for all of its inputs, so no way may leave it and come back.
// RUN: sluice-opt --codegen-form-codelets --split-input-file %s | FileCheck %s

// The way through the variable: what is assigned decides what is read.
// CHECK-LABEL: flow.graph @effect
// CHECK: nd.exp
// CHECK-NEXT: nd.neg
// CHECK-NEXT: flow.yield
// CHECK: state.read
// CHECK: nd.mul
// CHECK-NEXT: nd.tanh
// CHECK-NEXT: flow.yield
state.variable @v {key = "v", type = tensor<16xf32>}
flow.graph @effect {
  %x = flow.feed {name = "x"} : () -> tensor<16xf32>
  %h, %ht = state.handle {variable = @v} : () -> (!state.resource<tensor<16xf32>>, !flow.token)
  %a = nd.exp %x : (tensor<16xf32>) -> tensor<16xf32>
  %b = nd.neg %a : (tensor<16xf32>) -> tensor<16xf32>
  %d = state.assign %h, %b {validate_shape = true} : (!state.resource<tensor<16xf32>>, tensor<16xf32>) -> !flow.token
  %r, %t = state.read %h, %d : (!state.resource<tensor<16xf32>>, !flow.token) -> (tensor<16xf32>, !flow.token)
  %c = nd.mul %a, %r : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  %e = nd.tanh %c : (tensor<16xf32>) -> tensor<16xf32>
  flow.fetch %e {name = "e"} : (tensor<16xf32>) -> ()
}

// -----
// The way through another rank: what is sent decides what is received. On rank 0 alone the two ops
// look like neighbours with an input each.
// CHECK-LABEL: module @rank0
// CHECK: flow.codelet
// CHECK-NEXT: ^bb0
// CHECK-NEXT: nd.exp
// CHECK-NEXT: flow.yield
// CHECK: wire.send
// CHECK: wire.recv
// CHECK: flow.codelet
// CHECK-NEXT: ^bb0
// CHECK-NEXT: nd.mul
// CHECK-NEXT: flow.yield
// CHECK-LABEL: module @rank1
// CHECK: flow.codelet
// CHECK: nd.neg
// CHECK-NEXT: nd.tanh
module @ranks {
  module @rank0 attributes {wire.rank = 0 : i64} {
    flow.graph @main {
      %x = flow.feed {name = "x"} : () -> tensor<16xf32>
      %a = nd.exp %x : (tensor<16xf32>) -> tensor<16xf32>
      wire.send %a {edge = 0 : i64, to = 1 : i64} : (tensor<16xf32>) -> ()
      %r = wire.recv {edge = 1 : i64, from = 1 : i64} : () -> tensor<16xf32>
      %c = nd.mul %a, %r : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
      flow.fetch %c {name = "c"} : (tensor<16xf32>) -> ()
    }
  }
  module @rank1 attributes {wire.rank = 1 : i64} {
    flow.graph @main {
      %x = wire.recv {edge = 0 : i64, from = 0 : i64} : () -> tensor<16xf32>
      %a = nd.neg %x : (tensor<16xf32>) -> tensor<16xf32>
      %b = nd.tanh %a : (tensor<16xf32>) -> tensor<16xf32>
      wire.send %b {edge = 1 : i64, to = 0 : i64} : (tensor<16xf32>) -> ()
    }
  }
}

// -----
// Two codelets that would each be harmless: `a` with `v`, `d` with `y`. But one would wait for `d`,
// and the other for `w`, which waits for `a`.
// CHECK-LABEL: flow.graph @together
// CHECK-DAG: flow.codelet(%{{.*}}) : (tensor<16xf32>) -> tensor<16xf32>
// CHECK-DAG: state.assign
// CHECK: flow.fetch
state.variable @v {key = "v", type = tensor<16xf32>}
flow.graph @together {
  %x1 = flow.feed {name = "x1"} : () -> tensor<16xf32>
  %x2 = flow.feed {name = "x2"} : () -> tensor<16xf32>
  %h, %ht = state.handle {variable = @v} : () -> (!state.resource<tensor<16xf32>>, !flow.token)
  %a = nd.exp %x1 : (tensor<16xf32>) -> tensor<16xf32>
  %d = nd.exp %x2 : (tensor<16xf32>) -> tensor<16xf32>
  %da = state.assign %h, %d {validate_shape = true} : (!state.resource<tensor<16xf32>>, tensor<16xf32>) -> !flow.token
  %dr, %dt = state.read %h, %da : (!state.resource<tensor<16xf32>>, !flow.token) -> (tensor<16xf32>, !flow.token)
  %v = nd.mul %a, %dr : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  %w = state.assign %h, %a, %da {validate_shape = true} : (!state.resource<tensor<16xf32>>, tensor<16xf32>, !flow.token) -> !flow.token
  %wr, %wt = state.read %h, %w : (!state.resource<tensor<16xf32>>, !flow.token) -> (tensor<16xf32>, !flow.token)
  %y = nd.mul %d, %wr : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  flow.fetch %v {name = "v"} : (tensor<16xf32>) -> ()
  flow.fetch %y {name = "y"} : (tensor<16xf32>) -> ()
}

// -----
// The way through a loop: whatever leaves it may depend on whatever enters.
// CHECK-LABEL: flow.graph @loop
// CHECK: flow.codelet
// CHECK-NEXT: ^bb0
// CHECK-NEXT: nd.exp
// CHECK-NEXT: flow.yield
// CHECK: flow.enter
// CHECK: flow.exit
// CHECK: flow.codelet
// CHECK-NEXT: ^bb0
// CHECK-NEXT: nd.mul
// CHECK-NEXT: flow.yield
flow.graph @loop {
  %x = flow.feed {name = "x"} : () -> tensor<16xf32>
  %a = nd.exp %x : (tensor<16xf32>) -> tensor<16xf32>
  %false = nd.constant {value = dense<false> : tensor<i1>} : () -> tensor<i1>
  %x0 = flow.enter %a {frame = "loop", constant = false, parallel_iterations = 10 : i64} : (tensor<16xf32>) -> tensor<16xf32>
  %y, %i, %t = flow.merge %x0, %next : (tensor<16xf32>, tensor<16xf32>) -> (tensor<16xf32>, tensor<i32>, !flow.token)
  %g = flow.gate %false, %t : (tensor<i1>, !flow.token) -> tensor<i1>
  %c = flow.loop_cond %g : (tensor<i1>) -> tensor<i1>
  %f, %b, %st = flow.switch %y, %c : (tensor<16xf32>, tensor<i1>) -> (tensor<16xf32>, tensor<16xf32>, !flow.token)
  %next = flow.next_iteration %b : (tensor<16xf32>) -> tensor<16xf32>
  %r = flow.exit %f : (tensor<16xf32>) -> tensor<16xf32>
  %z = nd.mul %a, %r : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  flow.fetch %z {name = "z"} : (tensor<16xf32>) -> ()
}
