// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constraints of the wire ops, one case each; the comment above a case names op and constraint. Then
// the attributes that other ops carry.
// RUN: sluice-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics

// wire.send C1
%x = "test.value"() : () -> !state.ref<tensor<f32>>
// expected-error@below {{operand #0 must be tensor or control token, but got '!state.ref<tensor<f32>>'}}
wire.send %x {edge = 0 : i64, to = 1 : i64} : (!state.ref<tensor<f32>>) -> ()

// -----
// wire.send C1
%x = "test.value"() : () -> !array.handle<tensor<f32>>
// expected-error@below {{operand #0 must be tensor or control token, but got '!array.handle<tensor<f32>>'}}
wire.send %x {edge = 0 : i64, to = 1 : i64} : (!array.handle<tensor<f32>>) -> ()

// -----
// wire.send C2
%x = "test.value"() : () -> tensor<f32>
// expected-error@below {{attribute 'edge' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative}}
wire.send %x {edge = -1 : i64, to = 1 : i64} : (tensor<f32>) -> ()

// -----
// wire.send C3
%x = "test.value"() : () -> tensor<f32>
// expected-error@below {{attribute 'to' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative}}
wire.send %x {edge = 0 : i64, to = -1 : i64} : (tensor<f32>) -> ()

// -----
// wire.recv C1
%x = "test.value"() : () -> tensor<f32>
// expected-error@below {{operand #0 must be variadic of control token, but got 'tensor<f32>'}}
%y = wire.recv %x {edge = 0 : i64, from = 1 : i64} : (tensor<f32>) -> tensor<f32>

// -----
// wire.recv C2
// expected-error@below {{result #0 must be tensor or control token, but got '!array.stack<tensor<f32>>'}}
%y = wire.recv {edge = 0 : i64, from = 1 : i64} : () -> !array.stack<tensor<f32>>

// -----
// wire.recv C3
// expected-error@below {{attribute 'edge' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative}}
%y = wire.recv {edge = -1 : i64, from = 1 : i64} : () -> tensor<f32>

// -----
// wire.recv C4
// expected-error@below {{attribute 'from' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative}}
%y = wire.recv {edge = 0 : i64, from = -1 : i64} : () -> tensor<f32>

// -----
// expected-error@below {{expected 'wire.device' to be a rank, which is an i64 that is not negative but got -1 : i64}}
%x = flow.start {wire.device = -1 : i64} : () -> !flow.token

// -----
// expected-error@below {{expected 'wire.device' to be a rank, which is an i64 that is not negative but got 1 : i32}}
%x = flow.start {wire.device = 1 : i32} : () -> !flow.token

// -----
// expected-error@below {{expected 'wire.requested' to be a string that is not empty but got ""}}
%x = flow.start {wire.requested = ""} : () -> !flow.token

// -----
// expected-error@below {{expected 'wire.colocate' to be a string that is not empty but got 1 : i64}}
%x = flow.start {wire.colocate = 1 : i64} : () -> !flow.token

// -----
// expected-error@below {{expected 'wire.devices' to be a list of {name = "…", address = "…"}, also with target = "cpu:…" but got}}
module attributes {wire.devices = [{name = "a"}]} {
}

// -----
// expected-error@below {{expected 'wire.devices' on builtin.module only}}
%x = flow.start {wire.devices = []} : () -> !flow.token

// -----
// expected-error@below {{expected 'wire.rank' on builtin.module only}}
%x = flow.start {wire.rank = 0 : i64} : () -> !flow.token

// -----
// expected-error@below {{expected 'wire.rank' to be a rank, which is an i64 that is not negative but got "0"}}
module attributes {wire.rank = "0"} {
}

// -----
// expected-error@below {{expected 'wire.frames' to be a list of strings that are not empty but got ["a", ""]}}
flow.graph @main attributes {wire.frames = ["a", ""]} {
}

// -----
// expected-error@below {{expected 'wire.frames' on flow.graph only}}
module attributes {wire.frames = []} {
}

// -----
// expected-error@below {{expected an attribute of the wire dialect but got 'wire.divice'}}
%x = flow.start {wire.divice = 1 : i64} : () -> !flow.token

// -----
// Only branches and loops have primitives that steer.
%x = "test.value"() : () -> tensor<f32>
// expected-error@below {{expected 'wire.steering' to be what the primitives of a flow.cond or flow.while ask for, with as many entries in each list as its role has, but got {merges = [{}]}}}
%y = nd.neg %x {wire.steering = {merges = [{}]}} : (tensor<f32>) -> tensor<f32>

// -----
// A list has an entry for each capture, here.
%p = "test.value"() : () -> tensor<i1>
%x = "test.value"() : () -> tensor<f32>
// expected-error@below {{as many entries in each list as its role has}}
%y = flow.cond %p (%x) {wire.steering = {on_true = [{}, {}]}} : (tensor<i1>, tensor<f32>) -> tensor<f32> on_true {
^bb0(%a: tensor<f32>):
  flow.yield %a : (tensor<f32>) -> ()
} on_false {
^bb0(%a: tensor<f32>):
  flow.yield %a : (tensor<f32>) -> ()
}

// -----
// A branch has no headers.
%p = "test.value"() : () -> tensor<i1>
// expected-error@below {{as many entries in each list as its role has}}
%y = flow.cond %p (%p) {wire.steering = {headers = [{}]}} : (tensor<i1>, tensor<i1>) -> tensor<i1> on_true {
^bb0(%a: tensor<i1>):
  flow.yield %a : (tensor<i1>) -> ()
} on_false {
^bb0(%a: tensor<i1>):
  flow.yield %a : (tensor<i1>) -> ()
}

// -----
// Nothing but requests and colocation.
%x = "test.value"() : () -> tensor<i1>
// expected-error@below {{as many entries in each list as its role has}}
%r = flow.while (%x) () {frame = "loop", parallel_iterations = 1 : i64, wire.steering = {exits = [{wire.device = "0"}]}} : (tensor<i1>) -> tensor<i1> before {
^bb0(%p: tensor<i1>):
  flow.condition %p (%p) : (tensor<i1>, tensor<i1>) -> ()
} body {
^bb0(%p: tensor<i1>):
  flow.yield %p : (tensor<i1>) -> ()
}

// -----
// A loop with one init, two captures and three results; a branch with two captures and a result.
%v:2 = "test.value"() : () -> (tensor<i1>, tensor<f32>)
%r:3 = flow.while (%v#0) (%v#1, %v#1) {frame = "loop", parallel_iterations = 1 : i64, wire.steering = {backs = [{}], enters = [{}], exits = [{}, {}, {}], headers = [{}], invariants = [{}, {}], pivot = [{}], switches = [{}, {}, {}]}} : (tensor<i1>, tensor<f32>, tensor<f32>) -> (tensor<i1>, tensor<f32>, tensor<f32>) before {
^bb0(%a: tensor<i1>, %b: tensor<f32>, %c: tensor<f32>):
  flow.condition %a (%a, %b, %c) : (tensor<i1>, tensor<i1>, tensor<f32>, tensor<f32>) -> ()
} body {
^bb0(%a: tensor<i1>, %d: tensor<f32>, %e: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>):
  flow.yield %a : (tensor<i1>) -> ()
}
%s = flow.cond %v#0 (%v#1, %v#1) {wire.steering = {merges = [{}], on_false = [{}, {}], on_true = [{wire.colocate = "a", wire.requested = "/task:1"}, {}]}} : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32> on_true {
^bb0(%a: tensor<f32>, %b: tensor<f32>):
  flow.yield %a : (tensor<f32>) -> ()
} on_false {
^bb0(%a: tensor<f32>, %b: tensor<f32>):
  flow.yield %a : (tensor<f32>) -> ()
}

// -----
%v:2 = "test.value"() : () -> (tensor<i1>, tensor<f32>)
// expected-error@below {{as many entries in each list as its role has}}
%r:3 = flow.while (%v#0) (%v#1, %v#1) {frame = "loop", parallel_iterations = 1 : i64, wire.steering = {enters = [{}, {}]}} : (tensor<i1>, tensor<f32>, tensor<f32>) -> (tensor<i1>, tensor<f32>, tensor<f32>) before {
^bb0(%a: tensor<i1>, %b: tensor<f32>, %c: tensor<f32>):
  flow.condition %a (%a, %b, %c) : (tensor<i1>, tensor<i1>, tensor<f32>, tensor<f32>) -> ()
} body {
^bb0(%a: tensor<i1>, %d: tensor<f32>, %e: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>):
  flow.yield %a : (tensor<i1>) -> ()
}

// -----
%v:2 = "test.value"() : () -> (tensor<i1>, tensor<f32>)
// expected-error@below {{as many entries in each list as its role has}}
%r:3 = flow.while (%v#0) (%v#1, %v#1) {frame = "loop", parallel_iterations = 1 : i64, wire.steering = {headers = [{}, {}, {}]}} : (tensor<i1>, tensor<f32>, tensor<f32>) -> (tensor<i1>, tensor<f32>, tensor<f32>) before {
^bb0(%a: tensor<i1>, %b: tensor<f32>, %c: tensor<f32>):
  flow.condition %a (%a, %b, %c) : (tensor<i1>, tensor<i1>, tensor<f32>, tensor<f32>) -> ()
} body {
^bb0(%a: tensor<i1>, %d: tensor<f32>, %e: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>):
  flow.yield %a : (tensor<i1>) -> ()
}

// -----
%v:2 = "test.value"() : () -> (tensor<i1>, tensor<f32>)
// expected-error@below {{as many entries in each list as its role has}}
%r:3 = flow.while (%v#0) (%v#1, %v#1) {frame = "loop", parallel_iterations = 1 : i64, wire.steering = {invariants = [{}]}} : (tensor<i1>, tensor<f32>, tensor<f32>) -> (tensor<i1>, tensor<f32>, tensor<f32>) before {
^bb0(%a: tensor<i1>, %b: tensor<f32>, %c: tensor<f32>):
  flow.condition %a (%a, %b, %c) : (tensor<i1>, tensor<i1>, tensor<f32>, tensor<f32>) -> ()
} body {
^bb0(%a: tensor<i1>, %d: tensor<f32>, %e: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>):
  flow.yield %a : (tensor<i1>) -> ()
}

// -----
%v:2 = "test.value"() : () -> (tensor<i1>, tensor<f32>)
// expected-error@below {{as many entries in each list as its role has}}
%r:3 = flow.while (%v#0) (%v#1, %v#1) {frame = "loop", parallel_iterations = 1 : i64, wire.steering = {switches = [{}]}} : (tensor<i1>, tensor<f32>, tensor<f32>) -> (tensor<i1>, tensor<f32>, tensor<f32>) before {
^bb0(%a: tensor<i1>, %b: tensor<f32>, %c: tensor<f32>):
  flow.condition %a (%a, %b, %c) : (tensor<i1>, tensor<i1>, tensor<f32>, tensor<f32>) -> ()
} body {
^bb0(%a: tensor<i1>, %d: tensor<f32>, %e: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>):
  flow.yield %a : (tensor<i1>) -> ()
}

// -----
%v:2 = "test.value"() : () -> (tensor<i1>, tensor<f32>)
// expected-error@below {{as many entries in each list as its role has}}
%r:3 = flow.while (%v#0) (%v#1, %v#1) {frame = "loop", parallel_iterations = 1 : i64, wire.steering = {exits = [{}, {}]}} : (tensor<i1>, tensor<f32>, tensor<f32>) -> (tensor<i1>, tensor<f32>, tensor<f32>) before {
^bb0(%a: tensor<i1>, %b: tensor<f32>, %c: tensor<f32>):
  flow.condition %a (%a, %b, %c) : (tensor<i1>, tensor<i1>, tensor<f32>, tensor<f32>) -> ()
} body {
^bb0(%a: tensor<i1>, %d: tensor<f32>, %e: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>):
  flow.yield %a : (tensor<i1>) -> ()
}

// -----
%v:2 = "test.value"() : () -> (tensor<i1>, tensor<f32>)
// expected-error@below {{as many entries in each list as its role has}}
%r:3 = flow.while (%v#0) (%v#1, %v#1) {frame = "loop", parallel_iterations = 1 : i64, wire.steering = {pivot = []}} : (tensor<i1>, tensor<f32>, tensor<f32>) -> (tensor<i1>, tensor<f32>, tensor<f32>) before {
^bb0(%a: tensor<i1>, %b: tensor<f32>, %c: tensor<f32>):
  flow.condition %a (%a, %b, %c) : (tensor<i1>, tensor<i1>, tensor<f32>, tensor<f32>) -> ()
} body {
^bb0(%a: tensor<i1>, %d: tensor<f32>, %e: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>):
  flow.yield %a : (tensor<i1>) -> ()
}

// -----
%v:2 = "test.value"() : () -> (tensor<i1>, tensor<f32>)
// expected-error@below {{as many entries in each list as its role has}}
%s = flow.cond %v#0 (%v#1, %v#1) {wire.steering = {merges = [{}, {}]}} : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32> on_true {
^bb0(%a: tensor<f32>, %b: tensor<f32>):
  flow.yield %a : (tensor<f32>) -> ()
} on_false {
^bb0(%a: tensor<f32>, %b: tensor<f32>):
  flow.yield %a : (tensor<f32>) -> ()
}

// -----
%v:2 = "test.value"() : () -> (tensor<i1>, tensor<f32>)
// expected-error@below {{as many entries in each list as its role has}}
%s = flow.cond %v#0 (%v#1, %v#1) {wire.steering = {on_false = [{}]}} : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32> on_true {
^bb0(%a: tensor<f32>, %b: tensor<f32>):
  flow.yield %a : (tensor<f32>) -> ()
} on_false {
^bb0(%a: tensor<f32>, %b: tensor<f32>):
  flow.yield %a : (tensor<f32>) -> ()
}

// -----
%v:2 = "test.value"() : () -> (tensor<i1>, tensor<f32>)
// expected-error@below {{expected 'wire.steering' to be what}}
%s = flow.cond %v#0 (%v#1, %v#1) {wire.steering = {on_true = [{wire.requested = ""}, {}]}} : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32> on_true {
^bb0(%a: tensor<f32>, %b: tensor<f32>):
  flow.yield %a : (tensor<f32>) -> ()
} on_false {
^bb0(%a: tensor<f32>, %b: tensor<f32>):
  flow.yield %a : (tensor<f32>) -> ()
}

// -----
%v:2 = "test.value"() : () -> (tensor<i1>, tensor<f32>)
// expected-error@below {{expected 'wire.steering' to be what}}
%s = flow.cond %v#0 (%v#1, %v#1) {wire.steering = {on_true = [{wire.colocate = 1 : i64}, {}]}} : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32> on_true {
^bb0(%a: tensor<f32>, %b: tensor<f32>):
  flow.yield %a : (tensor<f32>) -> ()
} on_false {
^bb0(%a: tensor<f32>, %b: tensor<f32>):
  flow.yield %a : (tensor<f32>) -> ()
}

// -----
%v:2 = "test.value"() : () -> (tensor<i1>, tensor<f32>)
// expected-error@below {{expected 'wire.steering' to be what}}
%s = flow.cond %v#0 (%v#1, %v#1) {wire.steering = {on_true = [1 : i64, {}]}} : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32> on_true {
^bb0(%a: tensor<f32>, %b: tensor<f32>):
  flow.yield %a : (tensor<f32>) -> ()
} on_false {
^bb0(%a: tensor<f32>, %b: tensor<f32>):
  flow.yield %a : (tensor<f32>) -> ()
}

// -----
%v:2 = "test.value"() : () -> (tensor<i1>, tensor<f32>)
// expected-error@below {{expected 'wire.steering' to be what}}
%s = flow.cond %v#0 (%v#1, %v#1) {wire.steering = {on_true = {}}} : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32> on_true {
^bb0(%a: tensor<f32>, %b: tensor<f32>):
  flow.yield %a : (tensor<f32>) -> ()
} on_false {
^bb0(%a: tensor<f32>, %b: tensor<f32>):
  flow.yield %a : (tensor<f32>) -> ()
}

// -----
%v:2 = "test.value"() : () -> (tensor<i1>, tensor<f32>)
// expected-error@below {{expected 'wire.steering' to be what}}
%s = flow.cond %v#0 (%v#1, %v#1) {wire.steering = []} : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32> on_true {
^bb0(%a: tensor<f32>, %b: tensor<f32>):
  flow.yield %a : (tensor<f32>) -> ()
} on_false {
^bb0(%a: tensor<f32>, %b: tensor<f32>):
  flow.yield %a : (tensor<f32>) -> ()
}

// -----
%v:2 = "test.value"() : () -> (tensor<i1>, tensor<f32>)
// expected-error@below {{expected 'wire.steering' to be what}}
%s = flow.cond %v#0 (%v#1, %v#1) {wire.steering = {on_true = [{colocate = "a"}, {}]}} : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32> on_true {
^bb0(%a: tensor<f32>, %b: tensor<f32>):
  flow.yield %a : (tensor<f32>) -> ()
} on_false {
^bb0(%a: tensor<f32>, %b: tensor<f32>):
  flow.yield %a : (tensor<f32>) -> ()
}

// -----
// expected-error@below {{expected 'wire.devices' to be a list of {name = "…", address = "…"}, also with target = "cpu:…" but got}}
module attributes {wire.devices = [{name = "a", address = "b", port = "1"}]} {
}

// -----
// expected-error@below {{expected 'wire.devices' to be a list of {name = "…", address = "…"}, also with target = "cpu:…" but got}}
module attributes {wire.devices = [{name = "a", address = 1 : i64}]} {
}

// -----
// expected-error@below {{expected 'wire.devices' to be a list of {name = "…", address = "…"}, also with target = "cpu:…" but got}}
module attributes {wire.devices = [{name = 1 : i64, address = "a"}]} {
}

// -----
// expected-error@below {{expected 'wire.device' to be a rank, which is an i64 that is not negative but got 1 : ui64}}
%x = flow.start {wire.device = 1 : ui64} : () -> !flow.token

// -----
// expected-error@below {{expected 'wire.devices' to be a list of {name = "…", address = "…"}, also with target = "cpu:…" but got}}
module attributes {wire.devices = [{name = "a", address = "b", target = ""}]} {
}

// -----
// wire.copy C1
%x = "test.input"() : () -> tensor<4xf32>
// expected-error@below {{expected a result with the dims and element type of 'tensor<4xf32>' but got 'tensor<5xf32, #wire.memory<0>>'}}
%y = wire.copy %x : (tensor<4xf32>) -> tensor<5xf32, #wire.memory<0>>

// -----
// wire.copy C1
%x = "test.input"() : () -> tensor<4xf32>
// expected-error@below {{expected a result with the dims and element type of 'tensor<4xf32>' but got 'tensor<4xf64, #wire.memory<0>>'}}
%y = wire.copy %x : (tensor<4xf32>) -> tensor<4xf64, #wire.memory<0>>

// -----
// wire.copy C2
%x = "test.input"() : () -> tensor<4xf32, #wire.memory<1>>
// expected-error@below {{expected memories that differ but got 'tensor<4xf32, #wire.memory<1>>' and 'tensor<4xf32, #wire.memory<1>>'}}
%y = wire.copy %x : (tensor<4xf32, #wire.memory<1>>) -> tensor<4xf32, #wire.memory<1>>
