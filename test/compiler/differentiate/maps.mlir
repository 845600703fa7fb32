// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The derivative of a map is a map: of a key that it lacks, it is zeros.
// RUN: sluice-opt %s --split-input-file --differentiate-build-gradients | FileCheck %s

// What was there before an insertion is gone, and what is erased has no influence.
// CHECK-LABEL: flow.graph @insert
// CHECK-DAG: %[[A:.*]] = flow.feed {{.*}}"a"
// CHECK-DAG: %[[B:.*]] = flow.feed {{.*}}"b"
// CHECK-DAG: %[[NONE:.*]] = list.map_make
// CHECK-DAG: %[[DY:.*]] = list.map_insert %[[NONE]], %[[A]]
// CHECK-DAG: %[[DLEFT:.*]] = list.map_erase %[[DY]], %[[B]] {required = false}
// CHECK-DAG: %[[ZEROS:.*]] = nd.constant {value = dense<0.0
// CHECK-DAG: %[[DX:.*]] = list.map_lookup_or %[[DLEFT]], %[[A]], %[[ZEROS]]
// CHECK: flow.fetch
flow.graph @insert {
  %a = flow.feed {name = "a"} : () -> tensor<i32>
  %b = flow.feed {name = "b"} : () -> tensor<i32>
  %m = flow.feed {name = "m"} : () -> !list.of<!list.any>
  %0 = flow.feed {name = "x"} : () -> tensor<2xf32>
  %x = flow.independent %0 {name = "x"} : (tensor<2xf32>) -> tensor<2xf32>
  %in = list.map_insert %m, %a, %x : (!list.of<!list.any>, tensor<i32>, tensor<2xf32>) -> !list.of<!list.any>
  %left = list.map_erase %in, %b {required = true} : (!list.of<!list.any>, tensor<i32>) -> !list.of<!list.any>
  %y = list.map_lookup %left, %a : (!list.of<!list.any>, tensor<i32>) -> tensor<*xf32>
  %dx = flow.gradient of %y seeds wrt %x stops {name = "gradients"} : (tensor<*xf32>, tensor<2xf32>) -> tensor<2xf32>
  flow.fetch %dx {name = "dx"} : (tensor<2xf32>) -> ()
}
