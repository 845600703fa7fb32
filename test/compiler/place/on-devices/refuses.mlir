// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Requests that cannot be met: who asks for what, what there is, and what ties two nodes together.
// RUN: not sluice-opt --place-on-devices --split-input-file %s 2>&1 | FileCheck %s

// All requests that fit no device, each once.
// CHECK: {{.*}}error: loc("gpu"): asks for '/gpu:0', but this build has no GPU devices
// CHECK-NEXT: {{.*}}note: {{.*}}the devices are '/job:a/replica:0/task:0/device:CPU:0', '/job:a/replica:0/task:1/device:CPU:0'
// CHECK-NEXT: {{.*}}error: loc("task"): asks for '/job:a/task:2', but there is no such device
// CHECK-NEXT: {{.*}}note: {{.*}}the devices
// CHECK-NEXT: {{.*}}error: loc("gate"): asks for '/job:b', but there is no such device
// CHECK-NEXT: {{.*}}note: {{.*}}the devices
// CHECK-NEXT: {{.*}}error: loc("bad"): expected '/job:NAME/replica:N/task:N/device:CPU:N', of which parts may be missing or '*', but got '/tpu:0'
// CHECK-NEXT: {{.*}}note: {{.*}}the devices
// CHECK-NOT: error
module attributes {wire.devices = [{name = "/job:a/replica:0/task:0/device:CPU:0", address = "a:1"}, {name = "/job:a/replica:0/task:1/device:CPU:0", address = "b:1"}]} {
flow.graph @no_device {
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %0 = nd.neg %x {wire.requested = "/gpu:0"} : (tensor<f32>) -> tensor<f32> loc("gpu")
  %1 = nd.neg %0 {wire.requested = "/gpu:0"} : (tensor<f32>) -> tensor<f32> loc("again")
  %2 = nd.neg %1 {wire.requested = "/job:a/task:2"} : (tensor<f32>) -> tensor<f32> loc("task")
  %t = flow.after %2 : (tensor<f32>) -> !flow.token
  %3 = flow.gate %2, %t {wire.requested = "/job:b"} : (tensor<f32>, !flow.token) -> tensor<f32> loc("gate")
  %4 = nd.neg %3 {wire.requested = "/tpu:0"} : (tensor<f32>) -> tensor<f32> loc("bad")
  flow.fetch %4 {name = "y:0"} : (tensor<f32>) -> ()
}
}

// -----

// CHECK: {{.*}}error: loc("c"): asks for '/task:1' but must be where node 'a' is, which asks for '/task:0'
// CHECK-NEXT: {{.*}}note: loc("c"): must be where node 'a' is, as both are colocated with 's'
// CHECK-NEXT: {{.*}}note: {{.*}}the devices
// CHECK-NOT: error
module attributes {wire.devices = [{name = "/job:a/replica:0/task:0/device:CPU:0", address = "a:1"}, {name = "/job:a/replica:0/task:1/device:CPU:0", address = "b:1"}]} {
flow.graph @colocation {
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %0 = nd.neg %x {wire.requested = "/task:0", wire.colocate = "s"} : (tensor<f32>) -> tensor<f32> loc("a")
  %1 = nd.neg %0 {wire.requested = "/task:*", wire.colocate = "s"} : (tensor<f32>) -> tensor<f32> loc("b")
  %2 = nd.neg %1 {wire.requested = "/task:1", wire.colocate = "s"} : (tensor<f32>) -> tensor<f32> loc("c")
  flow.fetch %2 {name = "y:0"} : (tensor<f32>) -> ()
}
}

// -----

// No two of them disagree, but all three do.
// CHECK: {{.*}}error: loc("c"): asks for '/device:CPU:1' but must be where node 'a' is, which asks for '/job:a'
// CHECK-NEXT: {{.*}}note: loc("b"): must be there, too, and asks for '/task:0'
// CHECK-NEXT: {{.*}}note: loc("c"): must be where node 'a' is, as both are colocated with 's'
// CHECK-NEXT: {{.*}}note: {{.*}}the devices are '/job:a/replica:0/task:0/device:CPU:0', {{.*}}, … (9 in all)
// CHECK-NOT: error
module attributes {wire.devices = [
  {name = "/job:a/replica:0/task:0/device:CPU:0", address = "a:1"}, {name = "/job:a/replica:0/task:1/device:CPU:1", address = "b:1"},
  {name = "/job:b/replica:0/task:0/device:CPU:1", address = "c:1"}, {name = "/job:c/replica:0/task:0/device:CPU:0", address = "d:1"},
  {name = "/job:c/replica:0/task:1/device:CPU:0", address = "e:1"}, {name = "/job:c/replica:0/task:2/device:CPU:0", address = "f:1"},
  {name = "/job:c/replica:0/task:3/device:CPU:0", address = "g:1"}, {name = "/job:c/replica:0/task:4/device:CPU:0", address = "h:1"},
  {name = "/job:c/replica:0/task:5/device:CPU:0", address = "i:1"}]} {
flow.graph @three {
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %0 = nd.neg %x {wire.requested = "/job:a", wire.colocate = "s"} : (tensor<f32>) -> tensor<f32> loc("a")
  %1 = nd.neg %0 {wire.requested = "/task:0", wire.colocate = "s"} : (tensor<f32>) -> tensor<f32> loc("b")
  %2 = nd.neg %1 {wire.requested = "/device:CPU:1", wire.colocate = "s"} : (tensor<f32>) -> tensor<f32> loc("c")
  flow.fetch %2 {name = "y:0"} : (tensor<f32>) -> ()
}
}

// -----

// Two graphs that share a variable, and a colocated third op: two ties.
// CHECK: {{.*}}error: loc("far"): asks for '/task:1' but must be where node 'init' is, which asks for '/task:0'
// CHECK-NEXT: {{.*}}note: loc("value"): must be where node 'init' is, as both use variable 'w'
// CHECK-NEXT: {{.*}}note: loc("far"): must be where node 'value' is, as both are colocated with 's'
// CHECK-NEXT: {{.*}}note: {{.*}}the devices
// CHECK-NOT: error
module attributes {wire.devices = [{name = "/job:a/replica:0/task:0/device:CPU:0", address = "a:1"}, {name = "/job:a/replica:0/task:1/device:CPU:0", address = "b:1"}]} {
state.variable @w {key = "w", type = tensor<f32>} loc("w")
flow.graph @init {
  %c = nd.constant {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %v, %t = state.handle {variable = @w} : () -> (!state.resource<tensor<f32>>, !flow.token) loc("w")
  %d = state.assign %v, %c {validate_shape = true, wire.requested = "/task:0"} : (!state.resource<tensor<f32>>, tensor<f32>) -> !flow.token loc("init")
  flow.target %d {name = "init"} : (!flow.token) -> ()
}
flow.graph @main {
  %v, %t = state.reference {variable = @w} : () -> (!state.ref<tensor<f32>>, !flow.token) loc("w")
  %e = flow.gate %v, %t : (!state.ref<tensor<f32>>, !flow.token) -> !state.ref<tensor<f32>>
  %r, %u = state.read %e {wire.colocate = "s"} : (!state.ref<tensor<f32>>) -> (tensor<f32>, !flow.token) loc("value")
  %y = nd.neg %r {wire.requested = "/task:1", wire.colocate = "s"} : (tensor<f32>) -> tensor<f32> loc("far")
  flow.fetch %y {name = "y:0"} : (tensor<f32>) -> ()
}
}

// -----

// One stream of random numbers.
// CHECK: {{.*}}error: loc("b"): asks for '/task:1' but must be where node 'a' is, which asks for '/task:0'
// CHECK-NEXT: {{.*}}note: loc("b"): must be where node 'a' is, as both use the random generator 'g'
// CHECK-NEXT: {{.*}}note: {{.*}}the devices
// CHECK-NOT: error
module attributes {wire.devices = [{name = "/job:a/replica:0/task:0/device:CPU:0", address = "a:1"}, {name = "/job:a/replica:0/task:1/device:CPU:0", address = "b:1"}]} {
state.generator @g {key = "g"}
flow.graph @main {
  %s = nd.constant {value = dense<2> : tensor<1xi32>} : () -> tensor<1xi32>
  %x, %tx = state.random_uniform %s {generator = @g, seed = 1 : i64, seed2 = 2 : i64, wire.requested = "/task:0"} : (tensor<1xi32>) -> (tensor<?xf32>, !flow.token) loc("a")
  %y, %ty = state.random_uniform %s {generator = @g, seed = 1 : i64, seed2 = 2 : i64, wire.requested = "/task:1"} : (tensor<1xi32>) -> (tensor<?xf32>, !flow.token) loc("b")
  flow.fetch %x {name = "x:0"} : (tensor<?xf32>) -> ()
  flow.fetch %y {name = "y:0"} : (tensor<?xf32>) -> ()
}
}

// -----

// An array and its gradient array; a stack through a branch.
// CHECK: {{.*}}error: loc("size"): asks for '/task:1' but must be where node 'array' is, which asks for '/task:0'
// CHECK-NEXT: {{.*}}note: loc("size"): must be where node 'array' is, as both use TensorArray 'array'
// CHECK-NEXT: {{.*}}note: {{.*}}the devices
// CHECK-NEXT: {{.*}}error: loc("pop"): asks for '/task:1' but must be where node 'push' is, which asks for '/task:0'
// CHECK-NEXT: {{.*}}note: loc("pop"): must be where node 'push' is, as both use stack 'stack'
// CHECK-NEXT: {{.*}}note: {{.*}}the devices
// CHECK-NOT: error
module attributes {wire.devices = [{name = "/job:a/replica:0/task:0/device:CPU:0", address = "a:1"}, {name = "/job:a/replica:0/task:1/device:CPU:0", address = "b:1"}]} {
flow.graph @main {
  %n = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
  %p = flow.feed {name = "p:0"} : () -> tensor<i1>
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %h, %f, %t = array.create %n {dtype = f32, element_shape = tensor<*xf32>, dynamic_size = false, clear_after_read = true, identical_element_shapes = false, name = "a", wire.requested = "/task:0"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token) loc("array")
  %g, %f2, %t2 = array.grad %h, %f {source = "gradients"} : (!array.handle<tensor<*xf32>>, tensor<f32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token) loc("grad")
  %size, %t3 = array.size %g, %f2 {wire.requested = "/task:1"} : (!array.handle<tensor<*xf32>>, tensor<f32>) -> (tensor<i32>, !flow.token) loc("size")
  flow.fetch %size {name = "size:0"} : (tensor<i32>) -> ()
  %s, %t4 = array.stack_create %n {dtype = f32, name = "s"} : (tensor<i32>) -> (!array.stack<tensor<*xf32>>, !flow.token) loc("stack")
  %w, %t5 = array.stack_push %s, %x {swap_memory = false, wire.requested = "/task:0"} : (!array.stack<tensor<*xf32>>, tensor<f32>) -> (tensor<f32>, !flow.token) loc("push")
  %no, %yes, %t6 = flow.switch %s, %p : (!array.stack<tensor<*xf32>>, tensor<i1>) -> (!array.stack<tensor<*xf32>>, !array.stack<tensor<*xf32>>, !flow.token)
  %v, %t7 = array.stack_pop %yes, %t5 {wire.requested = "/task:1"} : (!array.stack<tensor<*xf32>>, !flow.token) -> (tensor<*xf32>, !flow.token) loc("pop")
  flow.target %t7 {name = "t"} : (!flow.token) -> ()
}
}

// -----

// A loop without loop_cond is one group with its enters and exits, and so is a loop inside it.
// CHECK: {{.*}}error: loc("inner"): asks for '/task:1' but must be where node 'enter' is, which asks for '/task:0'
// CHECK-NEXT: {{.*}}note: loc("inner"): must be where node 'enter' is, as both belong to loop 'outer', which has no LoopCond and so cannot be divided
// CHECK-NEXT: {{.*}}note: {{.*}}the devices
// CHECK-NOT: error
module attributes {wire.devices = [{name = "/job:a/replica:0/task:0/device:CPU:0", address = "a:1"}, {name = "/job:a/replica:0/task:1/device:CPU:0", address = "b:1"}]} {
flow.graph @main {
  %x = flow.feed {name = "x:0"} : () -> tensor<i1>
  %0 = flow.enter %x {frame = "outer", constant = true, parallel_iterations = 1 : i64, wire.requested = "/task:0"} : (tensor<i1>) -> tensor<i1> loc("enter")
  %1 = flow.enter %0 {frame = "inner", constant = true, parallel_iterations = 1 : i64} : (tensor<i1>) -> tensor<i1>
  %2 = flow.loop_cond %1 {wire.requested = "/task:1"} : (tensor<i1>) -> tensor<i1> loc("inner")
  %3 = flow.exit %2 : (tensor<i1>) -> tensor<i1>
  %4 = flow.exit %3 : (tensor<i1>) -> tensor<i1>
  flow.fetch %4 {name = "y:0"} : (tensor<i1>) -> ()
}
}

// -----

// An exit belongs to the loop that it leaves.
// CHECK: {{.*}}error: loc("exit"): asks for '/task:1' but must be where node 'neg' is, which asks for '/task:0'
// CHECK-NOT: error
module attributes {wire.devices = [{name = "/job:a/replica:0/task:0/device:CPU:0", address = "a:1"}, {name = "/job:a/replica:0/task:1/device:CPU:0", address = "b:1"}]} {
flow.graph @main {
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %0 = flow.enter %x {frame = "f", constant = true, parallel_iterations = 1 : i64} : (tensor<f32>) -> tensor<f32>
  %1 = nd.neg %0 {wire.requested = "/task:0"} : (tensor<f32>) -> tensor<f32> loc("neg")
  %2 = flow.exit %1 {wire.requested = "/task:1"} : (tensor<f32>) -> tensor<f32> loc("exit")
  flow.fetch %2 {name = "y:0"} : (tensor<f32>) -> ()
}
}

// -----

// A value that enters once, used without a merge: 'once' fires in the first iteration only, so its
// users are on its device. The loop within exists for that iteration only.
// CHECK: {{.*}}error: loc("user"): asks for '/task:1' but must be where node 'once' is, which asks for '/task:0'
// CHECK-NEXT: {{.*}}note: loc("user"): must be where node 'once' is, as both belong to what loop 'loop' does in its first iteration only, which cannot be divided
// CHECK-NEXT: {{.*}}note: {{.*}}the devices
// CHECK-NEXT: {{.*}}error: loc("within"): asks for '/task:1' but must be where node 'once' is, which asks for '/task:0'
// CHECK-NEXT: {{.*}}note: loc("within"): must be where node 'once' is, as both belong to what loop 'loop' does in its first iteration only, which cannot be divided
// CHECK-NEXT: {{.*}}note: {{.*}}the devices
// CHECK-NEXT: {{.*}}error: loc("merge"): asks for '/task:1' but must be where node 'out' is, which asks for '/task:0'
// CHECK-NEXT: {{.*}}note: loc("merge"): must be where node 'out' is, as both belong to what loop 'loop' does in its first iteration only, which cannot be divided
// CHECK-NOT: error
module attributes {wire.devices = [{name = "/job:a/replica:0/task:0/device:CPU:0", address = "a:1"}, {name = "/job:a/replica:0/task:1/device:CPU:0", address = "b:1"}]} {
flow.graph @user {
  %x = flow.feed {name = "x:0"} : () -> tensor<i1>
  %e = flow.enter %x {frame = "loop", constant = false, parallel_iterations = 1 : i64} : (tensor<i1>) -> tensor<i1>
  %i, %index, %merged = flow.merge %e, %again : (tensor<i1>, tensor<i1>) -> (tensor<i1>, tensor<i32>, !flow.token)
  %go = flow.loop_cond %i : (tensor<i1>) -> tensor<i1>
  %once = nd.logical_not %e {wire.requested = "/task:0"} : (tensor<i1>) -> tensor<i1> loc("once")
  %t = flow.after %once : (tensor<i1>) -> !flow.token
  %g = flow.gate %go, %t : (tensor<i1>, !flow.token) -> tensor<i1>
  %user = nd.logical_not %g {wire.requested = "/task:1"} : (tensor<i1>) -> tensor<i1> loc("user")
  %again = flow.next_iteration %go : (tensor<i1>) -> tensor<i1>
  %y = flow.exit %user : (tensor<i1>) -> tensor<i1>
  flow.fetch %y {name = "y:0"} : (tensor<i1>) -> ()
}
flow.graph @within {
  %x = flow.feed {name = "x:0"} : () -> tensor<i1>
  %e = flow.enter %x {frame = "loop", constant = false, parallel_iterations = 1 : i64} : (tensor<i1>) -> tensor<i1>
  %i, %index, %merged = flow.merge %e, %again : (tensor<i1>, tensor<i1>) -> (tensor<i1>, tensor<i32>, !flow.token)
  %go = flow.loop_cond %i : (tensor<i1>) -> tensor<i1>
  %again = flow.next_iteration %go : (tensor<i1>) -> tensor<i1>
  %once = nd.logical_not %e {wire.requested = "/task:0"} : (tensor<i1>) -> tensor<i1> loc("once")
  %inner = flow.enter %once {frame = "inner", constant = true, parallel_iterations = 1 : i64} : (tensor<i1>) -> tensor<i1>
  %p = flow.loop_cond %inner : (tensor<i1>) -> tensor<i1>
  %out = flow.exit %p : (tensor<i1>) -> tensor<i1>
  %within = nd.logical_not %out {wire.requested = "/task:1"} : (tensor<i1>) -> tensor<i1> loc("within")
  %y = flow.exit %within : (tensor<i1>) -> tensor<i1>
  flow.fetch %y {name = "y:0"} : (tensor<i1>) -> ()
}
flow.graph @merge {
  %x = flow.feed {name = "x:0"} : () -> tensor<i1>
  %e = flow.enter %x {frame = "loop", constant = false, parallel_iterations = 1 : i64} : (tensor<i1>) -> tensor<i1>
  %inner = flow.enter %e {frame = "inner", constant = true, parallel_iterations = 1 : i64} : (tensor<i1>) -> tensor<i1>
  %p = flow.loop_cond %inner : (tensor<i1>) -> tensor<i1>
  %out = flow.exit %p {wire.requested = "/task:0"} : (tensor<i1>) -> tensor<i1> loc("out")
  %i, %index, %merged = flow.merge %out, %again {wire.requested = "/task:1"} : (tensor<i1>, tensor<i1>) -> (tensor<i1>, tensor<i32>, !flow.token) loc("merge")
  %go = flow.loop_cond %i : (tensor<i1>) -> tensor<i1>
  %again = flow.next_iteration %go : (tensor<i1>) -> tensor<i1>
  %y = flow.exit %go : (tensor<i1>) -> tensor<i1>
  flow.fetch %y {name = "y:0"} : (tensor<i1>) -> ()
}
}

// -----

// CHECK: error: expected the full name of a device but got '/job:a'
module attributes {wire.devices = [{name = "/job:a", address = "a:1"}]} {
}

// -----

// Eight devices are all named; of more, the first eight.
// CHECK: {{.*}}error: loc("x"): asks for '/job:b', but there is no such device
// CHECK-NEXT: {{.*}}the devices are {{.*}}, '/job:c/replica:0/task:6/device:CPU:0', '/job:c/replica:0/task:7/device:CPU:0'{{$}}
// CHECK-NOT: error
module attributes {wire.devices = [{name = "/job:c/replica:0/task:0/device:CPU:0", address = "c:0"}, {name = "/job:c/replica:0/task:1/device:CPU:0", address = "c:1"}, {name = "/job:c/replica:0/task:2/device:CPU:0", address = "c:2"}, {name = "/job:c/replica:0/task:3/device:CPU:0", address = "c:3"}, {name = "/job:c/replica:0/task:4/device:CPU:0", address = "c:4"}, {name = "/job:c/replica:0/task:5/device:CPU:0", address = "c:5"}, {name = "/job:c/replica:0/task:6/device:CPU:0", address = "c:6"}, {name = "/job:c/replica:0/task:7/device:CPU:0", address = "c:7"}]} {
flow.graph @main {
  %x = flow.feed {name = "x:0", wire.requested = "/job:b"} : () -> tensor<f32> loc("x")
}
}

// -----

// CHECK: {{.*}}error: loc("x"): asks for '/job:b', but there is no such device
// CHECK-NEXT: {{.*}}the devices are {{.*}}, '/job:c/replica:0/task:7/device:CPU:0', … (9 in all)
// CHECK-NOT: error
module attributes {wire.devices = [{name = "/job:c/replica:0/task:0/device:CPU:0", address = "c:0"}, {name = "/job:c/replica:0/task:1/device:CPU:0", address = "c:1"}, {name = "/job:c/replica:0/task:2/device:CPU:0", address = "c:2"}, {name = "/job:c/replica:0/task:3/device:CPU:0", address = "c:3"}, {name = "/job:c/replica:0/task:4/device:CPU:0", address = "c:4"}, {name = "/job:c/replica:0/task:5/device:CPU:0", address = "c:5"}, {name = "/job:c/replica:0/task:6/device:CPU:0", address = "c:6"}, {name = "/job:c/replica:0/task:7/device:CPU:0", address = "c:7"}, {name = "/job:c/replica:0/task:8/device:CPU:0", address = "c:8"}]} {
flow.graph @main {
  %x = flow.feed {name = "x:0", wire.requested = "/job:b"} : () -> tensor<f32> loc("x")
}
}

// -----

// Two of them disagree with the third, and the first one is named. It has no node.
// CHECK: {{.*}}error: loc("c"): asks for '/task:1' but must be where op 'nd.neg' is, which asks for '/job:a/task:0'
// CHECK-NEXT: {{.*}}note: loc("c"): must be where op 'nd.neg' is, as both are colocated with 's'
// CHECK-NEXT: {{.*}}note: {{.*}}the devices
// CHECK-NOT: error
module attributes {wire.devices = [{name = "/job:a/replica:0/task:0/device:CPU:0", address = "a:1"}, {name = "/job:a/replica:0/task:1/device:CPU:0", address = "b:1"}, {name = "/job:b/replica:0/task:0/device:CPU:0", address = "c:1"}]} {
flow.graph @main {
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %0 = nd.neg %x {wire.requested = "/job:a", wire.colocate = "s"} : (tensor<f32>) -> tensor<f32> loc("a")
  %1 = nd.neg %0 {wire.requested = "/job:a/task:0", wire.colocate = "s"} : (tensor<f32>) -> tensor<f32> loc(unknown)
  %2 = nd.neg %1 {wire.requested = "/task:1", wire.colocate = "s"} : (tensor<f32>) -> tensor<f32> loc("c")
  flow.fetch %2 {name = "y:0"} : (tensor<f32>) -> ()
}
}

// -----

// An array that comes out of a branch first: the name of the tie is that of a later one.
// CHECK: {{.*}}error: loc("size"): asks for '/task:1' but must be where node 'read' is, which asks for '/task:0'
// CHECK-NEXT: {{.*}}note: loc("size"): must be where node 'read' is, as both use TensorArray 'array'
// CHECK-NEXT: {{.*}}note: {{.*}}the devices
// CHECK-NOT: error
module attributes {wire.devices = [{name = "/job:a/replica:0/task:0/device:CPU:0", address = "a:1"}, {name = "/job:a/replica:0/task:1/device:CPU:0", address = "b:1"}]} {
flow.graph @main {
  %v, %t3 = array.size %yes, %f {wire.requested = "/task:0"} : (!array.handle<tensor<*xf32>>, tensor<f32>) -> (tensor<i32>, !flow.token) loc("read")
  %no, %yes, %t2 = flow.switch %h, %p : (!array.handle<tensor<*xf32>>, tensor<i1>) -> (!array.handle<tensor<*xf32>>, !array.handle<tensor<*xf32>>, !flow.token)
  %n = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
  %p = flow.feed {name = "p:0"} : () -> tensor<i1>
  %h, %f, %t = array.create %n {dtype = f32, element_shape = tensor<*xf32>, dynamic_size = false, clear_after_read = true, identical_element_shapes = false, name = "a"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token) loc("array")
  %s, %t4 = array.size %h, %f {wire.requested = "/task:1"} : (!array.handle<tensor<*xf32>>, tensor<f32>) -> (tensor<i32>, !flow.token) loc("size")
}
}

// -----

// Variables and colocation by turns. Of ten ties eight are shown.
// CHECK: {{.*}}error: loc("h10"): asks for '/task:1' but must be where node 'h0' is, which asks for '/task:0'
// CHECK-NEXT: {{.*}}note: loc("h1"): must be where node 'h0' is, as both use variable 'w0'
// CHECK-NEXT: {{.*}}note: loc("h2"): must be where node 'h1' is, as both are colocated with 's1'
// CHECK-NEXT: {{.*}}note: loc("h3"): must be where node 'h2' is, as both use variable 'w1'
// CHECK-NEXT: {{.*}}note: loc("h4"): must be where node 'h3' is, as both are colocated with 's2'
// CHECK-NEXT: {{.*}}note: loc("h5"): must be where node 'h4' is, as both use variable 'w2'
// CHECK-NEXT: {{.*}}note: loc("h6"): must be where node 'h5' is, as both are colocated with 's3'
// CHECK-NEXT: {{.*}}note: loc("h7"): must be where node 'h6' is, as both use variable 'w3'
// CHECK-NEXT: {{.*}}note: loc("h8"): must be where node 'h7' is, as both are colocated with 's4'
// CHECK-NEXT: {{.*}}note: {{.*}}2 more such ties are not shown
// CHECK-NEXT: {{.*}}note: {{.*}}the devices
// CHECK-NOT: error
module attributes {wire.devices = [{name = "/job:a/replica:0/task:0/device:CPU:0", address = "a:1"}, {name = "/job:a/replica:0/task:1/device:CPU:0", address = "b:1"}]} {
state.variable @w0 {key = "w0", type = tensor<f32>}
state.variable @w1 {key = "w1", type = tensor<f32>}
state.variable @w2 {key = "w2", type = tensor<f32>}
state.variable @w3 {key = "w3", type = tensor<f32>}
state.variable @w4 {key = "w4", type = tensor<f32>}
state.variable @w5 {key = "w5", type = tensor<f32>}
flow.graph @main {
  %h0, %t0 = state.handle {variable = @w0, wire.requested = "/task:0"} : () -> (!state.resource<tensor<f32>>, !flow.token) loc("h0")
  %h1, %t1 = state.handle {variable = @w0, wire.colocate = "s1"} : () -> (!state.resource<tensor<f32>>, !flow.token) loc("h1")
  %h2, %t2 = state.handle {variable = @w1, wire.colocate = "s1"} : () -> (!state.resource<tensor<f32>>, !flow.token) loc("h2")
  %h3, %t3 = state.handle {variable = @w1, wire.colocate = "s2"} : () -> (!state.resource<tensor<f32>>, !flow.token) loc("h3")
  %h4, %t4 = state.handle {variable = @w2, wire.colocate = "s2"} : () -> (!state.resource<tensor<f32>>, !flow.token) loc("h4")
  %h5, %t5 = state.handle {variable = @w2, wire.colocate = "s3"} : () -> (!state.resource<tensor<f32>>, !flow.token) loc("h5")
  %h6, %t6 = state.handle {variable = @w3, wire.colocate = "s3"} : () -> (!state.resource<tensor<f32>>, !flow.token) loc("h6")
  %h7, %t7 = state.handle {variable = @w3, wire.colocate = "s4"} : () -> (!state.resource<tensor<f32>>, !flow.token) loc("h7")
  %h8, %t8 = state.handle {variable = @w4, wire.colocate = "s4"} : () -> (!state.resource<tensor<f32>>, !flow.token) loc("h8")
  %h9, %t9 = state.handle {variable = @w4, wire.colocate = "s5"} : () -> (!state.resource<tensor<f32>>, !flow.token) loc("h9")
  %h10, %t10 = state.handle {variable = @w5, wire.colocate = "s5", wire.requested = "/task:1"} : () -> (!state.resource<tensor<f32>>, !flow.token) loc("h10")
}
}

// -----

// Each of two disagrees with the third: the first one is enough.
// CHECK: {{.*}}error: loc("c"): asks for '/job:b/task:1' but must be where node 'a' is, which asks for '/task:0'
// CHECK-NEXT: {{.*}}note: loc("c"): must be where node 'a' is, as both are colocated with 's'
// CHECK-NEXT: {{.*}}note: {{.*}}the devices
// CHECK-NOT: error
module attributes {wire.devices = [{name = "/job:a/replica:0/task:0/device:CPU:0", address = "a:1"}, {name = "/job:a/replica:0/task:1/device:CPU:0", address = "b:1"}, {name = "/job:b/replica:0/task:0/device:CPU:0", address = "c:1"}, {name = "/job:b/replica:0/task:1/device:CPU:0", address = "d:1"}]} {
flow.graph @main {
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %0 = nd.neg %x {wire.requested = "/task:0", wire.colocate = "s"} : (tensor<f32>) -> tensor<f32> loc("a")
  %1 = nd.neg %0 {wire.requested = "/job:a", wire.colocate = "s"} : (tensor<f32>) -> tensor<f32> loc("b")
  %2 = nd.neg %1 {wire.requested = "/job:b/task:1", wire.colocate = "s"} : (tensor<f32>) -> tensor<f32> loc("c")
  flow.fetch %2 {name = "y:0"} : (tensor<f32>) -> ()
}
}

// -----

// A graph can be wrong in every node: twenty of them are told.
// CHECK-COUNT-20: error: loc("n{{[0-9]+}}"): asks for '/task:{{[0-9]+}}', but there is no such device
// CHECK-NOT: error
module attributes {wire.devices = [{name = "/job:a/replica:0/task:0/device:CPU:0", address = "a:1"}]} {
flow.graph @main {
  %c = nd.constant {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %0 = nd.neg %c {wire.requested = "/task:1"} : (tensor<f32>) -> tensor<f32> loc("n0")
  %1 = nd.neg %c {wire.requested = "/task:2"} : (tensor<f32>) -> tensor<f32> loc("n1")
  %2 = nd.neg %c {wire.requested = "/task:3"} : (tensor<f32>) -> tensor<f32> loc("n2")
  %3 = nd.neg %c {wire.requested = "/task:4"} : (tensor<f32>) -> tensor<f32> loc("n3")
  %4 = nd.neg %c {wire.requested = "/task:5"} : (tensor<f32>) -> tensor<f32> loc("n4")
  %5 = nd.neg %c {wire.requested = "/task:6"} : (tensor<f32>) -> tensor<f32> loc("n5")
  %6 = nd.neg %c {wire.requested = "/task:7"} : (tensor<f32>) -> tensor<f32> loc("n6")
  %7 = nd.neg %c {wire.requested = "/task:8"} : (tensor<f32>) -> tensor<f32> loc("n7")
  %8 = nd.neg %c {wire.requested = "/task:9"} : (tensor<f32>) -> tensor<f32> loc("n8")
  %9 = nd.neg %c {wire.requested = "/task:10"} : (tensor<f32>) -> tensor<f32> loc("n9")
  %10 = nd.neg %c {wire.requested = "/task:11"} : (tensor<f32>) -> tensor<f32> loc("n10")
  %11 = nd.neg %c {wire.requested = "/task:12"} : (tensor<f32>) -> tensor<f32> loc("n11")
  %12 = nd.neg %c {wire.requested = "/task:13"} : (tensor<f32>) -> tensor<f32> loc("n12")
  %13 = nd.neg %c {wire.requested = "/task:14"} : (tensor<f32>) -> tensor<f32> loc("n13")
  %14 = nd.neg %c {wire.requested = "/task:15"} : (tensor<f32>) -> tensor<f32> loc("n14")
  %15 = nd.neg %c {wire.requested = "/task:16"} : (tensor<f32>) -> tensor<f32> loc("n15")
  %16 = nd.neg %c {wire.requested = "/task:17"} : (tensor<f32>) -> tensor<f32> loc("n16")
  %17 = nd.neg %c {wire.requested = "/task:18"} : (tensor<f32>) -> tensor<f32> loc("n17")
  %18 = nd.neg %c {wire.requested = "/task:19"} : (tensor<f32>) -> tensor<f32> loc("n18")
  %19 = nd.neg %c {wire.requested = "/task:20"} : (tensor<f32>) -> tensor<f32> loc("n19")
  %20 = nd.neg %c {wire.requested = "/task:21"} : (tensor<f32>) -> tensor<f32> loc("n20")
}
}

// -----

// Also if each contradicts another one.
// CHECK-COUNT-20: error: loc("n{{[0-9]+}}"): asks for '/job:b' but must be where
// CHECK-NOT: error
module attributes {wire.devices = [{name = "/job:a/replica:0/task:0/device:CPU:0", address = "a:1"}, {name = "/job:a/replica:0/task:1/device:CPU:0", address = "b:1"}, {name = "/job:b/replica:0/task:0/device:CPU:0", address = "c:1"}, {name = "/job:b/replica:0/task:1/device:CPU:0", address = "d:1"}]} {
flow.graph @main {
  %c = nd.constant {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %0 = nd.neg %c {wire.requested = "/job:a", wire.colocate = "0"} : (tensor<f32>) -> tensor<f32> loc("n0")
  %1 = nd.neg %c {wire.requested = "/job:b", wire.colocate = "0"} : (tensor<f32>) -> tensor<f32> loc("n1")
  %2 = nd.neg %c {wire.requested = "/job:a", wire.colocate = "1"} : (tensor<f32>) -> tensor<f32> loc("n2")
  %3 = nd.neg %c {wire.requested = "/job:b", wire.colocate = "1"} : (tensor<f32>) -> tensor<f32> loc("n3")
  %4 = nd.neg %c {wire.requested = "/job:a", wire.colocate = "2"} : (tensor<f32>) -> tensor<f32> loc("n4")
  %5 = nd.neg %c {wire.requested = "/job:b", wire.colocate = "2"} : (tensor<f32>) -> tensor<f32> loc("n5")
  %6 = nd.neg %c {wire.requested = "/job:a", wire.colocate = "3"} : (tensor<f32>) -> tensor<f32> loc("n6")
  %7 = nd.neg %c {wire.requested = "/job:b", wire.colocate = "3"} : (tensor<f32>) -> tensor<f32> loc("n7")
  %8 = nd.neg %c {wire.requested = "/job:a", wire.colocate = "4"} : (tensor<f32>) -> tensor<f32> loc("n8")
  %9 = nd.neg %c {wire.requested = "/job:b", wire.colocate = "4"} : (tensor<f32>) -> tensor<f32> loc("n9")
  %10 = nd.neg %c {wire.requested = "/job:a", wire.colocate = "5"} : (tensor<f32>) -> tensor<f32> loc("n10")
  %11 = nd.neg %c {wire.requested = "/job:b", wire.colocate = "5"} : (tensor<f32>) -> tensor<f32> loc("n11")
  %12 = nd.neg %c {wire.requested = "/job:a", wire.colocate = "6"} : (tensor<f32>) -> tensor<f32> loc("n12")
  %13 = nd.neg %c {wire.requested = "/job:b", wire.colocate = "6"} : (tensor<f32>) -> tensor<f32> loc("n13")
  %14 = nd.neg %c {wire.requested = "/job:a", wire.colocate = "7"} : (tensor<f32>) -> tensor<f32> loc("n14")
  %15 = nd.neg %c {wire.requested = "/job:b", wire.colocate = "7"} : (tensor<f32>) -> tensor<f32> loc("n15")
  %16 = nd.neg %c {wire.requested = "/job:a", wire.colocate = "8"} : (tensor<f32>) -> tensor<f32> loc("n16")
  %17 = nd.neg %c {wire.requested = "/job:b", wire.colocate = "8"} : (tensor<f32>) -> tensor<f32> loc("n17")
  %18 = nd.neg %c {wire.requested = "/job:a", wire.colocate = "9"} : (tensor<f32>) -> tensor<f32> loc("n18")
  %19 = nd.neg %c {wire.requested = "/job:b", wire.colocate = "9"} : (tensor<f32>) -> tensor<f32> loc("n19")
  %20 = nd.neg %c {wire.requested = "/job:a", wire.colocate = "10"} : (tensor<f32>) -> tensor<f32> loc("n20")
  %21 = nd.neg %c {wire.requested = "/job:b", wire.colocate = "10"} : (tensor<f32>) -> tensor<f32> loc("n21")
  %22 = nd.neg %c {wire.requested = "/job:a", wire.colocate = "11"} : (tensor<f32>) -> tensor<f32> loc("n22")
  %23 = nd.neg %c {wire.requested = "/job:b", wire.colocate = "11"} : (tensor<f32>) -> tensor<f32> loc("n23")
  %24 = nd.neg %c {wire.requested = "/job:a", wire.colocate = "12"} : (tensor<f32>) -> tensor<f32> loc("n24")
  %25 = nd.neg %c {wire.requested = "/job:b", wire.colocate = "12"} : (tensor<f32>) -> tensor<f32> loc("n25")
  %26 = nd.neg %c {wire.requested = "/job:a", wire.colocate = "13"} : (tensor<f32>) -> tensor<f32> loc("n26")
  %27 = nd.neg %c {wire.requested = "/job:b", wire.colocate = "13"} : (tensor<f32>) -> tensor<f32> loc("n27")
  %28 = nd.neg %c {wire.requested = "/job:a", wire.colocate = "14"} : (tensor<f32>) -> tensor<f32> loc("n28")
  %29 = nd.neg %c {wire.requested = "/job:b", wire.colocate = "14"} : (tensor<f32>) -> tensor<f32> loc("n29")
  %30 = nd.neg %c {wire.requested = "/job:a", wire.colocate = "15"} : (tensor<f32>) -> tensor<f32> loc("n30")
  %31 = nd.neg %c {wire.requested = "/job:b", wire.colocate = "15"} : (tensor<f32>) -> tensor<f32> loc("n31")
  %32 = nd.neg %c {wire.requested = "/job:a", wire.colocate = "16"} : (tensor<f32>) -> tensor<f32> loc("n32")
  %33 = nd.neg %c {wire.requested = "/job:b", wire.colocate = "16"} : (tensor<f32>) -> tensor<f32> loc("n33")
  %34 = nd.neg %c {wire.requested = "/job:a", wire.colocate = "17"} : (tensor<f32>) -> tensor<f32> loc("n34")
  %35 = nd.neg %c {wire.requested = "/job:b", wire.colocate = "17"} : (tensor<f32>) -> tensor<f32> loc("n35")
  %36 = nd.neg %c {wire.requested = "/job:a", wire.colocate = "18"} : (tensor<f32>) -> tensor<f32> loc("n36")
  %37 = nd.neg %c {wire.requested = "/job:b", wire.colocate = "18"} : (tensor<f32>) -> tensor<f32> loc("n37")
  %38 = nd.neg %c {wire.requested = "/job:a", wire.colocate = "19"} : (tensor<f32>) -> tensor<f32> loc("n38")
  %39 = nd.neg %c {wire.requested = "/job:b", wire.colocate = "19"} : (tensor<f32>) -> tensor<f32> loc("n39")
  %40 = nd.neg %c {wire.requested = "/job:a", wire.colocate = "20"} : (tensor<f32>) -> tensor<f32> loc("n40")
  %41 = nd.neg %c {wire.requested = "/job:b", wire.colocate = "20"} : (tensor<f32>) -> tensor<f32> loc("n41")
}
}

// -----

// What is done to one object is done where it is, whatever graph does it.
// CHECK: {{.*}}error: loc("take"): asks for '/task:1' but must be where node 'put' is, which asks for '/task:0'
// CHECK-NEXT: {{.*}}note: loc("take"): must be where node 'put' is, as both use the queue 'box/q'
// CHECK-NEXT: {{.*}}note: {{.*}}the devices
// CHECK-NOT: error
module attributes {wire.devices = [{name = "/job:a/replica:0/task:0/device:CPU:0", address = "a:1"}, {name = "/job:a/replica:0/task:1/device:CPU:0", address = "b:1"}]} {
state.object @q {key = "box/q", kind = "queue"}
flow.graph @puts {
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %q, %t = state.queue_handle {object = @q, components = [tensor<f32>], order = "fifo", capacity = -1 : i64, min_after_dequeue = 0 : i64, seed = 0 : i64, seed2 = 0 : i64, name = "q"} : () -> (!state.object<"queue">, !flow.token)
  %d = state.enqueue %q, %x {many = false, wire.requested = "/task:0"} : (!state.object<"queue">, tensor<f32>) -> !flow.token loc("put")
  flow.target %d {name = "d"} : (!flow.token) -> ()
}
flow.graph @takes {
  %q, %t = state.queue_handle {object = @q, components = [tensor<f32>], order = "fifo", capacity = -1 : i64, min_after_dequeue = 0 : i64, seed = 0 : i64, seed2 = 0 : i64, name = "q"} : () -> (!state.object<"queue">, !flow.token)
  %y, %u = state.dequeue %q {wire.requested = "/task:1"} : (!state.object<"queue">) -> (tensor<f32>, !flow.token) loc("take")
  flow.fetch %y {name = "y:0"} : (tensor<f32>) -> ()
}
}
