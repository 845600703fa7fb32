// Loops of the card add to elements of lists.
// RUN: sluice-opt --codegen-place-loops --split-input-file %s | FileCheck %s

// Who is the first to add to an element that is empty sets it: an array of flags says who is not.
// CHECK-LABEL: flow.graph @sums
// CHECK-DAG:     nd.fill {{.*}} -> tensor<6x7xf32>
// CHECK-DAG:     nd.fill {{.*}} -> tensor<7xi32>
// CHECK-NOT:     list.
// CHECK:         flow.codelet
// CHECK:           ^bb0(%{{.*}}: tensor<i32>, %[[ROWS:.*]]: tensor<6x7xf32, {{.*}}>, %[[FLAGS:.*]]: tensor<7xi32, {{.*}}>, %[[V:.*]]: tensor<7xf32, {{[^)]*}}):
// CHECK-DAG:         %[[OLD:.*]] = nd.row %[[ROWS]]
// CHECK-DAG:         %[[SUM:.*]] = nd.add %[[OLD]], %[[V]]
// CHECK-DAG:         %[[FLAG:.*]] = nd.row %[[FLAGS]]
// CHECK:             %[[NEW:.*]] = nd.select %{{.*}}, %[[SUM]], %[[V]]
// CHECK:             nd.set_row %[[ROWS]], %{{.*}}, %[[NEW]]
// CHECK:             nd.set_row %[[FLAGS]]
// CHECK-NOT:     list.
// CHECK:         flow.fetch
module attributes {codegen.has_card, codegen.card_loops = "always"} {
flow.graph @sums {
  %x = flow.feed {name = "x:0"} : () -> tensor<7xf32>
  %n = flow.feed {name = "n:0"} : () -> tensor<i32>
  %six = nd.constant {value = dense<6> : tensor<i32>} : () -> tensor<i32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %l = list.make %six {element_shape = tensor<7xf32>, identical = false} : (tensor<i32>) -> !list.of<tensor<7xf32>>
  %r:2 = flow.while(%zero, %l) (%x, %n) {frame = "while", parallel_iterations = 10 : i64} : (tensor<i32>, !list.of<tensor<7xf32>>, tensor<7xf32>, tensor<i32>) -> (tensor<i32>, !list.of<tensor<7xf32>>) before {
  ^bb0(%i: tensor<i32>, %m: !list.of<tensor<7xf32>>, %v: tensor<7xf32>, %end: tensor<i32>):
    %p = nd.less %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p(%i, %m) : (tensor<i1>, tensor<i32>, !list.of<tensor<7xf32>>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %m: !list.of<tensor<7xf32>>, %v: tensor<7xf32>, %end: tensor<i32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %sum = list.accumulate %m, %i, %v : (!list.of<tensor<7xf32>>, tensor<i32>, tensor<7xf32>) -> !list.of<tensor<7xf32>>
    flow.yield %next, %sum : (tensor<i32>, !list.of<tensor<7xf32>>) -> ()
  }
  %s = list.stack %r#1 {element_shape = tensor<7xf32>, num_elements = -1 : i64} : (!list.of<tensor<7xf32>>) -> tensor<6x7xf32>
  flow.fetch %s {name = "r:0"} : (tensor<6x7xf32>) -> ()
}
}

// -----

// Rows of a tensor are all there.
// CHECK-LABEL: flow.graph @sums_of_rows
// CHECK:         flow.codelet
// CHECK:           nd.row
// CHECK:           %[[SUM:.*]] = nd.add
// CHECK-NOT:       nd.select
// CHECK:           nd.set_row %{{.*}}, %{{.*}}, %[[SUM]]
// CHECK-NOT:     list.
// CHECK:         flow.fetch
module attributes {codegen.has_card, codegen.card_loops = "always"} {
flow.graph @sums_of_rows {
  %x = flow.feed {name = "x:0"} : () -> tensor<7xf32>
  %y = flow.feed {name = "y:0"} : () -> tensor<6x7xf32>
  %n = flow.feed {name = "n:0"} : () -> tensor<i32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %l = list.unstack %y {element_shape = tensor<7xf32>} : (tensor<6x7xf32>) -> !list.of<tensor<7xf32>>
  %r:2 = flow.while(%zero, %l) (%x, %n) {frame = "while", parallel_iterations = 10 : i64} : (tensor<i32>, !list.of<tensor<7xf32>>, tensor<7xf32>, tensor<i32>) -> (tensor<i32>, !list.of<tensor<7xf32>>) before {
  ^bb0(%i: tensor<i32>, %m: !list.of<tensor<7xf32>>, %v: tensor<7xf32>, %end: tensor<i32>):
    %p = nd.less %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p(%i, %m) : (tensor<i1>, tensor<i32>, !list.of<tensor<7xf32>>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %m: !list.of<tensor<7xf32>>, %v: tensor<7xf32>, %end: tensor<i32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %sum = list.accumulate %m, %i, %v : (!list.of<tensor<7xf32>>, tensor<i32>, tensor<7xf32>) -> !list.of<tensor<7xf32>>
    flow.yield %next, %sum : (tensor<i32>, !list.of<tensor<7xf32>>) -> ()
  }
  %s = list.stack %r#1 {element_shape = tensor<7xf32>, num_elements = -1 : i64} : (!list.of<tensor<7xf32>>) -> tensor<6x7xf32>
  flow.fetch %s {name = "r:0"} : (tensor<6x7xf32>) -> ()
}
}

// -----

// An element that may have been cleared must fail to be added to, which an array does not know.
// CHECK-LABEL: flow.graph @cleared
// CHECK-NOT:     flow.codelet
// CHECK:         codegen.on_host = "{{.*}}adds to an element that may be cleared"
// CHECK:         list.accumulate
module attributes {codegen.has_card, codegen.card_loops = "always"} {
flow.graph @cleared {
  %x = flow.feed {name = "x:0"} : () -> tensor<7xf32>
  %y = flow.feed {name = "y:0"} : () -> tensor<6x7xf32>
  %n = flow.feed {name = "n:0"} : () -> tensor<i32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %five = nd.constant {value = dense<5> : tensor<i32>} : () -> tensor<i32>
  %l = list.unstack %y {element_shape = tensor<7xf32>} : (tensor<6x7xf32>) -> !list.of<tensor<7xf32>>
  %r:2 = flow.while(%zero, %l) (%x, %n) {frame = "while", parallel_iterations = 10 : i64} : (tensor<i32>, !list.of<tensor<7xf32>>, tensor<7xf32>, tensor<i32>) -> (tensor<i32>, !list.of<tensor<7xf32>>) before {
  ^bb0(%i: tensor<i32>, %m: !list.of<tensor<7xf32>>, %v: tensor<7xf32>, %end: tensor<i32>):
    %p = nd.less %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p(%i, %m) : (tensor<i1>, tensor<i32>, !list.of<tensor<7xf32>>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %m: !list.of<tensor<7xf32>>, %v: tensor<7xf32>, %end: tensor<i32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %sum = list.accumulate %m, %i, %v : (!list.of<tensor<7xf32>>, tensor<i32>, tensor<7xf32>) -> !list.of<tensor<7xf32>>
    %got, %rest = list.get %sum, %i {beyond = false, clear = true} : (!list.of<tensor<7xf32>>, tensor<i32>) -> (tensor<7xf32>, !list.of<tensor<7xf32>>)
    flow.yield %next, %rest : (tensor<i32>, !list.of<tensor<7xf32>>) -> ()
  }
  %s = list.stack %r#1 {element_shape = tensor<7xf32>, num_elements = -1 : i64} : (!list.of<tensor<7xf32>>) -> tensor<6x7xf32>
  flow.fetch %s {name = "r:0"} : (tensor<6x7xf32>) -> ()
}
}
