// Lists to which loops of the card push, and of which they pop, are arrays with a row for each iteration.
// RUN: sluice-opt --codegen-place-loops --split-input-file %s | FileCheck %s

// As many rows as the counter says; a push writes the row at the counter's place and a pop reads the one below it. How many
// there are afterwards is known before the loop.
// CHECK-LABEL: flow.graph @counted
// CHECK-DAG:     %[[N:.*]] = flow.feed {name = "n:0"}
// CHECK:         %[[ROOM:.*]] = nd.fill {{.*}} -> tensor<?x5x7xf32>
// CHECK-NOT:     list.
// CHECK:         flow.codelet
// CHECK:           flow.while({{.*}}frame = "forward"
// CHECK:             %[[B:.*]] = nd.tanh
// CHECK:             nd.set_row %{{.*}}, %{{.*}}, %[[B]] {codegen.of_list}
// CHECK-NOT:     list.
// CHECK:         flow.codelet
// CHECK:           flow.while({{.*}}frame = "backward"
// CHECK:             nd.row %{{.*}}, %{{.*}} {codegen.of_list}
module attributes {codegen.has_card, codegen.card_loops = "always"} {
flow.graph @counted {
  %x = flow.feed {name = "x:0"} : () -> tensor<5x7xf32>
  %n = flow.feed {name = "n:0"} : () -> tensor<i32>
  %limit = flow.feed {name = "limit:0"} : () -> tensor<f32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %l = list.make %zero {element_shape = tensor<5x7xf32>, identical = false} : (tensor<i32>) -> !list.of<tensor<5x7xf32>>
  %r:3 = flow.while(%zero, %x, %l) (%n, %limit) {frame = "forward", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<5x7xf32>, !list.of<tensor<5x7xf32>>, tensor<i32>, tensor<f32>) -> (tensor<i32>, tensor<5x7xf32>, !list.of<tensor<5x7xf32>>) before {
  ^bb0(%i: tensor<i32>, %a: tensor<5x7xf32>, %m: !list.of<tensor<5x7xf32>>, %end: tensor<i32>, %least: tensor<f32>):
    %p = nd.less %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p(%i, %a, %m) : (tensor<i1>, tensor<i32>, tensor<5x7xf32>, !list.of<tensor<5x7xf32>>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %a: tensor<5x7xf32>, %m: !list.of<tensor<5x7xf32>>, %end: tensor<i32>, %least: tensor<f32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %b = nd.tanh %a : (tensor<5x7xf32>) -> tensor<5x7xf32>
    %pushed = list.push %m, %b {limit = -1 : i64} : (!list.of<tensor<5x7xf32>>, tensor<5x7xf32>) -> !list.of<tensor<5x7xf32>>
    flow.yield %next, %b, %pushed : (tensor<i32>, tensor<5x7xf32>, !list.of<tensor<5x7xf32>>) -> ()
  }
  %s:3 = flow.while(%r#0, %x, %r#2) () {frame = "backward", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<5x7xf32>, !list.of<tensor<5x7xf32>>) -> (tensor<i32>, tensor<5x7xf32>, !list.of<tensor<5x7xf32>>) before {
  ^bb0(%i: tensor<i32>, %a: tensor<5x7xf32>, %m: !list.of<tensor<5x7xf32>>):
    %none = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %p = nd.greater %i, %none : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p(%i, %a, %m) : (tensor<i1>, tensor<i32>, tensor<5x7xf32>, !list.of<tensor<5x7xf32>>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %a: tensor<5x7xf32>, %m: !list.of<tensor<5x7xf32>>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.sub %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %v, %rest = list.pop %m {element_shape = tensor<5x7xf32>} : (!list.of<tensor<5x7xf32>>) -> (tensor<5x7xf32>, !list.of<tensor<5x7xf32>>)
    %b = nd.mul %a, %v : (tensor<5x7xf32>, tensor<5x7xf32>) -> tensor<5x7xf32>
    flow.yield %next, %b, %rest : (tensor<i32>, tensor<5x7xf32>, !list.of<tensor<5x7xf32>>) -> ()
  }
  flow.fetch %s#1 {name = "r:0"} : (tensor<5x7xf32>) -> ()
}
}

// -----

// A known number of rows.
// CHECK-LABEL: flow.graph @constant
// CHECK:         nd.fill {{.*}} -> tensor<10x5x7xf32>
// CHECK:         nd.set_row
module attributes {codegen.has_card, codegen.card_loops = "always"} {
flow.graph @constant {
  %x = flow.feed {name = "x:0"} : () -> tensor<5x7xf32>
  %n = flow.feed {name = "n:0"} : () -> tensor<i32>
  %limit = flow.feed {name = "limit:0"} : () -> tensor<f32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %l = list.make %zero {element_shape = tensor<5x7xf32>, identical = false} : (tensor<i32>) -> !list.of<tensor<5x7xf32>>
  %r:3 = flow.while(%zero, %x, %l) (%n, %limit) {frame = "forward", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<5x7xf32>, !list.of<tensor<5x7xf32>>, tensor<i32>, tensor<f32>) -> (tensor<i32>, tensor<5x7xf32>, !list.of<tensor<5x7xf32>>) before {
  ^bb0(%i: tensor<i32>, %a: tensor<5x7xf32>, %m: !list.of<tensor<5x7xf32>>, %end: tensor<i32>, %least: tensor<f32>):
    %ten = nd.constant {value = dense<10> : tensor<i32>} : () -> tensor<i32>
    %p = nd.less %i, %ten : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p(%i, %a, %m) : (tensor<i1>, tensor<i32>, tensor<5x7xf32>, !list.of<tensor<5x7xf32>>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %a: tensor<5x7xf32>, %m: !list.of<tensor<5x7xf32>>, %end: tensor<i32>, %least: tensor<f32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %b = nd.tanh %a : (tensor<5x7xf32>) -> tensor<5x7xf32>
    %pushed = list.push %m, %b {limit = -1 : i64} : (!list.of<tensor<5x7xf32>>, tensor<5x7xf32>) -> !list.of<tensor<5x7xf32>>
    flow.yield %next, %b, %pushed : (tensor<i32>, tensor<5x7xf32>, !list.of<tensor<5x7xf32>>) -> ()
  }
  %s:3 = flow.while(%r#0, %x, %r#2) () {frame = "backward", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<5x7xf32>, !list.of<tensor<5x7xf32>>) -> (tensor<i32>, tensor<5x7xf32>, !list.of<tensor<5x7xf32>>) before {
  ^bb0(%i: tensor<i32>, %a: tensor<5x7xf32>, %m: !list.of<tensor<5x7xf32>>):
    %none = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %p = nd.greater %i, %none : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p(%i, %a, %m) : (tensor<i1>, tensor<i32>, tensor<5x7xf32>, !list.of<tensor<5x7xf32>>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %a: tensor<5x7xf32>, %m: !list.of<tensor<5x7xf32>>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.sub %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %v, %rest = list.pop %m {element_shape = tensor<5x7xf32>} : (!list.of<tensor<5x7xf32>>) -> (tensor<5x7xf32>, !list.of<tensor<5x7xf32>>)
    %b = nd.mul %a, %v : (tensor<5x7xf32>, tensor<5x7xf32>) -> tensor<5x7xf32>
    flow.yield %next, %b, %rest : (tensor<i32>, tensor<5x7xf32>, !list.of<tensor<5x7xf32>>) -> ()
  }
  flow.fetch %s#1 {name = "r:0"} : (tensor<5x7xf32>) -> ()
}
}

// -----

// Where the loop may end before, the number of rows comes out of it.
// CHECK-LABEL: flow.graph @early
// CHECK:         nd.fill {{.*}} -> tensor<10x5x7xf32>
// CHECK:         %[[R:.*]]:3 = flow.codelet
// CHECK:           nd.set_row
// CHECK:         wire.copy %[[R]]#2
module attributes {codegen.has_card, codegen.card_loops = "always"} {
flow.graph @early {
  %x = flow.feed {name = "x:0"} : () -> tensor<5x7xf32>
  %n = flow.feed {name = "n:0"} : () -> tensor<i32>
  %limit = flow.feed {name = "limit:0"} : () -> tensor<f32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %l = list.make %zero {element_shape = tensor<5x7xf32>, identical = false} : (tensor<i32>) -> !list.of<tensor<5x7xf32>>
  %r:3 = flow.while(%zero, %x, %l) (%n, %limit) {frame = "forward", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<5x7xf32>, !list.of<tensor<5x7xf32>>, tensor<i32>, tensor<f32>) -> (tensor<i32>, tensor<5x7xf32>, !list.of<tensor<5x7xf32>>) before {
  ^bb0(%i: tensor<i32>, %a: tensor<5x7xf32>, %m: !list.of<tensor<5x7xf32>>, %end: tensor<i32>, %least: tensor<f32>):
    %ten = nd.constant {value = dense<10> : tensor<i32>} : () -> tensor<i32>
    %few = nd.less %i, %ten : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %axes = nd.constant {value = dense<[0, 1]> : tensor<2xi32>} : () -> tensor<2xi32>
    %most = nd.reduce_max %a, %axes {keep_dims = false} : (tensor<5x7xf32>, tensor<2xi32>) -> tensor<f32>
    %large = nd.greater %most, %least : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %p = nd.logical_and %few, %large : (tensor<i1>, tensor<i1>) -> tensor<i1>
    flow.condition %p(%i, %a, %m) : (tensor<i1>, tensor<i32>, tensor<5x7xf32>, !list.of<tensor<5x7xf32>>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %a: tensor<5x7xf32>, %m: !list.of<tensor<5x7xf32>>, %end: tensor<i32>, %least: tensor<f32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %b = nd.tanh %a : (tensor<5x7xf32>) -> tensor<5x7xf32>
    %pushed = list.push %m, %b {limit = -1 : i64} : (!list.of<tensor<5x7xf32>>, tensor<5x7xf32>) -> !list.of<tensor<5x7xf32>>
    flow.yield %next, %b, %pushed : (tensor<i32>, tensor<5x7xf32>, !list.of<tensor<5x7xf32>>) -> ()
  }
  %s:3 = flow.while(%r#0, %x, %r#2) () {frame = "backward", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<5x7xf32>, !list.of<tensor<5x7xf32>>) -> (tensor<i32>, tensor<5x7xf32>, !list.of<tensor<5x7xf32>>) before {
  ^bb0(%i: tensor<i32>, %a: tensor<5x7xf32>, %m: !list.of<tensor<5x7xf32>>):
    %none = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %p = nd.greater %i, %none : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p(%i, %a, %m) : (tensor<i1>, tensor<i32>, tensor<5x7xf32>, !list.of<tensor<5x7xf32>>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %a: tensor<5x7xf32>, %m: !list.of<tensor<5x7xf32>>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.sub %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %v, %rest = list.pop %m {element_shape = tensor<5x7xf32>} : (!list.of<tensor<5x7xf32>>) -> (tensor<5x7xf32>, !list.of<tensor<5x7xf32>>)
    %b = nd.mul %a, %v : (tensor<5x7xf32>, tensor<5x7xf32>) -> tensor<5x7xf32>
    flow.yield %next, %b, %rest : (tensor<i32>, tensor<5x7xf32>, !list.of<tensor<5x7xf32>>) -> ()
  }
  flow.fetch %s#1 {name = "r:0"} : (tensor<5x7xf32>) -> ()
}
}

// -----

// Nobody knows how much room it takes.
// CHECK-LABEL: flow.graph @unknown
// CHECK:         flow.while({{.*}}codegen.on_host = "{{.*}}pushes to a list, and nobody knows before the loop how often", frame = "forward"
// CHECK:         list.push
// CHECK:         list.pop
module attributes {codegen.has_card, codegen.card_loops = "always"} {
flow.graph @unknown {
  %x = flow.feed {name = "x:0"} : () -> tensor<5x7xf32>
  %n = flow.feed {name = "n:0"} : () -> tensor<i32>
  %limit = flow.feed {name = "limit:0"} : () -> tensor<f32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %l = list.make %zero {element_shape = tensor<5x7xf32>, identical = false} : (tensor<i32>) -> !list.of<tensor<5x7xf32>>
  %r:3 = flow.while(%zero, %x, %l) (%n, %limit) {frame = "forward", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<5x7xf32>, !list.of<tensor<5x7xf32>>, tensor<i32>, tensor<f32>) -> (tensor<i32>, tensor<5x7xf32>, !list.of<tensor<5x7xf32>>) before {
  ^bb0(%i: tensor<i32>, %a: tensor<5x7xf32>, %m: !list.of<tensor<5x7xf32>>, %end: tensor<i32>, %least: tensor<f32>):
    %axes = nd.constant {value = dense<[0, 1]> : tensor<2xi32>} : () -> tensor<2xi32>
    %most = nd.reduce_max %a, %axes {keep_dims = false} : (tensor<5x7xf32>, tensor<2xi32>) -> tensor<f32>
    %p = nd.greater %most, %least : (tensor<f32>, tensor<f32>) -> tensor<i1>
    flow.condition %p(%i, %a, %m) : (tensor<i1>, tensor<i32>, tensor<5x7xf32>, !list.of<tensor<5x7xf32>>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %a: tensor<5x7xf32>, %m: !list.of<tensor<5x7xf32>>, %end: tensor<i32>, %least: tensor<f32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %b = nd.tanh %a : (tensor<5x7xf32>) -> tensor<5x7xf32>
    %pushed = list.push %m, %b {limit = -1 : i64} : (!list.of<tensor<5x7xf32>>, tensor<5x7xf32>) -> !list.of<tensor<5x7xf32>>
    flow.yield %next, %b, %pushed : (tensor<i32>, tensor<5x7xf32>, !list.of<tensor<5x7xf32>>) -> ()
  }
  %s:3 = flow.while(%r#0, %x, %r#2) () {frame = "backward", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<5x7xf32>, !list.of<tensor<5x7xf32>>) -> (tensor<i32>, tensor<5x7xf32>, !list.of<tensor<5x7xf32>>) before {
  ^bb0(%i: tensor<i32>, %a: tensor<5x7xf32>, %m: !list.of<tensor<5x7xf32>>):
    %none = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %p = nd.greater %i, %none : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p(%i, %a, %m) : (tensor<i1>, tensor<i32>, tensor<5x7xf32>, !list.of<tensor<5x7xf32>>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %a: tensor<5x7xf32>, %m: !list.of<tensor<5x7xf32>>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.sub %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %v, %rest = list.pop %m {element_shape = tensor<5x7xf32>} : (!list.of<tensor<5x7xf32>>) -> (tensor<5x7xf32>, !list.of<tensor<5x7xf32>>)
    %b = nd.mul %a, %v : (tensor<5x7xf32>, tensor<5x7xf32>) -> tensor<5x7xf32>
    flow.yield %next, %b, %rest : (tensor<i32>, tensor<5x7xf32>, !list.of<tensor<5x7xf32>>) -> ()
  }
  flow.fetch %s#1 {name = "r:0"} : (tensor<5x7xf32>) -> ()
}
}

// -----

// A push may fail, which no array does.
// CHECK-LABEL: flow.graph @limited
// CHECK:         codegen.on_host = "{{.*}}pushes to a list that may be full"
// CHECK:         list.push
module attributes {codegen.has_card, codegen.card_loops = "always"} {
flow.graph @limited {
  %x = flow.feed {name = "x:0"} : () -> tensor<5x7xf32>
  %n = flow.feed {name = "n:0"} : () -> tensor<i32>
  %limit = flow.feed {name = "limit:0"} : () -> tensor<f32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %l = list.make %zero {element_shape = tensor<5x7xf32>, identical = false} : (tensor<i32>) -> !list.of<tensor<5x7xf32>>
  %r:3 = flow.while(%zero, %x, %l) (%n, %limit) {frame = "forward", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<5x7xf32>, !list.of<tensor<5x7xf32>>, tensor<i32>, tensor<f32>) -> (tensor<i32>, tensor<5x7xf32>, !list.of<tensor<5x7xf32>>) before {
  ^bb0(%i: tensor<i32>, %a: tensor<5x7xf32>, %m: !list.of<tensor<5x7xf32>>, %end: tensor<i32>, %least: tensor<f32>):
    %p = nd.less %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p(%i, %a, %m) : (tensor<i1>, tensor<i32>, tensor<5x7xf32>, !list.of<tensor<5x7xf32>>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %a: tensor<5x7xf32>, %m: !list.of<tensor<5x7xf32>>, %end: tensor<i32>, %least: tensor<f32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %b = nd.tanh %a : (tensor<5x7xf32>) -> tensor<5x7xf32>
    %pushed = list.push %m, %b {limit = 4 : i64} : (!list.of<tensor<5x7xf32>>, tensor<5x7xf32>) -> !list.of<tensor<5x7xf32>>
    flow.yield %next, %b, %pushed : (tensor<i32>, tensor<5x7xf32>, !list.of<tensor<5x7xf32>>) -> ()
  }
  %s:3 = flow.while(%r#0, %x, %r#2) () {frame = "backward", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<5x7xf32>, !list.of<tensor<5x7xf32>>) -> (tensor<i32>, tensor<5x7xf32>, !list.of<tensor<5x7xf32>>) before {
  ^bb0(%i: tensor<i32>, %a: tensor<5x7xf32>, %m: !list.of<tensor<5x7xf32>>):
    %none = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %p = nd.greater %i, %none : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p(%i, %a, %m) : (tensor<i1>, tensor<i32>, tensor<5x7xf32>, !list.of<tensor<5x7xf32>>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %a: tensor<5x7xf32>, %m: !list.of<tensor<5x7xf32>>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.sub %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %v, %rest = list.pop %m {element_shape = tensor<5x7xf32>} : (!list.of<tensor<5x7xf32>>) -> (tensor<5x7xf32>, !list.of<tensor<5x7xf32>>)
    %b = nd.mul %a, %v : (tensor<5x7xf32>, tensor<5x7xf32>) -> tensor<5x7xf32>
    flow.yield %next, %b, %rest : (tensor<i32>, tensor<5x7xf32>, !list.of<tensor<5x7xf32>>) -> ()
  }
  flow.fetch %s#1 {name = "r:0"} : (tensor<5x7xf32>) -> ()
}
}

// -----

// Rows that differ.
// CHECK-LABEL: flow.graph @shapes
// CHECK:         codegen.on_host = "{{.*}}uses a list whose rows are not known"
// CHECK:         list.push
module attributes {codegen.has_card, codegen.card_loops = "always"} {
flow.graph @shapes {
  %x = flow.feed {name = "x:0"} : () -> tensor<5x7xf32>
  %n = flow.feed {name = "n:0"} : () -> tensor<i32>
  %limit = flow.feed {name = "limit:0"} : () -> tensor<f32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %l = list.make %zero {element_shape = tensor<?x7xf32>, identical = false} : (tensor<i32>) -> !list.of<tensor<?x7xf32>>
  %r:3 = flow.while(%zero, %x, %l) (%n, %limit) {frame = "forward", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<5x7xf32>, !list.of<tensor<?x7xf32>>, tensor<i32>, tensor<f32>) -> (tensor<i32>, tensor<5x7xf32>, !list.of<tensor<?x7xf32>>) before {
  ^bb0(%i: tensor<i32>, %a: tensor<5x7xf32>, %m: !list.of<tensor<?x7xf32>>, %end: tensor<i32>, %least: tensor<f32>):
    %p = nd.less %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p(%i, %a, %m) : (tensor<i1>, tensor<i32>, tensor<5x7xf32>, !list.of<tensor<?x7xf32>>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %a: tensor<5x7xf32>, %m: !list.of<tensor<?x7xf32>>, %end: tensor<i32>, %least: tensor<f32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %b = nd.tanh %a : (tensor<5x7xf32>) -> tensor<5x7xf32>
    %pushed = list.push %m, %b {limit = -1 : i64} : (!list.of<tensor<?x7xf32>>, tensor<5x7xf32>) -> !list.of<tensor<?x7xf32>>
    flow.yield %next, %b, %pushed : (tensor<i32>, tensor<5x7xf32>, !list.of<tensor<?x7xf32>>) -> ()
  }
  %s:3 = flow.while(%r#0, %x, %r#2) () {frame = "backward", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<5x7xf32>, !list.of<tensor<?x7xf32>>) -> (tensor<i32>, tensor<5x7xf32>, !list.of<tensor<?x7xf32>>) before {
  ^bb0(%i: tensor<i32>, %a: tensor<5x7xf32>, %m: !list.of<tensor<?x7xf32>>):
    %none = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %p = nd.greater %i, %none : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p(%i, %a, %m) : (tensor<i1>, tensor<i32>, tensor<5x7xf32>, !list.of<tensor<?x7xf32>>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %a: tensor<5x7xf32>, %m: !list.of<tensor<?x7xf32>>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.sub %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %v, %rest = list.pop %m {element_shape = tensor<?x7xf32>} : (!list.of<tensor<?x7xf32>>) -> (tensor<5x7xf32>, !list.of<tensor<?x7xf32>>)
    %b = nd.mul %a, %v : (tensor<5x7xf32>, tensor<5x7xf32>) -> tensor<5x7xf32>
    flow.yield %next, %b, %rest : (tensor<i32>, tensor<5x7xf32>, !list.of<tensor<?x7xf32>>) -> ()
  }
  flow.fetch %s#1 {name = "r:0"} : (tensor<5x7xf32>) -> ()
}
}

// -----

// One of the loops is to be on the host.
// CHECK-LABEL: flow.graph @host
// CHECK:         list.push
// CHECK:         codegen.on_host = "it is to be on the host in part, or on several cards"
// CHECK:         list.pop
module attributes {codegen.has_card, codegen.card_loops = "always", codegen.cards = 1 : i64, codegen.card_wishes = {v = -1}} {
flow.graph @host {
  %x = flow.feed {name = "x:0"} : () -> tensor<5x7xf32>
  %n = flow.feed {name = "n:0"} : () -> tensor<i32>
  %limit = flow.feed {name = "limit:0"} : () -> tensor<f32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %l = list.make %zero {element_shape = tensor<5x7xf32>, identical = false} : (tensor<i32>) -> !list.of<tensor<5x7xf32>>
  %r:3 = flow.while(%zero, %x, %l) (%n, %limit) {frame = "forward", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<5x7xf32>, !list.of<tensor<5x7xf32>>, tensor<i32>, tensor<f32>) -> (tensor<i32>, tensor<5x7xf32>, !list.of<tensor<5x7xf32>>) before {
  ^bb0(%i: tensor<i32>, %a: tensor<5x7xf32>, %m: !list.of<tensor<5x7xf32>>, %end: tensor<i32>, %least: tensor<f32>):
    %p = nd.less %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p(%i, %a, %m) : (tensor<i1>, tensor<i32>, tensor<5x7xf32>, !list.of<tensor<5x7xf32>>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %a: tensor<5x7xf32>, %m: !list.of<tensor<5x7xf32>>, %end: tensor<i32>, %least: tensor<f32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %b = nd.tanh %a : (tensor<5x7xf32>) -> tensor<5x7xf32>
    %pushed = list.push %m, %b {limit = -1 : i64} : (!list.of<tensor<5x7xf32>>, tensor<5x7xf32>) -> !list.of<tensor<5x7xf32>>
    flow.yield %next, %b, %pushed : (tensor<i32>, tensor<5x7xf32>, !list.of<tensor<5x7xf32>>) -> ()
  }
  %s:3 = flow.while(%r#0, %x, %r#2) () {frame = "backward", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<5x7xf32>, !list.of<tensor<5x7xf32>>) -> (tensor<i32>, tensor<5x7xf32>, !list.of<tensor<5x7xf32>>) before {
  ^bb0(%i: tensor<i32>, %a: tensor<5x7xf32>, %m: !list.of<tensor<5x7xf32>>):
    %none = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %p = nd.greater %i, %none : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p(%i, %a, %m) : (tensor<i1>, tensor<i32>, tensor<5x7xf32>, !list.of<tensor<5x7xf32>>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %a: tensor<5x7xf32>, %m: !list.of<tensor<5x7xf32>>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.sub %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %v, %rest = list.pop %m {element_shape = tensor<5x7xf32>} : (!list.of<tensor<5x7xf32>>) -> (tensor<5x7xf32>, !list.of<tensor<5x7xf32>>)
    %b = nd.mul %a, %v : (tensor<5x7xf32>, tensor<5x7xf32>) -> tensor<5x7xf32> loc("v")
    flow.yield %next, %b, %rest : (tensor<i32>, tensor<5x7xf32>, !list.of<tensor<5x7xf32>>) -> ()
  }
  flow.fetch %s#1 {name = "r:0"} : (tensor<5x7xf32>) -> ()
}
}

// -----

// On the second card, which its node asks for.
// CHECK-LABEL: flow.graph @second
// CHECK:         flow.codelet{{.*}}#wire.memory<1>
// CHECK-NOT:     #wire.memory<0>
module attributes {codegen.has_card, codegen.card_loops = "always", codegen.cards = 2 : i64, codegen.card_wishes = {v = 1, w = 1}} {
flow.graph @second {
  %x = flow.feed {name = "x:0"} : () -> tensor<5x7xf32>
  %n = flow.feed {name = "n:0"} : () -> tensor<i32>
  %limit = flow.feed {name = "limit:0"} : () -> tensor<f32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %l = list.make %zero {element_shape = tensor<5x7xf32>, identical = false} : (tensor<i32>) -> !list.of<tensor<5x7xf32>>
  %r:3 = flow.while(%zero, %x, %l) (%n, %limit) {frame = "forward", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<5x7xf32>, !list.of<tensor<5x7xf32>>, tensor<i32>, tensor<f32>) -> (tensor<i32>, tensor<5x7xf32>, !list.of<tensor<5x7xf32>>) before {
  ^bb0(%i: tensor<i32>, %a: tensor<5x7xf32>, %m: !list.of<tensor<5x7xf32>>, %end: tensor<i32>, %least: tensor<f32>):
    %p = nd.less %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p(%i, %a, %m) : (tensor<i1>, tensor<i32>, tensor<5x7xf32>, !list.of<tensor<5x7xf32>>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %a: tensor<5x7xf32>, %m: !list.of<tensor<5x7xf32>>, %end: tensor<i32>, %least: tensor<f32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %b = nd.tanh %a : (tensor<5x7xf32>) -> tensor<5x7xf32> loc("w")
    %pushed = list.push %m, %b {limit = -1 : i64} : (!list.of<tensor<5x7xf32>>, tensor<5x7xf32>) -> !list.of<tensor<5x7xf32>>
    flow.yield %next, %b, %pushed : (tensor<i32>, tensor<5x7xf32>, !list.of<tensor<5x7xf32>>) -> ()
  }
  %s:3 = flow.while(%r#0, %x, %r#2) () {frame = "backward", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<5x7xf32>, !list.of<tensor<5x7xf32>>) -> (tensor<i32>, tensor<5x7xf32>, !list.of<tensor<5x7xf32>>) before {
  ^bb0(%i: tensor<i32>, %a: tensor<5x7xf32>, %m: !list.of<tensor<5x7xf32>>):
    %none = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %p = nd.greater %i, %none : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p(%i, %a, %m) : (tensor<i1>, tensor<i32>, tensor<5x7xf32>, !list.of<tensor<5x7xf32>>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %a: tensor<5x7xf32>, %m: !list.of<tensor<5x7xf32>>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.sub %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %v, %rest = list.pop %m {element_shape = tensor<5x7xf32>} : (!list.of<tensor<5x7xf32>>) -> (tensor<5x7xf32>, !list.of<tensor<5x7xf32>>)
    %b = nd.mul %a, %v : (tensor<5x7xf32>, tensor<5x7xf32>) -> tensor<5x7xf32> loc("v")
    flow.yield %next, %b, %rest : (tensor<i32>, tensor<5x7xf32>, !list.of<tensor<5x7xf32>>) -> ()
  }
  flow.fetch %s#1 {name = "r:0"} : (tensor<5x7xf32>) -> ()
}
}

// -----

// One list is pushed to in front of an inner loop and the other one behind it: each has its own number.
// CHECK-LABEL: flow.graph @before_and_behind
// CHECK:         flow.while({{.*}}frame = "outer"
// CHECK:           nd.set_row %{{.*}}, %[[I:[^,]*]], %{{.*}} {codegen.of_list}
// CHECK:           %[[INNER:.*]]:5 = flow.while(%{{.*}}frame = "inner"
// CHECK-NOT:       nd.set_row %{{.*}}, %[[INNER]]#3
// CHECK:           nd.set_row %{{.*}}, %[[INNER]]#4, %{{.*}} {codegen.of_list}
module attributes {codegen.has_card, codegen.card_loops = "always"} {
flow.graph @before_and_behind {
  %x = flow.feed {name = "x:0"} : () -> tensor<5x7xf32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %l = list.make %zero {element_shape = tensor<5x7xf32>, identical = false} : (tensor<i32>) -> !list.of<tensor<5x7xf32>>
  %k = list.make %zero {element_shape = tensor<5x7xf32>, identical = false} : (tensor<i32>) -> !list.of<tensor<5x7xf32>>
  %r:4 = flow.while(%zero, %x, %l, %k) () {frame = "outer", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<5x7xf32>, !list.of<tensor<5x7xf32>>, !list.of<tensor<5x7xf32>>) -> (tensor<i32>, tensor<5x7xf32>, !list.of<tensor<5x7xf32>>, !list.of<tensor<5x7xf32>>) before {
  ^bb0(%i: tensor<i32>, %a: tensor<5x7xf32>, %m: !list.of<tensor<5x7xf32>>, %n: !list.of<tensor<5x7xf32>>):
    %end = nd.constant {value = dense<3> : tensor<i32>} : () -> tensor<i32>
    %p = nd.less %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p(%i, %a, %m, %n) : (tensor<i1>, tensor<i32>, tensor<5x7xf32>, !list.of<tensor<5x7xf32>>, !list.of<tensor<5x7xf32>>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %a: tensor<5x7xf32>, %m: !list.of<tensor<5x7xf32>>, %n: !list.of<tensor<5x7xf32>>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %m1 = list.push %m, %a {limit = -1 : i64} : (!list.of<tensor<5x7xf32>>, tensor<5x7xf32>) -> !list.of<tensor<5x7xf32>>
    %s:3 = flow.while(%a, %m1, %n) () {frame = "inner", parallel_iterations = 10 : i64} : (tensor<5x7xf32>, !list.of<tensor<5x7xf32>>, !list.of<tensor<5x7xf32>>) -> (tensor<5x7xf32>, !list.of<tensor<5x7xf32>>, !list.of<tensor<5x7xf32>>) before {
    ^bb0(%b: tensor<5x7xf32>, %c: !list.of<tensor<5x7xf32>>, %d: !list.of<tensor<5x7xf32>>):
      %limit = nd.constant {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
      %axes = nd.constant {value = dense<[0, 1]> : tensor<2xi32>} : () -> tensor<2xi32>
      %most = nd.reduce_max %b, %axes {keep_dims = false} : (tensor<5x7xf32>, tensor<2xi32>) -> tensor<f32>
      %q = nd.greater %most, %limit : (tensor<f32>, tensor<f32>) -> tensor<i1>
      flow.condition %q(%b, %c, %d) : (tensor<i1>, tensor<5x7xf32>, !list.of<tensor<5x7xf32>>, !list.of<tensor<5x7xf32>>) -> ()
    } body {
    ^bb0(%b: tensor<5x7xf32>, %c: !list.of<tensor<5x7xf32>>, %d: !list.of<tensor<5x7xf32>>):
      %half = nd.constant {value = dense<0.5> : tensor<f32>} : () -> tensor<f32>
      %e = nd.mul %b, %half : (tensor<5x7xf32>, tensor<f32>) -> tensor<5x7xf32>
      flow.yield %e, %c, %d : (tensor<5x7xf32>, !list.of<tensor<5x7xf32>>, !list.of<tensor<5x7xf32>>) -> ()
    }
    %n1 = list.push %s#2, %s#0 {limit = -1 : i64} : (!list.of<tensor<5x7xf32>>, tensor<5x7xf32>) -> !list.of<tensor<5x7xf32>>
    flow.yield %next, %s#0, %s#1, %n1 : (tensor<i32>, tensor<5x7xf32>, !list.of<tensor<5x7xf32>>, !list.of<tensor<5x7xf32>>) -> ()
  }
  flow.fetch %r#1 {name = "r:0"} : (tensor<5x7xf32>) -> ()
}
}

// -----

// Where a pop in the loop that pushes fails, the number of rows stays one at which there is a row.
// CHECK-LABEL: flow.graph @pops_where_it_pushes
// CHECK:         flow.while
// CHECK:           %[[INDEX:.*]] = nd.sub
// CHECK:           %[[LEFT:.*]] = nd.maximum %[[INDEX]],
// CHECK:           nd.row %{{.*}}, %[[INDEX]] {codegen.of_list}
// CHECK:           nd.set_row %{{.*}}, %[[LEFT]], %{{.*}} {codegen.of_list}
module attributes {codegen.has_card, codegen.card_loops = "always"} {
flow.graph @pops_where_it_pushes {
  %x = flow.feed {name = "x:0"} : () -> tensor<5x7xf32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %l = list.make %zero {element_shape = tensor<5x7xf32>, identical = false} : (tensor<i32>) -> !list.of<tensor<5x7xf32>>
  %r:3 = flow.while(%zero, %x, %l) () {frame = "while", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<5x7xf32>, !list.of<tensor<5x7xf32>>) -> (tensor<i32>, tensor<5x7xf32>, !list.of<tensor<5x7xf32>>) before {
  ^bb0(%i: tensor<i32>, %a: tensor<5x7xf32>, %m: !list.of<tensor<5x7xf32>>):
    %end = nd.constant {value = dense<3> : tensor<i32>} : () -> tensor<i32>
    %p = nd.less %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p(%i, %a, %m) : (tensor<i1>, tensor<i32>, tensor<5x7xf32>, !list.of<tensor<5x7xf32>>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %a: tensor<5x7xf32>, %m: !list.of<tensor<5x7xf32>>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %v, %rest = list.pop %m {element_shape = tensor<5x7xf32>} : (!list.of<tensor<5x7xf32>>) -> (tensor<5x7xf32>, !list.of<tensor<5x7xf32>>)
    %b = nd.tanh %a : (tensor<5x7xf32>) -> tensor<5x7xf32>
    %c = nd.mul %b, %v : (tensor<5x7xf32>, tensor<5x7xf32>) -> tensor<5x7xf32>
    %pushed = list.push %rest, %c {limit = -1 : i64} : (!list.of<tensor<5x7xf32>>, tensor<5x7xf32>) -> !list.of<tensor<5x7xf32>>
    flow.yield %next, %c, %pushed : (tensor<i32>, tensor<5x7xf32>, !list.of<tensor<5x7xf32>>) -> ()
  }
  flow.fetch %r#1 {name = "r:0"} : (tensor<5x7xf32>) -> ()
}
}
