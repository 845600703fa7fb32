// Lists whose elements are set and looked at in any order are arrays in loops of the card.
// RUN: sluice-opt --codegen-place-loops --split-input-file %s | FileCheck %s

// Elements are rows of a tensor, and all of them are that tensor. Those that are empty are zeros.
// CHECK-LABEL: flow.graph @sized
// CHECK:         nd.fill {{.*}} -> tensor<?x7xf32>
// CHECK-NOT:     list.
// CHECK:         flow.codelet
// CHECK:           flow.while({{.*}}codegen.lists = 1 : i64{{.*}}frame = "while"
// CHECK:             %[[OLD:.*]] = nd.row
// CHECK:             %[[B:.*]] = nd.add %{{.*}}, %[[OLD]]
// CHECK:             nd.set_row %{{.*}}, %{{.*}}, %[[B]]
// CHECK-NOT:     list.
// CHECK:         flow.fetch
module attributes {codegen.has_card, codegen.card_loops = "always"} {
flow.graph @sized {
  %x = flow.feed {name = "x:0"} : () -> tensor<7xf32>
  %n = flow.feed {name = "n:0"} : () -> tensor<i32>
  %six = nd.constant {value = dense<6> : tensor<i32>} : () -> tensor<i32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %l = list.make %n {element_shape = tensor<7xf32>, identical = false} : (tensor<i32>) -> !list.of<tensor<7xf32>>
  %r:3 = flow.while(%zero, %x, %l) (%n) {frame = "while", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<7xf32>, !list.of<tensor<7xf32>>, tensor<i32>) -> (tensor<i32>, tensor<7xf32>, !list.of<tensor<7xf32>>) before {
  ^bb0(%i: tensor<i32>, %a: tensor<7xf32>, %m: !list.of<tensor<7xf32>>, %end: tensor<i32>):
    %p = nd.less %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p(%i, %a, %m) : (tensor<i1>, tensor<i32>, tensor<7xf32>, !list.of<tensor<7xf32>>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %a: tensor<7xf32>, %m: !list.of<tensor<7xf32>>, %end: tensor<i32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %old = list.peek %m, %i {element_shape = tensor<*xf32>} : (!list.of<tensor<7xf32>>, tensor<i32>) -> tensor<7xf32>
    %b = nd.add %a, %old : (tensor<7xf32>, tensor<7xf32>) -> tensor<7xf32>
    %set = list.set %m, %i, %b {grow = false, once = false} : (!list.of<tensor<7xf32>>, tensor<i32>, tensor<7xf32>) -> !list.of<tensor<7xf32>>
    flow.yield %next, %b, %set : (tensor<i32>, tensor<7xf32>, !list.of<tensor<7xf32>>) -> ()
  }
  %s = list.stack %r#2 {element_shape = tensor<7xf32>, num_elements = -1 : i64} : (!list.of<tensor<7xf32>>) -> tensor<?x7xf32>
  flow.fetch %s {name = "r:0"} : (tensor<?x7xf32>) -> ()
}
}

// -----

// A size that is known. Who wants to know less of the dims gets that.
// CHECK-LABEL: flow.graph @known
// CHECK:         nd.fill {{.*}} -> tensor<6x7xf32>
// CHECK:         nd.set_row
// CHECK:         nd.reshape {{.*}} -> tensor<?x7xf32>
module attributes {codegen.has_card, codegen.card_loops = "always"} {
flow.graph @known {
  %x = flow.feed {name = "x:0"} : () -> tensor<7xf32>
  %n = flow.feed {name = "n:0"} : () -> tensor<i32>
  %six = nd.constant {value = dense<6> : tensor<i32>} : () -> tensor<i32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %l = list.make %six {element_shape = tensor<7xf32>, identical = false} : (tensor<i32>) -> !list.of<tensor<7xf32>>
  %r:3 = flow.while(%zero, %x, %l) (%n) {frame = "while", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<7xf32>, !list.of<tensor<7xf32>>, tensor<i32>) -> (tensor<i32>, tensor<7xf32>, !list.of<tensor<7xf32>>) before {
  ^bb0(%i: tensor<i32>, %a: tensor<7xf32>, %m: !list.of<tensor<7xf32>>, %end: tensor<i32>):
    %p = nd.less %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p(%i, %a, %m) : (tensor<i1>, tensor<i32>, tensor<7xf32>, !list.of<tensor<7xf32>>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %a: tensor<7xf32>, %m: !list.of<tensor<7xf32>>, %end: tensor<i32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %old = list.peek %m, %i {element_shape = tensor<*xf32>} : (!list.of<tensor<7xf32>>, tensor<i32>) -> tensor<7xf32>
    %b = nd.add %a, %old : (tensor<7xf32>, tensor<7xf32>) -> tensor<7xf32>
    %set = list.set %m, %i, %b {grow = false, once = false} : (!list.of<tensor<7xf32>>, tensor<i32>, tensor<7xf32>) -> !list.of<tensor<7xf32>>
    flow.yield %next, %b, %set : (tensor<i32>, tensor<7xf32>, !list.of<tensor<7xf32>>) -> ()
  }
  %s = list.stack %r#2 {element_shape = tensor<7xf32>, num_elements = 6 : i64} : (!list.of<tensor<7xf32>>) -> tensor<?x7xf32>
  flow.fetch %s {name = "r:0"} : (tensor<?x7xf32>) -> ()
}
}

// -----

// A list of the rows of a tensor is that tensor, and a loop that only looks at it need not carry it.
// CHECK-LABEL: flow.graph @unstacked
// CHECK-NOT:     list.
// CHECK:         nd.row
// CHECK-NOT:     list.
// CHECK:         flow.fetch
module attributes {codegen.has_card, codegen.card_loops = "always"} {
flow.graph @unstacked {
  %x = flow.feed {name = "x:0"} : () -> tensor<7xf32>
  %n = flow.feed {name = "n:0"} : () -> tensor<i32>
  %six = nd.constant {value = dense<6> : tensor<i32>} : () -> tensor<i32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %rows = flow.feed {name = "rows:0"} : () -> tensor<5x7xf32>
  %l = list.unstack %rows {element_shape = tensor<7xf32>} : (tensor<5x7xf32>) -> !list.of<tensor<7xf32>>
  %r:2 = flow.while(%zero, %x) (%n, %l) {frame = "while", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<7xf32>, tensor<i32>, !list.of<tensor<7xf32>>) -> (tensor<i32>, tensor<7xf32>) before {
  ^bb0(%i: tensor<i32>, %a: tensor<7xf32>, %end: tensor<i32>, %m: !list.of<tensor<7xf32>>):
    %p = nd.less %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p(%i, %a) : (tensor<i1>, tensor<i32>, tensor<7xf32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %a: tensor<7xf32>, %end: tensor<i32>, %m: !list.of<tensor<7xf32>>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %v = list.peek %m, %i {element_shape = tensor<7xf32>} : (!list.of<tensor<7xf32>>, tensor<i32>) -> tensor<7xf32>
    %b = nd.add %a, %v : (tensor<7xf32>, tensor<7xf32>) -> tensor<7xf32>
    flow.yield %next, %b : (tensor<i32>, tensor<7xf32>) -> ()
  }
  flow.fetch %r#1 {name = "r:0"} : (tensor<7xf32>) -> ()
}
}

// -----

// An array does not know which of its rows are set.
// CHECK-LABEL: flow.graph @once
// CHECK:         codegen.on_host = "{{.*}}sets an element that has to be empty"
// CHECK:         list.set
module attributes {codegen.has_card, codegen.card_loops = "always"} {
flow.graph @once {
  %x = flow.feed {name = "x:0"} : () -> tensor<7xf32>
  %n = flow.feed {name = "n:0"} : () -> tensor<i32>
  %six = nd.constant {value = dense<6> : tensor<i32>} : () -> tensor<i32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %l = list.make %n {element_shape = tensor<7xf32>, identical = false} : (tensor<i32>) -> !list.of<tensor<7xf32>>
  %r:3 = flow.while(%zero, %x, %l) (%n) {frame = "while", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<7xf32>, !list.of<tensor<7xf32>>, tensor<i32>) -> (tensor<i32>, tensor<7xf32>, !list.of<tensor<7xf32>>) before {
  ^bb0(%i: tensor<i32>, %a: tensor<7xf32>, %m: !list.of<tensor<7xf32>>, %end: tensor<i32>):
    %p = nd.less %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p(%i, %a, %m) : (tensor<i1>, tensor<i32>, tensor<7xf32>, !list.of<tensor<7xf32>>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %a: tensor<7xf32>, %m: !list.of<tensor<7xf32>>, %end: tensor<i32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %b = nd.tanh %a : (tensor<7xf32>) -> tensor<7xf32>
    %set = list.set %m, %end, %b {grow = false, once = true} : (!list.of<tensor<7xf32>>, tensor<i32>, tensor<7xf32>) -> !list.of<tensor<7xf32>>
    flow.yield %next, %b, %set : (tensor<i32>, tensor<7xf32>, !list.of<tensor<7xf32>>) -> ()
  }
  %s = list.stack %r#2 {element_shape = tensor<7xf32>, num_elements = -1 : i64} : (!list.of<tensor<7xf32>>) -> tensor<?x7xf32>
  flow.fetch %s {name = "r:0"} : (tensor<?x7xf32>) -> ()
}
}

// -----

// There is no more room than at first.
// CHECK-LABEL: flow.graph @grows
// CHECK:         codegen.on_host = "{{.*}}makes a list longer"
// CHECK:         list.set
module attributes {codegen.has_card, codegen.card_loops = "always"} {
flow.graph @grows {
  %x = flow.feed {name = "x:0"} : () -> tensor<7xf32>
  %n = flow.feed {name = "n:0"} : () -> tensor<i32>
  %six = nd.constant {value = dense<6> : tensor<i32>} : () -> tensor<i32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %l = list.make %n {element_shape = tensor<7xf32>, identical = false} : (tensor<i32>) -> !list.of<tensor<7xf32>>
  %r:3 = flow.while(%zero, %x, %l) (%n) {frame = "while", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<7xf32>, !list.of<tensor<7xf32>>, tensor<i32>) -> (tensor<i32>, tensor<7xf32>, !list.of<tensor<7xf32>>) before {
  ^bb0(%i: tensor<i32>, %a: tensor<7xf32>, %m: !list.of<tensor<7xf32>>, %end: tensor<i32>):
    %p = nd.less %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p(%i, %a, %m) : (tensor<i1>, tensor<i32>, tensor<7xf32>, !list.of<tensor<7xf32>>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %a: tensor<7xf32>, %m: !list.of<tensor<7xf32>>, %end: tensor<i32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %b = nd.tanh %a : (tensor<7xf32>) -> tensor<7xf32>
    %set = list.set %m, %i, %b {grow = true, once = false} : (!list.of<tensor<7xf32>>, tensor<i32>, tensor<7xf32>) -> !list.of<tensor<7xf32>>
    flow.yield %next, %b, %set : (tensor<i32>, tensor<7xf32>, !list.of<tensor<7xf32>>) -> ()
  }
  %s = list.stack %r#2 {element_shape = tensor<7xf32>, num_elements = -1 : i64} : (!list.of<tensor<7xf32>>) -> tensor<?x7xf32>
  flow.fetch %s {name = "r:0"} : (tensor<?x7xf32>) -> ()
}
}

// -----

// An empty element has a shape only if someone says which.
// CHECK-LABEL: flow.graph @unsaid
// CHECK:         codegen.on_host = "{{.*}}looks at elements whose shape may not have been said"
// CHECK:         list.set
module attributes {codegen.has_card, codegen.card_loops = "always"} {
flow.graph @unsaid {
  %x = flow.feed {name = "x:0"} : () -> tensor<7xf32>
  %n = flow.feed {name = "n:0"} : () -> tensor<i32>
  %six = nd.constant {value = dense<6> : tensor<i32>} : () -> tensor<i32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %l = list.make %n {element_shape = tensor<*xf32>, identical = false} : (tensor<i32>) -> !list.of<tensor<7xf32>>
  %r:3 = flow.while(%zero, %x, %l) (%n) {frame = "while", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<7xf32>, !list.of<tensor<7xf32>>, tensor<i32>) -> (tensor<i32>, tensor<7xf32>, !list.of<tensor<7xf32>>) before {
  ^bb0(%i: tensor<i32>, %a: tensor<7xf32>, %m: !list.of<tensor<7xf32>>, %end: tensor<i32>):
    %p = nd.less %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p(%i, %a, %m) : (tensor<i1>, tensor<i32>, tensor<7xf32>, !list.of<tensor<7xf32>>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %a: tensor<7xf32>, %m: !list.of<tensor<7xf32>>, %end: tensor<i32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %old = list.peek %m, %i {element_shape = tensor<*xf32>} : (!list.of<tensor<7xf32>>, tensor<i32>) -> tensor<7xf32>
    %b = nd.add %a, %old : (tensor<7xf32>, tensor<7xf32>) -> tensor<7xf32>
    %set = list.set %m, %i, %b {grow = false, once = false} : (!list.of<tensor<7xf32>>, tensor<i32>, tensor<7xf32>) -> !list.of<tensor<7xf32>>
    flow.yield %next, %b, %set : (tensor<i32>, tensor<7xf32>, !list.of<tensor<7xf32>>) -> ()
  }
  %s = list.stack %r#2 {element_shape = tensor<7xf32>, num_elements = -1 : i64} : (!list.of<tensor<7xf32>>) -> tensor<?x7xf32>
  flow.fetch %s {name = "r:0"} : (tensor<?x7xf32>) -> ()
}
}

// -----

// Rows that differ.
// CHECK-LABEL: flow.graph @unknown
// CHECK:         codegen.on_host = "{{.*}}uses a list whose rows are not known"
// CHECK:         list.set
module attributes {codegen.has_card, codegen.card_loops = "always"} {
flow.graph @unknown {
  %x = flow.feed {name = "x:0"} : () -> tensor<?xf32>
  %n = flow.feed {name = "n:0"} : () -> tensor<i32>
  %six = nd.constant {value = dense<6> : tensor<i32>} : () -> tensor<i32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %l = list.make %n {element_shape = tensor<?xf32>, identical = false} : (tensor<i32>) -> !list.of<tensor<?xf32>>
  %r:3 = flow.while(%zero, %x, %l) (%n) {frame = "while", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<?xf32>, !list.of<tensor<?xf32>>, tensor<i32>) -> (tensor<i32>, tensor<?xf32>, !list.of<tensor<?xf32>>) before {
  ^bb0(%i: tensor<i32>, %a: tensor<?xf32>, %m: !list.of<tensor<?xf32>>, %end: tensor<i32>):
    %p = nd.less %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p(%i, %a, %m) : (tensor<i1>, tensor<i32>, tensor<?xf32>, !list.of<tensor<?xf32>>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %a: tensor<?xf32>, %m: !list.of<tensor<?xf32>>, %end: tensor<i32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %old = list.peek %m, %i {element_shape = tensor<*xf32>} : (!list.of<tensor<?xf32>>, tensor<i32>) -> tensor<?xf32>
    %b = nd.add %a, %old : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    %set = list.set %m, %i, %b {grow = false, once = false} : (!list.of<tensor<?xf32>>, tensor<i32>, tensor<?xf32>) -> !list.of<tensor<?xf32>>
    flow.yield %next, %b, %set : (tensor<i32>, tensor<?xf32>, !list.of<tensor<?xf32>>) -> ()
  }
  %s = list.stack %r#2 {element_shape = tensor<?xf32>, num_elements = -1 : i64} : (!list.of<tensor<?xf32>>) -> tensor<?x?xf32>
  flow.fetch %s {name = "r:0"} : (tensor<?x?xf32>) -> ()
}
}

// -----

// There are not as many elements as are asked for.
// CHECK-LABEL: flow.graph @too_many
// CHECK:         codegen.on_host = "{{.*}}looks at rows that are not known"
// CHECK:         list.set
module attributes {codegen.has_card, codegen.card_loops = "always"} {
flow.graph @too_many {
  %x = flow.feed {name = "x:0"} : () -> tensor<7xf32>
  %n = flow.feed {name = "n:0"} : () -> tensor<i32>
  %six = nd.constant {value = dense<6> : tensor<i32>} : () -> tensor<i32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %l = list.make %six {element_shape = tensor<7xf32>, identical = false} : (tensor<i32>) -> !list.of<tensor<7xf32>>
  %r:3 = flow.while(%zero, %x, %l) (%n) {frame = "while", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<7xf32>, !list.of<tensor<7xf32>>, tensor<i32>) -> (tensor<i32>, tensor<7xf32>, !list.of<tensor<7xf32>>) before {
  ^bb0(%i: tensor<i32>, %a: tensor<7xf32>, %m: !list.of<tensor<7xf32>>, %end: tensor<i32>):
    %p = nd.less %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p(%i, %a, %m) : (tensor<i1>, tensor<i32>, tensor<7xf32>, !list.of<tensor<7xf32>>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %a: tensor<7xf32>, %m: !list.of<tensor<7xf32>>, %end: tensor<i32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %old = list.peek %m, %i {element_shape = tensor<*xf32>} : (!list.of<tensor<7xf32>>, tensor<i32>) -> tensor<7xf32>
    %b = nd.add %a, %old : (tensor<7xf32>, tensor<7xf32>) -> tensor<7xf32>
    %set = list.set %m, %i, %b {grow = false, once = false} : (!list.of<tensor<7xf32>>, tensor<i32>, tensor<7xf32>) -> !list.of<tensor<7xf32>>
    flow.yield %next, %b, %set : (tensor<i32>, tensor<7xf32>, !list.of<tensor<7xf32>>) -> ()
  }
  %s = list.stack %r#2 {element_shape = tensor<7xf32>, num_elements = 5 : i64} : (!list.of<tensor<7xf32>>) -> tensor<?x7xf32>
  flow.fetch %s {name = "r:0"} : (tensor<?x7xf32>) -> ()
}
}

// -----

// Something else is done to it.
// CHECK-LABEL: flow.graph @first
// CHECK:         codegen.on_host = "{{.*}}does to a list what is not done to an array"
// CHECK:         list.set
module attributes {codegen.has_card, codegen.card_loops = "always"} {
flow.graph @first {
  %x = flow.feed {name = "x:0"} : () -> tensor<7xf32>
  %n = flow.feed {name = "n:0"} : () -> tensor<i32>
  %six = nd.constant {value = dense<6> : tensor<i32>} : () -> tensor<i32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %l = list.make %n {element_shape = tensor<7xf32>, identical = false} : (tensor<i32>) -> !list.of<tensor<7xf32>>
  %r:3 = flow.while(%zero, %x, %l) (%n) {frame = "while", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<7xf32>, !list.of<tensor<7xf32>>, tensor<i32>) -> (tensor<i32>, tensor<7xf32>, !list.of<tensor<7xf32>>) before {
  ^bb0(%i: tensor<i32>, %a: tensor<7xf32>, %m: !list.of<tensor<7xf32>>, %end: tensor<i32>):
    %p = nd.less %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p(%i, %a, %m) : (tensor<i1>, tensor<i32>, tensor<7xf32>, !list.of<tensor<7xf32>>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %a: tensor<7xf32>, %m: !list.of<tensor<7xf32>>, %end: tensor<i32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %b = nd.tanh %a : (tensor<7xf32>) -> tensor<7xf32>
    %set = list.set %m, %i, %b {grow = false, once = false} : (!list.of<tensor<7xf32>>, tensor<i32>, tensor<7xf32>) -> !list.of<tensor<7xf32>>
    flow.yield %next, %b, %set : (tensor<i32>, tensor<7xf32>, !list.of<tensor<7xf32>>) -> ()
  }
  %s = list.only %r#2 {element_shape = tensor<7xf32>} : (!list.of<tensor<7xf32>>) -> tensor<7xf32>
  flow.fetch %s {name = "r:0"} : (tensor<7xf32>) -> ()
}
}
