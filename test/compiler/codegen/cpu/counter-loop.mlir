// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A counter is a carried integer like any other. Its sum wraps around as that of the plain kernel
// does, so nothing may be promised about overflow, and the loop stays one that asks its condition.
// RUN: sluice-opt --codegen-emit-codelets %s | FileCheck %s

// CHECK-NOT: scf.for
// CHECK: scf.while (%{{.*}} = %{{.*}}) : (i8) -> i8
// CHECK: arith.cmpi ult, %{{.*}}, %{{.*}} : i8
// CHECK: arith.addi %{{.*}}, %{{.*}} : i8
// CHECK-NOT: overflow
flow.graph @main {
  %n = flow.feed {name = "n"} : () -> tensor<ui8>
  %r = flow.codelet (%n) : (tensor<ui8>) -> tensor<ui8> {
  ^bb0(%n0: tensor<ui8>):
    %zero = nd.constant {value = dense<0> : tensor<ui8>} : () -> tensor<ui8>
    %last = flow.while (%zero) (%n0) {frame = "loop", parallel_iterations = 10 : i64} : (tensor<ui8>, tensor<ui8>) -> tensor<ui8> before {
    ^bb0(%i1: tensor<ui8>, %n1: tensor<ui8>):
      %p = nd.less %i1, %n1 : (tensor<ui8>, tensor<ui8>) -> tensor<i1>
      flow.condition %p (%i1) : (tensor<i1>, tensor<ui8>) -> ()
    } body {
    ^bb0(%i2: tensor<ui8>, %n2: tensor<ui8>):
      %step = nd.constant {value = dense<3> : tensor<ui8>} : () -> tensor<ui8>
      %i3 = nd.add %i2, %step : (tensor<ui8>, tensor<ui8>) -> tensor<ui8>
      flow.yield %i3 : (tensor<ui8>) -> ()
    }
    flow.yield %last : (tensor<ui8>) -> ()
  }
  flow.fetch %r {name = "i"} : (tensor<ui8>) -> ()
}
