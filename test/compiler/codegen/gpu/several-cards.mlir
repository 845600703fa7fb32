// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Of several cards an op has the one that its node asks for, else that of its operands, else that of who uses it.
// RUN: sluice-opt --codegen-place-variables --codegen-place-on-cards --split-input-file %s | FileCheck %s

// CHECK-LABEL: flow.graph @asked
// CHECK-DAG:     %[[X:.*]] = wire.copy %{{.*}} : (tensor<64x32xf32>) -> tensor<64x32xf32, #wire.memory<1>>
// CHECK-DAG:     %[[A:.*]] = nd.tanh %[[X]]
// CHECK-DAG:     %[[B:.*]] = nd.neg %[[A]] : (tensor<64x32xf32, #wire.memory<1>>)
// CHECK-DAG:     %[[B0:.*]] = wire.copy %[[B]] : (tensor<64x32xf32, #wire.memory<1>>) -> tensor<64x32xf32, #wire.memory<0>>
// CHECK-DAG:     %[[C:.*]] = nd.mul %[[B0]], %[[B0]]
// CHECK-DAG:     %[[CH:.*]] = wire.copy %[[C]] : {{.*}} -> tensor<64x32xf32>
// CHECK-DAG:     %[[D:.*]] = nd.exp %[[CH]] : (tensor<64x32xf32>) -> tensor<64x32xf32>
module attributes {codegen.has_card, codegen.cards = 2, codegen.card_wishes = {a = 1, c = 0, d = -1}} {
flow.graph @asked {
  %x = flow.feed {name = "x:0"} : () -> tensor<64x32xf32>
  %a = nd.tanh %x : (tensor<64x32xf32>) -> tensor<64x32xf32> loc("a")
  %b = nd.neg %a : (tensor<64x32xf32>) -> tensor<64x32xf32> loc("b")
  %c = nd.mul %b, %b : (tensor<64x32xf32>, tensor<64x32xf32>) -> tensor<64x32xf32> loc("c")
  %d = nd.exp %c : (tensor<64x32xf32>) -> tensor<64x32xf32> loc("d")
  flow.fetch %d {name = "d:0"} : (tensor<64x32xf32>) -> ()
}
}

// -----

// CHECK-LABEL: flow.graph @of_users
// CHECK:         nd.tanh %{{.*}} : (tensor<64x32xf32, #wire.memory<1>>)
module attributes {codegen.has_card, codegen.cards = 2, codegen.card_wishes = {b = 1}} {
flow.graph @of_users {
  %x = flow.feed {name = "x:0"} : () -> tensor<64x32xf32>
  %a = nd.tanh %x : (tensor<64x32xf32>) -> tensor<64x32xf32> loc("a")
  %b = nd.neg %a : (tensor<64x32xf32>) -> tensor<64x32xf32> loc("b")
  flow.fetch %b {name = "b:0"} : (tensor<64x32xf32>) -> ()
}
}

// -----

// However little an op computes that asks for a card; single numbers stay with the host.
// CHECK-LABEL: flow.graph @little
// CHECK-DAG:     nd.tanh %{{.*}} : (tensor<20xf32, #wire.memory<0>>)
// CHECK-DAG:     nd.neg %{{.*}} : (tensor<20xf32>)
// CHECK-DAG:     nd.abs %{{.*}} : (tensor<f32>)
module attributes {codegen.has_card, codegen.cards = 1, codegen.least_card_work = 1000, codegen.card_wishes = {a = -2, c = 0}} {
flow.graph @little {
  %x = flow.feed {name = "x:0"} : () -> tensor<20xf32>
  %s = flow.feed {name = "s:0"} : () -> tensor<f32>
  %a = nd.tanh %x : (tensor<20xf32>) -> tensor<20xf32> loc("a")
  %b = nd.neg %x : (tensor<20xf32>) -> tensor<20xf32> loc("b")
  %c = nd.abs %s : (tensor<f32>) -> tensor<f32> loc("c")
  flow.fetch %a {name = "a:0"} : (tensor<20xf32>) -> ()
  flow.fetch %b {name = "b:0"} : (tensor<20xf32>) -> ()
  flow.fetch %c {name = "c:0"} : (tensor<f32>) -> ()
}
}

// -----

// Wishes do not count where the number of cards is not said.
// CHECK-LABEL: flow.graph @unsaid
// CHECK:         nd.tanh %{{.*}} : (tensor<64x32xf32, #wire.memory<0>>)
module attributes {codegen.has_card, codegen.card_wishes = {a = 1}} {
flow.graph @unsaid {
  %x = flow.feed {name = "x:0"} : () -> tensor<64x32xf32>
  %a = nd.tanh %x : (tensor<64x32xf32>) -> tensor<64x32xf32> loc("a")
  flow.fetch %a {name = "a:0"} : (tensor<64x32xf32>) -> ()
}
}

// -----

// A variable is where its node asks to be, else where the first op is that works with it; one that asks for the
// host stays there.
// CHECK-LABEL: state.variable @v
// CHECK-SAME:    tensor<64x32xf32, #wire.memory<1>>
// CHECK-LABEL: state.variable @w
// CHECK-SAME:    tensor<64x32xf32, #wire.memory<0>>
// CHECK-LABEL: state.variable @u
// CHECK-SAME:    type = tensor<64x32xf32>
// CHECK-LABEL: flow.graph @variables
// CHECK-DAG:     %[[V:.*]], %{{.*}} = state.read %{{.*}} -> (tensor<64x32xf32, #wire.memory<1>>, !flow.token)
// CHECK-DAG:     %[[V0:.*]] = wire.copy %[[V]] : {{.*}} -> tensor<64x32xf32, #wire.memory<0>>
// CHECK-DAG:     nd.mul %[[V0]], %{{.*}} : (tensor<64x32xf32, #wire.memory<0>>, tensor<64x32xf32, #wire.memory<0>>)
module attributes {codegen.has_card, codegen.cards = 2, codegen.card_wishes = {v = 1, u = -1, y = 0, z = 0}} {
state.variable @v {key = "v", type = tensor<64x32xf32>, initial = dense<0.5> : tensor<64x32xf32>}
state.variable @w {key = "w", type = tensor<64x32xf32>, initial = dense<0.5> : tensor<64x32xf32>}
state.variable @u {key = "u", type = tensor<64x32xf32>, initial = dense<0.5> : tensor<64x32xf32>}
flow.graph @variables {
  %v, %t0 = state.handle {variable = @v} : () -> (!state.resource<tensor<64x32xf32>>, !flow.token) loc("v")
  %w, %t1 = state.handle {variable = @w} : () -> (!state.resource<tensor<64x32xf32>>, !flow.token) loc("w")
  %u, %t2 = state.handle {variable = @u} : () -> (!state.resource<tensor<64x32xf32>>, !flow.token) loc("u")
  %a, %t3 = state.read %v : (!state.resource<tensor<64x32xf32>>) -> (tensor<64x32xf32>, !flow.token)
  %b, %t4 = state.read %w : (!state.resource<tensor<64x32xf32>>) -> (tensor<64x32xf32>, !flow.token)
  %c, %t5 = state.read %u : (!state.resource<tensor<64x32xf32>>) -> (tensor<64x32xf32>, !flow.token)
  %y = nd.mul %a, %b : (tensor<64x32xf32>, tensor<64x32xf32>) -> tensor<64x32xf32> loc("y")
  %z = nd.add %y, %c : (tensor<64x32xf32>, tensor<64x32xf32>) -> tensor<64x32xf32> loc("z")
  flow.fetch %z {name = "z:0"} : (tensor<64x32xf32>) -> ()
}
}

// -----

// A merge has the card of the value that comes first; others are copied in front of it.
// CHECK-LABEL: flow.graph @merged
// CHECK-DAG:     %[[A:.*]] = nd.tanh %{{.*}} : (tensor<64x32xf32, #wire.memory<0>>)
// CHECK-DAG:     %[[B:.*]] = nd.neg %{{.*}} : (tensor<64x32xf32, #wire.memory<1>>)
// CHECK-DAG:     %[[B0:.*]] = wire.copy %[[B]] : (tensor<64x32xf32, #wire.memory<1>>) -> tensor<64x32xf32, #wire.memory<0>>
// CHECK-DAG:     flow.merge %[[A]], %[[B0]]
module attributes {codegen.has_card, codegen.cards = 2, codegen.card_wishes = {a = 0, b = 1}} {
flow.graph @merged {
  %x = flow.feed {name = "x:0"} : () -> tensor<64x32xf32>
  %p = flow.feed {name = "p:0"} : () -> tensor<i1>
  %f, %t, %token = flow.switch %x, %p : (tensor<64x32xf32>, tensor<i1>) -> (tensor<64x32xf32>, tensor<64x32xf32>, !flow.token)
  %a = nd.tanh %t : (tensor<64x32xf32>) -> tensor<64x32xf32> loc("a")
  %b = nd.neg %f : (tensor<64x32xf32>) -> tensor<64x32xf32> loc("b")
  %m, %i, %done = flow.merge %a, %b : (tensor<64x32xf32>, tensor<64x32xf32>) -> (tensor<64x32xf32>, tensor<i32>, !flow.token)
  flow.fetch %m {name = "m:0"} : (tensor<64x32xf32>) -> ()
}
}
