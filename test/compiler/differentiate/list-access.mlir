// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads and writes of lists: the derivative of a list is a list, and that of a read a write.
// RUN: sluice-opt %s --split-input-file --differentiate-build-gradients | FileCheck %s

// What was got is added to zeros; of what was set the element is looked at.
// CHECK-LABEL: flow.graph @set_get
// CHECK: %[[I:.*]] = flow.feed {{.*}}"i"
// CHECK: %{{.*}}, %[[AFTER:.*]] = list.get
// CHECK: %[[ONE:.*]] = nd.constant {value = dense<1.0
// CHECK: %[[ZEROS:.*]] = list.zeros_like %[[AFTER]]
// CHECK: %[[DM:.*]] = list.accumulate %[[ZEROS]], %[[I]], %[[ONE]]
// CHECK: %[[DX:.*]] = list.peek %[[DM]], %[[I]]
// CHECK: flow.fetch %[[DX]]
flow.graph @set_get {
  %n = flow.feed {name = "n"} : () -> tensor<i32>
  %i = flow.feed {name = "i"} : () -> tensor<i32>
  %0 = flow.feed {name = "x"} : () -> tensor<f32>
  %x = flow.independent %0 {name = "x"} : (tensor<f32>) -> tensor<f32>
  %l = list.make %n {element_shape = tensor<f32>, identical = false} : (tensor<i32>) -> !list.of<tensor<f32>>
  %m = list.set %l, %i, %x {grow = false, once = true} : (!list.of<tensor<f32>>, tensor<i32>, tensor<f32>) -> !list.of<tensor<f32>>
  %y, %rest = list.get %m, %i {beyond = false, clear = false} : (!list.of<tensor<f32>>, tensor<i32>) -> (tensor<f32>, !list.of<tensor<f32>>)
  %dx = flow.gradient of %y seeds wrt %x stops {name = "gradients"} : (tensor<f32>, tensor<f32>) -> tensor<f32>
  flow.fetch %dx {name = "dx"} : (tensor<f32>) -> ()
}

// -----

// A push and a pop change places.
// CHECK-LABEL: flow.graph @push_pop
// CHECK: %{{.*}}, %[[AFTER:.*]] = list.pop
// CHECK: %[[ONE:.*]] = nd.constant {value = dense<1.0
// CHECK: %[[ZEROS:.*]] = list.zeros_like %[[AFTER]]
// CHECK: %[[DM:.*]] = list.push %[[ZEROS]], %[[ONE]]
// CHECK: %[[DX:.*]], %{{.*}} = list.pop %[[DM]]
// CHECK: flow.fetch %[[DX]]
flow.graph @push_pop {
  %0 = flow.feed {name = "x"} : () -> tensor<f32>
  %x = flow.independent %0 {name = "x"} : (tensor<f32>) -> tensor<f32>
  %l = flow.feed {name = "l"} : () -> !list.of<tensor<f32>>
  %m = list.push %l, %x {limit = -1 : i64} : (!list.of<tensor<f32>>, tensor<f32>) -> !list.of<tensor<f32>>
  %y, %rest = list.pop %m {element_shape = tensor<f32>} : (!list.of<tensor<f32>>) -> (tensor<f32>, !list.of<tensor<f32>>)
  %dx = flow.gradient of %y seeds wrt %x stops {name = "gradients"} : (tensor<f32>, tensor<f32>) -> tensor<f32>
  flow.fetch %dx {name = "dx"} : (tensor<f32>) -> ()
}

// -----

// A list of empty elements but one, which count as zeros when they are stacked.
// CHECK-LABEL: flow.graph @unstack_peek
// CHECK: %[[I:.*]] = flow.feed {{.*}}"i"
// CHECK: %[[L:.*]] = list.unstack
// CHECK: %[[ONE:.*]] = nd.constant {value = dense<1.0
// CHECK: %[[N:.*]] = list.length %[[L]]
// CHECK: %[[EMPTY:.*]] = list.make %[[N]]
// CHECK: %[[DL:.*]] = list.set %[[EMPTY]], %[[I]], %[[ONE]]
// CHECK: %[[DX:.*]] = list.stack %[[DL]] {element_shape = tensor<2xf32>, num_elements = 3
// CHECK: flow.fetch %[[DX]]
flow.graph @unstack_peek {
  %i = flow.feed {name = "i"} : () -> tensor<i32>
  %0 = flow.feed {name = "x"} : () -> tensor<3x2xf32>
  %x = flow.independent %0 {name = "x"} : (tensor<3x2xf32>) -> tensor<3x2xf32>
  %l = list.unstack %x {element_shape = tensor<2xf32>} : (tensor<3x2xf32>) -> !list.of<tensor<2xf32>>
  %y = list.peek %l, %i {element_shape = tensor<2xf32>} : (!list.of<tensor<2xf32>>, tensor<i32>) -> tensor<2xf32>
  %dx = flow.gradient of %y seeds wrt %x stops {name = "gradients"} : (tensor<2xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  flow.fetch %dx {name = "dx"} : (tensor<3x2xf32>) -> ()
}

// -----

// A stack and an unstack change places.
// CHECK-LABEL: flow.graph @stack
// CHECK: %[[Y:.*]] = list.stack
// CHECK: %[[ONES:.*]] = nd.fill
// CHECK: %[[DM:.*]] = list.unstack %[[ONES]]
// CHECK: %[[DX:.*]], %{{.*}} = list.pop %[[DM]]
// CHECK: flow.fetch %[[DX]]
flow.graph @stack {
  %0 = flow.feed {name = "x"} : () -> tensor<2xf32>
  %x = flow.independent %0 {name = "x"} : (tensor<2xf32>) -> tensor<2xf32>
  %l = flow.feed {name = "l"} : () -> !list.of<tensor<2xf32>>
  %m = list.push %l, %x {limit = -1 : i64} : (!list.of<tensor<2xf32>>, tensor<2xf32>) -> !list.of<tensor<2xf32>>
  %y = list.stack %m {element_shape = tensor<2xf32>, num_elements = -1 : i64} : (!list.of<tensor<2xf32>>) -> tensor<?x2xf32>
  %dx = flow.gradient of %y seeds wrt %x stops {name = "gradients"} : (tensor<?x2xf32>, tensor<2xf32>) -> tensor<2xf32>
  flow.fetch %dx {name = "dx"} : (tensor<2xf32>) -> ()
}

// -----

// Several at a time. What was gathered twice gets the sum.
// CHECK-LABEL: flow.graph @scatter_gather
// CHECK: %[[AT:.*]] = flow.feed {{.*}}"at"
// CHECK: %[[OF:.*]] = flow.feed {{.*}}"of"
// CHECK: %{{.*}}, %[[AFTER:.*]] = list.gather
// CHECK: %[[ONES:.*]] = nd.constant {value = dense<1.0
// CHECK: %[[ZEROS:.*]] = list.zeros_like %[[AFTER]]
// CHECK: %[[DM:.*]] = list.scatter %[[ZEROS]], %[[OF]], %[[ONES]] {accumulate = true
// CHECK: %[[DX:.*]] = list.rows %[[DM]], %[[AT]]
// CHECK: flow.fetch %[[DX]]
flow.graph @scatter_gather {
  %at = flow.feed {name = "at"} : () -> tensor<2xi32>
  %of = flow.feed {name = "of"} : () -> tensor<3xi32>
  %l = flow.feed {name = "l"} : () -> !list.of<tensor<f32>>
  %0 = flow.feed {name = "x"} : () -> tensor<2xf32>
  %x = flow.independent %0 {name = "x"} : (tensor<2xf32>) -> tensor<2xf32>
  %m = list.scatter %l, %at, %x {accumulate = false, grow = false, once = true} : (!list.of<tensor<f32>>, tensor<2xi32>, tensor<2xf32>) -> !list.of<tensor<f32>>
  %y, %rest = list.gather %m, %of {beyond = false, clear = false, element_shape = tensor<f32>} : (!list.of<tensor<f32>>, tensor<3xi32>) -> (tensor<3xf32>, !list.of<tensor<f32>>)
  %dx = flow.gradient of %y seeds wrt %x stops {name = "gradients"} : (tensor<3xf32>, tensor<2xf32>) -> tensor<2xf32>
  flow.fetch %dx {name = "dx"} : (tensor<2xf32>) -> ()
}

// -----

// Of all sizes: the sizes that were joined are those that the derivative is split into.
// CHECK-LABEL: flow.graph @split_concat
// CHECK: %[[SIZES:.*]] = flow.feed {{.*}}"sizes"
// CHECK: %{{.*}}, %[[N:.*]], %[[AFTER:.*]] = list.concat
// CHECK: %[[ONES:.*]] = nd.fill
// CHECK: %[[ZEROS:.*]] = list.zeros_like %[[AFTER]]
// CHECK: %[[DM:.*]] = list.split %[[ZEROS]], %[[ONES]], %[[N]] {accumulate = true
// CHECK: %[[DX:.*]], %{{.*}} = list.join %[[DM]], %[[SIZES]]
// CHECK: flow.fetch %[[DX]]
flow.graph @split_concat {
  %sizes = flow.feed {name = "sizes"} : () -> tensor<2xi64>
  %l = flow.feed {name = "l"} : () -> !list.of<tensor<*xf32>>
  %0 = flow.feed {name = "x"} : () -> tensor<5xf32>
  %x = flow.independent %0 {name = "x"} : (tensor<5xf32>) -> tensor<5xf32>
  %m = list.split %l, %x, %sizes {accumulate = false, grow = false, once = true} : (!list.of<tensor<*xf32>>, tensor<5xf32>, tensor<2xi64>) -> !list.of<tensor<*xf32>>
  %y, %n, %rest = list.concat %m {clear = false, element_shape_except0 = tensor<*xf32>} : (!list.of<tensor<*xf32>>) -> (tensor<?xf32>, tensor<?xi64>, !list.of<tensor<*xf32>>)
  %dx = flow.gradient of %y seeds wrt %x stops {name = "gradients"} : (tensor<?xf32>, tensor<5xf32>) -> tensor<5xf32>
  flow.fetch %dx {name = "dx"} : (tensor<5xf32>) -> ()
}

// -----

// One list behind another one is cut where that begins. What two ways lead to is added, list by list.
// CHECK-LABEL: flow.graph @resize_append
// CHECK: %[[L:.*]] = list.unstack
// CHECK: %[[SHORT:.*]] = list.resize %[[L]]
// CHECK: %[[DM:.*]] = list.unstack
// CHECK: %[[K:.*]] = list.length %[[SHORT]]
// CHECK: %[[FIRST:.*]] = list.resize %[[DM]], %[[K]]
// CHECK: %[[ROWS:.*]] = list.rows %[[DM]]
// CHECK: %[[BEHIND:.*]] = list.unstack %[[ROWS]]
// CHECK: %[[N:.*]] = list.length %[[L]]
// CHECK: %[[LONG:.*]] = list.resize %[[FIRST]], %[[N]]
// CHECK: %[[DL:.*]] = list.add %[[BEHIND]], %[[LONG]]
// CHECK: %[[DX:.*]] = list.stack %[[DL]]
// CHECK: flow.fetch %[[DX]]
flow.graph @resize_append {
  %n = flow.feed {name = "n"} : () -> tensor<i32>
  %0 = flow.feed {name = "x"} : () -> tensor<4xf32>
  %x = flow.independent %0 {name = "x"} : (tensor<4xf32>) -> tensor<4xf32>
  %l = list.unstack %x {element_shape = tensor<f32>} : (tensor<4xf32>) -> !list.of<tensor<f32>>
  %short = list.resize %l, %n : (!list.of<tensor<f32>>, tensor<i32>) -> !list.of<tensor<f32>>
  %m = list.append %short, %l : (!list.of<tensor<f32>>, !list.of<tensor<f32>>) -> !list.of<tensor<f32>>
  %y = list.stack %m {element_shape = tensor<f32>, num_elements = -1 : i64} : (!list.of<tensor<f32>>) -> tensor<?xf32>
  %dx = flow.gradient of %y seeds wrt %x stops {name = "gradients"} : (tensor<?xf32>, tensor<4xf32>) -> tensor<4xf32>
  flow.fetch %dx {name = "dx"} : (tensor<4xf32>) -> ()
}
