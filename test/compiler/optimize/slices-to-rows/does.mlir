// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Slices of one row that begin at an index and take the rest whole become rows.
// RUN: sluice-opt %s -pass-pipeline='builtin.module(flow.graph(optimize-slices-to-rows))' | FileCheck %s

// Sizes of -1 and those of the dims are the same; the device that the slice asked for is asked for by
// both ops.
// CHECK-LABEL: @rows
flow.graph @rows {
  // CHECK: %[[X:.*]] = flow.feed {name = "x"}
  %x = flow.feed {name = "x"} : () -> tensor<5x3x4xf32>
  // CHECK: %[[I:.*]] = flow.feed {name = "i"}
  %i = flow.feed {name = "i"} : () -> tensor<i32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %sizes = nd.constant {value = dense<[1, 3, -1]> : tensor<3xi32>} : () -> tensor<3xi32>
  %begin = nd.pack %i, %zero, %zero {axis = 0 : i64} : (tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3xi32>
  // CHECK: %[[ROW:.*]] = nd.row %[[X]], %[[I]] {wire.requested = "/task:1"}
  // CHECK: %[[AXIS:.*]] = nd.constant {value = dense<0> : tensor<i32>}
  // CHECK: %[[Y:.*]] = nd.expand_dims %[[ROW]], %[[AXIS]] {wire.requested = "/task:1"} : {{.*}} -> tensor<1x3x4xf32>
  %y = nd.slice %x, %begin, %sizes {wire.requested = "/task:1"} : (tensor<5x3x4xf32>, tensor<3xi32>, tensor<3xi32>) -> tensor<1x3x4xf32>
  // CHECK: flow.fetch %[[Y]]
  flow.fetch %y {name = "y"} : (tensor<1x3x4xf32>) -> ()
}

// What gates of operands wait for, the index waits for.
// CHECK-LABEL: @gated
flow.graph @gated {
  %x = flow.feed {name = "x"} : () -> tensor<?x3xf32>
  %i = flow.feed {name = "i"} : () -> tensor<i32>
  // CHECK: %[[T:.*]] = flow.after
  %t = flow.after %i : (tensor<i32>) -> !flow.token
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %late = flow.gate %zero, %t : (tensor<i32>, !flow.token) -> tensor<i32>
  %sizes = nd.constant {value = dense<[1, -1]> : tensor<2xi32>} : () -> tensor<2xi32>
  %begin = nd.pack %i, %late {axis = 0 : i64} : (tensor<i32>, tensor<i32>) -> tensor<2xi32>
  // CHECK: nd.pack
  // CHECK: %[[INDEX:.*]] = flow.gate %{{.*}}, %[[T]] : (tensor<i32>, !flow.token)
  // CHECK: nd.row %{{.*}}, %[[INDEX]] : {{.*}} -> tensor<3xf32>
  %y = nd.slice %x, %begin, %sizes : (tensor<?x3xf32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
  flow.fetch %y {name = "y"} : (tensor<?x?xf32>) -> ()
}

// Two rows; a part of a row; one that begins elsewhere.
// CHECK-LABEL: @others
// CHECK-NOT: nd.row
// CHECK-COUNT-3: nd.slice
flow.graph @others {
  %x = flow.feed {name = "x"} : () -> tensor<5x3xf32>
  %i = flow.feed {name = "i"} : () -> tensor<i32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %two = nd.constant {value = dense<[2, 3]> : tensor<2xi32>} : () -> tensor<2xi32>
  %part = nd.constant {value = dense<[1, 2]> : tensor<2xi32>} : () -> tensor<2xi32>
  %all = nd.constant {value = dense<[1, -1]> : tensor<2xi32>} : () -> tensor<2xi32>
  %begin = nd.pack %i, %zero {axis = 0 : i64} : (tensor<i32>, tensor<i32>) -> tensor<2xi32>
  %within = nd.pack %i, %i {axis = 0 : i64} : (tensor<i32>, tensor<i32>) -> tensor<2xi32>
  %a = nd.slice %x, %begin, %two : (tensor<5x3xf32>, tensor<2xi32>, tensor<2xi32>) -> tensor<2x3xf32>
  %b = nd.slice %x, %begin, %part : (tensor<5x3xf32>, tensor<2xi32>, tensor<2xi32>) -> tensor<1x2xf32>
  %c = nd.slice %x, %within, %all : (tensor<5x3xf32>, tensor<2xi32>, tensor<2xi32>) -> tensor<1x?xf32>
  flow.fetch %a {name = "a"} : (tensor<2x3xf32>) -> ()
  flow.fetch %b {name = "b"} : (tensor<1x2xf32>) -> ()
  flow.fetch %c {name = "c"} : (tensor<1x?xf32>) -> ()
}
