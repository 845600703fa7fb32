// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function's ops take the place of each call, in graphs and in regions; types become those of what is
// given, and names begin with the caller's.
// RUN: sluice-opt --optimize-inline-calls --mlir-print-debuginfo %s | FileCheck %s
// RUN: sluice-opt --optimize-inline-calls %s | FileCheck %s --check-prefix=GONE
// RUN: not sluice-opt --optimize-inline-calls=most-depth=0 %s 2>&1 | FileCheck %s --check-prefix=DEEP
// DEEP: error: {{.*}}expected at most 0 branches and loops inside each other
// GONE-NOT: flow.func
// GONE-NOT: flow.call
// CHECK: %[[X:.*]] = flow.feed
// CHECK: %[[A:.*]] = nd.add %[[X]], %[[X]] : (tensor<4xf32>, tensor<4xf32>) -> tensor<*xf32> loc(#[[SUM:.*]])
// What waits for the call waits for its results.
// CHECK: %[[DONE:.*]] = flow.after %[[A]]
// CHECK: flow.join %[[DONE]]
// CHECK: flow.cond
// CHECK: nd.add
// The second copy of a random op has a stream of its own.
// CHECK: state.random_uniform %{{.*}} {generator = @g
// CHECK: state.random_uniform %{{.*}} {generator = @g_0
// CHECK: #[[SUM]] = loc("call/sum")
state.generator @g {key = "dice"}
flow.func @twice : (tensor<*xf32>) -> tensor<*xf32> {
  %a = flow.argument {index = 0 : i64} : () -> tensor<*xf32>
  %s = nd.add %a, %a : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32> loc("sum")
  flow.return %s : (tensor<*xf32>) -> ()
}
flow.func @dice : (tensor<1xi32>) -> tensor<*xf32> {
  %shape = flow.argument {index = 0 : i64} : () -> tensor<1xi32>
  %r, %t = state.random_uniform %shape {generator = @g, seed = 1 : i64, seed2 = 2 : i64} : (tensor<1xi32>) -> (tensor<*xf32>, !flow.token)
  flow.return %r : (tensor<*xf32>) -> ()
}
flow.graph @main {
  %x = flow.feed {name = "x:0"} : () -> tensor<4xf32>
  %p = flow.feed {name = "p:0"} : () -> tensor<i1>
  %n = flow.feed {name = "n:0"} : () -> tensor<1xi32>
  %y, %done = flow.call @twice (%x) : (tensor<4xf32>) -> (tensor<*xf32>, !flow.token) loc("call")
  flow.target %done {name = "done"} : (!flow.token) -> ()
  %z = flow.cond %p (%y) : (tensor<i1>, tensor<*xf32>) -> tensor<*xf32> on_true {
  ^bb0(%v: tensor<*xf32>):
    %r, %t = flow.call @twice (%v) : (tensor<*xf32>) -> (tensor<*xf32>, !flow.token)
    flow.yield %r : (tensor<*xf32>) -> ()
  } on_false {
  ^bb0(%v: tensor<*xf32>):
    flow.yield %v : (tensor<*xf32>) -> ()
  }
  flow.fetch %z {name = "z:0"} : (tensor<*xf32>) -> ()
  %d0, %t0 = flow.call @dice (%n) : (tensor<1xi32>) -> (tensor<*xf32>, !flow.token)
  %d1, %t1 = flow.call @dice (%n) : (tensor<1xi32>) -> (tensor<*xf32>, !flow.token)
  flow.fetch %d0 {name = "d0:0"} : (tensor<*xf32>) -> ()
  flow.fetch %d1 {name = "d1:0"} : (tensor<*xf32>) -> ()
}
