// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Temporary memory is used again after the last look at a value: three values of 4000 bytes that
// follow each other take two slots of 4032.
// RUN: sluice-opt --allow-unregistered-dialect --codegen-emit-codelets --split-input-file %s | FileCheck %s

// CHECK-LABEL: func.func @{{.*}}_body
// CHECK-SAME: codegen.arena_bytes = 8064
%x = "test.input"() : () -> tensor<10x100xf32>
%r = flow.codelet (%x) : (tensor<10x100xf32>) -> tensor<10x100xf32> {
^bb0(%a: tensor<10x100xf32>):
  %axes = nd.constant {value = dense<[1]> : tensor<1xi32>} : () -> tensor<1xi32>
  %p = nd.reverse %a, %axes : (tensor<10x100xf32>, tensor<1xi32>) -> tensor<10x100xf32>
  %q = nd.neg %p : (tensor<10x100xf32>) -> tensor<10x100xf32>
  %s = nd.reverse %q, %axes : (tensor<10x100xf32>, tensor<1xi32>) -> tensor<10x100xf32>
  %t = nd.abs %s : (tensor<10x100xf32>) -> tensor<10x100xf32>
  flow.yield %t : (tensor<10x100xf32>) -> ()
}

// -----

// A value goes into the first gap that is large enough: the second sum to where the first was, which
// nobody looks at any more, and not behind all.
// CHECK-LABEL: func.func @{{.*}}_body
// CHECK-SAME: codegen.arena_bytes = 5312
// CHECK: getelementptr inbounds %{{.*}}[%c4032
// CHECK: call @sluice_nd_reduce_sum_f32
// CHECK: getelementptr inbounds %{{.*}}[%c4480
// CHECK: getelementptr inbounds %{{.*}}[%c4032
// CHECK: call @sluice_nd_reduce_sum_f32
%x = "test.input"() : () -> tensor<10x100xf32>
%r:2 = flow.codelet (%x) : (tensor<10x100xf32>) -> (tensor<100xf32>, tensor<200xf32>) {
^bb0(%a: tensor<10x100xf32>):
  %axes = nd.constant {value = dense<0> : tensor<1xi32>} : () -> tensor<1xi32>
  %axis = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %p = nd.reverse %a, %axes : (tensor<10x100xf32>, tensor<1xi32>) -> tensor<10x100xf32>
  %q = nd.reduce_sum %p, %axes {keep_dims = false} : (tensor<10x100xf32>, tensor<1xi32>) -> tensor<100xf32>
  %s = nd.concat %q, %q, %axis : (tensor<100xf32>, tensor<100xf32>, tensor<i32>) -> tensor<200xf32>
  %t = nd.reduce_sum %p, %axes {keep_dims = false} : (tensor<10x100xf32>, tensor<1xi32>) -> tensor<100xf32>
  %u = nd.reverse %s, %axes : (tensor<200xf32>, tensor<1xi32>) -> tensor<200xf32>
  %v = nd.reverse %t, %axes : (tensor<100xf32>, tensor<1xi32>) -> tensor<100xf32>
  flow.yield %v, %u : (tensor<100xf32>, tensor<200xf32>) -> ()
}

// -----

// Of unknown size they lie behind the others, and one is used again by values of the same dims and
// element size: four values take three slots, each rounded up to 64 bytes.
// CHECK-LABEL: func.func @{{.*}}_body
// CHECK-SAME: codegen.arena_bytes = 448
// CHECK: arith.constant 448 : i64
// CHECK-LABEL: func.func @{{.*}}_sizes
// CHECK: arith.constant 448 : i64
// CHECK: %[[FOUR:.*]] = arith.constant 4 : i64
// CHECK: %[[BYTES:.*]] = arith.muli %[[FOUR]]
// CHECK: %[[MASK:.*]] = arith.constant 63 : i64
// CHECK: %[[ABOVE:.*]] = arith.addi %{{.*}}, %[[MASK]]
// CHECK: %[[DOWN:.*]] = arith.constant -64 : i64
// CHECK: arith.andi %[[ABOVE]], %[[DOWN]]
// CHECK: arith.constant 4 : i64
// CHECK: arith.andi
// CHECK: arith.constant 8 : i64
// CHECK: arith.andi
// CHECK-NOT: arith.andi
%x, %y = "test.inputs"() : () -> (tensor<?x?xf32>, tensor<100xf32>)
%r:2 = flow.codelet (%x, %y) : (tensor<?x?xf32>, tensor<100xf32>) -> (tensor<?x?xf64>, tensor<100xf32>) {
^bb0(%a: tensor<?x?xf32>, %b: tensor<100xf32>):
  %axes = nd.constant {value = dense<0> : tensor<1xi32>} : () -> tensor<1xi32>
  %p = nd.reverse %a, %axes : (tensor<?x?xf32>, tensor<1xi32>) -> tensor<?x?xf32>
  %q = nd.neg %p : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %s = nd.reverse %q, %axes : (tensor<?x?xf32>, tensor<1xi32>) -> tensor<?x?xf32>
  %t = nd.cast %s {truncate = false} : (tensor<?x?xf32>) -> tensor<?x?xf64>
  %u = nd.reverse %t, %axes : (tensor<?x?xf64>, tensor<1xi32>) -> tensor<?x?xf64>
  %v = nd.reverse %b, %axes : (tensor<100xf32>, tensor<1xi32>) -> tensor<100xf32>
  %w = nd.reverse %v, %axes : (tensor<100xf32>, tensor<1xi32>) -> tensor<100xf32>
  flow.yield %u, %w : (tensor<?x?xf64>, tensor<100xf32>) -> ()
}

// -----

// What goes into a loop may be what comes out of it, after no iteration: it is kept as long as the
// result. Beside it and the loop's own two slots lie the two reversed vectors.
// CHECK-LABEL: func.func @{{.*}}_body
// CHECK-SAME: codegen.arena_bytes = 20160
%x, %y = "test.inputs"() : () -> (tensor<1000xf32>, tensor<1000xf32>)
%r = flow.codelet (%x, %y) : (tensor<1000xf32>, tensor<1000xf32>) -> tensor<1000xf32> {
^bb0(%a: tensor<1000xf32>, %b: tensor<1000xf32>):
  %axes = nd.constant {value = dense<0> : tensor<1xi32>} : () -> tensor<1xi32>
  %true = nd.constant {value = dense<true> : tensor<i1>} : () -> tensor<i1>
  %init = nd.reverse %a, %axes : (tensor<1000xf32>, tensor<1xi32>) -> tensor<1000xf32>
  %last:2 = flow.while (%true, %init) (%b) {frame = "loop", parallel_iterations = 10 : i64} : (tensor<i1>, tensor<1000xf32>, tensor<1000xf32>) -> (tensor<i1>, tensor<1000xf32>) before {
  ^bb0(%p1: tensor<i1>, %x1: tensor<1000xf32>, %b1: tensor<1000xf32>):
    flow.condition %p1 (%p1, %x1) : (tensor<i1>, tensor<i1>, tensor<1000xf32>) -> ()
  } body {
  ^bb0(%p2: tensor<i1>, %x2: tensor<1000xf32>, %b2: tensor<1000xf32>):
    %false = nd.constant {value = dense<false> : tensor<i1>} : () -> tensor<i1>
    %x3 = nd.mul %x2, %b2 : (tensor<1000xf32>, tensor<1000xf32>) -> tensor<1000xf32>
    flow.yield %false, %x3 : (tensor<i1>, tensor<1000xf32>) -> ()
  }
  %v = nd.reverse %b, %axes : (tensor<1000xf32>, tensor<1xi32>) -> tensor<1000xf32>
  %w = nd.reverse %v, %axes : (tensor<1000xf32>, tensor<1xi32>) -> tensor<1000xf32>
  %s = nd.add %last#1, %w : (tensor<1000xf32>, tensor<1000xf32>) -> tensor<1000xf32>
  flow.yield %s : (tensor<1000xf32>) -> ()
}
