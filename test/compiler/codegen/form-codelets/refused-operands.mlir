// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operands that code must know stay with kernels where it does not know them, and so do those that
// kernels refuse, so that the message is the kernel's.
// RUN: sluice-opt --codegen-form-codelets --split-input-file %s | FileCheck %s

// CHECK-NOT: flow.codelet
flow.graph @fed_axes {
  %x = flow.feed {name = "x"} : () -> tensor<16xf32>
  %axes = flow.feed {name = "axes"} : () -> tensor<1xi32>
  %y = nd.reverse %x, %axes : (tensor<16xf32>, tensor<1xi32>) -> tensor<16xf32>
  flow.fetch %y {name = "y"} : (tensor<16xf32>) -> ()
}

// -----

flow.graph @axis_twice {
  %x = flow.feed {name = "x"} : () -> tensor<4x4xf32>
  %order = nd.constant {value = dense<[1, -1]> : tensor<2xi32>} : () -> tensor<2xi32>
  %y = nd.transpose %x, %order {conjugate = false} : (tensor<4x4xf32>, tensor<2xi32>) -> tensor<4x4xf32>
  flow.fetch %y {name = "y"} : (tensor<4x4xf32>) -> ()
}

// -----

flow.graph @negative_padding {
  %x = flow.feed {name = "x"} : () -> tensor<16xf32>
  %zero = flow.feed {name = "zero"} : () -> tensor<f32>
  %border = nd.constant {value = dense<[[-1, 2]]> : tensor<1x2xi32>} : () -> tensor<1x2xi32>
  %y = nd.pad %x, %border, %zero : (tensor<16xf32>, tensor<1x2xi32>, tensor<f32>) -> tensor<?xf32>
  flow.fetch %y {name = "y"} : (tensor<?xf32>) -> ()
}

// -----

flow.graph @negative_multiple {
  %x = flow.feed {name = "x"} : () -> tensor<16xf32>
  %times = nd.constant {value = dense<-1> : tensor<1xi32>} : () -> tensor<1xi32>
  %y = nd.tile %x, %times : (tensor<16xf32>, tensor<1xi32>) -> tensor<?xf32>
  flow.fetch %y {name = "y"} : (tensor<?xf32>) -> ()
}

// -----

flow.graph @negative_part {
  %x = flow.feed {name = "x"} : () -> tensor<?xf32>
  %sizes = nd.constant {value = dense<[-2, 18]> : tensor<2xi32>} : () -> tensor<2xi32>
  %axis = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %a, %b = nd.split_v %x, %sizes, %axis : (tensor<?xf32>, tensor<2xi32>, tensor<i32>) -> (tensor<?xf32>, tensor<?xf32>)
  flow.fetch %a {name = "a"} : (tensor<?xf32>) -> ()
  flow.fetch %b {name = "b"} : (tensor<?xf32>) -> ()
}

// -----

// Its own elements do not say whether the shape asks for as many.
// CHECK-LABEL: flow.graph @fed_shape
// CHECK: nd.reshape
// CHECK: flow.codelet
// CHECK: nd.neg
flow.graph @fed_shape {
  %x = flow.feed {name = "x"} : () -> tensor<4x4xf32>
  %shape = flow.feed {name = "shape"} : () -> tensor<1xi32>
  %y = nd.reshape %x, %shape : (tensor<4x4xf32>, tensor<1xi32>) -> tensor<?xf32>
  %z = nd.neg %y : (tensor<?xf32>) -> tensor<?xf32>
  flow.fetch %z {name = "z"} : (tensor<?xf32>) -> ()
}

// -----

// All types are known, and so is that the op fails.
flow.graph @shapes_do_not_fit {
  %x = flow.feed {name = "x"} : () -> tensor<16xf32>
  %y = flow.feed {name = "y"} : () -> tensor<17xf32>
  %z = nd.add %x, %y : (tensor<16xf32>, tensor<17xf32>) -> tensor<17xf32>
  flow.fetch %z {name = "z"} : (tensor<17xf32>) -> ()
}
