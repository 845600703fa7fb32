// Chains of a card's codelets that do not wait for each other have streams of their own.
// RUN: sluice-opt --codegen-assign-streams --split-input-file %s | FileCheck %s

// Two large products and what joins them: one of them goes elsewhere. The small one goes with who
// needs it.
// CHECK-LABEL: flow.graph @products
// CHECK:         %[[X:.*]] = wire.copy
// CHECK:         %[[FEW:.*]] = wire.copy
// CHECK:         flow.codelet(%[[X]]) {codegen.stream = 1 : i64}
// CHECK:         flow.codelet(%[[X]]) :
// CHECK:         flow.codelet(%[[FEW]]) :
// CHECK-NOT:     codegen.stream
!card = tensor<1024x1024xf32, #wire.memory<0>>
module attributes {codegen.has_card} {
flow.graph @products {
  %h = flow.feed {name = "x:0"} : () -> tensor<1024x1024xf32>
  %x = wire.copy %h : (tensor<1024x1024xf32>) -> !card
  %h2 = flow.feed {name = "w:0"} : () -> tensor<64x64xf32>
  %few = wire.copy %h2 : (tensor<64x64xf32>) -> tensor<64x64xf32, #wire.memory<0>>
  %a = flow.codelet(%x) : (!card) -> !card {
  ^bb0(%v: !card):
    %p = nd.matmul %v, %v {transpose_lhs = false, transpose_rhs = false, adjoint_lhs = false, adjoint_rhs = false} : (!card, !card) -> !card
    flow.yield %p : (!card) -> ()
  }
  %b = flow.codelet(%x) : (!card) -> !card {
  ^bb0(%v: !card):
    %p = nd.matmul %v, %v {transpose_lhs = true, transpose_rhs = false, adjoint_lhs = false, adjoint_rhs = false} : (!card, !card) -> !card
    %q = nd.matmul %p, %v {transpose_lhs = true, transpose_rhs = false, adjoint_lhs = false, adjoint_rhs = false} : (!card, !card) -> !card
    flow.yield %q : (!card) -> ()
  }
  %c = flow.codelet(%few) : (tensor<64x64xf32, #wire.memory<0>>) -> tensor<f32, #wire.memory<0>> {
  ^bb0(%v: tensor<64x64xf32, #wire.memory<0>>):
    %axes = nd.constant {value = dense<[0, 1]> : tensor<2xi32>} : () -> tensor<2xi32>
    %s = nd.reduce_sum %v, %axes {keep_dims = false} : (tensor<64x64xf32, #wire.memory<0>>, tensor<2xi32>) -> tensor<f32, #wire.memory<0>>
    flow.yield %s : (tensor<f32, #wire.memory<0>>) -> ()
  }
  %y = flow.codelet(%a, %b, %c) : (!card, !card, tensor<f32, #wire.memory<0>>) -> !card {
  ^bb0(%u: !card, %v: !card, %w: tensor<f32, #wire.memory<0>>):
    %s = nd.add %u, %v : (!card, !card) -> !card
    %t = nd.mul %s, %w : (!card, tensor<f32, #wire.memory<0>>) -> !card
    flow.yield %t : (!card) -> ()
  }
  %back = wire.copy %y : (!card) -> tensor<1024x1024xf32>
  flow.fetch %back {name = "y:0"} : (tensor<1024x1024xf32>) -> ()
}
}

// -----

// All of a loop is on one stream, and so is what comes behind it; another loop, which so has less
// to do, is on another one.
// CHECK-LABEL: flow.graph @loops
// CHECK:         frame = "f"
// CHECK:         flow.codelet({{[^)]*}}) {codegen.stream = 1 : i64}
// CHECK:         frame = "g"
// CHECK:         flow.codelet({{[^)]*}}) :
// CHECK:         flow.codelet({{[^)]*}}) :
// CHECK-NOT:     codegen.stream
!few = tensor<64xf32, #wire.memory<0>>
module attributes {codegen.has_card} {
flow.graph @loops {
  %h = flow.feed {name = "x:0"} : () -> tensor<64xf32>
  %go = flow.feed {name = "go:0"} : () -> tensor<i1>
  %x = wire.copy %h : (tensor<64xf32>) -> !few
  %x0 = flow.enter %x {frame = "f", constant = false, parallel_iterations = 1 : i64} : (!few) -> !few
  %go0 = flow.enter %go {frame = "f", constant = true, parallel_iterations = 1 : i64} : (tensor<i1>) -> tensor<i1>
  %y, %i, %t = flow.merge %x0, %next : (!few, !few) -> (!few, tensor<i32>, !flow.token)
  %c = flow.loop_cond %go0 : (tensor<i1>) -> tensor<i1>
  %f, %b, %st = flow.switch %y, %c : (!few, tensor<i1>) -> (!few, !few, !flow.token)
  %d = flow.codelet(%b) : (!few) -> !few {
  ^bb0(%v: !few):
    %p = nd.mul %v, %v : (!few, !few) -> !few
    flow.yield %p : (!few) -> ()
  }
  %next = flow.next_iteration %d : (!few) -> !few
  %e = flow.exit %f : (!few) -> !few
  %u0 = flow.enter %x {frame = "g", constant = false, parallel_iterations = 1 : i64} : (!few) -> !few
  %go1 = flow.enter %go {frame = "g", constant = true, parallel_iterations = 1 : i64} : (tensor<i1>) -> tensor<i1>
  %u, %j, %w = flow.merge %u0, %after : (!few, !few) -> (!few, tensor<i32>, !flow.token)
  %c1 = flow.loop_cond %go1 : (tensor<i1>) -> tensor<i1>
  %f1, %b1, %st1 = flow.switch %u, %c1 : (!few, tensor<i1>) -> (!few, !few, !flow.token)
  %d1 = flow.codelet(%b1) : (!few) -> !few {
  ^bb0(%v: !few):
    %p = nd.add %v, %v : (!few, !few) -> !few
    flow.yield %p : (!few) -> ()
  }
  %after = flow.next_iteration %d1 : (!few) -> !few
  %e1 = flow.exit %f1 : (!few) -> !few
  %last = flow.codelet(%e1) : (!few) -> !few {
  ^bb0(%v: !few):
    %p = nd.neg %v : (!few) -> !few
    flow.yield %p : (!few) -> ()
  }
  %r0 = wire.copy %e : (!few) -> tensor<64xf32>
  %r1 = wire.copy %last : (!few) -> tensor<64xf32>
  flow.fetch %r0 {name = "y:0"} : (tensor<64xf32>) -> ()
  flow.fetch %r1 {name = "z:0"} : (tensor<64xf32>) -> ()
}
}

// -----

// Without a card, nothing; and codelets of the host are nowhere.
// CHECK-LABEL: flow.graph @host
// CHECK-NOT:     codegen.stream
module {
flow.graph @host {
  %x = flow.feed {name = "x:0"} : () -> tensor<1024x1024xf32>
  %a = flow.codelet(%x) : (tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
  ^bb0(%v: tensor<1024x1024xf32>):
    %p = nd.matmul %v, %v {transpose_lhs = false, transpose_rhs = false, adjoint_lhs = false, adjoint_rhs = false} : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
    flow.yield %p : (tensor<1024x1024xf32>) -> ()
  }
  %b = flow.codelet(%x) : (tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
  ^bb0(%v: tensor<1024x1024xf32>):
    %p = nd.matmul %v, %v {transpose_lhs = true, transpose_rhs = false, adjoint_lhs = false, adjoint_rhs = false} : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
    flow.yield %p : (tensor<1024x1024xf32>) -> ()
  }
  flow.fetch %a {name = "y:0"} : (tensor<1024x1024xf32>) -> ()
  flow.fetch %b {name = "z:0"} : (tensor<1024x1024xf32>) -> ()
}
}
