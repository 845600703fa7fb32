// Lists whose elements are set and read once only are arrays where that is known.
// RUN: sluice-opt --codegen-place-loops --split-input-file %s | FileCheck %s

// A loop sets what its counter says, all is taken at once, and the loop of the derivative reads what is added to zeros.
// CHECK-LABEL: flow.graph @once
// CHECK-NOT:     list.
// CHECK:         frame = "forward"
// CHECK:           nd.set_row
// CHECK-NOT:     list.
// CHECK:         %[[SQUARES:.*]] = nd.mul
// CHECK-NOT:     list.
// CHECK:         wire.copy %[[SQUARES]]
// CHECK-NOT:     list.
// CHECK:         frame = "backward"
// CHECK:           nd.row
// CHECK-NOT:     list.
// CHECK:         flow.fetch
module attributes {codegen.has_card, codegen.card_loops = "always"} {
flow.graph @once {
  %x = flow.feed {name = "x:0"} : () -> tensor<7xf32>
  %n = flow.feed {name = "n:0"} : () -> tensor<i32>
  %six = nd.constant {value = dense<6> : tensor<i32>} : () -> tensor<i32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %step = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
  %l = list.make %six {element_shape = tensor<*xf32>, identical = false} : (tensor<i32>) -> !list.of<tensor<7xf32>>
  %k = list.make %zero {element_shape = tensor<i32>, identical = false} : (tensor<i32>) -> !list.of<tensor<i32>>
  %r:4 = flow.while(%zero, %x, %l, %k) (%n) {frame = "forward", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<7xf32>, !list.of<tensor<7xf32>>, !list.of<tensor<i32>>, tensor<i32>) -> (tensor<i32>, tensor<7xf32>, !list.of<tensor<7xf32>>, !list.of<tensor<i32>>) before {
  ^bb0(%i: tensor<i32>, %a: tensor<7xf32>, %m: !list.of<tensor<7xf32>>, %s: !list.of<tensor<i32>>, %end: tensor<i32>):
    %p = nd.less %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p(%i, %a, %m, %s) : (tensor<i1>, tensor<i32>, tensor<7xf32>, !list.of<tensor<7xf32>>, !list.of<tensor<i32>>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %a: tensor<7xf32>, %m: !list.of<tensor<7xf32>>, %s: !list.of<tensor<i32>>, %end: tensor<i32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %other = nd.mul %i, %i : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %b = nd.tanh %a : (tensor<7xf32>) -> tensor<7xf32>
    %set = list.set %m, %i, %b {grow = false, once = true} : (!list.of<tensor<7xf32>>, tensor<i32>, tensor<7xf32>) -> !list.of<tensor<7xf32>>
    %pushed = list.push %s, %i {limit = -1 : i64} : (!list.of<tensor<i32>>, tensor<i32>) -> !list.of<tensor<i32>>
    flow.yield %next, %b, %set, %pushed : (tensor<i32>, tensor<7xf32>, !list.of<tensor<7xf32>>, !list.of<tensor<i32>>) -> ()
  }
  %length = list.length %r#2 : (!list.of<tensor<7xf32>>) -> tensor<i32>
  %all = nd.range %zero, %length, %step : (tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<?xi32>
  %rows, %cleared = list.gather %r#2, %all {beyond = false, clear = true, element_shape = tensor<7xf32>} : (!list.of<tensor<7xf32>>, tensor<?xi32>) -> (tensor<6x7xf32>, !list.of<tensor<7xf32>>)
  %squares = nd.mul %rows, %rows : (tensor<6x7xf32>, tensor<6x7xf32>) -> tensor<6x7xf32>
  %none = list.zeros_like %cleared : (!list.of<tensor<7xf32>>) -> !list.of<tensor<7xf32>>
  %back = list.scatter %none, %all, %squares {accumulate = true, grow = false, once = false} : (!list.of<tensor<7xf32>>, tensor<?xi32>, tensor<6x7xf32>) -> !list.of<tensor<7xf32>>
  %q:4 = flow.while(%r#0, %x, %back, %r#3) () {frame = "backward", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<7xf32>, !list.of<tensor<7xf32>>, !list.of<tensor<i32>>) -> (tensor<i32>, tensor<7xf32>, !list.of<tensor<7xf32>>, !list.of<tensor<i32>>) before {
  ^bb0(%i: tensor<i32>, %a: tensor<7xf32>, %m: !list.of<tensor<7xf32>>, %s: !list.of<tensor<i32>>):
    %nil = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %p = nd.greater %i, %nil : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p(%i, %a, %m, %s) : (tensor<i1>, tensor<i32>, tensor<7xf32>, !list.of<tensor<7xf32>>, !list.of<tensor<i32>>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %a: tensor<7xf32>, %m: !list.of<tensor<7xf32>>, %s: !list.of<tensor<i32>>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.sub %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %at, %rest = list.pop %s {element_shape = tensor<i32>} : (!list.of<tensor<i32>>) -> (tensor<i32>, !list.of<tensor<i32>>)
    %v, %left = list.get %m, %at {beyond = true, clear = true} : (!list.of<tensor<7xf32>>, tensor<i32>) -> (tensor<7xf32>, !list.of<tensor<7xf32>>)
    %b = nd.add %a, %v : (tensor<7xf32>, tensor<7xf32>) -> tensor<7xf32>
    flow.yield %next, %b, %left, %rest : (tensor<i32>, tensor<7xf32>, !list.of<tensor<7xf32>>, !list.of<tensor<i32>>) -> ()
  }
  flow.fetch %q#1 {name = "r:0"} : (tensor<7xf32>) -> ()
}
}

// -----

// Whether the index is another one each time is not known.
// CHECK-LABEL: flow.graph @other_index
// CHECK:         codegen.on_host = "{{.*}}sets an element that has to be empty"
// CHECK:         list.set
module attributes {codegen.has_card, codegen.card_loops = "always"} {
flow.graph @other_index {
  %x = flow.feed {name = "x:0"} : () -> tensor<7xf32>
  %n = flow.feed {name = "n:0"} : () -> tensor<i32>
  %six = nd.constant {value = dense<6> : tensor<i32>} : () -> tensor<i32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %step = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
  %l = list.make %six {element_shape = tensor<*xf32>, identical = false} : (tensor<i32>) -> !list.of<tensor<7xf32>>
  %k = list.make %zero {element_shape = tensor<i32>, identical = false} : (tensor<i32>) -> !list.of<tensor<i32>>
  %r:4 = flow.while(%zero, %x, %l, %k) (%n) {frame = "forward", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<7xf32>, !list.of<tensor<7xf32>>, !list.of<tensor<i32>>, tensor<i32>) -> (tensor<i32>, tensor<7xf32>, !list.of<tensor<7xf32>>, !list.of<tensor<i32>>) before {
  ^bb0(%i: tensor<i32>, %a: tensor<7xf32>, %m: !list.of<tensor<7xf32>>, %s: !list.of<tensor<i32>>, %end: tensor<i32>):
    %p = nd.less %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p(%i, %a, %m, %s) : (tensor<i1>, tensor<i32>, tensor<7xf32>, !list.of<tensor<7xf32>>, !list.of<tensor<i32>>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %a: tensor<7xf32>, %m: !list.of<tensor<7xf32>>, %s: !list.of<tensor<i32>>, %end: tensor<i32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %other = nd.mul %i, %i : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %b = nd.tanh %a : (tensor<7xf32>) -> tensor<7xf32>
    %set = list.set %m, %other, %b {grow = false, once = true} : (!list.of<tensor<7xf32>>, tensor<i32>, tensor<7xf32>) -> !list.of<tensor<7xf32>>
    %pushed = list.push %s, %i {limit = -1 : i64} : (!list.of<tensor<i32>>, tensor<i32>) -> !list.of<tensor<i32>>
    flow.yield %next, %b, %set, %pushed : (tensor<i32>, tensor<7xf32>, !list.of<tensor<7xf32>>, !list.of<tensor<i32>>) -> ()
  }
  %length = list.length %r#2 : (!list.of<tensor<7xf32>>) -> tensor<i32>
  %all = nd.range %zero, %length, %step : (tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<?xi32>
  %rows, %cleared = list.gather %r#2, %all {beyond = false, clear = true, element_shape = tensor<7xf32>} : (!list.of<tensor<7xf32>>, tensor<?xi32>) -> (tensor<6x7xf32>, !list.of<tensor<7xf32>>)
  %squares = nd.mul %rows, %rows : (tensor<6x7xf32>, tensor<6x7xf32>) -> tensor<6x7xf32>
  %none = list.zeros_like %cleared : (!list.of<tensor<7xf32>>) -> !list.of<tensor<7xf32>>
  %back = list.scatter %none, %all, %squares {accumulate = true, grow = false, once = false} : (!list.of<tensor<7xf32>>, tensor<?xi32>, tensor<6x7xf32>) -> !list.of<tensor<7xf32>>
  %q:4 = flow.while(%r#0, %x, %back, %r#3) () {frame = "backward", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<7xf32>, !list.of<tensor<7xf32>>, !list.of<tensor<i32>>) -> (tensor<i32>, tensor<7xf32>, !list.of<tensor<7xf32>>, !list.of<tensor<i32>>) before {
  ^bb0(%i: tensor<i32>, %a: tensor<7xf32>, %m: !list.of<tensor<7xf32>>, %s: !list.of<tensor<i32>>):
    %nil = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %p = nd.greater %i, %nil : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p(%i, %a, %m, %s) : (tensor<i1>, tensor<i32>, tensor<7xf32>, !list.of<tensor<7xf32>>, !list.of<tensor<i32>>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %a: tensor<7xf32>, %m: !list.of<tensor<7xf32>>, %s: !list.of<tensor<i32>>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.sub %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %at, %rest = list.pop %s {element_shape = tensor<i32>} : (!list.of<tensor<i32>>) -> (tensor<i32>, !list.of<tensor<i32>>)
    %v, %left = list.get %m, %at {beyond = true, clear = true} : (!list.of<tensor<7xf32>>, tensor<i32>) -> (tensor<7xf32>, !list.of<tensor<7xf32>>)
    %b = nd.add %a, %v : (tensor<7xf32>, tensor<7xf32>) -> tensor<7xf32>
    flow.yield %next, %b, %left, %rest : (tensor<i32>, tensor<7xf32>, !list.of<tensor<7xf32>>, !list.of<tensor<i32>>) -> ()
  }
  flow.fetch %q#1 {name = "r:0"} : (tensor<7xf32>) -> ()
}
}

// -----

// The numbers that are pushed may be equal.
// CHECK-LABEL: flow.graph @other_number
// CHECK:         codegen.on_host = "{{.*}}reads an element that may be cleared"
// CHECK:         list.set
module attributes {codegen.has_card, codegen.card_loops = "always"} {
flow.graph @other_number {
  %x = flow.feed {name = "x:0"} : () -> tensor<7xf32>
  %n = flow.feed {name = "n:0"} : () -> tensor<i32>
  %six = nd.constant {value = dense<6> : tensor<i32>} : () -> tensor<i32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %step = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
  %l = list.make %six {element_shape = tensor<*xf32>, identical = false} : (tensor<i32>) -> !list.of<tensor<7xf32>>
  %k = list.make %zero {element_shape = tensor<i32>, identical = false} : (tensor<i32>) -> !list.of<tensor<i32>>
  %r:4 = flow.while(%zero, %x, %l, %k) (%n) {frame = "forward", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<7xf32>, !list.of<tensor<7xf32>>, !list.of<tensor<i32>>, tensor<i32>) -> (tensor<i32>, tensor<7xf32>, !list.of<tensor<7xf32>>, !list.of<tensor<i32>>) before {
  ^bb0(%i: tensor<i32>, %a: tensor<7xf32>, %m: !list.of<tensor<7xf32>>, %s: !list.of<tensor<i32>>, %end: tensor<i32>):
    %p = nd.less %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p(%i, %a, %m, %s) : (tensor<i1>, tensor<i32>, tensor<7xf32>, !list.of<tensor<7xf32>>, !list.of<tensor<i32>>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %a: tensor<7xf32>, %m: !list.of<tensor<7xf32>>, %s: !list.of<tensor<i32>>, %end: tensor<i32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %other = nd.mul %i, %i : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %b = nd.tanh %a : (tensor<7xf32>) -> tensor<7xf32>
    %set = list.set %m, %i, %b {grow = false, once = true} : (!list.of<tensor<7xf32>>, tensor<i32>, tensor<7xf32>) -> !list.of<tensor<7xf32>>
    %pushed = list.push %s, %other {limit = -1 : i64} : (!list.of<tensor<i32>>, tensor<i32>) -> !list.of<tensor<i32>>
    flow.yield %next, %b, %set, %pushed : (tensor<i32>, tensor<7xf32>, !list.of<tensor<7xf32>>, !list.of<tensor<i32>>) -> ()
  }
  %length = list.length %r#2 : (!list.of<tensor<7xf32>>) -> tensor<i32>
  %all = nd.range %zero, %length, %step : (tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<?xi32>
  %rows, %cleared = list.gather %r#2, %all {beyond = false, clear = true, element_shape = tensor<7xf32>} : (!list.of<tensor<7xf32>>, tensor<?xi32>) -> (tensor<6x7xf32>, !list.of<tensor<7xf32>>)
  %squares = nd.mul %rows, %rows : (tensor<6x7xf32>, tensor<6x7xf32>) -> tensor<6x7xf32>
  %none = list.zeros_like %cleared : (!list.of<tensor<7xf32>>) -> !list.of<tensor<7xf32>>
  %back = list.scatter %none, %all, %squares {accumulate = true, grow = false, once = false} : (!list.of<tensor<7xf32>>, tensor<?xi32>, tensor<6x7xf32>) -> !list.of<tensor<7xf32>>
  %q:4 = flow.while(%r#0, %x, %back, %r#3) () {frame = "backward", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<7xf32>, !list.of<tensor<7xf32>>, !list.of<tensor<i32>>) -> (tensor<i32>, tensor<7xf32>, !list.of<tensor<7xf32>>, !list.of<tensor<i32>>) before {
  ^bb0(%i: tensor<i32>, %a: tensor<7xf32>, %m: !list.of<tensor<7xf32>>, %s: !list.of<tensor<i32>>):
    %nil = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %p = nd.greater %i, %nil : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p(%i, %a, %m, %s) : (tensor<i1>, tensor<i32>, tensor<7xf32>, !list.of<tensor<7xf32>>, !list.of<tensor<i32>>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %a: tensor<7xf32>, %m: !list.of<tensor<7xf32>>, %s: !list.of<tensor<i32>>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.sub %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %at, %rest = list.pop %s {element_shape = tensor<i32>} : (!list.of<tensor<i32>>) -> (tensor<i32>, !list.of<tensor<i32>>)
    %v, %left = list.get %m, %at {beyond = true, clear = true} : (!list.of<tensor<7xf32>>, tensor<i32>) -> (tensor<7xf32>, !list.of<tensor<7xf32>>)
    %b = nd.add %a, %v : (tensor<7xf32>, tensor<7xf32>) -> tensor<7xf32>
    flow.yield %next, %b, %left, %rest : (tensor<i32>, tensor<7xf32>, !list.of<tensor<7xf32>>, !list.of<tensor<i32>>) -> ()
  }
  flow.fetch %q#1 {name = "r:0"} : (tensor<7xf32>) -> ()
}
}

// -----

// What is cleared is read once more.
// CHECK-LABEL: flow.graph @cleared
// CHECK:         codegen.on_host = "{{.*}}reads elements that may be cleared"
// CHECK:         list.set
module attributes {codegen.has_card, codegen.card_loops = "always"} {
flow.graph @cleared {
  %x = flow.feed {name = "x:0"} : () -> tensor<7xf32>
  %n = flow.feed {name = "n:0"} : () -> tensor<i32>
  %six = nd.constant {value = dense<6> : tensor<i32>} : () -> tensor<i32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %step = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
  %l = list.make %six {element_shape = tensor<*xf32>, identical = false} : (tensor<i32>) -> !list.of<tensor<7xf32>>
  %k = list.make %zero {element_shape = tensor<i32>, identical = false} : (tensor<i32>) -> !list.of<tensor<i32>>
  %r:4 = flow.while(%zero, %x, %l, %k) (%n) {frame = "forward", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<7xf32>, !list.of<tensor<7xf32>>, !list.of<tensor<i32>>, tensor<i32>) -> (tensor<i32>, tensor<7xf32>, !list.of<tensor<7xf32>>, !list.of<tensor<i32>>) before {
  ^bb0(%i: tensor<i32>, %a: tensor<7xf32>, %m: !list.of<tensor<7xf32>>, %s: !list.of<tensor<i32>>, %end: tensor<i32>):
    %p = nd.less %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p(%i, %a, %m, %s) : (tensor<i1>, tensor<i32>, tensor<7xf32>, !list.of<tensor<7xf32>>, !list.of<tensor<i32>>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %a: tensor<7xf32>, %m: !list.of<tensor<7xf32>>, %s: !list.of<tensor<i32>>, %end: tensor<i32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %other = nd.mul %i, %i : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %b = nd.tanh %a : (tensor<7xf32>) -> tensor<7xf32>
    %set = list.set %m, %i, %b {grow = false, once = true} : (!list.of<tensor<7xf32>>, tensor<i32>, tensor<7xf32>) -> !list.of<tensor<7xf32>>
    %pushed = list.push %s, %i {limit = -1 : i64} : (!list.of<tensor<i32>>, tensor<i32>) -> !list.of<tensor<i32>>
    flow.yield %next, %b, %set, %pushed : (tensor<i32>, tensor<7xf32>, !list.of<tensor<7xf32>>, !list.of<tensor<i32>>) -> ()
  }
  %length = list.length %r#2 : (!list.of<tensor<7xf32>>) -> tensor<i32>
  %all = nd.range %zero, %length, %step : (tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<?xi32>
  %rows, %cleared = list.gather %r#2, %all {beyond = false, clear = true, element_shape = tensor<7xf32>} : (!list.of<tensor<7xf32>>, tensor<?xi32>) -> (tensor<6x7xf32>, !list.of<tensor<7xf32>>)
  %first = list.peek %cleared, %zero {element_shape = tensor<7xf32>} : (!list.of<tensor<7xf32>>, tensor<i32>) -> tensor<7xf32>
  flow.fetch %first {name = "f:0"} : (tensor<7xf32>) -> ()
  %squares = nd.mul %rows, %rows : (tensor<6x7xf32>, tensor<6x7xf32>) -> tensor<6x7xf32>
  %none = list.zeros_like %cleared : (!list.of<tensor<7xf32>>) -> !list.of<tensor<7xf32>>
  %back = list.scatter %none, %all, %squares {accumulate = true, grow = false, once = false} : (!list.of<tensor<7xf32>>, tensor<?xi32>, tensor<6x7xf32>) -> !list.of<tensor<7xf32>>
  %q:4 = flow.while(%r#0, %x, %back, %r#3) () {frame = "backward", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<7xf32>, !list.of<tensor<7xf32>>, !list.of<tensor<i32>>) -> (tensor<i32>, tensor<7xf32>, !list.of<tensor<7xf32>>, !list.of<tensor<i32>>) before {
  ^bb0(%i: tensor<i32>, %a: tensor<7xf32>, %m: !list.of<tensor<7xf32>>, %s: !list.of<tensor<i32>>):
    %nil = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %p = nd.greater %i, %nil : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p(%i, %a, %m, %s) : (tensor<i1>, tensor<i32>, tensor<7xf32>, !list.of<tensor<7xf32>>, !list.of<tensor<i32>>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %a: tensor<7xf32>, %m: !list.of<tensor<7xf32>>, %s: !list.of<tensor<i32>>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.sub %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %at, %rest = list.pop %s {element_shape = tensor<i32>} : (!list.of<tensor<i32>>) -> (tensor<i32>, !list.of<tensor<i32>>)
    %v, %left = list.get %m, %at {beyond = true, clear = true} : (!list.of<tensor<7xf32>>, tensor<i32>) -> (tensor<7xf32>, !list.of<tensor<7xf32>>)
    %b = nd.add %a, %v : (tensor<7xf32>, tensor<7xf32>) -> tensor<7xf32>
    flow.yield %next, %b, %left, %rest : (tensor<i32>, tensor<7xf32>, !list.of<tensor<7xf32>>, !list.of<tensor<i32>>) -> ()
  }
  flow.fetch %q#1 {name = "r:0"} : (tensor<7xf32>) -> ()
}
}

// -----

// What the loop has cleared is read.
// CHECK-LABEL: flow.graph @cleared_later
// CHECK:         codegen.on_host = "{{.*}}reads an element that may be cleared"
// CHECK:         list.set
module attributes {codegen.has_card, codegen.card_loops = "always"} {
flow.graph @cleared_later {
  %x = flow.feed {name = "x:0"} : () -> tensor<7xf32>
  %n = flow.feed {name = "n:0"} : () -> tensor<i32>
  %six = nd.constant {value = dense<6> : tensor<i32>} : () -> tensor<i32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %step = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
  %l = list.make %six {element_shape = tensor<*xf32>, identical = false} : (tensor<i32>) -> !list.of<tensor<7xf32>>
  %k = list.make %zero {element_shape = tensor<i32>, identical = false} : (tensor<i32>) -> !list.of<tensor<i32>>
  %r:4 = flow.while(%zero, %x, %l, %k) (%n) {frame = "forward", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<7xf32>, !list.of<tensor<7xf32>>, !list.of<tensor<i32>>, tensor<i32>) -> (tensor<i32>, tensor<7xf32>, !list.of<tensor<7xf32>>, !list.of<tensor<i32>>) before {
  ^bb0(%i: tensor<i32>, %a: tensor<7xf32>, %m: !list.of<tensor<7xf32>>, %s: !list.of<tensor<i32>>, %end: tensor<i32>):
    %p = nd.less %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p(%i, %a, %m, %s) : (tensor<i1>, tensor<i32>, tensor<7xf32>, !list.of<tensor<7xf32>>, !list.of<tensor<i32>>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %a: tensor<7xf32>, %m: !list.of<tensor<7xf32>>, %s: !list.of<tensor<i32>>, %end: tensor<i32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %other = nd.mul %i, %i : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %b = nd.tanh %a : (tensor<7xf32>) -> tensor<7xf32>
    %set = list.set %m, %i, %b {grow = false, once = true} : (!list.of<tensor<7xf32>>, tensor<i32>, tensor<7xf32>) -> !list.of<tensor<7xf32>>
    %pushed = list.push %s, %i {limit = -1 : i64} : (!list.of<tensor<i32>>, tensor<i32>) -> !list.of<tensor<i32>>
    flow.yield %next, %b, %set, %pushed : (tensor<i32>, tensor<7xf32>, !list.of<tensor<7xf32>>, !list.of<tensor<i32>>) -> ()
  }
  %length = list.length %r#2 : (!list.of<tensor<7xf32>>) -> tensor<i32>
  %all = nd.range %zero, %length, %step : (tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<?xi32>
  %rows, %cleared = list.gather %r#2, %all {beyond = false, clear = true, element_shape = tensor<7xf32>} : (!list.of<tensor<7xf32>>, tensor<?xi32>) -> (tensor<6x7xf32>, !list.of<tensor<7xf32>>)
  %squares = nd.mul %rows, %rows : (tensor<6x7xf32>, tensor<6x7xf32>) -> tensor<6x7xf32>
  %none = list.zeros_like %cleared : (!list.of<tensor<7xf32>>) -> !list.of<tensor<7xf32>>
  %back = list.scatter %none, %all, %squares {accumulate = true, grow = false, once = false} : (!list.of<tensor<7xf32>>, tensor<?xi32>, tensor<6x7xf32>) -> !list.of<tensor<7xf32>>
  %q:4 = flow.while(%r#0, %x, %back, %r#3) () {frame = "backward", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<7xf32>, !list.of<tensor<7xf32>>, !list.of<tensor<i32>>) -> (tensor<i32>, tensor<7xf32>, !list.of<tensor<7xf32>>, !list.of<tensor<i32>>) before {
  ^bb0(%i: tensor<i32>, %a: tensor<7xf32>, %m: !list.of<tensor<7xf32>>, %s: !list.of<tensor<i32>>):
    %nil = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %p = nd.greater %i, %nil : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p(%i, %a, %m, %s) : (tensor<i1>, tensor<i32>, tensor<7xf32>, !list.of<tensor<7xf32>>, !list.of<tensor<i32>>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %a: tensor<7xf32>, %m: !list.of<tensor<7xf32>>, %s: !list.of<tensor<i32>>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.sub %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %at, %rest = list.pop %s {element_shape = tensor<i32>} : (!list.of<tensor<i32>>) -> (tensor<i32>, !list.of<tensor<i32>>)
    %v, %left = list.get %m, %at {beyond = true, clear = true} : (!list.of<tensor<7xf32>>, tensor<i32>) -> (tensor<7xf32>, !list.of<tensor<7xf32>>)
    %b = nd.add %a, %v : (tensor<7xf32>, tensor<7xf32>) -> tensor<7xf32>
    flow.yield %next, %b, %left, %rest : (tensor<i32>, tensor<7xf32>, !list.of<tensor<7xf32>>, !list.of<tensor<i32>>) -> ()
  }
  %last = list.peek %q#2, %zero {element_shape = tensor<7xf32>} : (!list.of<tensor<7xf32>>, tensor<i32>) -> tensor<7xf32>
  flow.fetch %last {name = "f:0"} : (tensor<7xf32>) -> ()
  flow.fetch %q#1 {name = "r:0"} : (tensor<7xf32>) -> ()
}
}
