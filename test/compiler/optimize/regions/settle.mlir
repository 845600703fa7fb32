// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each shape that is known makes a size a constant, which tells the next shape: as often as there is something new.
// RUN: sluice-opt %s -pass-pipeline='builtin.module(optimize-settle-regions)' | FileCheck %s
// RUN: sluice-opt %s -pass-pipeline='builtin.module(optimize-settle-regions{fold=false})' | FileCheck %s --check-prefix=INFER
// And not more often: what was replaced is not replaced again.
// RUN: sluice-opt %s -pass-pipeline='builtin.module(optimize-settle-regions)' --mlir-print-ir-before=optimize-infer-regions -o %t 2>&1 | FileCheck %s --check-prefix=ROUNDS
// ROUNDS-COUNT-6: IR Dump Before
// ROUNDS-NOT: IR Dump Before

// CHECK-LABEL: @chain
// CHECK-NOT: tensor<?
// CHECK: flow.fetch %{{.*}} {name = "y"} : (tensor<64xf32>)
// INFER-LABEL: @chain
// INFER: flow.fetch %{{.*}} {name = "y"} : (tensor<?xf32>)
flow.graph @chain {
  %x = flow.feed {name = "x"} : () -> tensor<2xf32>
  %p = flow.feed {name = "p"} : () -> tensor<i1>
  %y = flow.cond %p (%x, %p) : (tensor<i1>, tensor<2xf32>, tensor<i1>) -> tensor<?xf32> on_true {
  ^bb0(%v0: tensor<2xf32>, %q: tensor<i1>):
    %factor = nd.constant {value = dense<2.0> : tensor<f32>} : () -> tensor<f32>
    %s1 = nd.shape %v0 : (tensor<2xf32>) -> tensor<1xi32>
    %f1 = nd.cast %s1 {truncate = false} : (tensor<1xi32>) -> tensor<1xf32>
    %d1 = nd.mul %f1, %factor : (tensor<1xf32>, tensor<f32>) -> tensor<1xf32>
    %h1 = nd.cast %d1 {truncate = false} : (tensor<1xf32>) -> tensor<1xi32>
    %v1 = flow.cond %q (%h1, %factor) : (tensor<i1>, tensor<1xi32>, tensor<f32>) -> tensor<?xf32> on_true {
    ^bb0(%h: tensor<1xi32>, %c: tensor<f32>):
      %z = nd.fill %h, %c : (tensor<1xi32>, tensor<f32>) -> tensor<?xf32>
      flow.yield %z : (tensor<?xf32>) -> ()
    } on_false {
    ^bb0(%h: tensor<1xi32>, %c: tensor<f32>):
      %n = nd.neg %c : (tensor<f32>) -> tensor<f32>
      %z = nd.fill %h, %n : (tensor<1xi32>, tensor<f32>) -> tensor<?xf32>
      flow.yield %z : (tensor<?xf32>) -> ()
    }
    %s2 = nd.shape %v1 : (tensor<?xf32>) -> tensor<1xi32>
    %f2 = nd.cast %s2 {truncate = false} : (tensor<1xi32>) -> tensor<1xf32>
    %d2 = nd.mul %f2, %factor : (tensor<1xf32>, tensor<f32>) -> tensor<1xf32>
    %h2 = nd.cast %d2 {truncate = false} : (tensor<1xf32>) -> tensor<1xi32>
    %v2 = flow.cond %q (%h2, %factor) : (tensor<i1>, tensor<1xi32>, tensor<f32>) -> tensor<?xf32> on_true {
    ^bb0(%h: tensor<1xi32>, %c: tensor<f32>):
      %z = nd.fill %h, %c : (tensor<1xi32>, tensor<f32>) -> tensor<?xf32>
      flow.yield %z : (tensor<?xf32>) -> ()
    } on_false {
    ^bb0(%h: tensor<1xi32>, %c: tensor<f32>):
      %n = nd.neg %c : (tensor<f32>) -> tensor<f32>
      %z = nd.fill %h, %n : (tensor<1xi32>, tensor<f32>) -> tensor<?xf32>
      flow.yield %z : (tensor<?xf32>) -> ()
    }
    %s3 = nd.shape %v2 : (tensor<?xf32>) -> tensor<1xi32>
    %f3 = nd.cast %s3 {truncate = false} : (tensor<1xi32>) -> tensor<1xf32>
    %d3 = nd.mul %f3, %factor : (tensor<1xf32>, tensor<f32>) -> tensor<1xf32>
    %h3 = nd.cast %d3 {truncate = false} : (tensor<1xf32>) -> tensor<1xi32>
    %v3 = flow.cond %q (%h3, %factor) : (tensor<i1>, tensor<1xi32>, tensor<f32>) -> tensor<?xf32> on_true {
    ^bb0(%h: tensor<1xi32>, %c: tensor<f32>):
      %z = nd.fill %h, %c : (tensor<1xi32>, tensor<f32>) -> tensor<?xf32>
      flow.yield %z : (tensor<?xf32>) -> ()
    } on_false {
    ^bb0(%h: tensor<1xi32>, %c: tensor<f32>):
      %n = nd.neg %c : (tensor<f32>) -> tensor<f32>
      %z = nd.fill %h, %n : (tensor<1xi32>, tensor<f32>) -> tensor<?xf32>
      flow.yield %z : (tensor<?xf32>) -> ()
    }
    %s4 = nd.shape %v3 : (tensor<?xf32>) -> tensor<1xi32>
    %f4 = nd.cast %s4 {truncate = false} : (tensor<1xi32>) -> tensor<1xf32>
    %d4 = nd.mul %f4, %factor : (tensor<1xf32>, tensor<f32>) -> tensor<1xf32>
    %h4 = nd.cast %d4 {truncate = false} : (tensor<1xf32>) -> tensor<1xi32>
    %v4 = flow.cond %q (%h4, %factor) : (tensor<i1>, tensor<1xi32>, tensor<f32>) -> tensor<?xf32> on_true {
    ^bb0(%h: tensor<1xi32>, %c: tensor<f32>):
      %z = nd.fill %h, %c : (tensor<1xi32>, tensor<f32>) -> tensor<?xf32>
      flow.yield %z : (tensor<?xf32>) -> ()
    } on_false {
    ^bb0(%h: tensor<1xi32>, %c: tensor<f32>):
      %n = nd.neg %c : (tensor<f32>) -> tensor<f32>
      %z = nd.fill %h, %n : (tensor<1xi32>, tensor<f32>) -> tensor<?xf32>
      flow.yield %z : (tensor<?xf32>) -> ()
    }
    %s5 = nd.shape %v4 : (tensor<?xf32>) -> tensor<1xi32>
    %f5 = nd.cast %s5 {truncate = false} : (tensor<1xi32>) -> tensor<1xf32>
    %d5 = nd.mul %f5, %factor : (tensor<1xf32>, tensor<f32>) -> tensor<1xf32>
    %h5 = nd.cast %d5 {truncate = false} : (tensor<1xf32>) -> tensor<1xi32>
    %v5 = flow.cond %q (%h5, %factor) : (tensor<i1>, tensor<1xi32>, tensor<f32>) -> tensor<?xf32> on_true {
    ^bb0(%h: tensor<1xi32>, %c: tensor<f32>):
      %z = nd.fill %h, %c : (tensor<1xi32>, tensor<f32>) -> tensor<?xf32>
      flow.yield %z : (tensor<?xf32>) -> ()
    } on_false {
    ^bb0(%h: tensor<1xi32>, %c: tensor<f32>):
      %n = nd.neg %c : (tensor<f32>) -> tensor<f32>
      %z = nd.fill %h, %n : (tensor<1xi32>, tensor<f32>) -> tensor<?xf32>
      flow.yield %z : (tensor<?xf32>) -> ()
    }
    %none = nd.constant {value = dense<[]> : tensor<0xi32>} : () -> tensor<0xi32>
    %sum = nd.reduce_sum %v5, %none {keep_dims = true} : (tensor<?xf32>, tensor<0xi32>) -> tensor<?xf32>
    flow.yield %sum : (tensor<?xf32>) -> ()
  } on_false {
  ^bb0(%v0: tensor<2xf32>, %q: tensor<i1>):
    %n = nd.constant {value = dense<64> : tensor<1xi32>} : () -> tensor<1xi32>
    %zero = nd.constant {value = dense<0.0> : tensor<f32>} : () -> tensor<f32>
    %z = nd.fill %n, %zero : (tensor<1xi32>, tensor<f32>) -> tensor<?xf32>
    flow.yield %z : (tensor<?xf32>) -> ()
  }
  flow.fetch %y {name = "y"} : (tensor<?xf32>) -> ()
}
