// RUN: sluice-opt %s --import-order-effects | FileCheck %s

state.variable @v {key = "v", type = tensor<f32>}
state.variable @w {key = "w", type = tensor<f32>}

// Two reads, a write, a read: the write waits for both reads, the last read for the write.
// CHECK-LABEL: flow.graph @races
flow.graph @races {
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %v, %d = state.reference {variable = @v} : () -> (!state.ref<tensor<f32>>, !flow.token)
  %id = flow.gate %v, %d : (!state.ref<tensor<f32>>, !flow.token) -> !state.ref<tensor<f32>>
  // CHECK: %[[A:.*]], %[[AT:.*]] = state.read %[[V:[^ ,]*]] :
  %a, %at = state.read %v : (!state.ref<tensor<f32>>) -> (tensor<f32>, !flow.token)
  // CHECK: %[[B:.*]], %[[BT:.*]] = state.read
  %b, %bt = state.read %id : (!state.ref<tensor<f32>>) -> (tensor<f32>, !flow.token)
  // CHECK: %[[ORDER:.*]] = flow.trigger %[[AT]], %[[BT]]
  // CHECK: %[[W:.*]] = state.assign %[[V]], %{{.*}}, %[[ORDER]] {validate_shape = true}
  %w = state.assign %v, %x {validate_shape = true} : (!state.ref<tensor<f32>>, tensor<f32>) -> !flow.token
  // CHECK: %[[LATE:.*]] = flow.trigger %[[W]]
  // CHECK: state.read %{{.*}}, %[[LATE]] :
  %c, %ct = state.read %v : (!state.ref<tensor<f32>>) -> (tensor<f32>, !flow.token)
  flow.fetch %a {name = "a:0"} : (tensor<f32>) -> ()
  flow.fetch %b {name = "b:0"} : (tensor<f32>) -> ()
  flow.fetch %c {name = "c:0"} : (tensor<f32>) -> ()
  flow.target %w {name = "w"} : (!flow.token) -> ()
}

// Two writes with nothing between, through two handles of one variable.
// CHECK-LABEL: flow.graph @writes
flow.graph @writes {
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %v, %d = state.handle {variable = @v} : () -> (!state.resource<tensor<f32>>, !flow.token)
  %v2, %d2 = state.handle {variable = @v} : () -> (!state.resource<tensor<f32>>, !flow.token)
  // CHECK: %[[FIRST:.*]] = state.assign_add
  %a = state.assign_add %v, %x : (!state.resource<tensor<f32>>, tensor<f32>) -> !flow.token
  // CHECK: %[[ORDER:.*]] = flow.trigger %[[FIRST]]
  // CHECK: state.assign_sub %{{.*}}, %{{.*}}, %[[ORDER]] :
  %b = state.assign_sub %v2, %x : (!state.resource<tensor<f32>>, tensor<f32>) -> !flow.token
  flow.target %a {name = "a"} : (!flow.token) -> ()
  flow.target %b {name = "b"} : (!flow.token) -> ()
}

// An optimizer writes two variables: it waits for the readers of both.
// CHECK-LABEL: flow.graph @both
flow.graph @both {
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %v, %d = state.handle {variable = @v} : () -> (!state.resource<tensor<f32>>, !flow.token)
  %w, %e = state.handle {variable = @w} : () -> (!state.resource<tensor<f32>>, !flow.token)
  // CHECK: %{{.*}}, %[[AT:.*]] = state.read
  %a, %at = state.read %v : (!state.resource<tensor<f32>>) -> (tensor<f32>, !flow.token)
  // CHECK: %{{.*}}, %[[BT:.*]] = state.read
  %b, %bt = state.read %w : (!state.resource<tensor<f32>>) -> (tensor<f32>, !flow.token)
  // CHECK: flow.trigger %[[AT]], %[[BT]]
  // CHECK: state.apply_momentum
  %t = state.apply_momentum %v, %w, %x, %x, %x {use_nesterov = false} : (!state.resource<tensor<f32>>, !state.resource<tensor<f32>>, tensor<f32>, tensor<f32>, tensor<f32>) -> !flow.token
  flow.fetch %a {name = "a:0"} : (tensor<f32>) -> ()
  flow.fetch %b {name = "b:0"} : (tensor<f32>) -> ()
  flow.target %t {name = "t"} : (!flow.token) -> ()
}

// Those that wait for one write share a trigger. Asking for the shape, or whether there is a value,
// is reading; a trigger of a read is not read.
// CHECK-LABEL: flow.graph @readers
flow.graph @readers {
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %v, %d = state.reference {variable = @v} : () -> (!state.ref<tensor<f32>>, !flow.token)
  // CHECK: %[[W:.*]] = state.assign
  %w = state.assign %v, %x {validate_shape = true} : (!state.ref<tensor<f32>>, tensor<f32>) -> !flow.token
  // CHECK-NEXT: %[[LATE:.*]] = flow.trigger %[[W]]
  // CHECK-NEXT: %{{.*}}, %[[AT:.*]] = state.read %{{.*}}, %[[LATE]] :
  %a, %at = state.read %v : (!state.ref<tensor<f32>>) -> (tensor<f32>, !flow.token)
  // CHECK-NEXT: %{{.*}}, %[[BT:.*]] = state.variable_shape %{{.*}}, %[[LATE]] :
  %b, %bt = state.variable_shape %v : (!state.ref<tensor<f32>>) -> (tensor<?xi32>, !flow.token)
  // CHECK-NEXT: %{{.*}}, %[[CT:.*]] = state.is_initialized %{{.*}}, %[[LATE]] :
  %c, %ct = state.is_initialized %v : (!state.ref<tensor<f32>>) -> (tensor<i1>, !flow.token)
  // CHECK-NEXT: %[[ORDER:.*]] = flow.trigger %[[AT]], %[[BT]], %[[CT]]
  // CHECK-NEXT: %[[W2:.*]] = state.assign %{{.*}}, %{{.*}}, %[[ORDER]] {validate_shape
  %w2 = state.assign %v, %x {validate_shape = true} : (!state.ref<tensor<f32>>, tensor<f32>) -> !flow.token
  // The readers have gone, so the next one waits for this write only.
  // CHECK-NEXT: %[[LAST:.*]] = flow.trigger %[[W2]] :
  // CHECK-NEXT: state.assign %{{.*}}, %{{.*}}, %[[LAST]] {validate_shape
  %w3 = state.assign %v, %x {validate_shape = true} : (!state.ref<tensor<f32>>, tensor<f32>) -> !flow.token
  flow.fetch %a {name = "a:0"} : (tensor<f32>) -> ()
  flow.fetch %b {name = "b:0"} : (tensor<?xi32>) -> ()
  flow.fetch %c {name = "c:0"} : (tensor<i1>) -> ()
  flow.target %w2 {name = "w2"} : (!flow.token) -> ()
  flow.target %w3 {name = "w3"} : (!flow.token) -> ()
}

// Those that are waited for stand in the order of the block, each once, be it for two variables.
// CHECK-LABEL: flow.graph @optimizers
flow.graph @optimizers {
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %v, %d = state.reference {variable = @v} : () -> (!state.ref<tensor<f32>>, !flow.token)
  %w, %e = state.reference {variable = @w} : () -> (!state.ref<tensor<f32>>, !flow.token)
  // CHECK: %{{.*}}, %[[BT:.*]] = state.read
  %b, %bt = state.read %w : (!state.ref<tensor<f32>>) -> (tensor<f32>, !flow.token)
  // CHECK: %{{.*}}, %[[AT:.*]] = state.read
  %a, %at = state.read %v : (!state.ref<tensor<f32>>) -> (tensor<f32>, !flow.token)
  // CHECK: flow.trigger %[[BT]], %[[AT]] :
  // CHECK: %[[ONE:.*]] = state.apply_momentum
  %t = state.apply_momentum %v, %w, %x, %x, %x {use_nesterov = false} : (!state.ref<tensor<f32>>, !state.ref<tensor<f32>>, tensor<f32>, tensor<f32>, tensor<f32>) -> !flow.token
  // CHECK: %[[TWO:.*]] = flow.trigger %[[ONE]] :
  // CHECK: state.apply_momentum {{.*}}, %[[TWO]] {use_nesterov
  %u = state.apply_momentum %v, %w, %x, %x, %x {use_nesterov = false} : (!state.ref<tensor<f32>>, !state.ref<tensor<f32>>, tensor<f32>, tensor<f32>, tensor<f32>) -> !flow.token
  // CHECK-NOT: flow.trigger
  flow.fetch %a {name = "a:0"} : (tensor<f32>) -> ()
  flow.fetch %b {name = "b:0"} : (tensor<f32>) -> ()
  flow.target %u {name = "u"} : (!flow.token) -> ()
}

// One variable given twice is written once.
// CHECK-LABEL: flow.graph @same
flow.graph @same {
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %v, %d = state.reference {variable = @v} : () -> (!state.ref<tensor<f32>>, !flow.token)
  // CHECK: %{{.*}}, %[[AT:.*]] = state.read
  %a, %at = state.read %v : (!state.ref<tensor<f32>>) -> (tensor<f32>, !flow.token)
  // CHECK: %[[ORDER:.*]] = flow.trigger %[[AT]] :
  // CHECK: state.apply_momentum %[[V:.*]], %[[V]], %[[X:.*]], %[[X]], %[[X]], %[[ORDER]] {use_nesterov
  %t = state.apply_momentum %v, %v, %x, %x, %x {use_nesterov = false} : (!state.ref<tensor<f32>>, !state.ref<tensor<f32>>, tensor<f32>, tensor<f32>, tensor<f32>) -> !flow.token
  flow.fetch %a {name = "a:0"} : (tensor<f32>) -> ()
  flow.target %t {name = "t"} : (!flow.token) -> ()
}

// References that meet at a merge may be of either variable.
// CHECK-LABEL: flow.graph @meet
flow.graph @meet {
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %p = flow.feed {name = "p:0"} : () -> tensor<i1>
  %v, %d = state.reference {variable = @v} : () -> (!state.ref<tensor<f32>>, !flow.token)
  %w, %e = state.reference {variable = @w} : () -> (!state.ref<tensor<f32>>, !flow.token)
  %vf, %vt, %vs = flow.switch %v, %p : (!state.ref<tensor<f32>>, tensor<i1>) -> (!state.ref<tensor<f32>>, !state.ref<tensor<f32>>, !flow.token)
  %wf, %wt, %ws = flow.switch %w, %p : (!state.ref<tensor<f32>>, tensor<i1>) -> (!state.ref<tensor<f32>>, !state.ref<tensor<f32>>, !flow.token)
  %m, %i, %mt = flow.merge %vf, %wt : (!state.ref<tensor<f32>>, !state.ref<tensor<f32>>) -> (!state.ref<tensor<f32>>, tensor<i32>, !flow.token)
  // CHECK: %{{.*}}, %[[AT:.*]] = state.read
  %a, %at = state.read %w : (!state.ref<tensor<f32>>) -> (tensor<f32>, !flow.token)
  // CHECK: %[[ORDER:.*]] = flow.trigger %[[AT]] :
  // CHECK: state.assign %{{.*}}, %{{.*}}, %[[ORDER]] {validate_shape
  %t = state.assign %m, %x {validate_shape = true} : (!state.ref<tensor<f32>>, tensor<f32>) -> !flow.token
  flow.fetch %a {name = "a:0"} : (tensor<f32>) -> ()
  flow.target %t {name = "t"} : (!flow.token) -> ()
}

flow.func @nothing : (!state.resource<tensor<f32>>) -> () {
  %v = flow.argument {index = 0 : i64} : () -> !state.resource<tensor<f32>>
  flow.return : () -> ()
}

// A branch that gives nothing says to nobody that it is over, least of all at the start of the call,
// which is in another frame. It waits for what is before it.
// CHECK-LABEL: flow.graph @says_nothing
flow.graph @says_nothing {
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %p = flow.feed {name = "p:0"} : () -> tensor<i1>
  %v, %d = state.handle {variable = @v} : () -> (!state.resource<tensor<f32>>, !flow.token)
  %r = flow.enter %v {frame = "f", constant = true, parallel_iterations = 1 : i64} : (!state.resource<tensor<f32>>) -> !state.resource<tensor<f32>>
  %y = flow.enter %x {frame = "f", constant = false, parallel_iterations = 1 : i64} : (tensor<f32>) -> tensor<f32>
  %q = flow.enter %p {frame = "f", constant = false, parallel_iterations = 1 : i64} : (tensor<i1>) -> tensor<i1>
  // CHECK: %[[FIRST:.*]] = state.assign
  %s = state.assign %r, %y {validate_shape = true} : (!state.resource<tensor<f32>>, tensor<f32>) -> !flow.token
  // CHECK: %[[ORDER:.*]] = flow.trigger %[[FIRST]]
  // CHECK: %[[WAITS:.*]] = flow.gate %{{.*}}, %[[ORDER]]
  // CHECK: flow.cond %[[WAITS]]
  flow.cond %q (%r) : (tensor<i1>, !state.resource<tensor<f32>>) -> () on_true {
  ^bb0(%a: !state.resource<tensor<f32>>):
    %done = flow.call @nothing (%a) : (!state.resource<tensor<f32>>) -> !flow.token
    flow.yield : () -> ()
  } on_false {
  ^bb0(%a: !state.resource<tensor<f32>>):
    flow.yield : () -> ()
  }
  // CHECK-NOT: flow.start
  // CHECK: flow.trigger %[[FIRST]]
  // CHECK: state.assign
  %t = state.assign %r, %y {validate_shape = true} : (!state.resource<tensor<f32>>, tensor<f32>) -> !flow.token
  %z = flow.gate %y, %t : (tensor<f32>, !flow.token) -> tensor<f32>
  %o = flow.exit %z : (tensor<f32>) -> tensor<f32>
  flow.fetch %o {name = "o:0"} : (tensor<f32>) -> ()
}
