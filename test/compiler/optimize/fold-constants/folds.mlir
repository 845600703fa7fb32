// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What depends on constants only is computed, with its node's name; gated constants keep their gates.
// RUN: sluice-opt --optimize-fold-constants --optimize-prune-graph --mlir-print-debuginfo --mlir-print-local-scope %s | FileCheck %s

// CHECK-LABEL: flow.graph @chain
// CHECK: %[[C:.*]] = nd.constant {{.*}}dense<[-1.500000e+00, -3.000000e+00]> {{.*}}loc("neg")
// CHECK-NEXT: flow.fetch %[[C]]
flow.graph @chain {
  %a = nd.constant {value = dense<[0.5, 1.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %b = nd.constant {value = dense<3.0> : tensor<f32>} : () -> tensor<f32>
  %m = nd.mul %a, %b : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32> loc("mul")
  %n = nd.neg %m : (tensor<2xf32>) -> tensor<2xf32> loc("neg")
  flow.fetch %n {name = "n:0"} : (tensor<2xf32>) -> ()
}

// Other kinds of elements, several results, no elements.
// CHECK-LABEL: flow.graph @kinds
// CHECK-NEXT: nd.constant {{.*}}dense<"ab">
// CHECK-NEXT: nd.constant {{.*}}dense<[true, false]>
// CHECK-NEXT: nd.constant {{.*}}dense<> : tensor<0xf32>
// CHECK-NEXT: nd.constant {{.*}}dense<[2, 1]>
// CHECK-NEXT: flow.fetch
flow.graph @kinds {
  %s = nd.constant {value = dense<"a"> : tensor<!nd.string>} : () -> tensor<!nd.string>
  %t = nd.constant {value = dense<"b"> : tensor<!nd.string>} : () -> tensor<!nd.string>
  %x = nd.constant {value = dense<[1.0, 4.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %y = nd.constant {value = dense<3.0> : tensor<f32>} : () -> tensor<f32>
  %e = nd.constant {value = dense<> : tensor<0xf32>} : () -> tensor<0xf32>
  %k = nd.constant {value = dense<[[1, 2]]> : tensor<1x2xi32>} : () -> tensor<1x2xi32>
  %two = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
  %st = nd.add %s, %t : (tensor<!nd.string>, tensor<!nd.string>) -> tensor<!nd.string>
  %l = nd.less %x, %y : (tensor<2xf32>, tensor<f32>) -> tensor<2xi1>
  %ey = nd.mul %e, %y : (tensor<0xf32>, tensor<f32>) -> tensor<0xf32>
  %v:2 = nd.unpack %k {axis = 1 : i64} : (tensor<1x2xi32>) -> (tensor<1xi32>, tensor<1xi32>)
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %p = nd.concat %v#1, %v#0, %zero : (tensor<1xi32>, tensor<1xi32>, tensor<i32>) -> tensor<2xi32>
  flow.fetch %st {name = "st:0"} : (tensor<!nd.string>) -> ()
  flow.fetch %l {name = "l:0"} : (tensor<2xi1>) -> ()
  flow.fetch %ey {name = "ey:0"} : (tensor<0xf32>) -> ()
  flow.fetch %p {name = "p:0"} : (tensor<2xi32>) -> ()
}

// In a branch, the sum is there when both operands were.
// CHECK-LABEL: flow.graph @gated
// CHECK: %[[T1:.*]] = flow.after
// CHECK: %[[T2:.*]] = flow.after
// CHECK: %[[C:.*]] = nd.constant {{.*}}dense<3>
// CHECK: flow.gate %[[C]], %[[T1]], %[[T2]] :
// CHECK-NOT: nd.add
// CHECK: flow.merge
flow.graph @gated {
  %x = flow.feed {name = "x:0"} : () -> tensor<i32>
  %p = flow.feed {name = "p:0"} : () -> tensor<i1>
  %f, %t, %k = flow.switch %x, %p : (tensor<i32>, tensor<i1>) -> (tensor<i32>, tensor<i32>, !flow.token)
  %f2, %t2, %k2 = flow.switch %p, %p : (tensor<i1>, tensor<i1>) -> (tensor<i1>, tensor<i1>, !flow.token)
  %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
  %two = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
  %a1 = flow.after %t : (tensor<i32>) -> !flow.token
  %a2 = flow.after %t2 : (tensor<i1>) -> !flow.token
  %g1 = flow.gate %one, %a1 : (tensor<i32>, !flow.token) -> tensor<i32>
  %g2 = flow.gate %two, %a2 : (tensor<i32>, !flow.token) -> tensor<i32>
  %s = nd.add %g1, %g2 : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %m, %i, %mk = flow.merge %f, %s : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, !flow.token)
  flow.fetch %m {name = "m:0"} : (tensor<i32>) -> ()
}

// Many gates become one token before they are handed on.
// CHECK-LABEL: flow.graph @gates_of_gates
// CHECK: %[[J:.*]] = flow.join %[[T1:.*]], %[[T2:.*]] :
// CHECK: %[[C:.*]] = nd.constant {{.*}}dense<-3>
// CHECK: %[[G:.*]] = flow.gate %[[C]], %[[J]] :
// CHECK: flow.fetch %[[G]]
flow.graph @gates_of_gates {
  %x = flow.feed {name = "x:0"} : () -> tensor<i32>
  %p = flow.feed {name = "p:0"} : () -> tensor<i1>
  %f, %t, %k = flow.switch %x, %p : (tensor<i32>, tensor<i1>) -> (tensor<i32>, tensor<i32>, !flow.token)
  %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
  %two = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
  %a1 = flow.after %t : (tensor<i32>) -> !flow.token
  %g1 = flow.gate %one, %a1 : (tensor<i32>, !flow.token) -> tensor<i32>
  %g2 = flow.gate %two, %k : (tensor<i32>, !flow.token) -> tensor<i32>
  %s = nd.add %g1, %g2 : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %n = nd.neg %s : (tensor<i32>) -> tensor<i32>
  flow.fetch %n {name = "n:0"} : (tensor<i32>) -> ()
}

// A constant's type may say more than the op's did; what forwards it follows.
// CHECK-LABEL: flow.graph @types
// CHECK: nd.constant {{.*}} -> tensor<4xi32>
// CHECK: flow.switch {{.*}} -> (tensor<4xi32>, tensor<4xi32>, !flow.token)
flow.graph @types {
  %p = flow.feed {name = "p:0"} : () -> tensor<i1>
  %a = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %b = nd.constant {value = dense<4> : tensor<i32>} : () -> tensor<i32>
  %c = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
  %r = nd.range %a, %b, %c : (tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<?xi32>
  %f, %t, %k = flow.switch %r, %p : (tensor<?xi32>, tensor<i1>) -> (tensor<?xi32>, tensor<?xi32>, !flow.token)
  %n = nd.neg %f : (tensor<?xi32>) -> tensor<?xi32>
  flow.fetch %n {name = "n:0"} : (tensor<?xi32>) -> ()
}

// Floats below the normal range count as zero, as when a program runs.
// CHECK-LABEL: flow.graph @denormal
// CHECK: nd.constant {{.*}}dense<0.000000e+00>
flow.graph @denormal {
  %a = nd.constant {value = dense<1.0e-30> : tensor<f32>} : () -> tensor<f32>
  %b = nd.constant {value = dense<1.0e-10> : tensor<f32>} : () -> tensor<f32>
  %n = nd.mul %a, %b : (tensor<f32>, tensor<f32>) -> tensor<f32>
  flow.fetch %n {name = "n:0"} : (tensor<f32>) -> ()
}

// Results of up to 4 KiB are part of the text.
// CHECK-LABEL: flow.graph @sizes
// CHECK: nd.constant {value = dense<"0x{{.*}} : tensor<1024xi32>}
// CHECK: nd.constant {value = dense_resource<constant{{.*}} : tensor<1025xi32>}
flow.graph @sizes {
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
  %a = nd.constant {value = dense<1024> : tensor<i32>} : () -> tensor<i32>
  %b = nd.constant {value = dense<1025> : tensor<i32>} : () -> tensor<i32>
  %x = nd.range %zero, %a, %one : (tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<?xi32>
  %y = nd.range %zero, %b, %one : (tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<?xi32>
  flow.fetch %x {name = "x:0"} : (tensor<?xi32>) -> ()
  flow.fetch %y {name = "y:0"} : (tensor<?xi32>) -> ()
}
