// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shapes go into branches and round loops.
// RUN: sluice-opt %s -split-input-file -pass-pipeline='builtin.module(flow.graph(optimize-infer-regions))' | FileCheck %s

// %x keeps its shape, so all that is made of it is known; %y does not, and is what it was.
// CHECK-LABEL: @loop
// CHECK: %[[R:.*]]:3 = flow.while
// CHECK-SAME: -> (tensor<i32>, tensor<4xf32>, tensor<?xf32>)
// CHECK: nd.mul %{{.*}}, %{{.*}} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK: nd.concat %{{.*}} : (tensor<?xf32>, tensor<4xf32>, tensor<i32>) -> tensor<?xf32>
// CHECK: nd.neg %[[R]]#1 : (tensor<4xf32>) -> tensor<4xf32>
flow.graph @loop {
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %n = flow.feed {name = "n"} : () -> tensor<i32>
  %x = flow.feed {name = "x"} : () -> tensor<4xf32>
  %r:3 = flow.while (%zero, %x, %x) (%n) {frame = "loop", parallel_iterations = 1 : i64} : (tensor<i32>, tensor<4xf32>, tensor<4xf32>, tensor<i32>) -> (tensor<i32>, tensor<*xf32>, tensor<?xf32>) before {
  ^bb0(%i: tensor<i32>, %a: tensor<*xf32>, %b: tensor<?xf32>, %limit: tensor<i32>):
    %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %a, %b) : (tensor<i1>, tensor<i32>, tensor<*xf32>, tensor<?xf32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %a: tensor<*xf32>, %b: tensor<?xf32>, %limit: tensor<i32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %axis = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %c = nd.mul %a, %a : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %d = nd.concat %b, %c, %axis : (tensor<?xf32>, tensor<*xf32>, tensor<i32>) -> tensor<?xf32>
    flow.yield %next, %c, %d : (tensor<i32>, tensor<*xf32>, tensor<?xf32>) -> ()
  }
  %m = nd.neg %r#1 : (tensor<*xf32>) -> tensor<*xf32>
  flow.fetch %m {name = "m"} : (tensor<*xf32>) -> ()
  flow.fetch %r#2 {name = "y"} : (tensor<?xf32>) -> ()
}

// -----

// A dim that changes is not known, the other one stays; what a variable passes on to the next one, that
// one has in the next turn. Also in the loop inside, which starts with what the one around carries.
// CHECK-LABEL: @nest
// CHECK: flow.while
// CHECK-SAME: -> (tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>)
// CHECK: flow.while
// CHECK-SAME: -> (tensor<?x3xf32>, tensor<?x3xf32>)
// CHECK: nd.exp %{{.*}} : (tensor<?x3xf32>) -> tensor<?x3xf32>
flow.graph @nest {
  %x = flow.feed {name = "x"} : () -> tensor<2x3xf32>
  %r:3 = flow.while (%x, %x, %x) () {frame = "outer", parallel_iterations = 1 : i64} : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) before {
  ^bb0(%a: tensor<*xf32>, %b: tensor<*xf32>, %c: tensor<*xf32>):
    %p = nd.constant {value = dense<true> : tensor<i1>} : () -> tensor<i1>
    flow.condition %p (%a, %b, %c) : (tensor<i1>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) -> ()
  } body {
  ^bb0(%a: tensor<*xf32>, %b: tensor<*xf32>, %c: tensor<*xf32>):
    %s:2 = flow.while (%a, %c) () {frame = "inner", parallel_iterations = 1 : i64} : (tensor<*xf32>, tensor<*xf32>) -> (tensor<*xf32>, tensor<*xf32>) before {
    ^bb0(%d: tensor<*xf32>, %e: tensor<*xf32>):
      %p = nd.constant {value = dense<true> : tensor<i1>} : () -> tensor<i1>
      flow.condition %p (%d, %e) : (tensor<i1>, tensor<*xf32>, tensor<*xf32>) -> ()
    } body {
    ^bb0(%d: tensor<*xf32>, %e: tensor<*xf32>):
      %g = nd.exp %d : (tensor<*xf32>) -> tensor<*xf32>
      flow.yield %e, %g : (tensor<*xf32>, tensor<*xf32>) -> ()
    }
    %axis = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %t = nd.concat %s#0, %a, %axis : (tensor<*xf32>, tensor<*xf32>, tensor<i32>) -> tensor<*xf32>
    flow.yield %t, %a, %b : (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) -> ()
  }
  flow.fetch %r#2 {name = "y"} : (tensor<*xf32>) -> ()
}

// -----

// What both sides have in common; an element of a list has its type.
// CHECK-LABEL: @branch
// CHECK: flow.cond
// CHECK-SAME: -> (tensor<?x3xf32>, tensor<2xf32>)
flow.graph @branch {
  %p = flow.feed {name = "p"} : () -> tensor<i1>
  %x = flow.feed {name = "x"} : () -> tensor<2x3xf32>
  %y = flow.feed {name = "y"} : () -> tensor<4x3xf32>
  %n = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
  %l = list.make %n {element_shape = tensor<2xf32>, identical = false} : (tensor<i32>) -> !list.of<tensor<2xf32>>
  %r:2 = flow.cond %p (%x, %y, %l, %n) : (tensor<i1>, tensor<2x3xf32>, tensor<4x3xf32>, !list.of<tensor<2xf32>>, tensor<i32>) -> (tensor<*xf32>, tensor<*xf32>) on_true {
  ^bb0(%a: tensor<2x3xf32>, %b: tensor<4x3xf32>, %k: !list.of<tensor<2xf32>>, %i: tensor<i32>):
    %v, %m = list.get %k, %i {beyond = false, clear = false} : (!list.of<tensor<2xf32>>, tensor<i32>) -> (tensor<*xf32>, !list.of<tensor<2xf32>>)
    flow.yield %a, %v : (tensor<2x3xf32>, tensor<*xf32>) -> ()
  } on_false {
  ^bb0(%a: tensor<2x3xf32>, %b: tensor<4x3xf32>, %k: !list.of<tensor<2xf32>>, %i: tensor<i32>):
    %v, %m = list.pop %k {element_shape = tensor<*xf32>} : (!list.of<tensor<2xf32>>) -> (tensor<*xf32>, !list.of<tensor<2xf32>>)
    flow.yield %b, %v : (tensor<4x3xf32>, tensor<*xf32>) -> ()
  }
  flow.fetch %r#0 {name = "r"} : (tensor<*xf32>) -> ()
  flow.fetch %r#1 {name = "s"} : (tensor<*xf32>) -> ()
}
