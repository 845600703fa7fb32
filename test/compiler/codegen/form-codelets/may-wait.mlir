// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a firing waits for may come on a way that no edge shows, so what comes after an op that may wait
// is never in a codelet with what does not.
// RUN: sluice-opt --codegen-form-codelets --split-input-file %s | FileCheck %s

// The way through the queue: what is put in decides what is taken out.
// CHECK-LABEL: flow.graph @queue
// CHECK: flow.codelet
// CHECK-NEXT: ^bb0
// CHECK-NEXT: nd.exp
// CHECK-NEXT: nd.neg
// CHECK-NEXT: flow.yield
// CHECK: state.enqueue
// CHECK: state.dequeue
// CHECK: flow.codelet
// CHECK-NEXT: ^bb0
// CHECK-NEXT: nd.mul
// CHECK-NEXT: nd.tanh
// CHECK-NEXT: flow.yield
state.object @q {key = "q", kind = "queue"}
flow.graph @queue {
  %x = flow.feed {name = "x"} : () -> tensor<16xf32>
  %q, %t = state.queue_handle {object = @q, components = [tensor<16xf32>], order = "fifo", capacity = 10 : i64, min_after_dequeue = 0 : i64, seed = 0 : i64, seed2 = 0 : i64, name = "q"} : () -> (!state.object<"queue">, !flow.token)
  %a = nd.exp %x : (tensor<16xf32>) -> tensor<16xf32>
  %b = nd.neg %a : (tensor<16xf32>) -> tensor<16xf32>
  %d = state.enqueue %q, %a {many = false} : (!state.object<"queue">, tensor<16xf32>) -> !flow.token
  %r, %rt = state.dequeue %q : (!state.object<"queue">) -> (tensor<16xf32>, !flow.token)
  %c = nd.mul %b, %r : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  %e = nd.tanh %c : (tensor<16xf32>) -> tensor<16xf32>
  flow.fetch %e {name = "e"} : (tensor<16xf32>) -> ()
  flow.target %d {name = "d"} : (!flow.token) -> ()
}

// -----
// What comes after the same ones is together; what comes after one of them and what comes after both is
// not.
// CHECK-LABEL: flow.graph @two
// CHECK: state.dequeue
// CHECK: state.dequeue
// CHECK: flow.codelet
// CHECK-NEXT: ^bb0
// CHECK-NEXT: nd.exp
// CHECK-NEXT: nd.neg
// CHECK-NEXT: flow.yield
// CHECK: flow.codelet
// CHECK-NEXT: ^bb0
// CHECK-NEXT: nd.mul
// CHECK-NEXT: nd.tanh
// CHECK-NEXT: flow.yield
state.object @q {key = "q", kind = "queue"}
flow.graph @two {
  %q, %t = state.queue_handle {object = @q, components = [tensor<16xf32>], order = "fifo", capacity = 10 : i64, min_after_dequeue = 0 : i64, seed = 0 : i64, seed2 = 0 : i64, name = "q"} : () -> (!state.object<"queue">, !flow.token)
  %x, %xt = state.dequeue %q : (!state.object<"queue">) -> (tensor<16xf32>, !flow.token)
  %y, %yt = state.dequeue %q : (!state.object<"queue">) -> (tensor<16xf32>, !flow.token)
  %a = nd.exp %x : (tensor<16xf32>) -> tensor<16xf32>
  %b = nd.neg %a : (tensor<16xf32>) -> tensor<16xf32>
  %c = nd.mul %b, %y : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  %e = nd.tanh %c : (tensor<16xf32>) -> tensor<16xf32>
  flow.fetch %e {name = "e"} : (tensor<16xf32>) -> ()
}

// -----
// The way through another rank: what it sends back has waited there.
// CHECK-LABEL: module @rank0
// CHECK: flow.codelet
// CHECK-NEXT: ^bb0
// CHECK-NEXT: nd.exp
// CHECK-NEXT: flow.yield
// CHECK: flow.codelet
// CHECK-NEXT: ^bb0
// CHECK-NEXT: nd.mul
// CHECK-NEXT: flow.yield
module @ranks {
  module @rank0 attributes {wire.rank = 0 : i64} {
    flow.graph @main {
      %x = flow.feed {name = "x"} : () -> tensor<16xf32>
      %a = nd.exp %x : (tensor<16xf32>) -> tensor<16xf32>
      %r = wire.recv {edge = 1 : i64, from = 1 : i64} : () -> tensor<16xf32>
      %c = nd.mul %a, %r : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
      flow.fetch %c {name = "c"} : (tensor<16xf32>) -> ()
    }
  }
  module @rank1 attributes {wire.rank = 1 : i64} {
    state.object @q {key = "q", kind = "queue"}
    flow.graph @main {
      %q, %t = state.queue_handle {object = @q, components = [tensor<16xf32>], order = "fifo", capacity = 10 : i64, min_after_dequeue = 0 : i64, seed = 0 : i64, seed2 = 0 : i64, name = "q"} : () -> (!state.object<"queue">, !flow.token)
      %x, %xt = state.dequeue %q : (!state.object<"queue">) -> (tensor<16xf32>, !flow.token)
      wire.send %x {edge = 1 : i64, to = 0 : i64} : (tensor<16xf32>) -> ()
    }
  }
}
