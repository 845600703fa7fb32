// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is known of lists goes into attributes, or goes.
// RUN: sluice-opt %s --optimize-simplify-lists | FileCheck %s

// Who makes a list says what its elements are; what it says is a constant; no limit is none.
// CHECK-LABEL: flow.graph @declared
// CHECK: %[[T:.*]] = flow.start
// CHECK: %[[L:.*]] = list.make %{{.*}} {element_shape = tensor<?x2xf32>, identical = false}
// CHECK-NOT: list.declare
// CHECK: %[[G:.*]] = flow.gate %[[L]], %[[T]]
// CHECK: list.stack %[[G]] {element_shape = tensor<3x?xf32>, num_elements = -1 : i64} :
// CHECK: %[[S:.*]] = nd.constant {value = dense<[-1, 2]> : tensor<2xi32>}
// CHECK: flow.fetch {{.*}}name = "v:0"
// CHECK: flow.fetch {{.*}}name = "s:0"
flow.graph @declared {
  %token = flow.start : () -> !flow.token
  %n = flow.feed {name = "n:0"} : () -> tensor<i32>
  %minus = nd.constant {value = dense<-1> : tensor<i32>} : () -> tensor<i32>
  %shape = nd.constant {value = dense<[-1, 2]> : tensor<2xi64>} : () -> tensor<2xi64>
  %late = flow.gate %shape, %token : (tensor<2xi64>, !flow.token) -> tensor<2xi64>
  %more = nd.constant {value = dense<[3, -1]> : tensor<2xi32>} : () -> tensor<2xi32>
  %l = list.make %n {element_shape = tensor<*xf32>, identical = false} : (tensor<i32>) -> !list.of<tensor<*xf32>>
  %k = list.declare_shape %l, %late : (!list.of<tensor<*xf32>>, tensor<2xi64>) -> !list.of<tensor<*xf32>>
  %m = list.declare_limit %k, %minus : (!list.of<tensor<*xf32>>, tensor<i32>) -> !list.of<tensor<*xf32>>
  %v = list.stack %m, %more {element_shape = tensor<*xf32>, num_elements = -1 : i64} : (!list.of<tensor<*xf32>>, tensor<2xi32>) -> tensor<*xf32>
  %s = list.element_shape %m : (!list.of<tensor<*xf32>>) -> tensor<*xi32>
  flow.fetch %v {name = "v:0"} : (tensor<*xf32>) -> ()
  flow.fetch %s {name = "s:0"} : (tensor<*xi32>) -> ()
}

// Nothing is empty in a list that was pushed together, or is a tensor's rows.
// CHECK-LABEL: flow.graph @full
// CHECK: flow.cond
// CHECK: list.peek %{{.*}}, %{{.*}} {element_shape = tensor<*xf32>} : (!list.of<tensor<*xf32>>, tensor<i32>) -> tensor<*xf32>
// CHECK: list.pop %{{.*}} {element_shape = tensor<*xf32>} : (!list.of<tensor<*xf32>>) ->
flow.graph @full {
  %p = flow.feed {name = "p:0"} : () -> tensor<i1>
  %x = flow.feed {name = "x:0"} : () -> tensor<*xf32>
  %s = flow.feed {name = "s:0"} : () -> tensor<?xi32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %a = list.unstack %x {element_shape = tensor<*xf32>} : (tensor<*xf32>) -> !list.of<tensor<*xf32>>
  %b = list.make %zero {element_shape = tensor<*xf32>, identical = false} : (tensor<i32>) -> !list.of<tensor<*xf32>>
  %r:2 = flow.cond %p (%a, %b, %s, %x, %zero) : (tensor<i1>, !list.of<tensor<*xf32>>, !list.of<tensor<*xf32>>, tensor<?xi32>, tensor<*xf32>, tensor<i32>) -> (tensor<*xf32>, tensor<*xf32>) on_true {
  ^bb0(%l: !list.of<tensor<*xf32>>, %k: !list.of<tensor<*xf32>>, %shape: tensor<?xi32>, %y: tensor<*xf32>, %i: tensor<i32>):
    %v = list.peek %l, %i, %shape {element_shape = tensor<2xf32>} : (!list.of<tensor<*xf32>>, tensor<i32>, tensor<?xi32>) -> tensor<*xf32>
    %m = list.push %k, %y {limit = -1 : i64} : (!list.of<tensor<*xf32>>, tensor<*xf32>) -> !list.of<tensor<*xf32>>
    %w, %o = list.pop %m, %shape {element_shape = tensor<2xf32>} : (!list.of<tensor<*xf32>>, tensor<?xi32>) -> (tensor<*xf32>, !list.of<tensor<*xf32>>)
    flow.yield %v, %w : (tensor<*xf32>, tensor<*xf32>) -> ()
  } on_false {
  ^bb0(%l: !list.of<tensor<*xf32>>, %k: !list.of<tensor<*xf32>>, %shape: tensor<?xi32>, %y: tensor<*xf32>, %i: tensor<i32>):
    flow.yield %y, %y : (tensor<*xf32>, tensor<*xf32>) -> ()
  }
  flow.fetch %r#0 {name = "v:0"} : (tensor<*xf32>) -> ()
  flow.fetch %r#1 {name = "w:0"} : (tensor<*xf32>) -> ()
}

// A sum with a list in which one element is set; lengths have to be equal.
// CHECK-LABEL: flow.graph @sum
// CHECK: %[[SUM:.*]] = list.make %[[N:.*]] {
// CHECK-NEXT: %[[LENGTH:.*]] = list.length %[[SUM]]
// CHECK-NEXT: %[[EQUAL:.*]] = nd.equal %[[LENGTH]], %[[N]]
// CHECK-NEXT: %[[NONE:.*]] = nd.constant {value = dense<-1> : tensor<i32>}
// CHECK-NEXT: %[[I:.*]] = nd.select %[[EQUAL]], %{{.*}}, %[[NONE]]
// CHECK-NEXT: list.accumulate %[[SUM]], %[[I]], %{{.*}} :
// CHECK-NOT: list.set
flow.graph @sum {
  %n = flow.feed {name = "n:0"} : () -> tensor<i32>
  %x = flow.feed {name = "x:0"} : () -> tensor<2xf32>
  %sum = list.make %n {element_shape = tensor<?xf32>, identical = false} : (tensor<i32>) -> !list.of<tensor<?xf32>>
  %l = list.make %n {element_shape = tensor<?xf32>, identical = false} : (tensor<i32>) -> !list.of<tensor<?xf32>>
  %k = list.set %l, %n, %x {grow = false, once = false} : (!list.of<tensor<?xf32>>, tensor<i32>, tensor<2xf32>) -> !list.of<tensor<?xf32>>
  %m = list.add %sum, %k : (!list.of<tensor<?xf32>>, !list.of<tensor<?xf32>>) -> !list.of<tensor<?xf32>>
  %v = list.stack %m {element_shape = tensor<*xf32>, num_elements = -1 : i64} : (!list.of<tensor<?xf32>>) -> tensor<*xf32>
  flow.fetch %v {name = "v:0"} : (tensor<*xf32>) -> ()
}
