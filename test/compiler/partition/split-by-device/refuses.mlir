// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What cannot be split.
// RUN: sluice-opt %s --split-input-file --verify-diagnostics --partition-split-by-device

// No device has this rank.
module attributes {wire.devices = [{name = "a", address = ""}, {name = "b", address = ""}]} {
  flow.graph @g {
    // expected-error@below {{expected a rank below 2 but got 2}}
    %t = flow.feed {name = "x", wire.device = 2 : i64} : () -> tensor<f32>
  }
}
// -----
// An op that was not placed.
module attributes {wire.devices = [{name = "a", address = ""}, {name = "b", address = ""}]} {
  flow.graph @g {
    // expected-error@below {{expected a rank in 'wire.device' but got none}}
    %x = flow.feed {name = "x"} : () -> tensor<f32>
  }
}
// -----
// A declaration that was not placed.
module attributes {wire.devices = [{name = "a", address = ""}, {name = "b", address = ""}]} {
  // expected-error@below {{expected a rank in 'wire.device' but got none}}
  state.variable @w {key = "w", type = tensor<f32>}
}
// -----
// No devices at all.
// expected-error@below {{expected at least one device in 'wire.devices'}}
module attributes {wire.devices = []} {
}
// -----
// Something that belongs to no phase before.
module attributes {wire.devices = [{name = "a", address = ""}, {name = "b", address = ""}]} {
  // expected-error@below {{expected graphs, functions, variables, generators and tables in a placed module only}}
  module @rank0 {
  }
}
// -----
// The caller talks to rank 0 only.
module attributes {wire.devices = [{name = "a", address = ""}, {name = "b", address = ""}]} {
  flow.graph @g {
    // expected-error@below {{expected feeds and fetches on rank 0 but got rank 1}}
    %x = flow.feed {name = "x", wire.device = 1 : i64} : () -> tensor<f32>
  }
}
// -----
module attributes {wire.devices = [{name = "a", address = ""}, {name = "b", address = ""}]} {
  flow.graph @g {
    %x = flow.feed {name = "x", wire.device = 0 : i64} : () -> tensor<f32>
    // expected-error@below {{expected feeds and fetches on rank 0 but got rank 1}}
    flow.fetch %x {name = "y", wire.device = 1 : i64} : (tensor<f32>) -> ()
  }
}
// -----
// An op apart from its variable.
module attributes {wire.devices = [{name = "a", address = ""}, {name = "b", address = ""}]} {
  state.variable @w {key = "w", type = tensor<f32>, wire.device = 1 : i64}
  flow.graph @g {
    // expected-error@below {{expected to be with @w on device 1 ('b') but got device 0 ('a')}}
    %w, %t = state.reference {variable = @w, wire.device = 0 : i64} : () -> (!state.ref<tensor<f32>>, !flow.token)
  }
}
// -----
// A reference.
module attributes {wire.devices = [{name = "a", address = ""}, {name = "b", address = ""}]} {
  state.variable @w {key = "w", type = tensor<f32>, wire.device = 0 : i64}
  flow.graph @g {
    // expected-error@below {{expected its user 'state.read' on the same device, for values of type !state.ref<tensor<f32>> do not leave theirs; but got device 0 ('a') and device 1 ('b')}}
    %w, %t = state.reference {variable = @w, wire.device = 0 : i64} : () -> (!state.ref<tensor<f32>>, !flow.token)
    // expected-note@below {{used here}}
    %y, %done = state.read %w {wire.device = 1 : i64} : (!state.ref<tensor<f32>>) -> (tensor<f32>, !flow.token)
  }
}
// -----
// A resource.
module attributes {wire.devices = [{name = "a", address = ""}, {name = "b", address = ""}]} {
  state.variable @w {key = "w", type = tensor<f32>, wire.device = 0 : i64}
  flow.graph @g {
    // expected-error@below {{values of type !state.resource<tensor<f32>> do not leave theirs}}
    %w, %t = state.handle {variable = @w, wire.device = 0 : i64} : () -> (!state.resource<tensor<f32>>, !flow.token)
    // expected-note@below {{used here}}
    %y, %done = state.read %w {wire.device = 1 : i64} : (!state.resource<tensor<f32>>) -> (tensor<f32>, !flow.token)
  }
}
// -----
// An array.
module attributes {wire.devices = [{name = "a", address = ""}, {name = "b", address = ""}]} {
  flow.graph @g {
    %size = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    // expected-error@below {{values of type !array.handle<tensor<*xf32>> do not leave theirs}}
    %a, %flow, %t = array.create %size {dtype = f32, element_shape = tensor<*xf32>, dynamic_size = false, clear_after_read = true, identical_element_shapes = false, name = "a", wire.device = 0 : i64} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
    // expected-note@below {{used here}}
    %n, %done = array.size %a, %flow {wire.device = 1 : i64} : (!array.handle<tensor<*xf32>>, tensor<f32>) -> (tensor<i32>, !flow.token)
  }
}
// -----
// What an enter brings once. Diagnostics name the nodes.
module attributes {wire.devices = [{name = "a", address = ""}, {name = "b", address = ""}]} {
  flow.graph @g {
    %x = flow.feed {name = "x", wire.device = 0 : i64} : () -> tensor<i32>
    // expected-error@unknown {{expected its user 'the/sum' on the same device, for the value is there in the first iteration of frame 'loop' only; but got device 0 ('a') and device 1 ('b')}}
    %e = flow.enter %x {frame = "loop", constant = false, parallel_iterations = 10 : i64, wire.device = 0 : i64} : (tensor<i32>) -> tensor<i32> loc("the/enter")
    // expected-note@unknown {{used here}}
    %s = nd.add %e, %e {wire.device = 1 : i64} : (tensor<i32>, tensor<i32>) -> tensor<i32> loc("the/sum")
    %go = flow.loop_cond %p {wire.device = 0 : i64} : (tensor<i1>) -> tensor<i1>
    %p = nd.less %e, %x2 {wire.device = 0 : i64} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %x2 = flow.enter %x {frame = "loop", constant = true, parallel_iterations = 10 : i64, wire.device = 0 : i64} : (tensor<i32>) -> tensor<i32>
  }
}
// -----
// What a merge takes of such values alone, or when a token has come once.
module attributes {wire.devices = [{name = "a", address = ""}, {name = "b", address = ""}]} {
  flow.graph @g {
    %x = flow.feed {name = "x", wire.device = 0 : i64} : () -> tensor<i32>
    %e = flow.enter %x {frame = "loop", constant = false, parallel_iterations = 10 : i64, wire.device = 0 : i64} : (tensor<i32>) -> tensor<i32>
    // expected-error@below {{for the value is there in the first iteration of frame 'loop' only; but got device 0 ('a') and device 1 ('b')}}
    %m, %index, %merged = flow.merge %e, %e {wire.device = 0 : i64} : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, !flow.token)
    // expected-note@below {{used here}}
    %s = nd.add %m, %m {wire.device = 1 : i64} : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %go = flow.loop_cond %p {wire.device = 0 : i64} : (tensor<i1>) -> tensor<i1>
    %p = nd.less %e, %x2 {wire.device = 0 : i64} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %x2 = flow.enter %x {frame = "loop", constant = true, parallel_iterations = 10 : i64, wire.device = 0 : i64} : (tensor<i32>) -> tensor<i32>
  }
}
// -----
module attributes {wire.devices = [{name = "a", address = ""}, {name = "b", address = ""}]} {
  flow.graph @g {
    %x = flow.feed {name = "x", wire.device = 0 : i64} : () -> tensor<i32>
    %e = flow.enter %x {frame = "loop", constant = false, parallel_iterations = 10 : i64, wire.device = 0 : i64} : (tensor<i32>) -> tensor<i32>
    %once = flow.after %e {wire.device = 0 : i64} : (tensor<i32>) -> !flow.token
    // expected-error@below {{for the value is there in the first iteration of frame 'loop' only; but got device 0 ('a') and device 1 ('b')}}
    %m, %index, %merged = flow.merge %x2, %n, %once {wire.device = 0 : i64} : (tensor<i32>, tensor<i32>, !flow.token) -> (tensor<i32>, tensor<i32>, !flow.token)
    // expected-note@below {{used here}}
    %s = nd.add %m, %m {wire.device = 1 : i64} : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %go = flow.loop_cond %p {wire.device = 0 : i64} : (tensor<i1>) -> tensor<i1>
    %p = nd.less %x2, %x2 {wire.device = 0 : i64} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %x2 = flow.enter %x {frame = "loop", constant = true, parallel_iterations = 10 : i64, wire.device = 0 : i64} : (tensor<i32>) -> tensor<i32>
    %n = flow.next_iteration %x2 {wire.device = 0 : i64} : (tensor<i32>) -> tensor<i32>
  }
}
// -----
// What waits for it, to a loop that needs the predicate.
module attributes {wire.devices = [{name = "a", address = ""}, {name = "b", address = ""}]} {
  flow.graph @g {
    %x = flow.feed {name = "x", wire.device = 0 : i64} : () -> tensor<i32>
    %e = flow.enter %x {frame = "loop", constant = false, parallel_iterations = 10 : i64, wire.device = 0 : i64} : (tensor<i32>) -> tensor<i32>
    %x2 = flow.enter %x {frame = "loop", constant = true, parallel_iterations = 10 : i64, wire.device = 1 : i64} : (tensor<i32>) -> tensor<i32>
    %p = nd.less %e, %e {wire.device = 0 : i64} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    // expected-error@below {{expected all of its loop on the same device, for the value is there in the first iteration of frame 'loop' only; but got device 0 ('a') and device 1 ('b')}}
    %go = flow.loop_cond %p {wire.device = 0 : i64} : (tensor<i1>) -> tensor<i1>
    %s = nd.add %x2, %x2 {wire.device = 1 : i64} : (tensor<i32>, tensor<i32>) -> tensor<i32>
  }
}
// -----
// What leaves a loop that runs in the first iteration only, to a merge that takes it then.
module attributes {wire.devices = [{name = "a", address = ""}, {name = "b", address = ""}]} {
  flow.graph @g {
    %x = flow.feed {name = "x", wire.device = 0 : i64} : () -> tensor<i32>
    %e = flow.enter %x {frame = "outer", constant = false, parallel_iterations = 10 : i64, wire.device = 0 : i64} : (tensor<i32>) -> tensor<i32>
    %f = flow.enter %e {frame = "inner", constant = false, parallel_iterations = 10 : i64, wire.device = 0 : i64} : (tensor<i32>) -> tensor<i32>
    // expected-error@below {{expected its user 'flow.merge' on the same device, for the value is there in the first iteration of frame 'outer' only; but got device 0 ('a') and device 1 ('b')}}
    %y = flow.exit %f {wire.device = 0 : i64} : (tensor<i32>) -> tensor<i32>
    // expected-note@below {{used here}}
    %i, %index, %merged = flow.merge %y, %n {wire.device = 1 : i64} : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, !flow.token)
    %p = nd.less %i, %i {wire.device = 1 : i64} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %go = flow.loop_cond %p {wire.device = 1 : i64} : (tensor<i1>) -> tensor<i1>
    %out, %t, %token = flow.switch %i, %go {wire.device = 1 : i64} : (tensor<i32>, tensor<i1>) -> (tensor<i32>, tensor<i32>, !flow.token)
    %n = flow.next_iteration %t {wire.device = 1 : i64} : (tensor<i32>) -> tensor<i32>
  }
}
// -----
// What comes from the iteration before.
module attributes {wire.devices = [{name = "a", address = ""}, {name = "b", address = ""}]} {
  flow.graph @g {
    %x = flow.feed {name = "x", wire.device = 0 : i64} : () -> tensor<i32>
    %e = flow.enter %x {frame = "loop", constant = false, parallel_iterations = 10 : i64, wire.device = 1 : i64} : (tensor<i32>) -> tensor<i32>
    // expected-note@below {{used here}}
    %i, %index, %merged = flow.merge %e, %n {wire.device = 1 : i64} : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, !flow.token)
    %p = nd.less %i, %i {wire.device = 0 : i64} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %go = flow.loop_cond %p {wire.device = 0 : i64} : (tensor<i1>) -> tensor<i1>
    %f, %t, %token = flow.switch %i, %go {wire.device = 0 : i64} : (tensor<i32>, tensor<i1>) -> (tensor<i32>, tensor<i32>, !flow.token)
    // expected-error@below {{expected its user 'flow.merge' on the same device, for the value is not there in the first iteration of frame 'loop'; but got device 0 ('a') and device 1 ('b')}}
    %n = flow.next_iteration %t {wire.device = 0 : i64} : (tensor<i32>) -> tensor<i32>
  }
}
// -----
// A frame without a pivot.
module attributes {wire.devices = [{name = "a", address = ""}, {name = "b", address = ""}]} {
  flow.graph @g {
    %x = flow.feed {name = "x", wire.device = 0 : i64} : () -> tensor<i32>
    %e = flow.enter %x {frame = "loop", constant = true, parallel_iterations = 10 : i64, wire.device = 0 : i64} : (tensor<i32>) -> tensor<i32>
    // expected-error@below {{a loop that is split over devices needs a pivot: frame 'loop' has no flow.loop_cond, but 'nd.add' is on device 0 ('a') and 'flow.exit' on device 1 ('b')}}
    %s = nd.add %e, %e {wire.device = 0 : i64} : (tensor<i32>, tensor<i32>) -> tensor<i32>
    // expected-note@below {{the op on the other device}}
    %y = flow.exit %s {wire.device = 1 : i64} : (tensor<i32>) -> tensor<i32>
  }
}
// -----
// The same where no edge is cut.
module attributes {wire.devices = [{name = "a", address = ""}, {name = "b", address = ""}]} {
  flow.graph @g {
    %x = flow.feed {name = "x", wire.device = 0 : i64} : () -> tensor<i32>
    // expected-error@below {{a loop that is split over devices needs a pivot: frame 'loop' has no flow.loop_cond, but 'flow.enter' is on device 0 ('a') and 'flow.enter' on device 1 ('b')}}
    %e = flow.enter %x {frame = "loop", constant = true, parallel_iterations = 10 : i64, wire.device = 0 : i64} : (tensor<i32>) -> tensor<i32>
    // expected-note@below {{the op on the other device}}
    %f = flow.enter %x {frame = "loop", constant = true, parallel_iterations = 10 : i64, wire.device = 1 : i64} : (tensor<i32>) -> tensor<i32>
  }
}
// -----
// A frame without a pivot around a loop that is split.
module attributes {wire.devices = [{name = "a", address = ""}, {name = "b", address = ""}]} {
  flow.graph @g {
    %x = flow.feed {name = "x", wire.device = 0 : i64} : () -> tensor<i32>
    // expected-error@below {{a loop that is split over devices needs a pivot: frame 'outer' has no flow.loop_cond, but 'flow.enter' is on device 0 ('a') and 'flow.enter' on device 1 ('b')}}
    %oe = flow.enter %x {frame = "outer", constant = true, parallel_iterations = 10 : i64, wire.device = 0 : i64} : (tensor<i32>) -> tensor<i32>
    %e = flow.enter %oe {frame = "inner", constant = true, parallel_iterations = 10 : i64, wire.device = 0 : i64} : (tensor<i32>) -> tensor<i32>
    %p = nd.less %e, %e {wire.device = 0 : i64} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %go = flow.loop_cond %p {wire.device = 0 : i64} : (tensor<i1>) -> tensor<i1>
    // expected-note@below {{the op on the other device}}
    %of = flow.enter %x {frame = "outer", constant = true, parallel_iterations = 10 : i64, wire.device = 1 : i64} : (tensor<i32>) -> tensor<i32>
    %s = nd.add %e, %e {wire.device = 1 : i64} : (tensor<i32>, tensor<i32>) -> tensor<i32>
  }
}
// -----
module attributes {wire.devices = [{name = "a", address = ""}, {name = "b", address = ""}]} {
  flow.graph @g {
    %x = flow.feed {name = "x", wire.device = 0 : i64} : () -> tensor<i32>
    // expected-error@below {{expected a flow.loop_cond in frame 'outer', for a frame inside it is split over devices}}
    %oe = flow.enter %x {frame = "outer", constant = true, parallel_iterations = 10 : i64, wire.device = 0 : i64} : (tensor<i32>) -> tensor<i32>
    %e = flow.enter %oe {frame = "inner", constant = true, parallel_iterations = 10 : i64, wire.device = 0 : i64} : (tensor<i32>) -> tensor<i32>
    %p = nd.less %e, %e {wire.device = 0 : i64} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %go = flow.loop_cond %p {wire.device = 0 : i64} : (tensor<i1>) -> tensor<i1>
    %s = nd.add %e, %e {wire.device = 1 : i64} : (tensor<i32>, tensor<i32>) -> tensor<i32>
  }
}
