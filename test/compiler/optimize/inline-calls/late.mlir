// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a call waits for a token, or stands in a loop, so does what is inlined: ops of constants alone, too, and
// results that are constants. A frame within it is another one for each copy. Arguments of both sides of a Switch
// wait for each other: a call of which one argument is dead does not take place.
// RUN: sluice-opt --optimize-inline-calls %s | FileCheck %s
// CHECK-LABEL: flow.graph @waits
// CHECK: %[[T:.*]] = flow.after
// CHECK: %[[C:.*]] = nd.constant
// CHECK: %[[G:.*]] = flow.gate %[[C]], %[[T]]
// CHECK: nd.neg %[[G]]
// CHECK: flow.gate %{{.*}}, %[[T]]
// CHECK-LABEL: flow.graph @loop
// CHECK: %[[V:.*]], %{{.*}}, %{{.*}} = flow.merge
// CHECK: %[[AFTER:.*]] = flow.after %[[V]]
// CHECK: %[[GATED:.*]] = flow.gate %{{.*}}, %[[AFTER]]
// CHECK: nd.neg %[[GATED]]
// CHECK-LABEL: flow.graph @frames
// CHECK: flow.enter {{.*}}frame = "f"
// CHECK: flow.enter {{.*}}frame = "f#1"
// CHECK-LABEL: flow.graph @sides
// CHECK: %[[OFF:.*]], %[[ON:.*]], %{{.*}} = flow.switch
// CHECK-DAG: %[[A:.*]] = flow.after %[[OFF]]
// CHECK-DAG: %[[B:.*]] = flow.after %[[ON]]
// CHECK: %[[BOTH:.*]] = flow.join %[[A]], %[[B]]
// CHECK-DAG: %[[X:.*]] = flow.gate %[[OFF]], %[[BOTH]]
// CHECK-DAG: %[[Y:.*]] = flow.gate %[[ON]], %[[BOTH]]
// CHECK: nd.neg %[[X]]
// CHECK: nd.exp %[[Y]]
// CHECK-LABEL: flow.graph @side_and_token
// CHECK: %[[TOKEN:.*]] = flow.after
// CHECK: %{{.*}}, %[[ON:.*]], %{{.*}} = flow.switch
// CHECK: %[[A:.*]] = flow.after %[[ON]]
// CHECK: %[[BOTH:.*]] = flow.join %[[TOKEN]], %[[A]]
// CHECK: flow.gate %[[ON]], %[[BOTH]]
// CHECK: %[[H:.*]] = flow.gate %{{.*}}, %[[BOTH]]
// CHECK: nd.neg %[[H]]
flow.func @constants : (tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %a = flow.argument {index = 0 : i64} : () -> tensor<f32>
  %c = nd.constant {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %n = nd.neg %c : (tensor<f32>) -> tensor<f32>
  %s = nd.add %a, %n : (tensor<f32>, tensor<f32>) -> tensor<f32>
  flow.return %s, %c : (tensor<f32>, tensor<f32>) -> ()
}
flow.func @entered : (tensor<f32>) -> tensor<f32> {
  %a = flow.argument {index = 0 : i64} : () -> tensor<f32>
  %e = flow.enter %a {frame = "f", constant = false, parallel_iterations = 1 : i64} : (tensor<f32>) -> tensor<f32>
  %x = flow.exit %e : (tensor<f32>) -> tensor<f32>
  flow.return %x : (tensor<f32>) -> ()
}
flow.graph @waits {
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %t = flow.after %x : (tensor<f32>) -> !flow.token
  %y, %k, %done = flow.call @constants (%x, %t) : (tensor<f32>, !flow.token) -> (tensor<f32>, tensor<f32>, !flow.token)
  flow.fetch %y {name = "y:0"} : (tensor<f32>) -> ()
  flow.fetch %k {name = "k:0"} : (tensor<f32>) -> ()
}
flow.graph @loop {
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %p = flow.feed {name = "p:0"} : () -> tensor<i1>
  %e = flow.enter %x {frame = "l", constant = false, parallel_iterations = 1 : i64} : (tensor<f32>) -> tensor<f32>
  %pe = flow.enter %p {frame = "l", constant = true, parallel_iterations = 1 : i64} : (tensor<i1>) -> tensor<i1>
  %v, %i, %m = flow.merge %e, %n : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  %y, %k, %done = flow.call @constants (%v) : (tensor<f32>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %l = flow.loop_cond %pe : (tensor<i1>) -> tensor<i1>
  %out, %on, %s = flow.switch %y, %l : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %n = flow.next_iteration %on : (tensor<f32>) -> tensor<f32>
  %r = flow.exit %out : (tensor<f32>) -> tensor<f32>
  flow.fetch %r {name = "r:0"} : (tensor<f32>) -> ()
}
flow.graph @frames {
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %y, %s = flow.call @entered (%x) : (tensor<f32>) -> (tensor<f32>, !flow.token)
  %z, %t = flow.call @entered (%y) : (tensor<f32>) -> (tensor<f32>, !flow.token)
  flow.fetch %z {name = "z:0"} : (tensor<f32>) -> ()
}
flow.func @each : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %a = flow.argument {index = 0 : i64} : () -> tensor<f32>
  %b = flow.argument {index = 1 : i64} : () -> tensor<f32>
  %n = nd.neg %a : (tensor<f32>) -> tensor<f32>
  %e = nd.exp %b : (tensor<f32>) -> tensor<f32>
  flow.return %n, %e : (tensor<f32>, tensor<f32>) -> ()
}
flow.graph @sides {
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %p = flow.feed {name = "p:0"} : () -> tensor<i1>
  %off, %on, %s = flow.switch %x, %p : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %y, %z, %t = flow.call @each (%off, %on) : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>, !flow.token)
  flow.fetch %y {name = "y:0"} : (tensor<f32>) -> ()
  flow.fetch %z {name = "z:0"} : (tensor<f32>) -> ()
}
flow.graph @side_and_token {
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %p = flow.feed {name = "p:0"} : () -> tensor<i1>
  %t = flow.after %p : (tensor<i1>) -> !flow.token
  %off, %on, %s = flow.switch %x, %p : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %y, %k, %done = flow.call @constants (%on, %t) : (tensor<f32>, !flow.token) -> (tensor<f32>, tensor<f32>, !flow.token)
  flow.fetch %y {name = "y:0"} : (tensor<f32>) -> ()
  flow.fetch %k {name = "k:0"} : (tensor<f32>) -> ()
}
