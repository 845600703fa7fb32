// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shapes that do not fit are no error: the op may never run. Its users are not misled.
// RUN: sluice-opt --optimize-infer-shapes %s 2> %t | FileCheck %s
// RUN: FileCheck %s --check-prefix=WARN --implicit-check-not=warning: < %t

// WARN: warning: loc("bad/add"): 'nd.add' fails if it runs: Incompatible shapes: [2] vs. [3]
// WARN-NEXT: warns.mlir:{{.*}}: warning: 'nd.concat' fails if it runs:
// WARN: warning: loc("huge"): 'nd.fill' fails if it runs: byte size of shape [288230376151711744] overflows 64 bits

// CHECK-LABEL: flow.graph @branch
// CHECK: nd.add {{.*}} -> tensor<*xf32>
// CHECK: flow.merge {{.*}} -> (tensor<*xf32>, tensor<i32>, !flow.token)
flow.graph @branch {
  %x = flow.feed {name = "x:0"} : () -> tensor<2xf32>
  %y = flow.feed {name = "y:0"} : () -> tensor<3xf32>
  %p = flow.feed {name = "p:0"} : () -> tensor<i1>
  %f, %t, %k = flow.switch %x, %p : (tensor<2xf32>, tensor<i1>) -> (tensor<2xf32>, tensor<2xf32>, !flow.token)
  %s = nd.add %t, %y : (tensor<2xf32>, tensor<3xf32>) -> tensor<*xf32> loc("bad/add")
  %m, %i, %mk = flow.merge %f, %s : (tensor<2xf32>, tensor<*xf32>) -> (tensor<*xf32>, tensor<i32>, !flow.token)
  flow.fetch %m {name = "m:0"} : (tensor<*xf32>) -> ()
}

// In the first iteration's shape the sum would fail, but that is not the only one: no warning.
// CHECK-LABEL: flow.graph @only_at_first
// CHECK: nd.add {{.*}} -> tensor<3xf32>
flow.graph @only_at_first {
  %x = flow.feed {name = "x:0"} : () -> tensor<2xf32>
  %y = flow.feed {name = "y:0"} : () -> tensor<3xf32>
  %p = flow.feed {name = "p:0"} : () -> tensor<i1>
  %e = flow.enter %x {frame = "loop", constant = false, parallel_iterations = 10 : i64} : (tensor<2xf32>) -> tensor<2xf32>
  %c = flow.enter %y {frame = "loop", constant = true, parallel_iterations = 10 : i64} : (tensor<3xf32>) -> tensor<3xf32>
  %q = flow.enter %p {frame = "loop", constant = true, parallel_iterations = 10 : i64} : (tensor<i1>) -> tensor<i1>
  %m, %i, %mt = flow.merge %e, %b : (tensor<2xf32>, tensor<3xf32>) -> (tensor<?xf32>, tensor<i32>, !flow.token)
  %no, %yes, %st = flow.switch %m, %q : (tensor<?xf32>, tensor<i1>) -> (tensor<?xf32>, tensor<?xf32>, !flow.token)
  %g = flow.gate %c, %st : (tensor<3xf32>, !flow.token) -> tensor<3xf32>
  %b = flow.next_iteration %g : (tensor<3xf32>) -> tensor<3xf32>
  %sum = nd.add %no, %c : (tensor<?xf32>, tensor<3xf32>) -> tensor<*xf32>
  %out = flow.exit %sum : (tensor<*xf32>) -> tensor<*xf32>
  flow.fetch %out {name = "out:0"} : (tensor<*xf32>) -> ()
}

flow.graph @without_name {
  %x = flow.feed {name = "x:0"} : () -> tensor<2x2xf32>
  %y = flow.feed {name = "y:0"} : () -> tensor<3x3xf32>
  %axis = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
  %c = nd.concat %x, %y, %axis : (tensor<2x2xf32>, tensor<3x3xf32>, tensor<i32>) -> tensor<*xf32>
  flow.fetch %c {name = "c:0"} : (tensor<*xf32>) -> ()
}

// The largest size that no element type makes overflow, and one more.
// CHECK-LABEL: flow.graph @sizes
// CHECK: nd.fill {{.*}} -> tensor<288230376151711743xf32>
// CHECK: nd.fill {{.*}} -> tensor<*xf32>
flow.graph @sizes {
  %zero = nd.constant {value = dense<0.0> : tensor<f32>} : () -> tensor<f32>
  %a = nd.constant {value = dense<288230376151711743> : tensor<1xi64>} : () -> tensor<1xi64>
  %b = nd.constant {value = dense<288230376151711744> : tensor<1xi64>} : () -> tensor<1xi64>
  %x = nd.fill %a, %zero : (tensor<1xi64>, tensor<f32>) -> tensor<*xf32>
  %y = nd.fill %b, %zero : (tensor<1xi64>, tensor<f32>) -> tensor<*xf32> loc("huge")
  flow.fetch %x {name = "x:0"} : (tensor<*xf32>) -> ()
  flow.fetch %y {name = "y:0"} : (tensor<*xf32>) -> ()
}
