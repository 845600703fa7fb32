// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that are called at run time: one that also gives what it saves, and its mirror.
// RUN: sluice-opt %s --split-input-file --differentiate-build-gradients | FileCheck %s

// x to the power of n. Each call has a list of its own, in which the list of the call within is an element; the
// mirror needs the arguments, which its caller has.
// CHECK-LABEL: flow.graph @power
// CHECK: %[[Y:.*]]:3 = flow.call @"power_of/saved"(%[[X:.*]], %[[N:.*]]) : (tensor<f32>, tensor<i32>) -> (tensor<f32>, !list.of<!list.any>, !flow.token)
// CHECK: %[[DX:.*]]:2 = flow.call @"power_of/mirror"(%[[X]], %[[N]], %{{.*}}, %[[Y]]#1) :
// CHECK: flow.fetch %[[DX]]#0 {name = "dx"}
// CHECK-NOT: flow.func @power_of
// CHECK-LABEL: flow.func @"power_of/saved"
// CHECK: %[[BRANCH:.*]]:3 = flow.cond
// CHECK: %[[INNER:.*]]:3 = flow.call @"power_of/saved"
// CHECK-DAG: list.push %{{.*}}, %[[INNER]]#0
// CHECK-DAG: list.push %{{.*}}, %[[INNER]]#1 {{.*}} : (!list.of<!list.of<!list.any>>, !list.of<!list.any>)
// CHECK: %[[NONE:.*]] = list.make {{.*}} {element_shape = !list.any,
// CHECK: %[[ONE:.*]] = list.push %[[NONE]], %[[BRANCH]]#1
// CHECK: %[[SAVED:.*]] = list.push %[[ONE]], %[[BRANCH]]#2
// CHECK: flow.return %[[BRANCH]]#0, %[[SAVED]] :
// CHECK-LABEL: flow.func @"power_of/mirror"
// CHECK: %[[SAVED:.*]] = flow.argument {index = 3 : i64} : () -> !list.of<!list.any>
// CHECK: %[[LISTS:.*]], %[[REST:.*]] = list.pop %[[SAVED]]
// CHECK: %[[VALUES:.*]], %{{.*}} = list.pop %[[REST]]
// CHECK: flow.cond
// CHECK: flow.call @"power_of/mirror"
flow.func @power_of : (tensor<f32>, tensor<i32>) -> tensor<f32> {
  %x = flow.argument {index = 0 : i64} : () -> tensor<f32>
  %n = flow.argument {index = 1 : i64} : () -> tensor<i32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %p = nd.greater %n, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %r = flow.cond %p (%x, %n) : (tensor<i1>, tensor<f32>, tensor<i32>) -> tensor<f32> on_true {
  ^bb0(%a: tensor<f32>, %k: tensor<i32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %less = nd.sub %k, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %v, %done = flow.call @power_of (%a, %less) : (tensor<f32>, tensor<i32>) -> (tensor<f32>, !flow.token)
    %m = nd.mul %a, %v : (tensor<f32>, tensor<f32>) -> tensor<f32>
    flow.yield %m : (tensor<f32>) -> ()
  } on_false {
  ^bb0(%a: tensor<f32>, %k: tensor<i32>):
    %one = nd.constant {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
    flow.yield %one : (tensor<f32>) -> ()
  }
  flow.return %r : (tensor<f32>) -> ()
}
flow.graph @power {
  %0 = flow.feed {name = "x"} : () -> tensor<f32>
  %x = flow.independent %0 {name = "x"} : (tensor<f32>) -> tensor<f32>
  %n = flow.feed {name = "n"} : () -> tensor<i32>
  %y, %done = flow.call @power_of (%x, %n) : (tensor<f32>, tensor<i32>) -> (tensor<f32>, !flow.token)
  %dx = flow.gradient of %y seeds wrt %x stops {name = "gradients"} : (tensor<f32>, tensor<f32>) -> tensor<f32>
  flow.fetch %dx {name = "dx"} : (tensor<f32>) -> ()
}

// -----

// What a result does not depend on is no argument of the mirror, and has no derivative.
// CHECK-LABEL: flow.graph @parts
// CHECK: %[[Y:.*]]:4 = flow.call @"both/saved"(%[[A:.*]], %[[B:.*]]) :
// CHECK: flow.call @"both/mirror"(%[[B]], %{{.*}}, %[[Y]]#2) : (tensor<f32>, tensor<f32>, !list.of<!list.any>) -> (tensor<f32>, !flow.token)
// CHECK: flow.fetch %{{.*}} {name = "da"}
flow.func @both : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %a = flow.argument {index = 0 : i64} : () -> tensor<f32>
  %b = flow.argument {index = 1 : i64} : () -> tensor<f32>
  %sin = nd.sin %a : (tensor<f32>) -> tensor<f32>
  %cos = nd.cos %b : (tensor<f32>) -> tensor<f32>
  flow.return %sin, %cos : (tensor<f32>, tensor<f32>) -> ()
}
flow.graph @parts {
  %0 = flow.feed {name = "a"} : () -> tensor<f32>
  %a = flow.independent %0 {name = "a"} : (tensor<f32>) -> tensor<f32>
  %1 = flow.feed {name = "b"} : () -> tensor<f32>
  %b = flow.independent %1 {name = "b"} : (tensor<f32>) -> tensor<f32>
  %s, %c, %done = flow.call @both (%a, %b) : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>, !flow.token)
  flow.fetch %s {name = "s"} : (tensor<f32>) -> ()
  %da, %db = flow.gradient of %c seeds wrt %a, %b stops {name = "gradients"} : (tensor<f32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
  flow.fetch %da {name = "da"} : (tensor<f32>) -> ()
  flow.fetch %db {name = "db"} : (tensor<f32>) -> ()
}

// -----

// The graph's own function for the derivatives of another one.
// CHECK-LABEL: flow.graph @own
// CHECK: %[[E:.*]] = nd.exp %[[X:.*]] :
// CHECK: %[[DX:.*]]:2 = flow.call @mine(%[[X]], %{{.*}}) : (tensor<f32>, tensor<f32>) -> (tensor<f32>, !flow.token)
// CHECK: flow.fetch %[[DX]]#0 {name = "dx"}
flow.func @mine : (tensor<f32>, tensor<f32>) -> tensor<f32> {
  %x = flow.argument {index = 0 : i64} : () -> tensor<f32>
  %dy = flow.argument {index = 1 : i64} : () -> tensor<f32>
  %dx = nd.mul %x, %dy : (tensor<f32>, tensor<f32>) -> tensor<f32>
  flow.return %dx : (tensor<f32>) -> ()
}
flow.graph @own {
  %0 = flow.feed {name = "x"} : () -> tensor<f32>
  %x = flow.independent %0 {name = "x"} : (tensor<f32>) -> tensor<f32>
  %e = nd.exp %x : (tensor<f32>) -> tensor<f32>
  %y = flow.known_as "function.mine" with {function = @mine} %e of %x : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %dx = flow.gradient of %y seeds wrt %x stops {name = "gradients"} : (tensor<f32>, tensor<f32>) -> tensor<f32>
  flow.fetch %dx {name = "dx"} : (tensor<f32>) -> ()
}
