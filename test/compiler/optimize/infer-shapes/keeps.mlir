// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What cannot be known stays unknown; what import declared is never made vaguer.
// RUN: sluice-opt --optimize-infer-shapes %s | FileCheck %s

// CHECK-LABEL: flow.graph @unknown
// CHECK: flow.feed {{.*}} -> tensor<*xf32>
// CHECK: nd.where {{.*}} -> tensor<?x
// CHECK: array.read {{.*}} -> (tensor<*xf32>, !flow.token)
flow.graph @unknown {
  %x = flow.feed {name = "x:0"} : () -> tensor<*xf32>
  %b = flow.feed {name = "b:0"} : () -> tensor<2xi1>
  %c = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
  %w = nd.where %b : (tensor<2xi1>) -> tensor<?x1xi64>
  %h, %f, %t = array.create %c {dtype = f32, element_shape = tensor<*xf32>, dynamic_size = false, clear_after_read = true, identical_element_shapes = false, name = "a"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  %v, %tv = array.read %h, %c, %f : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<f32>) -> (tensor<*xf32>, !flow.token)
  flow.fetch %w {name = "w:0"} : (tensor<?x1xi64>) -> ()
  flow.fetch %v {name = "v:0"} : (tensor<*xf32>) -> ()
}

// CHECK-LABEL: flow.graph @declared
// CHECK: nd.neg {{.*}} -> tensor<2xf32>
flow.graph @declared {
  %x = flow.feed {name = "x:0"} : () -> tensor<*xf32>
  %y = nd.neg %x : (tensor<*xf32>) -> tensor<2xf32>
  flow.fetch %y {name = "y:0"} : (tensor<2xf32>) -> ()
}

// No token ever comes here.
// CHECK-LABEL: flow.graph @unreached
// CHECK: flow.merge {{.*}} -> (tensor<?xf32>, tensor<i32>, !flow.token)
flow.graph @unreached {
  %m, %i, %t = flow.merge %n : (tensor<?xf32>) -> (tensor<?xf32>, tensor<i32>, !flow.token)
  %n = flow.next_iteration %m : (tensor<?xf32>) -> tensor<?xf32>
  flow.target %t {name = "t"} : (!flow.token) -> ()
}
