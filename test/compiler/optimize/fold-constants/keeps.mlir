// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is not constant, fails, has effects, or would swell the program is left alone.
// RUN: sluice-opt --optimize-fold-constants %s | FileCheck %s

state.generator @g {key = "g"}

// CHECK-LABEL: flow.graph @not_constant
// CHECK: nd.add
// CHECK: state.random_uniform
flow.graph @not_constant {
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %c = nd.constant {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %n = nd.constant {value = dense<1> : tensor<1xi32>} : () -> tensor<1xi32>
  %y = nd.add %x, %c : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %u, %t = state.random_uniform %n {generator = @g, seed = 1 : i64, seed2 = 2 : i64} : (tensor<1xi32>) -> (tensor<1xf32>, !flow.token)
  flow.fetch %y {name = "y:0"} : (tensor<f32>) -> ()
  flow.fetch %u {name = "u:0"} : (tensor<1xf32>) -> ()
}

// Division by zero and shapes that do not fit: errors of the call, if the op runs.
// CHECK-LABEL: flow.graph @fails
// CHECK: nd.div
// CHECK: nd.add
flow.graph @fails {
  %z = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %a = nd.constant {value = dense<1> : tensor<2xi32>} : () -> tensor<2xi32>
  %b = nd.constant {value = dense<2> : tensor<3xi32>} : () -> tensor<3xi32>
  %d = nd.div %a, %z : (tensor<2xi32>, tensor<i32>) -> tensor<2xi32>
  %s = nd.add %a, %b : (tensor<2xi32>, tensor<3xi32>) -> tensor<*xi32>
  flow.fetch %d {name = "d:0"} : (tensor<2xi32>) -> ()
  flow.fetch %s {name = "s:0"} : (tensor<*xi32>) -> ()
}

// 1 MiB is stored, one element more is not; nor is what has no end in memory.
// CHECK-LABEL: flow.graph @large
// CHECK-NOT: nd.fill
// CHECK: nd.constant {{.*}}tensor<262144xf32>
// CHECK: nd.fill {{.*}} -> tensor<262145xf32>
// CHECK: nd.fill {{.*}} -> tensor<?xf32>
flow.graph @large {
  %one = nd.constant {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %n = nd.constant {value = dense<262144> : tensor<1xi32>} : () -> tensor<1xi32>
  %m = nd.constant {value = dense<262145> : tensor<1xi32>} : () -> tensor<1xi32>
  %h = nd.constant {value = dense<1000000000000000> : tensor<1xi64>} : () -> tensor<1xi64>
  %f = nd.fill %n, %one : (tensor<1xi32>, tensor<f32>) -> tensor<262144xf32>
  %g = nd.fill %m, %one : (tensor<1xi32>, tensor<f32>) -> tensor<262145xf32>
  %k = nd.fill %h, %one : (tensor<1xi64>, tensor<f32>) -> tensor<?xf32>
  flow.fetch %f {name = "f:0"} : (tensor<262144xf32>) -> ()
  flow.fetch %g {name = "g:0"} : (tensor<262145xf32>) -> ()
  flow.fetch %k {name = "k:0"} : (tensor<?xf32>) -> ()
}

// A constant predicate makes one output dead; that must stay so.
// CHECK-LABEL: flow.graph @switch
// CHECK: %[[F:.*]], %{{.*}}, %{{.*}} = flow.switch
// CHECK: nd.neg %[[F]]
flow.graph @switch {
  %p = nd.constant {value = dense<true> : tensor<i1>} : () -> tensor<i1>
  %c = nd.constant {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %f, %t, %k = flow.switch %c, %p : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %n = nd.neg %f : (tensor<f32>) -> tensor<f32>
  %m, %i, %mk = flow.merge %n, %t : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  flow.fetch %m {name = "m:0"} : (tensor<f32>) -> ()
}

// What comes into a loop fires in the loop.
// CHECK-LABEL: flow.graph @loop
// CHECK: flow.enter
// CHECK: nd.neg
flow.graph @loop {
  %c = nd.constant {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %e = flow.enter %c {frame = "loop", constant = true, parallel_iterations = 10 : i64} : (tensor<f32>) -> tensor<f32>
  %n = nd.neg %e : (tensor<f32>) -> tensor<f32>
  %out = flow.exit %n : (tensor<f32>) -> tensor<f32>
  flow.fetch %out {name = "out:0"} : (tensor<f32>) -> ()
}
