// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A module without requests stays as it is, loops that have no structure and all.
// RUN: sluice-opt %s --split-input-file -o %t.before
// RUN: sluice-opt %s --split-input-file --differentiate-build-gradients -o %t.after
// RUN: diff %t.before %t.after

flow.graph @structured {
  %x = flow.feed {name = "x"} : () -> tensor<f32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %r:2 = flow.while (%zero, %x) () {frame = "loop", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<f32>) -> (tensor<i32>, tensor<f32>) before {
  ^bb0(%i: tensor<i32>, %s: tensor<f32>):
    %limit = nd.constant {value = dense<3> : tensor<i32>} : () -> tensor<i32>
    %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %s) : (tensor<i1>, tensor<i32>, tensor<f32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %s: tensor<f32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %j = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %e = nd.exp %s : (tensor<f32>) -> tensor<f32>
    flow.yield %j, %e : (tensor<i32>, tensor<f32>) -> ()
  }
  flow.fetch %r#1 {name = "y"} : (tensor<f32>) -> ()
}

// -----

flow.graph @primitives {
  %p = flow.feed {name = "p"} : () -> tensor<i1>
  %a = flow.enter %p {frame = "loop", constant = false, parallel_iterations = 10 : i64} : (tensor<i1>) -> tensor<i1>
  %m, %mi, %mt = flow.merge %a, %n : (tensor<i1>, tensor<i1>) -> (tensor<i1>, tensor<i32>, !flow.token)
  %go = flow.loop_cond %m : (tensor<i1>) -> tensor<i1>
  %f, %t, %s = flow.switch %m, %go : (tensor<i1>, tensor<i1>) -> (tensor<i1>, tensor<i1>, !flow.token)
  %not = nd.logical_not %t : (tensor<i1>) -> tensor<i1>
  %n = flow.next_iteration %not : (tensor<i1>) -> tensor<i1>
  %e = flow.exit %f : (tensor<i1>) -> tensor<i1>
  flow.fetch %e {name = "e"} : (tensor<i1>) -> ()
}
