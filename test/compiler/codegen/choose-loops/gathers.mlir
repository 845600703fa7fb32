// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop gathers by itself, and fails where an index is out of range. On a card nobody could tell.
// RUN: sluice-opt %s -pass-pipeline='builtin.module(codegen-choose-loops)' | FileCheck %s
// RUN: sluice-opt %s -pass-pipeline='builtin.module(codegen-choose-loops,codegen-form-codelets,codegen-emit-codelets)' \
// RUN:   | FileCheck %s --check-prefix=CODE

// CHECK: flow.while
// CHECK-NOT: codegen.boxed_operands
// CHECK-SAME: codegen.collapse
// CODE: scf.while
// CODE: arith.cmpi uge
// CODE: scf.if
// CODE: linalg.generic
flow.graph @g {
  %n = flow.feed {name = "n"} : () -> tensor<i32>
  %w = flow.feed {name = "w"} : () -> tensor<10x4xf32>
  %x = flow.feed {name = "x"} : () -> tensor<3xi32>
  %s = flow.feed {name = "s"} : () -> tensor<3x4xf32>
  %r:3 = flow.while (%n, %x, %s) (%w) {frame = "loop", parallel_iterations = 1 : i64} : (tensor<i32>, tensor<3xi32>, tensor<3x4xf32>, tensor<10x4xf32>) -> (tensor<i32>, tensor<3xi32>, tensor<3x4xf32>) before {
  ^bb0(%i: tensor<i32>, %a: tensor<3xi32>, %b: tensor<3x4xf32>, %v: tensor<10x4xf32>):
    %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %p = nd.less %zero, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %a, %b) : (tensor<i1>, tensor<i32>, tensor<3xi32>, tensor<3x4xf32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %a: tensor<3xi32>, %b: tensor<3x4xf32>, %v: tensor<10x4xf32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %axis = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %rows = nd.gather %v, %a, %axis {batch_dims = 0 : i64} : (tensor<10x4xf32>, tensor<3xi32>, tensor<i32>) -> tensor<3x4xf32>
    %c = nd.add %b, %rows : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
    %next = nd.add %a, %one : (tensor<3xi32>, tensor<i32>) -> tensor<3xi32>
    %j = nd.sub %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    flow.yield %j, %next, %c : (tensor<i32>, tensor<3xi32>, tensor<3x4xf32>) -> ()
  }
  flow.fetch %r#2 {name = "r"} : (tensor<3x4xf32>) -> ()
}
